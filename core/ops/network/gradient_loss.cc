// SPDX-License-Identifier: Apache-2.0
// gradient_loss.cc: the gradients of losses that their parts do not have everywhere.
#include "core/grad/autograd.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/ops/network/attributes.h"
#include "core/value/dtype.h"

namespace bp::ops {
namespace {

Ref<Tensor> widened(const Ref<Tensor>& t) { return is_narrow(t->dtype) ? as_dtype(*t, BP_F32) : t; }
Ref<Tensor> bounded_log(const Value& p) { return larger(logarithm(p), -100.0); }

}  // namespace

// w (p - t) / (p (1 - p)), where p (1 - p) counts as 1e-12 at least, as in PyTorch: sigmoids reach
// 0 and 1, at which the parts' gradients would be NaN. Halves have no such number: f32 is used.
void binary_cross_entropy_back(GradCall& c) {
  const Ref<Tensor> p = widened(c.in(0)), t = widened(c.in(1));
  Ref<Tensor> g = widened(c.grad());
  if (c.str(kLossAttrs["reduction"]) == "mean") g = div(g, static_cast<double>(p->count));
  const bool weighted = c.operand(2).dtype != BP_DTYPE_NONE;
  if (c.wants(2)) {
    const Ref<Tensor> no = bounded_log(sub(1.0, p));
    c.give(2, mul(g, sub(mul(sub(t, 1.0), no), mul(t, bounded_log(p)))));
  }
  if (weighted) g = mul(g, widened(c.in(2)));
  if (c.wants(0)) c.give(0, mul(g, div(sub(p, t), larger(mul(p, sub(1.0, p)), 1e-12))));
  if (c.wants(1)) c.give(1, mul(g, sub(bounded_log(sub(1.0, p)), bounded_log(p))));
}

}  // namespace bp::ops
