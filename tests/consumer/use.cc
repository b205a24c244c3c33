// SPDX-License-Identifier: Apache-2.0
// use.cc: a C++ program of somebody else's over the installed binding.
#include <backplane/backplane.hpp>
#include <iostream>

int main() {
  namespace bp = backplane;
  const bp::Tensor sum = bp::ones({2, 3}) + 1;
  std::cout << sum << "\n";
  try {
    (void)(sum + bp::ones({4, 5}));
  } catch (const bp::Error& e) {
    std::cout << e.what() << "\n";
    return 0;
  }
  return 1;
}
