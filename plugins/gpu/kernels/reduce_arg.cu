// SPDX-License-Identifier: Apache-2.0
// reduce_arg.cu: argmax, argmin: the position of the first of the best, NaN before all. Sequences
// keep their row-major order, in which positions are counted; among equals the lower position wins,
// so that lanes may be folded as they are.
#include "gpu/extreme.h"
#include "gpu/reduce.h"

namespace bp_gpu {
namespace {

template <class A>
struct Found {
  A value;
  int64_t at;
};

template <class T, class Which>
struct ArgExtreme : PlainOp {
  using Value = std::conditional_t<std::is_same_v<T, Bool>, uint8_t, Calc<T>>;
  using In = T;
  using Item = Found<Value>;
  using Acc = Item;
  using Out = int64_t;
  GPU_FN Item load(const In& x, int64_t p, NoContext) const { return {convert<Value>(x), p}; }
  GPU_FN static Acc identity() {
    return {Which::template last<Value>(), std::numeric_limits<int64_t>::max()};
  }
  GPU_FN Acc add(const Acc& a, const Item& x) const {
    if (Which::before(x.value, a.value)) return x;
    return x.at < a.at && !Which::before(a.value, x.value) ? x : a;
  }
  GPU_FN Acc add8(Acc a, const Item* x) const {
    for (int32_t k = 0; k < kGroup; ++k) a = add(a, x[k]);
    return a;
  }
  GPU_FN Acc join(const Acc& a, const Acc& b) const { return add(a, b); }
  GPU_FN Out finish(const Acc& a, int64_t) const { return a.at; }
};

template <class T, class Which>
void add_type(Registry& r, uint32_t op, uint64_t dtypes) {
  add_reduce<ArgExtreme<T, Which>, /*kAnyOrder=*/false>(r, op, dtypes);
}

template <class Which>
void add_op(Registry& r, uint32_t op) {
  add_type<Bool, Which>(r, op, bit(BP_BOOL));
  each_type<kReals>([&](auto t, bp_dtype d) { add_type<decltype(t), Which>(r, op, bit(d)); });
}

}  // namespace

void add_reduce_arg(Registry& r) {
  add_op<Larger>(r, BP_OP_ARGMAX);
  add_op<Smaller>(r, BP_OP_ARGMIN);
}

}  // namespace bp_gpu
