// SPDX-License-Identifier: Apache-2.0
// optimizers.h: the rows over lists of tensors, for kernels: the steps of optimisers
// (optimizer_steps.h), what clips gradients, and the norm of everything.
//
//   with_update<float>(launch, [&](const auto& op) { return run(op, launch); });
#pragma once
#include <math.h>

#include "c_op_ids.h"
#include "kit/number.h"
#include "kit/optimizer_steps.h"

namespace bp_kit {
namespace {  // each instruction set compiles its own

// The factor is read where the elements are, so that nobody waits for it.
template <class T>
struct ScaleBy {
  using Calc = T;
  static constexpr int kLists = 1;
  const T* factor;  // the operand after the list
  explicit ScaleBy(const bp_launch& l) : factor(static_cast<const T*>(l.args[l.n_in - 1].data)) {}
  constexpr void operator()(T& p, T&, T&, T&, T&) const { p *= *factor; }
};

template <class T>
struct ClampTo {
  using Calc = T;
  static constexpr int kLists = 1;
  T low, high;
  explicit ClampTo(const bp_launch& l)
      : low(bound(l, BP_ATTR_FOREACH_CLAMP_LOW)), high(bound(l, BP_ATTR_FOREACH_CLAMP_HIGH)) {}
  constexpr void operator()(T& p, T&, T&, T&, T&) const {
    const T x = p < low ? low : p;
    p = x > high ? high : x;
  }

 private:
  // A bound that T cannot hold bounds nothing.
  static T bound(const bp_launch& l, int i) {
    constexpr double kMost = static_cast<double>(std::numeric_limits<T>::max());
    const double x = Attrs{l.attrs}.f64(i);
    return x > kMost    ? std::numeric_limits<T>::infinity()
           : x < -kMost ? -std::numeric_limits<T>::infinity()
                        : static_cast<T>(x);
  }
};

// How many tensors each list of the launch has; an operand may come after the lists.
template <class Op>
int64_t count_of(const bp_launch& l) {
  return (static_cast<int64_t>(l.n_in) - (l.op == BP_OP_FOREACH_SCALE ? 1 : 0)) / Op::kLists;
}

// Calls fn(op) with the op of the launch, computing in T.
template <class T, class F>
bp_status with_update(const bp_launch& l, const F& fn) {
  if (l.op == BP_OP_FOREACH_SCALE) return fn(ScaleBy<T>(l));
  if (l.op == BP_OP_FOREACH_CLAMP) return fn(ClampTo<T>(l));
  return with_step<T>(l.op,
                      l.n_in / static_cast<size_t>(Attrs{l.attrs}.i64(BP_ATTR_FOREACH_SGD_COUNT)),
                      l.attrs, fn);
}

constexpr uint32_t kUpdateOps[] = {
    BP_OP_FOREACH_SGD,     BP_OP_FOREACH_ADAM,  BP_OP_FOREACH_ADAMW, BP_OP_FOREACH_RMSPROP,
    BP_OP_FOREACH_ADAGRAD, BP_OP_FOREACH_SCALE, BP_OP_FOREACH_CLAMP};

// ---- the norm of everything ----
// What one element adds, what parts are joined by, and the end; ord as vector_norm has it.
// Accumulated in f64.
struct NormOf {
  enum Kind : int32_t { kSquares, kSum, kCount, kPower, kLargest, kSmallest };
  Kind kind;
  double ord;
  explicit NormOf(double o)
      : kind(o == 2                ? kSquares
             : o == 1              ? kSum
             : o == 0              ? kCount
             : fabs(o) == HUGE_VAL ? (o > 0 ? kLargest : kSmallest)
                                   : kPower),
        ord(o) {}
  constexpr double none() const { return kind == kSmallest ? HUGE_VAL : 0.0; }
  constexpr double term(double x) const {
    switch (kind) {
      case kSquares: return x * x;
      case kCount: return x != 0 ? 1.0 : 0.0;
      case kPower: return pow(fabs(x), ord);
      default: return fabs(x);
    }
  }
  constexpr double join(double a, double b) const {
    if (kind == kLargest) return b > a || b != b ? b : a;
    if (kind == kSmallest) return b < a || b != b ? b : a;
    return a + b;
  }
  constexpr double end(double sum) const {
    return kind == kSquares ? sqrt(sum) : kind == kPower ? pow(sum, 1 / ord) : sum;
  }
};

}  // namespace
}  // namespace bp_kit
