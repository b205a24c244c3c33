// SPDX-License-Identifier: Apache-2.0
// report.h: the load report, and what the first use of a kind says.
//
//   EXPECT_EQ(require("broken").status, BP_UNAVAILABLE);
//   EXPECT_EQ(entry_of("broken").stage, BP_STAGE_FILE);
#pragma once
#include <string>
#include <vector>

#include "kit/devices.h"

namespace bp_test {

struct Entry {
  int32_t stage = 0;
  bp_status status = BP_OK;
  uint32_t n_devices = 0;
  std::string kind{}, path{}, version{}, cause{}, remedy{};
};

inline std::vector<Entry> report() {
  bp_report* r = nullptr;
  EXPECT_EQ(bp_report_create(&r, nullptr), BP_OK);
  std::vector<Entry> entries;
  for (uint32_t i = 0; i < bp_report_count(r); ++i) {
    bp_report_entry e{};
    e.struct_size = sizeof e;
    EXPECT_EQ(bp_report_get(r, i, &e, nullptr), BP_OK);
    entries.push_back(
        {e.stage, e.status, e.n_devices, e.kind, e.path, e.version, e.cause, e.remedy});
  }
  bp_report_release(r);
  return entries;
}

// The first entry of a kind; of a path when `path` is given.
inline Entry entry_of(const std::string& kind, const std::string& path = "") {
  for (Entry& e : report())
    if (e.kind == kind && (path.empty() || e.path == path)) return e;
  ADD_FAILURE() << "the report has no entry of kind '" << kind << "'";
  return {};
}

inline bp_kind kind(const std::string& name) { return bp_device_kind(device(name)); }

inline Answer require(const std::string& name) {
  return attempt(bp_kind_require, kind(name), static_cast<int32_t*>(nullptr));
}
inline int32_t count(const std::string& name) {
  int32_t n = -1;
  const Answer a = attempt(bp_device_count, kind(name), &n);
  EXPECT_EQ(a.status, BP_OK) << a.message;
  return n;
}

}  // namespace bp_test
