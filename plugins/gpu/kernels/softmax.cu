// SPDX-License-Identifier: Apache-2.0
// softmax.cu: softmax, log_softmax. Each lane keeps the largest number that it met and the sum of
// e^(x - that); lanes are folded as in any reduction, and then the elements are read once more and
// written. A row that is a block's own is written by the same launch, from the cache; rows that
// were cut into chunks by a third one. Halves are worked on in f32, sums are in f64.
#include <algorithm>

#include "gpu/reduce.h"

namespace bp_gpu {
namespace {

// e^(x - max) for x <= max. Where that is far below, the rounding of the difference alone would
// lose up to 64 ULP of the result: what it took is exact (Knuth's two-sum) and goes to the result
// to first order. Sums need no such care, because terms that far down weigh nothing in them.
template <class A>
GPU_FN A exp_shifted(A x, A max) {
  const A d = x - max, e = exp(d);
  if (!(e > 0) || d > -8) return e;  // 0, NaN or near enough
  const A back = d - x, lost = (x - (d - back)) + (-max - back);
  return e + e * lost;
}

template <class A>
struct Part {
  A max;
  double sum;
};

// The sum of a, relative to another maximum. If all are -inf, the sum is 0 and what is made of it
// NaN. A NaN is in the sum already.
template <class A>
GPU_FN double moved(const Part<A>& a, A max) {
  if (a.max == max || a.sum == 0) return a.sum;
  return a.sum * static_cast<double>(exp(a.max - max));
}

template <class T, bool kLog>
struct Softmax : PlainOp {
  static constexpr bool kWrites = true, kStraight = true;
  // Eight exponentials of f64 take 80 registers; 768 threads with 64 bytes each keep 48 KiB under
  // way.
  static constexpr int32_t kTogether = sizeof(T) == 8 ? 3 : 4;
  using In = T;
  using Item = Calc<T>;
  using Acc = Part<Item>;
  using Out = T;
  struct Row {
    Item max, total;  // of softmax 1 / the sum, of log_softmax its logarithm
  };

  GPU_FN Item load(const T& x, NoContext) const { return convert<Item>(x); }
  GPU_FN static Acc identity() { return {-std::numeric_limits<Item>::infinity(), 0}; }
  GPU_FN Acc add(const Acc& a, Item x) const { return add_all<1>(a, &x); }
  // One change of the maximum, which costs an exponential, for all of them.
  template <int32_t kCount>
  GPU_FN static Acc add_all(const Acc& a, const Item* x) {
    constexpr int32_t kTerms = std::min(kCount, 8);
    Item max = a.max;
    unrolled<kCount>([&](int32_t k) { max = x[k] > max ? x[k] : max; });
    const Item base = max == -std::numeric_limits<Item>::infinity() ? Item{0} : max;
    double sum = moved(a, max);
    unrolled<kCount / kTerms>([&](int32_t group) {
      Item e[kTerms];
      unrolled<kTerms>([&](int32_t k) { e[k] = exp(x[kTerms * group + k] - base); });
      for (int32_t half = kTerms / 2; half > 0; half /= 2)
        for (int32_t k = 0; k < half; ++k) e[k] += e[k + half];
      sum += static_cast<double>(e[0]);
    });
    return {max, sum};
  }
  GPU_FN Acc add8(const Acc& a, const Item* x) const { return add_all<8>(a, x); }
  GPU_FN Acc add32(const Acc& a, const Item* x) const
      requires(sizeof(Item) == 4)  // more registers than that make a block wait
  {
    return add_all<32>(a, x);
  }
  GPU_FN Acc join(const Acc& a, const Acc& b) const {
    const Item max = b.max > a.max ? b.max : a.max;
    return {max, moved(a, max) + moved(b, max)};
  }
  GPU_FN Row row(const Acc& a) const {
    return {a.max, static_cast<Item>(kLog ? log(a.sum) : 1 / a.sum)};
  }
  GPU_FN T write(const T& x, const Row& row) const {
    const Item v = convert<Item>(x);
    if constexpr (kLog)
      return convert<T>((v - row.max) - row.total);
    else
      return convert<T>(exp_shifted(v, row.max) * row.total);
  }
};

ReducePlan plan(const bp_launch& l) {
  return plan_reduction(l.args[0], l.args[1], l.args[0].rank - 1, /*any_order=*/false);
}

template <class T, bool kLog>
bp_status run(const bp_launch& l, bp_error** err) {
  using Op = Softmax<T, kLog>;
  using Acc = typename Op::Acc;
  const ReducePlan p = plan(l);
  if (p.n == 0) return BP_OK;
  if (p.chunks == 1) return reduce(l, p, Op{}, nullptr, nullptr, err);
  auto* totals = static_cast<Acc*>(l.workspace);
  if (const bp_status s = reduce(l, p, Op{}, totals + p.n_out, totals, err)) return s;
  auto* out = static_cast<T*>(l.args[1].data);
  return launch_reduce(
      l, Reduce<Op>{{}, p, static_cast<const T*>(l.args[0].data), nullptr, totals, out, p.n}, err);
}
template <class T, bool kLog>
bp_status workspace(const bp_launch* l, uint64_t* bytes, bp_error**) {
  using Op = Softmax<T, kLog>;
  const ReducePlan p = plan(*l);
  *bytes = p.chunks == 1
               ? 0
               : static_cast<uint64_t>(p.n_out) * sizeof(typename Op::Acc) + parts_bytes<Op>(p);
  return BP_OK;
}
}  // namespace

void add_softmax(Registry& r) {
  each_type<kFloats>([&](auto t, bp_dtype d) {
    using T = decltype(t);
    r.add(BP_OP_SOFTMAX, bit(d), entry<run<T, false>>, /*flags=*/0, workspace<T, false>);
    r.add(BP_OP_LOG_SOFTMAX, bit(d), entry<run<T, true>>, /*flags=*/0, workspace<T, true>);
  });
}

}  // namespace bp_gpu
