// SPDX-License-Identifier: Apache-2.0
// gradient_fft.cc: a transform is linear, so that its gradient goes back through the adjoint, which
// is the same transform with the other sign.
#include "core/grad/autograd.h"
#include "core/ops/fourier/attributes.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/tensor/traced.h"
#include "core/value/dtype.h"

namespace bp::ops {
namespace {

Ref<Tensor> c2c(const Ref<Tensor>& x, int64_t axis, bool inverse, double scale) {
  return invoke(BP_OP_FFT_C2C, {x}, {int_value(axis), flag_value(inverse), float_value(scale)});
}
int64_t axis_of(GradCall& c) { return wrap_dim(c.i64(kAlongAttrs["axis"]), c.grad()->rank()); }

}  // namespace

void fft_c2c_back(GradCall& c) {
  const bool inverse = c.flag(kC2cAttrs["inverse"]);
  c.give(0, c2c(c.grad(), axis_of(c), !inverse, c.f64(kC2cAttrs["scale"])));
}
// The half of the spectrum that was not computed is no result: its gradient is 0.
void fft_r2c_back(GradCall& c) {
  const int64_t axis = axis_of(c), half = c.grad()->shape[static_cast<size_t>(axis)];
  const Ref<Tensor> whole = placed(c.grad(), c.operand(0).shape, [axis, half](const Tensor& t) {
    return narrow(t, axis, 0, half);
  });
  const bool conj = c.flag(kR2cAttrs["conj"]);
  c.give(0, real_part(c2c(whole, axis, /*inverse=*/!conj, c.f64(kR2cAttrs["scale"]))));
}
// All elements but the first, and for an even n the last, stand for their conjugates too.
void fft_c2r_back(GradCall& c) {
  const int64_t axis = axis_of(c), n = c.i64(kC2rAttrs["n"]);
  const Ref<Tensor> g = invoke(BP_OP_FFT_R2C, {c.grad()},
                               {int_value(axis), float_value(c.f64(kC2rAttrs["scale"])),
                                flag_value(c.flag(kC2rAttrs["conj"]))});
  const Ref<Tensor> k = counted(n / 2 + 1, g->device());
  const Ref<Tensor> alone = either(equal(k, 0), equal(mul(k, 2), n));
  Dims along(g->rank(), 1);
  along[static_cast<size_t>(axis)] = -1;
  const Ref<Tensor> times =
      add(as_dtype(*invoke(BP_OP_LOGICAL_NOT, {alone}), real_of(g->dtype)), 1.0);
  c.give(0, mul(g, reshape(*times, along)));
}

}  // namespace bp::ops
