// SPDX-License-Identifier: Apache-2.0
// fill.cc: every element is one number.
#include "device/registry.h"
#include "driver/elementwise.h"
#include "driver/scalar.h"
#include "kernels/dense.h"

namespace bp_cpu::BP_ISA {
namespace {

// T has the size of an element.
template <class T>
constexpr Loops kLoops{.dense = {nullptr, repeat<T>, nullptr, nullptr}};

bp_status run_fill(const bp_launch* launch, bp_error**) {
  // The number becomes an element of the output's dtype, whatever it came as.
  bp_arg args[2] = {launch->args[0], launch->args[1]};
  args[0].dtype = args[1].dtype;
  bp_launch call = *launch;
  call.args = args;
  bp_kit::with_size(args[1].dtype, [&](auto t) { run_elementwise(call, kLoops<decltype(t)>); });
  return BP_OK;
}

}  // namespace

void add_fill(Registry& r) { r.add(BP_OP_FILL, kAllDtypes, run_fill); }

}  // namespace bp_cpu::BP_ISA
