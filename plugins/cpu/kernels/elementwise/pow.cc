// SPDX-License-Identifier: Apache-2.0
// pow.cc: a to the power of b. For floats it is the exponential of b log a, with the logarithm in
// f64 for f32 and in two f64 for f64, because an error of log a is multiplied by up to 745. For
// integers it is repeated squaring, which wraps.
#include <math.h>

#include "device/registry.h"
#include "kernels/dense.h"
#include "math/logarithm.h"
#include "math/vector.h"

namespace bp_cpu::BP_ISA {
namespace {

[[maybe_unused]] inline float lib_pow(float a, float b) { return powf(a, b); }
[[maybe_unused]] inline double lib_pow(double a, double b) { return ::pow(a, b); }

// The number high + low, where |low| is at most half a unit of high.
template <class V>
struct Pair {
  V high, low;
};
template <class V>
HWY_INLINE Pair<V> product(V a, V b) {
  const V high = hn::Mul(a, b);
  return {high, hn::MulSub(a, b, high)};
}
// high + low = a + b. Needs |a| >= |b| or a = 0.
template <class V>
HWY_INLINE Pair<V> quick_sum(V a, V b) {
  const V high = hn::Add(a, b);
  return {high, hn::Sub(b, hn::Sub(high, a))};
}
template <class V>
HWY_INLINE Pair<V> times(Pair<V> a, Pair<V> b) {
  const auto [high, low] = product(a.high, b.high);
  return {high, hn::Add(low, hn::MulAdd(a.high, b.low, hn::Mul(a.low, b.high)))};
}

// log x of a positive normal f64, to about 2^-66 of its size.
template <class D, class V>
HWY_INLINE Pair<V> log_pair(D d, V x) {
  // 2/3 in two parts, and what follows it in the series for (log m - 2 s) / s^3.
  constexpr double kTwoThirdsHigh = 0.66666666666666662966,
                   kTwoThirdsLow = 3.7007434154171884681e-17;
  constexpr double kRest[] = {0.4000000000000003,  0.28571428571337459, 0.22222222271577444,
                              0.18181808170068739, 0.15385580435394985, 0.13285770192868424,
                              0.12915929658165393};
  constexpr double kLn2High = 0.693147180559890330187045, kLn2Low = 5.497923018708371174712472e-14;
  const auto [k, f] = split_exponent(d, x);
  const V two = hn::Set(d, 2.0);
  const auto denominator = quick_sum(two, f);
  const V s_high = hn::Div(f, denominator.high);
  const V left = hn::NegMulAdd(s_high, denominator.low, hn::NegMulAdd(s_high, denominator.high, f));
  const Pair<V> s{s_high, hn::Div(left, denominator.high)};
  const auto z = times(s, s);
  auto series =
      quick_sum(hn::Set(d, kTwoThirdsHigh), hn::Mul(z.high, polynomial(d, z.high, kRest)));
  series.low = hn::Add(series.low, hn::Set(d, kTwoThirdsLow));
  const auto t = times(times(s, z), series);
  const auto log_m = quick_sum(hn::Mul(two, s.high), t.high);
  const V low = hn::Add(log_m.low, hn::MulAdd(two, s.low, t.low));
  // k ln 2 is exact in its high part, and larger than log m unless k is 0.
  const auto sum = quick_sum(hn::Mul(k, hn::Set(d, kLn2High)), log_m.high);
  return quick_sum(sum.high, hn::Add(sum.low, hn::MulAdd(k, hn::Set(d, kLn2Low), low)));
}

// Gives y the sign that an integral b calls for, or NaN for a negative a and another b.
template <class D, class V>
HWY_INLINE V with_sign(D d, V a, V b, V y) {
  const auto negative = hn::Lt(a, hn::Zero(d));
  const auto integral = hn::Eq(hn::Round(b), b);
  const V half = hn::Mul(b, hn::Set(d, 0.5));
  const auto odd = hn::And(integral, hn::Ne(hn::Round(half), half));
  y = hn::IfThenElse(hn::And(negative, odd), hn::Neg(y), y);
  return hn::IfThenElse(hn::AndNot(integral, negative), hn::Set(d, static_cast<double>(NAN)), y);
}

// x is clamped to keep exp's reduction in range; beyond the bounds e^x is infinite or 0 anyway.
template <class D, class V>
HWY_INLINE V exp_pair(D d, Pair<V> x) {
  using C = ExpConstants<double>;
  const V high = clamp(d, x.high, C::kSmallest, C::kLargest);
  const V low = hn::IfThenElseZero(hn::Eq(high, x.high), x.low);
  const auto [n, r] = reduce_exp(d, high);
  return scale(d, hn::Add(exp_minus_one(d, hn::Add(r, low)), hn::Set(d, 1.0)), n);
}

struct PowF64 {
  template <class D, class V>
  static HWY_INLINE V of(D d, V a, V b) {
    const auto log_a = log_pair(d, hn::Abs(a));
    const auto high = product(b, log_a.high);
    return with_sign(d, a, b, exp_pair(d, Pair<V>{high.high, hn::MulAdd(b, log_a.low, high.low)}));
  }
  // The library has C's table of special cases for zeros, subnormals, infinities and NaN.
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V a, V b) {
    const V x = hn::Abs(a), inf = hn::Set(d, static_cast<double>(INFINITY));
    const auto fine = hn::And(
        hn::And(hn::Ge(x, hn::Set(d, LogConstants<double>::kSmallestNormal)), hn::Lt(x, inf)),
        hn::Lt(hn::Abs(b), inf));
    return hn::Not(fine);
  }
  static double scalar(double a, double b) { return lib_pow(a, b); }
};

// f32: the logarithm and the power to base 2 in lanes of f64, where the error of neither shows. C's
// special cases need nothing of their own but a logarithm of a that is 0, infinite or NaN.
struct PowF32 {
#if HWY_NATIVE_FMA  // Highway's scalar target has no halves of a vector
  // log2((1 + s) / (1 - s)) / s in powers of s^2, for |s| <= 3 - 2 sqrt 2; 2^f for |f| <= 1/2. Of
  // relative error 2^-45 and 2^-28.
  static constexpr double kLog2[] = {2.885390081777851,  0.9617966941124546,  0.577077942622312,
                                     0.4122092278951527, 0.31990661919430297, 0.28288821000352576};
  static constexpr double kExp2[] = {1.0,
                                     0.693147206702834,
                                     0.24022650922284547,
                                     0.05550327226668563,
                                     0.009618056679027834,
                                     0.0013400428177950461,
                                     0.00015461444551858103};

  // |a|^b for log2 |a| = k + log2(1 + f), given 1 / (2 + f) to the precision of f32.
  template <class D, class V>
  static HWY_INLINE V power(D d, V k, V f, V inverse, V b) {
    const V s0 = hn::Mul(f, inverse);
    const V s = hn::MulAdd(inverse, hn::NegMulAdd(s0, hn::Add(f, hn::Set(d, 2.0)), f), s0);
    const V log2_a = hn::MulAdd(s, polynomial(d, hn::Mul(s, s), kLog2), k);
    // b = 0 and |a| = 1 give 1 whatever the other is.
    const auto one = hn::Or(hn::Eq(b, hn::Zero(d)), hn::Eq(log2_a, hn::Zero(d)));
    // Beyond these bounds the power is infinite or 0 in f32.
    const V y = clamp(d, hn::IfThenZeroElse(one, hn::Mul(b, log2_a)), -200.0, 200.0);
    const V n = hn::Round(y);
    return hn::Mul(polynomial(d, hn::Sub(y, n), kExp2), power_of_two(d, n));
  }
  template <class D, class V>
  static HWY_INLINE V of(D d, V a, V b) {
    const V zero = hn::Zero(d), x = hn::Abs(a), inf = hn::Set(d, INFINITY);
    auto [k, f] = split_any(d, x);
    k = hn::IfThenElse(hn::Lt(x, inf), k, x);
    k = hn::IfThenElse(hn::Eq(x, zero), hn::Neg(inf), k);
    const V inverse = hn::Div(hn::Set(d, 1.0f), hn::Add(f, hn::Set(d, 2.0f)));
    const hn::Half<D> dh;
    const hn::RepartitionToWide<D> dd;
    const auto lower = power(
        dd, hn::PromoteTo(dd, hn::LowerHalf(dh, k)), hn::PromoteTo(dd, hn::LowerHalf(dh, f)),
        hn::PromoteTo(dd, hn::LowerHalf(dh, inverse)), hn::PromoteTo(dd, hn::LowerHalf(dh, b)));
    const auto upper = power(
        dd, hn::PromoteTo(dd, hn::UpperHalf(dh, k)), hn::PromoteTo(dd, hn::UpperHalf(dh, f)),
        hn::PromoteTo(dd, hn::UpperHalf(dh, inverse)), hn::PromoteTo(dd, hn::UpperHalf(dh, b)));
    const V y = hn::Combine(d, hn::DemoteTo(dh, upper), hn::DemoteTo(dh, lower));
    // An odd b keeps the sign of a; a finite negative a has no power that is not integral.
    const auto integral = hn::Eq(hn::Round(b), b);
    const V half = hn::Mul(b, hn::Set(d, 0.5f));
    const auto odd = hn::And(integral, hn::Ne(hn::Round(half), half));
    const V sign = hn::IfThenElseZero(odd, hn::And(a, hn::Set(d, -0.0f)));
    const auto none = hn::AndNot(integral, hn::And(hn::Lt(a, zero), hn::Lt(x, inf)));
    return hn::IfThenElse(none, hn::Set(d, NAN), hn::Xor(y, sign));
  }
#endif
  static float scalar(float a, float b) { return lib_pow(a, b); }
};

struct PowInteger {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_signed_v<T>) {
      if (b < 0) return a == 1 ? T{1} : a == -1 ? static_cast<T>(b % 2 == 0 ? 1 : -1) : T{0};
    }
    Wrapping<T> base = static_cast<Wrapping<T>>(a), y = 1;
    for (auto e = static_cast<std::make_unsigned_t<T>>(b); e;
         e = static_cast<decltype(e)>(e >> 1)) {
      if (e & 1) y *= base;
      base *= base;
    }
    return static_cast<T>(y);
  }
};
struct Integers {
  template <class T>
  struct Make {
    static constexpr Loops loops() { return binary_loops<PowInteger, T>(); }
  };
};

template <class F, class T>
constexpr Loops float_loops() {
  return {.dense = {binary_math<F, T, false, false>, binary_math<F, T, true, false>,
                    binary_math<F, T, false, true>},
          .grain = 4096};
}
constexpr Table table() {
  Table t{};
  add_integers<Integers::Make>(t);
  t.by_dtype[BP_F32] = float_loops<PowF32, float>();
  t.by_dtype[BP_F64] = float_loops<PowF64, double>();
  add_halves(t, /*result=*/true);
  return t;
}
constexpr Table kTable = table();

// The exponents that programs often write take an operation or two; special cases are those of pow.
struct FirstPower {
  template <class T>
  static T of(T x) {
    return x;
  }
};
struct Squared {
  template <class T>
  static T of(T x) {
    return x * x;
  }
};
struct Cubed {
  template <class T>
  static T of(T x) {
    return x * x * x;
  }
};
struct Inverse {
  template <class T>
  static T of(T x) {
    return 1 / x;
  }
};
// pow(-0, 1/2) is +0, and pow(-inf, 1/2) is inf.
struct Root {
  static float of(float x) { return x == -INFINITY ? INFINITY : sqrtf(x + 0.0f); }
  static double of(double x) {
    return x == -static_cast<double>(INFINITY) ? static_cast<double>(INFINITY) : ::sqrt(x + 0.0);
  }
};
template <class T>
Loop fixed_loop(double power) {
  return power == 2     ? unary_loop<Squared, T, T>
         : power == 3   ? unary_loop<Cubed, T, T>
         : power == 0.5 ? unary_loop<Root, T, T>
         : power == -1  ? unary_loop<Inverse, T, T>
         : power == 1   ? unary_loop<FirstPower, T, T>
                        : nullptr;
}

bp_status run_pow(const bp_launch* launch, bp_error**) {
  const bp_arg &a = launch->args[0], &b = launch->args[1];
  Loops loops = kTable.by_dtype[a.dtype];
  if (b.kind != BP_ARG_TENSOR && a.kind == BP_ARG_TENSOR && (kFloats & bit(a.dtype))) {
    const double power = b.kind == BP_ARG_SCALAR_F64 ? b.f64 : static_cast<double>(b.i64);
    if (const Loop loop =
            a.dtype == BP_F64 ? fixed_loop<double>(power) : fixed_loop<float>(power)) {
      loops.dense[2] = loop;
      loops.grain = Loops{}.grain;
    }
  }
  run_elementwise(*launch, loops);
  return BP_OK;
}

}  // namespace

void add_pow(Registry& r) { r.add(BP_OP_POW, kReals, run_pow); }

}  // namespace bp_cpu::BP_ISA
