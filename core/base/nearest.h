// SPDX-License-Identifier: Apache-2.0
// nearest.h: which of the known names a wrong one was meant to be, for messages.
//
//   const std::string_view known[] = {"add", "mul"};
//   fail(BP_NOT_FOUND, "no op is named 'ad'; the nearest is '{}'", nearest("ad", known));
#pragma once
#include <cstddef>
#include <string_view>

namespace bp {

// The number of insertions, deletions and substitutions between a and b (Levenshtein). Only their
// first 64 bytes are compared: a name may be of any length, and a message must not take seconds.
size_t edit_distance(std::string_view a, std::string_view b);

// Returns the first of the nearest names, or "" when there are no names.
template <class Names>
std::string_view nearest(std::string_view name, const Names& names) {
  std::string_view best;
  size_t fewest = static_cast<size_t>(-1);
  for (std::string_view known : names) {
    const size_t at_least = known.size() > name.size() ? known.size() - name.size() : 0;
    if (at_least >= fewest && known.size() <= 64) continue;
    const size_t d = edit_distance(name, known);
    if (d < fewest) {
      fewest = d;
      best = known;
    }
  }
  return best;
}

}  // namespace bp
