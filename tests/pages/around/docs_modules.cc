// SPDX-License-Identifier: Apache-2.0
#include <backplane.hpp>
namespace bp = backplane;

int main() {
  bp::Tensor images = bp::rand({32, 784}, {.device = "sim:1"});
  // ...
  return scores.shape() == bp::Shape{32, 10} ? 0 : 1;
}
