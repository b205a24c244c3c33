// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "oracle/dense.h"
#include "oracle/oracle.h"
#include "promote.h"

namespace conformance {
namespace activation_specs {
namespace {

using Formula = Real (*)(Real x, const Call& call);

template <Formula kFormula, bool kAnyZero = false, bool kScaledByX = false>
Answer apply(const Call& call) {
  const bp_dtype t = default_float_of(call.in[0].array.dtype);
  Array x = seen(call.in[0], t, call.in[0].array.shape);
  std::vector<Real> scale;
  for (Real& v : x.re) {
    if (kScaledByX) scale.push_back(std::isfinite(v) ? std::fabs(v) : 0);
    v = kFormula(v, call);
  }
  return {{x, scale, kAnyZero}};
}

Real softplus(Real x, const Call& call) {
  const Real beta = static_cast<Real>(call.f64("beta", 1)), z = beta * x;
  if (z > static_cast<Real>(call.f64("threshold", 20))) return x;
  return std::log1p(std::exp(z)) / beta;
}
Real elu(Real x, const Call& call) {
  return x > 0 ? x : static_cast<Real>(call.f64("alpha", 1)) * std::expm1(x);
}
Real leaky_relu(Real x, const Call& call) {
  return x > 0 ? x : static_cast<Real>(call.f64("negative_slope", 0.01)) * x;
}
Real ramp(Real x) { return std::isnan(x) ? x : std::clamp<Real>(x + 3, 0, 6) / 6; }
Real hardsigmoid(Real x, const Call&) { return ramp(x); }
Real hardswish(Real x, const Call&) { return x * ramp(x); }
// tanh(log(1 + e)) without the cancellation that small e would bring. -inf gives -inf * 0 = NaN, as
// PyTorch.
Real mish(Real x, const Call&) {
  const Real e = std::exp(std::fmin(x, Real{200}));
  return std::isnan(x) ? x : x * (e * (e + 2) / (e * (e + 2) + 2));
}
Real gelu_tanh(Real x, const Call&) {
  const Real root = std::sqrt(2 / std::acos(Real{-1}));
  return x * (1 + std::tanh(root * (x + 0.044715L * x * x * x))) / 2;
}

Real between(Real x, Real low, Real high) {
  if (std::isnan(x) || std::isnan(low) || std::isnan(high)) return NAN;
  return std::fmin(std::fmax(x, low), high);
}
template <bool kRelu6>
Answer hard_bounds(const Call& call) {
  Array x = call.in[0].array;
  const bool no_negatives = is_integer(x.dtype) && !is_signed_integer(x.dtype);
  const Real asked = kRelu6 ? 0 : static_cast<Real>(call.f64("min_val", -1));
  const Real low = no_negatives ? std::fmax(asked, Real{0}) : asked;
  const Real high = kRelu6 ? 6 : static_cast<Real>(call.f64("max_val", 1));
  for (Real& v : x.re) v = between(v, low, high);
  return {{x, {}, true}};
}

Answer nan_to_num(const Call& call) {
  Array x = call.in[0].array;
  if (!is_float(x.dtype)) return {{x}};
  const Real most = max_of(x.dtype);
  for (Real& v : x.re) {
    if (std::isnan(v))
      v = static_cast<Real>(call.f64("nan", 0));
    else if (std::isinf(v) && v > 0)
      v = static_cast<Real>(call.f64("posinf", static_cast<double>(most)));
    else if (std::isinf(v))
      v = static_cast<Real>(call.f64("neginf", static_cast<double>(-most)));
  }
  return {{x}};
}

Answer clip(const Call& call) {
  const bp_dtype t = result_type(call.in);
  const Shape shape = broadcast_shape(call.in);
  Array x = seen_in_arithmetic(call.in[0], t, shape);
  const Real inf = INFINITY;
  auto bound = [&](const Operand& o, Real absent) {
    return o.is_none() ? std::vector<Real>(x.size(), absent) : seen_in_arithmetic(o, t, shape).re;
  };
  const std::vector<Real> low = bound(call.in[1], -inf), high = bound(call.in[2], inf);
  for (size_t i = 0; i < x.size(); ++i) x.re[i] = between(x.re[i], low[i], high[i]);
  return {{x, {}, true}};
}

Answer lerp(const Call& call) {
  const bp_dtype t = default_float_of(result_type(call.in));
  const Shape shape = broadcast_shape(call.in);
  Array start = seen_in_arithmetic(call.in[0], t, shape);
  const Array end = seen_in_arithmetic(call.in[1], t, shape),
              weight = seen_in_arithmetic(call.in[2], t, shape);
  std::vector<Real> scale;
  for (size_t i = 0; i < start.size(); ++i) {
    const Real a = start.re[i], b = end.re[i], w = weight.re[i];
    start.re[i] = a + w * (b - a);
    scale.push_back((std::fabs(a) + std::fabs(b)) * std::fmax(1, std::fabs(w)));
  }
  return {{start, scale, true}};
}

// x + value * a * b, or x + value * a / b
template <bool kQuotient>
Answer with_term(const Call& call) {
  bp_dtype t = result_type(call.in);
  if (kQuotient) t = default_float_of(t);
  const Shape shape = broadcast_shape(call.in);
  Array x = seen_in_arithmetic(call.in[0], t, shape);
  const Array a = seen_in_arithmetic(call.in[1], t, shape),
              b = seen_in_arithmetic(call.in[2], t, shape);
  const double value = call.f64("value", 1);
  if (is_integer(t)) {
    const auto factor = static_cast<uint64_t>(static_cast<int64_t>(value));
    for (size_t i = 0; i < x.size(); ++i)
      x.re[i] = from_bits(to_bits(x.re[i]) + factor * to_bits(a.re[i]) * to_bits(b.re[i]), t);
    return {{x}};
  }
  std::vector<Real> scale;
  for (size_t i = 0; i < x.size(); ++i) {
    const Complex first = element(x, i);
    Complex term;
    if (is_complex(t))
      term = static_cast<Real>(value) *
             (kQuotient ? element(a, i) / element(b, i) : element(a, i) * element(b, i));
    else
      term = value * (kQuotient ? a.re[i] / b.re[i] : a.re[i] * b.re[i]);
    x.re[i] = first.real() + term.real();
    if (is_complex(t)) x.im[i] = first.imag() + term.imag();
    scale.push_back(std::abs(first) + std::abs(term));
  }
  return {{x, scale, true}};
}

constexpr uint32_t kNumbers = kInts | kFloats;
constexpr auto kFloat = Compute::kDefaultFloat;

constexpr Spec kSpecs[] = {
    {"softplus", Family::kUnary, kReals, apply<softplus>, kFloat},
    {"elu", Family::kUnary, kReals, apply<elu>, kFloat},
    {"leaky_relu", Family::kUnary, kReals, apply<leaky_relu>, kFloat},
    {"hardswish", Family::kUnary, kReals, apply<hardswish>, kFloat},
    {"hardsigmoid", Family::kUnary, kReals, apply<hardsigmoid>, kFloat},
    {"mish", Family::kUnary, kReals, apply<mish>, kFloat},
    {"gelu_tanh", Family::kUnary, kReals, apply<gelu_tanh, true, true>, kFloat},
    {"hardtanh", Family::kUnary, kNumbers, hard_bounds<false>},
    {"relu6", Family::kUnary, kNumbers, hard_bounds<true>},
    {"nan_to_num", Family::kUnary, kReals, nan_to_num},
    {"clip", Family::kBounds, kNumbers, clip},
    {"lerp", Family::kBounds, kReals, lerp, kFloat},
    {"addcmul", Family::kBounds, kNumbers | kComplexes, with_term<false>},
    {"addcdiv", Family::kBounds, kArithmetic, with_term<true>, kFloat},
};

}  // namespace
}  // namespace activation_specs

std::span<const Spec> activation_oracles() { return activation_specs::kSpecs; }

}  // namespace conformance
