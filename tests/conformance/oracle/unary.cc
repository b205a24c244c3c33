// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "oracle/oracle.h"

namespace conformance {
namespace unary_specs {
namespace {

enum class Result { kSame, kBool };
using Formula = Real (*)(Real x, bp_dtype t);

template <Formula kFormula, Compute kCompute = Compute::kAsTheyAre, Result kResult = Result::kSame,
          bool kAnyZero = false>
Answer apply(const Call& call) {
  const bp_dtype own = call.in[0].array.dtype;
  const bp_dtype t = kCompute == Compute::kDefaultFloat ? default_float_of(own) : own;
  Array x = seen(call.in[0], t, call.in[0].array.shape);
  for (Real& v : x.re) v = kFormula(v, t);
  if (kResult == Result::kBool) x.dtype = BP_BOOL;
  return {{x, {}, kAnyZero}};
}

Real neg(Real x, bp_dtype t) { return is_integer(t) ? from_bits(0 - to_bits(x), t) : -x; }
Real absolute(Real x, bp_dtype t) {
  return is_integer(t) && x < 0 ? from_bits(0 - to_bits(x), t) : std::fabs(x);
}
Real sign(Real x, bp_dtype) { return (x > 0) - (x < 0); }
Real square(Real x, bp_dtype t) {
  return is_integer(t) ? from_bits(to_bits(x) * to_bits(x), t) : x * x;
}
Real relu(Real x, bp_dtype) { return std::isnan(x) || x > 0 ? x : 0; }

Real square_root(Real x, bp_dtype) { return std::sqrt(x); }
Real rsqrt(Real x, bp_dtype) { return 1 / std::sqrt(x); }
Real reciprocal(Real x, bp_dtype) { return 1 / x; }
Real exponential(Real x, bp_dtype) { return std::exp(x); }
Real expm1(Real x, bp_dtype) { return std::expm1(x); }
Real logarithm(Real x, bp_dtype) { return std::log(x); }
Real log1p(Real x, bp_dtype) { return std::log1p(x); }
Real sine(Real x, bp_dtype) { return std::sin(x); }
Real cosine(Real x, bp_dtype) { return std::cos(x); }
Real tangent(Real x, bp_dtype) { return std::tan(x); }
Real tanh(Real x, bp_dtype) { return std::tanh(x); }
Real erf(Real x, bp_dtype) { return std::erf(x); }
// Left of zero two terms cancel beside its zeros.
Answer lgamma(const Call& call) {
  const bp_dtype t = default_float_of(call.in[0].array.dtype);
  Array x = seen(call.in[0], t, call.in[0].array.shape);
  std::vector<Real> scale;
  for (Real& v : x.re) {
    const Real y = std::lgamma(v), beside = v < 0 ? std::lgamma(1 - v) : 0;
    const bool cancels = v < 0 && std::isfinite(y) && std::isfinite(beside);
    scale.push_back(cancels ? std::fmax(std::fabs(beside), std::fabs(y + beside)) : 0);
    v = y;
  }
  return {{x, scale, true}};
}
// By its recurrence and asymptotic series (Abramowitz and Stegun, 6.3.5 and 6.3.18), and by its
// reflection left of zero.
Real digamma_of(Real x) {
  const Real pi = std::acos(Real{-1});
  if (x == 0) return -1 / x;
  if (x < 0) {
    const Real r = x - std::nearbyint(x);
    return r == 0 ? static_cast<Real>(NAN) : digamma_of(1 - x) - pi / std::tan(pi * r);
  }
  Real below = 0;
  for (; x < 30; ++x) below += 1 / x;
  const Real z = 1 / (x * x);
  return std::log(x) - 1 / (2 * x) -
         z * (1 / 12.0L -
              z * (1 / 120.0L -
                   z * (1 / 252.0L - z * (1 / 240.0L - z * (1 / 132.0L - z * 691 / 32760.0L))))) -
         below;
}
// It cancels beside its zero.
Answer digamma(const Call& call) {
  const bp_dtype t = default_float_of(call.in[0].array.dtype);
  Array x = seen(call.in[0], t, call.in[0].array.shape);
  std::vector<Real> scale;
  for (Real& v : x.re) {
    const Real size = std::fabs(v), y = digamma_of(v);
    scale.push_back(std::isfinite(y) ? std::fmax(std::log(size + 10), 1 / size) : 0);
    v = y;
  }
  return {{x, scale, true}};
}
Real sigmoid(Real x, bp_dtype) { return 1 / (1 + std::exp(-x)); }
// -inf gives -inf * 0 = NaN in both, as the formulas say and PyTorch has it.
Real silu(Real x, bp_dtype) { return x / (1 + std::exp(-x)); }
Real gelu(Real x, bp_dtype) { return x * std::erfc(-x / std::sqrt(Real{2})) / 2; }

Real floor(Real x, bp_dtype) { return std::floor(x); }
Real ceil(Real x, bp_dtype) { return std::ceil(x); }
Real round(Real x, bp_dtype) { return std::nearbyint(x); }
Real trunc(Real x, bp_dtype) { return std::trunc(x); }

Real asin(Real x, bp_dtype) { return std::asin(x); }
Real acos(Real x, bp_dtype) { return std::acos(x); }
Real atan(Real x, bp_dtype) { return std::atan(x); }
Real sinh(Real x, bp_dtype) { return std::sinh(x); }
Real cosh(Real x, bp_dtype) { return std::cosh(x); }
Real asinh(Real x, bp_dtype) { return std::asinh(x); }
Real acosh(Real x, bp_dtype) { return std::acosh(x); }
Real atanh(Real x, bp_dtype) { return std::atanh(x); }
Real log2(Real x, bp_dtype) { return std::log2(x); }
Real log10(Real x, bp_dtype) { return std::log10(x); }
Real exp2(Real x, bp_dtype) { return std::exp2(x); }
Real isfinite(Real x, bp_dtype) { return std::isfinite(x); }
Real signbit(Real x, bp_dtype t) { return is_bool(t) ? 0 : std::signbit(x); }
Real bitwise_not(Real x, bp_dtype t) { return is_bool(t) ? x == 0 : from_bits(~to_bits(x), t); }

Real isnan(Real x, bp_dtype) { return std::isnan(x); }
Real isinf(Real x, bp_dtype) { return std::isinf(x); }
Real logical_not(Real x, bp_dtype) { return x == 0; }

constexpr uint32_t kNumbers = kInts | kFloats;
constexpr auto kFloat = Compute::kDefaultFloat;
constexpr auto kKeep = Compute::kAsTheyAre;

constexpr Spec kSpecs[] = {
    {"neg", Family::kUnary, kNumbers, apply<neg>},
    {"abs", Family::kUnary, kReals, apply<absolute>},
    {"sign", Family::kUnary, kReals, apply<sign, kKeep, Result::kSame, true>},
    {"sqrt", Family::kUnary, kReals, apply<square_root, kFloat>, kFloat},
    {"rsqrt", Family::kUnary, kReals, apply<rsqrt, kFloat>, kFloat},
    {"square", Family::kUnary, kNumbers, apply<square>},
    {"reciprocal", Family::kUnary, kReals, apply<reciprocal, kFloat>, kFloat},
    {"exp", Family::kUnary, kReals, apply<exponential, kFloat>, kFloat},
    {"expm1", Family::kUnary, kReals, apply<expm1, kFloat>, kFloat},
    {"log", Family::kUnary, kReals, apply<logarithm, kFloat>, kFloat},
    {"log1p", Family::kUnary, kReals, apply<log1p, kFloat>, kFloat},
    {"sin", Family::kUnary, kReals, apply<sine, kFloat>, kFloat},
    {"cos", Family::kUnary, kReals, apply<cosine, kFloat>, kFloat},
    {"tan", Family::kUnary, kReals, apply<tangent, kFloat>, kFloat},
    {"tanh", Family::kUnary, kReals, apply<tanh, kFloat>, kFloat},
    {"lgamma", Family::kUnary, kReals, lgamma, kFloat},
    {"digamma", Family::kUnary, kReals, digamma, kFloat},
    {"sigmoid", Family::kUnary, kReals, apply<sigmoid, kFloat>, kFloat},
    {"relu", Family::kUnary, kNumbers, apply<relu, kKeep, Result::kSame, true>},
    {"gelu", Family::kUnary, kReals, apply<gelu, kFloat>, kFloat},
    {"silu", Family::kUnary, kReals, apply<silu, kFloat>, kFloat},
    {"erf", Family::kUnary, kReals, apply<erf, kFloat>, kFloat},
    {"floor", Family::kUnary, kNumbers, apply<floor>},
    {"ceil", Family::kUnary, kNumbers, apply<ceil>},
    {"round", Family::kUnary, kNumbers, apply<round>},
    {"trunc", Family::kUnary, kNumbers, apply<trunc>},
    {"isnan", Family::kUnary, kReals, apply<isnan, kKeep, Result::kBool>},
    {"isinf", Family::kUnary, kReals, apply<isinf, kKeep, Result::kBool>},
    {"asin", Family::kUnary, kReals, apply<asin, kFloat>, kFloat},
    {"acos", Family::kUnary, kReals, apply<acos, kFloat>, kFloat},
    {"atan", Family::kUnary, kReals, apply<atan, kFloat>, kFloat},
    {"sinh", Family::kUnary, kReals, apply<sinh, kFloat>, kFloat},
    {"cosh", Family::kUnary, kReals, apply<cosh, kFloat>, kFloat},
    {"asinh", Family::kUnary, kReals, apply<asinh, kFloat>, kFloat},
    {"acosh", Family::kUnary, kReals, apply<acosh, kFloat>, kFloat},
    {"atanh", Family::kUnary, kReals, apply<atanh, kFloat>, kFloat},
    {"log2", Family::kUnary, kReals, apply<log2, kFloat>, kFloat},
    {"log10", Family::kUnary, kReals, apply<log10, kFloat>, kFloat},
    {"exp2", Family::kUnary, kReals, apply<exp2, kFloat>, kFloat},
    {"isfinite", Family::kUnary, kReals, apply<isfinite, kKeep, Result::kBool>},
    {"signbit", Family::kUnary, kReals, apply<signbit, kKeep, Result::kBool>},
    {"bitwise_not", Family::kUnary, kBools | kInts, apply<bitwise_not>},
    {"logical_not", Family::kUnary, kReals, apply<logical_not, kKeep, Result::kBool>},
};

}  // namespace
}  // namespace unary_specs

std::span<const Spec> unary_oracles() { return unary_specs::kSpecs; }

}  // namespace conformance
