// SPDX-License-Identifier: Apache-2.0
// along_axis.cc: the rows along one axis whose results are as long as the input, or k long.
#include "core/call/compose.h"
#include "core/ops/elementwise/complex_numbers.h"
#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/reduction/attributes.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

void argsort(Composer& c) {
  Ref<Tensor> out[2];
  invoke(*find_op(BP_OP_SORT), c.in, c.attrs, out);
  c.out[0] = std::move(out[1]);
}

// clang-format off
constexpr OpRow kAlongAxisRows[] = {
    {.id = 90, .name = "cumsum", .inputs = kX, .attrs = kScanAttrs,
     .layout = Layout::kRows, .dtype = rule::accumulated, .shape = rule::same,
     .compose_complex = complex_numbers::cumsum, .grad = {"CumsumBackward0", cumsum_back}, .flags = kPrimitive | kComplexToo,
     .max_ulp = 32,
     .doc = "Running sum along axis; dtypes as sum. The bound is relative to the sum of magnitudes."},
    {.id = 93, .name = "cumprod", .inputs = kX, .attrs = kScanAttrs,
     .layout = Layout::kRows, .dtype = rule::accumulated, .shape = rule::same,
     .compose_complex = complex_numbers::cumprod, .grad = {"CumprodBackward0", cumprod_back, kIn0}, .flags = kComplexToo,
     .max_ulp = 32,
     .doc = "Running product along axis; dtypes as sum. The bound holds up to 60 factors; each further one adds half an ULP."},
    {.id = 91, .name = "softmax", .inputs = kX, .attrs = kSoftmaxAttrs, .layout = Layout::kRows,
     .dtype = rule::averaged, .shape = rule::same, .grad = {"SoftmaxBackward0", softmax_back, kOut0}, .max_ulp = 16,
     .doc = "exp(x - max) / sum(exp(x - max)) along axis."},
    {.id = 92, .name = "log_softmax", .inputs = kX, .attrs = kSoftmaxAttrs, .layout = Layout::kRows,
     .dtype = rule::averaged, .shape = rule::same, .grad = {"LogSoftmaxBackward0", log_softmax_back, kOut0}, .max_ulp = 16,
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
     .shape = rule::topk_shape,
     .grad = {"TopkBackward0", topk_back, kOut1},
     .doc = "The k largest (or smallest) along axis, best first, ties by position; NaN is the largest."},
};
// clang-format on
}  // namespace

std::span<const OpRow> along_axis_rows() { return kAlongAxisRows; }

}  // namespace bp::ops
