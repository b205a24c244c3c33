// SPDX-License-Identifier: Apache-2.0
// gradient_moving.cc: gradients of ops that move elements come back from where these went.
#include "core/grad/autograd.h"
#include "core/ops/gradients.h"
#include "core/ops/index/attributes.h"
#include "core/ops/made_of.h"
#include "core/ops/reduction/attributes.h"
#include "core/tensor/traced.h"

namespace bp::ops {
namespace {

// Returns zeros of the gradient's dtype.
Ref<Tensor> zeros(GradCall& c, Span shape) {
  const Ref<Tensor>& g = c.grad();
  return filled(shape, g->dtype, zero_of(g->dtype), g->device());
}
Ref<Tensor> scattered(GradCall& c, const Ref<Tensor>& index, int64_t axis) {
  return invoke(BP_OP_SCATTER_ADD, {zeros(c, c.operand(0).shape), index, c.grad()},
                {int_value(axis)});
}
// Returns the gradient of scatter's src: 0 at places without an index, which the result lacks. Of
// index and src one may be 0-dim where the other has one dimension.
Ref<Tensor> gathered(GradCall& c, const Ref<Tensor>& index) {
  const Dims one{1}, &src = c.operand(2).shape, &all = src.empty() ? one : src,
                     &some = index->shape.empty() ? one : index->shape;
  const Ref<Tensor> g = gather(c.grad(), index, c.i64(kAxisAttrs["axis"]));
  return reshape(*placed(reshape(*g, some), all,
                         [some](const Tensor& t) {
                           Ref<Tensor> part = alias(t);
                           for (uint32_t d = 0; d < some.size(); ++d)
                             part = narrow(*part, d, 0, some[d]);
                           return part;
                         }),
                 src);
}

// Result 1 says where each value along the axis came from.
void give_to_places(GradCall& c, int64_t axis) {
  if (!c.grads[0]) return;
  c.give(0, c.operand(0).shape.empty() ? c.grad() : scattered(c, c.result(1), axis));
}

}  // namespace

void concat_back(GradCall& c) {
  const int64_t axis = wrap_dim(c.i64(kJoinAttrs["axis"]), c.grad()->rank());
  int64_t at = 0;
  for (size_t i = 0; i < c.node.operands.size(); ++i) {
    const Dims& shape = c.operand(i).shape;
    if (shape.size() == 1 && shape[0] == 0) continue;  // concat skips it
    const int64_t n = shape[static_cast<size_t>(axis)];
    if (c.wants(i)) c.give(i, narrow(*c.grad(), axis, at, n));
    at += n;
  }
}
void stack_back(GradCall& c) {
  const int64_t axis = wrap_dim(c.i64(kJoinAttrs["axis"]), c.grad()->rank());
  for (size_t i = 0; i < c.node.operands.size(); ++i)
    if (c.wants(i)) c.give(i, select(*c.grad(), axis, static_cast<int64_t>(i)));
}
void gather_back(GradCall& c) { c.give(0, scattered(c, c.in(1), c.i64(kAxisAttrs["axis"]))); }
void index_select_back(GradCall& c) {
  c.give(0, invoke(BP_OP_INDEX_ADD, {zeros(c, c.operand(0).shape), c.in(1), c.grad()},
                   {int_value(c.i64(kAxisAttrs["axis"])), float_value(1)}));
}
// What was written over has no part in the result.
void scatter_back(GradCall& c) {
  const Ref<Tensor> index = c.in(1);
  if (c.wants(0))
    c.give(0, invoke(BP_OP_SCATTER, {c.grad(), index, zeros(c, index->shape)}, c.attrs));
  if (c.wants(2)) c.give(2, gathered(c, index));
}
void scatter_add_back(GradCall& c) {
  c.give(0, c.grad());
  if (c.wants(2)) c.give(2, gathered(c, c.in(1)));
}
void index_add_back(GradCall& c) {
  c.give(0, c.grad());
  if (c.wants(2))
    c.give(2, mul(picked(c.grad(), c.in(1), c.i64(kIndexAddAttrs["axis"])),
                  c.f64(kIndexAddAttrs["alpha"])));
}
// Of equal indices the last source was written, but all of them get the gradient, as in PyTorch.
void index_copy_back(GradCall& c) {
  const Ref<Tensor> index = c.in(1);
  if (c.wants(0))
    c.give(0, invoke(BP_OP_INDEX_COPY, {c.grad(), index, zeros(c, c.operand(2).shape)}, c.attrs));
  if (c.wants(2)) {
    const Dims& source = c.operand(2).shape;  // may lack the one dimension that x has
    c.give(2, reshape(*picked(c.grad(), index, c.i64(kAxisAttrs["axis"])), source));
  }
}
void sort_back(GradCall& c) { give_to_places(c, c.i64(kSortAttrs["axis"])); }
void topk_back(GradCall& c) { give_to_places(c, c.i64(kTopkAttrs["axis"])); }
void kthvalue_back(GradCall& c) { give_to_places(c, c.i64(kKthvalueAttrs["axis"])); }

}  // namespace bp::ops
