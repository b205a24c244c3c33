// SPDX-License-Identifier: Apache-2.0
// reduce.cc: the rows of reductions over axes, and what is composed of sum and max.
#include <algorithm>

#include "core/ops/elementwise/complex_numbers.h"
#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/ops/reduction/attributes.h"
#include "core/value/dtype.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

// Returns how many elements of x meet in each element of the result.
int64_t group_size(const Tensor& x, Span axes) {
  int64_t n = 1;
  for (const int64_t axis : reduced_axes(axes, x.rank())) n *= x.shape[axis];
  return n;
}

void mean_of_real(Composer& c) {
  const Span axes = c.ints(kReduceAttrs["axes"]);
  const Ref<Tensor> x = c.wide(0);
  c.out[0] = div(sum(x, axes, c.flag(kReduceAttrs["keepdims"])),
                 static_cast<double>(group_size(*x, axes)));
}
void sum_square(Composer& c) {
  c.out[0] =
      sum(squared(c.wide(0)), c.ints(kReduceAttrs["axes"]), c.flag(kReduceAttrs["keepdims"]));
}
void var_of_real(Composer& c) {
  const Ref<Tensor> x = c.wide(0);
  const Span axes = c.ints(kReduceAttrs["axes"]);
  const double n = static_cast<double>(group_size(*x, axes));
  const Ref<Tensor> distance = sub(x, mean(x, axes, /*keepdims=*/true));
  c.out[0] = div(sum(mul(distance, distance), axes, c.flag(kReduceAttrs["keepdims"])),
                 std::max(n - c.f64(kVarAttrs["correction"]), 0.0));
}

// Returns numbers in the reverse order: -x, or of integers ~x, because the least has no negative.
Ref<Tensor> reversed(const Ref<Tensor>& x) {
  return x->dtype == BP_BOOL     ? no(x)
         : is_floating(x->dtype) ? negative(x)
                                 : invoke(BP_OP_BITWISE_NOT, {x});
}
Ref<Tensor> least(const Ref<Tensor>& x, Span axes, bool keepdims) {
  return reversed(reduced(BP_OP_MAX, reversed(x), axes, keepdims));
}
void min(Composer& c) {
  c.out[0] = least(c.wide(0), c.ints(kReduceAttrs["axes"]), c.flag(kReduceAttrs["keepdims"]));
}

// Returns the first position of the largest: there what is left of the axis is longest.
Ref<Tensor> first_place(const Composer& c, const Ref<Tensor>& x, const Ref<Tensor>& most,
                        int64_t axis) {
  Ref<Tensor> hit = equal(x, most);
  if (is_floating(x->dtype)) hit = either(hit, is_nan(x));  // where one is there, it is `most` too
  const int64_t n = x->shape[axis];
  Dims line;
  for (uint32_t d = 0; d < x->rank(); ++d) line.push_back(d == axis ? n : 1);
  const Ref<Tensor> left = reshape(*sub(n, counted(n, c.device)), line);
  const int64_t axes[] = {axis};
  return reshape(*sub(n, reduced(BP_OP_MAX, where(hit, left, 0), axes, /*keepdims=*/false)),
                 c.plan.out_shape[0]);
}
template <bool kLeast>
void place(Composer& c) {
  Ref<Tensor> x = c.wide(0);
  const Span given = c.ints(kPlaceAttrs["axis"]);
  const bool is_flat = given.empty() || x->rank() == 0;
  if (is_flat) x = reshape(*x, Dims{x->count});
  const int64_t axes[] = {is_flat ? 0 : wrap_dim(given[0], x->rank())};
  c.out[0] = first_place(
      c, x, kLeast ? least(x, axes, true) : reduced(BP_OP_MAX, x, axes, /*keepdims=*/true),
      axes[0]);
}

// Returns how many elements are zero, or are not.
Ref<Tensor> count_of(const Composer& c, bool zero) {
  const Ref<Tensor> x = c.wide(0);
  const Ref<Tensor> counts = zero ? equal(x, zero_of(x->dtype)) : unequal(x, zero_of(x->dtype));
  return sum(as_dtype(*counts, BP_I64), c.ints(kReduceAttrs["axes"]),
             c.flag(kReduceAttrs["keepdims"]));
}
void any(Composer& c) { c.out[0] = unequal(count_of(c, /*zero=*/false), 0); }
void all(Composer& c) { c.out[0] = equal(count_of(c, /*zero=*/true), 0); }

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
     .dtype = rule::averaged, .shape = rule::reduce, .compose = mean_of_real,
     .compose_complex = complex_numbers::mean, .grad = {"MeanBackward0", mean_back}, .flags = kComplexToo,
     .max_ulp = 8,
     .doc = "Mean over axes; NaN of nothing. Floating dtypes only. The bound is of sum's kind."},
    {.id = 354, .name = "sum_square", .inputs = kX, .attrs = kReduceAttrs, .layout = Layout::kReduce,
     .dtype = rule::floating, .shape = rule::reduce, .compose = sum_square,
     .grad = {"SumSquareBackward0", sum_square_back, kIn0}, .max_ulp = 10,
     .doc = "Sum of squares over axes; 0 of nothing. It is computed as sum is, and a square may leave the dtype's range, that of f32 for "
            "halves."},
    {.id = 82, .name = "prod", .inputs = kX, .attrs = kSumAttrs, .layout = Layout::kReduce,
     .dtype = rule::accumulated, .shape = rule::reduce, .compose = complex_numbers::prod, .grad = {"ProdBackward0", prod_back, kIn0}, .flags = kComplexToo,
     .max_ulp = 32,
     .doc = "Product over axes; 1 of nothing. dtypes as sum. The bound holds up to 60 factors; each further one adds half an "
            "ULP."},
    {.id = 83, .name = "max", .inputs = kX, .attrs = kReduceAttrs, .layout = Layout::kReduce, .dtype = rule::ordered,
     .shape = rule::reduce_nonempty,
     .grad = {"AmaxBackward0", extreme_back, kIn0 | kOut0}, .flags = kPrimitive, .doc = "Largest over axes; NaN when one is there."},
    {.id = 84, .name = "min", .inputs = kX, .attrs = kReduceAttrs, .layout = Layout::kReduce, .dtype = rule::ordered,
     .shape = rule::reduce_nonempty, .compose = min,
     .grad = {"AminBackward0", extreme_back, kIn0 | kOut0}, .doc = "Smallest over axes; NaN when one is there."},
    {.id = 85, .name = "argmax", .inputs = kX, .attrs = kPlaceAttrs, .layout = Layout::kReduce,
     .dtype = rule::index_result, .shape = rule::reduce_nonempty, .compose = place</*kLeast=*/false>,
     .grad = kNoGradient,
     .doc = "First position (i64) of the largest along axis, or in the flattened tensor when none is given; the first "
            "NaN when one is there."},
    {.id = 86, .name = "argmin", .inputs = kX, .attrs = kPlaceAttrs, .layout = Layout::kReduce,
     .dtype = rule::index_result, .shape = rule::reduce_nonempty, .compose = place</*kLeast=*/true>,
     .grad = kNoGradient, .doc = "First position of the smallest; see argmax."},
    {.id = 87, .name = "any", .inputs = kX, .attrs = kReduceAttrs, .layout = Layout::kReduce, .dtype = rule::comparison,
     .shape = rule::reduce, .compose = any,
     .compose_complex = complex_numbers::any, .grad = kNoGradient, .flags = kComplexToo,
     .doc = "True when one is not zero (NaN is not); false of nothing."},
    {.id = 88, .name = "all", .inputs = kX, .attrs = kReduceAttrs, .layout = Layout::kReduce, .dtype = rule::comparison,
     .shape = rule::reduce, .compose = all,
     .compose_complex = complex_numbers::all, .grad = kNoGradient, .flags = kComplexToo,
     .doc = "True when none is zero; true of nothing."},
    {.id = 89, .name = "var", .inputs = kX,
     .attrs = kVarAttrs,
     .layout = Layout::kReduce, .dtype = rule::deviation, .shape = rule::reduce, .compose = var_of_real,
     .compose_complex = complex_numbers::var, .grad = {"VarBackward0", var_back, kIn0}, .flags = kComplexToo, .max_ulp = 64,
     .doc = "Variance over axes: sum of squared distances from the mean over (n - correction), at least 0. Two passes. Of "
            "complex numbers it is real."},
};
// clang-format on
}  // namespace

std::span<const OpRow> reduce_rows() { return kReduceRows; }

}  // namespace bp::ops
