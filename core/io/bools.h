// SPDX-License-Identifier: Apache-2.0
// bools.h: what a file says is bool must be 0 or 1: any other byte is a sign of damage. Of memory
// that other programs share this is not asked; there each byte but 0 is true.
#pragma once
#include <algorithm>
#include <span>
#include <string_view>

#include "core/base/error.h"
#include "core/base/shown.h"

namespace bp {

inline void check_bools(std::string_view name, std::span<const char> bytes) {
  const auto bad = std::find_if(bytes.begin(), bytes.end(), [](char c) { return c & ~1; });
  if (bad != bytes.end())
    fail(BP_INVALID_ARGUMENT, "tensor '{}' has a bool of value {}", shown(name),
         static_cast<unsigned char>(*bad));
}

}  // namespace bp
