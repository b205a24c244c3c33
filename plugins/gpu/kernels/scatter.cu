// SPDX-License-Identifier: Apache-2.0
// scatter.cu: scatter and scatter_add. Of equal indices the last wins, or all are added in the
// order of their positions, the same every time, in one of five ways:
//   lines   a thread takes a line, all positions along the axis, in order. This is enough where
//           lines are short, or so many that they keep a card busy.
//   claims  of scatter, where there are not many more places than sources: each place learns which
//           source is the last one for it, and takes that.
//   atomics of scatter_add of 32-bit and 64-bit integers, whose sum is the same in any order.
//   bins    of scatter_add, where there are not many more places than sources: these are sorted by
//           bins of places, and a thread takes each place (add_places.h).
//   sorted  sources are sorted by their place and then their position, so that those of one place
//           lie together (sort_places.h): a thread takes a source. What it needs grows with the
//           sources alone.
// Nobody is told of an index out of range, as the host would have to wait for the device: nothing
// is written for it.
#include "gpu/add_places.h"
#include "gpu/fill.h"

namespace bp_gpu {
namespace {

enum { kX, kIndex, kSrc, kOut };

struct Replace {
  static constexpr bool kLastAlone = true;
  template <class T>
  GPU_FN static T of(T, T from) {
    return from;
  }
};
int64_t axis_of(const bp_launch& l) {
  const int64_t axis = l.attrs[BP_ATTR_SCATTER_AXIS].value.i64;
  return axis < 0 ? axis + l.args[kX].rank : axis;
}

// ---- lines ----

// x, index and src are row-major; index may be smaller than src everywhere, and than x off the
// axis.
struct Lines {
  int32_t rank;  // number of dims off the axis
  int64_t n, count, size, x_along, index_along, src_along;
  int64_t shape[BP_MAX_RANK], x[BP_MAX_RANK], index[BP_MAX_RANK], src[BP_MAX_RANK];

  struct At {
    int64_t x, index, src;
  };
  GPU_FN At first(int64_t line) const {
    At at{0, 0, 0};
    for (int32_t d = 0; d < rank; ++d) {  // the last dim comes first
      const int64_t i = line % shape[d];
      line /= shape[d];
      at.x += i * x[d];
      at.index += i * index[d];
      at.src += i * src[d];
    }
    return at;
  }
};

Lines lines_of(const bp_launch& l) {
  const bp_arg &x = l.args[kX], &index = l.args[kIndex], &src = l.args[kSrc];
  const int64_t axis = axis_of(l);
  Lines lines{};
  lines.n = lines.count = lines.size = lines.x_along = lines.index_along = lines.src_along = 1;
  int64_t sx = 1, si = 1, ss = 1;
  for (int32_t d = x.rank - 1; d >= 0; --d) {
    if (d == axis) {
      lines.n = index.shape[d], lines.size = x.shape[d];
      lines.x_along = sx, lines.index_along = si, lines.src_along = ss;
    } else {
      const int32_t k = lines.rank++;
      lines.shape[k] = index.shape[d];
      lines.x[k] = sx, lines.index[k] = si, lines.src[k] = ss;
      lines.count *= index.shape[d];
    }
    sx *= x.shape[d], si *= index.shape[d], ss *= src.shape[d];
  }
  return lines;
}

template <class T, class Put>
struct PutLines {
  Lines lines;
  const int64_t* index;
  const T* src;
  T* out;
  GPU_FN void operator()(const Place& place) const {
    for (int64_t line = place.index(); line < lines.count; line += place.count()) {
      const Lines::At at = lines.first(line);
      for (int64_t j = 0; j < lines.n; ++j) {
        const int64_t where = index[at.index + j * lines.index_along];
        if (static_cast<uint64_t>(where) >= static_cast<uint64_t>(lines.size)) continue;
        T& to = out[at.x + where * lines.x_along];
        to = Put::of(to, src[at.src + j * lines.src_along]);
      }
    }
  }
};

// A step along a line takes some 0.3 us, however few lines there are; sorting takes tens of us.
constexpr int64_t kShortLine = 128, kManyLines = 64 * kManyBlocks;

bool lines_are_enough(const Lines& lines) {
  return lines.n <= kShortLine || lines.count >= kManyLines;
}

// ---- sources, by their position: that of their index in row-major order ----

struct Sources {
  const int64_t* index;
  int64_t n, places, size, x_along;  // places: how many elements x has; size: along the axis
  bool moved;                        // src is larger than index
  int32_t rank;                      // at least 1
  // The last dim comes first, neighbours that lie alike are one. x does not move with the axis.
  int64_t shape[BP_MAX_RANK], x[BP_MAX_RANK], src[BP_MAX_RANK];

  // The place in x, or `places` for an index out of range.
  GPU_FN int64_t place(int64_t position) const {
    const int64_t where = index[position];
    if (static_cast<uint64_t>(where) >= static_cast<uint64_t>(size)) return places;
    return where * x_along + way(position, x);
  }
  GPU_FN int64_t source(int64_t position) const { return moved ? way(position, src) : position; }

 private:
  // A card divides 32 bits in a third of the time.
  GPU_FN int64_t way(int64_t position, const int64_t* strides) const {
    return n <= kMostNarrow ? way_of(static_cast<uint32_t>(position), strides)
                            : way_of(static_cast<uint64_t>(position), strides);
  }
  template <class N>
  GPU_FN int64_t way_of(N left, const int64_t* strides) const {
    int64_t by = 0;
    for (int32_t d = 0; d + 1 < rank; ++d) {
      const N length = static_cast<N>(shape[d]), rest = left / length;
      by += static_cast<int64_t>(left - rest * length) * strides[d];
      left = rest;
    }
    return by + static_cast<int64_t>(left) * strides[rank - 1];
  }
};

Sources sources_of(const bp_launch& l) {
  const bp_arg &x = l.args[kX], &index = l.args[kIndex], &src = l.args[kSrc];
  const int64_t axis = axis_of(l);
  Sources s{};
  s.index = static_cast<const int64_t*>(index.data);
  s.n = numel(index);
  s.places = numel(x);
  s.size = s.x_along = s.shape[0] = 1;
  s.moved = numel(src) != s.n;
  int64_t x_step = 1, src_step = 1;
  bool merges = false;  // the dim before is off the axis
  for (int32_t d = x.rank - 1; d >= 0; --d) {
    const bool off = d != axis;
    if (!off) s.size = x.shape[d], s.x_along = x_step;
    if (const int64_t length = index.shape[d]; length != 1) {
      const int32_t last = s.rank - 1;
      if (off && merges && x_step == s.x[last] * s.shape[last] &&
          src_step == s.src[last] * s.shape[last]) {
        s.shape[last] *= length;
      } else {
        const int32_t k = s.rank++;
        s.shape[k] = length, s.x[k] = off ? x_step : 0, s.src[k] = src_step;
      }
      merges = off;
    }
    x_step *= x.shape[d], src_step *= src.shape[d];
  }
  if (s.rank == 0) s.rank = 1;
  return s;
}

// With what they are.
template <class T>
struct Terms : Sources {
  const T* src;
  GPU_FN T value(int64_t position) const { return src[source(position)]; }
};

// ---- claims ----

struct Claim {
  Sources sources;
  uint64_t* last;  // 1 + the last position whose place it is; 0: none
  GPU_FN void operator()(const Place& at) const {
    for (int64_t i = at.index(); i < sources.n; i += at.count())
      if (const int64_t place = sources.place(i); place < sources.places)
        atomic_max(last + place, static_cast<uint64_t>(i) + 1);
  }
};

template <class T>
struct TakeLast {
  Sources sources;
  const uint64_t* last;
  const T *x, *src;
  T* out;
  GPU_FN void operator()(const Place& at) const {
    for (int64_t i = at.index(); i < sources.places; i += at.count()) {
      if (const uint64_t from = last[i])
        out[i] = src[sources.source(static_cast<int64_t>(from) - 1)];
      else if (x != out)
        out[i] = x[i];
    }
  }
};

template <class T>
bp_status run_claims(const bp_launch& l, const Sources& sources, bp_error** err) {
  auto* last = static_cast<uint64_t*>(l.workspace);
  if (const bp_status s =
          launch(l, cover(sources.places), FillAll<uint64_t>{last, 0, sources.places}, err))
    return s;
  if (const bp_status s = launch(l, cover(sources.n), Claim{sources, last}, err)) return s;
  const TakeLast<T> take{sources, last, static_cast<const T*>(l.args[kX].data),
                         static_cast<const T*>(l.args[kSrc].data),
                         static_cast<T*>(l.args[kOut].data)};
  return launch(l, cover(sources.places), take, err);
}

// ---- atomics ----

template <class T>
constexpr bool kHasAtomic = std::is_same_v<T, uint32_t> || std::is_same_v<T, uint64_t>;

template <class T>
struct AddAtomically {
  Sources sources;
  const T* src;
  T* out;
  GPU_FN void operator()(const Place& at) const {
    for (int64_t i = at.index(); i < sources.n; i += at.count())
      if (const int64_t place = sources.place(i); place < sources.places)
        atomic_add(out + place, src[sources.source(i)]);
  }
};

// ---- sorted ----

// A segment is what has the same place. Its first item's thread adds, its last one's replaces.
template <class T, class Put>
struct PutSegments {
  static constexpr int32_t kTogether = 4;  // sm_120 would have 48 registers and spill

  Terms<T> terms;
  SortedPlaces sorted;
  T* out;

  GPU_FN T from(int64_t i) const {
    if constexpr (kIsCarried<T>)
      if (sorted.carries) return std::bit_cast<T>(static_cast<Bits<T>>(sorted.carried(i)));
    return terms.value(sorted.position(i));
  }
  GPU_FN bool is(int64_t i, int64_t place) const {
    return i >= 0 && i < terms.n && sorted.place(i) == place;
  }
  GPU_FN void operator()(const Place& at) const {
    for (int64_t i = at.index(); i < terms.n; i += at.count()) {
      const int64_t place = sorted.place(i);
      if (place == terms.places || is(i + (Put::kLastAlone ? 1 : -1), place)) continue;
      if constexpr (Put::kLastAlone)
        out[place] = from(i);
      else
        add(i, place);
    }
  }
  // Several are read at once, as the thread would wait for each.
  GPU_FN void add(int64_t i, int64_t place) const {
    constexpr int32_t kAhead = sizeof(T) == 8 ? 4 : 8;
    T sum = out[place];
    for (int32_t held = kAhead; held == kAhead; i += kAhead) {
      T next[kAhead] = {};
      held = 0;
      for (int32_t j = 0; j < kAhead; ++j) {
        if (!is(i + j, place)) continue;
        next[j] = from(i + j);
        ++held;
      }
      for (int32_t j = 0; j < kAhead; ++j)
        if (j < held) sum = Put::of(sum, next[j]);
    }
    out[place] = sum;
  }
};

template <class T, class Put>
bp_status run_sorted(const bp_launch& l, const Terms<T>& terms, bp_error** err) {
  SortedPlaces sorted;
  bp_status status = BP_OK;
  if constexpr (kIsCarried<T>)
    status = sort_places(l, terms, &sorted, err, Carried<T, Terms<T>>{terms});
  else
    status = sort_places(l, terms, &sorted, err);
  if (status) return status;
  const PutSegments<T, Put> put{terms, sorted, static_cast<T*>(l.args[kOut].data)};
  return launch(l, cover(terms.n), put, err);
}

// ---- which way ----

enum class Way { kLines, kClaims, kAtomics, kBins, kSorted };

// Claims take 8 bytes for each place, and sorting 16 for each source.
template <class T, class Put>
Way way_of(const Lines& lines, const Sources& sources) {
  if (sources.n == 0 || lines_are_enough(lines)) return Way::kLines;
  if (Put::kLastAlone) return sources.places / 4 <= sources.n ? Way::kClaims : Way::kSorted;
  if (kHasAtomic<T>) return Way::kAtomics;
  return sources.places / 8 <= sources.n ? Way::kBins : Way::kSorted;
}

// Calls fn(T{}) for the type that elements are moved or added in.
template <class Put, class F>
bp_status with_elements(const bp_launch& l, const F& fn) {
  const bp_dtype d = l.args[kX].dtype;
  if constexpr (Put::kLastAlone)
    return with_size(d, fn);
  else
    return with_type_of<kReals | bit(BP_BOOL)>(d, [&](auto t) { return fn(Word<decltype(t)>{}); });
}

template <class T, class Put>
bp_status run_of(const bp_launch& l, bp_error** err) {
  const auto *x = static_cast<const T*>(l.args[kX].data),
             *src = static_cast<const T*>(l.args[kSrc].data);
  auto* out = static_cast<T*>(l.args[kOut].data);
  const Sources sources = sources_of(l);
  const Lines lines = lines_of(l);
  const Way way = way_of<T, Put>(lines, sources);
  const Terms<T> terms{sources, src};
  if constexpr (Put::kLastAlone) {
    if (way == Way::kClaims) return run_claims<T>(l, sources, err);
  } else if constexpr (!kHasAtomic<T>) {
    if (way == Way::kBins) return add_places(l, terms, x, out, err);
  }
  if (x != out)
    if (const bp_status s =
            launch(l, cover(sources.places), CopyAll<T>{x, out, sources.places}, err))
      return s;
  if (sources.n == 0) return BP_OK;
  if (way == Way::kLines)
    return launch(l, cover(lines.count), PutLines<T, Put>{lines, sources.index, src, out}, err);
  if constexpr (!Put::kLastAlone && kHasAtomic<T>)
    return launch(l, cover(sources.n), AddAtomically<T>{sources, src, out}, err);
  else
    return run_sorted<T, Put>(l, terms, err);
}

template <class Put>
bp_status run_put(const bp_launch& l, bp_error** err) {
  return with_elements<Put>(l, [&](auto t) { return run_of<decltype(t), Put>(l, err); });
}

template <class Put>
bp_status workspace(const bp_launch* l, uint64_t* bytes, bp_error**) {
  const Sources sources = sources_of(*l);
  const Lines lines = lines_of(*l);
  return with_elements<Put>(*l, [&](auto t) {
    switch (way_of<decltype(t), Put>(lines, sources)) {
      case Way::kLines:
      case Way::kAtomics: *bytes = 0; break;
      case Way::kClaims: *bytes = static_cast<uint64_t>(sources.places) * sizeof(uint64_t); break;
      case Way::kBins: *bytes = add_places_workspace(*l, sources); break;
      case Way::kSorted: *bytes = places_workspace(*l, sources); break;
    }
    return bp_status{BP_OK};
  });
}

}  // namespace

void add_scatter(Registry& r) {
  r.add(BP_OP_SCATTER, kAllDtypes, entry<run_put<Replace>>, BP_KERNEL_CONTIGUOUS,
        workspace<Replace>);
  r.add(BP_OP_SCATTER_ADD, kReals | bit(BP_BOOL), entry<run_put<Plus>>, BP_KERNEL_CONTIGUOUS,
        workspace<Plus>);
}

}  // namespace bp_gpu
