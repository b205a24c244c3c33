// SPDX-License-Identifier: Apache-2.0
// init.cc: initialisers of parameters; declared in c_nn.h.
#include "c_api.h"
#include "core/base/guard.h"
#include "core/module/initialiser.h"

using namespace bp;

namespace {

// A tensor that is written although it may be a leaf that requires a gradient.
template <class F>
bp_status fill(bp_tensor* t, bp_error** err, F&& f) {
  return guard(err, [&] {
    Tensor& x = checked(t, "t");
    f(x);
  });
}

}  // namespace

extern "C" {

bp_status bp_init_uniform(bp_tensor* t, double low, double high, bp_error** err) {
  return fill(t, err, [&](Tensor& x) { init::uniform(x, low, high); });
}
bp_status bp_init_normal(bp_tensor* t, double mean, double std, bp_error** err) {
  return fill(t, err, [&](Tensor& x) { init::normal(x, mean, std); });
}
bp_status bp_init_trunc_normal(bp_tensor* t, double mean, double std, double low, double high,
                               bp_error** err) {
  return fill(t, err, [&](Tensor& x) { init::trunc_normal(x, mean, std, low, high); });
}
bp_status bp_init_constant(bp_tensor* t, const bp_value* value, bp_error** err) {
  return fill(t, err, [&](Tensor& x) {
    need(value, "value");
    if (value->kind < BP_VALUE_I64 || value->kind > BP_VALUE_C128)
      fail(BP_INVALID_ARGUMENT, "value has kind {}, expected a number", value->kind);
    init::constant(x, *value);
  });
}
bp_status bp_init_eye(bp_tensor* t, bp_error** err) {
  return fill(t, err, [](Tensor& x) { init::eye(x); });
}
bp_status bp_init_xavier_uniform(bp_tensor* t, double gain, bp_error** err) {
  return fill(t, err, [&](Tensor& x) { init::xavier_uniform(x, gain); });
}
bp_status bp_init_xavier_normal(bp_tensor* t, double gain, bp_error** err) {
  return fill(t, err, [&](Tensor& x) { init::xavier_normal(x, gain); });
}
bp_status bp_init_kaiming_uniform(bp_tensor* t, double a, const char* mode,
                                  const char* nonlinearity, bp_error** err) {
  return fill(t, err, [&](Tensor& x) {
    init::kaiming_uniform(x, a, need(mode, "mode"), need(nonlinearity, "nonlinearity"));
  });
}
bp_status bp_init_kaiming_normal(bp_tensor* t, double a, const char* mode, const char* nonlinearity,
                                 bp_error** err) {
  return fill(t, err, [&](Tensor& x) {
    init::kaiming_normal(x, a, need(mode, "mode"), need(nonlinearity, "nonlinearity"));
  });
}
bp_status bp_init_orthogonal(bp_tensor* t, double gain, bp_error** err) {
  return fill(t, err, [&](Tensor& x) { init::orthogonal(x, gain); });
}
bp_status bp_init_gain(const char* nonlinearity, double a, double* out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    *out = init::gain_of(need(nonlinearity, "nonlinearity"), a);
  });
}

}  // extern "C"
