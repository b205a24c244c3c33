// SPDX-License-Identifier: Apache-2.0
// asking.h: how far another member is, which its process answers (roster.h), and telling it that
// its group is broken. Any thread may ask.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/group/roster.h"

namespace bp {

struct Answer {
  // kRefused: nobody listens there. kSilent: there was no answer in time, or not the peer's.
  enum Kind : uint32_t { kIn, kBroken, kLeft, kRefused, kSilent };
  Kind kind = kSilent;
  uint64_t n_called = 0;
  std::string sentence{};  // of kBroken
  int way = -1;            // which address gave it
};

// Asks at the address of that number, or with way < 0 at one after the other.
Answer ask(const Card& whom, int way, const Secret& secret, std::chrono::milliseconds most);
// Breaks the group over there as well, unless it is broken. It is for those who are about to end,
// and answer no more.
void tell(const Card& whom, int way, const Secret& secret, std::string_view sentence,
          std::chrono::milliseconds most);

}  // namespace bp
