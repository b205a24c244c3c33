// SPDX-License-Identifier: Apache-2.0
// trigonometry.h: sin, cos, tan of a vector. x = n pi/2 + r by three fused steps, whose first is
// exact while n is an exact integer (Cody and Waite 1980). Beyond kLimit, which is far beyond the
// needs of most programs, this takes more bits of 2/pi, and bad() leaves it to the library's
// functions (vector.h).
#pragma once
#include <math.h>

#include "math/exponential.h"

namespace bp_cpu::BP_ISA {

template <class T>
struct TrigConstants;
template <>
struct TrigConstants<float> {
  static constexpr float kLimit = 32768, kTwoOverPi = 0.636619747f;
  static constexpr float kPiOverTwo[3] = {1.57079637f, -4.37113883e-08f, -1.71512489e-15f};
  static constexpr float kSin[] = {-0.166666672f, 0.00833333191f, -0.000198400827f,
                                   2.72493139e-06f};
  static constexpr float kCos[] = {0.0416666642f, -0.00138883002f, 2.45474366e-05f};
};
template <>
struct TrigConstants<double> {
  static constexpr double kLimit = 0x1p30, kTwoOverPi = 0.63661977236758138;
  static constexpr double kPiOverTwo[3] = {1.5707963267948966, 6.123233995736766e-17,
                                           -1.4973849048591833e-33};
  static constexpr double kSin[] = {-0.16666666666666666,    0.0083333333333309254,
                                    -0.00019841269836722418, 2.7557316083816358e-06,
                                    -2.5051127944014188e-08, 1.5917848524808262e-10};
  static constexpr double kCos[] = {0.041666666666666664,   -0.0013888888888887382,
                                    2.480158729874307e-05,  -2.7557317260008837e-07,
                                    2.0876143827993133e-09, -1.1382456778061306e-11};
};

template <class D, class V>
struct Angle {
  decltype(integer_bits(D(), V())) quadrant;  // its two low bits
  V sin, cos;                                 // of r
};
// Needs x >= 0.
template <class D, class V>
HWY_INLINE Angle<D, V> sin_cos_reduced(D d, V x) {
  using C = TrigConstants<hn::TFromD<D>>;
  const V n = hn::Round(hn::Mul(x, hn::Set(d, C::kTwoOverPi)));
  V r = hn::NegMulAdd(n, hn::Set(d, C::kPiOverTwo[0]), x);
  r = hn::NegMulAdd(n, hn::Set(d, C::kPiOverTwo[1]), r);
  r = hn::NegMulAdd(n, hn::Set(d, C::kPiOverTwo[2]), r);
  const V z = hn::Mul(r, r);
  const V s = hn::MulAdd(hn::Mul(r, z), polynomial(d, z, C::kSin), r);
  const V one = hn::Set(d, hn::TFromD<D>(1));
  const V half = hn::Mul(z, hn::Set(d, hn::TFromD<D>(0.5)));
  const V w = hn::Sub(one, half);
  const V lost = hn::Sub(hn::Sub(one, w), half);
  const V c = hn::Add(w, hn::MulAdd(hn::Mul(z, z), polynomial(d, z, C::kCos), lost));
  return {integer_bits(d, n), s, c};
}

// Bit kBit of the quadrant as a mask, and its second bit as the sign bit of a float.
template <int kBit, class D, class U>
HWY_INLINE auto quadrant_mask(D d, U q) {
  const hn::RebindToUnsigned<D> du;
  return hn::RebindMask(d, hn::TestBit(q, hn::Set(du, hn::TFromD<decltype(du)>(1u << kBit))));
}
template <class D, class U>
HWY_INLINE auto second_bit_as_sign(D d, U q) {
  constexpr int kShift = static_cast<int>(sizeof(hn::TFromD<D>)) * 8 - 2;
  return hn::And(hn::BitCast(d, hn::ShiftLeft<kShift>(q)), hn::SignBit(d));
}

template <class D, class V>
HWY_INLINE V sin(D d, V x) {
  const auto a = sin_cos_reduced(d, hn::Abs(x));
  const V y = hn::IfThenElse(quadrant_mask<0>(d, a.quadrant), a.cos, a.sin);
  return hn::Xor(y, hn::Xor(second_bit_as_sign(d, a.quadrant), hn::And(x, hn::SignBit(d))));
}

template <class D, class V>
HWY_INLINE V cos(D d, V x) {
  const auto a = sin_cos_reduced(d, hn::Abs(x));
  const V y = hn::IfThenElse(quadrant_mask<0>(d, a.quadrant), a.sin, a.cos);
  // The cosine is negative in quadrants 1 and 2.
  const auto next = hn::Add(a.quadrant, hn::Set(hn::RebindToUnsigned<D>(), 1));
  return hn::Xor(y, second_bit_as_sign(d, next));
}

template <class D, class V>
HWY_INLINE V tan(D d, V x) {
  const auto a = sin_cos_reduced(d, hn::Abs(x));
  const auto odd = quadrant_mask<0>(d, a.quadrant);
  const V y =
      hn::Div(hn::IfThenElse(odd, hn::Neg(a.cos), a.sin), hn::IfThenElse(odd, a.sin, a.cos));
  return hn::Xor(y, hn::And(x, hn::SignBit(d)));
}

}  // namespace bp_cpu::BP_ISA
