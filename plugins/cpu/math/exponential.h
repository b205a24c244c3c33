// SPDX-License-Identifier: Apache-2.0
// exponential.h: e^x of a vector, and what is made of it. Right for every input: overflow,
// subnormal results, NaN. Coefficients: interpolation at Chebyshev's points in 60 digits, rounded.
//
//   auto y = exp(d, x);      // f32 at most 1.1 ULP, f64 at most 1.1
#pragma once
#include <math.h>

#include "math/vector.h"

namespace bp_cpu::BP_ISA {

template <class T>
struct ExpConstants;
template <>
struct ExpConstants<float> {
  static constexpr float kLog2E = 1.44269504f, kLn2High = 0.693147182f, kLn2Low = -1.90465421e-9f;
  // Beyond these e^x is infinite, or below half a subnormal.
  static constexpr float kLargest = 89, kSmallest = -104;
  // Adding it leaves the integer in the low bits.
  static constexpr float kRoundBits = 0x1.8p23f;
  static constexpr int kMantissa = 23, kBias = 127;
  // (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2
  static constexpr float kTail[] = {0.5f, 0.166665763f, 0.0416665524f, 0.00836329255f,
                                    0.00139263261f};
};
template <>
struct ExpConstants<double> {
  static constexpr double kLog2E = 1.4426950408889634, kLn2High = 0.69314718055994529,
                          kLn2Low = 2.3190468138462996e-17;
  static constexpr double kLargest = 710, kSmallest = -746;
  static constexpr double kRoundBits = 0x1.8p52;
  static constexpr int kMantissa = 52, kBias = 1023;
  static constexpr double kTail[] = {0.5,
                                     0.16666666666666669,
                                     0.041666666666623477,
                                     0.0083333333333300112,
                                     0.0013888888917538296,
                                     0.00019841269863303223,
                                     2.4801520792572694e-05,
                                     2.7557268072890098e-06,
                                     2.7620327428268239e-07,
                                     2.5100569275813683e-08};
};

// The low bits of the integer in a float of small integral value.
template <class D, class V>
HWY_INLINE auto integer_bits(D d, V n) {
  using C = ExpConstants<hn::TFromD<D>>;
  return hn::BitCast(hn::RebindToUnsigned<D>(), hn::Add(n, hn::Set(d, C::kRoundBits)));
}

// 2^n for integral n of the normal range.
template <class D, class V>
HWY_INLINE V power_of_two(D d, V n) {
  using C = ExpConstants<hn::TFromD<D>>;
  const hn::RebindToUnsigned<D> du;
  using U = hn::TFromD<decltype(du)>;
  return hn::BitCast(d, hn::ShiftLeft<C::kMantissa>(
                            hn::Add(integer_bits(d, n), hn::Set(du, static_cast<U>(C::kBias)))));
}

// p * 2^n by two factors, each a normal number; the first product is exact.
template <class D, class V>
HWY_INLINE V scale_by_two_factors(D d, V p, V n) {
  const V half = hn::Round(hn::Mul(n, hn::Set(d, hn::TFromD<D>(0.5))));
  return hn::Mul(hn::Mul(p, power_of_two(d, half)), power_of_two(d, hn::Sub(n, half)));
}
// p * 2^n, rounded once where the result is subnormal; n may go to twice the exponent range.
template <class D, class V>
HWY_INLINE V scale([[maybe_unused]] D d, V p, V n) {
  if constexpr (requires { scaled_at_once(p, n); })
    return scaled_at_once(p, n);  // fusion/functions.cc
#if HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86
  else if constexpr (sizeof(hn::TFromD<D>) == 4)
    return V{_mm512_scalef_ps(p.raw, n.raw)};
  else
    return V{_mm512_scalef_pd(p.raw, n.raw)};
#else
  else
    return scale_by_two_factors(d, p, n);
#endif
}

// x between two bounds; NaN stays NaN (x86 returns the second operand of an unordered pair).
template <class D, class V, class T>
HWY_INLINE V clamp(D d, V x, T low, T high) {
  return hn::Max(hn::Set(d, low), hn::Min(hn::Set(d, high), x));
}

// x = n ln 2 + r, |r| <= ln 2 / 2. x must be clamped.
template <class V>
struct Reduced {
  V n, r;
};
template <class D, class V>
HWY_INLINE Reduced<V> reduce_exp(D d, V x) {
  using C = ExpConstants<hn::TFromD<D>>;
  const V n = hn::Round(hn::Mul(x, hn::Set(d, C::kLog2E)));
  V r = hn::NegMulAdd(n, hn::Set(d, C::kLn2High), x);
  r = hn::NegMulAdd(n, hn::Set(d, C::kLn2Low), r);
  return {n, r};
}
// e^r - 1
template <class D, class V>
HWY_INLINE V exp_minus_one(D d, V r) {
  using C = ExpConstants<hn::TFromD<D>>;
  return hn::MulAdd(hn::Mul(r, r), polynomial(d, r, C::kTail), r);
}

template <class D, class V>
HWY_INLINE V exp(D d, V x) {
  using C = ExpConstants<hn::TFromD<D>>;
  const auto [n, r] = reduce_exp(d, clamp(d, x, C::kSmallest, C::kLargest));
  return scale(d, hn::Add(exp_minus_one(d, r), hn::Set(d, hn::TFromD<D>(1))), n);
}

template <class D, class V>
HWY_INLINE V exp2(D d, V x) {
  using T = hn::TFromD<D>;
  using C = ExpConstants<T>;
  // 2^x is infinite or 0 beyond 3/2 of e^x's bounds, and scale takes n up to there.
  const V inside = clamp(d, x, T(1.5) * C::kSmallest, T(1.5) * C::kLargest);
  const V n = hn::Round(inside);
  const V r = hn::Mul(hn::Sub(inside, n), hn::Set(d, C::kLn2High));
  return scale(d, hn::Add(exp_minus_one(d, r), hn::Set(d, T(1))), n);
}

template <class D, class V>
HWY_INLINE V expm1(D d, V x) {
  using T = hn::TFromD<D>;
  using C = ExpConstants<T>;
  const auto [n, r] = reduce_exp(d, clamp(d, x, C::kSmallest, C::kLargest));
  // 2^n e^r - 1 = 2 (2^(n-1) (e^r - 1) + 2^(n-1) - 1/2): the halves keep the largest n finite.
  // Below -100 the power no longer shows in the result.
  const V half_power = power_of_two(d, hn::Sub(hn::Max(n, hn::Set(d, T(-100))), hn::Set(d, T(1))));
  const V y = hn::MulAdd(half_power, exp_minus_one(d, r), hn::Sub(half_power, hn::Set(d, T(0.5))));
  return hn::CopySign(hn::Add(y, y), x);
}

template <class D, class V>
HWY_INLINE V tanh(D d, V x) {
  using T = hn::TFromD<D>;
  // t / (t + 2) with t = e^(2|x|) - 1; beyond the bound it rounds to 1.
  const V one = hn::Set(d, T(1)), a = hn::Min(hn::Set(d, T(20)), hn::Abs(x));
  const auto [n, r] = reduce_exp(d, hn::Add(a, a));
  const V power = power_of_two(d, n);
  const V t = hn::MulAdd(power, exp_minus_one(d, r), hn::Sub(power, one));
  return hn::CopySign(hn::Div(t, hn::Add(t, hn::Set(d, T(2)))), x);
}

// e^-|x| never overflows, and e / (1 + e) keeps the tail on the left.
template <class D, class V>
HWY_INLINE V sigmoid(D d, V x) {
  const V one = hn::Set(d, hn::TFromD<D>(1));
  const V e = exp(d, hn::Neg(hn::Abs(x)));
  return hn::Div(hn::IfThenElse(hn::Lt(x, hn::Zero(d)), e, one), hn::Add(one, e));
}

// x * sigmoid(x). On the left the power of two comes last, so that a result of normal size has all
// its bits; the limit at -inf is -inf * 0, which is NaN.
template <class D, class V>
HWY_INLINE V silu(D d, V x) {
  using T = hn::TFromD<D>;
  using C = ExpConstants<T>;
  const V one = hn::Set(d, T(1));
  const V low = hn::Set(d, C::kSmallest - 20);
  const auto left = hn::Lt(x, hn::Zero(d));
  const auto [n, r] = reduce_exp(d, hn::Max(low, hn::Neg(hn::Abs(x))));
  const V p = hn::Add(exp_minus_one(d, r), one);
  const V top = hn::Mul(hn::Max(low, x), hn::IfThenElse(left, p, one));
  const V y = scale(d, hn::Div(top, hn::Add(one, scale(d, p, n))), hn::IfThenElseZero(left, n));
  return hn::IfThenElse(hn::Eq(x, hn::Set(d, -static_cast<T>(INFINITY))),
                        hn::Set(d, static_cast<T>(NAN)), y);
}

}  // namespace bp_cpu::BP_ISA
