// SPDX-License-Identifier: Apache-2.0
// The main of the gtest programs: `--set=NAME=VALUE` puts a variable into the environment before
// anything reads it. (CTest's ENVIRONMENT property takes only one variable from
// gtest_discover_tests.)
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    char* name = argv[i] + std::strlen("--set=");
    char* equals = std::strncmp(argv[i], "--set=", 6) == 0 ? std::strchr(name, '=') : nullptr;
    if (!equals) continue;
    *equals = '\0';
    setenv(name, equals + 1, /*overwrite=*/1);
  }
  return RUN_ALL_TESTS();
}
