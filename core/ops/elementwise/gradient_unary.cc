// gradient_unary.cc: g times the derivative, from the operand or from the result, whichever is at
// hand without computing it. Of complex numbers the derivative is conjugated, as PyTorch has it.
// Formulas: any table of derivatives.
#include <numbers>

#include "core/ops/gradients.h"

namespace bp::ops {
namespace gradient_unary_rows {
namespace {

constexpr double kLn2 = std::numbers::ln2, kLn10 = std::numbers::ln10,
                 kSqrtPi = 1.7724538509055160273;

Ref<Tensor> exponential(const V& x) { return made(BP_OP_EXP, x); }
Ref<Tensor> logistic(const V& x) { return made(BP_OP_SIGMOID, x); }
Ref<Tensor> root(const V& x) { return made(BP_OP_SQRT, x); }
Ref<Tensor> inverse_root(const V& x) { return made(BP_OP_RSQRT, x); }
Ref<Tensor> tangens_h(const V& x) { return made(BP_OP_TANH, x); }
Ref<Tensor> softened(const V& x) {
  return Composer::op(BP_OP_SOFTPLUS, {x}, {float_value(1), float_value(20)});
}

// g * conj(d).
void times(GradCall& c, const Ref<Tensor>& d) { c.give(0, mul(c.grad(), conjugate(d))); }
void over(GradCall& c, const Ref<Tensor>& d) { c.give(0, div(c.grad(), conjugate(d))); }
// g where the condition holds, else 0.
void within(GradCall& c, const Ref<Tensor>& condition) {
  c.give(0, where(condition, c.grad(), zero_of(c.grad()->dtype)));
}
void none(GradCall& c) { c.give(0, zeros_like(c.grad())); }

void neg(GradCall& c) { c.give(0, negative(c.grad())); }
void abs_(GradCall& c) { c.give(0, mul(c.grad(), made(BP_OP_SIGN, c.in(0)))); }
// Of complex numbers x / |x|, which only a turn of x changes.
void sign_(GradCall& c) {
  if (!is_complex(c.operand(0).dtype)) return none(c);
  const Ref<Tensor> x = c.in(0), y = c.result(), r = absolute(x);
  const Ref<Tensor> across = sub(c.grad(), mul(y, made(BP_OP_REAL, mul(c.grad(), conjugate(y)))));
  c.give(0, where(equal(r, int64_t{0}), zero_of(x->dtype), div(across, r)));
}
void complex_(GradCall& c) {
  if (c.wants(0)) c.give(0, made(BP_OP_REAL, c.grad()));
  if (c.wants(1)) c.give(1, made(BP_OP_IMAG, c.grad()));
}
void polar(GradCall& c) {
  const Ref<Tensor> angle = c.in(1),
                    turn = made(BP_OP_COMPLEX, made(BP_OP_COS, angle), made(BP_OP_SIN, angle));
  if (c.wants(0)) c.give(0, made(BP_OP_REAL, mul(c.grad(), conjugate(turn))));
  if (c.wants(1)) c.give(1, made(BP_OP_IMAG, mul(c.grad(), conjugate(c.result()))));
}
void sqrt_(GradCall& c) { over(c, mul(c.result(), 2.0)); }
void rsqrt_(GradCall& c) { times(c, mul(power(c.result(), int64_t{3}), -0.5)); }
void square_(GradCall& c) { times(c, mul(c.in(0), 2.0)); }
void reciprocal(GradCall& c) { times(c, negative(squared(c.result()))); }
void exp_(GradCall& c) { times(c, c.result()); }
void exp2_(GradCall& c) { times(c, mul(c.result(), kLn2)); }
void expm1_(GradCall& c) { times(c, add(c.result(), 1.0)); }
void log_(GradCall& c) { over(c, c.in(0)); }
void log1p_(GradCall& c) { over(c, add(c.in(0), 1.0)); }
void log2_(GradCall& c) { over(c, mul(c.in(0), kLn2)); }
void log10_(GradCall& c) { over(c, mul(c.in(0), kLn10)); }
void sin_(GradCall& c) { times(c, made(BP_OP_COS, c.in(0))); }
void cos_(GradCall& c) { times(c, negative(made(BP_OP_SIN, c.in(0)))); }
void tan_(GradCall& c) { times(c, add(squared(c.result()), 1.0)); }
void asin_(GradCall& c) { times(c, inverse_root(sub(1.0, squared(c.in(0))))); }
void acos_(GradCall& c) { times(c, negative(inverse_root(sub(1.0, squared(c.in(0)))))); }
void atan_(GradCall& c) { over(c, add(squared(c.in(0)), 1.0)); }
void sinh_(GradCall& c) { times(c, made(BP_OP_COSH, c.in(0))); }
void cosh_(GradCall& c) { times(c, made(BP_OP_SINH, c.in(0))); }
void tanh_(GradCall& c) { times(c, sub(1.0, squared(c.result()))); }
void asinh_(GradCall& c) { times(c, inverse_root(add(squared(c.in(0)), 1.0))); }
void acosh_(GradCall& c) {
  const Ref<Tensor> x = c.in(0);
  over(c, mul(root(sub(x, 1.0)), root(add(x, 1.0))));
}
void atanh_(GradCall& c) { over(c, sub(1.0, squared(c.in(0)))); }
void sigmoid_(GradCall& c) { times(c, mul(c.result(), sub(1.0, c.result()))); }
void erf_(GradCall& c) { times(c, mul(exponential(negative(squared(c.in(0)))), 2 / kSqrtPi)); }

void relu_(GradCall& c) { within(c, less(0.0, c.result())); }
void gelu_(GradCall& c) {
  const Ref<Tensor> x = c.in(0);
  const Ref<Tensor> area = mul(add(made(BP_OP_ERF, mul(x, std::numbers::sqrt2 / 2)), 1.0), 0.5);
  const Ref<Tensor> bell =
      mul(exponential(mul(squared(x), -0.5)), 1 / (kSqrtPi * std::numbers::sqrt2));
  times(c, add(area, mul(x, bell)));
}
void gelu_tanh(GradCall& c) {
  const Ref<Tensor> x = c.in(0), x2 = squared(x);
  constexpr double kScale = std::numbers::sqrt2 / kSqrtPi, kCubic = 0.044715;
  const Ref<Tensor> t = tangens_h(mul(mul(x, add(mul(x2, kCubic), 1.0)), kScale));
  const Ref<Tensor> slope = mul(add(mul(x2, 3 * kCubic), 1.0), kScale);
  times(c, add(mul(add(t, 1.0), 0.5), mul(mul(x, 0.5), mul(sub(1.0, squared(t)), slope))));
}
void silu(GradCall& c) {
  const Ref<Tensor> x = c.in(0), s = logistic(x);
  times(c, mul(s, add(mul(x, sub(1.0, s)), 1.0)));
}
void mish(GradCall& c) {
  const Ref<Tensor> x = c.in(0), t = tangens_h(softened(x));
  times(c, add(t, mul(mul(x, logistic(x)), sub(1.0, squared(t)))));
}
void softplus(GradCall& c) {
  const Ref<Tensor> x = mul(c.in(0), c.f64(0));
  c.give(0, where(less(c.f64(1), x), c.grad(), mul(c.grad(), logistic(x))));
}
void elu(GradCall& c) {
  c.give(0, where(less(0.0, c.in(0)), c.grad(), mul(c.grad(), add(c.result(), c.f64(0)))));
}
void leaky_relu(GradCall& c) {
  c.give(0, where(less(0.0, c.in(0)), c.grad(), mul(c.grad(), c.f64(0))));
}
void hardsigmoid(GradCall& c) {
  within(c, less(absolute(c.in(0)), 3.0)), c.give(0, mul(c.out[0], 1.0 / 6));
}
void hardswish(GradCall& c) {
  const Ref<Tensor> x = c.in(0), middle = mul(c.grad(), add(mul(x, 1.0 / 3), 0.5));
  c.give(0, where(less(x, -3.0), zero_of(x->dtype), where(less(x, 3.0), middle, c.grad())));
}

// Nothing at the bounds themselves.
void between(GradCall& c, double low, double high) {
  const Ref<Tensor> x = c.in(0);
  within(c, made(BP_OP_LOGICAL_AND, less(low, x), less(x, high)));
}
void hardtanh(GradCall& c) { between(c, c.f64(0), c.f64(1)); }
void relu6(GradCall& c) { between(c, 0, 6); }

void same(GradCall& c) { c.give(0, c.grad()); }

constexpr GradientRow kRows[] = {
    {BP_OP_NEG, "NegBackward0", neg, 0, 0},
    {BP_OP_ABS, "AbsBackward0", abs_, kIn0, 0},
    {BP_OP_SIGN, "SgnBackward0", sign_, kIn0, kOut0},
    {BP_OP_COMPLEX, "ComplexBackward0", complex_, 0, 0},
    {BP_OP_POLAR, "PolarBackward0", polar, kIn1, kOut0},
    {BP_OP_SQRT, "SqrtBackward0", sqrt_, 0, kOut0},
    {BP_OP_RSQRT, "RsqrtBackward0", rsqrt_, 0, kOut0},
    {BP_OP_SQUARE, "PowBackward0", square_, kIn0, 0},
    {BP_OP_RECIPROCAL, "ReciprocalBackward0", reciprocal, 0, kOut0},
    {BP_OP_EXP, "ExpBackward0", exp_, 0, kOut0},
    {BP_OP_EXP2, "Exp2Backward0", exp2_, 0, kOut0},
    {BP_OP_EXPM1, "Expm1Backward0", expm1_, 0, kOut0},
    {BP_OP_LOG, "LogBackward0", log_, kIn0, 0},
    {BP_OP_LOG1P, "Log1PBackward0", log1p_, kIn0, 0},
    {BP_OP_LOG2, "Log2Backward0", log2_, kIn0, 0},
    {BP_OP_LOG10, "Log10Backward0", log10_, kIn0, 0},
    {BP_OP_SIN, "SinBackward0", sin_, kIn0, 0},
    {BP_OP_COS, "CosBackward0", cos_, kIn0, 0},
    {BP_OP_TAN, "TanBackward0", tan_, 0, kOut0},
    {BP_OP_ASIN, "AsinBackward0", asin_, kIn0, 0},
    {BP_OP_ACOS, "AcosBackward0", acos_, kIn0, 0},
    {BP_OP_ATAN, "AtanBackward0", atan_, kIn0, 0},
    {BP_OP_SINH, "SinhBackward0", sinh_, kIn0, 0},
    {BP_OP_COSH, "CoshBackward0", cosh_, kIn0, 0},
    {BP_OP_TANH, "TanhBackward0", tanh_, 0, kOut0},
    {BP_OP_ASINH, "AsinhBackward0", asinh_, kIn0, 0},
    {BP_OP_ACOSH, "AcoshBackward0", acosh_, kIn0, 0},
    {BP_OP_ATANH, "AtanhBackward0", atanh_, kIn0, 0},
    {BP_OP_SIGMOID, "SigmoidBackward0", sigmoid_, 0, kOut0},
    {BP_OP_ERF, "ErfBackward0", erf_, kIn0, 0},
    {BP_OP_RELU, "ReluBackward0", relu_, 0, kOut0},
    {BP_OP_GELU, "GeluBackward0", gelu_, kIn0, 0},
    {BP_OP_GELU_TANH, "GeluBackward0", gelu_tanh, kIn0, 0},
    {BP_OP_SILU, "SiluBackward0", silu, kIn0, 0},
    {BP_OP_MISH, "MishBackward0", mish, kIn0, 0},
    {BP_OP_SOFTPLUS, "SoftplusBackward0", softplus, kIn0, 0},
    {BP_OP_ELU, "EluBackward0", elu, kIn0, kOut0},
    {BP_OP_LEAKY_RELU, "LeakyReluBackward0", leaky_relu, kIn0, 0},
    {BP_OP_HARDSIGMOID, "HardsigmoidBackward0", hardsigmoid, kIn0, 0},
    {BP_OP_HARDSWISH, "HardswishBackward0", hardswish, kIn0, 0},
    {BP_OP_HARDTANH, "HardtanhBackward0", hardtanh, kIn0, 0},
    {BP_OP_RELU6, "HardtanhBackward0", relu6, kIn0, 0},
    {BP_OP_FLOOR, "FloorBackward0", none, 0, 0},
    {BP_OP_CEIL, "CeilBackward0", none, 0, 0},
    {BP_OP_ROUND, "RoundBackward0", none, 0, 0},
    {BP_OP_TRUNC, "TruncBackward0", none, 0, 0},
    {BP_OP_CAST, "ToCopyBackward0", same, 0, 0},
    {BP_OP_COPY, "CloneBackward0", same, 0, 0},
    {BP_OP_ISNAN, "", nullptr, 0, 0},
    {BP_OP_ISINF, "", nullptr, 0, 0},
    {BP_OP_ISFINITE, "", nullptr, 0, 0},
    {BP_OP_SIGNBIT, "", nullptr, 0, 0},
    {BP_OP_LOGICAL_NOT, "", nullptr, 0, 0},
};
}  // namespace
}  // namespace gradient_unary_rows

std::span<const GradientRow> unary_gradients() { return gradient_unary_rows::kRows; }

}  // namespace bp::ops
