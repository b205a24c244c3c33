// SPDX-License-Identifier: Apache-2.0
// offer.h: with what a member would take part in exchanges between devices. Members send each other
// their offers as bytes, and each finds the same reason why it cannot be, if there is one. Pure.
//
//   std::vector<Offer> all(2);   // one from each member, by rank
//   if (const std::string why = refusal(all); !why.empty()) fail_text(BP_UNSUPPORTED, why);
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

namespace bp {

struct Offer {
  char why_not[256] = {};  // "" where this member can
  char kind[32] = {};
  char library[64] = {};  // with its version, which all members share
  char device[64] = {};   // "cuda:0"
  char uuid[64] = {};     // of the device; "" where it has none
  char pci[64] = {};      // tells devices of one machine apart that have no uuid
  uint64_t machine = 0;
  uint64_t follows = 0;  // why_not is that another member does not
};
static_assert(std::is_trivially_copyable_v<Offer>);

// Copies as much of the text as there is room for.
template <size_t n>
void put_text(char (&to)[n], std::string_view text) {
  to[text.copy(to, n - 1)] = '\0';
}

// "" when all can, else the first reason: "ranks 0 and 1 have the same device (GPU-...)".
std::string refusal(std::span<const Offer> by_rank);

}  // namespace bp
