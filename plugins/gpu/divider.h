// SPDX-License-Identifier: Apache-2.0
// divider.h: division of many 32-bit numbers by one that the host knows: a multiplication and a
// shift each (Granlund and Montgomery, PLDI'94), where dividing 64-bit numbers takes a card about
// 70 instructions.
//
//   const Divider rows(n_columns);   // on the host, in a kernel's fields
//   row = rows.quotient(i);          // i / n_columns, for i < 2^31
#pragma once
#include "gpu/kernel.h"

namespace bp_gpu {

struct Divider {
  uint32_t by = 1, magic = 1, shift = 0;

  Divider() = default;
  // 1 .. 2^31; 0, of what is empty and is never divided, counts as 1.
  explicit Divider(uint32_t divisor) : by(divisor ? divisor : 1) {
    while ((uint64_t{1} << shift) < by) ++shift;
    magic = static_cast<uint32_t>((((uint64_t{1} << shift) - by) << 32) / by + 1);
  }
  GPU_FN uint32_t quotient(uint32_t n) const {
    return (static_cast<uint32_t>(uint64_t{n} * magic >> 32) + n) >> shift;
  }
};

}  // namespace bp_gpu
