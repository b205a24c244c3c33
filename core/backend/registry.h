// SPDX-License-Identifier: Apache-2.0
// registry.h: the backends of this process: which plugin files were found, which were tried, how
// far each came. A backend is loaded at the first use of its kind and stays until shutdown. A
// fault stays with its reason and leaves every other backend alone. Any thread may call these; all
// take loader_mutex().
//
//   Backend& b = require_backend(BP_KIND_CPU);   // or throws: file, stage, cause, remedy
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/device/device.h"

namespace bp {

// Returns the kinds that can be asked for: cpu first, then those for which a file or an alias was
// found. Loads nothing.
std::vector<bp_kind> all_kinds();
// Returns what did not answer the last search for plugins, so that kinds may be missing from it
// until the next use, which searches again; "" after a search that saw everything.
std::string doubt_of_search();
// Returns the backend of a kind, loaded on first use. Throws BP_UNAVAILABLE with the whole reason,
// or BP_NOT_FOUND for a kind that nothing offers.
Backend& require_backend(bp_kind kind);
// The same, but returns nullptr when the backend cannot be used or nothing offers the kind.
Backend* try_backend(bp_kind kind);
// Returns the backend of a kind if it is loaded; loads nothing. Throws BP_NOT_FOUND for a number
// that no kind has.
Backend* loaded_backend(bp_kind kind);
// Calls visit for every loaded backend; loads nothing.
void each_backend(const std::function<void(Backend&)>& visit);

struct ReportLine {
  int32_t stage = BP_STAGE_FOUND;
  bp_status status = BP_OK;
  uint32_t n_devices = 0;
  uint64_t nanoseconds = 0;
  std::string kind, path, version, cause, remedy;
};
// Returns a snapshot of the load report; loads nothing.
std::vector<ReportLine> load_report();
const char* stage_name(int32_t stage) noexcept;

// For shutdown: forgets every file and fault, and hands the loaded backends over.
std::vector<std::unique_ptr<Backend>> take_backends();
// For the unloading of a kind: searches the directories again, keeps what the other kinds found at
// their first use, and hands over this kind's backend if it was loaded.
std::vector<std::unique_ptr<Backend>> take_backends(bp_kind kind);

}  // namespace bp
