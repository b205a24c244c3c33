// SPDX-License-Identifier: Apache-2.0
// gemm_blocked.h: large matrix products of any storage type and strides, by blocks that fit the
// caches (Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication", ACM TOMS
// 34(3), 2008). Blocks of a and b are packed into lanes in the order the tile reads them; packing
// converts, so f16, i8 and bool cost no more than their lanes. One thread works on one rectangle of
// c with scratch memory of its own.
//
//   Blocks<S> size(m, n, k);  void* memory = ...size.bytes()...;  multiply_blocked(product, size, memory);
#pragma once
#include "kernels/linalg/gemm_tile.h"

namespace bp_cpu::BP_ISA {

constexpr int64_t round_up(int64_t x, int64_t to) { return (x + to - 1) / to * to; }

// Block sizes, and where each block lies in the scratch memory.
template <class S>
struct Blocks {
  using T = Lane<S>;
  // In elements of k; a tile's part of b stays in the first-level cache.
  static constexpr int64_t kDepth = 256;
  static constexpr int64_t kRows = 768 / sizeof(T) / kTileRows * kTileRows;
  static constexpr int64_t kColumns = round_up(4096 / sizeof(T), kTileColumns<T>);
  int64_t depth, rows, columns;
  int64_t a_lanes, b_lanes, sum_lanes;

  Blocks(int64_t m, int64_t n, int64_t k)
      : depth(smaller(k, kDepth)),
        rows(smaller(m, kRows)),
        columns(smaller(round_up(n, kTileColumns<T>), kColumns)),
        a_lanes(round_up(rows * depth, 16)),
        b_lanes(columns * depth),
        // Halves are summed in f32 over all of k and rounded once.
        sum_lanes(kIsNarrow<S> ? m * columns : 0) {}
  int64_t bytes() const {
    return round_up((a_lanes + b_lanes + sum_lanes) * static_cast<int64_t>(sizeof(T)), 4096);
  }
};

template <class S>
inline void pack_row(const S* from, int64_t step, int64_t n, Lane<S>* out) {
  if (step == 1)
    for (int64_t j = 0; j < n; ++j) out[j] = to_lane(from[j]);
  else
    for (int64_t j = 0; j < n; ++j) out[j] = to_lane(from[j * step]);
}

// Packs rows x depth of a, row after row, because the tile broadcasts single elements, adjacent
// ones one after the other.
template <class S>
void pack_a(const S* a, int64_t a_r, int64_t a_c, int64_t rows, int64_t depth, Lane<S>* out) {
  if (a_r != 1 || a_c == 1) {
    for (int64_t i = 0; i < rows; ++i) pack_row(a + i * a_r, a_c, depth, out + i * depth);
    return;
  }
  constexpr int64_t kBlock = 64 / sizeof(S);
  for (int64_t i = 0; i < rows; i += kBlock)
    for (int64_t p = 0; p < depth; ++p)
      for (int64_t r = i; r < smaller(i + kBlock, rows); ++r)
        out[r * depth + p] = to_lane(a[r + p * a_c]);
}

// Packs depth x columns of b in strips as wide as a tile, the last one filled up with zeros.
template <class S>
void pack_b(const S* b, int64_t b_r, int64_t b_c, int64_t depth, int64_t columns, Lane<S>* out) {
  constexpr int64_t kWidth = kTileColumns<Lane<S>>;
  for (int64_t j = 0; j < columns; j += kWidth, out += kWidth * depth) {
    const int64_t width = smaller(columns - j, kWidth);
    const S* from = b + j * b_c;
    if (width < kWidth) std::memset(static_cast<void*>(out), 0, kWidth * depth * sizeof(*out));
    if (b_c == 1 && width == kWidth) {
      for (int64_t p = 0; p < depth; ++p) pack_row(from + p * b_r, 1, kWidth, out + p * kWidth);
    } else if (b_r == 1) {
      // A few adjacent elements of each column at a time: whole cache lines in, short strides out.
      constexpr int64_t kBlock = 64 / sizeof(S);
      for (int64_t p = 0; p < depth; p += kBlock)
        for (int64_t q = 0; q < width; ++q)
          for (int64_t r = p; r < smaller(p + kBlock, depth); ++r)
            out[r * kWidth + q] = to_lane(from[r + q * b_c]);
    } else {
      for (int64_t p = 0; p < depth; ++p) pack_row(from + p * b_r, b_c, width, out + p * kWidth);
    }
  }
}

// Where tiles go: straight into c where it has their type and adjacent columns, and otherwise
// through a small buffer.
template <class S>
struct Target {
  S* c;
  int64_t c_r, c_c;
  bool add;
};

template <class S>
void multiply_packed(const Lane<S>* a, const Lane<S>* b, int64_t rows, int64_t columns,
                     int64_t depth, const Target<S>& to) {
  using T = Lane<S>;
  constexpr int64_t kWidth = kTileColumns<T>, kLanes = Lanes<T>::kCount;
  alignas(64) T buffer[kTileRows * kWidth];
  const RowCut cut(rows);
  const bool direct = sizeof(S) == sizeof(T) && to.c_c == 1;
  Tile<T> t{depth, a, depth, 1, b, kWidth, nullptr, 0, kLanes, false};
  for (int64_t j = 0; j < columns; j += kWidth, t.b += kWidth * depth) {
    const int64_t width = smaller(columns - j, kWidth);
    const int64_t vectors = (width + kLanes - 1) / kLanes;
    t.a = a;
    for (int64_t i = 0, tile = 0; i < rows; ++tile) {
      const int64_t height = cut.at(tile);
      S* c = to.c + i * to.c_r + j * to.c_c;
      if (direct && width == vectors * kLanes) {
        t.c = reinterpret_cast<T*>(c);
        t.c_r = to.c_r;
        t.add = to.add;
        kTiles<T, false>.run[height - 1][vectors - 1](t);
      } else {
        t.c = buffer;
        t.c_r = kWidth;
        t.add = false;
        kTiles<T, false>.run[height - 1][vectors - 1](t);
        for (int64_t r = 0; r < height; ++r)
          for (int64_t q = 0; q < width; ++q)
            from_lane<S>(buffer[r * kWidth + q], to.add, c + r * to.c_r + q * to.c_c);
      }
      t.a += height * depth;
      i += height;
    }
  }
}

template <class S>
void multiply_blocked(const Product<S>& p, const Blocks<S>& size, void* memory) {
  using T = Lane<S>;
  T* a = static_cast<T*>(memory);
  T* b = a + size.a_lanes;
  T* sums = b + size.b_lanes;
  for (int64_t j = 0; j < p.n; j += size.columns) {
    const int64_t columns = smaller(size.columns, p.n - j);
    for (int64_t q = 0; q < p.k; q += size.depth) {
      const int64_t depth = smaller(size.depth, p.k - q);
      pack_b(p.b + q * p.b_r + j * p.b_c, p.b_r, p.b_c, depth, columns, b);
      for (int64_t i = 0; i < p.m; i += size.rows) {
        const int64_t rows = smaller(size.rows, p.m - i);
        pack_a(p.a + i * p.a_r + q * p.a_c, p.a_r, p.a_c, rows, depth, a);
        if constexpr (kIsNarrow<S>)
          multiply_packed<T>(a, b, rows, columns, depth,
                             {sums + i * size.columns, size.columns, 1, q > 0});
        else
          multiply_packed<S>(a, b, rows, columns, depth,
                             {p.c + i * p.c_r + j * p.c_c, p.c_r, p.c_c, q > 0});
      }
    }
    if constexpr (kIsNarrow<S>)
      for (int64_t i = 0; i < p.m; ++i)
        for (int64_t q = 0; q < columns; ++q)
          from_float(sums[i * size.columns + q], p.c + i * p.c_r + (j + q) * p.c_c);
  }
}

}  // namespace bp_cpu::BP_ISA
