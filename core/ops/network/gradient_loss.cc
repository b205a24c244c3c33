// SPDX-License-Identifier: Apache-2.0
// gradient_loss.cc: the gradients of losses whose parts do not have them everywhere, or whose parts
// would each pass over all of memory.
#include "core/grad/autograd.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/ops/network/attributes.h"
#include "core/value/dtype.h"
#include "core/value/shape.h"

namespace bp::ops {
namespace {

Ref<Tensor> widened(const Ref<Tensor>& t) { return is_narrow(t->dtype) ? as_dtype(*t, BP_F32) : t; }
// Gives the operands of a loss of their difference d their gradients: `factor` times slope(d), the
// loss's derivative, times what arrived; the target that of the opposite sign. The numbers come
// first, so that the steps over many elements are neighbours and run as one.
template <class F>
void give_pair(GradCall& c, double factor, const F& slope) {
  const Ref<Tensor> x = widened(c.in(0)), t = widened(c.in(1));
  if (c.str(kLossAttrs["reduction"]) == "mean")
    factor /= static_cast<double>(numel(broadcast_shapes(x->shape, t->shape)));
  const Ref<Tensor> scale = mul(widened(c.grad()), factor), g = mul(slope(sub(x, t)), scale);
  c.give(0, g);
  if (c.wants(1)) c.give(1, negative(g));
}
Ref<Tensor> itself(const Ref<Tensor>& d) { return d; }
Ref<Tensor> within(const Ref<Tensor>& d, double bound) { return smaller(larger(d, -bound), bound); }

Ref<Tensor> bounded_log(const Value& p) { return larger(logarithm(p), -100.0); }

}  // namespace

void mse_back(GradCall& c) { give_pair(c, 2, itself); }
void l1_back(GradCall& c) { give_pair(c, 1, sign_of); }
void huber_back(GradCall& c) {
  const double delta = c.f64(kHuberAttrs["delta"]);
  give_pair(c, 1, [=](const Ref<Tensor>& d) { return within(d, delta); });
}
void smooth_l1_back(GradCall& c) {
  const double beta = c.f64(kSmoothL1Attrs["beta"]);
  if (beta == 0) return l1_back(c);
  give_pair(c, 1 / beta, [=](const Ref<Tensor>& d) { return within(d, beta); });
}

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
