// SPDX-License-Identifier: Apache-2.0
// devices.h: devices by their text, and what was counted on them.
//
//   bp_device d = device("sim:1");
//   EXPECT_EQ(memory_of(d).n_live, 0u);
#pragma once
#include <string>

#include "kit/answer.h"

namespace bp_test {

const bp_device kCpu = bp_device_make(BP_KIND_CPU, -1);

inline bp_device device(const std::string& text) {
  bp_device d = 0;
  const Answer a = attempt(bp_device_parse, text.c_str(), &d);
  EXPECT_EQ(a.status, BP_OK) << a.message;
  return d;
}

inline bool has_kind(const std::string& name) {
  return bp_kind_require(bp_device_kind(device(name)), nullptr, nullptr) >= 0;
}

// Opens the device, too.
inline Answer synchronize(const std::string& text) { return attempt(bp_synchronize, device(text)); }

inline bp_device_info info_of(bp_device d) {
  bp_device_info info{};
  info.struct_size = sizeof info;
  const Answer a = attempt(bp_device_get_info, d, &info);
  EXPECT_EQ(a.status, BP_OK) << a.message;
  return info;
}

inline bp_memory_stats memory_of(bp_device d) {
  bp_memory_stats s{};
  s.struct_size = sizeof s;
  const Answer a = attempt(bp_memory_get_stats, d, &s);
  EXPECT_EQ(a.status, BP_OK) << a.message;
  return s;
}

// What left `from` for `into` so far.
inline bp_transfer_stats crossed(bp_device from, bp_device into) {
  bp_transfer_stats s{};
  s.struct_size = sizeof s;
  EXPECT_EQ(bp_transfer_get_stats(from, into, &s, nullptr), BP_OK);
  return s;
}

}  // namespace bp_test
