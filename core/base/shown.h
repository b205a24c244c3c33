// SPDX-License-Identifier: Apache-2.0
// shown.h: foreign text as it may stand in a message: of a bearable length, in one line, and UTF-8.
//
//   fail(BP_NOT_FOUND, "there is no array '{}'", shown("a\nb"));   // there is no array 'a?b'
#pragma once
#include <string>
#include <string_view>

#include "core/base/utf8.h"

namespace bp {

inline std::string shown(std::string_view text, size_t most = 120) {
  std::string out(text.substr(0, most));
  if (text.size() > most) {
    while (!out.empty() && (out.back() & 0xC0) == 0x80) out.pop_back();  // a character that was cut
    if (!out.empty() && (out.back() & 0x80)) out.pop_back();
    out += "...";
  }
  const bool readable = is_utf8(out);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || (!readable && (c & 0x80))) c = '?';
  return out;
}

}  // namespace bp
