// SPDX-License-Identifier: Apache-2.0
// device_string.h: "cuda:1" <-> (kind name, index), as pure functions. The grammar, the order of
// checks and the texts are PyTorch's (c10/core/Device.cpp); the index is an int32, and the list of
// known kinds is ours. The whole text is [a-zA-Z_]+ ( ":" ( "0" | [1-9][0-9]* ) )? without a space,
// a sign or a leading zero.
//
//   DeviceString cuda = parse_device_string("cuda:1");     // {"cuda", 1}
//   std::string kind = format_device_string("cuda", -1);   // "cuda"
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace bp {

// The characters of the grammar, in any locale. An underscore counts as a letter.
constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct DeviceString {
  std::string_view kind;  // points into the parsed text
  int32_t index = -1;     // -1: a bare kind
};

// Throws BP_INVALID_ARGUMENT for, in this order: an empty text, a wrong form, an index that is no
// int32. It knows no kinds and does not ask whether the device exists.
DeviceString parse_device_string(std::string_view text);

// The last of the checks, made by the caller, throws "Expected one of cpu, cuda device type at
// start of device string: foo"; `known` is "cpu, cuda".
[[noreturn]] void fail_unknown_kind(std::string_view kind, std::string_view known);

// A negative index gives the bare kind.
std::string format_device_string(std::string_view kind, int32_t index);

}  // namespace bp
