// SPDX-License-Identifier: Apache-2.0
// sort_places.h: positions sorted by the place that each of them goes to, in order where the places
// are equal: by the vendor's own sort where there is one (sort_pairs.h), else by the tree's
// (sort_runs.h). And how what goes to a place is added there.
//
//   struct Mine {
//     const uint32_t* keys;
//     int64_t n, places;   // positions; a place is 0 .. places, the last for those that go nowhere
//     GPU_FN int64_t place(int64_t position) const { return keys[position]; }
//   };
//
//   const Mine mine{keys, n, places};
//   *bytes = places_workspace(l, mine);
//   SortedPlaces sorted;
//   if (const bp_status s = sort_places(l, mine, &sorted, err)) return s;   // n > 0
//
// A kernel then asks sorted.place(i) and sorted.position(i). Where there is an argument with
// `uint32_t of(int64_t position) const`, the vendor's sort moves what that returns instead of
// positions, so that it lies in sorted order: then sorted.carries, and sorted.carried(i) has it.
// Where the last argument is `loose`, places that differ in so many lower bits alone may be taken
// for equal.
#pragma once
#include <bit>

#include "gpu/sort_pairs.h"
#include "gpu/sort_runs.h"

namespace bp_gpu {

// A half is rounded after each addition.
struct Plus {
  static constexpr bool kLastAlone = false;
  template <class T>
  GPU_FN static T of(T a, T b) {
    if constexpr (std::is_same_v<T, Bool>)
      return {static_cast<uint8_t>((a.byte | b.byte) != 0)};
    else
      return convert<T>(convert<Calc<T>>(a) + convert<Calc<T>>(b));
  }
};

// In the workspace; one of the three ways has them.
struct SortedPlaces {
  const uint32_t *places = nullptr, *positions = nullptr;  // or what is carried
  const Narrow* narrow = nullptr;
  const Wide* wide = nullptr;
  bool carries = false;

  GPU_FN int64_t place(int64_t i) const {
    if (places) return places[i];
    return static_cast<int64_t>(narrow ? narrow[i].key() : wide[i].key());
  }
  GPU_FN uint32_t carried(int64_t i) const { return positions[i]; }
  GPU_FN int64_t position(int64_t i) const {
    if (places) return positions[i];
    return narrow ? narrow[i].position() : wide[i].position();
  }
};

// Small values are sorted themselves, as reading each by its position takes a card a whole sector.
template <class T>
constexpr bool kIsCarried = sizeof(T) <= sizeof(uint32_t);
template <class T>
using Bits = std::conditional_t<sizeof(T) == 1, uint8_t,
                                std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>>;

// What a sort moves: positions, or from.value(position).
struct Positions {
  GPU_FN uint32_t of(int64_t position) const { return static_cast<uint32_t>(position); }
};
template <class T, class From>
struct Carried {
  From from;
  GPU_FN uint32_t of(int64_t position) const {
    return std::bit_cast<Bits<T>>(from.value(position));
  }
};

namespace sort_places_detail {

// Where sort_runs gets items from and puts them: places as keys.
template <class From, class ItemOf>
struct Places {
  using Item = ItemOf;
  From from;
  Item* sorted;
  struct Row {};
  GPU_FN Row row(int64_t) const { return {}; }
  GPU_FN Item item(const Row&, int64_t position) const {
    return Item::of(static_cast<uint64_t>(from.place(position)), position);
  }
  GPU_FN void put(const Row&, int64_t j, const Item& item) const { sorted[j] = item; }
};

template <class From, class Moved>
struct MakePairs {
  From from;
  Moved moved;
  uint32_t *places, *values;
  GPU_FN void operator()(const Place& at) const {
    for (int64_t i = at.index(); i < from.n; i += at.count()) {
      places[i] = static_cast<uint32_t>(from.place(i));
      values[i] = moved.of(i);
    }
  }
};

// Calls fn(Item{}) for items that hold all places and positions.
template <class From, class F>
auto with_items(const From& from, const F& fn) {
  return from.n <= kMostNarrow && from.places < kMostNarrow ? fn(Narrow{}) : fn(Wide{});
}

template <class From>
SortPlan plan_of(const From& from) {
  return {/*rows=*/1, from.n, from.n};
}

// Returns 0 when the vendor has no such sort.
template <class From>
uint64_t pairs_bytes(const bp_launch& l, const From& from, int32_t loose, SortPairs* pairs) {
  if (from.n > kMostPairs || from.places >= kMostNarrow) return 0;
  const auto most = static_cast<uint64_t>(from.places);
  *pairs = {.key_bytes = 4,
            .first_bit = loose,
            .bits = static_cast<int32_t>(std::bit_width(most)),
            .n = from.n};
  return pairs_workspace(l, pairs);
}

}  // namespace sort_places_detail

template <class From>
uint64_t places_workspace(const bp_launch& l, const From& from, int32_t loose = 0) {
  namespace detail = sort_places_detail;
  SortPairs pairs;
  if (const uint64_t bytes = detail::pairs_bytes(l, from, loose, &pairs)) return bytes;
  return detail::with_items(from, [&](auto item) {
    const uint64_t sort = detail::plan_of(from).workspace_bytes(sizeof item);
    return sort ? sort : static_cast<uint64_t>(from.n) * sizeof item;
  });
}

// Sorts in the workspace, which has at least places_workspace.
template <class From, class Moved = Positions>
bp_status sort_places(const bp_launch& l, const From& from, SortedPlaces* sorted, bp_error** err,
                      const Moved& moved = {}, int32_t loose = 0) {
  namespace detail = sort_places_detail;
  if (SortPairs pairs; detail::pairs_bytes(l, from, loose, &pairs)) {
    place_pairs(l.workspace, &pairs);
    const detail::MakePairs<From, Moved> make{from, moved, static_cast<uint32_t*>(pairs.keys),
                                              pairs.values};
    if (const bp_status s = launch(l, cover(from.n), make, err)) return s;
    if (const bp_status s = sort_pairs(l, &pairs, err)) return s;
    sorted->places = static_cast<const uint32_t*>(pairs.keys);
    sorted->positions = pairs.values;
    sorted->carries = !std::is_same_v<Moved, Positions>;
    return BP_OK;
  }
  return detail::with_items(from, [&](auto item) {
    using Item = decltype(item);
    const SortPlan plan = detail::plan_of(from);
    Item* const to = static_cast<Item*>(l.workspace) + plan.free_room() * plan.row_items();
    if constexpr (std::is_same_v<Item, Narrow>)
      sorted->narrow = to;
    else
      sorted->wide = to;
    return sort_runs(l, plan, l.workspace, detail::Places<From, Item>{from, to}, Across{}, err);
  });
}

}  // namespace bp_gpu
