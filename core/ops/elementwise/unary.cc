// SPDX-License-Identifier: Apache-2.0
// unary.cc: the rows of elementwise ops with one input, and what those that are not primitive are
// composed of. A branch that is not chosen may overflow.
#include <cmath>
#include <numbers>

#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/value/dtype.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

// Gives y the sign of x.
Ref<Tensor> signed_as(const Ref<Tensor>& x, const Ref<Tensor>& y) {
  return where(has_minus(x), negative(y), y);
}

// Returns what is added to a sum that is 1 or more when it is halved as exp(x / 2) * exp(x / 2) /
// 2, which overflows later than exp(x) / 2.
Ref<Tensor> half_of_exponential(const Ref<Tensor>& x) {
  const Ref<Tensor> root = exponential(mul(x, 0.5));
  return mul(mul(root, 0.5), root);
}
// Returns where exp(x) is about to overflow.
Ref<Tensor> is_large(const Ref<Tensor>& x) {
  return greater(x, std::floor(std::log(float_format(x->dtype).largest)));
}
// Returns where x * x swallows a 1 that is added.
Ref<Tensor> swallows_one(const Ref<Tensor>& x) {
  return greater(x, 1 / std::sqrt(float_format(x->dtype).epsilon()));
}
// Returns log(2 x).
Ref<Tensor> logarithm_of_twice(const Ref<Tensor>& x) {
  return add(logarithm(x), std::numbers::ln2);
}

void sign(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0);
  const bp_value zero = zero_of(x->dtype);
  const auto number = [&](const Ref<Tensor>& truth) { return as_dtype(*truth, x->dtype); };
  c.out[0] = x->dtype == BP_BOOL ? x : sub(number(greater(x, zero)), number(less(x, zero)));
}
void rsqrt(Composer& c) { c.out[0] = div(1, root(operand(c, 0))); }
void square(Composer& c) {
  const Ref<Tensor> x = operand(c, 0);
  c.out[0] = mul(x, x);
}
void reciprocal(Composer& c) { c.out[0] = div(1, operand(c, 0)); }
void tan(Composer& c) {
  const Ref<Tensor> x = operand(c, 0);
  c.out[0] = div(sine(x), cosine(x));
}
// Neither way does exp(-|x|) overflow.
void sigmoid(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0), e = exponential(negative(absolute(x)));
  c.out[0] = div(where(less(x, 0), e, 1), add(e, 1));
}
void relu(Composer& c) { c.out[0] = larger(real_operand(c, 0), 0); }
void silu(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0);
  c.out[0] = where(is_large(negative(x)), times_exponential(x), mul(x, logistic(x)));
}

// ---- to integers, which integers are ----

Ref<Tensor> ceiling(const Ref<Tensor>& x) { return negative(floor_of(negative(x))); }
void ceil(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0);
  c.out[0] = is_floating(x->dtype) ? ceiling(x) : x;
}
void trunc(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0);
  c.out[0] = is_floating(x->dtype) ? where(less(x, 0), ceiling(x), floor_of(x)) : x;
}
void round(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0);
  c.out[0] = x;
  if (!is_floating(x->dtype)) return;
  const Ref<Tensor> size = absolute(x), below = floor_of(size), rest = sub(size, below);
  const Ref<Tensor> half = mul(below, 0.5), is_odd = unequal(floor_of(half), half);
  const Ref<Tensor> is_up = either(greater(rest, 0.5), both(equal(rest, 0.5), is_odd));
  c.out[0] = signed_as(x, add(below, as_dtype(*is_up, x->dtype)));
}

// ---- predicates ----

void isnan(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0);
  c.out[0] = unequal(x, x);
}
void isinf(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0);
  c.out[0] = is_floating(x->dtype) ? equal(absolute(x), HUGE_VAL)
                                   : filled(x->shape, BP_BOOL, zero_of(BP_BOOL), c.device);
}
void isfinite(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0);
  c.out[0] =
      is_floating(x->dtype) ? less(absolute(x), HUGE_VAL) : filled(x->shape, BP_BOOL, 1, c.device);
}
void logical_not(Composer& c) {
  const Ref<Tensor> x = operand(c, 0);
  c.out[0] = equal(x, zero_of(x->dtype));
}
// In two's complement -x is ~x + 1.
void bitwise_not(Composer& c) {
  const Ref<Tensor> x = operand(c, 0);
  c.out[0] = x->dtype == BP_BOOL ? no(x) : negative(add(x, 1));
}

// ---- trigonometric functions: angles of points ----

Ref<Tensor> other_side(const Ref<Tensor>& x) { return root(mul(sub(1, x), add(x, 1))); }
void asin(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0);
  c.out[0] = angle_of(x, other_side(x));
}
void acos(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0);
  c.out[0] = angle_of(other_side(x), x);
}
void atan(Composer& c) { c.out[0] = angle_of(real_operand(c, 0), 1); }

// ---- hyperbolic functions: as fdlibm (Sun Microsystems, 1993) has them ----

void sinh(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0), size = absolute(x), t = expm1(size);
  const Ref<Tensor> small = mul(add(t, div(t, add(t, 1))), 0.5);
  c.out[0] = signed_as(x, where(is_large(size), half_of_exponential(size), small));
}
void cosh(Composer& c) {
  const Ref<Tensor> size = absolute(real_operand(c, 0)), e = exponential(size);
  c.out[0] = where(is_large(size), half_of_exponential(size), add(mul(e, 0.5), div(0.5, e)));
}
void asinh(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0), size = absolute(x), s = mul(size, size);
  const Ref<Tensor> small = log1p(add(size, div(s, add(root(add(s, 1)), 1))));
  c.out[0] = signed_as(x, where(swallows_one(size), logarithm_of_twice(size), small));
}
void acosh(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0), t = sub(x, 1);
  const Ref<Tensor> small = log1p(add(t, root(add(mul(t, 2), mul(t, t)))));
  const Ref<Tensor> inside = where(swallows_one(x), logarithm_of_twice(x), small);
  c.out[0] = where(less(x, 1), NAN, inside);
}
void atanh(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0), size = absolute(x);
  c.out[0] = signed_as(x, mul(log1p(div(mul(size, 2), sub(1, size))), 0.5));
}

// ---- other bases ----

void log2(Composer& c) {
  const Ref<Tensor> x = real_operand(c, 0), y = div(logarithm(x), std::numbers::ln2);
  const Ref<Tensor> whole = floor_of(add(y, 0.5));
  c.out[0] = where(equal(power(2.0, whole), x), whole, y);
}
void log10(Composer& c) { c.out[0] = div(logarithm(real_operand(c, 0)), std::numbers::ln10); }
void exp2(Composer& c) { c.out[0] = power(2.0, real_operand(c, 0)); }

// clang-format off
constexpr OpRow kUnaryRows[] = {
    {.id = 1, .name = "neg", .inputs = kX, .dtype = rule::arithmetic, .shape = rule::broadcast,
     .grad = {"NegBackward0", neg_back}, .flags = kPrimitive | kComplexToo, .doc = "-x. Integers wrap; bool is refused."},
    {.id = 2, .name = "abs", .inputs = kX, .dtype = rule::magnitude, .shape = rule::broadcast,
     .grad = {"AbsBackward0", abs_back, kIn0},
     .flags = kPrimitive, .doc = "|x|. The most negative integer stays itself. Of complex numbers the modulus, a real number."},
    {.id = 3, .name = "sign", .inputs = kX, .dtype = rule::ordered, .shape = rule::broadcast, .compose = sign,
     .grad = {"SgnBackward0", sign_back, kIn0 | kOut0},
     .flags = kComplexToo, .doc = "-1, 0 or 1 by the sign of x; 0 for NaN, as PyTorch."},
    {.id = 4, .name = "sqrt", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast,
     .grad = {"SqrtBackward0", sqrt_back, kOut0},
     .flags = kPrimitive | kComplexToo, .domain_low = 0, .max_ulp = 1, .doc = "Square root; NaN below zero."},
    {.id = 5, .name = "rsqrt", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = rsqrt,
     .grad = {"RsqrtBackward0", rsqrt_back, kOut0},
     .flags = kComplexToo, .domain_low = 0, .max_ulp = 2, .doc = "1 / sqrt(x); +inf at +0."},
    {.id = 6, .name = "square", .inputs = kX, .dtype = rule::arithmetic, .shape = rule::broadcast, .compose = square,
     .grad = {"PowBackward0", square_back, kIn0}, .flags = kComplexToo, .max_ulp = 1, .doc = "x * x. Integers wrap."},
    {.id = 7, .name = "reciprocal", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = reciprocal,
     .grad = {"ReciprocalBackward0", reciprocal_back, kOut0}, .flags = kComplexToo, .max_ulp = 1, .doc = "1 / x."},
    {.id = 8, .name = "exp", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast,
     .grad = {"ExpBackward0", exp_back, kOut0}, .flags = kPrimitive | kComplexToo, .max_ulp = 2, .doc = "e to the x."},
    {.id = 9, .name = "expm1", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast,
     .grad = {"Expm1Backward0", expm1_back, kOut0},
     .flags = kPrimitive | kComplexToo, .max_ulp = 2, .doc = "exp(x) - 1, accurate near zero."},
    {.id = 10, .name = "log", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast,
     .grad = {"LogBackward0", log_back, kIn0},
     .flags = kPrimitive | kComplexToo, .domain_low = 0, .max_ulp = 2, .doc = "Natural logarithm; -inf at zero, NaN below."},
    {.id = 11, .name = "log1p", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast,
     .grad = {"Log1PBackward0", log1p_back, kIn0},
     .flags = kPrimitive | kComplexToo, .domain_low = -1, .max_ulp = 2, .doc = "log(1 + x), accurate near zero."},
    {.id = 12, .name = "sin", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast,
     .grad = {"SinBackward0", sin_back, kIn0}, .flags = kPrimitive | kComplexToo, .max_ulp = 2, .doc = "Sine, x in radians."},
    {.id = 13, .name = "cos", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast,
     .grad = {"CosBackward0", cos_back, kIn0}, .flags = kPrimitive | kComplexToo, .max_ulp = 2, .doc = "Cosine, x in radians."},
    {.id = 14, .name = "tan", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = tan,
     .grad = {"TanBackward0", tan_back, kOut0}, .flags = kComplexToo, .max_ulp = 4, .doc = "Tangent, x in radians."},
    {.id = 15, .name = "tanh", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast,
     .grad = {"TanhBackward0", tanh_back, kOut0}, .flags = kPrimitive | kComplexToo, .max_ulp = 3, .doc = "Hyperbolic tangent."},
    {.id = 16, .name = "sigmoid", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = sigmoid,
     .grad = {"SigmoidBackward0", sigmoid_back, kOut0}, .flags = kComplexToo, .max_ulp = 3, .doc = "1 / (1 + exp(-x))."},
    {.id = 17, .name = "relu", .inputs = kX, .dtype = rule::arithmetic, .shape = rule::broadcast, .compose = relu,
     .grad = {"ReluBackward0", relu_back, kOut0}, .doc = "max(x, 0); NaN stays NaN."},
    {.id = 18, .name = "gelu", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast,
     .grad = {"GeluBackward0", gelu_back, kIn0},
     .flags = kPrimitive, .max_ulp = 8, .doc = "x * (1 + erf(x / sqrt 2)) / 2, the exact form (Hendrycks and Gimpel, 2016)."},
    {.id = 19, .name = "silu", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = silu,
     .grad = {"SiluBackward0", silu_back, kIn0}, .max_ulp = 4, .doc = "x * sigmoid(x)."},
    {.id = 20, .name = "erf", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast,
     .grad = {"ErfBackward0", erf_back, kIn0}, .flags = kPrimitive, .max_ulp = 2, .doc = "Error function."},
    {.id = 21, .name = "floor", .inputs = kX, .dtype = rule::arithmetic, .shape = rule::broadcast,
     .grad = {"FloorBackward0", zero_back}, .flags = kPrimitive, .doc = "Largest integer not above x; integers as they are."},
    {.id = 22, .name = "ceil", .inputs = kX, .dtype = rule::arithmetic, .shape = rule::broadcast, .compose = ceil,
     .grad = {"CeilBackward0", zero_back}, .doc = "Smallest integer not below x; integers as they are."},
    {.id = 23, .name = "round", .inputs = kX, .dtype = rule::arithmetic, .shape = rule::broadcast, .compose = round,
     .grad = {"RoundBackward0", zero_back}, .doc = "Nearest integer, halves to even."},
    {.id = 24, .name = "trunc", .inputs = kX, .dtype = rule::arithmetic, .shape = rule::broadcast, .compose = trunc,
     .grad = {"TruncBackward0", zero_back}, .doc = "Nearest integer towards zero."},
    {.id = 25, .name = "isnan", .inputs = kX, .dtype = rule::comparison, .shape = rule::broadcast, .compose = isnan,
     .grad = kNoGradient, .flags = kComplexToo, .doc = "True where x is NaN."},
    {.id = 26, .name = "isinf", .inputs = kX, .dtype = rule::comparison, .shape = rule::broadcast, .compose = isinf,
     .grad = kNoGradient, .flags = kComplexToo, .doc = "True where x is +inf or -inf."},
    {.id = 27, .name = "logical_not", .inputs = kX, .dtype = rule::comparison, .shape = rule::broadcast, .compose = logical_not,
     .grad = kNoGradient, .flags = kComplexToo, .doc = "True where x is zero."},
    {.id = 28, .name = "asin", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = asin,
     .grad = {"AsinBackward0", asin_back, kIn0},
     .flags = kComplexToo, .max_ulp = 3, .doc = "Inverse sine, in [-pi/2, pi/2]; NaN outside [-1, 1]."},
    {.id = 29, .name = "acos", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = acos,
     .grad = {"AcosBackward0", acos_back, kIn0},
     .flags = kComplexToo, .max_ulp = 3, .doc = "Inverse cosine, in [0, pi]; NaN outside [-1, 1]."},
    {.id = 30, .name = "atan", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = atan,
     .grad = {"AtanBackward0", atan_back, kIn0},
     .flags = kComplexToo, .max_ulp = 3, .doc = "Inverse tangent, in [-pi/2, pi/2]."},
    {.id = 31, .name = "sinh", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = sinh,
     .grad = {"SinhBackward0", sinh_back, kIn0}, .flags = kComplexToo, .max_ulp = 4, .doc = "Hyperbolic sine."},
    {.id = 32, .name = "cosh", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = cosh,
     .grad = {"CoshBackward0", cosh_back, kIn0}, .flags = kComplexToo, .max_ulp = 3, .doc = "Hyperbolic cosine."},
    {.id = 33, .name = "asinh", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = asinh,
     .grad = {"AsinhBackward0", asinh_back, kIn0}, .flags = kComplexToo, .max_ulp = 4, .doc = "Inverse hyperbolic sine."},
    {.id = 34, .name = "acosh", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = acosh,
     .grad = {"AcoshBackward0", acosh_back, kIn0},
     .flags = kComplexToo, .max_ulp = 4, .doc = "Inverse hyperbolic cosine; NaN below 1."},
    {.id = 35, .name = "atanh", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = atanh,
     .grad = {"AtanhBackward0", atanh_back, kIn0},
     .flags = kComplexToo, .max_ulp = 4, .doc = "Inverse hyperbolic tangent; infinite at -1 and 1, NaN beyond."},
    {.id = 36, .name = "log2", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = log2,
     .grad = {"Log2Backward0", log2_back, kIn0},
     .flags = kComplexToo, .max_ulp = 3, .doc = "Logarithm to base 2; -inf at zero, NaN below. Exact for powers of two."},
    {.id = 37, .name = "log10", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = log10,
     .grad = {"Log10Backward0", log10_back, kIn0},
     .flags = kComplexToo, .max_ulp = 3, .doc = "Logarithm to base 10; -inf at zero, NaN below."},
    {.id = 38, .name = "exp2", .inputs = kX, .dtype = rule::floating, .shape = rule::broadcast, .compose = exp2,
     .grad = {"Exp2Backward0", exp2_back, kOut0}, .max_ulp = 2, .doc = "2 to the x. Exact for integers."},
    {.id = 39, .name = "isfinite", .inputs = kX, .dtype = rule::comparison, .shape = rule::broadcast, .compose = isfinite,
     .grad = kNoGradient, .flags = kComplexToo, .doc = "True where x is neither infinite nor NaN."},
    {.id = 130, .name = "signbit", .inputs = kX, .dtype = rule::comparison, .shape = rule::broadcast,
     .grad = kNoGradient, .flags = kPrimitive, .doc = "True where the sign bit is set: x < 0, and -0 and NaN of that sign."},
    {.id = 131, .name = "bitwise_not", .inputs = kX, .dtype = rule::bits, .shape = rule::broadcast, .compose = bitwise_not,
     .doc = "~x of integers; of bools it is logical not."},
};
// clang-format on
}  // namespace

std::span<const OpRow> unary_rows() { return kUnaryRows; }

}  // namespace bp::ops
