// SPDX-License-Identifier: Apache-2.0
// index_add.cu: slices of a source, times alpha, added to slices of x in the order of the index.
// Only the index is sorted (sort_places.h), so that the slices of one place follow each other in
// their order; a thread has one pack of a place's slice and adds what comes for it. Neighbouring
// threads have neighbouring packs: rows are read and written whole.
//   places    a thread for each pack of x, which also copies what nothing is added to. A launch
//             before finds by bisection where the sorted positions of each place begin.
//   elements  of one dimension: each is sorted, and a thread takes each place (add_places.h).
//   segments  where the index is short against the axis: x is copied, and of a thread for each pack
//             of a sorted slice the first one of each place adds.
// Nobody is told of an index out of range, as the host would have to wait for the device: nothing
// is written for it.
#include "gpu/add_places.h"
#include "gpu/divider.h"
#include "gpu/fill.h"
#include "gpu/groups.h"

namespace bp_gpu {
namespace {

enum { kX, kIndex, kSource, kOut };

struct Index {
  const int64_t* data;
  int64_t n, places;  // places: the size of x along the axis

  GPU_FN int64_t place(int64_t position) const {
    const int64_t where = data[position];
    return static_cast<uint64_t>(where) < static_cast<uint64_t>(places) ? where : places;
  }
};

// Dense x is seen as [outer, places, inner].
struct Slices {
  Index index;
  int64_t outer, inner;
  bool by_place;

  int64_t all() const { return outer * index.places * inner; }
  bool are_elements() const { return by_place && outer == 1 && inner == 1 && index.n > 0; }
};

Slices slices_of(const bp_launch& l) {
  constexpr int64_t kShort = 8;
  const bp_arg &x = l.args[kX], &index = l.args[kIndex];
  int64_t axis = l.attrs[BP_ATTR_INDEX_ADD_AXIS].value.i64;
  if (axis < 0) axis += x.rank;
  Slices s{{static_cast<const int64_t*>(index.data), numel(index), 1}, 1, 1, false};
  for (int32_t d = 0; d < x.rank; ++d)
    (d < axis ? s.outer : d > axis ? s.inner : s.index.places) *= x.shape[d];
  s.by_place = s.index.places / kShort <= s.index.n;
  return s;
}

template <class T>
struct Scale {
  bool scales;  // alpha is not 1
  Calc<T> alpha;

  GPU_FN T of(T x) const {
    if (!scales) return x;
    if constexpr (std::is_integral_v<T>)  // short words would be multiplied as int
      return static_cast<T>(static_cast<uint64_t>(x) * static_cast<uint64_t>(alpha));
    else
      return convert<T>(convert<Calc<T>>(x) * alpha);
  }
};
template <>
struct Scale<Bool> {
  bool scales;
  int64_t alpha;
  GPU_FN Bool of(Bool x) const { return {static_cast<uint8_t>(x.byte != 0 && alpha != 0)}; }
};

template <class T>
Scale<T> scale_of(const bp_launch& l) {
  const double alpha = l.attrs[BP_ATTR_INDEX_ADD_ALPHA].value.f64;
  if constexpr (std::is_floating_point_v<Calc<T>>)
    return {alpha != 1, static_cast<Calc<T>>(alpha)};
  else if constexpr (std::is_same_v<T, Bool>)
    return {true, convert<int64_t>(alpha)};
  else
    return {alpha != 1, static_cast<T>(convert<int64_t>(alpha))};
}

template <class T>
struct Elements : Index {
  const T* source;
  Scale<T> scale;
  GPU_FN T value(int64_t position) const { return scale.of(source[position]); }
};

template <class T, int32_t kPack>
struct AddSlices {
  using Items = Pack<T, kPack>;
  static constexpr int32_t kTogether = 4;
  SortedPlaces sorted;
  const int64_t* starts;  // nullptr: by segment
  const Items *x, *source;
  Items* out;
  int64_t n, places, outer, packs, all;  // packs: of a slice; all: of x, or of the source
  bool few;                              // all < 2^31, and dividers are there
  Divider by_packs, by_rows;
  Scale<T> scale;

  struct Spot {
    int64_t o, row, pack;
  };
  GPU_FN Spot spot(int64_t i, int64_t rows) const {
    if (few) {
      const auto u = static_cast<uint32_t>(i);
      const uint32_t line = by_packs.quotient(u), o = by_rows.quotient(line);
      return {o, line - o * by_rows.by, u - line * by_packs.by};
    }
    const int64_t line = i / packs, o = line / rows;
    return {o, line - o * rows, i - line * packs};
  }

  GPU_FN void operator()(const Place& at) const {
    if (starts) {
      for (int64_t i = at.index(); i < all; i += at.count()) {
        const Spot s = spot(i, places);
        const int64_t first = starts[s.row], end = starts[s.row + 1];
        if (first < end)
          add(x[i], first, end, s.row, s, i);
        else if (x != out)
          out[i] = x[i];
      }
    } else {
      for (int64_t i = at.index(); i < all; i += at.count()) {
        const Spot s = spot(i, n);
        const int64_t place = sorted.place(s.row);
        if (place == places || (s.row > 0 && sorted.place(s.row - 1) == place)) continue;
        const int64_t to = (s.o * places + place) * packs + s.pack;
        add(out[to], s.row, n, place, s, to);
      }
    }
  }

  // Several are read at once, as the thread would wait for each.
  GPU_FN void add(Items sum, int64_t j, int64_t end, int64_t place, const Spot& s,
                  int64_t to) const {
    constexpr int32_t kAhead = kPack == 1 ? 8 : sizeof(T) > 1 ? 4 : 2;  // 16 to 64 bytes
    const Items* const from = source + s.o * n * packs + s.pack;
    for (int32_t held = kAhead; held == kAhead; j += kAhead) {
      Items next[kAhead] = {};
      held = 0;
      unrolled<kAhead>([&](int32_t k) {
        if (j + k >= end || (!starts && sorted.place(j + k) != place)) return;
        next[k] = from[sorted.position(j + k) * packs];
        held = k + 1;
      });
      unrolled<kAhead>([&](int32_t k) {
        if (k < held)
          unrolled<kPack>(
              [&](int32_t e) { sum.item[e] = Plus::of(sum.item[e], scale.of(next[k].item[e])); });
      });
    }
    out[to] = sum;
  }
};

uint64_t sort_bytes(const bp_launch& l, const Slices& slices) {
  constexpr uint64_t kAligned = 16;
  return (places_workspace(l, slices.index) + kAligned - 1) / kAligned * kAligned;
}

template <class T, int32_t kPack>
bp_status add_slices(const bp_launch& l, const Slices& slices, const SortedPlaces& sorted,
                     const int64_t* starts, bp_error** err) {
  using Items = Pack<T, kPack>;
  constexpr int64_t kFew = int64_t{1} << 31;
  const Index& index = slices.index;
  const int64_t rows = starts ? index.places : index.n, packs = slices.inner / kPack,
                all = slices.outer * rows * packs;
  AddSlices<T, kPack> add{sorted,
                          starts,
                          static_cast<const Items*>(l.args[kX].data),
                          static_cast<const Items*>(l.args[kSource].data),
                          static_cast<Items*>(l.args[kOut].data),
                          index.n,
                          index.places,
                          slices.outer,
                          packs,
                          all,
                          all < kFew,
                          {},
                          {},
                          scale_of<T>(l)};
  if (add.few) {
    add.by_packs = Divider(static_cast<uint32_t>(packs));
    add.by_rows = Divider(static_cast<uint32_t>(rows));
  }
  return launch(l, cover(all), add, err);
}

template <class T>
bp_status run_of(const bp_launch& l, const Slices& slices, bp_error** err) {
  constexpr int32_t kPack = sizeof(T) == 1 ? 8 : 16 / sizeof(T), kBytes = kPack * sizeof(T);
  const auto* x = static_cast<const T*>(l.args[kX].data);
  auto* out = static_cast<T*>(l.args[kOut].data);
  const int64_t all = slices.all();
  if (all == 0) return BP_OK;
  if (slices.are_elements()) {
    const auto* source = static_cast<const T*>(l.args[kSource].data);
    return add_places(l, Elements<T>{slices.index, source, scale_of<T>(l)}, x, out, err);
  }
  if (x != out && (!slices.by_place || slices.index.n == 0))
    if (const bp_status s = launch(l, cover(all), CopyAll<T>{x, out, all}, err)) return s;
  if (slices.index.n == 0) return BP_OK;
  SortedPlaces sorted;
  if (const bp_status s = sort_places(l, slices.index, &sorted, err)) return s;
  int64_t* starts = nullptr;
  if (slices.by_place) {
    const int64_t places = slices.index.places;
    starts = reinterpret_cast<int64_t*>(static_cast<char*>(l.workspace) + sort_bytes(l, slices));
    if (const bp_status s =
            launch(l, cover(places + 1),
                   FindStarts{sorted, starts, slices.index.n, places, /*loose=*/0}, err))
      return s;
  }
  bool aligned = slices.inner % kPack == 0;
  for (const int32_t k : {kX, kSource, kOut})
    aligned = aligned && reinterpret_cast<uintptr_t>(l.args[k].data) % kBytes == 0;
  return aligned ? add_slices<T, kPack>(l, slices, sorted, starts, err)
                 : add_slices<T, 1>(l, slices, sorted, starts, err);
}

constexpr uint64_t kDtypes = kReals | bit(BP_BOOL);

bp_status run_index_add(const bp_launch& l, bp_error** err) {
  const Slices slices = slices_of(l);
  return with_type_of<kDtypes>(l.args[kX].dtype,
                               [&](auto t) { return run_of<Word<decltype(t)>>(l, slices, err); });
}

bp_status workspace(const bp_launch* l, uint64_t* bytes, bp_error**) {
  const Slices slices = slices_of(*l);
  *bytes = 0;
  if (slices.index.n == 0 || slices.all() == 0) return BP_OK;
  if (slices.are_elements()) {
    *bytes = add_places_workspace(*l, slices.index);
    return BP_OK;
  }
  *bytes = sort_bytes(*l, slices);
  if (slices.by_place) *bytes += static_cast<uint64_t>(slices.index.places + 1) * sizeof(int64_t);
  return BP_OK;
}

}  // namespace

void add_index_add(Registry& r) {
  r.add(BP_OP_INDEX_ADD, kDtypes, entry<run_index_add>, BP_KERNEL_CONTIGUOUS, workspace);
}

}  // namespace bp_gpu
