// SPDX-License-Identifier: Apache-2.0
// gradient_moving.cc: elements that go elsewhere: their gradients come back from there.
#include "core/grad/autograd.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/tensor/traced.h"

namespace bp::ops {
namespace {

int64_t axis_of(GradCall& c, size_t attr, int64_t rank) { return wrap_dim(c.i64(attr), rank); }
Ref<Tensor> zeros(GradCall& c, size_t operand) {
  const Ref<Tensor>& g = c.grad();
  return filled(c.operand(operand).shape, g->dtype, zero_of(g->dtype), g->device());
}
Ref<Tensor> scattered(GradCall& c, const Ref<Tensor>& index, const Ref<Tensor>& g, int64_t axis) {
  return invoke(BP_OP_SCATTER_ADD, {zeros(c, 0), index, g}, {int_value(axis)});
}

}  // namespace

void concat_back(GradCall& c) {
  const int64_t axis = axis_of(c, 0, c.grad()->rank());
  int64_t at = 0;
  for (size_t i = 0; i < c.node.operands.size(); ++i) {
    const Dims& shape = c.operand(i).shape;
    if (shape.size() == 1 && shape[0] == 0) continue;  // it joined anything
    const int64_t n = shape[static_cast<size_t>(axis)];
    if (c.wants(i)) c.give(i, narrow(*c.grad(), axis, at, n));
    at += n;
  }
}
void stack_back(GradCall& c) {
  const int64_t axis = axis_of(c, 0, c.grad()->rank());
  for (size_t i = 0; i < c.node.operands.size(); ++i)
    if (c.wants(i)) c.give(i, select(*c.grad(), axis, static_cast<int64_t>(i)));
}
void gather_back(GradCall& c) {
  if (c.operand(0).shape.empty()) return c.give(0, c.grad());
  c.give(0, scattered(c, c.in(1), c.grad(), c.i64(0)));
}
void index_select_back(GradCall& c) {
  c.give(0, invoke(BP_OP_INDEX_ADD, {zeros(c, 0), c.in(1), c.grad()},
                   {int_value(c.i64(0)), float_value(1)}));
}
// What was written over has no part in the result.
void scatter_back(GradCall& c) {
  const Ref<Tensor> index = c.in(1);
  if (c.wants(0)) {
    const Ref<Tensor> nothing =
        filled(index->shape, c.grad()->dtype, zero_of(c.grad()->dtype), c.grad()->device());
    c.give(0, invoke(BP_OP_SCATTER, {c.grad(), index, nothing}, {int_value(c.i64(0))}));
  }
  if (c.wants(2))
    c.give(2, placed(gather(c.grad(), index, c.i64(0)), c.operand(2).shape,
                     [shape = index->shape](const Tensor& t) {
                       Ref<Tensor> part = alias(t);
                       for (uint32_t d = 0; d < shape.size(); ++d)
                         part = narrow(*part, d, 0, shape[d]);
                       return part;
                     }));
}
void scatter_add_back(GradCall& c) {
  c.give(0, c.grad());
  if (!c.wants(2)) return;
  const Ref<Tensor> index = c.in(1);
  c.give(2, placed(gather(c.grad(), index, c.i64(0)), c.operand(2).shape,
                   [shape = index->shape](const Tensor& t) {
                     Ref<Tensor> part = alias(t);
                     for (uint32_t d = 0; d < shape.size(); ++d)
                       part = narrow(*part, d, 0, shape[d]);
                     return part;
                   }));
}
void index_add_back(GradCall& c) {
  c.give(0, c.grad());
  if (c.wants(2)) c.give(2, mul(picked(c.grad(), c.in(1), c.i64(0)), c.f64(1)));
}
// Of equal indices the last one was written: the others' gradients are 0 only where indices differ,
// as PyTorch has it.
void index_copy_back(GradCall& c) {
  const Ref<Tensor> index = c.in(1);
  if (c.wants(0)) {
    const Ref<Tensor> nothing =
        filled(c.operand(2).shape, c.grad()->dtype, zero_of(c.grad()->dtype), c.grad()->device());
    c.give(0, invoke(BP_OP_INDEX_COPY, {c.grad(), index, nothing}, {int_value(c.i64(0))}));
  }
  if (c.wants(2)) c.give(2, picked(c.grad(), index, c.i64(0)));
}
// Result 1 says where each value came from.
void sort_back(GradCall& c) {
  if (!c.grads[0]) return;
  if (c.operand(0).shape.empty()) return c.give(0, c.grad());
  c.give(0, scattered(c, c.result(1), c.grad(), c.i64(0)));
}
void topk_back(GradCall& c) {
  if (!c.grads[0]) return;
  if (c.operand(0).shape.empty()) return c.give(0, c.grad());
  c.give(0, scattered(c, c.result(1), c.grad(), c.i64(1)));
}

}  // namespace bp::ops
