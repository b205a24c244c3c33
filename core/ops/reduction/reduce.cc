// reduce.cc: reductions over axes. Attribute 0 is always the axes, attribute 1 keepdims.
#include "core/ops/elementwise/complex_numbers.h"
#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace reduce_rows {
namespace {
constexpr InputSpecs kX{{{"x"}}};
constexpr AttrSpecs kAxes{{ints_attr("axes"), flag_attr("keepdims", false)}};
constexpr AttrSpecs kAxesDtype{
    {ints_attr("axes"), flag_attr("keepdims", false), dtype_attr("dtype")}};
constexpr AttrSpecs kAxis{{ints_attr("axis"), flag_attr("keepdims", false)}};

// clang-format off
constexpr OpRow kRows[] = {
    {.id = 80, .name = "sum", .inputs = kX, .attrs = kAxesDtype, .layout = Layout::kReduce,
     .dtype = rule::accumulated, .shape = rule::reduce,
     .compose_complex = complex_numbers::sum, .grad = {"SumBackward0", sum_back}, .flags = kComplexToo,
     .max_ulp = 8,
     .doc = "Sum over axes (none given: all); 0 of nothing. Integers and bools are summed in i64 (u64 in u64). The order "
            "of additions depends on the shape alone, not on the number of threads; the bound holds for operands of one "
            "sign."},
    {.id = 81, .name = "mean", .inputs = kX, .attrs = kAxesDtype, .layout = Layout::kReduce,
     .dtype = rule::averaged, .shape = rule::reduce,
     .compose_complex = complex_numbers::mean, .grad = {"MeanBackward0", mean_back}, .flags = kComplexToo,
     .max_ulp = 8,
     .doc = "Mean over axes; NaN of nothing. Floating dtypes only. The bound is of sum's kind."},
    {.id = 82, .name = "prod", .inputs = kX, .attrs = kAxesDtype, .layout = Layout::kReduce,
     .dtype = rule::accumulated, .shape = rule::reduce,
     .compose_complex = complex_numbers::prod, .grad = {"ProdBackward0", prod_back, kIn0}, .flags = kComplexToo,
     .max_ulp = 32,
     .doc = "Product over axes; 1 of nothing. dtypes as sum. The bound holds up to 60 factors; each further one adds half an "
            "ULP."},
    {.id = 83, .name = "max", .inputs = kX, .attrs = kAxes, .layout = Layout::kReduce, .dtype = rule::ordered,
     .shape = rule::reduce_nonempty,
     .grad = {"AmaxBackward0", extreme_back, kIn0 | kOut0}, .doc = "Largest over axes; NaN when one is there."},
    {.id = 84, .name = "min", .inputs = kX, .attrs = kAxes, .layout = Layout::kReduce, .dtype = rule::ordered,
     .shape = rule::reduce_nonempty,
     .grad = {"AminBackward0", extreme_back, kIn0 | kOut0}, .doc = "Smallest over axes; NaN when one is there."},
    {.id = 85, .name = "argmax", .inputs = kX, .attrs = kAxis, .layout = Layout::kReduce,
     .dtype = rule::index_result, .shape = rule::reduce_nonempty,
     .grad = kNoGradient,
     .doc = "First position (i64) of the largest along axis, or in the flattened tensor when none is given; the first "
            "NaN when one is there."},
    {.id = 86, .name = "argmin", .inputs = kX, .attrs = kAxis, .layout = Layout::kReduce,
     .dtype = rule::index_result, .shape = rule::reduce_nonempty,
     .grad = kNoGradient, .doc = "First position of the smallest; see argmax."},
    {.id = 87, .name = "any", .inputs = kX, .attrs = kAxes, .layout = Layout::kReduce, .dtype = rule::comparison,
     .shape = rule::reduce,
     .compose_complex = complex_numbers::any, .grad = kNoGradient, .flags = kComplexToo,
     .doc = "True when one is not zero (NaN is not); false of nothing."},
    {.id = 88, .name = "all", .inputs = kX, .attrs = kAxes, .layout = Layout::kReduce, .dtype = rule::comparison,
     .shape = rule::reduce,
     .compose_complex = complex_numbers::all, .grad = kNoGradient, .flags = kComplexToo,
     .doc = "True when none is zero; true of nothing."},
    {.id = 89, .name = "var", .inputs = kX,
     .attrs = {{ints_attr("axes"), flag_attr("keepdims", false), float_attr("correction", 1)}},
     .layout = Layout::kReduce, .dtype = rule::deviation, .shape = rule::reduce,
     .compose_complex = complex_numbers::var, .grad = {"VarBackward0", var_back, kIn0}, .flags = kComplexToo, .max_ulp = 64,
     .doc = "Variance over axes: sum of squared distances from the mean over (n - correction), at least 0. Two passes. Of "
            "complex numbers it is real."},
};
// clang-format on
}  // namespace
}  // namespace reduce_rows

std::span<const OpRow> reduce() { return reduce_rows::kRows; }

}  // namespace bp::ops
