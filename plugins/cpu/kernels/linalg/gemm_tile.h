// SPDX-License-Identifier: Apache-2.0
// gemm_tile.h: the register tile of a matrix product, and small products made of it alone. A tile
// is up to kTileRows x kTileVectors registers of c; for each step of k it loads one row of b and
// broadcasts one column of a. b's and c's columns must be adjacent; a may have any strides.
//
// multiply_small() takes operands where they are: no packing, no memory, no threads.
#pragma once
#include "kernels/lanes.h"

namespace bp_cpu::BP_ISA {

// c[m, n] = a[m, k] b[k, n]; strides in elements: _r from row to row, _c from column to column.
template <class S>
struct Product {
  int64_t m, n, k;
  const S* a;
  int64_t a_r, a_c;
  const S* b;
  int64_t b_r, b_c;
  S* c;
  int64_t c_r, c_c;
};

#if defined(__AVX512F__)
constexpr int kTileRows = 8;
constexpr int kTileVectors = 3;
#elif defined(__AVX2__)
constexpr int kTileRows = 6;
constexpr int kTileVectors = 2;
#else
constexpr int kTileRows = 4;
constexpr int kTileVectors = 2;
#endif
template <class T>
constexpr int64_t kTileColumns = kTileVectors* Lanes<T>::kCount;

template <class T>
struct Tile {
  int64_t k;
  const T* a;
  int64_t a_r, a_c;
  const T* b;
  int64_t b_r;
  T* c;
  int64_t c_r;
  int64_t last;  // columns in the last register, 1..kCount
  bool add;      // to what c holds
};

// What a tile does with a lane of each operand.
struct MultiplyAdd {
  template <class V>
  static V of(V a, V b, V sum) {
    return multiply_add(a, b, sum);
  }
};

// With kPart the last register is partly filled.
template <class T, int kRows, int kVectors, bool kPart, class Step = MultiplyAdd>
[[gnu::always_inline]] inline void multiply_tile(const Tile<T>& t) {
  using L = Lanes<T>;
  using V = typename L::V;
  const auto part = L::part(kPart ? t.last : L::kCount);
  const T* a = t.a;
  const T* b = t.b;
  const int64_t a_r = t.a_r, a_c = t.a_c, b_r = t.b_r;
  V acc[kRows][kVectors];
  unroll<kRows>([&](auto i) { unroll<kVectors>([&](auto j) { acc[i][j] = L::zero(); }); });
  for (int64_t p = 0; p < t.k; ++p, a += a_c, b += b_r) {
    V row[kVectors];
    unroll<kVectors>([&](auto j) {
      if constexpr (kPart && j == kVectors - 1)
        row[j] = L::load_part(part, b + j * L::kCount);
      else
        row[j] = L::load(b + j * L::kCount);
    });
    unroll<kRows>([&](auto i) {
      const V x = L::set(a[i * a_r]);
      unroll<kVectors>([&](auto j) { acc[i][j] = Step::of(x, row[j], acc[i][j]); });
    });
  }
  T* const first = t.c;
  const int64_t c_r = t.c_r;
  const bool add = t.add;
  unroll<kRows>([&](auto i) {
    T* c = first + i * c_r;
    unroll<kVectors>([&](auto j) {
      T* to = c + j * L::kCount;
      if constexpr (kPart && j == kVectors - 1) {
        if (add) acc[i][j] += L::load_part(part, to);
        L::store_part(part, to, acc[i][j]);
      } else {
        if (add) acc[i][j] += L::load(to);
        L::store(to, acc[i][j]);
      }
    });
  });
}

template <class T, int kRows, int kVectors, bool kPart, class Step>
void run_tile(const Tile<T>& t) {
  multiply_tile<T, kRows, kVectors, kPart, Step>(t);
}

template <class T>
using TileRun = void (*)(const Tile<T>&);

// Indexed by [rows - 1][vectors - 1].
template <class T>
struct TileTable {
  TileRun<T> run[kTileRows][kTileVectors];
};
template <class T, bool kPart, class Step, int... I>
constexpr TileTable<T> make_tiles(std::integer_sequence<int, I...>) {
  TileTable<T> t{};
  ((t.run[I / kTileVectors][I % kTileVectors] =
        run_tile<T, I / kTileVectors + 1, I % kTileVectors + 1, kPart, Step>),
   ...);
  return t;
}
template <class T, bool kPart, class Step = MultiplyAdd>
constexpr TileTable<T> kTiles =
    make_tiles<T, kPart, Step>(std::make_integer_sequence<int, kTileRows * kTileVectors>{});

// Rows are cut into tiles of nearly equal height: 17 is 6 + 6 + 5, not 8 + 8 + 1.
struct RowCut {
  int64_t height, n_tall = 1;  // the first n_tall tiles have this height, the others one less
  explicit RowCut(int64_t m) : height(m) {
    if (m <= kTileRows) return;
    const int64_t tiles = (m + kTileRows - 1) / kTileRows;
    height = (m + tiles - 1) / tiles;
    n_tall = m - (height - 1) * tiles;
  }
  int64_t at(int64_t tile) const { return height - (tile >= n_tall); }
};

// Needs b_c == 1 and c_c == 1.
template <class T>
__attribute__((always_inline)) inline void multiply_small(const Product<T>& p) {
  constexpr int64_t kLanes = Lanes<T>::kCount;
  const RowCut cut(p.m);
  Tile<T> t{p.k, p.a, p.a_r, p.a_c, p.b, p.b_r, p.c, p.c_r, 0, false};
  for (int64_t j = 0; j < p.n; j += kTileColumns<T>) {
    const int64_t width = p.n - j < kTileColumns<T> ? p.n - j : kTileColumns<T>;
    const int64_t vectors = (width + kLanes - 1) / kLanes;
    t.last = width - (vectors - 1) * kLanes;
    const auto& tiles = t.last == kLanes ? kTiles<T, false> : kTiles<T, true>;
    t.b = p.b + j;
    for (int64_t i = 0, tile = 0; i < p.m; ++tile) {
      const int64_t height = cut.at(tile);
      t.a = p.a + i * p.a_r;
      t.c = p.c + i * p.c_r + j;
      tiles.run[height - 1][vectors - 1](t);
      i += height;
    }
  }
}

}  // namespace bp_cpu::BP_ISA
