// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "oracle/oracle.h"
#include "promote.h"

namespace conformance {
namespace binary_specs {
namespace {

using Formula = Real (*)(Real a, Real b, bp_dtype t);

struct Pair {
  bp_dtype t;
  Shape shape;
  Array a, b;
};

Pair operands(const Call& call, Compute compute, bool predicate) {
  bp_dtype t = result_type(call.in);
  if (compute == Compute::kDefaultFloat) t = default_float_of(t);
  const Shape shape = broadcast_shape(call.in);
  auto see = predicate ? seen : seen_in_arithmetic;
  return {t, shape, see(call.in[0], t, shape), see(call.in[1], t, shape)};
}

template <Formula kFormula, Compute kCompute = Compute::kAsTheyAre, bool kBoolResult = false,
          bool kAnyZero = false>
Answer apply(const Call& call) {
  Pair p = operands(call, kCompute, kBoolResult);
  for (size_t i = 0; i < p.a.size(); ++i) p.a.re[i] = kFormula(p.a.re[i], p.b.re[i], p.t);
  if (kBoolResult) p.a.dtype = BP_BOOL;
  return {{p.a, {}, kAnyZero}};
}

// Sums and products are rounded once: f64 in double, where long double would round twice; f16 and
// bf16 are documented to be computed in f32, which shows when a number of 24 bits meets them.
template <class F>
Real rounded_once(Real a, Real b, bp_dtype t, F f) {
  if (part_of(t) == BP_F64) return f(static_cast<double>(a), static_cast<double>(b));
  return is_narrow(t) ? static_cast<Real>(static_cast<float>(f(a, b))) : f(a, b);
}

Real add(Real a, Real b, bp_dtype t) {
  if (is_bool(t)) return a != 0 || b != 0;
  if (is_integer(t)) return from_bits(to_bits(a) + to_bits(b), t);
  return rounded_once(a, b, t, [](auto x, auto y) { return x + y; });
}
Real sub(Real a, Real b, bp_dtype t) {
  if (is_integer(t)) return from_bits(to_bits(a) - to_bits(b), t);
  return rounded_once(a, b, t, [](auto x, auto y) { return x - y; });
}
Real mul(Real a, Real b, bp_dtype t) {
  if (is_bool(t)) return a != 0 && b != 0;
  if (is_integer(t)) return from_bits(to_bits(a) * to_bits(b), t);
  return rounded_once(a, b, t, [](auto x, auto y) { return x * y; });
}
Real div(Real a, Real b, bp_dtype) { return a / b; }

Real floor_divide(Real a, Real b, bp_dtype t) {
  if (is_integer(t)) {
    if (b == 0) return 0;
    const auto x = static_cast<__int128_t>(a), y = static_cast<__int128_t>(b);
    __int128_t q = x / y;
    if (x % y != 0 && (x < 0) != (y < 0)) --q;
    return from_bits(static_cast<uint64_t>(q), t);
  }
  if (b == 0) return a / b;
  const Real rest = std::fmod(a, b);
  Real q = (a - rest) / b;
  if (rest != 0 && (rest < 0) != (b < 0)) q -= 1;
  return q == 0 ? std::copysign(Real{0}, a / b) : std::isfinite(q) ? std::nearbyint(q) : q;
}
Real remainder(Real a, Real b, bp_dtype t) {
  if (is_integer(t)) {
    if (b == 0) return 0;
    const auto x = static_cast<__int128_t>(a), y = static_cast<__int128_t>(b);
    __int128_t r = x % y;
    if (r != 0 && (r < 0) != (y < 0)) r += y;
    return static_cast<Real>(r);
  }
  Real r = std::fmod(a, b);
  if (r == 0) return std::copysign(r, b);  // Python's zero has the sign of b
  if (!std::isnan(r) && (r < 0) != (b < 0)) r += b;
  return r;
}
Real power(Real a, Real b, bp_dtype t) {
  if (!is_integer(t)) return std::pow(a, b);
  if (b < 0) return a == 1 ? 1 : a == -1 ? (to_bits(b) & 1 ? -1 : 1) : 0;
  uint64_t result = 1, base = to_bits(a);
  for (uint64_t e = to_bits(b); e != 0; e >>= 1, base *= base)
    if (e & 1) result *= base;
  return from_bits(result, t);
}

Real maximum(Real a, Real b, bp_dtype) {
  return std::isnan(a) ? a : std::isnan(b) || b > a ? b : a;
}
Real minimum(Real a, Real b, bp_dtype) {
  return std::isnan(a) ? a : std::isnan(b) || b < a ? b : a;
}

Real atan2(Real a, Real b, bp_dtype) { return std::atan2(a, b); }
Real hypot(Real a, Real b, bp_dtype) { return std::hypot(a, b); }
Real copysign(Real a, Real b, bp_dtype) { return std::copysign(a, b); }
Real fmod(Real a, Real b, bp_dtype t) {
  if (!is_integer(t)) return std::fmod(a, b);
  return b == 0 ? 0 : static_cast<Real>(static_cast<__int128_t>(a) % static_cast<__int128_t>(b));
}
Real logaddexp(Real a, Real b) {
  if (a == b) return a + std::log(Real{2});
  return std::fmax(a, b) + std::log1p(std::exp(-std::fabs(a - b)));
}
// The neighbour, by the spacing of the dtype at a.
Real nextafter(Real a, Real b, bp_dtype t) {
  if (std::isnan(a) || std::isnan(b)) return NAN;
  if (a == b) return b;
  if (a == 0) return std::copysign(smallest_subnormal(t), b);
  if (std::isinf(a)) return std::copysign(max_of(t), a);
  const Format f = format_of(t);
  int e = std::max(std::ilogb(a), f.emin);
  const bool towards_zero = (b < a) == (a > 0);
  if (towards_zero && std::fabs(a) == std::ldexp(Real{1}, e) && e > f.emin) --e;
  const Real step = std::ldexp(Real{1}, e - f.precision + 1);
  const Real next = std::fabs(a) + (towards_zero ? -step : step);
  return std::copysign(next > max_of(t) ? static_cast<Real>(INFINITY) : next, a);
}
Real left_shift(Real a, Real b, bp_dtype t) {
  const Real width = integer_bits(t);
  return b < 0 || b >= width ? 0 : from_bits(to_bits(a) << static_cast<int>(b), t);
}
Real right_shift(Real a, Real b, bp_dtype t) {
  const Real width = integer_bits(t);
  if (b < 0 || b >= width) return a < 0 ? -1 : 0;
  return std::floor(std::ldexp(a, -static_cast<int>(b)));
}

Real lt(Real a, Real b, bp_dtype) { return a < b; }
Real le(Real a, Real b, bp_dtype) { return a <= b; }
Real gt(Real a, Real b, bp_dtype) { return a > b; }
Real ge(Real a, Real b, bp_dtype) { return a >= b; }
Real logical_and(Real a, Real b, bp_dtype) { return a != 0 && b != 0; }
Real logical_or(Real a, Real b, bp_dtype) { return a != 0 || b != 0; }
Real logical_xor(Real a, Real b, bp_dtype) { return (a != 0) != (b != 0); }
Real bitwise_and(Real a, Real b, bp_dtype t) { return from_bits(to_bits(a) & to_bits(b), t); }
Real bitwise_or(Real a, Real b, bp_dtype t) { return from_bits(to_bits(a) | to_bits(b), t); }
Real bitwise_xor(Real a, Real b, bp_dtype t) { return from_bits(to_bits(a) ^ to_bits(b), t); }

Answer log_add_exp(const Call& call) {
  Pair p = operands(call, Compute::kDefaultFloat, /*predicate=*/false);
  std::vector<Real> scale;
  for (size_t i = 0; i < p.a.size(); ++i) {
    const Real a = p.a.re[i], b = p.b.re[i];
    scale.push_back(std::isfinite(a) && std::isfinite(b) ? std::fmax(std::fabs(a), std::fabs(b))
                                                         : 0);
    p.a.re[i] = std::isnan(a) || std::isnan(b) ? static_cast<Real>(NAN) : logaddexp(a, b);
  }
  return {{p.a, scale, true}};
}
// Both operands as the dtype holds them, numbers too.
Answer next_after(const Call& call) {
  const bp_dtype t = default_float_of(result_type(call.in));
  const Shape shape = broadcast_shape(call.in);
  Array a = seen(call.in[0], t, shape);
  const Array b = seen(call.in[1], t, shape);
  for (size_t i = 0; i < a.size(); ++i) a.re[i] = nextafter(a.re[i], b.re[i], t);
  return {{a}};
}

// From an eighth of the exactly represented integers on, the quotient is rounded before it is
// floored: the neighbour may come out, as in PyTorch.
Answer floor_quotient(const Call& call) {
  Answer answer = apply<floor_divide>(call);
  Expected& e = answer[0];
  if (!is_float(e.array.dtype)) return answer;
  const Real large = std::ldexp(Real{1}, format_of(e.array.dtype).precision - 3);
  for (Real q : e.array.re) e.tolerance.push_back(std::fabs(q) >= large ? 1 : 0);
  return answer;
}

// ---- the ops that also take complex operands ----

template <bool kWanted>
Answer equal(const Call& call) {
  Pair p = operands(call, Compute::kAsTheyAre, /*predicate=*/true);
  for (size_t i = 0; i < p.a.size(); ++i) {
    const bool same = p.a.re[i] == p.b.re[i] && (!is_complex(p.t) || p.a.im[i] == p.b.im[i]);
    p.a.re[i] = same == kWanted;
  }
  p.a.im.clear();
  p.a.dtype = BP_BOOL;
  return {{p.a}};
}

constexpr uint32_t kNumbers = kInts | kFloats, kBits = kBools | kInts;
constexpr auto kFloat = Compute::kDefaultFloat;
constexpr auto kKeep = Compute::kAsTheyAre;

constexpr Spec kSpecs[] = {
    {"add", Family::kBinary, kReals, apply<add>},
    {"sub", Family::kBinary, kNumbers, apply<sub>},
    {"mul", Family::kBinary, kReals, apply<mul>},
    {"div", Family::kBinary, kReals, apply<div, kFloat>, kFloat},
    {"floor_divide", Family::kBinary, kNumbers, floor_quotient},
    {"remainder", Family::kBinary, kNumbers, apply<remainder>},
    {"pow", Family::kBinary, kNumbers, apply<power>},
    {"maximum", Family::kBinary, kReals, apply<maximum, kKeep, false, true>},
    {"minimum", Family::kBinary, kReals, apply<minimum, kKeep, false, true>},
    {"eq", Family::kBinary, kArithmetic, equal<true>},
    {"ne", Family::kBinary, kArithmetic, equal<false>},
    {"lt", Family::kBinary, kReals, apply<lt, kKeep, true>},
    {"le", Family::kBinary, kReals, apply<le, kKeep, true>},
    {"gt", Family::kBinary, kReals, apply<gt, kKeep, true>},
    {"ge", Family::kBinary, kReals, apply<ge, kKeep, true>},
    {"logical_and", Family::kBinary, kReals, apply<logical_and, kKeep, true>},
    {"logical_or", Family::kBinary, kReals, apply<logical_or, kKeep, true>},
    {"logical_xor", Family::kBinary, kReals, apply<logical_xor, kKeep, true>},
    {"bitwise_and", Family::kBinary, kBits, apply<bitwise_and>},
    {"bitwise_or", Family::kBinary, kBits, apply<bitwise_or>},
    {"bitwise_xor", Family::kBinary, kBits, apply<bitwise_xor>},
    {"atan2", Family::kBinary, kReals, apply<atan2, kFloat>, kFloat},
    {"hypot", Family::kBinary, kReals, apply<hypot, kFloat>, kFloat},
    {"copysign", Family::kBinary, kReals, apply<copysign, kFloat>, kFloat},
    {"nextafter", Family::kBinary, kReals, next_after, kFloat},
    {"logaddexp", Family::kBinary, kReals, log_add_exp, kFloat},
    {"fmod", Family::kBinary, kNumbers, apply<fmod>},
    {"bitwise_left_shift", Family::kBinary, kInts, apply<left_shift>},
    {"bitwise_right_shift", Family::kBinary, kInts, apply<right_shift>},
};

}  // namespace
}  // namespace binary_specs

std::span<const Spec> binary_oracles() { return binary_specs::kSpecs; }

}  // namespace conformance
