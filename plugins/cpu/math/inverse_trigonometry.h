// SPDX-License-Identifier: Apache-2.0
// inverse_trigonometry.h: asin, acos, atan, atan2 of vectors. Arguments are brought near zero (Cody
// and Waite 1980): atan by atan a = pi/4 + atan((a - 1) / (a + 1)) and atan a = pi/2 - atan(1 / a),
// asin and acos by asin a = pi/2 - 2 asin s with s^2 = (1 - a) / 2. Coefficients: interpolation at
// Chebyshev's points in 60 digits, rounded.
#pragma once
#include <math.h>

#include "math/vector.h"

namespace bp_cpu::BP_ISA {

template <class T>
struct ArcConstants;
template <>
struct ArcConstants<float> {
  static constexpr float kHalfPi = 1.57079637f, kHalfPiLow = -4.37113883e-08f;
  static constexpr float kTanPi8 = 0.414213568f, kTan3Pi8 = 2.41421366f;
  static constexpr float kLargest = 0x1p126f;  // sums of two do not overflow
  // (atan(t) / t - 1) / z and (asin(t) / t - 1) / z by z = t^2
  static constexpr float kAtan[] = {-0.333333313f, 0.199995384f, -0.142638966f, 0.107430995f,
                                    -0.06449835f};
  static constexpr float kAsin[] = {0.166666657f,  0.0750009492f, 0.0445993207f,
                                    0.0311017279f, 0.017143717f,  0.0337007269f};
};
template <>
struct ArcConstants<double> {
  static constexpr double kHalfPi = 1.5707963267948966, kHalfPiLow = 6.123233995736766e-17;
  static constexpr double kTanPi8 = 0.41421356237309503, kTan3Pi8 = 2.4142135623730949;
  static constexpr double kLargest = 0x1p1022;
  static constexpr double kAtan[] = {
      -0.33333333333333331,  0.19999999999999801,  -0.14285714285659326,  0.11111111105106705,
      -0.090909087510766359, 0.076922963049744705, -0.066664236280692582, 0.058789145444006215,
      -0.052303478730160745, 0.045511081263251721, -0.034558092551413795, 0.016271944751624062};
  static constexpr double kAsin[] = {
      0.16666666666666666,   0.075000000000001191,  0.044642857142550188,  0.030381944475693704,
      0.022372157435623815,  0.017352816768546473,  0.013963775787848137,  0.011566511821890942,
      0.0096214027473448295, 0.0093221015010827735, 0.0030350071727267623, 0.019579201619744684,
      -0.019277545928584557, 0.029635026263548549};
};

// atan(y / x) for y, x >= 0 that are not both 0.
template <class D, class V>
HWY_INLINE V atan_of_quotient(D d, V y, V x) {
  using T = hn::TFromD<D>;
  using C = ArcConstants<T>;
  const auto flat = hn::Le(y, hn::Mul(x, hn::Set(d, C::kTanPi8)));
  const auto steep = hn::Gt(y, hn::Mul(x, hn::Set(d, C::kTan3Pi8)));
  const V top = hn::IfThenElse(flat, y, hn::IfThenElse(steep, hn::Neg(x), hn::Sub(y, x)));
  const V bottom = hn::IfThenElse(flat, x, hn::IfThenElse(steep, y, hn::Add(y, x)));
  const V t = hn::Div(top, bottom);
  const V turn =
      hn::IfThenElse(steep, hn::Set(d, T(1)), hn::IfThenZeroElse(flat, hn::Set(d, T(0.5))));
  const V z = hn::Mul(t, t);
  const V low = hn::MulAdd(hn::Mul(t, z), polynomial(d, z, C::kAtan),
                           hn::Mul(turn, hn::Set(d, C::kHalfPiLow)));
  return hn::Add(hn::Mul(turn, hn::Set(d, C::kHalfPi)), hn::Add(t, low));
}

template <class D, class V>
HWY_INLINE V atan(D d, V x) {
  return hn::CopySign(atan_of_quotient(d, hn::Abs(x), hn::Set(d, hn::TFromD<D>(1))), x);
}

// It is wrong for zeros and infinities, and near the largest numbers.
template <class D, class V>
HWY_INLINE V atan2(D d, V y, V x) {
  using T = hn::TFromD<D>;
  using C = ArcConstants<T>;
  const V r = atan_of_quotient(d, hn::Abs(y), hn::Abs(x));
  const V turned = hn::Add(hn::Sub(hn::Set(d, 2 * C::kHalfPi), r), hn::Set(d, 2 * C::kHalfPiLow));
  return hn::CopySign(hn::IfThenElse(hn::Lt(x, hn::Zero(d)), turned, r), y);
}
template <class D, class V>
HWY_INLINE auto atan2_is_special(D d, V y, V x) {
  const V a = hn::Abs(y), b = hn::Abs(x), most = hn::Set(d, ArcConstants<hn::TFromD<D>>::kLargest);
  const auto fine = hn::And(hn::And(hn::Gt(a, hn::Zero(d)), hn::Gt(b, hn::Zero(d))),
                            hn::And(hn::Lt(a, most), hn::Lt(b, most)));
  return hn::Not(fine);
}

// Whether |x| > 1/2, and for either case an s with asin s = s + rest.
template <class D, class V>
struct HalfArc {
  hn::Mask<D> far;
  V s, rest;
};
template <class D, class V>
HWY_INLINE HalfArc<D, V> half_arc(D d, V x) {
  using T = hn::TFromD<D>;
  const V a = hn::Abs(x), half = hn::Set(d, T(0.5));
  const auto far = hn::Gt(a, half);
  const V w = hn::NegMulAdd(half, a, half);
  const V z = hn::IfThenElse(far, w, hn::Mul(a, a));
  const V s = hn::IfThenElse(far, hn::Sqrt(w), a);
  return {far, s, hn::Mul(hn::Mul(s, z), polynomial(d, z, ArcConstants<T>::kAsin))};
}

template <class D, class V>
HWY_INLINE V asin(D d, V x) {
  using C = ArcConstants<hn::TFromD<D>>;
  const auto [far, s, rest] = half_arc(d, x);
  const V low = hn::Sub(hn::Add(rest, rest), hn::Set(d, C::kHalfPiLow));
  const V turned = hn::Sub(hn::Set(d, C::kHalfPi), hn::Add(hn::Add(s, s), low));
  return hn::CopySign(hn::IfThenElse(far, turned, hn::Add(s, rest)), x);
}

template <class D, class V>
HWY_INLINE V acos(D d, V x) {
  using T = hn::TFromD<D>;
  using C = ArcConstants<T>;
  const auto [far, s, rest] = half_arc(d, x);
  const auto left = hn::Lt(x, hn::Zero(d));
  const V twice = hn::Add(hn::Add(s, s), hn::Add(rest, rest));
  const V from_left =
      hn::Sub(hn::Set(d, 2 * C::kHalfPi), hn::Sub(twice, hn::Set(d, 2 * C::kHalfPiLow)));
  const V arc = hn::CopySign(s, x), arc_rest = hn::CopySign(rest, x);
  const V near =
      hn::Sub(hn::Set(d, C::kHalfPi), hn::Add(arc, hn::Sub(arc_rest, hn::Set(d, C::kHalfPiLow))));
  return hn::IfThenElse(far, hn::IfThenElse(left, from_left, twice), near);
}

}  // namespace bp_cpu::BP_ISA
