// SPDX-License-Identifier: Apache-2.0
// initialiser.h: how parameters start. Numbers are drawn from the generator of the tensor's device
// and computed on the cpu, so that the same seed gives the same weights on every device, bit for
// bit. Nothing is recorded.
//
//   init::kaiming_uniform(*weight, std::sqrt(5.0), "fan_in", "leaky_relu");
#pragma once
#include <string_view>

#include "core/tensor/tensor.h"

namespace bp::init {

void uniform(Tensor& t, double low, double high);
void normal(Tensor& t, double mean, double std);
void trunc_normal(Tensor& t, double mean, double std, double low, double high);
void constant(Tensor& t, const bp_value& value);
void constant(Tensor& t, double value);
void eye(Tensor& t);
void xavier_uniform(Tensor& t, double gain);
void xavier_normal(Tensor& t, double gain);
void kaiming_uniform(Tensor& t, double a, std::string_view mode, std::string_view nonlinearity);
void kaiming_normal(Tensor& t, double a, std::string_view mode, std::string_view nonlinearity);
void orthogonal(Tensor& t, double gain);
double gain_of(std::string_view nonlinearity, double a);
// How many numbers each element of a result is made of (in), and how many elements each number of
// the input goes into (out). Throws for a weight of fewer than two dimensions.
struct Fans {
  double in, out;
};
Fans fans(const Tensor& weight);
// Draws uniformly from [-1 / sqrt(fan), 1 / sqrt(fan)], as PyTorch does for many layers.
void bounded(Tensor& t, double fan);

}  // namespace bp::init
