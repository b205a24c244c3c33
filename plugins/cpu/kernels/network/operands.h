// SPDX-License-Identifier: Apache-2.0
// operands.h: dense operands of networks, of which some may be absent.
#pragma once
#include <cstdint>

#include "c_plugin.h"

namespace bp_cpu::BP_ISA {
namespace {

// Returns nullptr where the call has no such operand.
template <class T>
const T* data_of(const bp_arg& arg) {
  return arg.kind == BP_ARG_TENSOR ? static_cast<const T*>(arg.data) : nullptr;
}
inline int64_t count_of(const bp_arg& x) {
  int64_t n = 1;
  for (int32_t d = 0; d < x.rank; ++d) n *= x.shape[d];
  return n;
}

}  // namespace
}  // namespace bp_cpu::BP_ISA
