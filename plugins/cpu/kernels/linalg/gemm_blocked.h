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

// Lays 16 rows of 16 elements of four bytes out as columns: to[j * to_r + i] = from[i * row_bytes +
// j].
#if defined(__AVX512F__)
inline void transpose_block(const char* from, int64_t row_bytes, float* to, int64_t to_r) {
  __m512i row[16], pair[16], four[16];
  unroll<16>([&](auto i) { row[i] = _mm512_loadu_si512(from + i * row_bytes); });
  unroll<8>([&](auto i) {
    pair[2 * i] = _mm512_unpacklo_epi32(row[2 * i], row[2 * i + 1]);
    pair[2 * i + 1] = _mm512_unpackhi_epi32(row[2 * i], row[2 * i + 1]);
  });
  // four[4 * g + c]: columns c, c + 4, c + 8 and c + 12 of rows 4 g to 4 g + 3.
  unroll<4>([&](auto g) {
    unroll<2>([&](auto h) {
      four[4 * g + 2 * h] = _mm512_unpacklo_epi64(pair[4 * g + h], pair[4 * g + h + 2]);
      four[4 * g + 2 * h + 1] = _mm512_unpackhi_epi64(pair[4 * g + h], pair[4 * g + h + 2]);
    });
  });
  unroll<4>([&](auto c) {
    const __m512i even = _mm512_shuffle_i32x4(four[c], four[4 + c], 0x88),
                  odd = _mm512_shuffle_i32x4(four[c], four[4 + c], 0xdd),
                  even_below = _mm512_shuffle_i32x4(four[8 + c], four[12 + c], 0x88),
                  odd_below = _mm512_shuffle_i32x4(four[8 + c], four[12 + c], 0xdd);
    _mm512_storeu_si512(to + c * to_r, _mm512_shuffle_i32x4(even, even_below, 0x88));
    _mm512_storeu_si512(to + (4 + c) * to_r, _mm512_shuffle_i32x4(odd, odd_below, 0x88));
    _mm512_storeu_si512(to + (8 + c) * to_r, _mm512_shuffle_i32x4(even, even_below, 0xdd));
    _mm512_storeu_si512(to + (12 + c) * to_r, _mm512_shuffle_i32x4(odd, odd_below, 0xdd));
  });
}
#endif

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
      int64_t p = 0;
#if defined(__AVX512F__)
      if constexpr (std::is_same_v<S, float>)
        for (; p + kBlock <= depth && width == kWidth; p += kBlock)
          for (int64_t q = 0; q < kWidth; q += kBlock)
            transpose_block(reinterpret_cast<const char*>(from + p + q * b_c),
                            b_c * static_cast<int64_t>(sizeof(S)), out + p * kWidth + q, kWidth);
#endif
      for (; p < depth; p += kBlock)
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

template <class S, class Step = MultiplyAdd>
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
        // The tile stores at its end, one miss after the other, unless the lines are there by then.
        for (int64_t r = 0; r < height; ++r)
          for (int64_t v = 0; v < vectors; ++v)
            __builtin_prefetch(c + r * to.c_r + v * kLanes, /*rw=*/1);
        t.c = reinterpret_cast<T*>(c);
        t.c_r = to.c_r;
        t.add = to.add;
        kTiles<T, false, Step>.run[height - 1][vectors - 1](t);
      } else {
        t.c = buffer;
        t.c_r = kWidth;
        t.add = false;
        kTiles<T, false, Step>.run[height - 1][vectors - 1](t);
        for (int64_t r = 0; r < height; ++r)
          for (int64_t q = 0; q < width; ++q)
            from_lane<S>(buffer[r * kWidth + q], to.add, c + r * to.c_r + q * to.c_c);
      }
      t.a += height * depth;
      i += height;
    }
  }
}

// How a product's operands are packed: lane by lane. depth_of is the number of steps of the tile.
template <class S>
struct LaneByLane {
  using Step = MultiplyAdd;
  static int64_t depth_of(const Product<S>& p) { return p.k; }
  // Rows [i, i + rows) of a and columns [j, j + columns) of b, steps [q, q + depth).
  static void pack_rows(const Product<S>& p, int64_t i, int64_t q, int64_t rows, int64_t depth,
                        Lane<S>* out) {
    pack_a(p.a + i * p.a_r + q * p.a_c, p.a_r, p.a_c, rows, depth, out);
  }
  static void pack_columns(const Product<S>& p, int64_t q, int64_t j, int64_t depth,
                           int64_t columns, Lane<S>* out) {
    pack_b(p.b + q * p.b_r + j * p.b_c, p.b_r, p.b_c, depth, columns, out);
  }
};

template <class S, class Packing = LaneByLane<S>>
void multiply_blocked(const Product<S>& p, const Blocks<S>& size, void* memory) {
  using T = Lane<S>;
  using Step = typename Packing::Step;
  const int64_t k = Packing::depth_of(p);
  T* a = static_cast<T*>(memory);
  T* b = a + size.a_lanes;
  T* sums = b + size.b_lanes;
  for (int64_t j = 0; j < p.n; j += size.columns) {
    const int64_t columns = smaller(size.columns, p.n - j);
    for (int64_t q = 0; q < k; q += size.depth) {
      const int64_t depth = smaller(size.depth, k - q);
      Packing::pack_columns(p, q, j, depth, columns, b);
      for (int64_t i = 0; i < p.m; i += size.rows) {
        const int64_t rows = smaller(size.rows, p.m - i);
        Packing::pack_rows(p, i, q, rows, depth, a);
        if constexpr (kIsNarrow<S>)
          multiply_packed<T, Step>(a, b, rows, columns, depth,
                                   {sums + i * size.columns, size.columns, 1, q > 0});
        else
          multiply_packed<S, Step>(a, b, rows, columns, depth,
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
