// SPDX-License-Identifier: Apache-2.0
// binary.cc: the rows of elementwise ops with two inputs, which broadcast. A number may stand for
// the second input (or, through bp_invoke, for the first).
#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

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
    {.id = 45, .name = "remainder", .inputs = kAB, .dtype = rule::arithmetic, .shape = rule::broadcast,
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
    {.id = 50, .name = "ne", .inputs = kAB, .dtype = rule::predicate, .shape = rule::broadcast,
     .grad = kNoGradient, .flags = kScalarForm | kCommutes, .doc = "a != b, as bool."},
    {.id = 51, .name = "lt", .inputs = kAB, .dtype = rule::comparison, .shape = rule::broadcast,
     .grad = kNoGradient, .flags = kPrimitive | kScalarForm, .doc = "a < b, as bool."},
    {.id = 52, .name = "le", .inputs = kAB, .dtype = rule::comparison, .shape = rule::broadcast,
     .grad = kNoGradient, .flags = kScalarForm, .doc = "a <= b, as bool."},
    {.id = 53, .name = "gt", .inputs = kAB, .dtype = rule::comparison, .shape = rule::broadcast,
     .grad = kNoGradient, .flags = kScalarForm, .doc = "a > b, as bool."},
    {.id = 54, .name = "ge", .inputs = kAB, .dtype = rule::comparison, .shape = rule::broadcast,
     .grad = kNoGradient, .flags = kScalarForm, .doc = "a >= b, as bool."},
    {.id = 55, .name = "logical_and", .inputs = kAB, .dtype = rule::comparison, .shape = rule::broadcast,
     .grad = kNoGradient, .flags = kScalarForm | kComplexToo | kCommutes, .doc = "Both are not zero."},
    {.id = 56, .name = "logical_or", .inputs = kAB, .dtype = rule::comparison, .shape = rule::broadcast,
     .grad = kNoGradient, .flags = kScalarForm | kComplexToo | kCommutes, .doc = "At least one is not zero."},
    {.id = 57, .name = "logical_xor", .inputs = kAB, .dtype = rule::comparison, .shape = rule::broadcast,
     .grad = kNoGradient, .flags = kScalarForm | kComplexToo | kCommutes, .doc = "Exactly one is not zero."},
    {.id = 58, .name = "bitwise_and", .inputs = kAB, .dtype = rule::bits, .shape = rule::broadcast,
     .flags = kPrimitive | kScalarForm | kCommutes, .doc = "a & b of integers or bools."},
    {.id = 59, .name = "bitwise_or", .inputs = kAB, .dtype = rule::bits, .shape = rule::broadcast,
     .flags = kScalarForm | kCommutes, .doc = "a | b of integers or bools."},
    {.id = 60, .name = "bitwise_xor", .inputs = kAB, .dtype = rule::bits, .shape = rule::broadcast,
     .flags = kScalarForm | kCommutes, .doc = "a ^ b of integers or bools."},
    {.id = 61, .name = "atan2", .inputs = kAB, .dtype = rule::floating, .shape = rule::broadcast,
     .grad = {"Atan2Backward0", atan2_back, kIn0 | kIn1},
     .flags = kPrimitive | kScalarForm, .max_ulp = 3, .doc = "Angle of the point (b, a), in [-pi, pi]; special cases as C's atan2."},
    {.id = 62, .name = "hypot", .inputs = kAB, .dtype = rule::floating, .shape = rule::broadcast,
     .grad = {"HypotBackward0", hypot_back, kIn0 | kIn1 | kOut0},
     .flags = kScalarForm | kCommutes, .max_ulp = 2, .doc = "sqrt(a * a + b * b) without overflow on the way; infinite when either is."},
    {.id = 63, .name = "copysign", .inputs = kAB, .dtype = rule::floating, .shape = rule::broadcast,
     .grad = {"CopysignBackward0", copysign_back, kIn0 | kOut0},
     .flags = kScalarForm, .doc = "|a| with the sign bit of b."},
    {.id = 64, .name = "nextafter", .inputs = kAB, .dtype = rule::floating, .shape = rule::broadcast,
     .grad = {"NextafterBackward0", nextafter_back, kIn0 | kIn1},
     .flags = kScalarForm, .doc = "The number of a's dtype that follows a in the direction of b; b where they are equal."},
    {.id = 65, .name = "logaddexp", .inputs = kAB, .dtype = rule::floating, .shape = rule::broadcast,
     .grad = {"LogaddexpBackward0", logaddexp_back, kIn0 | kIn1},
     .flags = kScalarForm | kCommutes, .max_ulp = 8, .doc = "log(exp(a) + exp(b)) without overflow on the way. The bound is relative to the larger operand."},
    {.id = 66, .name = "fmod", .inputs = kAB, .dtype = rule::arithmetic, .shape = rule::broadcast,
     .grad = {"FmodBackward0", fmod_back, kIn0 | kIn1},
     .flags = kPrimitive | kScalarForm, .doc = "a - b * trunc(a / b), exact, the sign of a, as C's fmod. An integer modulo 0 is 0."},
    {.id = 67, .name = "bitwise_left_shift", .inputs = kAB, .dtype = rule::whole, .shape = rule::broadcast,
     .flags = kScalarForm, .doc = "a << b; 0 where b is negative or not below the width."},
    {.id = 68, .name = "bitwise_right_shift", .inputs = kAB, .dtype = rule::whole, .shape = rule::broadcast,
     .flags = kScalarForm, .doc = "a >> b, signed numbers keep their sign; where b is negative or not below the width: 0, or -1 for negative a."},
};
// clang-format on
}  // namespace

std::span<const OpRow> binary_rows() { return kBinaryRows; }

}  // namespace bp::ops
