// SPDX-License-Identifier: Apache-2.0
// utf8.h: whether a text is UTF-8 (Unicode 15, table 3-7: no surrogates, nothing overlong,
// nothing above U+10FFFF).
#pragma once
#include <string_view>

namespace bp {

constexpr bool is_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const auto at = [&](size_t k) { return static_cast<unsigned char>(text[i + k]); };
    const unsigned char first = at(0);
    const size_t n = first < 0x80   ? 1
                     : first < 0xC2 ? 0
                     : first < 0xE0 ? 2
                     : first < 0xF0 ? 3
                     : first < 0xF5 ? 4
                                    : 0;
    if (n == 0 || n > text.size() - i) return false;
    for (size_t k = 1; k < n; ++k)
      if (at(k) < 0x80 || at(k) > 0xBF) return false;
    if ((first == 0xE0 && at(1) < 0xA0) || (first == 0xED && at(1) > 0x9F) ||
        (first == 0xF0 && at(1) < 0x90) || (first == 0xF4 && at(1) > 0x8F))
      return false;
    i += n;
  }
  return true;
}

}  // namespace bp
