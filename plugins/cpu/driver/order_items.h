// SPDX-License-Identifier: Apache-2.0
// order_items.h: elements as items whose plain order is the order asked for, and sorting and
// selecting items. An item is a key and the position it came from. Keys are unsigned integers in
// the order of the values; as the position decides between equal keys, no two items are equal, and
// any sort of items is a stable sort of values.
//
//   KeyRule<uint32_t> rule = key_rule<uint32_t>(BP_F32, /*descending=*/false);
//   load_items(x, n, rule, items);
//   load_items(x, n, rule, items); const Narrow* sorted = sort_items(items, spare, n, 32, counts);
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>

#include "kit/element.h"

namespace bp_cpu {

// It is key << 32 | position, for keys of at most 32 bits and rows of at most 2^32 elements.
using Narrow = uint64_t;
struct Wide {
  uint64_t key, position;
  friend bool operator<(const Wide& a, const Wide& b) {
    return a.key != b.key ? a.key < b.key : a.position < b.position;
  }
};

inline uint64_t key_of(Narrow item) { return item >> 32; }
inline uint64_t key_of(const Wide& item) { return item.key; }
inline int64_t position_of(Narrow item) { return static_cast<int64_t>(item & 0xffffffffu); }
inline int64_t position_of(const Wide& item) { return static_cast<int64_t>(item.position); }
inline void set_item(Narrow& item, uint64_t key, int64_t position) {
  item = key << 32 | static_cast<uint64_t>(position);
}
inline void set_item(Wide& item, uint64_t key, int64_t position) {
  item = {key, static_cast<uint64_t>(position)};
}

// How the bits of an element become its key. U is the unsigned integer of the element's size.
template <class U>
struct KeyRule {
  bool is_float;
  U largest;  // the magnitude above which are NaNs; of bools 1, as any byte but 0 may be true
  U flip;     // the bits to invert: the sign of a signed integer; all when descending
};

template <class U>
KeyRule<U> key_rule(bp_dtype d, bool descending) {
  constexpr U kSign = static_cast<U>(U{1} << (8 * sizeof(U) - 1));
  const uint64_t largest = bp_kit::largest_bits(d);
  const bool is_signed = d == BP_I8 || d == BP_I16 || d == BP_I32 || d == BP_I64;
  const U all = static_cast<U>(~U{0});
  return {largest != 0,
          d == BP_BOOL ? U{1}
          : largest    ? static_cast<U>(largest)
                       : all,
          static_cast<U>((is_signed ? kSign : U{0}) ^ (descending ? all : U{0}))};
}

template <class U>
void load_keys(U* keys, const U* x, int64_t n, const KeyRule<U>& rule) {
  constexpr U kSign = static_cast<U>(U{1} << (8 * sizeof(U) - 1));
  const U flip = rule.flip, largest = rule.largest;
  if (!rule.is_float) {
    for (int64_t i = 0; i < n; ++i) keys[i] = static_cast<U>(std::min(x[i], largest) ^ flip);
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    const U u = x[i], magnitude = static_cast<U>(u & (kSign - 1));
    U key = static_cast<U>(u & kSign ? ~u : u | kSign);
    key = magnitude == 0 ? kSign : key;
    key = magnitude > largest ? static_cast<U>(~U{0}) : key;
    keys[i] = static_cast<U>(key ^ flip);
  }
}

// Calls fn(keys, first position, count) for blocks along a row.
template <class U, class F>
void each_block(const U* x, int64_t n, const KeyRule<U>& rule, const F& fn) {
  constexpr int64_t kBlock = 512;
  U keys[kBlock];
  for (int64_t first = 0; first < n; first += kBlock) {
    const int64_t m = std::min(kBlock, n - first);
    load_keys(keys, x + first, m, rule);
    fn(keys, first, m);
  }
}

// Makes every item of a row, in the order of their positions.
template <class U, class Item>
void load_items(const U* x, int64_t n, const KeyRule<U>& rule, Item* items) {
  each_block(x, n, rule, [=](const U* keys, int64_t first, int64_t m) {
    for (int64_t i = 0; i < m; ++i) set_item(items[first + i], keys[i], first + i);
  });
}

// Whether selecting k of n and sorting those takes less time than sorting all.
inline bool worth_selecting(int64_t n, int64_t k) { return k <= n / 4; }
// How many items select_items needs room for.
inline int64_t room_for(int64_t n, int64_t k) {
  constexpr int64_t kLeast = 256;
  return std::min(n, std::max(2 * k, kLeast));
}

constexpr int64_t kGroup = 16;
// Whether one of kGroup keys is below the bar.
template <class U>
bool any_below(const U* keys, U bar) {
  unsigned below = 0;
  for (int64_t i = 0; i < kGroup; ++i) below |= keys[i] < bar;
  return below != 0;
}

// Selects the first k of a row where k is small: what is better than the last of those so far is
// inserted among them, which moves k items at most.
constexpr int64_t kMostInserted = 32;
template <class U, class Item>
void insert_items(const U* x, int64_t n, int64_t k, const KeyRule<U>& rule, Item* items) {
  int64_t kept = 0;
  U bar = 0;
  const auto insert = [&](U key, int64_t position) {
    Item item;
    set_item(item, key, position);
    int64_t at = kept < k ? kept++ : k - 1;
    for (; at > 0 && item < items[at - 1]; --at) items[at] = items[at - 1];
    items[at] = item;
    if (kept == k) bar = static_cast<U>(key_of(items[k - 1]));
  };
  each_block(x, n, rule, [&](const U* keys, int64_t first, int64_t m) {
    int64_t i = 0;
    for (; i < m && kept < k; ++i) insert(keys[i], first + i);
    for (; i < m; i += kGroup) {
      if (i + kGroup <= m && !any_below(keys + i, bar)) continue;
      // An equal key loses, because its position is later.
      for (int64_t j = i; j < std::min(i + kGroup, m); ++j)
        if (keys[j] < bar) insert(keys[j], first + j);
    }
  });
}

// Selects the first k of a row, in order; 0 < k < n. Candidates gather until the room is full, then
// the best k of them stay and the worst of those is the bar for what follows, which takes linear
// time for any input.
template <class U, class Item>
void select_items(const U* x, int64_t n, int64_t k, const KeyRule<U>& rule, Item* items,
                  int64_t room) {
  if (k <= kMostInserted) return insert_items(x, n, k, rule, items);
  int64_t kept = 0;
  bool bounded = false;
  U bar = 0;
  const auto consider = [&](U key, int64_t position) {
    // An equal key loses, because its position is later.
    if (bounded && key >= bar) return;
    set_item(items[kept++], key, position);
    if (kept < room) return;
    std::nth_element(items, items + k - 1, items + kept);
    kept = k;
    bar = static_cast<U>(key_of(items[k - 1]));
    bounded = true;
  };
  each_block(x, n, rule, [&](const U* keys, int64_t first, int64_t m) {
    for (int64_t i = 0; i < m; i += kGroup) {
      if (bounded && i + kGroup <= m && !any_below(keys + i, bar)) continue;
      for (int64_t j = i; j < std::min(i + kGroup, m); ++j) consider(keys[j], first + j);
    }
  });
  std::nth_element(items, items + k - 1, items + kept);
  std::sort(items, items + k);
}

// Finds one element by its rank, counted from 0, and returns its position. Digits of the key are
// counted from the highest down, each among the elements that share those above it, until few
// elements are left or the keys have no more digits. counts has kDigitCounts and items room for
// few_of(n).
constexpr int kDigitBits = 11;
constexpr int64_t kDigitCounts = 1 << kDigitBits;
constexpr int64_t few_of(int64_t n) { return n / 8 + 256; }
template <class U, class Item>
int64_t position_of_rank(const U* x, int64_t n, int64_t rank, const KeyRule<U>& rule, Item* items,
                         int64_t* counts) {
  int above = 8 * static_cast<int>(sizeof(U));  // bits whose digits are not yet known
  U known = 0;                                  // the digits above them
  int64_t left = n;
  const auto agrees = [&](U key) { return static_cast<uint64_t>(key ^ known) >> above == 0; };
  const auto is_left = [&](U key) { return left == n || agrees(key); };
  while (left > few_of(n) && above > 0) {
    const int bits = std::min(kDigitBits, above), shift = above - bits;
    const U mask = static_cast<U>((U{1} << bits) - 1);
    std::fill_n(counts, int64_t{1} << bits, 0);
    each_block(x, n, rule, [&](const U* keys, int64_t, int64_t m) {
      for (int64_t i = 0; i < m; ++i)
        if (is_left(keys[i])) ++counts[keys[i] >> shift & mask];
    });
    int64_t digit = 0;
    for (; rank >= counts[digit]; ++digit) rank -= counts[digit];
    left = counts[digit];
    known = static_cast<U>(known | static_cast<U>(digit) << shift);
    above = shift;
  }
  int64_t kept = 0, found = 0;
  each_block(x, n, rule, [&](const U* keys, int64_t first, int64_t m) {
    for (int64_t i = 0; i < m; ++i) {
      if (!is_left(keys[i])) continue;
      if (above > 0)
        set_item(items[kept], keys[i], first + i);
      else if (kept == rank)
        found = first + i;
      ++kept;
    }
  });
  if (above == 0) return found;  // they are equal
  std::nth_element(items, items + rank, items + kept);
  return position_of(items[rank]);
}

// A radix sort from the lowest digit up, where it is worth its tables; spare then has n items and
// counts has kCounts. Equal keys keep their order, so items must come by position.
constexpr int64_t kCounts = 6 << 11;
constexpr bool worth_radix(int64_t n, int key_bits) { return n > 16 + key_bits; }

// Sorts items that are sorted by their keys' bits from `shift` on: runs that agree in those bits,
// which are short unless somebody made them long.
template <class Item, class Less>
void sort_runs(Item* items, int64_t n, int shift, const Less& less) {
  const auto agree = [&](int64_t i) {
    return key_of(items[i]) >> shift == key_of(items[i - 1]) >> shift;
  };
  for (int64_t i = 1; i < n; ++i) {
    if (!agree(i) || !less(items[i], items[i - 1])) continue;
    int64_t first = i - 1, last = i + 1;
    while (first > 0 && agree(first)) --first;
    while (last < n && agree(last)) ++last;
    std::sort(items + first, items + last, less);
    i = last;
  }
}

// Counts how often each digit of `bits` bits occurs, of kDigits that follow each other from `shift`
// on.
template <int kDigits, class Item>
void count_digits(const Item* items, int64_t n, int bits, int shift, int64_t* counts) {
  const int64_t buckets = int64_t{1} << bits;
  const uint64_t mask = static_cast<uint64_t>(buckets - 1);
  std::fill_n(counts, kDigits * buckets, 0);
  for (int64_t i = 0; i < n; ++i) {
    const uint64_t key = key_of(items[i]) >> shift;
#pragma GCC unroll 8
    for (int d = 0; d < kDigits; ++d)
      ++counts[d * buckets + static_cast<int64_t>(key >> (d * bits) & mask)];
  }
}

// Sorts by the keys' bits from *unsorted on, which tell nearly all items apart; where `all`, by all
// that they have. Returns where they are then, or nullptr where the bits tell too little.
template <class Item>
Item* radix_sort(Item* from, Item* to, int64_t n, int key_bits, bool all, int64_t* counts,
                 int* unsorted) {
  // Wide digits need fewer passes; but the ends of 2,048 runs miss the first-level cache, which is
  // slow where the items miss the second (measured on Zen 4: 1 ns an item each, then 3 to 8).
  constexpr int64_t kWorthWideDigits = 3072, kMostWideDigits = int64_t{1} << 18;
  const int bits = key_bits > 16 && n >= kWorthWideDigits && n < kMostWideDigits ? 11 : 8;
  const int passes = (key_bits + bits - 1) / bits;
  const int64_t buckets = int64_t{1} << bits;
  const uint64_t mask = static_cast<uint64_t>(buckets - 1);
  // Counts digit `last` and others below it, and returns the lowest of these.
  const auto count_down = [&](int last) {
    const int first = std::max(0, last - 2);
    const auto count = last - first == 2   ? count_digits<3, Item>
                       : last - first == 1 ? count_digits<2, Item>
                                           : count_digits<1, Item>;
    count(from, n, bits, first * bits, counts + first * buckets);
    return first;
  };
  // All items may have a digit in common, as small integers in a large dtype do.
  const uint64_t any = key_of(from[0]);
  const auto in_common = [&](int p) {
    return counts[p * buckets + static_cast<int64_t>(any >> (p * bits) & mask)] == n;
  };
  // Bits that a digit tells of an item: less what the chance is that two items have the same one.
  const auto told_by = [&](int p) {
    if (in_common(p)) return 0.0;
    double same = 0;
    for (int64_t b = 0; b < buckets; ++b) {
      const auto number = static_cast<double>(counts[p * buckets + b]);
      same += number * number;
    }
    return 2 * std::log2(static_cast<double>(n)) - std::log2(same);
  };
  // Where the highest digits of keys tell nearly all items apart, lower ones do not matter: what
  // the higher ones leave is put in order afterwards.
  constexpr int64_t kWorthAsking = 512;
  constexpr double kEnough = 4, kLeast = 2;  // beyond what n items need to differ at all
  const bool asks = key_bits > 16 && n >= kWorthAsking;
  const double needed = std::log2(static_cast<double>(n)), enough = needed + kEnough;
  double told = 0;
  int lowest = passes, counted = passes;
  while (lowest > 0 && (!asks || told < enough)) {
    if (--lowest < counted) counted = count_down(lowest);
    if (asks) told += told_by(lowest);
  }
  if (!all && told < needed + kLeast) return nullptr;
  for (int p = lowest; p < passes; ++p) {
    if (in_common(p)) continue;
    const int shift = p * bits;
    int64_t* const places = counts + p * buckets;
    int64_t sum = 0;
    for (int64_t b = 0; b < buckets; ++b) {
      const int64_t number = places[b];
      places[b] = sum;
      sum += number;
    }
    for (int64_t i = 0; i < n; ++i) to[places[key_of(from[i]) >> shift & mask]++] = from[i];
    std::swap(from, to);
  }
  *unsorted = lowest * bits;
  return from;
}

// Returns where the sorted items lie: in items or in spare.
template <class Item>
const Item* sort_items(Item* items, Item* spare, int64_t n, int key_bits, int64_t* counts) {
  if (!worth_radix(n, key_bits)) {
    std::sort(items, items + n);
    return items;
  }
  int unsorted = 0;
  Item* sorted = radix_sort(items, spare, n, key_bits, /*all=*/true, counts, &unsorted);
  if (unsorted) sort_runs(sorted, n, unsorted, std::less<Item>());
  return sorted;
}

// Sorts long keys by 32 of their bits, the highest in which they differ, with items of half the
// size. Returns nullptr where these tell too little, or the row is short.
inline const Narrow* sort_by_highest_bits(const uint64_t* x, int64_t n,
                                          const KeyRule<uint64_t>& rule, Narrow* items,
                                          Narrow* spare, int64_t* counts) {
  constexpr int64_t kLeast = 512;
  if (n < kLeast || n > int64_t{1} << 32) return nullptr;
  const auto key_at = [&](int64_t i) {
    uint64_t key;
    load_keys(&key, x + i, 1, rule);
    return key;
  };
  const uint64_t any = key_at(0);
  uint64_t differ = 0;
  each_block(x, n, rule, [&](const uint64_t* keys, int64_t, int64_t m) {
    for (int64_t i = 0; i < m; ++i) differ |= keys[i] ^ any;
  });
  const int bits = std::bit_width(differ), shift = std::max(0, bits - 32);
  each_block(x, n, rule, [&](const uint64_t* keys, int64_t first, int64_t m) {
    for (int64_t i = 0; i < m; ++i)
      set_item(items[first + i], keys[i] >> shift & 0xffffffffu, first + i);
  });
  int unsorted = 0;
  Narrow* sorted =
      radix_sort(items, spare, n, std::max(1, bits - shift), /*all=*/shift == 0, counts, &unsorted);
  if (sorted && (shift || unsorted))
    sort_runs(sorted, n, unsorted, [&](Narrow a, Narrow b) {
      const uint64_t left = key_at(position_of(a)), right = key_at(position_of(b));
      return left != right ? left < right : position_of(a) < position_of(b);
    });
  return sorted;
}

}  // namespace bp_cpu
