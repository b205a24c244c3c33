// SPDX-License-Identifier: Apache-2.0
// pow.cc: a to the power of b. For floats it is e^(b log a), with the logarithm in f64 for f32 and
// in two f64 for f64, because an error of log a is multiplied by up to 745. For integers it is
// repeated squaring, which wraps.
#include <math.h>

#include "device/registry.h"
#include "kernels/dense.h"
#include "kernels/math/logarithm.h"
#include "kernels/math/vector.h"

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

#if HWY_NATIVE_FMA
// Computes f32 in lanes of f64.
struct PowF32 {
  template <class D, class V>
  static HWY_INLINE V of(D d, V a, V b) {
    const V y = exp(d, hn::Mul(b, log(d, hn::Abs(a))));
    return with_sign(d, a, b, y);
  }
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V a, V b) {
    return PowF64::bad(d, a, b);
  }
  static double scalar(double a, double b) { return lib_pow(a, b); }
};
template <bool kOneA, bool kOneB>
void pow_f32(void* out, const void* const* in, int64_t n) {
  float* y = static_cast<float*>(out);
  const float* a = static_cast<const float*>(in[0]);
  const float* b = static_cast<const float*>(in[1]);
  const float first = a[0], second = b[0];
  const Tag<double> d;
  const hn::Rebind<float, Tag<double>> narrow;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  HWY_ALIGN float left[kMaxLanes<double>], right[kMaxLanes<double>];
  hn::Store(hn::Set(narrow, first), narrow, left);
  hn::Store(hn::Set(narrow, second), narrow, right);
  for (int64_t i = 0; i < n; i += lanes) {
    const int64_t m = n - i < lanes ? n - i : lanes;
    if constexpr (!kOneA) std::memcpy(left, a + i, static_cast<size_t>(m) * sizeof(float));
    if constexpr (!kOneB) std::memcpy(right, b + i, static_cast<size_t>(m) * sizeof(float));
    const auto va = hn::PromoteTo(d, hn::Load(narrow, left)),
               vb = hn::PromoteTo(d, hn::Load(narrow, right));
    HWY_ALIGN float result[kMaxLanes<double>];
    hn::Store(hn::DemoteTo(narrow, call_binary<PowF32>(d, va, vb)), narrow, result);
    std::memcpy(y + i, result, static_cast<size_t>(m) * sizeof(float));
  }
}
#else
struct PowF32 {
  static float of(float a, float b) { return lib_pow(a, b); }
};
template <bool kOneA, bool kOneB>
constexpr Loop pow_f32 = binary_loop<PowF32, float, float, kOneA, kOneB>;
#endif

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

constexpr int64_t kGrain = 4096;
constexpr Table table() {
  Table t{};
  add_integers<Integers::Make>(t);
  t.by_dtype[BP_F32] = {
      .dense = {pow_f32<false, false>, pow_f32<true, false>, pow_f32<false, true>},
      .grain = kGrain};
  t.by_dtype[BP_F64] = {
      .dense = {binary_math<PowF64, double, false, false>, binary_math<PowF64, double, true, false>,
                binary_math<PowF64, double, false, true>},
      .grain = kGrain};
  add_halves(t, /*result=*/true);
  return t;
}
constexpr Table kTable = table();

// One operation for the exponents that programs often write; special cases are exact too.
template <class T, int kPower>
void fixed_power(void* out, const void* const* in, int64_t n) {
  T* y = static_cast<T*>(out);
  const T* x = static_cast<const T*>(in[0]);
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) y[i] = kPower == 2 ? x[i] * x[i] : kPower == 1 ? x[i] : 1 / x[i];
}
template <class T>
Loop fixed_loop(double power) {
  return power == 2    ? fixed_power<T, 2>
         : power == 1  ? fixed_power<T, 1>
         : power == -1 ? fixed_power<T, -1>
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
