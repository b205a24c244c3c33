// SPDX-License-Identifier: Apache-2.0
// binary.cc: the rows of elementwise ops with two inputs, which broadcast. A number may stand for
// the second input (or, through bp_invoke, for the first). What is not primitive is composed.
#include <cmath>
#include <numbers>

#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/value/dtype.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

// ---- division ----

// The rest of the truncated quotient has the sign of a, that of the floored one the sign of b.
void floored_rest(Composer& c) {
  const Ref<Tensor> a = real_operand(c, 0), b = real_operand(c, 1);
  const Ref<Tensor> rest = invoke(BP_OP_FMOD, {a, b});
  const Ref<Tensor> differs = both(unequal(rest, 0), unequal(less(rest, 0), less(b, 0)));
  c.out[0] = where(differs, add(rest, b), rest);
  if (is_floating(a->dtype)) {
    const Ref<Tensor> zero = filled(Dims{}, a->dtype, 0.0, c.device);
    c.out[0] = where(equal(rest, 0), where(has_minus(b), negative(zero), zero), c.out[0]);
  }
}

// ---- comparisons and logic: of bools, addition is `or` and multiplication is `and` ----

void not_equal(Composer& c) { c.out[0] = no(equal(c.in[0], c.in[1])); }
void less_or_equal(Composer& c) { c.out[0] = add(less(c.in[0], c.in[1]), equal(c.in[0], c.in[1])); }
void is_greater(Composer& c) { c.out[0] = less(c.in[1], c.in[0]); }
void greater_or_equal(Composer& c) {
  c.out[0] = add(less(c.in[1], c.in[0]), equal(c.in[0], c.in[1]));
}
// Returns where operand i is not zero.
Ref<Tensor> truth(const Composer& c, size_t i) {
  const Ref<Tensor> x = operand(c, i);
  return x->dtype == BP_BOOL ? x : unequal(x, zero_of(x->dtype));
}
void logical_and(Composer& c) { c.out[0] = mul(truth(c, 0), truth(c, 1)); }
void logical_or(Composer& c) { c.out[0] = add(truth(c, 0), truth(c, 1)); }
void logical_xor(Composer& c) { c.out[0] = unequal(truth(c, 0), truth(c, 1)); }

// ---- bits: a + b is (a ^ b) + 2 (a & b) ----

void bitwise_or(Composer& c) {
  const Ref<Tensor> a = operand(c, 0), b = operand(c, 1);
  c.out[0] = a->dtype == BP_BOOL ? add(a, b) : sub(add(a, b), invoke(BP_OP_BITWISE_AND, {a, b}));
}
void bitwise_xor(Composer& c) {
  const Ref<Tensor> a = operand(c, 0), b = operand(c, 1);
  c.out[0] = a->dtype == BP_BOOL ? unequal(a, b)
                                 : sub(add(a, b), mul(invoke(BP_OP_BITWISE_AND, {a, b}), 2));
}
// Returns where 0 <= b < end.
Ref<Tensor> is_within(const Ref<Tensor>& b, int64_t end) {
  return both(no(less(b, 0)), less(b, end));
}
void left_shift(Composer& c) {
  const Ref<Tensor> a = operand(c, 0), b = operand(c, 1);
  c.out[0] = where(is_within(b, 8 * dtype_bytes(a->dtype)), mul(a, power(2, b)), 0);
}
// A signed number that loses all but its sign is 0 or -1; 2 to the power of its width less 1 is not
// one of its kind.
void right_shift(Composer& c) {
  const Ref<Tensor> a = operand(c, 0), b = operand(c, 1);
  const Ref<Tensor> sign = negative(as_dtype(*less(a, 0), a->dtype));
  const int64_t end = 8 * dtype_bytes(a->dtype) - !is_unsigned(a->dtype);
  c.out[0] = where(is_within(b, end), floor_quotient(a, power(2, b)), sign);
}

// ---- floats ----

void hypot(Composer& c) {
  const Ref<Tensor> a = absolute(real_operand(c, 0)), b = absolute(real_operand(c, 1));
  const Ref<Tensor> longer = larger(a, b), ratio = div(smaller(a, b), longer);
  const Ref<Tensor> length = mul(longer, root(add(mul(ratio, ratio), 1)));
  const Ref<Tensor> is_infinite = either(equal(a, HUGE_VAL), equal(b, HUGE_VAL));
  c.out[0] = where(is_infinite, HUGE_VAL, where(equal(longer, 0), longer, length));
}
Ref<Tensor> with_sign_of(const Ref<Tensor>& b, const Ref<Tensor>& size) {
  return where(has_minus(b), negative(size), size);
}
void copysign(Composer& c) {
  c.out[0] = with_sign_of(real_operand(c, 1), absolute(real_operand(c, 0)));
}
// Neighbours without a look at bits: Rump, Zimmermann, Boldo and Melquiond, "Computing predecessor
// and successor in rounding to nearest", BIT 49 (2009), algorithm 2.
void nextafter(Composer& c) {
  if (is_narrow(c.plan.compute)) no_kernel(c.row, c.device, c.plan.compute);
  const Ref<Tensor> a = real_operand(c, 0), b = real_operand(c, 1), size = absolute(a);
  const FloatFormat f = float_format(a->dtype);
  const double u = f.epsilon() / 2, least = f.smallest_normal() * f.epsilon();
  const Ref<Tensor> scaled = mul(size, 1 / u);
  const auto step = [&](const Ref<Tensor>& x) { return mul(x, u * (1 + 2 * u)); };
  const auto next = [&](Ref<Tensor> (*towards)(const Value&, const Value&)) {
    const Ref<Tensor> far = towards(size, step(size)), near = towards(size, least);
    const Ref<Tensor> middle = mul(towards(scaled, step(scaled)), u);
    return where(less(size, least / u), near, where(less(size, least / u / u / 2), middle, far));
  };
  const Ref<Tensor> is_inwards = equal(less(b, a), greater(a, 0));
  Ref<Tensor> result = with_sign_of(a, where(is_inwards, next(sub), next(add)));
  result = where(equal(size, HUGE_VAL),
                 with_sign_of(a, filled(Dims{}, a->dtype, f.largest, c.device)), result);
  result = where(equal(a, 0), with_sign_of(b, filled(Dims{}, a->dtype, least, c.device)), result);
  result = where(equal(a, b), b, result);
  c.out[0] = where(either(is_nan(a), is_nan(b)), NAN, result);
}
void logaddexp(Composer& c) {
  const Ref<Tensor> a = real_operand(c, 0), b = real_operand(c, 1);
  const Ref<Tensor> sum = add(larger(a, b), log1p(exponential(negative(absolute(sub(a, b))))));
  c.out[0] = where(equal(a, b), add(a, std::numbers::ln2), sum);
}

// clang-format off
constexpr OpRow kBinaryRows[] = {
    {.id = 40, .name = "add", .inputs = kAB, .dtype = rule::promoted, .shape = rule::broadcast,
     .grad = {"AddBackward0", add_back},
     .flags = kPrimitive | kScalarForm | kCommutes, .doc = "a + b. Integers wrap; of bools it is logical or."},
    {.id = 41, .name = "sub", .inputs = kAB, .dtype = rule::arithmetic, .shape = rule::broadcast,
     .grad = {"SubBackward0", sub_back},
     .flags = kPrimitive | kScalarForm | kComplexToo, .doc = "a - b. Integers wrap; two bools are refused."},
    {.id = 42, .name = "mul", .inputs = kAB, .dtype = rule::promoted, .shape = rule::broadcast,
     .grad = {"MulBackward0", mul_back, kIn0 | kIn1},
     .flags = kPrimitive | kScalarForm | kCommutes, .doc = "a * b. Integers wrap; of bools it is logical and."},
    {.id = 43, .name = "div", .inputs = kAB, .dtype = rule::floating, .shape = rule::broadcast,
     .grad = {"DivBackward0", div_back, kIn0 | kIn1},
     .flags = kPrimitive | kScalarForm | kComplexToo, .max_ulp = 1, .doc = "True division; integers give the default float dtype."},
    {.id = 44, .name = "floor_divide", .inputs = kAB, .dtype = rule::arithmetic, .shape = rule::broadcast,
     .grad = {"FloorDivideBackward0", zero_back}, .flags = kPrimitive | kScalarForm, .max_ulp = 1,
     .doc = "Quotient rounded towards -inf, as Python's //. Integers stay integers; an integer divided by 0 is 0. "
            "Floating quotients beyond an eighth of 2^p (p bits of precision) may be off by one."},
    {.id = 45, .name = "remainder", .inputs = kAB, .dtype = rule::arithmetic, .shape = rule::broadcast, .compose = floored_rest,
     .grad = {"RemainderBackward0", remainder_back, kIn0 | kIn1}, .flags = kScalarForm, .max_ulp = 1,
     .doc = "a - b * floor(a / b), the sign of b, as Python's %. An integer modulo 0 is 0."},
    {.id = 46, .name = "pow", .inputs = kAB, .dtype = rule::power, .shape = rule::broadcast,
     .grad = {"PowBackward0", pow_back, kIn0 | kIn1 | kOut0}, .flags = kPrimitive | kScalarForm | kComplexToo, .max_ulp = 2,
     .doc = "a to the b. Integers stay integers and wrap; to a negative integer tensor they give 0, except 1 and -1."},
    {.id = 47, .name = "maximum", .inputs = kAB, .dtype = rule::ordered, .shape = rule::broadcast,
     .grad = {"MaximumBackward0", maximum_back, kIn0 | kIn1},
     .flags = kPrimitive | kScalarForm | kCommutes, .doc = "The larger; NaN when either is."},
    {.id = 48, .name = "minimum", .inputs = kAB, .dtype = rule::ordered, .shape = rule::broadcast,
     .grad = {"MinimumBackward0", minimum_back, kIn0 | kIn1},
     .flags = kPrimitive | kScalarForm | kCommutes, .doc = "The smaller; NaN when either is."},
    {.id = 49, .name = "eq", .inputs = kAB, .dtype = rule::predicate, .shape = rule::broadcast,
     .grad = kNoGradient, .flags = kPrimitive | kScalarForm | kCommutes, .doc = "a == b, as bool."},
    {.id = 50, .name = "ne", .inputs = kAB, .dtype = rule::predicate, .shape = rule::broadcast, .compose = not_equal,
     .grad = kNoGradient, .flags = kScalarForm | kCommutes, .doc = "a != b, as bool."},
    {.id = 51, .name = "lt", .inputs = kAB, .dtype = rule::comparison, .shape = rule::broadcast,
     .grad = kNoGradient, .flags = kPrimitive | kScalarForm, .doc = "a < b, as bool."},
    {.id = 52, .name = "le", .inputs = kAB, .dtype = rule::comparison, .shape = rule::broadcast, .compose = less_or_equal,
     .grad = kNoGradient, .flags = kScalarForm, .doc = "a <= b, as bool."},
    {.id = 53, .name = "gt", .inputs = kAB, .dtype = rule::comparison, .shape = rule::broadcast, .compose = is_greater,
     .grad = kNoGradient, .flags = kScalarForm, .doc = "a > b, as bool."},
    {.id = 54, .name = "ge", .inputs = kAB, .dtype = rule::comparison, .shape = rule::broadcast, .compose = greater_or_equal,
     .grad = kNoGradient, .flags = kScalarForm, .doc = "a >= b, as bool."},
    {.id = 55, .name = "logical_and", .inputs = kAB, .dtype = rule::comparison, .shape = rule::broadcast, .compose = logical_and,
     .grad = kNoGradient, .flags = kScalarForm | kComplexToo | kCommutes, .doc = "Both are not zero."},
    {.id = 56, .name = "logical_or", .inputs = kAB, .dtype = rule::comparison, .shape = rule::broadcast, .compose = logical_or,
     .grad = kNoGradient, .flags = kScalarForm | kComplexToo | kCommutes, .doc = "At least one is not zero."},
    {.id = 57, .name = "logical_xor", .inputs = kAB, .dtype = rule::comparison, .shape = rule::broadcast, .compose = logical_xor,
     .grad = kNoGradient, .flags = kScalarForm | kComplexToo | kCommutes, .doc = "Exactly one is not zero."},
    {.id = 58, .name = "bitwise_and", .inputs = kAB, .dtype = rule::bits, .shape = rule::broadcast,
     .flags = kPrimitive | kScalarForm | kCommutes, .doc = "a & b of integers or bools."},
    {.id = 59, .name = "bitwise_or", .inputs = kAB, .dtype = rule::bits, .shape = rule::broadcast, .compose = bitwise_or,
     .flags = kScalarForm | kCommutes, .doc = "a | b of integers or bools."},
    {.id = 60, .name = "bitwise_xor", .inputs = kAB, .dtype = rule::bits, .shape = rule::broadcast, .compose = bitwise_xor,
     .flags = kScalarForm | kCommutes, .doc = "a ^ b of integers or bools."},
    {.id = 61, .name = "atan2", .inputs = kAB, .dtype = rule::floating, .shape = rule::broadcast,
     .grad = {"Atan2Backward0", atan2_back, kIn0 | kIn1},
     .flags = kPrimitive | kScalarForm, .max_ulp = 3, .doc = "Angle of the point (b, a), in [-pi, pi]; special cases as C's atan2."},
    {.id = 62, .name = "hypot", .inputs = kAB, .dtype = rule::floating, .shape = rule::broadcast, .compose = hypot,
     .grad = {"HypotBackward0", hypot_back, kIn0 | kIn1 | kOut0},
     .flags = kScalarForm | kCommutes, .max_ulp = 2, .doc = "sqrt(a * a + b * b) without overflow on the way; infinite when either is."},
    {.id = 63, .name = "copysign", .inputs = kAB, .dtype = rule::floating, .shape = rule::broadcast, .compose = copysign,
     .grad = {"CopysignBackward0", copysign_back, kIn0 | kOut0},
     .flags = kScalarForm, .doc = "|a| with the sign bit of b."},
    {.id = 64, .name = "nextafter", .inputs = kAB, .dtype = rule::floating, .shape = rule::broadcast, .compose = nextafter,
     .grad = {"NextafterBackward0", nextafter_back, kIn0 | kIn1},
     .flags = kScalarForm, .doc = "The number of a's dtype that follows a in the direction of b; b where they are equal."},
    {.id = 65, .name = "logaddexp", .inputs = kAB, .dtype = rule::floating, .shape = rule::broadcast, .compose = logaddexp,
     .grad = {"LogaddexpBackward0", logaddexp_back, kIn0 | kIn1},
     .flags = kScalarForm | kCommutes, .max_ulp = 8, .doc = "log(exp(a) + exp(b)) without overflow on the way. The bound is relative to the larger operand."},
    {.id = 66, .name = "fmod", .inputs = kAB, .dtype = rule::arithmetic, .shape = rule::broadcast,
     .grad = {"FmodBackward0", fmod_back, kIn0 | kIn1},
     .flags = kPrimitive | kScalarForm, .doc = "a - b * trunc(a / b), exact, the sign of a, as C's fmod. An integer modulo 0 is 0."},
    {.id = 67, .name = "bitwise_left_shift", .inputs = kAB, .dtype = rule::whole, .shape = rule::broadcast, .compose = left_shift,
     .flags = kScalarForm, .doc = "a << b; 0 where b is negative or not below the width."},
    {.id = 68, .name = "bitwise_right_shift", .inputs = kAB, .dtype = rule::whole, .shape = rule::broadcast, .compose = right_shift,
     .flags = kScalarForm, .doc = "a >> b, signed numbers keep their sign; where b is negative or not below the width: 0, or -1 for negative a."},
};
// clang-format on
}  // namespace

std::span<const OpRow> binary_rows() { return kBinaryRows; }

}  // namespace bp::ops
