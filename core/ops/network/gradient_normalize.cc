// SPDX-License-Identifier: Apache-2.0
// gradient_normalize.cc: gradients of normalisations, each of which is one row.
#include "core/grad/autograd.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/ops/network/attributes.h"
#include "core/value/dtype.h"

namespace bp::ops {
namespace {

// Returns operand i, or none where the call had none.
Value optional(GradCall& c, size_t i) {
  return c.operand(i).dtype == BP_DTYPE_NONE ? Value(bp_value{}) : Value(c.in(i));
}
// The results of such a row are the gradients of x, weight and bias.
template <size_t n>
void give_all(GradCall& c, uint32_t op, size_t weight) {
  Ref<Tensor> grads[n];
  invoke(op, {c.grad(), c.in(0), optional(c, weight)}, c.attrs, grads);
  c.give(0, grads[0]);
  for (size_t i = 1; i < n; ++i)
    if (c.wants(weight + i - 1)) c.give(weight + i - 1, grads[i]);
}

}  // namespace

void layer_norm_back(GradCall& c) { give_all<3>(c, BP_OP_LAYER_NORM_GRAD, 1); }
void rms_norm_back(GradCall& c) { give_all<2>(c, BP_OP_RMS_NORM_GRAD, 1); }
void group_norm_back(GradCall& c) { give_all<3>(c, BP_OP_GROUP_NORM_GRAD, 1); }

// The running statistics have gradients where they are what x is normalized by. Then the sums that
// are the gradients of weight and bias are, times the weight, those of the normalized x and of 1.
void batch_norm_back(GradCall& c) {
  // In training they are not read, and may have been written since.
  const bool training = c.flag(kBatchNormAttrs["training"]);
  const Value none = bp_value{}, mean = training ? none : optional(c, 1),
              var = training ? none : optional(c, 2), weight = optional(c, 3);
  Ref<Tensor> grads[3];
  invoke(BP_OP_BATCH_NORM_GRAD, {c.grad(), c.in(0), mean, var, weight}, c.attrs, grads);
  c.give(0, grads[0]);
  if (c.wants(3)) c.give(3, grads[1]);
  if (c.wants(4)) c.give(4, grads[2]);
  for (const size_t i : {1, 2}) {
    if (!c.wants(i) || training) continue;
    const Ref<Tensor> scale = inverse_root(add(var, c.f64(kBatchNormAttrs["eps"])));
    Ref<Tensor> g = negative(mul(grads[i == 1 ? 2 : 1], scale));
    if (i == 2) g = mul(mul(g, scale), 0.5);
    c.give(i, weight.value.kind == BP_VALUE_NONE ? g : mul(g, weight));
  }
}

}  // namespace bp::ops
