// SPDX-License-Identifier: Apache-2.0
// count_threads: prints how many threads this process has after large ops on the cpu, as the kernel
// counts them, and how many the library says that a call may use.
#include <cstdio>
#include <filesystem>
#include <iterator>

#include "backplane.hpp"

int main() {
  namespace bp = backplane;
  const bp::Tensor x = bp::ones({4096, 4096}, BP_F32, "cpu");
  bp::exp(x);
  bp::matmul(x.narrow(1, 0, 64), x.narrow(0, 0, 64));
  const auto tasks = std::filesystem::directory_iterator("/proc/self/task");
  std::printf("%td %d\n", std::distance(begin(tasks), end(tasks)), bp_get_num_threads());
}
