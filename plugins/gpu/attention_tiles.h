// SPDX-License-Identifier: Apache-2.0
// attention_tiles.h: what the kernel of attention is made of. A block makes a tile
// of scores (or of what becomes of them) in shared memory, kScoreColumns of as many rows as the
// block's grid has, and adds its product with rows of an operand to sums in registers:
//
//   for (int32_t first = 0; first < kScoreColumns<T>; first += grid.width()) {
//     multiply_tile(at, grid, queries, keys, slabs, patch, PlusProduct{});
//     ...   // the patch goes into the tile
//   }
//   accumulate<kWide>(at, grid, tile, values, /*from=*/0, /*to=*/kScoreColumns<T>, slabs, sums);
//
// What a sum is made of, and in which order, depends on neither blocks nor threads.
#pragma once
#include <limits>

#include "gpu/attention.h"
#include "gpu/tiles.h"

namespace bp_gpu {

// The columns of a tile of scores.
template <class T>
constexpr int32_t kScoreColumns = sizeof(Calc<T>) == 8 ? 32 : 64;
// One for each patch of a row of the tile.
template <class T>
constexpr int32_t kScorePatches = kScoreColumns<T> / kSide;

template <class S>
constexpr S kNoScore = -std::numeric_limits<S>::infinity();

template <class T>
struct AttentionCall : Attention {
  using S = Calc<T>;
  S factor;  // the scale
  explicit AttentionCall(const Attention& a) : Attention(a), factor(static_cast<S>(a.scale)) {}

  template <class E = T>
  GPU_FN E* of_batch(int32_t which, int64_t batch) const {
    const Operand& o = operand[which];
    int64_t offset = 0;
    for (int32_t d = n_dims - 1; d >= 0; --d) {
      offset += batch % shape[d] * o.batch[d];
      batch /= shape[d];
    }
    return reinterpret_cast<E*>(o.data) + offset;
  }
  GPU_FN const char* mask_of(int64_t batch) const {
    return mask == Mask::kTruth ? of_batch<const char>(kMask, batch)
                                : reinterpret_cast<const char*>(of_batch(kMask, batch));
  }

  // An operand's rows from `first` on, of n.
  GPU_FN Side<T> rows(int32_t which, const T* x, int64_t first, int64_t n, int64_t length) const {
    const Operand& o = operand[which];
    return {x + first * o.row, n - first, length, o.row, o.column};
  }
  // The same rows as terms of sums, one for each column from `column` on.
  GPU_FN Side<T> terms(int32_t which, const T* x, int64_t first, int64_t n, int64_t column,
                       int64_t length) const {
    const Operand& o = operand[which];
    return {x + first * o.row + column * o.column, length - column, n - first, o.column, o.row};
  }

  // What the softmax sees of query times key; -inf where the key takes no part.
  GPU_FN S score(S product, const char* mask_at, int64_t query, int64_t key) const {
    if (query >= queries || key >= keys || (causal && key > query)) return kNoScore<S>;
    const S s = product * factor;
    if (mask == Mask::kNone) return s;
    const int64_t place = query * operand[kMask].row + key * operand[kMask].column;
    if (mask == Mask::kTruth) return mask_at[place] ? s : kNoScore<S>;
    return s + convert<S>(reinterpret_cast<const T*>(mask_at)[place]);
  }

  template <int32_t kWide>
  GPU_FN void store(int32_t which, T* to, int64_t row, int64_t n, int64_t column, int64_t length,
                    int32_t step, const S (&sums)[kWide][kSide][kSide]) const {
    const Operand& o = operand[which];
    unrolled<kWide * kSide * kSide>([&](int32_t k) {
      const int32_t w = k / kSide / kSide, i = k / kSide % kSide;
      const int64_t at = column + w * step + k % kSide;
      if (row + i < n && at < length)
        to[(row + i) * o.row + at * o.column] = convert<T>(sums[w][i][k % kSide]);
    });
  }
};

// Adds to sums the products of a tile, [term][row], with an operand's terms, of which the tile has
// the first kScoreColumns; of the thread's rows with the terms `from` to `to` alone. Threads meet
// before it reads the tile and when it ends.
template <int32_t kWide, class T, class S>
GPU_FN void accumulate(const Place& at, const Patches& grid, const S* tile, const Side<T>& operand,
                       int64_t from, int64_t to, S* slabs, S (&sums)[kWide][kSide][kSide]) {
  for (int32_t q = 0; q < kScoreColumns<T> && q < operand.k; q += kDepth) {
    Side<T> slab = operand.from(q);
    for (int32_t w = 0; w < kWide; ++w) {
      fetch(at, slab, grid.width(), slabs + w * kSlab);
      slab.data += grid.width() * slab.stride;
      slab.size -= grid.width();
    }
    at.barrier();
    const S* rows = tile + q * kPitch + grid.i;
    if (grid.busy && from <= q && to >= q + kDepth) {
      unrolled<kWide>([&](int32_t w) {
        multiply_slabs(rows, slabs + w * kSlab + grid.j, sums[w], PlusProduct{});
      });
    } else if (grid.busy) {
      for (int32_t k = 0; k < kDepth; ++k)
        if (q + k >= from && q + k < to)
          unrolled<kWide>([&](int32_t w) {
            multiply_packs(rows + k * kPitch, slabs + w * kSlab + k * kPitch + grid.j, sums[w],
                           PlusProduct{});
          });
    }
    at.barrier();
  }
}

// How many columns of a result a thread keeps in patches: the fewest that hold all on a large
// block.
template <class F>
bp_status with_wide(int64_t columns, const F& fn) {
  if (columns <= kSide * kMostPatches) return fn(std::integral_constant<int32_t, 1>{});
  return fn(std::integral_constant<int32_t, 2>{});
}

// A block for each tile of rows and columns, where it is a large one.
inline int64_t tile_blocks(const Attention& a, int64_t rows, int64_t columns, int32_t wide) {
  constexpr int64_t kMostBlocks = 1 << 16, kTile = kSide * kMostPatches;
  const int64_t n =
      a.batches * ((rows + kTile - 1) / kTile) * ((columns + wide * kTile - 1) / (wide * kTile));
  return n < kMostBlocks ? n : kMostBlocks;
}

}  // namespace bp_gpu
