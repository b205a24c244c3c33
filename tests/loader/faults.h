// SPDX-License-Identifier: Apache-2.0
// faults.h: the plugins that are built wrong (faulty.c), and whether the others go on.
//
//   Session session(Start{.plugin_dirs = fault_directory("probe_fails")});
//   EXPECT_EQ(require("broken").status, BP_UNAVAILABLE);
//   expect_others_work();
#pragma once
#include <string>

#include "kit/has.h"
#include "kit/report.h"
#include "kit/session.h"
#include "kit/tensors.h"

using namespace bp_test;

inline std::string fault_directory(const std::string& fault) {
  return std::string(LOADER_FAULTS) + "/" + fault;
}
inline std::string fault_file(const std::string& fault) {
  return fault_directory(fault) + "/libbackplane_broken.so";
}

// One fault leaves every other backend working.
inline void expect_others_work() {
  EXPECT_EQ(synchronize("cpu").message, "");
  EXPECT_EQ(synchronize("null:0").message, "");
}
