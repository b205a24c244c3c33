// SPDX-License-Identifier: Apache-2.0
// reduce_extreme.cc: max, min. NaN wins. Nothing rounds, so every dtype is its own accumulator, and
// f32 that of halves.
#include "device/registry.h"
#include "kernels/reduction/dense_runs.h"
#include "kernels/reduction/elements.h"
#include "kernels/reduction/extreme.h"

namespace bp_cpu::BP_ISA {
namespace {

template <class T, template <class> class Op>
bp_status run(const bp_launch* launch, bp_error** err) {
  using A = Calc<T>;
  ReducePlan plan;
  plan_reduction(*launch, sizeof(T), /*any_order=*/true, kRowBytes / sizeof(A),
                 kTileBytes / sizeof(A), &plan);
  if constexpr (std::is_floating_point_v<A>) {
    constexpr bool kLargest = std::is_same_v<Op<A>, Larger<A>>;
    if (is_dense(plan))
      return run_dense(*launch, plan, dense_runs<RunExtreme<T, kLargest>>(store_plain<T, double>),
                       err);
  }
  return run_reduction<A, Op<A>>(*launch,
                                 {.item_bytes = sizeof(T),
                                  .dense_is_direct = std::is_same_v<T, A>,
                                  .load = load_plain<T, A>,
                                  .store = store_plain<T, A>,
                                  .out_bytes = sizeof(T)},
                                 plan, err);
}

template <template <class> class Op>
void add_op(Registry& r, uint32_t op) {
  r.add(op, bit(BP_BOOL), run<uint8_t, Op>);  // whichever byte stands for true is above 0
  each_type<kReals>([&](auto t, bp_dtype d) { r.add(op, bit(d), run<decltype(t), Op>); });
}

}  // namespace

void add_reduce_extreme(Registry& r) {
  add_op<Larger>(r, BP_OP_MAX);
  add_op<Smaller>(r, BP_OP_MIN);
}

}  // namespace bp_cpu::BP_ISA
