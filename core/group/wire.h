// SPDX-License-Identifier: Apache-2.0
// wire.h: what goes between who asks (asking.h) and who answers (roster.h), byte for byte.
#pragma once
#include <netinet/in.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/group/roster.h"

namespace bp {

constexpr size_t kMostText = 1024;
// What is asked, and behind it the sentence that is told, if there is one.
struct Question {
  std::array<uint8_t, 16> asks;
  uint32_t n_text;
};
// What an answer begins with, before its text.
struct Head {
  std::array<uint8_t, 16> answers;
  uint32_t state, n_text;
  uint64_t n_called;
  uint32_t process, reserved;
};

// In a time that does not depend on where they differ.
inline bool equal_secrets(const std::array<uint8_t, 16>& a, const std::array<uint8_t, 16>& b) {
  uint8_t differs = 0;
  for (size_t i = 0; i < a.size(); ++i) differs |= static_cast<uint8_t>(a[i] ^ b[i]);
  return differs == 0;
}

// An IPv4 address as the IPv6 one that stands for it.
inline Card::Address mapped(const in_addr& four) {
  Card::Address a{};
  a.bytes[10] = a.bytes[11] = 0xff;
  std::memcpy(a.bytes + 12, &four, sizeof four);
  return a;
}

}  // namespace bp
