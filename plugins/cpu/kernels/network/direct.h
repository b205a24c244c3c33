// SPDX-License-Identifier: Apache-2.0
// direct.h: convolutions whose groups have few filters, depthwise ones above all. Laying columns
// out would cost as much as the product: here the taps are read where they lie in the padded image,
// a register for neighbouring places of a row.
//
//   if (suits_direct<T>(g)) return convolve_directly<T>(launch, g, in, weight, out, err);
#pragma once
#include "device/parallel.h"
#include "kernels/linalg/gemm_tile.h"
#include "kernels/network/padded.h"

namespace bp_cpu::BP_ISA {

// kVectors registers of places of a row for each of kRows results: filters at the same places, or,
// where there is one filter, places of neighbouring rows.
template <class T>
struct DirectTile {
  int64_t taps;
  const int64_t* offsets;
  const T* image;
  int64_t image_r;  // from row to row of places; 0 for filters
  const T* weight;
  int64_t weight_r, weight_tap;  // weight_r is 0 for rows of places
  T* out;
  int64_t out_r;
  int64_t last;  // places in the last register
};

template <class T, bool kFilters, int kRows, int kVectors>
void run_direct(const DirectTile<T>& t) {
  using L = Lanes<T>;
  using V = typename L::V;
  V acc[kRows][kVectors];
  unroll<kRows>([&](auto i) { unroll<kVectors>([&](auto j) { acc[i][j] = L::zero(); }); });
  const T* weight = t.weight;
  const int64_t weight_r = t.weight_r, image_r = t.image_r;
  for (int64_t p = 0; p < t.taps; ++p, weight += t.weight_tap) {
    const T* from = t.image + t.offsets[p];  // reads up to kSlack elements too many
    if constexpr (kFilters) {
      V row[kVectors];
      unroll<kVectors>([&](auto j) { row[j] = L::load(from + j * L::kCount); });
      unroll<kRows>([&](auto i) {
        const V w = L::set(weight[i * weight_r]);
        unroll<kVectors>([&](auto j) { acc[i][j] = multiply_add(w, row[j], acc[i][j]); });
      });
    } else {
      const V w = L::set(*weight);
      unroll<kRows>([&](auto i) {
        unroll<kVectors>([&](auto j) {
          acc[i][j] = multiply_add(w, L::load(from + i * image_r + j * L::kCount), acc[i][j]);
        });
      });
    }
  }
  const auto part = L::part(t.last);
  unroll<kRows>([&](auto i) {
    unroll<kVectors>([&](auto j) {
      T* to = t.out + i * t.out_r + j * L::kCount;
      if constexpr (j == kVectors - 1)
        L::store_part(part, to, acc[i][j]);
      else
        L::store(to, acc[i][j]);
    });
  });
}

template <class T>
struct DirectTable {
  void (*run[kTileRows][kTileVectors])(const DirectTile<T>&);
};
template <class T, bool kFilters, int... I>
constexpr DirectTable<T> make_direct(std::integer_sequence<int, I...>) {
  DirectTable<T> t{};
  ((t.run[I / kTileVectors][I % kTileVectors] =
        run_direct<T, kFilters, I / kTileVectors + 1, I % kTileVectors + 1>),
   ...);
  return t;
}
template <class T, bool kFilters>
constexpr DirectTable<T> kDirect =
    make_direct<T, kFilters>(std::make_integer_sequence<int, kTileRows * kTileVectors>{});

// Few filters, and rows of places that fill registers.
template <class T>
bool suits_direct(const Geometry& g) {
  constexpr int64_t kFewFilters = 32, kLanes = Lanes<T>::kCount;
  const int64_t width = g.out[2], registers = (width + kLanes - 1) / kLanes;
  return g.filters == 1 || (g.filters <= kFewFilters && 10 * width >= 7 * registers * kLanes);
}

// Computes the rows [begin, end) of places of all dims but the last, for one group of an image.
template <class T>
void direct_rows(const Geometry& g, const Padded<T>& padded, const T* image, const int64_t* offsets,
                 const T* weight, int64_t begin, int64_t end, T* out) {
  constexpr int64_t kLanes = Lanes<T>::kCount;
  const int64_t width = g.out[2], places = g.places(), taps = g.taps();
  const int64_t registers = (width + kLanes - 1) / kLanes,
                strips = (registers + kTileVectors - 1) / kTileVectors,
                strip = (registers + strips - 1) / strips;  // registers
  const bool filters = g.filters > 1;
  for (int64_t row = begin; row < end;) {
    // Rows of places in one plane, where one filter serves them all.
    const int64_t z = row / g.out[1], y = row % g.out[1],
                  rows = filters ? 1 : smaller(smaller(end - row, g.out[1] - y), kTileRows / 2);
    for (int64_t at = 0; at < registers; at += strip) {
      const int64_t vectors = smaller(strip, registers - at), x = at * kLanes;
      DirectTile<T> t{taps,
                      offsets,
                      image + padded.place(g, z, y) + x,
                      filters ? 0 : g.step[1] * padded.line,
                      weight,
                      taps,
                      1,
                      out + row * width + x,
                      filters ? places : width,
                      smaller(vectors * kLanes, width - x) - (vectors - 1) * kLanes};
      if (!filters) {
        kDirect<T, false>.run[rows - 1][vectors - 1](t);
        continue;
      }
      const RowCut cut(g.filters);
      for (int64_t f = 0, tile = 0; f < g.filters; ++tile) {
        const int64_t height = cut.at(tile);
        t.weight = weight + f * taps, t.out = out + f * places + row * width + x;
        kDirect<T, true>.run[height - 1][vectors - 1](t);
        f += height;
      }
    }
    row += rows;
  }
}

template <class T>
bp_status convolve_directly(const bp_launch& launch, const Geometry& g, const T* in,
                            const T* weight, T* out, bp_error** err) {
  const Padded<T> padded(g);
  const int64_t taps = g.taps(), places = g.places(), rows = g.out[0] * g.out[1];
  const Scratch shared(launch, static_cast<uint64_t>(taps) * sizeof(int64_t));
  int64_t* offsets = shared.as<int64_t>();
  if (!offsets) return shared.fail(err);
  padded.offsets(g, offsets);
  // Few groups of few images are cut into blocks of rows.
  const int64_t slices = g.images * g.groups, blocks = slices < 32 ? smaller(rows, 8) : 1;
  const uint64_t bytes = static_cast<uint64_t>(padded.items()) * sizeof(T);
  const double work = static_cast<double>(places) * static_cast<double>(taps) *
                      static_cast<double>(g.filters) / static_cast<double>(blocks);
  bool exhausted = false;
  parallel_for(slices * blocks, grain(work), [&](int64_t begin, int64_t end) {
    const Scratch scratch(launch, bytes);
    T* image = scratch.as<T>();
    if (!image) return __atomic_store_n(&exhausted, true, __ATOMIC_RELAXED);
    int64_t filled = -1;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t slice = i / blocks, block = i % blocks;
      if (slice != filled) padded.fill(g, in + slice * g.channels * g.pixels(), image);
      filled = slice;
      direct_rows(g, padded, image, offsets, weight + slice % g.groups * g.filters * taps,
                  block * rows / blocks, (block + 1) * rows / blocks,
                  out + slice * g.filters * places);
    }
  });
  return finish(launch, exhausted, bytes, err);
}

// The gradient towards the input of a group of one filter, from one image, into the padded image.
template <class T>
void spread_taps(const Geometry& g, const Padded<T>& padded, const int64_t* offsets,
                 const T* weight, const T* grad, T* image) {
  const int64_t taps = g.taps(), width = g.out[2];
  for (int64_t i = 0; i < padded.items(); ++i) image[i] = T(0);
  for (int64_t z = 0; z < g.out[0]; ++z)
    for (int64_t y = 0; y < g.out[1]; ++y, grad += width) {
      T* row = image + padded.place(g, z, y);
      for (int64_t p = 0; p < taps; ++p) {
        T* to = row + offsets[p];
        const T w = weight[p];
#pragma omp simd
        for (int64_t x = 0; x < width; ++x) to[x] += w * grad[x];
      }
    }
}

}  // namespace bp_cpu::BP_ISA
