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
  static constexpr bool kCounts = true;
  using Value = std::conditional_t<std::is_same_v<T, Bool>, int32_t, Comparable<T>>;
  using In = T;
  using Item = Value;
  using Acc = Found<Value>;
  using Out = int64_t;
  GPU_FN Item load(const In& x, NoContext) const { return convert<Value>(x); }
  GPU_FN static Acc identity() {
    return {Which::template last<Value>(), std::numeric_limits<int64_t>::max()};
  }
  GPU_FN Acc add(const Acc& a, Item x, int64_t at) const { return join(a, {x, at}); }
  // Only the best one's position is worked out. It is lower than a's if a is the identity alone.
  template <class At>
  GPU_FN Acc add8(const Acc& a, const Item* x, const At& at) const {
    Value best = x[0];
    int32_t which = 0;
    unrolled<kGroup>([&](int32_t k) {
      const bool better = Which::before(x[k], best);
      best = better ? x[k] : best;
      which = better ? k : which;
    });
    const int64_t position = at(which);
    return Which::before(best, a.value) || position < a.at ? Acc{best, position} : a;
  }
  GPU_FN Acc join(const Acc& a, const Acc& b) const {
    if (Which::before(b.value, a.value)) return b;
    return b.at < a.at && !Which::before(a.value, b.value) ? b : a;
  }
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
