// SPDX-License-Identifier: Apache-2.0
// tool_ranges.h: the ranges of vendors' tools, which show them beside what they see themselves:
// NVTX (Nsight), roctx (ROCm's profilers) and ITT (VTune). Any thread; a thread's ranges nest.
//
//   if (open_tool_ranges("nvtx").empty()) { begin_tool_range("exp"); end_tool_range(); }
#pragma once
#include <string>
#include <string_view>

namespace bp {

// Opens the libraries that the list names, "nvtx,roctx", and no others from then on. Returns what
// is wrong: a name that is not known, a library that is not there; "" when nothing is.
std::string open_tool_ranges(std::string_view list);
void begin_tool_range(const char* name) noexcept;
void end_tool_range() noexcept;

}  // namespace bp
