// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/mutate.h"

#include <algorithm>
#include <cstring>

namespace fuzz {
namespace {

// clang-format off
constexpr uint64_t kNumbers[] = {0, 1, 2, 7, 8, 63, 64, 65, 127, 128, 255, 256, 65535, 65536, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
                                 1ull << 32, 1ull << 40, 1ull << 62, (1ull << 63) - 1, 1ull << 63, ~0ull};
// clang-format on
// clang-format off
constexpr std::string_view kJson[] = {
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000", "\\ud800", "\\u00e4", "null", "true", "-1", "1.5", "1e3", "0", "1", "65",
    "18446744073709551615", "18446744073709551616", "9223372036854775807", "4294967296", "\"F32\"", "\"F64\"", "\"BOOL\"", "\"F8_E4M3\"",
    "\"C64\"", "\"BF16\"", "\"dtype\"", "\"shape\"", "\"data_offsets\"", "\"__metadata__\"", "\"a\":{}", "[[[[[[[[", "{\"a\":{\"a\":", " ",
    "\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]", "\xff", "\xc3", "//", "/**/", "\n"};
// clang-format on
// clang-format off
constexpr std::string_view kNumpy[] = {
    "'<f8'", "'<f4'", "'|b1'", "'>f4'", "'|O'", "'<U3'", "'<c16'", "'|i1'", "True", "False", "()", "(1,)", "(3, 4)", "(4, 3)", "(0,)", "(-1,)",
    "(9223372036854775807,)", "(9223372036854775808,)", "(4294967296, 4294967296)", "(12L,)", "'descr': ", "'shape': ", "'fortran_order': ",
    "{", "}", "'", "(", ")", ",", "[('a', '<f4')]", "\x93NUMPY\1\0", "\x93NUMPY\2\0", "PK\1\2", "PK\3\4", "PK\5\6", "PK\6\6", "PK\6\7"};
// clang-format on

template <size_t N>
std::string_view any(const std::string_view (&words)[N], Random& random) {
  return words[below(random, N)];
}

void write_number(std::string& file, size_t at, Random& random) {
  const size_t width = size_t{1} << below(random, 4);
  if (at + width > file.size()) return;
  uint64_t n = kNumbers[below(random, std::size(kNumbers))];
  if (random() & 1) {  // near what was there
    std::memcpy(&n, file.data() + at, width);
    n += below(random, 17) - 8;
  }
  std::memcpy(file.data() + at, &n, width);
}

// A number in the text for another.
void write_decimal(std::string& text, size_t at, Random& random) {
  const auto digit = [&](size_t i) { return i < text.size() && text[i] >= '0' && text[i] <= '9'; };
  while (at < text.size() && !digit(at)) ++at;
  size_t end = at;
  while (digit(end)) ++end;
  if (at == end) return;
  uint64_t n = kNumbers[below(random, std::size(kNumbers))];
  if (random() & 1 && end - at < 18)
    n = std::stoull(text.substr(at, end - at)) + below(random, 5) - 2;
  text.replace(at, end - at, std::to_string(n));
}

void change(std::string& text, std::string_view other, Random& random) {
  const size_t at = below(random, text.size() + 1), n = 1 + below(random, random() % 4 ? 8 : 200);
  const bool inside = at < text.size();
  switch (below(random, 9)) {
    case 0:
      if (inside) text[at] = static_cast<char>(random());
      break;
    case 1:
      if (inside) text[at] = static_cast<char>(text[at] ^ (1 << below(random, 8)));
      break;
    case 2: write_number(text, at, random); break;
    case 3: text.resize(at); break;
    case 4: text.erase(at, n); break;
    case 5:
      text.insert(at, std::string(n, random() & 1 ? '\0' : static_cast<char>(random())));
      break;
    case 6: text.insert(below(random, text.size() + 1), text.substr(at, n)); break;
    case 7: text.insert(at, other.substr(below(random, other.size()), n)); break;
    // spliced
    default:
      text = text.substr(0, at) + std::string(other.substr(std::min(at, other.size())));
      break;
  }
}

}  // namespace

std::string mutate_bytes(std::string file, std::string_view other, Random& random) {
  for (size_t i = 1 + below(random, 8); i-- > 0;) change(file, other, random);
  return file;
}

std::string mutate_safetensors(std::string file, std::string_view other, Random& random) {
  uint64_t length = 0;
  std::memcpy(&length, file.data(), sizeof length);
  length = std::min<uint64_t>(length, file.size() - 8);
  std::string header = file.substr(8, length), data = file.substr(8 + length);
  for (size_t i = 1 + below(random, 4); i-- > 0;) {
    const size_t at = below(random, header.size() + 1);
    switch (below(random, 4)) {
      case 0: write_decimal(header, at, random); break;
      case 1: header.insert(at, any(kJson, random)); break;
      case 2: header.replace(at, below(random, 12), any(kJson, random)); break;
      default: change(header, other.substr(8), random); break;
    }
  }
  if (below(random, 4) == 0) change(data, other, random);
  if (below(random, 4)) length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + data;
}

std::string mutate_npz(std::string file, std::string_view other, Random& random) {
  for (size_t i = 1 + below(random, 4); i-- > 0;) {
    // Most of the file is data, which a checksum guards: the heads begin with P, K or a brace.
    size_t at = below(random, file.size() + 1);
    if (const size_t head = file.find_first_of("P{", at);
        head != std::string::npos && below(random, 4))
      at = head + below(random, 60);
    at = std::min(at, file.size());
    const std::string_view word = any(kNumpy, random);
    switch (below(random, 5)) {
      case 0: write_decimal(file, at, random); break;
      // nothing moves
      case 1: file.replace(at, std::min(word.size(), file.size() - at), word); break;
      case 2: file.insert(at, word); break;
      case 3: write_number(file, at, random); break;
      default: change(file, other, random); break;
    }
  }
  return file;
}

}  // namespace fuzz
