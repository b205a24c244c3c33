// SPDX-License-Identifier: Apache-2.0
// gradient_window.cc: gradients of convolutions, whose three rows are gradients of one another, and
// of pools that take the largest.
#include "core/grad/autograd.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/ops/network/attributes.h"

namespace bp::ops {
namespace {

constexpr size_t kSpatial = 2;  // dims before the spatial ones

bp_attr size_of(Span shape) { return ints_value(shape.subspan(kSpatial)); }
// Calls one of the three rows: with the size, if it has one, and the attributes that all share.
Ref<Tensor> convolution_like(uint32_t op, GradCall& c, const Ref<Tensor>& a, const Ref<Tensor>& b,
                             const bp_attr* size) {
  SmallVec<bp_attr, 8> attrs;
  if (size) attrs.push_back(*size);
  for (const bp_attr& shared : c.attrs.last(kConvolutionAttrs.size())) attrs.push_back(shared);
  return invoke(op, {a, b}, attrs);
}
Ref<Tensor> towards_input(GradCall& c, const Ref<Tensor>& g, const Ref<Tensor>& w, Span input) {
  const bp_attr size = size_of(input);
  return convolution_like(BP_OP_CONVOLUTION_INPUT_GRAD, c, g, w, &size);
}
Ref<Tensor> towards_weight(GradCall& c, const Ref<Tensor>& g, const Ref<Tensor>& x, Span weight) {
  const bp_attr size = size_of(weight);
  return convolution_like(BP_OP_CONVOLUTION_WEIGHT_GRAD, c, g, x, &size);
}

}  // namespace

void convolution_back(GradCall& c) {
  if (c.wants(0)) c.give(0, towards_input(c, c.grad(), c.in(1), c.operand(0).shape));
  if (c.wants(1)) c.give(1, towards_weight(c, c.grad(), c.in(0), c.operand(1).shape));
}
// The row is the adjoint of a convolution: x = conv^T(grad, weight).
void convolution_input_grad_back(GradCall& c) {
  if (c.wants(0)) c.give(0, convolution_like(BP_OP_CONVOLUTION, c, c.grad(), c.in(1), nullptr));
  if (c.wants(1)) c.give(1, towards_weight(c, c.in(0), c.grad(), c.operand(1).shape));
}
void convolution_weight_grad_back(GradCall& c) {
  if (c.wants(0)) c.give(0, convolution_like(BP_OP_CONVOLUTION, c, c.in(1), c.grad(), nullptr));
  if (c.wants(1)) c.give(1, towards_input(c, c.in(0), c.grad(), c.operand(1).shape));
}

// An input without a batch gets one of 1, which max_pool_grad needs.
void max_pool_back(GradCall& c) {
  const Dims shape = c.operand(0).shape;
  const auto n = static_cast<int64_t>(c.node.row->id == BP_OP_MAX_POOL1D   ? 1
                                      : c.node.row->id == BP_OP_MAX_POOL2D ? 2
                                                                           : 3);
  const bool single = static_cast<int64_t>(shape.size()) == n + 1;
  const auto batched = [&](const Ref<Tensor>& t) { return single ? unsqueeze(*t, 0) : t; };
  c.give(0, reshape(*invoke(BP_OP_MAX_POOL_GRAD, {batched(c.grad()), batched(c.in(0))}, c.attrs),
                    shape));
}
// The gradient towards grad is what stands where each window's largest is; towards x it is 0.
void max_pool_grad_back(GradCall& c) {
  const Ref<Tensor> x = c.in(1);
  const uint32_t n = x->rank() - 2;
  Ref<Tensor> pooled[2];
  invoke(n == 1   ? BP_OP_MAX_POOL1D_WITH_INDICES
         : n == 2 ? BP_OP_MAX_POOL2D_WITH_INDICES
                  : BP_OP_MAX_POOL3D_WITH_INDICES,
         {x}, c.attrs, pooled);
  const auto flat = [&](const Ref<Tensor>& t) {
    return reshape(*t, Dims{t->shape[0], t->shape[1], numel(Span(t->shape).subspan(kSpatial))});
  };
  c.give(0, reshape(*gather(flat(c.grad()), flat(pooled[1]), 2), pooled[1]->shape));
  if (c.wants(1)) c.give(1, zeros_like(x));
}

}  // namespace bp::ops
