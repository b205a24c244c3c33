// SPDX-License-Identifier: Apache-2.0
#include "core/io/npy.h"

#include <charconv>

#include "core/base/error.h"
#include "core/base/shown.h"
#include "core/io/dtype_codes.h"
#include "core/io/refuse.h"

namespace bp {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

bp_dtype dtype_described(std::string_view text) {
  for (const DtypeCodes& c : kDtypeCodes) {
    const std::string_view name = c.npy ? c.npy : "";
    if (name.empty()) continue;
    if (text == name) return c.dtype;
    // One byte has no order: '<i1' and '=i1' mean '|i1'.
    if (name[0] == '|' && text.size() == name.size() && text.substr(1) == name.substr(1))
      return c.dtype;
  }
  if (!text.empty() && text[0] == '>')
    fail(BP_UNSUPPORTED, "an array of dtype '{}' is big-endian, which is not supported",
         shown(text));
  fail(BP_UNSUPPORTED, "an array of dtype '{}' is not supported", shown(text));
}

// The head is a Python dict of three known keys, as Python prints it.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  NpyHead head() {
    NpyHead head;
    bool has_dtype = false, has_order = false, has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr" && !has_dtype) {
        if (peek() == '[') fail(BP_UNSUPPORTED, "an array of records is not supported");
        head.dtype = dtype_described(string());
        has_dtype = true;
      } else if (key == "fortran_order" && !has_order) {
        head.fortran_order = truth();
        has_order = true;
      } else if (key == "shape" && !has_shape) {
        head.shape = sizes();
        has_shape = true;
      } else {
        refuse("the head of an array has '{}' twice, or where it is not known", shown(key));
      }
      if (!accept(',') && peek() != '}') broken();
    }
    if (peek() != '\0') broken();
    if (!has_dtype || !has_order || !has_shape)
      refuse("the head of an array has no {}", !has_dtype   ? "descr"
                                               : !has_order ? "fortran_order"
                                                            : "shape");
    return head;
  }

 private:
  [[noreturn]] void broken() {
    refuse("the head of an array is damaged at byte {}: '{}'", at_, shown(text_));
  }
  // Returns the next character that is no space, or 0 at the end.
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    if (at_ < text_.size() && text_[at_] == '\0') broken();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) broken();
  }
  std::string_view string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') broken();
    const size_t start = ++at_;
    const size_t end = text_.find(quote, start);
    if (end == std::string_view::npos ||
        text_.substr(start, end - start).find('\\') != std::string_view::npos)
      broken();
    at_ = end + 1;
    return text_.substr(start, end - start);
  }
  bool truth() {
    peek();
    for (const std::string_view word : {"True", "False"}) {
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return word == "True";
    }
    broken();
  }
  Dims sizes() {
    Dims shape;
    expect('(');
    while (!accept(')')) {
      peek();
      int64_t n = 0;
      const char* start = text_.data() + at_;
      const auto [end, error] = std::from_chars(start, text_.data() + text_.size(), n);
      if (error != std::errc() || n < 0) broken();
      at_ += static_cast<size_t>(end - start);
      if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // a long, as Python 2 wrote it
      if (shape.size() == BP_MAX_RANK) refuse("an array has more than {} dimensions", +BP_MAX_RANK);
      shape.push_back(n);
      if (!accept(',') && peek() != ')') broken();
    }
    return shape;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

NpyPrefix parse_npy_prefix(std::string_view first8) {
  if (first8.size() < NpyPrefix::kBytes || first8.substr(0, kMagic.size()) != kMagic)
    refuse("not an array of NumPy's");
  const int major = first8[6], minor = first8[7];
  if (major < 1 || major > 3 || minor != 0)
    fail(BP_UNSUPPORTED, "an array in version {}.{} of NumPy's format is not supported", major,
         minor);
  return {major == 1 ? size_t{2} : size_t{4}};
}

NpyHead parse_npy_head(std::string_view text) { return Parser(text).head(); }

std::string print_npy_head(const NpyHead& head) {
  const char* described = kDtypeCodes[head.dtype].npy;
  if (!described)
    fail(BP_UNSUPPORTED, "NumPy has no {}: save it as float32, or as safetensors",
         dtype_name(head.dtype));
  std::string shape;
  for (int64_t s : head.shape) shape += std::to_string(s) + ", ";
  if (head.shape.size() > 1) shape.resize(shape.size() - 2);
  if (head.shape.size() == 1) shape.pop_back();
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}",
                                 described, head.fortran_order ? "True" : "False", shape);
  const size_t before = NpyPrefix::kBytes + 2;
  text.append(63 - (before + text.size()) % 64, ' ');
  text += '\n';
  const auto n = static_cast<uint16_t>(text.size());
  return std::string(kMagic) + std::string("\1\0", 2) + static_cast<char>(n & 0xff) +
         static_cast<char>(n >> 8) + text;
}

}  // namespace bp
