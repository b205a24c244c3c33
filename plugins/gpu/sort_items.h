// SPDX-License-Identifier: Apache-2.0
// sort_items.h: elements as items whose plain order is the order asked for. An item is a key and
// the position it came from; keys are unsigned integers in the order of the values. As the position
// decides between equal keys, no two items of a row are equal, and any sort of items is a stable
// sort of values.
//
//   const KeyRule<uint32_t> rule = key_rule<uint32_t>(BP_F32, /*descending=*/false);
//   Narrow item = Narrow::of(rule.key(x[i]), i);
//   n_before = below(sorted, 0, n, item);
#pragma once
#include "gpu/kernel.h"

namespace bp_gpu {

// How the bits of an element become its key: NaN is the largest and all NaNs are equal, as are the
// two zeros. U: the unsigned integer of the element's size.
template <class U>
struct KeyRule {
  static constexpr U kSign = static_cast<U>(U{1} << (8 * sizeof(U) - 1)),
                     kAll = static_cast<U>(~U{0});
  bool is_float;
  U largest;  // magnitude, above which are NaNs; of bools 1, as any byte but 0 may be true
  U flip;     // integers: the sign, if there is one; everything when descending

  GPU_FN U key(U u) const {
    if (!is_float) return static_cast<U>((u < largest ? u : largest) ^ flip);
    const U magnitude = static_cast<U>(u & (kSign - 1));
    U key = static_cast<U>(u & kSign ? ~u : u | kSign);
    if (magnitude == 0) key = kSign;
    if (magnitude > largest) key = kAll;
    return static_cast<U>(key ^ flip);
  }
};

template <class U>
KeyRule<U> key_rule(bp_dtype d, bool descending) {
  using Rule = KeyRule<U>;
  const uint64_t largest = largest_bits(d);
  const U sign = (kSigned >> d & 1) ? Rule::kSign : U{0};
  return {largest != 0,
          d == BP_BOOL ? U{1}
          : largest    ? static_cast<U>(largest)
                       : Rule::kAll,
          static_cast<U>(sign ^ (descending ? Rule::kAll : U{0}))};
}

// Keys of at most 32 bits, rows of at most kMostNarrow elements.
constexpr int64_t kMostNarrow = int64_t{1} << 32;
struct Narrow {
  uint64_t both;  // key << 32 | position
  GPU_FN static Narrow of(uint64_t key, int64_t position) {
    return {key << 32 | static_cast<uint64_t>(position)};
  }
  GPU_FN uint64_t key() const { return both >> 32; }
  GPU_FN int64_t position() const { return static_cast<int64_t>(both & 0xffffffffu); }
  GPU_FN bool operator<(const Narrow& o) const { return both < o.both; }
};
struct alignas(16) Wide {
  uint64_t high;
  int64_t at;
  GPU_FN static Wide of(uint64_t key, int64_t position) { return {key, position}; }
  GPU_FN uint64_t key() const { return high; }
  GPU_FN int64_t position() const { return at; }
  GPU_FN bool operator<(const Wide& o) const { return high != o.high ? high < o.high : at < o.at; }
};

// How many of the sorted items[begin .. end) go before `item`.
template <class Item>
GPU_FN int32_t below(const Item* items, int32_t begin, int32_t end, const Item& item) {
  int32_t low = begin;
  while (low < end) {
    const int32_t middle = low + (end - low) / 2;
    if (items[middle] < item)
      low = middle + 1;
    else
      end = middle;
  }
  return low - begin;
}

// How many of the first d items of two merged runs come from a: "merge path" (Green, McColl and
// Bader, ICS'12).
template <class Item>
GPU_FN int64_t merge_split(const Item* a, int64_t n_a, const Item* b, int64_t n_b, int64_t d) {
  int64_t low = d > n_b ? d - n_b : 0, high = d < n_a ? d : n_a;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (a[middle] < b[d - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace bp_gpu
