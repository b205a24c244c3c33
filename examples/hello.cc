// SPDX-License-Identifier: Apache-2.0
// hello.cc: Backplane from C++.
//   c++ -std=c++17 hello.cc $(pkg-config --cflags --libs backplane) && ./a.out
#include <backplane.hpp>
#include <iostream>

namespace bp = backplane;

int main() {
  for (bp::Device device : bp::devices())
    std::cout << device << "  " << bp::device_info(device).name << '\n';

  const bp::Tensor x = bp::tensor<float>({1, 2, 3, 4, 5, 6}, {2, 3});
  const bp::Tensor y = bp::matmul(x, x.t()) / 2 + 1;  // a number beside a tensor makes no tensor
  std::cout << y << '\n' << bp::sum(y, {0}) << '\n';

  try {
    bp::matmul(x, x);
  } catch (const bp::Error& e) {
    std::cout << e.status_name() << ": " << e.what() << '\n';
  }
}
