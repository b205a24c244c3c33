// SPDX-License-Identifier: Apache-2.0
// runtime.h: the plugin that is verified, and the library with it alone (and the cpu).
//
//   Runtime runtime(subject, findings);
//   bp::Tensor x = bp::ones({4}, BP_F32, runtime.device());
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "backplane.hpp"
#include "verify/findings.h"

namespace verifier {

namespace bp = backplane;

struct Subject {
  std::string kind;
  std::string file{};              // absolute
  bool named = false;              // by its file: the library takes this file and no other
  std::int32_t index = 0;          // of the device
  std::vector<std::string> ops{};  // patterns of fnmatch; none: every op
};

// One run of the library, from bp_init to bp_shutdown. What the library logs as an error, such as
// an exception that left a function without a status, is a failure of the part.
class Runtime {
 public:
  Runtime(const Subject& subject, Findings& findings);
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  bp::Device device() const { return device_; }
  // Another device of the kind; the same where there is one alone.
  bp::Device other() const { return other_; }
  // The host reads and writes the device's memory, which other programs use too.
  bool is_host() const;
  bool serves(const char* op, bp_dtype dtype) const;

 private:
  Findings& findings_;
  bp::Device device_, other_;
};

}  // namespace verifier
