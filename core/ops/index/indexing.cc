// SPDX-License-Identifier: Apache-2.0
// indexing.cc: the rows that pick and join elements.
#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/index/attributes.h"
#include "core/ops/made_of.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {
constexpr InputSpecs kXIndex{{{"x", Role::kAny}, {"index", Role::kIndex}}};
constexpr InputSpecs kTensors{{{"tensors", Role::kList}}};

void index_select(Composer& c);
void one_hot(Composer& c);
void take_along(Composer& c);
void concat(Composer& c);
void stack(Composer& c);

// clang-format off
constexpr OpRow kIndexingRows[] = {
    {.id = 101, .name = "concat", .inputs = kTensors, .attrs = kJoinAttrs, .layout = Layout::kGeneral,
     .dtype = rule::promoted, .shape = rule::concat_shape, .compose = concat,
     .grad = {"CatBackward0", concat_back}, .doc = "Tensors joined along an axis they have; dtypes promote."},
    {.id = 102, .name = "stack", .inputs = kTensors, .attrs = kJoinAttrs, .layout = Layout::kGeneral,
     .dtype = rule::promoted, .shape = rule::stack_shape, .compose = stack,
     .grad = {"StackBackward0", stack_back}, .doc = "Tensors of one shape joined along a new axis."},
    {.id = 103, .name = "gather", .inputs = kXIndex, .attrs = kAxisAttrs, .layout = Layout::kRows,
     .dtype = rule::cast_to, .shape = rule::gather_shape,
     .grad = {"GatherBackward0", gather_back, kIn1},
     .flags = kPrimitive, .doc = "out[.., j, ..] = x[.., index[.., j, ..], ..]: index has x's rank and, off the axis, sizes no larger than x's. "
            "Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu."},
    {.id = 104, .name = "index_select", .inputs = kXIndex, .attrs = kAxisAttrs, .layout = Layout::kGeneral,
     .dtype = rule::cast_to, .shape = rule::index_select_shape, .compose = index_select,
     .grad = {"IndexSelectBackward0", index_select_back, kIn1},
     .doc = "Slices of x along axis, in the order of the 1-D index."},
    {.id = 105, .name = "take_along", .inputs = kXIndex, .attrs = kAxisAttrs, .layout = Layout::kRows,
     .dtype = rule::cast_to, .shape = rule::take_along_shape, .compose = take_along,
     .doc = "gather with x and index broadcast against each other off the axis; indices may be negative."},
    {.id = 106, .name = "one_hot", .inputs = {{{"x", Role::kIndex}}}, .attrs = {{required_int_attr("num_classes")}},
     .layout = Layout::kGeneral, .dtype = rule::one_hot_dtype, .shape = rule::one_hot_shape, .compose = one_hot,
     .grad = kNoGradient,
     .doc = "i64 with a new last axis of num_classes: 1 at x, else 0. Values outside 0 .. num_classes - 1 are errors on the "
            "cpu."},
};
// clang-format on

Ref<Tensor> new_joined(Composer& c) {
  const Inference f = infer(c.row, c.in, c.attrs);
  return new_tensor(f.out_shape[0], f.out_dtype[0], c.tensor(0).device());
}

// Makes one copy of each tensor, straight into its part of the result.
void concat(Composer& c) {
  c.out[0] = new_joined(c);
  const int64_t axis = wrap_dim(c.i64(kJoinAttrs["axis"]), c.out[0]->rank());
  int64_t at = 0;
  for (size_t i = 0; i < c.in.size(); ++i) {
    Tensor& t = c.tensor(i);
    if (t.rank() == 1 && t.count == 0) continue;  // as PyTorch: an empty 1-D tensor joins anything
    Ref<Tensor> part = narrow(*c.out[0], axis, at, t.shape[axis]);
    copy_into(*part, t, /*non_blocking=*/false);
    at += t.shape[axis];
  }
}

void stack(Composer& c) {
  c.out[0] = new_joined(c);
  const int64_t axis = wrap_dim(c.i64(kJoinAttrs["axis"]), c.out[0]->rank());
  for (size_t i = 0; i < c.in.size(); ++i) {
    Ref<Tensor> part = select(*c.out[0], axis, static_cast<int64_t>(i));
    copy_into(*part, c.tensor(i), /*non_blocking=*/false);
  }
}

// gather, the index seen along all other axes.
void index_select(Composer& c) {
  Tensor& x = c.tensor(0);
  const Ref<Tensor> index = as_dtype(c.tensor(1), BP_I64);
  const Ref<Tensor> base = x.rank() ? alias(x) : reshape(x, Dims{1});
  const int64_t axis = wrap_dim(c.i64(kAxisAttrs["axis"]), base->rank());
  c.out[0] = reshape(*gather(base, along(*index, base->shape, axis), axis), c.plan.out_shape[0]);
}

// Writes the ones, so that a kernel which checks places checks these.
void one_hot(Composer& c) {
  const Ref<Tensor> at = unsqueeze(*as_dtype(c.tensor(0), BP_I64), -1);
  const auto all = [&](Span shape, int64_t v) { return filled(shape, BP_I64, v, c.device); };
  c.out[0] =
      invoke(BP_OP_SCATTER, {all(c.plan.out_shape[0], 0), at, all(at->shape, 1)}, {int_value(-1)});
}

// gather over expanded views; a negative index counts from the end.
void take_along(Composer& c) {
  Tensor& x = c.tensor(0);
  Ref<Tensor> index = to(c.tensor(1), /*device=*/0, BP_I64, /*copy=*/false, /*non_blocking=*/false);
  const int64_t axis = wrap_dim(c.i64(kAxisAttrs["axis"]), x.rank());
  if (x.rank() == 0) {
    c.out[0] = gather(x, where(less(index, 0), add(index, 1), index), axis);
    return;
  }
  Dims shape = rule::off_axis(x.shape, index->shape, axis);
  shape[axis] = x.shape[axis];
  Ref<Tensor> wide = expand(x, shape);
  shape[axis] = index->shape[axis];
  index = expand(*index, shape);
  const Ref<Tensor> at = where(less(index, 0), add(index, x.shape[axis]), index);
  c.out[0] = gather(wide, at, axis);
}
}  // namespace

std::span<const OpRow> indexing_rows() { return kIndexingRows; }

}  // namespace bp::ops
