// SPDX-License-Identifier: Apache-2.0
// sort_runs.h: rows of items sorted, or their first k found. A block sorts a tile of kTile items in
// shared memory: several short rows, or a piece of a long one. The runs that come of pieces are
// merged two by two, one launch for all pairs of all rows; each block makes kTile items of a merged
// run. Runs are cut to the k items that can still be among a row's first k, so that a small k
// leaves little to merge. Io is where items come from and go to:
//
//   struct Mine {
//     using Item = Narrow;  // or Wide (sort_items.h)
//     const uint32_t* keys;
//     int64_t* positions;
//     int64_t n, k;
//     GPU_FN int64_t row(int64_t r) const { return r; }  // of any type
//     GPU_FN Item item(int64_t row, int64_t i) const { return Item::of(keys[row * n + i], i); }  // once for each
//     GPU_FN void put(int64_t row, int64_t j, const Item& item) const { positions[row * k + j] = item.position(); }
//   };
//
//   const SortPlan plan{rows, n, k};
//   *bytes = plan.workspace_bytes(sizeof(Narrow));
//   return sort_runs(l, plan, l.workspace, Mine{keys, positions, n, k}, Across{}, err);
#pragma once
#include "gpu/block.h"
#include "gpu/sort_items.h"
#include "gpu/walk.h"

namespace bp_gpu {

constexpr int32_t kTile = 1024;  // a power of two

constexpr int64_t groups(int64_t n, int64_t of) { return n / of + (n % of != 0); }

// Items that wait for the next launch: row r's begin at data + r * row.
template <class Item>
struct Runs {
  Item* data;  // nullptr: there is no next launch
  int64_t row;
};

// Whether rows are closer to each other in memory than the elements of one.
struct Across {
  bool from, to;
};

template <class Io>
struct SortTiles {
  using Item = typename Io::Item;
  Io io;
  int64_t rows, n, k, tiles;  // tiles: of a row
  int32_t width, per_block;   // a row's places in shared memory, a power of two; rows in a block
  Across across;
  Runs<Item> runs;

  // Calls fn(row in the block, position in the tile) in an order that goes along memory.
  template <class F>
  GPU_FN void each(const Place& at, int32_t n_rows, int32_t length, bool by_row,
                   const F& fn) const {
    for_lanes(at, n_rows * length, [&](int32_t i) {
      if (by_row)
        fn(i % n_rows, i / n_rows);
      else
        fn(i / length, i % length);
    });
  }

  GPU_FN void operator()(const Place& at) const {
    const int64_t units = (rows + per_block - 1) / per_block * tiles;
    for (int64_t unit = at.block(); unit < units; unit += at.blocks()) {
      const int64_t first_row = unit / tiles * per_block, tile = unit % tiles, first = tile * kTile;
      const int32_t n_rows = static_cast<int32_t>(least<int64_t>(per_block, rows - first_row));
      const int32_t length = static_cast<int32_t>(least<int64_t>(kTile, n - first));
      Item* const items = at.shared<Item>();
      each(at, n_rows, length, across.from, [&](int32_t r, int32_t j) {
        items[r * width + j] = io.item(io.row(first_row + r), first + j);
      });
      const Item* sorted = sort_rows(at, items, n_rows, length);
      const int32_t kept = static_cast<int32_t>(least<int64_t>(length, k));
      if (runs.data) {  // then a block has one row
        Item* to = runs.data + first_row * runs.row + tile * least<int64_t>(kTile, k);
        for_lanes(at, kept, [&](int32_t j) { to[j] = sorted[j]; });
      } else {
        each(at, n_rows, kept, across.to, [&](int32_t r, int32_t j) {
          io.put(io.row(first_row + r), j, sorted[r * width + j]);
        });
      }
      at.barrier();
    }
  }

  // Merges runs of one, two, four, ... items from one half of the shared memory to the other and
  // back: an item's place is its own rank in its run plus that in the other one.
  GPU_FN Item* sort_rows(const Place& at, Item* from, int32_t n_rows, int32_t length) const {
    Item* to = from + kTile;
    at.barrier();
    for (int32_t run = 1; run < length; run *= 2) {
      for_lanes(at, n_rows * width, [&](int32_t i) {
        const int32_t j = i & (width - 1), row = i - j;
        if (j >= length) return;
        const int32_t low = j & ~(2 * run - 1);
        const int32_t middle = least(low + run, length), high = least(low + 2 * run, length);
        const Item item = from[i];
        if (j < middle)
          to[i + below(from, row + middle, row + high, item)] = item;
        else
          to[i - run + below(from, row + low, row + middle, item)] = item;
      });
      at.barrier();
      Item* const done = to;
      to = from;
      from = done;
    }
    return from;
  }
};

// One step of merging: run 2p and run 2p + 1 of a row become run p. A run stands for `run` elements
// of x and holds at most k items; runs lie one after the other.
template <class Item>
struct Pairs {
  Runs<Item> from;
  int64_t rows, n, k, run;
  int64_t per_row, chunks;  // pairs of a row, tiles of a merged run

  struct Pair {
    const Item *a, *b;
    int64_t n_a, n_b, n_out, row, number;
  };
  GPU_FN int64_t held(int64_t first) const {
    return first < n ? least(least(run, k), n - first) : 0;
  }
  GPU_FN Pair pair(int64_t i) const {
    Pair p;
    p.row = i / per_row;
    p.number = i % per_row;
    p.a = from.data + p.row * from.row + 2 * p.number * least(run, k);
    p.b = p.a + least(run, k);
    p.n_a = held(2 * p.number * run);
    p.n_b = held((2 * p.number + 1) * run);
    p.n_out = least(k, p.n_a + p.n_b);
    return p;
  }
};

// Where the tiles of merged runs begin in the first run of each pair: chunks + 1 numbers for each.
// A launch of their own finds all at once, because a search is one slow read after the other.
template <class Item>
struct FindSplits {
  Pairs<Item> pairs;
  int64_t* splits;
  GPU_FN void operator()(const Place& at) const {
    const int64_t each = pairs.chunks + 1, n = pairs.rows * pairs.per_row * each;
    for (int64_t i = at.index(); i < n; i += at.count()) {
      const auto p = pairs.pair(i / each);
      splits[i] = merge_split(p.a, p.n_a, p.b, p.n_b, least(i % each * kTile, p.n_out));
    }
  }
};

template <class Io>
struct MergeRuns {
  using Item = typename Io::Item;
  Io io;
  Pairs<Item> pairs;
  const int64_t* splits;
  Runs<Item> runs;

  GPU_FN void operator()(const Place& at) const {
    Item *const part = at.shared<Item>(), *const merged = part + kTile;
    const int64_t units = pairs.rows * pairs.per_row * pairs.chunks;
    for (int64_t unit = at.block(); unit < units; unit += at.blocks()) {
      const int64_t i = unit / pairs.chunks, chunk = unit % pairs.chunks, first = chunk * kTile;
      const auto p = pairs.pair(i);
      if (first >= p.n_out) continue;
      const int64_t* const split = splits + i * (pairs.chunks + 1) + chunk;
      const Item *const a = p.a + split[0], *const b = p.b + (first - split[0]);
      const int32_t n = static_cast<int32_t>(least<int64_t>(kTile, p.n_out - first));
      const int32_t n_a = static_cast<int32_t>(split[1] - split[0]);
      // `part` is free: all threads have met since it was read last.
      for_lanes(at, n, [&](int32_t j) { part[j] = j < n_a ? a[j] : b[j - n_a]; });
      at.barrier();
      for_lanes(at, n, [&](int32_t j) {
        const Item item = part[j];
        merged[j < n_a ? j + below(part, n_a, n, item) : j - n_a + below(part, 0, n_a, item)] =
            item;
      });
      at.barrier();
      if (runs.data) {
        Item* const to =
            runs.data + p.row * runs.row + p.number * least(2 * pairs.run, pairs.k) + first;
        for_lanes(at, n, [&](int32_t j) { to[j] = merged[j]; });
      } else {
        const auto row = io.row(p.row);
        for_lanes(at, n, [&](int32_t j) { io.put(row, first + j, merged[j]); });
      }
    }
  }
};

// How many rows of how many elements, of which the first k are wanted; and what that needs.
struct SortPlan {
  int64_t rows, n, k;

  bool nothing() const { return rows == 0 || n == 0 || k == 0; }
  int64_t tiles() const { return groups(n, kTile); }
  int64_t per_row(int64_t run) const { return groups(n, 2 * run); }
  int64_t chunks(int64_t run) const { return groups(least(least(2 * run, n), k), kTile); }
  // How many items a row of runs has: the first runs take the most.
  int64_t row_items() const { return tiles() * least<int64_t>(kTile, k); }
  int64_t row_splits() const {
    int64_t most = 0;
    for (int64_t run = kTile; run < n; run *= 2) {
      const int64_t splits = per_row(run) * (chunks(run) + 1);
      if (splits > most) most = splits;
    }
    return most;
  }
  // The workspace has two rooms for runs, then the splits.
  uint64_t workspace_bytes(uint64_t item_bytes) const {
    if (nothing() || n <= kTile) return 0;
    const uint64_t row = 2 * static_cast<uint64_t>(row_items()) * item_bytes +
                         static_cast<uint64_t>(row_splits()) * sizeof(int64_t);
    constexpr uint64_t kTooMany = uint64_t{1} << 62;  // more than any device has
    const bool fits = row < kTooMany / static_cast<uint64_t>(rows);
    return fits ? row * static_cast<uint64_t>(rows) : kTooMany;
  }
  // Which of the rooms the last launch does not read, so that put may write its items there.
  int32_t free_room() const {
    int32_t room = 0;
    for (int64_t run = kTile; run < n; run *= 2) room = 1 - room;
    return room;
  }
};

template <class Io>
bp_status sort_runs(const bp_launch& l, const SortPlan& plan, void* workspace, const Io& io,
                    const Across& across, bp_error** err) {
  using Item = typename Io::Item;
  const bool whole = plan.n <= kTile;
  const int64_t room = plan.rows * plan.row_items();
  Runs<Item> from{whole ? nullptr : static_cast<Item*>(workspace), plan.row_items()};
  Runs<Item> to{from.data + (whole ? 0 : room), from.row};
  int64_t* const splits = reinterpret_cast<int64_t*>(to.data + (whole ? 0 : room));

  int32_t width = 1;
  while (width < least<int64_t>(plan.n, kTile)) width *= 2;
  const int32_t per_block = whole ? kTile / width : 1;
  const auto shape = [](int64_t units) {
    return Shape{.blocks = least(units, kMostBlocks), .shared_bytes = 2 * kTile * sizeof(Item)};
  };
  const SortTiles<Io> tiles{io,    plan.rows, plan.n, plan.k, plan.tiles(),
                            width, per_block, across, from};
  if (const bp_status s = launch(l, shape(groups(plan.rows, per_block) * plan.tiles()), tiles, err))
    return s;

  for (int64_t run = kTile; run < plan.n; run *= 2) {
    const Pairs<Item> pairs{from, plan.rows,         plan.n,          plan.k,
                            run,  plan.per_row(run), plan.chunks(run)};
    const int64_t all = plan.rows * pairs.per_row;
    if (const bp_status s =
            launch(l, cover(all * (pairs.chunks + 1)), FindSplits<Item>{pairs, splits}, err))
      return s;
    if (2 * run >= plan.n) to.data = nullptr;
    const MergeRuns<Io> merge{io, pairs, splits, to};
    if (const bp_status s = launch(l, shape(all * pairs.chunks), merge, err)) return s;
    const Runs<Item> done = to;
    to = from;
    from = done;
  }
  return BP_OK;
}

}  // namespace bp_gpu
