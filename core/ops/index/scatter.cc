// SPDX-License-Identifier: Apache-2.0
// scatter.cc: the rows that write to places that indices or a mask name, and searchsorted.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/index/attributes.h"
#include "core/ops/made_of.h"
#include "core/value/dtype.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

void same_dtypes(Inference& f) {
  rule::cast_to(f);
  if (f.in[0].dtype != f.in[2].dtype)
    fail(BP_DTYPE_MISMATCH, "{}(): Expected self.dtype to be equal to src.dtype, got {} and {}",
         f.row.name, dtype_title(f.in[0].dtype), dtype_title(f.in[2].dtype));
}
void scatter_shape(Inference& f) {
  const Span x = f.in[0].shape, index = f.in[1].shape, src = f.in[2].shape;
  const int64_t axis = wrap_dim(f.i64(kAxisAttrs["axis"]), static_cast<int64_t>(x.size()));
  const size_t rank = dims_along_axis(x);
  if (rank != dims_along_axis(index) || rank != dims_along_axis(src))
    fail(
        BP_INVALID_ARGUMENT,
        "Index tensor must have the same number of dimensions as self and src tensor, got {}, {} and {}",
        index.size(), x.size(), src.size());
  for (size_t d = 0; d < index.size(); ++d)
    if (index[d] > (src.empty() ? 1 : src[d]) ||
        (static_cast<int64_t>(d) != axis && index[d] > x[d]))
      fail(
          BP_INVALID_ARGUMENT,
          "Expected index {} to be smaller than self {} apart from dimension {} and to be smaller size "
          "than src {}",
          format_shape(index), format_shape(x), axis, format_shape(src));
  f.out_shape[0] = Dims(x);
}
void index_add_shape(Inference& f) {
  const Span x = f.in[0].shape, index = f.in[1].shape, source = f.in[2].shape;
  const int64_t axis = wrap_dim(f.i64(kIndexAddAttrs["axis"]), static_cast<int64_t>(x.size()));
  if (index.size() > 1)
    fail(BP_INDEX_OUT_OF_RANGE, "index_add_(): Index is supposed to be a vector, but got dim: {}",
         index.size());
  factor_for(f.row, f.in[0].dtype, f.f64(kIndexAddAttrs["alpha"]));  // or it is refused
  Dims wanted(x);
  if (!x.empty()) wanted[axis] = numel(index);
  if (Dims(source) != wanted || (x.empty() && numel(index) != 1))
    fail(BP_INVALID_ARGUMENT,
         "source tensor shape must match self tensor shape, excluding the specified dimension. Got "
         "self.shape = {} source.shape = {}",
         format_shape(x), format_shape(source));
  f.out_shape[0] = Dims(x);
}
// Real and imaginary parts are added as real numbers, and each index stands for both.
void scatter_add_complex(Composer& c) {
  const Ref<Tensor> x = view_as_real(c.tensor(0)), source = view_as_real(c.tensor(2));
  Dims both = c.tensor(1).shape;
  both.push_back(2);
  const Ref<Tensor> index = expand(*unsqueeze(c.tensor(1), -1), both);
  const int64_t axis = wrap_dim(c.i64(kAxisAttrs["axis"]), c.tensor(0).rank());
  if (c.tensor(0).rank() == 0) {
    c.out[0] = c.tensor(1).count ? add(c.in[0], reshape(c.tensor(2), {})) : clone(c.tensor(0));
    return;
  }
  c.out[0] = view_as_complex(*invoke(BP_OP_SCATTER_ADD, {x, index, source}, {int_value(axis)}));
}
void index_add(Composer& c) {
  Tensor& x = c.tensor(0);
  const int64_t axis = wrap_dim(c.i64(kIndexAddAttrs["axis"]), x.rank());
  Ref<Tensor> index = as_dtype(c.tensor(1), BP_I64), source = Ref<Tensor>::share(&c.tensor(2));
  const double alpha = c.f64(kIndexAddAttrs["alpha"]);
  if (alpha != 1) source = as_dtype(*mul(source, factor_for(c.row, x.dtype, alpha)), x.dtype);
  index = x.rank() ? along(*index, x.shape, axis) : reshape(*index, {});
  c.out[0] = invoke(BP_OP_SCATTER_ADD, {c.in[0], index, source}, {int_value(axis)});
}
void index_copy(Composer& c) {
  Tensor& x = c.tensor(0);
  const Ref<Tensor> base = x.rank() ? alias(x) : reshape(x, Dims{1});
  const int64_t axis = wrap_dim(c.i64(kAxisAttrs["axis"]), base->rank());
  const Ref<Tensor> index = along(*as_dtype(c.tensor(1), BP_I64), base->shape, axis);
  const Ref<Tensor> made =
      invoke(BP_OP_SCATTER, {base, index, reshape(c.tensor(2), index->shape)}, {int_value(axis)});
  c.out[0] = reshape(*made, x.shape);
}

void fill_dtype(Inference& f) {
  if (f.in[2].is_tensor && is_complex(f.in[2].dtype) && !is_complex(f.in[0].dtype))
    fail(BP_DTYPE_MISMATCH, "value cannot be converted to type {} without overflow",
         dtype_name(f.in[0].dtype));
  rule::cast_to(f);
}
void fill_shape(Inference& f) {
  if (!f.in[0].is_tensor) fail(BP_INVALID_ARGUMENT, "masked_fill: x must be a tensor");
  if (f.in[2].is_tensor && !f.in[2].shape.empty())
    fail(
        BP_INVALID_ARGUMENT,
        "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {} dimension(s).",
        f.in[2].shape.size());
  rule::broadcast(f);
}
// Returns v, or where negative numbers wrap its size: -1 is a u8's 255, as in PyTorch.
bp_value unsigned_size(bp_dtype t, bp_value v) {
  if (is_unsigned(t) && v.kind == BP_VALUE_I64 && v.as.i64 < 0)
    v.as.i64 = -std::max(v.as.i64, -INT64_MAX);
  if (is_unsigned(t) && v.kind == BP_VALUE_F64) v.as.f64 = std::fabs(v.as.f64);
  return v;
}
// The value is converted to x's dtype first: promotion would change the other elements.
void masked_fill(Composer& c) {
  Tensor& x = c.tensor(0);
  if (c.in[2].kind != BP_VALUE_TENSOR && x.dtype != BP_BOOL &&
      !fits(x.dtype, unsigned_size(x.dtype, c.in[2])))
    fail(BP_INVALID_ARGUMENT, "value cannot be converted to type {} without overflow",
         dtype_name(x.dtype));
  if (c.in[2].kind == BP_VALUE_TENSOR)
    c.out[0] = where(c.in[1], as_dtype(c.tensor(2), x.dtype), c.in[0]);
  else if (category(number_kind(c.in[2])) <= category(x.dtype))
    c.out[0] = where(c.in[1], c.in[2], c.in[0]);
  else
    c.out[0] = where(c.in[1], filled(Dims{}, x.dtype, c.in[2], x.device()), c.in[0]);
}

constexpr AttrSpecs kSearchAttrs{flag_attr("right", false)};
void search_shape(Inference& f) {
  if (f.in[0].shape.size() != 1)
    fail(BP_INVALID_ARGUMENT, "searchsorted: sorted_sequence must be 1-D, got {}",
         format_shape(f.in[0].shape));
  f.out_shape[0] = Dims(f.in[1].shape);
}

// Counts the elements that lie before each value: slow, and no order of the sequence is needed.
void searchsorted(Composer& c) {
  const Ref<Tensor> sequence = c.wide(0), value = unsqueeze(*c.wide(1), -1);
  const bool right = c.flag(kSearchAttrs["right"]);
  Ref<Tensor> before = right ? at_most(sequence, value) : less(sequence, value);
  if (is_floating(value->dtype)) {
    Ref<Tensor> is_last = is_nan(value);  // NaN is the largest
    if (!right) is_last = both(is_last, no(is_nan(sequence)));
    before = either(before, is_last);
  }
  constexpr int64_t kLast[] = {-1};
  c.out[0] = sum(as_dtype(*before, BP_I64), kLast, /*keepdims=*/false);
}

constexpr InputSpecs kXIndexSrc{{{"x", Role::kAny}, {"index", Role::kIndex}, {"src", Role::kAny}}};

void index_copy_shape(Inference& f) {
  const Span x = f.in[0].shape, index = f.in[1].shape, source = f.in[2].shape;
  const int64_t axis = wrap_dim(f.i64(kAxisAttrs["axis"]), static_cast<int64_t>(x.size()));
  if (index.size() > 1)
    fail(BP_INDEX_OUT_OF_RANGE, "index_copy_(): Index should have dimension 1 or 0 (got {})",
         index.size());
  Dims wanted(x), given(source);  // for one index either may lack the dimension
  if (wanted.empty()) wanted.push_back(1);
  if (given.empty() && x.size() <= 1) given.push_back(1);
  wanted[static_cast<size_t>(axis)] = numel(index);
  if (given != wanted)
    fail(
        BP_INVALID_ARGUMENT,
        "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: "
        "{} at dimension {}, index of {} and source of shape {}",
        format_shape(x), axis, numel(index), format_shape(source));
  f.out_shape[0] = Dims(x);
}

// clang-format off
constexpr OpRow kScatterRows[] = {
    {.id = 192, .name = "scatter", .inputs = kXIndexSrc, .attrs = kAxisAttrs, .layout = Layout::kGeneral, .dtype = same_dtypes,
     .shape = scatter_shape, .grad = {"ScatterBackward0", scatter_back, kIn1}, .flags = kPrimitive | kUpdates,
     .doc = "x with out[.., index[.., j, ..], ..] = src[.., j, ..]; of equal indices the last wins. Indices are 0 .. size - 1, "
            "else BP_INDEX_OUT_OF_RANGE on the cpu."},
    {.id = 193, .name = "scatter_add", .inputs = kXIndexSrc, .attrs = kAxisAttrs, .layout = Layout::kGeneral,
     .dtype = same_dtypes, .shape = scatter_shape, .compose_complex = scatter_add_complex,
     .grad = {"ScatterAddBackward0", scatter_add_back, kIn1}, .flags = kPrimitive | kUpdates, .max_ulp = 4,
     .doc = "scatter that adds, in the order of j on every device. Of bools it is logical or. The bound is relative to the sum "
            "of magnitudes, for a few terms."},
    {.id = 194, .name = "index_add",
     .inputs = {{{"x", Role::kAny}, {"index", Role::kIndex}, {"source", Role::kAny}}},
     .attrs = kIndexAddAttrs, .layout = Layout::kGeneral, .dtype = same_dtypes,
     .shape = index_add_shape, .compose = index_add, .grad = {"IndexAddBackward0", index_add_back, kIn1}, .flags = kUpdates,
     .max_ulp = 4,
     .doc = "x with alpha * slice j of source added to slice index[j] along axis, in the order of j."},
    {.id = 315, .name = "index_copy", .inputs = {{{"x", Role::kAny}, {"index", Role::kIndex}, {"source", Role::kAny}}},
     .attrs = kAxisAttrs, .layout = Layout::kGeneral, .dtype = same_dtypes, .shape = index_copy_shape, .compose = index_copy,
     .grad = {"IndexCopyBackward0", index_copy_back, kIn1}, .flags = kUpdates,
     .doc = "x with slice j of source in place of slice index[j] along axis; of equal indices the last wins. Indices are 0 .. "
            "size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu."},
    {.id = 195, .name = "masked_fill",
     .inputs = {{{"x", Role::kAny}, {"mask", Role::kCondition}, {"value"}}}, .dtype = fill_dtype, .shape = fill_shape,
     .compose = masked_fill, .flags = kScalarForm, .doc = "x, and value (a number or 0-dim) where mask is true; mask and x broadcast."},
    {.id = 196, .name = "searchsorted", .inputs = {{{"sorted_sequence"}, {"values"}}},
     .attrs = kSearchAttrs, .layout = Layout::kGeneral, .dtype = rule::index_result,
     .shape = search_shape, .compose = searchsorted,
     .grad = kNoGradient,
     .doc = "For each value the first position (i64) in the sorted 1-D sequence whose element is not less than it; right: is "
            "greater. NaN is the largest."},
};
// clang-format on
}  // namespace

std::span<const OpRow> scatter_rows() { return kScatterRows; }

}  // namespace bp::ops
