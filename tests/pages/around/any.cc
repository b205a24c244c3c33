// SPDX-License-Identifier: Apache-2.0
#include <backplane.hpp>
#include <iostream>
#include <span>
#include <vector>
namespace bp = backplane;
namespace nn = bp::nn;
namespace optim = bp::optim;

int main() {
  // ...
}
