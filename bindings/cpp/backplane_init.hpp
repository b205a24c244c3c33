// SPDX-License-Identifier: Apache-2.0
// backplane_init.hpp: initialisers: they fill a tensor as PyTorch's nn.init does, and are not
// recorded; formulas are in c_nn.h. Include backplane.hpp.
//
//   bp::nn::init::kaiming_uniform(net["0.weight"], 0, "fan_in", "relu");
//   bp::nn::init::constant(net["0.bias"], 0);
#ifndef BACKPLANE_INIT_HPP
#define BACKPLANE_INIT_HPP

#include "backplane_tensor.hpp"

namespace backplane {
namespace nn {
namespace init {

inline void uniform(const Tensor& t, double low = 0, double high = 1) {
  detail::Call c;
  c.done(bp_init_uniform(t.get(), low, high, &c.err));
}
inline void normal(const Tensor& t, double mean = 0, double std = 1) {
  detail::Call c;
  c.done(bp_init_normal(t.get(), mean, std, &c.err));
}
inline void trunc_normal(const Tensor& t, double mean = 0, double std = 1, double low = -2,
                         double high = 2) {
  detail::Call c;
  c.done(bp_init_trunc_normal(t.get(), mean, std, low, high, &c.err));
}
inline void constant(const Tensor& t, const Value& value) {
  detail::Call c;
  c.done(bp_init_constant(t.get(), value, &c.err));
}
inline void zeros(const Tensor& t) { constant(t, 0); }
inline void ones(const Tensor& t) { constant(t, 1); }
inline void eye(const Tensor& t) {
  detail::Call c;
  c.done(bp_init_eye(t.get(), &c.err));
}
inline void xavier_uniform(const Tensor& t, double gain = 1) {
  detail::Call c;
  c.done(bp_init_xavier_uniform(t.get(), gain, &c.err));
}
inline void xavier_normal(const Tensor& t, double gain = 1) {
  detail::Call c;
  c.done(bp_init_xavier_normal(t.get(), gain, &c.err));
}
inline void kaiming_uniform(const Tensor& t, double a = 0, const std::string& mode = "fan_in",
                            const std::string& nonlinearity = "leaky_relu") {
  detail::Call c;
  c.done(bp_init_kaiming_uniform(t.get(), a, detail::c_text(mode), detail::c_text(nonlinearity),
                                 &c.err));
}
inline void kaiming_normal(const Tensor& t, double a = 0, const std::string& mode = "fan_in",
                           const std::string& nonlinearity = "leaky_relu") {
  detail::Call c;
  c.done(bp_init_kaiming_normal(t.get(), a, detail::c_text(mode), detail::c_text(nonlinearity),
                                &c.err));
}
inline void orthogonal(const Tensor& t, double gain = 1) {
  detail::Call c;
  c.done(bp_init_orthogonal(t.get(), gain, &c.err));
}
// The gain that PyTorch recommends; a is the slope of leaky_relu.
inline double gain(const std::string& nonlinearity, double a = 0.01) {
  double out = 0;
  detail::Call c;
  c.done(bp_init_gain(detail::c_text(nonlinearity), a, &out, &c.err));
  return out;
}

}  // namespace init
}  // namespace nn
}  // namespace backplane
#endif
