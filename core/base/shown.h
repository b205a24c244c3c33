// SPDX-License-Identifier: Apache-2.0
// shown.h: foreign text as it may stand in a message: of a bearable length, in one line, and UTF-8.
//
//   fail(BP_NOT_FOUND, "there is no array '{}'", shown("a\nb"));   // there is no array 'a?b'
#pragma once
#include <string>
#include <string_view>

#include "core/base/utf8.h"

namespace bp {

constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

inline std::string shown(std::string_view text, size_t most = 120) {
  const std::string whole =
      as_utf8(text.substr(0, most + 4));  // a character has at most four bytes
  std::string out(first_characters(whole, most));
  if (out.size() < whole.size()) out += "...";
  for (char& c : out)
    if (is_control(c)) c = '?';
  return out;
}

}  // namespace bp
