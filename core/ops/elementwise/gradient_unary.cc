// SPDX-License-Identifier: Apache-2.0
// gradient_unary.cc: the gradient g of the result times the derivative, which is computed from the
// operand or from the result, whichever is shorter. The derivative of complex numbers is
// conjugated, as in PyTorch. The formulas stand in any table of derivatives.
#include <numbers>

#include "core/grad/autograd.h"
#include "core/ops/elementwise/attributes.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"

namespace bp::ops {
namespace {

constexpr double kLn2 = std::numbers::ln2, kLn10 = std::numbers::ln10,
                 kSqrtPi = 1.7724538509055160273;

Ref<Tensor> hyperbolic_tangent(const Value& x) { return invoke(BP_OP_TANH, {x}); }
Ref<Tensor> softened(const Value& x) {
  return invoke(BP_OP_SOFTPLUS, {x}, {float_value(1), float_value(20)});
}

// g * conj(d).
void times(GradCall& c, const Ref<Tensor>& d) { c.give(0, mul(c.grad(), conjugate(d))); }
void over(GradCall& c, const Ref<Tensor>& d) { c.give(0, div(c.grad(), conjugate(d))); }
// g where the condition holds, else 0.
void within(GradCall& c, const Ref<Tensor>& condition) {
  c.give(0, where(condition, c.grad(), zero_of(c.grad()->dtype)));
}

// g where low < x < high, and 0 at the bounds themselves.
void between(GradCall& c, double low, double high) {
  const Ref<Tensor> x = c.in(0);
  within(c, both(less(low, x), less(x, high)));
}

}  // namespace

void copy_back(GradCall& c) { c.give(0, c.grad()); }
void zero_back(GradCall& c) {
  for (size_t i = 0; i < c.node.operands.size(); ++i)
    if (c.wants(i)) c.give(i, zeros_like(c.grad()));
}

void neg_back(GradCall& c) { c.give(0, negative(c.grad())); }
void abs_back(GradCall& c) { c.give(0, mul(c.grad(), sign_of(c.in(0)))); }
// The sign of a complex number is x / |x|, which changes only as x turns.
void sign_back(GradCall& c) {
  if (!is_complex(c.operand(0).dtype)) return zero_back(c);
  const Ref<Tensor> x = c.in(0), y = c.result(), r = absolute(x);
  const Ref<Tensor> across = sub(c.grad(), mul(y, real_part(mul(c.grad(), conjugate(y)))));
  c.give(0, where(equal(r, 0), zero_of(x->dtype), div(across, r)));
}
void conj_back(GradCall& c) { c.give(0, conjugate(c.grad())); }
void complex_back(GradCall& c) {
  if (c.wants(0)) c.give(0, real_part(c.grad()));
  if (c.wants(1)) c.give(1, imaginary_part(c.grad()));
}
void polar_back(GradCall& c) {
  const Ref<Tensor> angle = c.in(1), turn = complex_from(cosine(angle), sine(angle));
  if (c.wants(0)) c.give(0, real_part(mul(c.grad(), conjugate(turn))));
  if (c.wants(1)) c.give(1, imaginary_part(mul(c.grad(), conjugate(c.result()))));
}
void sqrt_back(GradCall& c) { over(c, mul(c.result(), 2.0)); }
void rsqrt_back(GradCall& c) { times(c, mul(power(c.result(), 3), -0.5)); }
void square_back(GradCall& c) { times(c, mul(c.in(0), 2.0)); }
void reciprocal_back(GradCall& c) { times(c, negative(squared(c.result()))); }
void exp_back(GradCall& c) { times(c, c.result()); }
void exp2_back(GradCall& c) { times(c, mul(c.result(), kLn2)); }
void expm1_back(GradCall& c) { times(c, add(c.result(), 1.0)); }
void log_back(GradCall& c) { over(c, c.in(0)); }
void log1p_back(GradCall& c) { over(c, add(c.in(0), 1.0)); }
void log2_back(GradCall& c) { over(c, mul(c.in(0), kLn2)); }
void log10_back(GradCall& c) { over(c, mul(c.in(0), kLn10)); }
void sin_back(GradCall& c) { times(c, cosine(c.in(0))); }
void cos_back(GradCall& c) { times(c, negative(sine(c.in(0)))); }
void tan_back(GradCall& c) { times(c, add(squared(c.result()), 1.0)); }
void asin_back(GradCall& c) { times(c, inverse_root(sub(1.0, squared(c.in(0))))); }
void acos_back(GradCall& c) { times(c, negative(inverse_root(sub(1.0, squared(c.in(0)))))); }
void atan_back(GradCall& c) { over(c, add(squared(c.in(0)), 1.0)); }
void sinh_back(GradCall& c) { times(c, invoke(BP_OP_COSH, {c.in(0)})); }
void cosh_back(GradCall& c) { times(c, invoke(BP_OP_SINH, {c.in(0)})); }
void tanh_back(GradCall& c) { times(c, sub(1.0, squared(c.result()))); }
void asinh_back(GradCall& c) { times(c, inverse_root(add(squared(c.in(0)), 1.0))); }
void acosh_back(GradCall& c) {
  const Ref<Tensor> x = c.in(0);
  over(c, mul(root(sub(x, 1.0)), root(add(x, 1.0))));
}
void atanh_back(GradCall& c) { over(c, sub(1.0, squared(c.in(0)))); }
void sigmoid_back(GradCall& c) { times(c, mul(c.result(), sub(1.0, c.result()))); }
void erf_back(GradCall& c) { times(c, mul(exponential(negative(squared(c.in(0)))), 2 / kSqrtPi)); }

void relu_back(GradCall& c) { within(c, less(0.0, c.result())); }
void gelu_back(GradCall& c) {
  const Ref<Tensor> x = c.in(0);
  const Ref<Tensor> area = mul(add(invoke(BP_OP_ERF, {mul(x, std::numbers::sqrt2 / 2)}), 1.0), 0.5);
  const Ref<Tensor> bell =
      mul(exponential(mul(squared(x), -0.5)), 1 / (kSqrtPi * std::numbers::sqrt2));
  times(c, add(area, mul(x, bell)));
}
void gelu_tanh_back(GradCall& c) {
  const Ref<Tensor> x = c.in(0), x2 = squared(x);
  constexpr double kScale = std::numbers::sqrt2 / kSqrtPi, kCubic = 0.044715;
  const Ref<Tensor> t = hyperbolic_tangent(mul(mul(x, add(mul(x2, kCubic), 1.0)), kScale));
  const Ref<Tensor> slope = mul(add(mul(x2, 3 * kCubic), 1.0), kScale);
  times(c, add(mul(add(t, 1.0), 0.5), mul(mul(x, 0.5), mul(sub(1.0, squared(t)), slope))));
}
void silu_back(GradCall& c) {
  const Ref<Tensor> x = c.in(0), s = logistic(x);
  times(c, mul(s, add(mul(x, sub(1.0, s)), 1.0)));
}
void mish_back(GradCall& c) {
  const Ref<Tensor> x = c.in(0), t = hyperbolic_tangent(softened(x));
  times(c, add(t, mul(mul(x, logistic(x)), sub(1.0, squared(t)))));
}
void softplus_back(GradCall& c) {
  const Ref<Tensor> x = mul(c.in(0), c.f64(kSoftplusAttrs["beta"]));
  c.give(0,
         where(less(c.f64(kSoftplusAttrs["threshold"]), x), c.grad(), mul(c.grad(), logistic(x))));
}
void elu_back(GradCall& c) {
  c.give(0, where(less(0.0, c.in(0)), c.grad(),
                  mul(c.grad(), add(c.result(), c.f64(kEluAttrs["alpha"])))));
}
void leaky_relu_back(GradCall& c) {
  c.give(0, where(less(0.0, c.in(0)), c.grad(),
                  mul(c.grad(), c.f64(kLeakyReluAttrs["negative_slope"]))));
}
void hardsigmoid_back(GradCall& c) {
  within(c, less(absolute(c.in(0)), 3.0)), c.give(0, mul(c.out[0], 1.0 / 6));
}
void hardswish_back(GradCall& c) {
  const Ref<Tensor> x = c.in(0), middle = mul(c.grad(), add(mul(x, 1.0 / 3), 0.5));
  c.give(0, where(at_most(x, -3.0), zero_of(x->dtype), where(less(x, 3.0), middle, c.grad())));
}
void hardtanh_back(GradCall& c) {
  between(c, c.f64(kHardtanhAttrs["min_val"]), c.f64(kHardtanhAttrs["max_val"]));
}
void relu6_back(GradCall& c) { between(c, 0, 6); }

}  // namespace bp::ops
