// SPDX-License-Identifier: Apache-2.0
// refuse.h: what readers of files throw.
#pragma once

#include <utility>

#include "core/base/error.h"

namespace bp {

// Throws for bytes that are not what their format says.
template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) {
  fail(BP_INVALID_ARGUMENT, text, std::forward<Args>(args)...);
}

// Calls body. What that throws then begins with the format and with where the bytes came from.
template <class F>
auto named(const char* format, const std::string& where, F&& body) {
  try {
    return body();
  } catch (const Error& e) {
    throw Error(e.status(), fmt::format("{} {}: {}", format, where, e.message()), e.flags());
  }
}

}  // namespace bp
