// SPDX-License-Identifier: Apache-2.0
// hyperbolic.h: sinh, cosh and the inverse functions of a vector, out of exp, expm1 and log1p
// (fdlibm's schemes, Sun 1993).
#pragma once
#include <math.h>

#include "math/exponential.h"
#include "math/logarithm.h"

namespace bp_cpu::BP_ISA {

template <class T>
struct HyperbolicConstants;
template <>
struct HyperbolicConstants<float> {
  static constexpr float kInfinite = 91, kFar = 20;  // beyond: overflow; e^-x is lost
  static constexpr float kSquares = 0x1p60f;         // squares of larger numbers overflow
};
template <>
struct HyperbolicConstants<double> {
  static constexpr double kInfinite = 712, kFar = 20;
  static constexpr double kSquares = 0x1p500;
};

// For a >= 0, half of e^a, which is finite where sinh and cosh are, and half of e^a - 1, which is
// right while a <= kFar.
template <class V>
struct HalfExp {
  V exp, expm1;
};
template <class D, class V>
HWY_INLINE HalfExp<V> half_exp(D d, V a) {
  using T = hn::TFromD<D>;
  const V one = hn::Set(d, T(1));
  const auto [n, r] = reduce_exp(d, hn::Min(hn::Set(d, HyperbolicConstants<T>::kInfinite), a));
  const V p = exp_minus_one(d, r);
  const V power = power_of_two(d, hn::Sub(hn::Min(n, hn::Set(d, T(64))), one));
  return {scale(d, hn::Add(p, one), hn::Sub(n, one)),
          hn::MulAdd(power, p, hn::Sub(power, hn::Set(d, T(0.5))))};
}

template <class D, class V>
HWY_INLINE V sinh(D d, V x) {
  using T = hn::TFromD<D>;
  const V a = hn::Abs(x);
  const auto [e, t] = half_exp(d, a);
  const V near = hn::Add(t, hn::Div(t, hn::Add(hn::Add(t, t), hn::Set(d, T(1)))));
  return hn::CopySign(hn::IfThenElse(hn::Gt(a, hn::Set(d, HyperbolicConstants<T>::kFar)), e, near),
                      x);
}

template <class D, class V>
HWY_INLINE V cosh(D d, V x) {
  const V e = half_exp(d, hn::Abs(x)).exp;
  return hn::Add(e, hn::Div(hn::Set(d, hn::TFromD<D>(0.25)), e));
}

// For |x| below kSquares.
template <class D, class V>
HWY_INLINE V asinh(D d, V x) {
  const V one = hn::Set(d, hn::TFromD<D>(1));
  const V a = hn::Abs(x), square = hn::Mul(a, a);
  const V rest = hn::Div(square, hn::Add(one, hn::Sqrt(hn::Add(one, square))));
  return hn::CopySign(log1p(d, hn::Add(a, rest)), x);
}

// For x below kSquares.
template <class D, class V>
HWY_INLINE V acosh(D d, V x) {
  using T = hn::TFromD<D>;
  const V one = hn::Set(d, T(1)), t = hn::Sub(x, one);
  const V y = log1p(d, hn::Add(t, hn::Sqrt(hn::Mul(t, hn::Add(t, hn::Set(d, T(2)))))));
  return hn::IfThenElse(hn::Lt(x, one), hn::Set(d, static_cast<T>(NAN)), y);
}

// Beyond 1 the quotient is below -1, which log1p answers with NaN.
template <class D, class V>
HWY_INLINE V atanh(D d, V x) {
  using T = hn::TFromD<D>;
  const V a = hn::Abs(x);
  const V y = log1p(d, hn::Div(hn::Add(a, a), hn::Sub(hn::Set(d, T(1)), a)));
  return hn::CopySign(hn::Mul(y, hn::Set(d, T(0.5))), x);
}

}  // namespace bp_cpu::BP_ISA
