// SPDX-License-Identifier: Apache-2.0
// The names that tables under "Coming from ..." use.
#include <backplane.hpp>
namespace bp = backplane;
namespace nn = bp::nn;
namespace optim = bp::optim;

int main() {
  using bp::Slice;
  bp::Tensor x = bp::tensor({{1.0, 2.0}, {3.0, 4.0}}), y = x + 1;
  bp::Tensor w = bp::ones({2, 2}, {.requires_grad = true});
  float p[4] = {};
  nn::Linear net(2, 2);
  // ...
}
