// SPDX-License-Identifier: Apache-2.0
// sum.h: what numbers are accumulated in: f32 and halves in f64, f64 in a pair of them. What n
// additions lose stays below the rounding of the result, in whatever order they are made. Integers
// wrap in 64 bits.
#pragma once
#include "gpu/reduce.h"

namespace bp_gpu {

// A sum and what its additions lost (Knuth's two-sum); `rest` is NaN once sum is not finite.
struct Pair {
  double sum, rest;
};
GPU_FN Pair plus(const Pair& a, double x) {
  const double next = a.sum + x, part = next - a.sum;
  return {next, a.rest + ((a.sum - (next - part)) + (x - part))};
}
GPU_FN Pair plus(const Pair& a, const Pair& b) {
  const Pair s = plus(a, b.sum);
  return {s.sum, s.rest + b.rest};
}
GPU_FN double plus(double a, double b) { return a + b; }
GPU_FN double value(const Pair& a) { return a.rest == a.rest ? a.sum + a.rest : a.sum; }
GPU_FN double value(double a) { return a; }
GPU_FN uint64_t plus(uint64_t a, uint64_t b) { return a + b; }
GPU_FN uint64_t value(uint64_t a) { return a; }

// What to accumulate numbers of type T in.
template <class T>
using SumAcc = std::conditional_t<std::is_same_v<T, double>, Pair, double>;

// Eight elements lose at most three roundings before the accumulator takes over.
template <class T>
struct FloatSum : PlainOp {
  using In = T;
  using Item = Calc<T>;
  using Acc = SumAcc<T>;
  GPU_FN Item load(const In& x, NoContext) const { return convert<Item>(x); }
  GPU_FN static Acc identity() { return {}; }
  GPU_FN Acc add(const Acc& a, Item x) const { return plus(a, static_cast<double>(x)); }
  GPU_FN Acc add8(const Acc& a, const Item* x) const {
    return plus(
        a, static_cast<double>(((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]))));
  }
  GPU_FN Acc join(const Acc& a, const Acc& b) const { return plus(a, b); }
};

}  // namespace bp_gpu
