// SPDX-License-Identifier: Apache-2.0
// along_axis.cc: the rows along one axis whose results are as long as the input, or k long.
#include "core/ops/elementwise/complex_numbers.h"
#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/ops/reduction/attributes.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

void argsort(Composer& c) {
  Ref<Tensor> out[2];
  invoke(*find_op(BP_OP_SORT), c.in, c.attrs, out);
  c.out[0] = std::move(out[1]);
}

// Returns x less the largest along the axis, and exp(of that).
struct FromTheTop {
  Ref<Tensor> distance, weight, sum;
};
FromTheTop from_the_top(const Composer& c) {
  const Ref<Tensor> x = c.wide(0);
  const int64_t axes[] = {c.i64(kSoftmaxAttrs["axis"])};
  if (x->count == 0) return {x, x, filled(Dims{}, x->dtype, 1, c.device)};
  const Ref<Tensor> distance = sub(x, reduced(BP_OP_MAX, x, axes, /*keepdims=*/true));
  const Ref<Tensor> weight = exponential(distance);
  return {distance, weight, sum(weight, axes, /*keepdims=*/true)};
}
void softmax(Composer& c) {
  const FromTheTop f = from_the_top(c);
  c.out[0] = div(f.weight, f.sum);
}
void log_softmax(Composer& c) {
  const FromTheTop f = from_the_top(c);
  c.out[0] = sub(f.distance, logarithm(f.sum));
}

void topk(Composer& c) {
  Ref<Tensor> sorted[2];
  const int64_t axis = c.i64(kTopkAttrs["axis"]);
  const bool largest = c.flag(kTopkAttrs["largest"]);
  invoke(BP_OP_SORT, {c.in[0]}, {int_value(axis), flag_value(largest)}, sorted);
  for (size_t i = 0; i < 2; ++i)
    c.out[i] = sorted[i]->rank() ? narrow(*sorted[i], axis, 0, c.i64(kTopkAttrs["k"])) : sorted[i];
}
void kthvalue(Composer& c) {
  Ref<Tensor> sorted[2];
  const int64_t axis = c.i64(kKthvalueAttrs["axis"]), k = c.i64(kKthvalueAttrs["k"]);
  invoke(BP_OP_SORT, {c.in[0]}, {int_value(axis), flag_value(false)}, sorted);
  for (size_t i = 0; i < 2; ++i)
    c.out[i] = sorted[i]->rank() ? narrow(*sorted[i], axis, k - 1, 1) : sorted[i];
}

// clang-format off
constexpr OpRow kAlongAxisRows[] = {
    {.id = 90, .name = "cumsum", .inputs = kX, .attrs = kScanAttrs,
     .layout = Layout::kRows, .dtype = rule::accumulated, .shape = rule::same,
     .compose_complex = complex_numbers::cumsum, .grad = {"CumsumBackward0", cumsum_back}, .flags = kPrimitive | kComplexToo,
     .max_ulp = 32,
     .doc = "Running sum along axis; dtypes as sum. The bound is relative to the sum of magnitudes."},
    {.id = 93, .name = "cumprod", .inputs = kX, .attrs = kScanAttrs,
     .layout = Layout::kRows, .dtype = rule::accumulated, .shape = rule::same, .compose = complex_numbers::cumprod, .grad = {"CumprodBackward0", cumprod_back, kIn0}, .flags = kComplexToo,
     .max_ulp = 32,
     .doc = "Running product along axis; dtypes as sum. The bound holds up to 60 factors; each further one adds half an ULP."},
    {.id = 91, .name = "softmax", .inputs = kX, .attrs = kSoftmaxAttrs, .layout = Layout::kRows,
     .dtype = rule::averaged, .shape = rule::same, .compose = softmax, .grad = {"SoftmaxBackward0", softmax_back, kOut0}, .max_ulp = 16,
     .doc = "exp(x - max) / sum(exp(x - max)) along axis."},
    {.id = 92, .name = "log_softmax", .inputs = kX, .attrs = kSoftmaxAttrs, .layout = Layout::kRows,
     .dtype = rule::averaged, .shape = rule::same, .compose = log_softmax, .grad = {"LogSoftmaxBackward0", log_softmax_back, kOut0}, .max_ulp = 16,
     .doc = "x - max - log(sum(exp(x - max))) along axis. The bound is relative to the largest term."},
    {.id = 109, .name = "sort", .inputs = kX, .attrs = kSortAttrs,
     .outputs = {"values", "indices"}, .layout = Layout::kRows, .dtype = rule::with_indices, .shape = rule::same,
     .grad = {"SortBackward0", sort_back, kOut1},
     .flags = kPrimitive, .doc = "Stable sort along axis; NaN is the largest. indices: where each value came from (i64)."},
    {.id = 110, .name = "argsort", .inputs = kX,
     .attrs = kSortAttrs, .layout = Layout::kRows,
     .dtype = rule::index_result, .shape = rule::same, .compose = argsort,
     .grad = kNoGradient, .doc = "The indices of sort."},
    {.id = 111, .name = "topk", .inputs = kX,
     .attrs = kTopkAttrs,
     .outputs = {"values", "indices"}, .layout = Layout::kRows, .dtype = rule::with_indices,
     .shape = rule::topk_shape, .compose = topk,
     .grad = {"TopkBackward0", topk_back, kOut1},
     .doc = "The k largest (or smallest) along axis, best first, ties by position; NaN is the largest."},
    {.id = 148, .name = "kthvalue", .inputs = kX,
     .attrs = kKthvalueAttrs,
     .outputs = {"values", "indices"}, .layout = Layout::kRows, .dtype = rule::with_indices,
     .shape = rule::kthvalue_shape, .compose = kthvalue,
     .grad = {"KthvalueBackward0", kthvalue_back, kOut1},
     .doc = "The k-th least element along axis, which stays with size 1, and its place; k counts from 1, ties by position, NaN is "
            "the largest."},
};
// clang-format on
}  // namespace

std::span<const OpRow> along_axis_rows() { return kAlongAxisRows; }

}  // namespace bp::ops
