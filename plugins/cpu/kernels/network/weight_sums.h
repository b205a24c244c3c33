// SPDX-License-Identifier: Apache-2.0
// weight_sums.h: the gradient of a convolution's weight, from one group of one image: for each tap
// and filter the sum over places of what the tap reads times the filter's gradient. Taps are read
// where they lie in the padded image.
//
//   add_weight_sums(g, padded, image, offsets, grad, /*add=*/false, room, sums);   // sums[taps, filters]
#pragma once
#include "kernels/network/columns.h"

namespace bp_cpu::BP_ISA {

// sums[p] = (or +=) the sum over places of grad * tap p, for kTaps taps from p on.
template <class T, int kTaps>
void sum_taps(const Geometry& g, const Padded<T>& padded, const T* image, const int64_t* offsets,
              const T* grad, bool add, T* sums) {
  using L = Lanes<T>;
  typename L::V acc[kTaps];
  unroll<kTaps>([&](auto p) { acc[p] = L::zero(); });
  const int64_t width = g.out[2], whole = width / L::kCount * L::kCount;
  const auto part = L::part(width - whole);
  for (int64_t z = 0; z < g.out[0]; ++z)
    for (int64_t y = 0; y < g.out[1]; ++y, grad += width) {
      const T* from = image + padded.place(g, z, y);
      for (int64_t x = 0; x < whole; x += L::kCount) {
        const auto v = L::load(grad + x);
        unroll<kTaps>(
            [&](auto p) { acc[p] = multiply_add(v, L::load(from + offsets[p] + x), acc[p]); });
      }
      if (whole == width) continue;
      // Both are cut off: what stands behind the row may be infinite.
      const auto v = L::load_part(part, grad + whole);
      unroll<kTaps>([&](auto p) {
        acc[p] = multiply_add(v, L::load_part(part, from + offsets[p] + whole), acc[p]);
      });
    }
  unroll<kTaps>([&](auto p) {
    const T sum = sum_lanes<T>(acc[p]);
    sums[p] = add ? sums[p] + sum : sum;
  });
}

// The gradient of the weight of one filter, from one image.
template <class T>
void add_tap_sums(const Geometry& g, const Padded<T>& padded, const T* image,
                  const int64_t* offsets, const T* grad, bool add, T* sums) {
  const int64_t taps = g.taps();
  int64_t p = 0;
  for (; p + 9 <= taps; p += 9) sum_taps<T, 9>(g, padded, image, offsets + p, grad, add, sums + p);
  for (; p + 4 <= taps; p += 4) sum_taps<T, 4>(g, padded, image, offsets + p, grad, add, sums + p);
  for (; p < taps; ++p) sum_taps<T, 1>(g, padded, image, offsets + p, grad, add, sums + p);
}

// kVectors registers of filters for each of kRows taps. The gradients are packed as pack_b does it,
// for places in rows.
template <class T>
struct SumTile {
  const Rows* rows;
  const T* image;
  const int64_t* offsets;
  const T* grad;
  T* sums;
  int64_t sums_r;
  int64_t last;  // filters in the last register
  bool add;
};

template <class T, int kRows, int kVectors>
void run_sums(const SumTile<T>& t) {
  using L = Lanes<T>;
  typename L::V acc[kRows][kVectors];
  const auto part = L::part(t.last);
  unroll<kRows>([&](auto i) { unroll<kVectors>([&](auto j) { acc[i][j] = L::zero(); }); });
  const T* tap[kRows];
  for (int64_t r = 0; r < t.rows->n; ++r) {
    const Rows::Row row = t.rows->row[r];
    unroll<kRows>([&](auto i) { tap[i] = t.image + t.offsets[i] + row.from; });
    const T* grad = t.grad + row.at * kTileColumns<T>;
    for (int64_t x = 0; x < row.count; ++x, grad += kTileColumns<T>) {
      typename L::V g[kVectors];
      unroll<kVectors>([&](auto j) { g[j] = L::load(grad + j * L::kCount); });
      unroll<kRows>([&](auto i) {
        const auto v = L::set(tap[i][x]);
        unroll<kVectors>([&](auto j) { acc[i][j] = multiply_add(v, g[j], acc[i][j]); });
      });
    }
  }
  unroll<kRows>([&](auto i) {
    unroll<kVectors>([&](auto j) {
      T* to = t.sums + i * t.sums_r + j * L::kCount;
      const auto cut = j == kVectors - 1 ? part : L::part(L::kCount);
      if (t.add) acc[i][j] += L::load_part(cut, to);
      L::store_part(cut, to, acc[i][j]);
    });
  });
}

template <class T>
struct SumTable {
  void (*run[kTileRows][kTileVectors])(const SumTile<T>&);
};
template <class T, int... I>
constexpr SumTable<T> make_sums(std::integer_sequence<int, I...>) {
  SumTable<T> t{};
  ((t.run[I / kTileVectors][I % kTileVectors] =
        run_sums<T, I / kTileVectors + 1, I % kTileVectors + 1>),
   ...);
  return t;
}
template <class T>
constexpr SumTable<T> kSums =
    make_sums<T>(std::make_integer_sequence<int, kTileRows * kTileVectors>{});

// How many elements add_weight_sums packs at a time.
template <class T>
int64_t sums_room(const Geometry& g) {
  return smaller(g.places(), kDepth) * round_up(g.filters, kTileColumns<T>);
}

template <class T>
void add_weight_sums(const Geometry& g, const Padded<T>& padded, const T* image,
                     const int64_t* offsets, const T* grad, bool add, T* room, T* sums) {
  if (g.filters == 1) return add_tap_sums(g, padded, image, offsets, grad, add, sums);
  constexpr int64_t kWidth = kTileColumns<T>, kLanes = Lanes<T>::kCount;
  const int64_t taps = g.taps(), places = g.places();
  const RowCut cut(taps);
  for (int64_t first = 0; first < places; first += kDepth) {
    const int64_t n = smaller(kDepth, places - first);
    const Rows rows(g, padded, first, n);
    pack_b(grad + first, 1, places, n, g.filters, room);
    for (int64_t f = 0; f < g.filters; f += kWidth) {
      const int64_t width = smaller(kWidth, g.filters - f), vectors = (width + kLanes - 1) / kLanes;
      SumTile<T> t{&rows,
                   image,
                   offsets,
                   room + f * n,
                   sums + f,
                   g.filters,
                   width - (vectors - 1) * kLanes,
                   add || first > 0};
      for (int64_t k = 0, tile = 0; k < taps; ++tile) {
        const int64_t height = cut.at(tile);
        kSums<T>.run[height - 1][vectors - 1](t);
        t.offsets += height, t.sums += height * g.filters, k += height;
      }
    }
  }
}

}  // namespace bp_cpu::BP_ISA
