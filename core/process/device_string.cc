// SPDX-License-Identifier: Apache-2.0
#include "core/process/device_string.h"

#include <charconv>

#include "core/base/error.h"

namespace bp {
namespace {

bool is_index(std::string_view digits) {
  if (digits.empty() || (digits[0] == '0' && digits.size() > 1)) return false;
  for (const char c : digits)
    if (!is_digit(c)) return false;
  return true;
}

// A message is one line and stays readable whatever it was given.
std::string_view shown(std::string_view text) { return text.substr(0, 200); }

}  // namespace

DeviceString parse_device_string(std::string_view text) {
  if (text.empty()) fail(BP_INVALID_ARGUMENT, "Device string must not be empty");
  size_t n = 0;
  while (n < text.size() && is_letter(text[n])) ++n;
  DeviceString d{text.substr(0, n), -1};
  if (n == text.size()) return d;
  const std::string_view digits = text.substr(n + 1);
  if (n == 0 || text[n] != ':' || !is_index(digits))
    fail(BP_INVALID_ARGUMENT, "Invalid device string: '{}'", shown(text));
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), d.index);
  if (parsed.ec != std::errc{})
    fail(BP_INVALID_ARGUMENT, "Could not parse device index '{}' in device string '{}'",
         shown(digits), shown(text));
  return d;
}

void fail_unknown_kind(std::string_view kind, std::string_view known) {
  fail(BP_INVALID_ARGUMENT, "Expected one of {} device type at start of device string: {}", known,
       shown(kind));
}

std::string format_device_string(std::string_view kind, int32_t index) {
  if (index < 0) return std::string(kind);
  return fmt::format("{}:{}", kind, index);
}

}  // namespace bp
