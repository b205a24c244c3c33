// SPDX-License-Identifier: Apache-2.0
// activation.cc: the rows of activation functions that have parameters or that only networks use,
// and of functions that bound, replace or mix values. Kernels see attributes as numbers.
#include <cmath>
#include <numbers>

#include "core/ops/elementwise/attributes.h"
#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

void hardtanh_rule(Inference& f) {
  rule::arithmetic(f);
  const double low = f.f64(kHardtanhAttrs["min_val"]), high = f.f64(kHardtanhAttrs["max_val"]);
  if (!(low <= high))
    fail(BP_INVALID_ARGUMENT, "hardtanh: min_val cannot be greater than max_val, got {} and {}",
         low, high);
}
void clip_rule(Inference& f) {
  rule::arithmetic(f);
  if (f.in[1].is_none && f.in[2].is_none)
    fail(BP_INVALID_ARGUMENT, "clip: At least one of 'min' or 'max' must not be None");
}

// Returns v as a number of x's kind, so that promotion leaves x's dtype alone.
bp_value bound(const Tensor& x, double v) {
  if (is_floating(x.dtype)) return number(v);
  return number(static_cast<int64_t>(is_unsigned(x.dtype) && v < 0 ? 0 : v));
}

void hardtanh(Composer& c) {
  const bp_value low = bound(c.tensor(0), c.f64(kHardtanhAttrs["min_val"])),
                 high = bound(c.tensor(0), c.f64(kHardtanhAttrs["max_val"]));
  c.out[0] = invoke(BP_OP_CLIP, {c.in[0], low, high});
}
void relu6(Composer& c) {
  c.out[0] = invoke(BP_OP_CLIP, {c.in[0], bound(c.tensor(0), 0), bound(c.tensor(0), 6)});
}
// Runs where a bound is missing or the backend has no kernel.
void clip(Composer& c) {
  Value x = c.in[0];
  if (c.in[1].kind != BP_VALUE_NONE) x = larger(x, c.in[1]);
  if (c.in[2].kind != BP_VALUE_NONE) x = smaller(x, c.in[2]);
  c.out[0] = x.kept;
}

constexpr AttrSpecs kNanToNumAttrs{float_attr("nan", 0), float_attr("posinf", NAN),
                                   float_attr("neginf", NAN)};
void nan_to_num(Composer& c) {
  Tensor& x = c.tensor(0);
  if (!is_floating(x.dtype)) {
    c.out[0] = clone(x);
    return;
  }
  const double largest = float_format(x.dtype).largest;
  const double high = c.f64(kNanToNumAttrs["posinf"]), low = c.f64(kNanToNumAttrs["neginf"]);
  Ref<Tensor> t = where(is_nan(c.in[0]), c.f64(kNanToNumAttrs["nan"]), c.in[0]);
  t = where(equal(c.in[0], HUGE_VAL), std::isnan(high) ? largest : high, t);
  c.out[0] = where(equal(c.in[0], -HUGE_VAL), std::isnan(low) ? -largest : low, t);
}

void softplus(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0);
  const double beta = c.f64(kSoftplusAttrs["beta"]);
  const Ref<Tensor> z = beta == 1 ? x : mul(x, beta);
  const Ref<Tensor> y = add(larger(z, 0), log1p(exponential(negative(absolute(z)))));
  c.out[0] = where(greater(z, c.f64(kSoftplusAttrs["threshold"])), x, div(y, beta));
}
void elu(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0);
  c.out[0] = where(greater(x, 0), x, mul(expm1(x), c.f64(kEluAttrs["alpha"])));
}
void leaky_relu(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0);
  c.out[0] = where(greater(x, 0), x, mul(x, c.f64(kLeakyReluAttrs["negative_slope"])));
}
Ref<Tensor> ramp(const Ref<Tensor>& x) { return div(smaller(larger(add(x, 3), 0), 6), 6); }
void hardsigmoid(Composer& c) { c.out[0] = ramp(real_operand(c, 0)); }
void hardswish(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0);
  c.out[0] = mul(x, ramp(x));
}
// tanh(log(1 + e)) is n / (n + 2) with n = e (e + 2).
void mish(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0), e = exponential(smaller(x, 20));
  const Ref<Tensor> n = mul(e, add(e, 2)), y = mul(x, div(n, add(n, 2)));
  c.out[0] = where(less(x, -80), times_exponential(x), y);
}
// (1 + tanh(u)) / 2 is the sigmoid of 2 u.
void gelu_tanh(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0);
  const Ref<Tensor> twice = mul(mul(x, add(mul(mul(x, x), 0.044715), 1)),
                                2 * std::numbers::sqrt2 * std::numbers::inv_sqrtpi);
  c.out[0] = mul(x, logistic(twice));
}
void lerp(Composer& c) {
  const Ref<Tensor> start = real_operand(c, 0), end = real_operand(c, 1),
                    weight = real_operand(c, 2), range = sub(end, start);
  c.out[0] = where(less(absolute(weight), 0.5), add(start, mul(weight, range)),
                   sub(end, mul(range, sub(1, weight))));
}
// Adds value times a term to the first operand.
void with_term(Composer& c, Ref<Tensor> term) {
  const double value = c.f64(kTermAttrs["value"]);
  if (value != 1) term = mul(term, factor_for(c.row, term->dtype, value));
  c.out[0] = add(operand(c, 0), term);
}
void addcmul(Composer& c) { with_term(c, mul(operand(c, 1), operand(c, 2))); }
void addcdiv(Composer& c) { with_term(c, div(operand(c, 1), operand(c, 2))); }

// clang-format off
constexpr OpRow kActivationRows[] = {
    {.id = 132, .name = "softplus", .inputs = kX, .attrs = kSoftplusAttrs,
     .dtype = rule::floating, .shape = rule::broadcast, .compose = softplus, .grad = {"SoftplusBackward0", softplus_back, kIn0}, .max_ulp = 4,
     .doc = "log(1 + exp(beta * x)) / beta; x itself where beta * x is above threshold."},
    {.id = 133, .name = "elu", .inputs = kX, .attrs = kEluAttrs, .dtype = rule::floating,
     .shape = rule::broadcast, .compose = elu, .grad = {"EluBackward0", elu_back, kIn0 | kOut0}, .max_ulp = 3,
     .doc = "x where x > 0, else alpha * (exp(x) - 1)."},
    {.id = 134, .name = "leaky_relu", .inputs = kX, .attrs = kLeakyReluAttrs,
     .dtype = rule::floating, .shape = rule::broadcast, .compose = leaky_relu, .grad = {"LeakyReluBackward0", leaky_relu_back, kIn0}, .max_ulp = 1,
     .doc = "x where x > 0, else negative_slope * x."},
    {.id = 135, .name = "hardswish", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = hardswish,
     .grad = {"HardswishBackward0", hardswish_back, kIn0}, .max_ulp = 3,
     .doc = "x * min(max(x + 3, 0), 6) / 6."},
    {.id = 136, .name = "hardsigmoid", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = hardsigmoid,
     .grad = {"HardsigmoidBackward0", hardsigmoid_back, kIn0}, .max_ulp = 3,
     .doc = "min(max(x + 3, 0), 6) / 6."},
    {.id = 137, .name = "mish", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = mish,
     .grad = {"MishBackward0", mish_back, kIn0}, .max_ulp = 6,
     .doc = "x * tanh(softplus(x))."},
    {.id = 138, .name = "gelu_tanh", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = gelu_tanh,
     .grad = {"GeluBackward0", gelu_tanh_back, kIn0}, .max_ulp = 8,
     .doc = "x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2: gelu with approximate='tanh'. The bound is relative "
            "to x where x is negative."},
    {.id = 139, .name = "hardtanh", .inputs = kX, .attrs = kHardtanhAttrs,
     .dtype = hardtanh_rule, .shape = rule::broadcast, .compose = hardtanh,
     .grad = {"HardtanhBackward0", hardtanh_back, kIn0}, .doc = "x kept within min_val and max_val; NaN stays NaN."},
    {.id = 140, .name = "relu6", .inputs = kX, .dtype = rule::arithmetic, .shape = rule::broadcast, .compose = relu6,
     .grad = {"HardtanhBackward0", relu6_back, kIn0}, .doc = "min(max(x, 0), 6); NaN stays NaN."},
    {.id = 141, .name = "nan_to_num", .inputs = kX,
     .attrs = kNanToNumAttrs, .dtype = rule::ordered,
     .shape = rule::broadcast, .compose = nan_to_num,
     .doc = "x with NaN, inf and -inf replaced: by nan, posinf (none: the dtype's largest) and neginf (none: its lowest). "
            "Integers as they are."},
    {.id = 142, .name = "clip",
     .inputs = {{{"x"}, {"min", Role::kValue, true}, {"max", Role::kValue, true}}}, .dtype = clip_rule,
     .shape = rule::broadcast, .compose = clip,
     .grad = {"ClampBackward1", clip_back, kIn0 | kIn1 | kIn2},
     .doc = "min(max(x, min), max), bounds broadcast; max where min > max; NaN where an operand is. PyTorch's clamp."},
    {.id = 143, .name = "lerp", .inputs = {{{"start"}, {"end"}, {"weight"}}}, .dtype = rule::floating,
     .shape = rule::broadcast, .compose = lerp, .grad = {"LerpBackward0", lerp_back, kIn0 | kIn1 | kIn2}, .flags = kScalarForm, .max_ulp = 4,
     .doc = "start + weight * (end - start), computed from the nearer end. The bound is relative to the largest term."},
    {.id = 146, .name = "addcmul", .inputs = {{{"x"}, {"a"}, {"b"}}}, .attrs = kTermAttrs, .dtype = rule::arithmetic,
     .shape = rule::broadcast, .compose = addcmul, .grad = {"AddcmulBackward0", addcmul_back, kIn1 | kIn2},
     .flags = kScalarForm | kComplexToo, .max_ulp = 2,
     .doc = "x + value * a * b. Integers wrap, and take the whole part of value. The bound is relative to the largest term."},
    {.id = 147, .name = "addcdiv", .inputs = {{{"x"}, {"a"}, {"b"}}}, .attrs = kTermAttrs, .dtype = rule::floating,
     .shape = rule::broadcast, .compose = addcdiv, .grad = {"AddcdivBackward0", addcdiv_back, kIn1 | kIn2},
     .flags = kScalarForm | kComplexToo, .max_ulp = 3,
     .doc = "x + value * a / b; integers give the default float dtype. The bound is relative to the largest term."},
};
// clang-format on
}  // namespace

std::span<const OpRow> activation_rows() { return kActivationRows; }

}  // namespace bp::ops
