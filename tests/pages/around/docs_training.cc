// SPDX-License-Identifier: Apache-2.0
#include <backplane.hpp>
#include <iostream>
namespace bp = backplane;

int main() {
  bp::Tensor images = bp::rand({64, 8}), labels = bp::randint({64}, 3, bp::i64);
  bp::Module net = bp::nn::Linear(8, 3);
  // ...
  return finished ? 0 : 1;
}
