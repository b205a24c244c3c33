// SPDX-License-Identifier: Apache-2.0
// sort.cu: sort and topk. A block sorts a tile of kTile items in shared memory: several short rows,
// or a piece of a long one. The runs that come of pieces are merged two by two, one launch for all
// pairs of all rows; each block makes kTile items of a merged run. Runs are cut to the k items that
// can still be among a row's first k, so that topk of a small k leaves little to merge. The last
// step writes values, which it reads where the items came from, and indices.
#include "gpu/block.h"
#include "gpu/offsets.h"
#include "gpu/sort_items.h"
#include "gpu/walk.h"

namespace bp_gpu {
namespace {

enum { kX, kValues, kIndices, kArgs };
constexpr int32_t kTile = 1024;  // a power of two

template <class T>
GPU_FN constexpr T least(T a, T b) {
  return b < a ? b : a;
}
constexpr int64_t groups(int64_t n, int64_t of) { return n / of + (n % of != 0); }

// x [outer..., n], values and indices [outer..., k].
template <class U>
struct Operands {
  const U* x;
  U* values;
  int64_t* indices;
  int64_t along[kArgs];
  Offsets<kArgs> rows;

  GPU_FN void put(const int64_t* row, int64_t j, int64_t position) const {
    values[row[kValues] + j * along[kValues]] = x[row[kX] + position * along[kX]];
    indices[row[kIndices] + j * along[kIndices]] = position;
  }
};

// Items that wait for the next launch: row r's begin at data + r * row.
template <class Item>
struct Runs {
  Item* data;  // nullptr: there is no next launch
  int64_t row;
};

template <class U, class Item>
struct SortTiles {
  Operands<U> io;
  KeyRule<U> rule;
  int64_t rows, n, k, tiles;  // tiles: of a row
  int32_t width, per_block;   // a row's places in shared memory, a power of two; rows in a block
  bool across[2];             // x, values: rows are closer to each other than the elements of one
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
      each(at, n_rows, length, across[0], [&](int32_t r, int32_t j) {
        int64_t row[kArgs];
        io.rows.of(first_row + r, row);
        items[r * width + j] =
            Item::of(rule.key(io.x[row[kX] + (first + j) * io.along[kX]]), first + j);
      });
      const Item* sorted = sort_rows(at, items, n_rows, length);
      const int32_t kept = static_cast<int32_t>(least<int64_t>(length, k));
      if (runs.data) {  // then a block has one row
        Item* to = runs.data + first_row * runs.row + tile * least<int64_t>(kTile, k);
        for_lanes(at, kept, [&](int32_t j) { to[j] = sorted[j]; });
      } else {
        each(at, n_rows, kept, across[1], [&](int32_t r, int32_t j) {
          int64_t row[kArgs];
          io.rows.of(first_row + r, row);
          io.put(row, j, sorted[r * width + j].position());
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

template <class U, class Item>
struct MergeRuns {
  Operands<U> io;
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
        int64_t row[kArgs];
        io.rows.of(p.row, row);
        for_lanes(at, n, [&](int32_t j) { io.put(row, first + j, merged[j].position()); });
      }
    }
  }
};

// What a sort needs besides its operands.
struct Plan {
  int64_t rows = 1, n, k;

  explicit Plan(const bp_launch& l) {
    const bp_arg &x = l.args[kX], &values = l.args[kValues];
    n = x.shape[x.rank - 1];
    k = values.shape[x.rank - 1];
    for (int32_t d = 0; d + 1 < x.rank; ++d) rows *= x.shape[d];
  }
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
};

constexpr int64_t kMostNarrow = int64_t{1} << 32;

// Calls fn(U{}, Item{}) for the operands' width and length.
template <class F>
bp_status with_items(bp_dtype d, int64_t n, const F& fn) {
  return with_size(d, [&](auto u) -> bp_status {
    using U = decltype(u);
    if constexpr (!std::is_integral_v<U>)
      return BP_INTERNAL;  // complex numbers have no order
    else if (sizeof(U) <= 4 && n <= kMostNarrow)
      return fn(u, Narrow{});
    else
      return fn(u, Wide{});
  });
}

// The workspace has two rooms for runs, then the splits.
bp_status order_workspace(const bp_launch* l, uint64_t* bytes, bp_error**) {
  const Plan plan(*l);
  *bytes = 0;
  if (plan.nothing() || plan.n <= kTile) return BP_OK;
  return with_items(l->args[kX].dtype, plan.n, [&](auto, auto item) {
    const uint64_t row = 2 * static_cast<uint64_t>(plan.row_items()) * sizeof item +
                         static_cast<uint64_t>(plan.row_splits()) * sizeof(int64_t);
    constexpr uint64_t kTooMany = uint64_t{1} << 62;  // more than any device has
    const bool fits = row < kTooMany / static_cast<uint64_t>(plan.rows);
    *bytes = fits ? row * static_cast<uint64_t>(plan.rows) : kTooMany;
    return BP_OK;
  });
}

template <class U>
Operands<U> operands(const bp_launch& l) {
  const bp_arg &x = l.args[kX], &values = l.args[kValues], &indices = l.args[kIndices];
  const int32_t outer = x.rank - 1;
  return {static_cast<const U*>(x.data),
          static_cast<U*>(values.data),
          static_cast<int64_t*>(indices.data),
          {x.strides[outer], values.strides[outer], indices.strides[outer]},
          offsets_of<kArgs>(l.args, x.shape, outer)};
}

bool rows_are_closer(const bp_arg& a) {
  const int32_t axis = a.rank - 1;
  return axis > 0 && a.shape[axis - 1] > 1 &&
         distance(a.strides[axis - 1]) < distance(a.strides[axis]);
}

template <class U, class Item>
bp_status order(const bp_launch& l, const Plan& plan, bool descending, bp_error** err) {
  const Operands<U> io = operands<U>(l);
  const bool whole = plan.n <= kTile;
  const int64_t room = plan.rows * plan.row_items();
  Runs<Item> from{whole ? nullptr : static_cast<Item*>(l.workspace), plan.row_items()};
  Runs<Item> to{from.data + (whole ? 0 : room), from.row};
  int64_t* const splits = reinterpret_cast<int64_t*>(to.data + (whole ? 0 : room));

  int32_t width = 1;
  while (width < least<int64_t>(plan.n, kTile)) width *= 2;
  const int32_t per_block = whole ? kTile / width : 1;
  const auto shape = [](int64_t units) {
    return Shape{.blocks = least(units, kMostBlocks), .shared_bytes = 2 * kTile * sizeof(Item)};
  };
  const SortTiles<U, Item> tiles{io,
                                 key_rule<U>(l.args[kX].dtype, descending),
                                 plan.rows,
                                 plan.n,
                                 plan.k,
                                 plan.tiles(),
                                 width,
                                 per_block,
                                 {rows_are_closer(l.args[kX]), rows_are_closer(l.args[kValues])},
                                 from};
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
    const MergeRuns<U, Item> merge{io, pairs, splits, to};
    if (const bp_status s = launch(l, shape(all * pairs.chunks), merge, err)) return s;
    const Runs<Item> done = to;
    to = from;
    from = done;
  }
  return BP_OK;
}

template <uint32_t kDescending>
bp_status run_order(const bp_launch& l, bp_error** err) {
  const Plan plan(l);
  if (plan.nothing()) return BP_OK;
  const bool descending = l.attrs[kDescending].value.i64 != 0;
  return with_items(l.args[kX].dtype, plan.n, [&](auto u, auto item) {
    return order<decltype(u), decltype(item)>(l, plan, descending, err);
  });
}

}  // namespace

void add_sort(Registry& r) {
  constexpr uint64_t kOrdered = bit(BP_BOOL) | kReals;
  r.add(BP_OP_SORT, kOrdered, entry<run_order<BP_ATTR_SORT_DESCENDING>>, 0, order_workspace);
  r.add(BP_OP_TOPK, kOrdered, entry<run_order<BP_ATTR_TOPK_LARGEST>>, 0, order_workspace);
}

}  // namespace bp_gpu
