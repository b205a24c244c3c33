// SPDX-License-Identifier: Apache-2.0
// add_places.h: what goes to each place of a dense array, added there in the order of positions.
// Positions are sorted (sort_places.h) by bins of a few neighbouring places, which may save a pass
// of a vendor's sort over all of them. Then each place has a thread, which walks along its bin and
// adds what is its own; the threads of a bin are neighbours and read the same.
//
//   struct Mine {
//     const uint32_t* keys;
//     const float* values;
//     int64_t n, places;   // as sort_places.h has them
//     GPU_FN int64_t place(int64_t position) const { return keys[position]; }
//     GPU_FN float value(int64_t position) const { return values[position]; }
//   };
//
//   const Mine mine{keys, values, n, places};
//   *bytes = add_places_workspace(l, mine);
//   return add_places<float>(l, mine, x, out, err);   // out[p] = x[p] + what goes to p; n > 0
#pragma once
#include "gpu/groups.h"
#include "gpu/sort_places.h"

namespace bp_gpu {

// How many positions go to bins before each bin, of 2^loose places: bins + 1 numbers.
struct FindStarts {
  SortedPlaces sorted;
  int64_t* starts;
  int64_t n, bins;
  int32_t loose;
  GPU_FN void operator()(const Place& at) const {
    for (int64_t b = at.index(); b <= bins; b += at.count()) {
      int64_t low = 0, high = n;
      while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (sorted.place(middle) >> loose < b)
          low = middle + 1;
        else
          high = middle;
      }
      starts[b] = low;
    }
  }
};

namespace add_places_detail {

// A vendor's sort takes 8 bits in a pass. A pass over all positions costs as much as walking along
// bins of 32 places.
constexpr int32_t kDigit = 8, kMostLoose = 5;

// How many lower bits of a place are left unsorted.
template <class From>
int32_t loose_bits(const From& from) {
  const int32_t bits = std::bit_width(static_cast<uint64_t>(from.places)), rest = bits % kDigit;
  return bits > kDigit && rest <= kMostLoose ? rest : 0;
}
template <class From>
int64_t bins_of(const From& from) {
  return from.places == 0 ? 0 : ((from.places - 1) >> loose_bits(from)) + 1;
}
template <class From>
uint64_t sort_bytes(const bp_launch& l, const From& from) {
  constexpr uint64_t kAligned = 16;
  return (places_workspace(l, from, loose_bits(from)) + kAligned - 1) / kAligned * kAligned;
}

template <class T, class From>
struct AddBins {
  From from;
  SortedPlaces sorted;
  const int64_t* starts;
  int32_t loose;
  const T* x;
  T* out;

  GPU_FN void operator()(const Place& at) const {
    for (int64_t place = at.index(); place < from.places; place += at.count()) {
      const int64_t first = starts[place >> loose], end = starts[(place >> loose) + 1];
      if (first < end)
        out[place] = sorted.places ? from_pairs(x[place], static_cast<uint32_t>(place), first, end)
                                   : from_items(x[place], place, first, end);
      else if (x != out)
        out[place] = x[place];
    }
  }

  GPU_FN T from_items(T sum, int64_t place, int64_t first, int64_t end) const {
    for (int64_t i = first; i < end; ++i)
      if (sorted.place(i) == place) sum = Plus::of(sum, from.value(sorted.position(i)));
    return sum;
  }

  GPU_FN T value(uint32_t held) const {
    if constexpr (kIsCarried<T>)
      return std::bit_cast<T>(static_cast<Bits<T>>(held));
    else
      return from.value(held);
  }
  // Eight are read at once, as the thread would wait for each.
  GPU_FN T from_pairs(T sum, uint32_t place, int64_t i, int64_t end) const {
    using Four = Pack<uint32_t, 4>;
    constexpr int32_t kFours = 2, kAhead = 4 * kFours;
    const auto one = [&](int64_t at) {
      if (sorted.places[at] == place) sum = Plus::of(sum, value(sorted.positions[at]));
    };
    for (; i < end && i % 4 != 0; ++i) one(i);
    for (; i + kAhead <= end; i += kAhead) {
      Four places[kFours], held[kFours];
      T next[kAhead] = {};
      unrolled<kFours>([&](int32_t f) {
        places[f] = reinterpret_cast<const Four*>(sorted.places)[i / 4 + f];
        held[f] = reinterpret_cast<const Four*>(sorted.positions)[i / 4 + f];
      });
      unrolled<kAhead>([&](int32_t k) {
        if (places[k / 4].item[k % 4] == place) next[k] = value(held[k / 4].item[k % 4]);
      });
      unrolled<kAhead>([&](int32_t k) {
        if (places[k / 4].item[k % 4] == place) sum = Plus::of(sum, next[k]);
      });
    }
    for (; i < end; ++i) one(i);
    return sum;
  }
};

}  // namespace add_places_detail

template <class From>
uint64_t add_places_workspace(const bp_launch& l, const From& from) {
  namespace detail = add_places_detail;
  return detail::sort_bytes(l, from) +
         static_cast<uint64_t>(detail::bins_of(from) + 1) * sizeof(int64_t);
}

// x may be out. The workspace has at least add_places_workspace.
template <class T, class From>
bp_status add_places(const bp_launch& l, const From& from, const T* x, T* out, bp_error** err) {
  namespace detail = add_places_detail;
  const int32_t loose = detail::loose_bits(from);
  const int64_t bins = detail::bins_of(from);
  auto* const starts =
      reinterpret_cast<int64_t*>(static_cast<char*>(l.workspace) + detail::sort_bytes(l, from));
  SortedPlaces sorted;
  bp_status s;
  if constexpr (kIsCarried<T>)
    s = sort_places(l, from, &sorted, err, Carried<T, From>{from}, loose);
  else
    s = sort_places(l, from, &sorted, err, Positions{}, loose);
  if (s) return s;
  s = launch(l, cover(bins + 1), FindStarts{sorted, starts, from.n, bins, loose}, err);
  if (s) return s;
  return launch(l, cover(from.places),
                detail::AddBins<T, From>{from, sorted, starts, loose, x, out}, err);
}

}  // namespace bp_gpu
