// SPDX-License-Identifier: Apache-2.0
// main.cc: what somebody's first program is.
#include <backplane.hpp>
#include <iostream>
namespace bp = backplane;

int main() {
  const bp::Tensor x = bp::tensor<float>({1, 2, 3, 4}, {2, 2});
  std::cout << bp::matmul(x, x) << "\n";
  for (const bp_kind kind : bp::kinds())
    if (bp::device_count(kind) > 0) std::cout << bp_kind_name(kind) << "\n";
}
