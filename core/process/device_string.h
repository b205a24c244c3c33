// device_string.h: "cuda:1" <-> (kind name, index), as pure functions. Grammar, order of checks and
// texts are PyTorch's (c10/core/Device.cpp); the index is int32, the list of known kinds is ours.
//   [a-zA-Z_]+ ( ":" ( "0" | [1-9][0-9]* ) )?   over the whole text: no space, sign, leading zero
//
//   DeviceString d = parse_device_string("cuda:1");                // {"cuda", 1}
//   if (!find_kind(d.kind)) fail_unknown_kind(d.kind, "cpu, acme");  // the last of the four checks
//   format_device_string("cuda", -1);                              // "cuda"
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace bp {

// Of which the grammar is made, in any locale. A letter may be an underscore.
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct DeviceString {
  std::string_view kind;  // points into the parsed text
  int32_t index = -1;     // -1: a bare kind
};

// Throws BP_INVALID_ARGUMENT, in this order: empty text, wrong shape, an index that is no int32.
// Knows no kinds and does not ask whether the device exists.
DeviceString parse_device_string(std::string_view text);

// "Expected one of cpu, cuda device type at start of device string: foo"; known: "cpu, cuda".
[[noreturn]] void fail_unknown_kind(std::string_view kind, std::string_view known);

// index < 0 gives the bare kind.
std::string format_device_string(std::string_view kind, int32_t index);

}  // namespace bp
