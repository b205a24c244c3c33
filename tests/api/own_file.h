// SPDX-License-Identifier: Apache-2.0
// own_file.h: a program's file, and what is loaded of it.
//
//   const OwnFile file;
//   EXPECT_EQ(attempt(bp_program_save, program.get(), file.path.c_str()).message, "");
#pragma once
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "kit/programs.h"

namespace bp_test {

using Devices = std::vector<bp_device>;

// A path that nothing else has, gone with the test.
struct OwnFile {
  static inline int made = 0;
  const std::string path = testing::TempDir() + "backplane-program-" + std::to_string(::getpid()) +
                           "-" + std::to_string(made++);
  OwnFile() = default;
  ~OwnFile() { std::remove(path.c_str()); }
  OwnFile(const OwnFile&) = delete;
  OwnFile& operator=(const OwnFile&) = delete;
};

inline Answer loaded(const std::string& path, P& program, const Devices& devices = {}) {
  bp_program* p = nullptr;
  const Answer a =
      attempt(bp_program_load, path.c_str(), devices.data(), static_cast<uint32_t>(devices.size()),
              static_cast<const bp_program_options*>(nullptr), &p);
  program.reset(p);
  return a;
}

}  // namespace bp_test
