// unary.cc: one input, elementwise.
#include "core/infer.h"
#include "core/ops/families.h"

namespace bp::ops {
namespace {

constexpr OpRow kRows[] = {
    {.id = 1, .name = "neg", .inputs = {{{"x"}}}, .dtype = rule::arithmetic, .shape = rule::broadcast,
     .doc = "-x. Integers wrap; bool is refused."},
    {.id = 2, .name = "abs", .inputs = {{{"x"}}}, .dtype = rule::ordered, .shape = rule::broadcast,
     .doc = "|x|. The most negative integer stays itself."},
    {.id = 3, .name = "sign", .inputs = {{{"x"}}}, .dtype = rule::ordered, .shape = rule::broadcast,
     .doc = "-1, 0 or 1 by the sign of x; 0 for NaN, as PyTorch."},
    {.id = 4, .name = "sqrt", .inputs = {{{"x"}}}, .dtype = rule::floating, .shape = rule::broadcast,
     .domain_low = 0, .max_ulp = 1, .doc = "Square root; NaN below zero."},
    {.id = 5, .name = "rsqrt", .inputs = {{{"x"}}}, .dtype = rule::floating, .shape = rule::broadcast,
     .domain_low = 0, .max_ulp = 2, .doc = "1 / sqrt(x); +inf at +0."},
    {.id = 6, .name = "square", .inputs = {{{"x"}}}, .dtype = rule::arithmetic, .shape = rule::broadcast,
     .max_ulp = 1, .doc = "x * x. Integers wrap."},
    {.id = 7, .name = "reciprocal", .inputs = {{{"x"}}}, .dtype = rule::floating, .shape = rule::broadcast,
     .max_ulp = 1, .doc = "1 / x."},
    {.id = 8, .name = "exp", .inputs = {{{"x"}}}, .dtype = rule::floating, .shape = rule::broadcast,
     .max_ulp = 2, .doc = "e to the x."},
    {.id = 9, .name = "expm1", .inputs = {{{"x"}}}, .dtype = rule::floating, .shape = rule::broadcast,
     .max_ulp = 2, .doc = "exp(x) - 1, accurate near zero."},
    {.id = 10, .name = "log", .inputs = {{{"x"}}}, .dtype = rule::floating, .shape = rule::broadcast,
     .domain_low = 0, .max_ulp = 2, .doc = "Natural logarithm; -inf at zero, NaN below."},
    {.id = 11, .name = "log1p", .inputs = {{{"x"}}}, .dtype = rule::floating, .shape = rule::broadcast,
     .domain_low = -1, .max_ulp = 2, .doc = "log(1 + x), accurate near zero."},
    {.id = 12, .name = "sin", .inputs = {{{"x"}}}, .dtype = rule::floating, .shape = rule::broadcast,
     .max_ulp = 2, .doc = "Sine, x in radians."},
    {.id = 13, .name = "cos", .inputs = {{{"x"}}}, .dtype = rule::floating, .shape = rule::broadcast,
     .max_ulp = 2, .doc = "Cosine, x in radians."},
    {.id = 14, .name = "tan", .inputs = {{{"x"}}}, .dtype = rule::floating, .shape = rule::broadcast,
     .max_ulp = 4, .doc = "Tangent, x in radians."},
    {.id = 15, .name = "tanh", .inputs = {{{"x"}}}, .dtype = rule::floating, .shape = rule::broadcast,
     .max_ulp = 3, .doc = "Hyperbolic tangent."},
    {.id = 16, .name = "sigmoid", .inputs = {{{"x"}}}, .dtype = rule::floating, .shape = rule::broadcast,
     .max_ulp = 3, .doc = "1 / (1 + exp(-x))."},
    {.id = 17, .name = "relu", .inputs = {{{"x"}}}, .dtype = rule::arithmetic, .shape = rule::broadcast,
     .doc = "max(x, 0); NaN stays NaN."},
    {.id = 18, .name = "gelu", .inputs = {{{"x"}}}, .dtype = rule::floating, .shape = rule::broadcast,
     .max_ulp = 8, .doc = "x * (1 + erf(x / sqrt 2)) / 2, the exact form (Hendrycks and Gimpel, 2016)."},
    {.id = 19, .name = "silu", .inputs = {{{"x"}}}, .dtype = rule::floating, .shape = rule::broadcast,
     .max_ulp = 4, .doc = "x * sigmoid(x)."},
    {.id = 20, .name = "erf", .inputs = {{{"x"}}}, .dtype = rule::floating, .shape = rule::broadcast,
     .max_ulp = 2, .doc = "Error function."},
    {.id = 21, .name = "floor", .inputs = {{{"x"}}}, .dtype = rule::arithmetic, .shape = rule::broadcast,
     .doc = "Largest integer not above x; integers as they are."},
    {.id = 22, .name = "ceil", .inputs = {{{"x"}}}, .dtype = rule::arithmetic, .shape = rule::broadcast,
     .doc = "Smallest integer not below x; integers as they are."},
    {.id = 23, .name = "round", .inputs = {{{"x"}}}, .dtype = rule::arithmetic, .shape = rule::broadcast,
     .doc = "Nearest integer, halves to even."},
    {.id = 24, .name = "trunc", .inputs = {{{"x"}}}, .dtype = rule::arithmetic, .shape = rule::broadcast,
     .doc = "Nearest integer towards zero."},
    {.id = 25, .name = "isnan", .inputs = {{{"x"}}}, .dtype = rule::comparison, .shape = rule::broadcast,
     .doc = "True where x is NaN."},
    {.id = 26, .name = "isinf", .inputs = {{{"x"}}}, .dtype = rule::comparison, .shape = rule::broadcast,
     .doc = "True where x is +inf or -inf."},
    {.id = 27, .name = "logical_not", .inputs = {{{"x"}}}, .dtype = rule::comparison, .shape = rule::broadcast,
     .doc = "True where x is zero."},
};
}  // namespace

std::span<const OpRow> unary() { return kRows; }

}  // namespace bp::ops
