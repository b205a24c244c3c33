// SPDX-License-Identifier: Apache-2.0
// order.h: the order in which an epoch goes through n examples. It is pure: seed and epoch give the
// same order on every machine.
#pragma once
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/philox.h"

namespace bp {

// Fisher and Yates' shuffle (Knuth, volume 2, 3.4.2, algorithm P). Place i is exchanged with
// floor(w * (i + 1) / 2^64), where w is the 64-bit word i of the stream under key `seed`. Counters
// of different epochs differ in their upper half. A generator uses none of them, because its upper
// half is 0.
inline std::vector<int64_t> epoch_order(int64_t n, bool shuffled, uint64_t seed, uint64_t epoch) {
  std::vector<int64_t> order;
  if (static_cast<size_t>(n) > order.max_size())
    fail(BP_OUT_OF_HOST_MEMORY, "the order of {} examples takes more bytes than memory can have",
         n);
  order.resize(static_cast<size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  if (!shuffled) return order;
  std::array<uint32_t, 4> words{};
  for (size_t i = order.size(); i-- > 1;) {
    if (i % 2 || i + 1 == order.size()) words = philox(seed, i / 2, epoch + 1);
    const uint64_t w =
        i % 2 ? words[2] | uint64_t{words[3]} << 32 : words[0] | uint64_t{words[1]} << 32;
    __extension__ typedef unsigned __int128 Wide;
    std::swap(order[i], order[static_cast<size_t>(Wide{w} * (i + 1) >> 64)]);
  }
  return order;
}

}  // namespace bp
