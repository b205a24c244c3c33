// SPDX-License-Identifier: Apache-2.0
// groups.h: sums over groups of elements that lie dense, and then something written for each of
// those elements. A group has `runs` runs of `run` neighbours: a row, a column, a channel of a
// batch. Elements move in packs of `pack`, which divides a run.
//
// A block takes a tile of `width` groups on `height` lanes each, as in reduce.h. Where one launch
// can, it reads a tile, folds the lanes, and reads the tile again, from the cache, to write. Few
// and long groups are cut into chunks: one launch leaves the sums of each in the workspace, and the
// blocks of a second one join those of their groups and write a chunk each. All of it depends on
// the shape alone, and so does the order of a sum.
//
// A Way has
//   Layout by
//   Acc, Result           what a lane accumulates, with a.joined(b); what a group's lanes write by
//   bool sums()           false where nothing is to be accumulated
//   Acc accumulate(Lane)
//   Result conclude(g, Acc, first)   for each group, of one in chunks for each; `first` for one of them
//   static constexpr int32_t kTogether;   blocks of a multiprocessor, as in card.h
//   static constexpr bool kWrites;   and with it write(Lane, Result)
#pragma once
#include "gpu/reduce.h"

namespace bp_gpu {

template <class T>
constexpr int32_t kFullPack = sizeof(T) == 8 ? 2 : 4;
template <class T, int32_t kPack>
struct alignas(sizeof(T) * kPack) Pack {
  T item[kPack];
};
// How many packs a lane has under way, at most: more would take too many registers.
constexpr int32_t packs_under_way(int32_t pack) { return pack == 1 ? 8 : 4; }

struct Layout {
  int64_t groups, elements;               // elements of a group
  int64_t n, run;                         // packs of a group, of a run
  int64_t first, step;                    // packs from a group to the next, from a run to the next
  int64_t next_run, next_place, next_at;  // `height` packs on
  int32_t pack, width, height;
  bool across;    // neighbouring lanes are of neighbouring groups
  int32_t minor;  // 2^minor lanes lie side by side: a group's, or, across, a tile's first ones
  int64_t chunk, chunks;

  int64_t tiles() const { return (groups + width - 1) / width; }
};

struct Lane {
  int64_t g, begin, end;  // its group; its packs, in steps of height
  int32_t w, h;
};

// Where a lane is: the number of a pack in the operand, of its run in the group, and its own in the
// run.
struct PackPlace {
  int64_t at, run, place;
  GPU_FN void next(const Layout& by) {
    run += by.next_run;
    place += by.next_place;
    at += by.next_at;
    if (place < by.run) return;
    ++run;
    place -= by.run;
    at += by.step - by.run;
  }
};

// Calls use(load(place), place) for a lane's packs; kUnder are loaded before the first is used.
template <int32_t kUnder, class Load, class Use>
GPU_FN void each_pack(const Layout& by, const Lane& l, const Load& load, const Use& use) {
  using Item = decltype(load(PackPlace{}));
  const int64_t run = l.begin < by.run ? 0 : l.begin / by.run, place = l.begin - run * by.run;
  PackPlace ahead{l.g * by.first + run * by.step + place, run, place}, here = ahead;
  for (int64_t left = l.end - l.begin; left > 0; left -= kUnder * by.height) {
    const int32_t some =
        left < kUnder * by.height ? static_cast<int32_t>(left) : kUnder * by.height;
    Item item[kUnder];
    for (int32_t k = 0; k < kUnder; ++k) {
      if (k * by.height < some) item[k] = load(ahead);
      ahead.next(by);
    }
    for (int32_t k = 0; k < kUnder; ++k) {
      if (k * by.height < some) use(item[k], here);
      here.next(by);
    }
  }
}

enum class Stage { kWhole, kParts, kJoined, kWritten };

template <class Way>
struct Grouped {
  using Acc = typename Way::Acc;
  using Result = typename Way::Result;
  static constexpr int32_t kTogether = Way::kTogether;
  Way way;
  Stage stage;
  Acc* parts;      // [chunks][groups]
  int64_t chunks;  // that blocks of this launch take

  GPU_FN Lane lane_of(int32_t lane, int64_t work) const {
    const Layout& by = way.by;
    const int32_t minor = lane & ((1 << by.minor) - 1), major = lane >> by.minor,
                  w = by.across ? minor : major, h = by.across ? major : minor;
    const int64_t from = chunk_of(work) * by.chunk, to = from + by.chunk;
    return {tile_of(work) * by.width + w, from + h, to < by.n ? to : by.n, w, h};
  }
  // Where there are chunks, pieces of work are few.
  GPU_FN int64_t tile_of(int64_t work) const {
    return chunks == 1 ? work : static_cast<uint32_t>(work) / static_cast<uint32_t>(chunks);
  }
  GPU_FN int64_t chunk_of(int64_t work) const {
    return chunks == 1 ? 0 : static_cast<uint32_t>(work) % static_cast<uint32_t>(chunks);
  }
  GPU_FN Acc joined(const Lane& l) const {
    Acc acc{};
    for (int64_t c = l.h; c < way.by.chunks; c += way.by.height)
      acc = acc.joined(parts[c * way.by.groups + l.g]);
    return acc;
  }

  GPU_FN void operator()(const Place& at) const {
    const Layout& by = way.by;
    Acc* s = at.shared<Acc>();
    auto* results = reinterpret_cast<Result*>(s + kLanes);
    const int64_t all = (by.groups + by.width - 1) / by.width * chunks;
    for (int64_t work = at.block(); work < all; work += at.blocks()) {
      if (stage != Stage::kWritten) {
        for_lanes(at, kLanes, [&](int32_t i) {
          const Lane l = lane_of(i, work);
          s[l.h * by.width + l.w] = l.g >= by.groups          ? Acc{}
                                    : stage == Stage::kJoined ? joined(l)
                                                              : way.accumulate(l);
        });
        block_fold(at, s, by.height, by.width,
                   [](const Acc& a, const Acc& b) { return a.joined(b); });
      }
      for_lanes(at, by.width, [&](int32_t w) {
        const int64_t g = tile_of(work) * by.width + w, chunk = chunk_of(work);
        if (g >= by.groups) return;
        if (stage == Stage::kParts)
          parts[chunk * by.groups + g] = s[w];
        else
          results[w] = way.conclude(g, stage == Stage::kWritten ? Acc{} : s[w], chunk == 0);
      });
      at.barrier();
      if constexpr (Way::kWrites) {
        if (stage == Stage::kParts) continue;
        for_lanes(at, kLanes, [&](int32_t i) {
          const Lane l = lane_of(i, work);
          if (l.g < by.groups) way.write(l, results[l.w]);
        });
        at.barrier();
      }
    }
  }
};

// first and step are the distances of groups and of a group's runs, in elements.
inline Layout lay_out_groups(int64_t groups, int64_t runs, int64_t run, int64_t first, int64_t step,
                             int32_t full_pack) {
  constexpr int64_t kChunkBlocks = 2048;  // tiles times chunks, at most
  constexpr int64_t kFewestChunks = 4;    // more tiles keep a device busy without
  constexpr int64_t kLeastChunk = 2;      // times what a lane has under way
  Layout by{};
  by.groups = groups;
  by.elements = runs * run;
  by.pack = run % full_pack ? 1 : full_pack;
  by.n = by.elements / by.pack;
  by.run = run ? run / by.pack : 1;
  by.first = first / by.pack;
  by.step = step / by.pack;
  by.across = run == 1 && first < step;
  const int32_t under = packs_under_way(by.pack);
  by.height = reduce_detail::power_above((by.n + under - 1) / under, kLanes);
  if (by.across) {
    const int32_t side = reduce_detail::power_above(groups, reduce_detail::kAcross);
    if (by.height > kLanes / side) by.height = kLanes / side;
  }
  by.width = kLanes / by.height;
  while (1 << by.minor < (by.across ? by.width : by.height)) ++by.minor;
  by.next_run = by.height / by.run;
  by.next_place = by.height % by.run;
  by.next_at = by.next_run * by.step + by.next_place;
  by.chunk = by.n;
  by.chunks = 1;
  const int64_t most = kChunkBlocks / (groups ? by.tiles() : 1),
                least = kLeastChunk * by.height * under;
  if (most < kFewestChunks || by.n < 2 * least) return by;
  by.chunk = ((by.n + most - 1) / most + by.height - 1) / by.height * by.height;
  if (by.chunk < least) by.chunk = least;
  by.chunks = (by.n + by.chunk - 1) / by.chunk;
  return by;
}

// Bytes of the workspace that run_groups needs.
template <class Way>
uint64_t group_bytes(const Layout& by) {
  return by.chunks > 1 ? static_cast<uint64_t>(by.chunks * by.groups) * sizeof(typename Way::Acc)
                       : 0;
}

template <class Way>
bp_status run_groups(const bp_launch& l, const Way& way, void* parts, bp_error** err) {
  using Acc = typename Way::Acc;
  const auto enqueue = [&](Stage stage, int64_t chunks) -> bp_status {
    const int64_t work = way.by.tiles() * chunks;
    if (work == 0) return BP_OK;
    const Shape shape{
        .blocks = work < kMostBlocks ? work : kMostBlocks,
        .shared_bytes = kLanes * static_cast<int64_t>(sizeof(Acc)) +
                        way.by.width * static_cast<int64_t>(sizeof(typename Way::Result))};
    return launch(l, shape, Grouped<Way>{way, stage, static_cast<Acc*>(parts), chunks}, err);
  };
  if (!way.sums()) return enqueue(Stage::kWritten, way.by.chunks);
  if (way.by.chunks == 1) return enqueue(Stage::kWhole, 1);
  if (const bp_status s = enqueue(Stage::kParts, way.by.chunks)) return s;
  return enqueue(Stage::kJoined, Way::kWrites ? way.by.chunks : 1);
}

}  // namespace bp_gpu
