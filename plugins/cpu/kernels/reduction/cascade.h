// SPDX-License-Identifier: Apache-2.0
// cascade.h: reductions as a tree over rows of accumulators. A leaf combines 4 parts of 8 groups of
// 8 rows; leaves are combined pairwise, so a sum of n numbers carries about 20 + log2(n) roundings
// at most instead of n (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., §4.2). The
// tree depends on shape and strides alone.
//
// A is the accumulator's type. An Op has
//   static constexpr auto identity();  template <class V> static V of(V a, V b);  // over A and registers
// The reduction's load makes accumulators of elements, unless they are accumulators and lie dense.
//
//   run_reduction<float, Sum>(*launch, {.item_bytes = 4, .load = load_same<float>, .store = store_same<float>, ...});
#pragma once
#include "device/device.h"
#include "device/parallel.h"
#include "device/scratch.h"
#include "driver/reduce_plan.h"
#include "kernels/lanes.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kGroupRows = 8, kPartRows = 64, kLeafRows = 256;
constexpr int64_t kRowBytes = 256, kTileBytes = 2048;

template <class A>
struct Reduction {
  int64_t item_bytes = sizeof(A);
  bool dense_is_direct = false;  // an element is an accumulator: dense rows are read where they lie
  // Sets out[i] to element i * stride of `in`. For variances `about` is the centre of each
  // accumulator; else it is ignored.
  void (*load)(A* out, const void* in, int64_t n, int64_t stride, const A* about) = nullptr;
  // Sets element i * stride of `out` from in[i], in which n_reduced numbers were combined.
  void (*store)(void* out, const A* in, int64_t n, int64_t stride, const bp_launch& launch,
                int64_t n_reduced) = nullptr;
  int64_t out_bytes = sizeof(A);
  // Where it is there: combines positions [begin, end) of a tile's sequences in a way of its own.
  void (*part)(const ReducePlan& plan, const ReduceTile& tile, int64_t begin, int64_t end,
               const A* about, A* out) = nullptr;
};

// Combines K registers of n rows that lie `step` accumulators apart: groups of rows, parts of
// groups, then the parts.
template <class A, class Op, int K>
void leaf_columns(A* out, const A* x, int64_t step, int64_t n) {
  using L = Lanes<A>;
  typename L::V top[K], all[K], group[K];
  const auto take = [&](typename L::V* acc, const A* rows, int64_t count) {
    unroll<K>([&](auto k) { acc[k] = L::load(rows + k * L::kCount); });
    // Row after row, as memory lies: unrolled, GCC takes the rows column by column, which the
    // processor's prefetching does not follow, and a sum from memory takes three times as long
    // (measured on Zen 5).
#pragma GCC unroll 1
    for (int64_t r = 1; r < count; ++r) {
      rows += step;
      unroll<K>([&](auto k) { acc[k] = Op::of(acc[k], L::load(rows + k * L::kCount)); });
    }
  };
  for (int64_t block = 0; block < n; block += kPartRows) {
    const int64_t end = n - block < kPartRows ? n : block + kPartRows;
    take(all, x + block * step, end - block < kGroupRows ? end - block : kGroupRows);
    for (int64_t first = block + kGroupRows; first < end; first += kGroupRows) {
      take(group, x + first * step, end - first < kGroupRows ? end - first : kGroupRows);
      unroll<K>([&](auto k) { all[k] = Op::of(all[k], group[k]); });
    }
    if (block)
      unroll<K>([&](auto k) { top[k] = Op::of(top[k], all[k]); });
    else
      unroll<K>([&](auto k) { top[k] = all[k]; });
  }
  unroll<K>([&](auto k) { L::store(out + k * L::kCount, top[k]); });
}

// out[j] = x[j] op x[step + j] op ... over n rows, for j < width. It is not inlined, because there
// is a copy of it for each caller otherwise.
template <class A, class Op>
__attribute__((noinline)) void leaf(A* out, const A* x, int64_t step, int64_t n, int64_t width) {
  constexpr int64_t kOne = Lanes<A>::kCount;
  constexpr int kRegisters = kRowBytes / kVectorBytes;
  int64_t at = 0;
  for (; at + kRegisters * kOne <= width; at += kRegisters * kOne)
    leaf_columns<A, Op, kRegisters>(out + at, x + at, step, n);
  while (at < width && width >= kOne) {
    at = smaller(at, width - kOne);  // some of the last register's are done again
    leaf_columns<A, Op, 1>(out + at, x + at, step, n);
    at += kOne;
  }
  for (; at < width; ++at) {
    A top{}, all{};
    for (int64_t first = 0; first < n; first += kGroupRows) {
      A group = x[first * step + at];
      for (int64_t r = first + 1; r < first + kGroupRows && r < n; ++r)
        group = Op::of(group, x[r * step + at]);
      all = first % kPartRows ? Op::of(all, group) : group;
      if ((first + kGroupRows) % kPartRows == 0 || first + kGroupRows >= n)
        top = first < kPartRows ? all : Op::of(top, all);
    }
    out[at] = top;
  }
}

// This is not inlined: GCC 12 would think that its loops run past the callers' arrays, and warn.
template <class A, class Op>
__attribute__((noinline)) void merge(A* a, const A* b, int64_t width) {
  using L = Lanes<A>;
  const int64_t whole = width - width % L::kCount;
  for (int64_t j = 0; j < whole; j += L::kCount)
    L::store(a + j, Op::of(L::load(a + j), L::load(b + j)));
  for (int64_t j = whole; j < width; ++j) a[j] = Op::of(a[j], b[j]);
}

// Rows along one output's sequence: a row is a run of its positions.
template <class A, class Op>
struct Along {
  static constexpr int64_t kLanes = kRowBytes / sizeof(A);
  const Reduction<A>& how;
  const ReducePlan& plan;
  const char* first;  // the sequence's first element
  int64_t end;        // one past the last position
  const A* about;

  int64_t width() const { return kLanes; }

  // Returns rows [at, at + n) where they lie, `step` apart and the last one `lanes` long, or
  // nullptr when they must be fetched.
  const A* direct(int64_t at, int64_t n, int64_t lanes, int64_t* step) const {
    const int64_t p = at * kLanes, length = (n - 1) * kLanes + lanes;
    if (!how.dense_is_direct || plan.inner_stride() != 1 || p + length > end) return nullptr;
    if (plan.reduced_rank > 1 && p % plan.inner() + length > plan.inner()) return nullptr;
    *step = kLanes;
    return reinterpret_cast<const A*>(first) + plan.position(p);
  }

  // Copies rows [at, at + n) into buffer, the last one filled up with the identity.
  void fetch(int64_t at, int64_t n, A* buffer) const {
    const int64_t run = plan.inner(), stride = plan.inner_stride(), room = n * kLanes;
    int64_t p = at * kLanes, filled = 0;
    const int64_t wanted = end - p < room ? end - p : room;
    while (filled < wanted) {
      const int64_t i = plan.reduced_rank == 1 ? p : p % run;
      const int64_t m = wanted - filled < run - i ? wanted - filled : run - i;
      const char* piece = first + plan.position(p) * how.item_bytes;
      if (about)  // `about` holds a row of the one centre
        for (int64_t k = 0; k < m; k += kLanes)
          how.load(buffer + filled + k, piece + k * stride * how.item_bytes,
                   m - k < kLanes ? m - k : kLanes, stride, about);
      else
        how.load(buffer + filled, piece, m, stride, nullptr);
      filled += m;
      p += m;
    }
    for (; filled < room; ++filled) buffer[filled] = Op::identity();
  }
};

// Rows across a tile of outputs: a row is one position of all their sequences.
template <class A, class Op>
struct Across {
  const Reduction<A>& how;
  const ReducePlan& plan;
  const char* first;
  const ReduceTile& tile;
  const A* about;

  int64_t width() const { return tile.width; }

  const A* direct(int64_t at, int64_t n, int64_t /*lanes*/, int64_t* step) const {
    if (!how.dense_is_direct || tile.in_stride != 1 || (plan.reduced_rank > 1 && n > 1))
      return nullptr;
    *step = plan.inner_stride();
    return reinterpret_cast<const A*>(first) + plan.position(at);
  }

  void fetch(int64_t at, int64_t n, A* buffer) const {
    for (int64_t r = 0; r < n; ++r)
      how.load(buffer + r * tile.width, first + plan.position(at + r) * how.item_bytes, tile.width,
               tile.in_stride, about);
  }
};

template <class A, class Op, class Source>
void leaf_of(const Source& source, int64_t at, int64_t n, A* out) {
  int64_t step = 0;
  if (const A* x = source.direct(at, n, source.width(), &step))
    return leaf<A, Op>(out, x, step, n, source.width());
  A buffer[kGroupRows * kTileBytes / sizeof(A)], group[kTileBytes / sizeof(A)],
      block[kTileBytes / sizeof(A)];
  for (int64_t first = 0; first < n; first += kGroupRows) {
    const int64_t rows = first + kGroupRows < n ? kGroupRows : n - first;
    A* to = first < kPartRows ? out : block;
    source.fetch(at + first, rows, buffer);
    leaf<A, Op>(first % kPartRows ? group : to, buffer, source.width(), rows, source.width());
    if (first % kPartRows) merge<A, Op>(to, group, source.width());
    if (to == block && (first + rows == n || (first + rows) % kPartRows == 0))
      merge<A, Op>(out, block, source.width());
  }
}

template <class A, class Op, class Source>
void tree(const Source& source, int64_t at, int64_t n, A* out) {
  if (n <= kLeafRows) return leaf_of<A, Op>(source, at, n, out);
  int64_t half = kLeafRows;
  while (half * 2 < n) half *= 2;
  A right[kTileBytes / sizeof(A)];
  tree<A, Op>(source, at, half, out);
  tree<A, Op>(source, at + half, n - half, right);
  merge<A, Op>(out, right, source.width());
}

// Folds a row to one accumulator: the upper half onto the lower one, again and again.
template <class A, class Op>
A fold(const A* lanes) {
  using L = Lanes<A>;
  constexpr int kRegisters = kRowBytes / kVectorBytes;
  typename L::V v[kRegisters];
  unroll<kRegisters>([&](auto k) { v[k] = L::load(lanes + k * L::kCount); });
  for (int half = kRegisters / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) v[i] = Op::of(v[i], v[i + half]);
  A lane[L::kCount];
  L::store(lane, v[0]);
  for (int64_t half = L::kCount / 2; half > 0; half /= 2)
    for (int64_t i = 0; i < half; ++i) lane[i] = Op::of(lane[i], lane[i + half]);
  return lane[0];
}

// Combines rows from `row` to position `end`: the whole ones, then what is left over.
template <class A, class Op>
void reduce_rows(const Along<A, Op>& source, int64_t row, int64_t end, A* lanes) {
  constexpr int64_t kLanes = Along<A, Op>::kLanes;
  const int64_t whole = end / kLanes - row;
  if (whole > 0) tree<A, Op>(source, row, whole, lanes);
  const int64_t left = end % kLanes;
  if (left == 0) return;
  if (whole <= 0) return source.fetch(row, 1, lanes);
  A buffer[kLanes];
  int64_t step = 0;
  const A* rest = source.direct(row + whole, 1, left, &step);
  if (!rest) source.fetch(row + whole, 1, buffer);
  merge<A, Op>(lanes, rest ? rest : buffer, left);
}

// Combines a short sequence, one element after the other.
constexpr int64_t kShort = 16;
template <class A, class Op>
A reduce_short(const Along<A, Op>& s) {
  A buffer[kShort] = {};
  const A* x = reinterpret_cast<const A*>(s.first);
  if (!s.how.dense_is_direct || s.plan.reduced_rank > 1 || s.plan.inner_stride() != 1) {
    const int64_t run = s.plan.inner();
    for (int64_t p = 0; p < s.end; p += run)
      s.how.load(buffer + p, s.first + s.plan.position(p) * s.how.item_bytes, run,
                 s.plan.inner_stride(), s.about);
    x = buffer;
  }
  A acc = x[0];
  for (int64_t i = 1; i < s.end; ++i) acc = Op::of(acc, x[i]);
  return acc;
}

// The same for sequences that lie dense, `apart` elements from one to the next: several go side by
// side, because each waits for its last result.
template <class A, class Op>
void reduce_short_rows(const A* x, int64_t n, int64_t apart, int64_t rows, A* out) {
  constexpr int kSide = 4;
  int64_t row = 0;
  for (; row + kSide <= rows; row += kSide, x += kSide * apart) {
    A acc[kSide];
    unroll<kSide>([&](auto s) { acc[s] = x[s * apart]; });
#pragma GCC unroll 1
    for (int64_t i = 1; i < n; ++i)
      unroll<kSide>([&](auto s) { acc[s] = Op::of(acc[s], x[s * apart + i]); });
    unroll<kSide>([&](auto s) { out[row + s] = acc[s]; });
  }
  for (; row < rows; ++row, x += apart) {
    A acc = x[0];
    for (int64_t i = 1; i < n; ++i) acc = Op::of(acc, x[i]);
    out[row] = acc;
  }
}

// Combines positions [begin, end) of a tile's sequences into out[j]. `about` has one centre per
// output, or is nullptr.
template <class A, class Op>
void reduce_part(const Reduction<A>& how, const ReducePlan& plan, const ReduceTile& tile,
                 int64_t begin, int64_t end, const A* about, A* out) {
  if (how.part) return how.part(plan, tile, begin, end, about, out);
  const char* first = static_cast<const char*>(plan.data) + tile.in * how.item_bytes;
  if (begin >= end) {
    for (int64_t j = 0; j < tile.width; ++j) out[j] = Op::identity();
  } else if (plan.across) {
    tree<A, Op>(Across<A, Op>{how, plan, first, tile, about}, begin, end - begin, out);
  } else if (how.dense_is_direct && plan.n <= kShort && plan.reduced_rank == 1 &&
             plan.inner_stride() == 1) {
    reduce_short_rows<A, Op>(reinterpret_cast<const A*>(first), plan.n, tile.in_stride, tile.width,
                             out);
  } else {
    constexpr int64_t kLanes = Along<A, Op>::kLanes;
    A centre[kLanes], lanes[kLanes];
    for (int64_t j = 0; j < tile.width; ++j) {
      if (about)
        for (A& c : centre) c = about[j];
      const Along<A, Op> source{how, plan, first + j * tile.in_stride * how.item_bytes, end,
                                centre};
      if (plan.n <= kShort) {
        out[j] = reduce_short(source);
      } else {
        reduce_rows(source, begin / kLanes, end, lanes);
        out[j] = fold<A, Op>(lanes);
      }
    }
  }
}

// Combines every chunk into parts[(tile * n_chunks + chunk) * plan.tile + j] in one pass, then the
// chunks of a tile into its chunk 0.
template <class A, class Op>
void reduce_chunks(const Reduction<A>& how, const ReducePlan& plan, const A* about, A* parts) {
  const int64_t per_tile = plan.n_chunks * plan.tile;
  parallel_for(plan.n_tiles * plan.n_chunks, plan.task_grain, [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t t = task / plan.n_chunks, c = task % plan.n_chunks;
      const int64_t from = c * plan.chunk;
      const int64_t to = from + plan.chunk < plan.n ? from + plan.chunk : plan.n;
      reduce_part<A, Op>(how, plan, reduce_tile(plan, t), from, to,
                         about ? about + t * per_tile : nullptr, parts + task * plan.tile);
    }
  });
  for (int64_t t = 0; t < plan.n_tiles; ++t)
    for (int64_t step = 1; step < plan.n_chunks; step *= 2)
      for (int64_t c = 0; c + step < plan.n_chunks; c += 2 * step)
        merge<A, Op>(parts + t * per_tile + c * plan.tile,
                     parts + t * per_tile + (c + step) * plan.tile, reduce_tile(plan, t).width);
}

template <class A, class Op>
bp_status run_reduction(const bp_launch& launch, const Reduction<A>& how, const ReducePlan& plan,
                        bp_error** err) {
  char* out = static_cast<char*>(launch.args[launch.n_in].data);
  if (plan.n_chunks == 1) {
    parallel_for(plan.n_tiles, plan.task_grain, [&](int64_t begin, int64_t end) {
      A values[kTileBytes / sizeof(A)];
      for (int64_t t = begin; t < end; ++t) {
        const ReduceTile tile = reduce_tile(plan, t);
        reduce_part<A, Op>(how, plan, tile, 0, plan.n, nullptr, values);
        how.store(out + tile.out * how.out_bytes, values, tile.width, tile.out_stride, launch,
                  plan.n);
      }
    });
    return BP_OK;
  }
  const int64_t per_tile = plan.n_chunks * plan.tile;
  Scratch scratch(launch, static_cast<uint64_t>(plan.n_tiles * per_tile) * sizeof(A));
  A* parts = scratch.as<A>();
  if (!parts) return scratch.fail(err);
  reduce_chunks<A, Op>(how, plan, nullptr, parts);
  for (int64_t t = 0; t < plan.n_tiles; ++t) {
    const ReduceTile tile = reduce_tile(plan, t);
    how.store(out + tile.out * how.out_bytes, parts + t * per_tile, tile.width, tile.out_stride,
              launch, plan.n);
  }
  return BP_OK;
}

template <class A, class Op>
bp_status run_reduction(const bp_launch& launch, const Reduction<A>& how, bp_error** err) {
  ReducePlan plan;
  plan_reduction(launch, how.item_bytes, /*any_order=*/true, kRowBytes / sizeof(A),
                 kTileBytes / sizeof(A), &plan);
  return run_reduction<A, Op>(launch, how, plan, err);
}

}  // namespace
}  // namespace bp_cpu::BP_ISA
