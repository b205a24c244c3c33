// SPDX-License-Identifier: Apache-2.0
// fill.cc: every element is one number.
#include "device/registry.h"
#include "driver/elementwise.h"
#include "driver/scalar.h"

namespace bp_cpu::BP_ISA {
namespace {

struct Sixteen {
  uint64_t half[2];
};

template <class T>
void repeat(void* out, const void* const* in, int64_t n) {
  T* y = static_cast<T*>(out);
  const T value = *static_cast<const T*>(in[0]);
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) y[i] = value;
}

// By the element's size.
constexpr Loops loops(Loop loop) { return {.dense = {nullptr, loop, nullptr, nullptr}}; }
constexpr Loops kOne = loops(repeat<uint8_t>), kTwo = loops(repeat<uint16_t>),
                kFour = loops(repeat<uint32_t>), kEight = loops(repeat<uint64_t>),
                kSixteen = loops(repeat<Sixteen>);

bp_status run_fill(const bp_launch* launch, bp_error**) {
  // The number becomes an element of the output's dtype, whatever it came as.
  bp_arg args[2] = {launch->args[0], launch->args[1]};
  args[0].dtype = args[1].dtype;
  bp_launch call = *launch;
  call.args = args;
  switch (kItemBytes[args[1].dtype]) {
    case 1: run_elementwise(call, kOne); break;
    case 2: run_elementwise(call, kTwo); break;
    case 4: run_elementwise(call, kFour); break;
    case 8: run_elementwise(call, kEight); break;
    default: run_elementwise(call, kSixteen); break;
  }
  return BP_OK;
}

}  // namespace

void add_fill(Registry& r) { r.add(BP_OP_FILL, kAllDtypes, run_fill); }

}  // namespace bp_cpu::BP_ISA
