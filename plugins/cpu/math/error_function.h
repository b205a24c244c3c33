// SPDX-License-Identifier: Apache-2.0
// error_function.h: erf, and gelu in its exact form, of a vector. The tail is erfc(x) = e^(-x^2)
// G(t) / (1 + 2x) with t = (x - K) / (x + K), one polynomial for all x >= 0 (Shepherd and
// Laframboise 1981), our own coefficients. In f32 these take fewer steps. erf needs no relative
// accuracy of its tail, which is a power of two whose exponent is a polynomial; gelu's has the
// factor x, and x / (x + K) is the argument of its polynomial too.
#pragma once
#include "math/exponential.h"

namespace bp_cpu::BP_ISA {

template <class T>
struct ErfConstants;
template <>
struct ErfConstants<float> {
  static constexpr float kSaturated = 4;  // erf rounds to 1 from here
  static constexpr float kFar = 15.5f;    // gelu(-kFar) is below every subnormal
  // erf(x) / x - 1 in powers of x^2, for |x| <= kMiddle, and log2(erfc(x)) beyond: of least error
  // in the result, 0.13 and 0.03 ULP.
  static constexpr float kMiddle = 0.75f;
  static constexpr float kNear[] = {0.12837917f,   -0.3761262f,   0.11283393f,
                                    -0.026835434f, 0.0051159817f, -0.0006761097f};
  static constexpr float kLogTail[] = {-4.234262e-05f, -1.62793f,      -0.9174336f,  -0.15161198f,
                                       0.03290389f,    -0.0046082777f, 0.0003056549f};
  // 2^x, for |x| <= 1/2.
  static constexpr float kPower[] = {
      1, 0.6931472f, 0.24022646f, 0.055503286f, 0.009618489f, 0.001339993f, 0.00015345812f};
  // e^(x^2 / 2) erfc(x / sqrt 2) (x + kK) / 2 in powers of s - kCentre, s = x / (x + kK); the
  // shorter one of a relative error of 2^-14.4.
  static constexpr float kK = 3.96f, kCentre = 0.4f;
  static constexpr float kTail[] = {0.8923381f,    -1.5624789f,  2.0176964f,
                                    -1.8235841f,   0.95779014f,  -0.009023375f,
                                    -0.341847628f, 0.091719806f, 0.10383372f};
  static constexpr float kShortTail[] = {0.8923f, -1.562654f, 2.0223625f, -1.8212099f, 0.87836707f};
  static constexpr float kShortPower[] = {1, 0.69312408f, 0.24024099f, 0.055906426f, 0.009582853f};
  static constexpr float kMinusHalfLog2E = -0.721347511f, kMinusHalfLog2ELow = -9.62983138e-09f;
};
template <>
struct ErfConstants<double> {
  static constexpr double kK = 3.5, kSaturated = 6.5, kMiddle = 1;
  static constexpr double kFar = 40;
  static constexpr double kNear[] = {
      0.12837916709551256,     -0.37612638903183543,    0.11283791670945006,
      -0.02686617064323777,    0.0052239776071164225,   -0.00085483259753896918,
      0.00012055294904839707,  -1.4924736907419661e-05, 1.6447424703317362e-06,
      -1.6208483801871705e-07, 1.3720064546777686e-08,  -7.7958988270021425e-10};
  static constexpr double kTail[] = {
      1.08705558926226,        -0.93779972456711391,    0.69411364663464403,
      -0.43525602671671476,    0.22573862164741135,     -0.092318706643144482,
      0.026518619881841371,    -0.0031770502846111739,  -0.0013053546932652587,
      0.00071453128066254097,  -4.2062171874115422e-05, -7.4775351790355433e-05,
      1.86473323635186e-05,    7.2393567621207701e-06,  -3.3928080577899144e-06,
      -7.8772439818292723e-07, 5.527358057234972e-07,   1.0628773601410245e-07,
      -8.6990387544701306e-08, -1.5311166117013943e-08, 1.1956272918234388e-08,
      1.447656576135023e-09,   -1.0131361379827797e-09};
};

// e^(z^2) erfc(z), for z >= 0.
template <class D, class V>
HWY_INLINE V scaled_erfc(D d, V z) {
  using T = hn::TFromD<D>;
  using C = ErfConstants<T>;
  const V k = hn::Set(d, C::kK);
  const V inverse = hn::Div(hn::Set(d, T(1)), hn::Add(z, k));
  return hn::Mul(inverse, polynomial(d, hn::Mul(hn::Sub(z, k), inverse), C::kTail));
}

// Reduces e^-(x * y) to 2^n e^r; the product is taken exactly.
template <class D, class V>
HWY_INLINE Reduced<V> reduce_exp_of_minus_product(D d, V x, V y) {
  const V high = hn::Mul(x, y);
  const V low = hn::MulSub(x, y, high);
  auto [n, r] = reduce_exp(d, hn::Neg(high));
  return {n, hn::Sub(r, low)};
}

// 1 - erfc(a), for a of kMiddle or more.
template <class D, class V>
HWY_INLINE V far_erf(D d, V a) {
  using T = hn::TFromD<D>;
  using C = ErfConstants<T>;
  const V one = hn::Set(d, T(1));
  if constexpr (requires { C::kLogTail; }) {
    const V p = polynomial(d, a, C::kLogTail);
    const V n = hn::Round(p);
    return hn::Sub(one, scale(d, polynomial(d, hn::Sub(p, n), C::kPower), n));
  } else {
    const auto [n, r] = reduce_exp_of_minus_product(d, a, a);
    const V e = scale(d, hn::Add(exp_minus_one(d, r), one), n);
    return hn::NegMulAdd(e, scaled_erfc(d, a), one);
  }
}

template <class D, class V>
HWY_INLINE V erf(D d, V x) {
  using T = hn::TFromD<D>;
  using C = ErfConstants<T>;
  const V near = hn::MulAdd(x, polynomial(d, hn::Mul(x, x), C::kNear), x);
  const V a = hn::Min(hn::Set(d, C::kSaturated), hn::Abs(x));
  return hn::IfThenElse(hn::Lt(a, hn::Set(d, C::kMiddle)), near, hn::CopySign(far_erf(d, a), x));
}

// max(x, 0) - t, but NaN for -inf. Of two zeros, or a number and a NaN, Max returns the second; -0
// lets the left underflow to -0.
template <class D, class V>
HWY_INLINE V gelu_with_tail(D d, V x, V t) {
  using T = hn::TFromD<D>;
  return hn::IfThenElse(hn::Eq(x, hn::Set(d, -static_cast<T>(INFINITY))),
                        hn::Set(d, static_cast<T>(NAN)),
                        hn::Sub(hn::Max(hn::Set(d, T(-0.0)), x), t));
}

// max(x, 0) - |x| q, q = erfc(|x| / sqrt 2) / 2; as in silu the power of two comes last left of
// zero.
template <class D, class V>
HWY_INLINE V gelu(D d, V x) {
  using T = hn::TFromD<D>;
  using C = ErfConstants<T>;
  const V a = hn::Min(hn::Set(d, C::kFar), hn::Abs(x));
  if constexpr (requires { C::kMinusHalfLog2E; }) {
    const V c = hn::Set(d, C::kMinusHalfLog2E), square = hn::Mul(a, a);
    const V low = hn::MulSub(a, a, square);  // the square is taken exactly
    const V n = hn::Round(hn::Mul(square, c));
    V r = hn::MulAdd(square, hn::Set(d, C::kMinusHalfLog2ELow), hn::MulSub(square, c, n));
    r = hn::MulAdd(low, c, r);
    const V s = hn::Div(a, hn::Add(a, hn::Set(d, C::kK)));
    const V tail = hn::Mul(s, polynomial(d, hn::Sub(s, hn::Set(d, C::kCentre)), C::kTail));
    return gelu_with_tail(d, x, scale(d, hn::Mul(polynomial(d, r, C::kPower), tail), n));
  } else {
    const V half_a = hn::Mul(a, hn::Set(d, 0.5));
    const auto [n, r] = reduce_exp_of_minus_product(d, a, half_a);
    const V q = scaled_erfc(d, hn::Mul(a, hn::Set(d, 0.70710678118654752440)));
    const V e = hn::Add(exp_minus_one(d, r), hn::Set(d, 1.0));
    return gelu_with_tail(d, x, scale(d, hn::Mul(e, hn::Mul(half_a, q)), n));
  }
}

// gelu within 2^-13 of its value, in f32, for results that are rounded to 11 bits or fewer.
template <class D, class V>
HWY_INLINE V gelu_of_half(D d, V x) {
  using C = ErfConstants<float>;
  const V a = hn::Min(hn::Set(d, C::kFar), hn::Abs(x)), square = hn::Mul(a, a);
  const V c = hn::Set(d, C::kMinusHalfLog2E), n = hn::Round(hn::Mul(square, c));
  const V r = hn::MulSub(square, c, n), sum = hn::Add(a, hn::Set(d, C::kK));
  V inverse = hn::ApproximateReciprocal(sum);  // within 2^-14 in AVX-512, else 2^-11
  if constexpr (hn::MaxLanes(D()) < 16)
    inverse = hn::MulAdd(inverse, hn::NegMulAdd(sum, inverse, hn::Set(d, 1.0f)), inverse);
  const V s = hn::Mul(a, inverse);
  const V tail = hn::Mul(s, polynomial(d, hn::Sub(s, hn::Set(d, C::kCentre)), C::kShortTail));
  return gelu_with_tail(d, x, scale(d, hn::Mul(polynomial(d, r, C::kShortPower), tail), n));
}

}  // namespace bp_cpu::BP_ISA
