// SPDX-License-Identifier: Apache-2.0
// use.cc: a C++ program of somebody else's over the installed binding.
#include <backplane/backplane.hpp>
#include <iostream>

// Names that the core has too, which is none of this program's business.
namespace bp {
int op_table();
int op_table() { return 1; }
}  // namespace bp

int main() {
  const int own = bp::op_table();
  namespace bp = backplane;
  const bp::Tensor sum = bp::ones({2, 3}) + own;
  std::cout << sum << "\n";
  try {
    (void)(sum + bp::ones({4, 5}));
  } catch (const bp::Error& e) {
    std::cout << e.what() << "\n";
    return 0;
  }
  return 1;
}
