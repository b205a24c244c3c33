// SPDX-License-Identifier: Apache-2.0
// reduce_truth.cu: any, all. NaN is not zero.
#include "gpu/reduce.h"

namespace bp_gpu {
namespace {

// Halves are told from zero by their bits but the sign, as integers of their size.
template <class T, bool kAll>
struct Truth : PlainOp {
  using In = T;
  using Item = uint32_t;
  using Acc = uint32_t;
  using Out = uint8_t;
  GPU_FN Item load(const In& x, NoContext) const {
    if constexpr (std::is_same_v<T, F16>)
      return (x.bits & 0x7fff) != 0;
    else
      return x != 0;
  }
  GPU_FN static Acc identity() { return kAll; }
  GPU_FN Acc add(Acc a, Item x) const { return kAll ? a & x : a | x; }
  GPU_FN Acc add8(Acc a, const Item* x) const {
    for (int32_t k = 0; k < kGroup; ++k) a = add(a, x[k]);
    return a;
  }
  GPU_FN Acc join(Acc a, Acc b) const { return add(a, b); }
  GPU_FN Out finish(Acc a, int64_t) const { return static_cast<Out>(a); }
};

template <bool kAll>
void add_op(Registry& r, uint32_t op) {
  add_reduce<Truth<uint8_t, kAll>>(r, op, bit(BP_BOOL));
  add_reduce<Truth<F16, kAll>>(r, op, kHalves);
  each_type<kReals & ~kHalves>(
      [&](auto t, bp_dtype d) { add_reduce<Truth<Word<decltype(t)>, kAll>>(r, op, bit(d)); });
}

}  // namespace

void add_reduce_truth(Registry& r) {
  add_op<false>(r, BP_OP_ANY);
  add_op<true>(r, BP_OP_ALL);
}

}  // namespace bp_gpu
