// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest.h"

#include <algorithm>
#include <utility>

namespace bp {

size_t edit_distance(std::string_view a, std::string_view b) {
  constexpr size_t kMost = 64;
  a = a.substr(0, kMost);
  b = b.substr(0, kMost);
  const size_t width = b.size();
  size_t row[kMost + 1];
  for (size_t j = 0; j <= width; ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 1; j <= width; ++j) {
      const size_t best = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = std::exchange(row[j], best);
    }
  }
  return row[width];
}

}  // namespace bp
