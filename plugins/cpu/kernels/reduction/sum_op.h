// SPDX-License-Identifier: Apache-2.0
// sum_op.h: addition and multiplication for cascade.h, over numbers and registers.
#pragma once

namespace bp_cpu::BP_ISA {
namespace {

struct Sum {
  static constexpr int identity() { return 0; }
  template <class V>
  static V of(V a, V b) {
    return a + b;
  }
};

struct Product {
  static constexpr int identity() { return 1; }
  template <class V>
  static V of(V a, V b) {
    return a * b;
  }
};

}  // namespace
}  // namespace bp_cpu::BP_ISA
