// SPDX-License-Identifier: Apache-2.0
// reduce_extreme.cu: max, min. NaN wins. Nothing rounds, so every dtype is its own accumulator, and
// f32 that of halves.
#include "gpu/extreme.h"
#include "gpu/reduce.h"

namespace bp_gpu {
namespace {

template <class T, class Which>
struct Extreme : PlainOp {
  using In = T;
  using Item = Comparable<T>;
  using Acc = Item;
  using Out = T;
  GPU_FN Item load(const In& x, NoContext) const { return convert<Item>(x); }
  GPU_FN static Acc identity() { return Which::template last<Acc>(); }
  GPU_FN Acc add(Acc a, Item x) const { return Which::before(x, a) ? x : a; }
  GPU_FN Acc add8(Acc a, const Item* x) const {
    for (int32_t k = 0; k < kGroup; ++k) a = add(a, x[k]);
    return a;
  }
  GPU_FN Acc join(Acc a, Acc b) const { return add(a, b); }
  GPU_FN Out finish(Acc a, int64_t) const { return convert<T>(a); }
};

template <class Which>
void add_op(Registry& r, uint32_t op) {
  add_reduce<Extreme<uint8_t, Which>>(r, op, bit(BP_BOOL));  // a true byte is above 0
  each_type<kReals>(
      [&](auto t, bp_dtype d) { add_reduce<Extreme<decltype(t), Which>>(r, op, bit(d)); });
}

}  // namespace

void add_reduce_extreme(Registry& r) {
  add_op<Larger>(r, BP_OP_MAX);
  add_op<Smaller>(r, BP_OP_MIN);
}

}  // namespace bp_gpu
