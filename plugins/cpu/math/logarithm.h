// SPDX-License-Identifier: Apache-2.0
// logarithm.h: log x, log(1 + x) and logarithms to other bases of a vector. The scheme is fdlibm's
// (e_log.c, s_log1p.c, Sun 1993): with s = f / (2 + f), log(1 + f) = f - (f^2/2 - s (f^2/2 +
// R(s^2))), and what rounding lost is added last.
#pragma once
#include <math.h>

#include "math/exponential.h"

namespace bp_cpu::BP_ISA {

template <class T>
struct LogConstants;
template <>
struct LogConstants<float> {
  // The high part has 15 bits, so that k * high is exact.
  static constexpr float kLn2High = 0.693145752f, kLn2Low = 1.42860677e-06f;
  static constexpr float kSmallestNormal = 0x1p-126f, kLift = 0x1p25f, kLiftBits = 25;
  static constexpr uint32_t kSqrtHalf = 0x3f3504f3;
  static constexpr float kLog2E[2] = {1.44269502f, 1.92596303e-08f},
                         kLog10E[2] = {0.434294492f, -1.010305e-08f};
  // k times the first is exact.
  static constexpr float kLog10Two[2] = {0.301025391f, 4.60503898e-06f};
  // log((1 + s) / (1 - s)) = 2 s + s z R(z), z = s^2
  static constexpr float kR[] = {0.666666687f, 0.400001228f, 0.285507351f, 0.233327627f};
};
template <>
struct LogConstants<double> {
  static constexpr double kLn2High = 6.93147180369123816490e-01,
                          kLn2Low = 1.90821492927058770002e-10;
  static constexpr double kSmallestNormal = 0x1p-1022, kLift = 0x1p54, kLiftBits = 54;
  static constexpr uint64_t kSqrtHalf = 0x3fe6a09e667f3bcd;
  static constexpr double kLog2E[2] = {1.4426950408889634, 2.0355273740931033e-17};
  static constexpr double kLog10E[2] = {0.43429448190325182, 1.0983196502167651e-17};
  static constexpr double kLog10Two[2] = {0.30102999560767784715, 5.6303348066750979685e-11};
  static constexpr double kR[] = {0.66666666666666696, 0.39999999999898272, 0.28571428626533618,
                                  0.22222211043776857, 0.18182895750119193, 0.15331501611145329,
                                  0.1461916613488797};
};

// x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt(2); x positive and normal.
template <class V>
struct Split {
  V k, f;
};
template <class D, class V>
HWY_INLINE Split<V> split_exponent(D d, V x) {
  using T = hn::TFromD<D>;
  using C = LogConstants<T>;
  using E = ExpConstants<T>;
  const hn::RebindToSigned<D> di;
  using I = hn::TFromD<decltype(di)>;
  const auto bits = hn::BitCast(di, x);
  const auto k =
      hn::ShiftRight<E::kMantissa>(hn::Sub(bits, hn::Set(di, static_cast<I>(C::kSqrtHalf))));
  const V m = hn::BitCast(d, hn::Sub(bits, hn::ShiftLeft<E::kMantissa>(k)));
  // A small integer becomes a float by sitting in the low bits of a large one.
  const V round_bits = hn::Set(d, E::kRoundBits);
  const V as_float = hn::Sub(hn::BitCast(d, hn::Add(hn::BitCast(di, round_bits), k)), round_bits);
  return {as_float, hn::Sub(m, hn::Set(d, T(1)))};
}

// k ln 2 + log(1 + f) + c for a small c.
template <class D, class V>
HWY_INLINE V log_of_parts(D d, V k, V f, V c) {
  using T = hn::TFromD<D>;
  using C = LogConstants<T>;
  const V s = hn::Div(f, hn::Add(f, hn::Set(d, T(2))));
  const V z = hn::Mul(s, s);
  const V half_square = hn::Mul(hn::Mul(f, f), hn::Set(d, T(0.5)));
  const V rest = hn::Mul(z, polynomial(d, z, C::kR));
  const V low = hn::MulAdd(k, hn::Set(d, C::kLn2Low), c);
  const V inner = hn::Sub(half_square, hn::MulAdd(s, hn::Add(half_square, rest), low));
  return hn::MulAdd(k, hn::Set(d, C::kLn2High), hn::Sub(f, inner));
}

// y, but -inf where x is `zero`, NaN where x < zero, and x itself where it is +inf or NaN.
template <class D, class V>
HWY_INLINE V log_edges(D d, V x, V zero, V y) {
  using T = hn::TFromD<D>;
  const V inf = hn::Set(d, static_cast<T>(INFINITY));
  y = hn::IfThenElse(hn::Lt(x, inf), y, x);
  y = hn::IfThenElse(hn::Lt(x, zero), hn::Set(d, static_cast<T>(NAN)), y);
  return hn::IfThenElse(hn::Eq(x, zero), hn::Neg(inf), y);
}

// split_exponent for subnormal numbers too.
template <class D, class V>
HWY_INLINE Split<V> split_any(D d, V x) {
  using C = LogConstants<hn::TFromD<D>>;
  const auto subnormal = hn::Lt(x, hn::Set(d, C::kSmallestNormal));
  const V lifted = hn::IfThenElse(subnormal, hn::Mul(x, hn::Set(d, C::kLift)), x);
  const auto [k, f] = split_exponent(d, lifted);
  return {hn::Sub(k, hn::IfThenElseZero(subnormal, hn::Set(d, C::kLiftBits))), f};
}

template <class D, class V>
HWY_INLINE V log(D d, V x) {
  const auto [k, f] = split_any(d, x);
  return log_edges(d, x, hn::Zero(d), log_of_parts(d, k, f, hn::Zero(d)));
}

// log(1 + f) / log(base); factor is 1 / log(base) in two parts.
template <class D, class V, class T>
HWY_INLINE V log_of_mantissa(D d, V f, const T (&factor)[2]) {
  const V l = log_of_parts(d, hn::Zero(d), f, hn::Zero(d));
  return hn::MulAdd(l, hn::Set(d, factor[0]), hn::Mul(l, hn::Set(d, factor[1])));
}
template <class D, class V>
HWY_INLINE V log2(D d, V x) {
  using C = LogConstants<hn::TFromD<D>>;
  const auto [k, f] = split_any(d, x);
  return log_edges(d, x, hn::Zero(d), hn::Add(k, log_of_mantissa(d, f, C::kLog2E)));
}
template <class D, class V>
HWY_INLINE V log10(D d, V x) {
  using C = LogConstants<hn::TFromD<D>>;
  const auto [k, f] = split_any(d, x);
  const V low = hn::MulAdd(k, hn::Set(d, C::kLog10Two[1]), log_of_mantissa(d, f, C::kLog10E));
  return log_edges(d, x, hn::Zero(d), hn::MulAdd(k, hn::Set(d, C::kLog10Two[0]), low));
}

template <class D, class V>
HWY_INLINE V log1p(D d, V x) {
  using T = hn::TFromD<D>;
  const V one = hn::Set(d, T(1));
  const V u = hn::Add(x, one);
  const auto [k, f] = split_exponent(d, u);
  // What 1 + x lost, relative to u. Near zero nothing need be lost, because f is x there.
  const V lost = hn::IfThenElse(hn::Ge(u, hn::Set(d, T(2))), hn::Sub(one, hn::Sub(u, x)),
                                hn::Sub(x, hn::Sub(u, one)));
  const auto near = hn::Eq(k, hn::Zero(d));
  const V c = hn::IfThenZeroElse(near, hn::Div(lost, u));
  return hn::CopySign(
      log_edges(d, x, hn::Neg(one), log_of_parts(d, k, hn::IfThenElse(near, x, f), c)), x);
}

}  // namespace bp_cpu::BP_ISA
