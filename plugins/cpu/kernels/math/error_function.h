// SPDX-License-Identifier: Apache-2.0
// error_function.h: erf, and gelu in its exact form, of a vector. The tail is erfc(x) = e^(-x^2)
// G(t) / (1 + 2x) with t = (x - K) / (x + K), one polynomial for all x >= 0 (Shepherd and
// Laframboise 1981), our own coefficients.
#pragma once
#include "kernels/math/exponential.h"

namespace bp_cpu::BP_ISA {

template <class T>
struct ErfConstants;
template <>
struct ErfConstants<float> {
  static constexpr float kK = 2, kSaturated = 4.5f;  // erf rounds to 1 from here
  static constexpr float kFar = 15.5f;               // gelu(-kFar) is below every subnormal
  // erf(x) / x - 1 in powers of x^2, for |x| <= 1.
  static constexpr float kNear[] = {0.128379166f,    -0.376126379f,   0.112837821f,
                                    -0.0268654302f,  0.00522103161f,  -0.000848408032f,
                                    0.000112659589f, -9.66704465e-06f};
  static constexpr float kTail[] = {
      1.27697837f,     -0.09276402f,   -0.166030526f,  0.164056301f,    -0.054211963f,
      -0.00806670357f, 0.00865228754f, 0.00133168546f, -0.00124679692f, -0.000415897084f};
};
template <>
struct ErfConstants<double> {
  static constexpr double kK = 4, kSaturated = 6.5;
  static constexpr double kFar = 40;
  static constexpr double kNear[] = {
      0.12837916709551256,     -0.37612638903183543,    0.11283791670945006,
      -0.02686617064323777,    0.0052239776071164225,   -0.00085483259753896918,
      0.00012055294904839707,  -1.4924736907419661e-05, 1.6447424703317362e-06,
      -1.6208483801871705e-07, 1.3720064546777686e-08,  -7.7958988270021425e-10};
  static constexpr double kTail[] = {
      1.2329951186255526,      -0.13962111684056294,    0.015379652102620166,
      0.068097054254742245,    -0.10103906603631775,    0.093732834996650999,
      -0.066330365812334036,   0.037167515564267388,    -0.016197734049517191,
      0.0050319697453456652,   -0.00075777340704008219, -0.00019925548167288855,
      0.00015062251486610125,  -2.4403143881356146e-05, -1.1225468761677681e-05,
      5.7175723599256303e-06,  3.0233949956694904e-07,  -8.3437849748425894e-07,
      6.2001014742936593e-08,  1.1447842537314855e-07,  -7.6354615027291518e-09,
      -1.3295321147820961e-08, -1.7022650415355067e-09};
};

// e^(z^2) erfc(z), for z >= 0.
template <class D, class V>
HWY_INLINE V scaled_erfc(D d, V z) {
  using T = hn::TFromD<D>;
  using C = ErfConstants<T>;
  const V k = hn::Set(d, C::kK);
  const V t = hn::Div(hn::Sub(z, k), hn::Add(z, k));
  return hn::Div(polynomial(d, t, C::kTail), hn::MulAdd(hn::Set(d, T(2)), z, hn::Set(d, T(1))));
}

// Reduces e^-(x * y) to 2^n e^r; the product is taken exactly.
template <class D, class V>
HWY_INLINE Reduced<V> reduce_exp_of_minus_product(D d, V x, V y) {
  const V high = hn::Mul(x, y);
  const V low = hn::MulSub(x, y, high);
  auto [n, r] = reduce_exp(d, hn::Neg(high));
  return {n, hn::Sub(r, low)};
}

template <class D, class V>
HWY_INLINE V erf(D d, V x) {
  using T = hn::TFromD<D>;
  using C = ErfConstants<T>;
  const V one = hn::Set(d, T(1));
  const V near = hn::MulAdd(x, polynomial(d, hn::Mul(x, x), C::kNear), x);
  const V a = hn::Min(hn::Set(d, C::kSaturated), hn::Abs(x));
  const auto [n, r] = reduce_exp_of_minus_product(d, a, a);
  const V e = scale(d, hn::Add(exp_minus_one(d, r), one), n);
  const V far = hn::NegMulAdd(e, scaled_erfc(d, a), one);
  return hn::IfThenElse(hn::Lt(hn::Abs(x), one), near, hn::CopySign(far, x));
}

// x (1 - q) right of zero and x q left of it, q = erfc(|x| / sqrt 2) / 2; as in silu the power of
// two comes last, and -inf gives NaN.
template <class D, class V>
HWY_INLINE V gelu(D d, V x) {
  using T = hn::TFromD<D>;
  using C = ErfConstants<T>;
  const V one = hn::Set(d, T(1)), half = hn::Set(d, T(0.5));
  const V far = hn::Set(d, C::kFar);
  const V a = hn::Min(far, hn::Abs(x));
  const auto [n, r] = reduce_exp_of_minus_product(d, a, hn::Mul(a, half));
  const V p =
      hn::Mul(hn::Add(exp_minus_one(d, r), one),
              hn::Mul(half, scaled_erfc(d, hn::Mul(a, hn::Set(d, T(0.70710678118654752440))))));
  const auto left = hn::Lt(x, hn::Zero(d));
  const V factor = hn::IfThenElse(left, p, hn::Sub(one, scale(d, p, n)));
  const V y = scale(d, hn::Mul(hn::Max(hn::Neg(far), x), factor), hn::IfThenElseZero(left, n));
  return hn::IfThenElse(hn::Eq(x, hn::Set(d, -static_cast<T>(INFINITY))),
                        hn::Set(d, static_cast<T>(NAN)), y);
}

}  // namespace bp_cpu::BP_ISA
