// SPDX-License-Identifier: Apache-2.0
// reduce.cc: the rows of reductions over axes.
#include "core/ops/elementwise/complex_numbers.h"
#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/reduction/attributes.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

// clang-format off
constexpr OpRow kReduceRows[] = {
    {.id = 80, .name = "sum", .inputs = kX, .attrs = kSumAttrs, .layout = Layout::kReduce,
     .dtype = rule::accumulated, .shape = rule::reduce,
     .compose_complex = complex_numbers::sum, .grad = {"SumBackward0", sum_back}, .flags = kPrimitive | kComplexToo,
     .max_ulp = 8,
     .doc = "Sum over axes (none given: all); 0 of nothing. Integers and bools are summed in i64 (u64 in u64). The order "
            "of additions depends on the shape alone, not on the number of threads; the bound holds for operands of one "
            "sign."},
    {.id = 81, .name = "mean", .inputs = kX, .attrs = kSumAttrs, .layout = Layout::kReduce,
     .dtype = rule::averaged, .shape = rule::reduce,
     .compose_complex = complex_numbers::mean, .grad = {"MeanBackward0", mean_back}, .flags = kComplexToo,
     .max_ulp = 8,
     .doc = "Mean over axes; NaN of nothing. Floating dtypes only. The bound is of sum's kind."},
    {.id = 82, .name = "prod", .inputs = kX, .attrs = kSumAttrs, .layout = Layout::kReduce,
     .dtype = rule::accumulated, .shape = rule::reduce,
     .compose_complex = complex_numbers::prod, .grad = {"ProdBackward0", prod_back, kIn0}, .flags = kComplexToo,
     .max_ulp = 32,
     .doc = "Product over axes; 1 of nothing. dtypes as sum. The bound holds up to 60 factors; each further one adds half an "
            "ULP."},
    {.id = 83, .name = "max", .inputs = kX, .attrs = kReduceAttrs, .layout = Layout::kReduce, .dtype = rule::ordered,
     .shape = rule::reduce_nonempty,
     .grad = {"AmaxBackward0", extreme_back, kIn0 | kOut0}, .flags = kPrimitive, .doc = "Largest over axes; NaN when one is there."},
    {.id = 84, .name = "min", .inputs = kX, .attrs = kReduceAttrs, .layout = Layout::kReduce, .dtype = rule::ordered,
     .shape = rule::reduce_nonempty,
     .grad = {"AminBackward0", extreme_back, kIn0 | kOut0}, .doc = "Smallest over axes; NaN when one is there."},
    {.id = 85, .name = "argmax", .inputs = kX, .attrs = kPlaceAttrs, .layout = Layout::kReduce,
     .dtype = rule::index_result, .shape = rule::reduce_nonempty,
     .grad = kNoGradient,
     .doc = "First position (i64) of the largest along axis, or in the flattened tensor when none is given; the first "
            "NaN when one is there."},
    {.id = 86, .name = "argmin", .inputs = kX, .attrs = kPlaceAttrs, .layout = Layout::kReduce,
     .dtype = rule::index_result, .shape = rule::reduce_nonempty,
     .grad = kNoGradient, .doc = "First position of the smallest; see argmax."},
    {.id = 87, .name = "any", .inputs = kX, .attrs = kReduceAttrs, .layout = Layout::kReduce, .dtype = rule::comparison,
     .shape = rule::reduce,
     .compose_complex = complex_numbers::any, .grad = kNoGradient, .flags = kComplexToo,
     .doc = "True when one is not zero (NaN is not); false of nothing."},
    {.id = 88, .name = "all", .inputs = kX, .attrs = kReduceAttrs, .layout = Layout::kReduce, .dtype = rule::comparison,
     .shape = rule::reduce,
     .compose_complex = complex_numbers::all, .grad = kNoGradient, .flags = kComplexToo,
     .doc = "True when none is zero; true of nothing."},
    {.id = 89, .name = "var", .inputs = kX,
     .attrs = kVarAttrs,
     .layout = Layout::kReduce, .dtype = rule::deviation, .shape = rule::reduce,
     .compose_complex = complex_numbers::var, .grad = {"VarBackward0", var_back, kIn0}, .flags = kComplexToo, .max_ulp = 64,
     .doc = "Variance over axes: sum of squared distances from the mean over (n - correction), at least 0. Two passes. Of "
            "complex numbers it is real."},
};
// clang-format on
}  // namespace

std::span<const OpRow> reduce_rows() { return kReduceRows; }

}  // namespace bp::ops
