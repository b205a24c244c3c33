// SPDX-License-Identifier: Apache-2.0
// utf8.h: texts that are UTF-8 (Unicode 15, table 3-7: no surrogates, nothing overlong, nothing
// above U+10FFFF), and texts from elsewhere made so.
//
//   const std::string text = as_utf8("caf\xe9");   // caf\xe9, with the four characters \ x e 9
#pragma once
#include <string>
#include <string_view>

namespace bp {

// Returns how many bytes the character has that the text begins with, or 0 if it begins with none.
constexpr size_t character_bytes(std::string_view text) {
  const auto at = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
  if (text.empty()) return 0;
  const unsigned char first = at(0);
  const size_t n = first < 0x80   ? 1
                   : first < 0xC2 ? 0
                   : first < 0xE0 ? 2
                   : first < 0xF0 ? 3
                   : first < 0xF5 ? 4
                                  : 0;
  if (n > text.size()) return 0;
  for (size_t k = 1; k < n; ++k)
    if (at(k) < 0x80 || at(k) > 0xBF) return 0;
  if ((first == 0xE0 && at(1) < 0xA0) || (first == 0xED && at(1) > 0x9F) ||
      (first == 0xF0 && at(1) < 0x90) || (first == 0xF4 && at(1) > 0x8F))
    return 0;
  return n;
}

constexpr bool is_utf8(std::string_view text) {
  while (const size_t n = character_bytes(text)) text.remove_prefix(n);
  return text.empty();
}

// Returns the text with each byte that belongs to no character written as \xNN.
inline std::string as_utf8(std::string_view text) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t n = character_bytes(text);
    if (n)
      out += text.substr(0, n);
    else
      (out += "\\x") += {kDigits[static_cast<unsigned char>(text[0]) >> 4], kDigits[text[0] & 15]};
    text.remove_prefix(n ? n : 1);
  }
  return out;
}

// Returns as many whole characters of a UTF-8 text as fit into that many bytes.
constexpr std::string_view first_characters(std::string_view text, size_t bytes) {
  size_t n = 0;
  while (const size_t next = character_bytes(text.substr(n)))
    if (n + next <= bytes)
      n += next;
    else
      break;
  return text.substr(0, n);
}

// Puts as much of the text as fits into a field of a C struct, as UTF-8 and NUL-terminated.
template <size_t N>
void put_utf8(char (&field)[N], std::string_view text) {
  const std::string whole = as_utf8(text);
  field[first_characters(whole, N - 1).copy(field, N - 1)] = 0;
}

}  // namespace bp
