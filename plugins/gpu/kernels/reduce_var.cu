// SPDX-License-Identifier: Apache-2.0
// reduce_var.cu: var, in f64 throughout: the sums, then the squared distances from the means. f64
// input gets the correction for the rounding of the mean (Chan, Golub, LeVeque, The American
// Statistician 37 (1983), eq. 1.7).
#include "gpu/reduce.h"
#include "gpu/sum.h"

namespace bp_gpu {
namespace {

// The sums alone. A mean must be good to f64 for f32 too, as distances are small where it is large.
template <class T>
struct Total : FloatSum<T> {
  using Item = double;
  using Acc = SumAcc<T>;
  using Out = T;
  GPU_FN Item load(const T& x, NoContext) const { return convert<double>(x); }
  GPU_FN Acc add(const Acc& a, Item x) const { return plus(a, x); }
  GPU_FN Acc add8(const Acc& a, const Item* x) const {
    return plus(a, ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7])));
  }
  GPU_FN Out finish(const Acc&, int64_t) const { return {}; }  // never called
};

template <class T>
struct Distances {
  SumAcc<T> squares;
  double distance;  // stays 0 where it is not needed
};

template <class T>
struct Var : PlainOp {
  static constexpr bool kCorrected = std::is_same_v<T, double>;
  using In = T;
  using Item = double;  // the distance
  using Acc = Distances<T>;
  using Out = T;
  const SumAcc<T>* totals;
  double n, correction;

  GPU_FN double context(int64_t o) const { return value(totals[o]) / n; }
  GPU_FN Item load(const In& x, double mean) const { return convert<double>(x) - mean; }
  GPU_FN static Acc identity() { return {}; }
  GPU_FN Acc add(const Acc& a, Item x) const {
    return {plus(a.squares, x * x), kCorrected ? a.distance + x : 0};
  }
  GPU_FN Acc add8(Acc a, const Item* x) const {
    for (int32_t k = 0; k < kGroup; ++k) a = add(a, x[k]);
    return a;
  }
  GPU_FN Acc join(const Acc& a, const Acc& b) const {
    return {plus(a.squares, b.squares), a.distance + b.distance};
  }
  GPU_FN Out finish(const Acc& a, int64_t) const {
    const double sum = value(a.squares) - (kCorrected ? a.distance * a.distance / n : 0),
                 free = n - correction;
    return convert<T>((sum < 0 ? 0 : sum) / (free > 0 ? free : 0));
  }
};

template <class T>
ReducePlan plan(const bp_launch& l) {
  return plan_reduction(l.args[0], l.args[1], l.args[1].rank, /*any_order=*/true);
}

// The totals stay while distances from them are summed; both sums use the same room for parts.
template <class T>
bp_status run(const bp_launch& l, bp_error** err) {
  const ReducePlan p = plan<T>(l);
  auto* totals = static_cast<SumAcc<T>*>(l.workspace);
  void* parts = totals + p.n_out;
  if (const bp_status s = reduce(l, p, Total<T>{}, parts, totals, err)) return s;
  return reduce(
      l, p, Var<T>{{}, totals, static_cast<double>(p.n), l.attrs[BP_ATTR_VAR_CORRECTION].value.f64},
      parts, nullptr, err);
}
template <class T>
bp_status workspace(const bp_launch* l, uint64_t* bytes, bp_error**) {
  const ReducePlan p = plan<T>(*l);
  *bytes = static_cast<uint64_t>(p.n_out) * sizeof(SumAcc<T>) + parts_bytes<Var<T>>(p);
  return BP_OK;
}
}  // namespace

void add_reduce_var(Registry& r) {
  each_type<kFloats>([&](auto t, bp_dtype d) {
    using T = decltype(t);
    r.add(BP_OP_VAR, bit(d), entry<run<T>>, /*flags=*/0, workspace<T>);
  });
}

}  // namespace bp_gpu
