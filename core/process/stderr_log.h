// SPDX-License-Identifier: Apache-2.0
// stderr_log.h: the log on stderr, for whoever asks by BACKPLANE_LOG; without it the library prints
// nothing. The variable is a level, "debug", "info", "warning" or "error", and may name what lines
// are to be about: "debug:cuda" shows lines that begin with "cuda". At most so many lines are
// printed in a second; the next says how many were left out. Any thread.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bp {

inline constexpr uint64_t kMostLinesInASecond = 200;

// What the variable holds; nothing or "" prints nothing, and so does what is no level, but for one
// line that says so.
void choose_stderr_log(const std::optional<std::string>& wanted) noexcept;
// Prints the line if it is asked for.
void print_log(int32_t level, std::string_view text) noexcept;

}  // namespace bp
