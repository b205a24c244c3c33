// SPDX-License-Identifier: Apache-2.0
// columns.h: convolutions as products of matrices. A block of output places is laid out as the
// columns of a matrix (all taps of all channels of a group: the "im2col" of Chellapilla et al.,
// 2006), straight into the strips that the tile of gemm_blocked.h reads, so that the product packs
// nothing again. Blocks fit the second-level cache; threads share images, groups and blocks of
// places.
//
//   return convolve<float, MultiplyAdd>(*launch, geometry, x, weight, y, err);
#pragma once
#include "device/parallel.h"
#include "device/scratch.h"
#include "kernels/linalg/gemm_pairs.h"
#include "kernels/network/padded.h"

namespace bp_cpu::BP_ISA {

constexpr int64_t kBlockBytes = 192 * 1024;  // of laid out columns
constexpr int64_t kDepth = 256;              // of a product's inner dim at a time
constexpr int64_t kTileHeight = 192;         // rows of a at a time

// Places [begin, begin + count), by the rows of the output in which they lie.
struct Rows {
  struct Row {
    int64_t at, count, from;  // the first place; from: where its window begins
  };
  Row row[kDepth];
  int64_t n = 0;

  template <class T>
  Rows(const Geometry& g, const Padded<T>& p, int64_t begin, int64_t count) {
    int64_t x = begin % g.out[2], y = begin / g.out[2];
    for (int64_t at = 0; at < count; x = 0, ++y) {
      const int64_t length = smaller(g.out[2] - x, count - at);
      row[n++] = {at, length, p.place(g, y / g.out[1], y % g.out[1]) + x};
      at += length;
    }
  }
  // Writes up to kSlack elements too many; what belongs there is written afterwards.
  template <class T>
  void lay_out(const T* tap, T* to) const {
    constexpr int64_t kChunk = 64 / sizeof(T);
    static_assert(kChunk <= kSlack);
    for (int64_t r = 0; r < n; ++r) {
      const T* from = tap + row[r].from;
      T* out = to + row[r].at;
      for (int64_t i = 0; i < row[r].count; i += kChunk)
        __builtin_memcpy(out + i, from + i, sizeof(T) * kChunk);
    }
  }
};

// c = a b, or c += a b, for packed a [m, depth] and b, by rows that stay in the cache.
template <class T, class Step = MultiplyAdd>
void multiply_rows_of(const T* a, const T* b, int64_t m, int64_t n, int64_t depth,
                      const Target<T>& to) {
  for (int64_t i = 0; i < m; i += kTileHeight)
    multiply_packed<T, Step>(a + i * depth, b, smaller(kTileHeight, m - i), n, depth,
                             {to.c + i * to.c_r, to.c_r, to.c_c, to.add});
}

// Packs a [m, k] with any strides, cut into depths: [k / kDepth][m][depth].
template <class T>
void pack_depths(const T* a, int64_t a_r, int64_t a_c, int64_t m, int64_t k, T* to) {
  for (int64_t q = 0; q < k; q += kDepth) {
    const int64_t depth = smaller(kDepth, k - q);
    pack_a(a + q * a_c, a_r, a_c, m, depth, to + q * m);
  }
}

// Packs `depth` taps of places [begin, begin + n), in strips as pack_b makes them.
template <class T>
void pack_taps(const Geometry& g, const Padded<T>& p, const T* image, const int64_t* taps,
               int64_t depth, int64_t begin, int64_t n, T* to) {
  constexpr int64_t kWidth = kTileColumns<T>;
  for (int64_t j = 0; j < n; j += kWidth, to += kWidth * depth) {
    const int64_t width = smaller(n - j, kWidth);
    const Rows rows(g, p, begin + j, width);
    for (int64_t k = 0; k < depth; ++k) {
      T* line = to + k * kWidth;
      rows.lay_out(image + taps[k], line);
      for (int64_t q = width; q < kWidth; ++q) line[q] = T(0);
    }
  }
}

// How many places of `rows` elements each kBlockBytes hold, in whole strips.
template <class T>
int64_t block_of(int64_t rows, int64_t places) {
  const int64_t fit = kBlockBytes / (static_cast<int64_t>(sizeof(T)) * smaller(rows, kDepth));
  const int64_t strips = fit / kTileColumns<T> > 0 ? fit / kTileColumns<T> : 1;
  return smaller(round_up(places, kTileColumns<T>), strips * kTileColumns<T>);
}

// Computes out[image, filter, place] for weights [groups][filters, taps]. Step is what the tile
// does with an element of each; sums of another type than S are rounded once, at the end.
template <class T, class Step, class S>
bp_status convolve(const bp_launch& launch, const Geometry& g, const T* in, const T* weight, S* out,
                   bp_error** err) {
  constexpr bool kSums = !std::is_same_v<S, T>;
  const Padded<T> padded(g);
  const int64_t taps = g.taps(), places = g.places(), block = block_of<T>(taps, places),
                blocks = (places + block - 1) / block;
  const Scratch shared(launch, static_cast<uint64_t>(taps) * sizeof(int64_t) +
                                   static_cast<uint64_t>(g.groups * g.filters * taps) * sizeof(T));
  int64_t* offsets = shared.as<int64_t>();
  if (!offsets) return shared.fail(err);
  T* a = reinterpret_cast<T*>(offsets + taps);
  padded.offsets(g, offsets);
  for (int64_t i = 0; i < g.groups; ++i)
    pack_depths(weight + i * g.filters * taps, taps, 1, g.filters, taps, a + i * g.filters * taps);
  const bool pointwise = g.pointwise();
  const int64_t b_items = block * smaller(taps, kDepth) + kSlack,
                sum_items = kSums ? g.filters * block : 0;
  const uint64_t bytes =
      static_cast<uint64_t>(b_items + sum_items + (pointwise ? 0 : padded.items())) * sizeof(T);
  bool exhausted = false;
  const double work =
      static_cast<double>(block) * static_cast<double>(taps) * static_cast<double>(g.filters);
  parallel_for(g.images * g.groups * blocks, grain(work), [&](int64_t begin, int64_t end) {
    const Scratch scratch(launch, bytes);
    T* b = scratch.as<T>();
    if (!b) return __atomic_store_n(&exhausted, true, __ATOMIC_RELAXED);
    T *sums = b + b_items, *image = sums + sum_items;
    int64_t filled = -1;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t slice = i / blocks, first = i % blocks * block,
                    n = smaller(block, places - first);
      const T* pixels = in + slice * g.channels * g.pixels();
      if (slice != filled && !pointwise) padded.fill(g, pixels, image);
      filled = slice;
      S* c = out + slice * g.filters * places + first;
      for (int64_t q = 0; q < taps; q += kDepth) {
        const int64_t depth = smaller(kDepth, taps - q);
        if (pointwise)
          pack_b(pixels + q * places + first, places, 1, depth, n, b);
        else
          pack_taps(g, padded, image, offsets + q, depth, first, n, b);
        const T* w = a + slice % g.groups * g.filters * taps + q * g.filters;
        Target<T> to{sums, block, 1, q > 0};
        if constexpr (!kSums) to.c = c, to.c_r = places;
        multiply_rows_of<T, Step>(w, b, g.filters, n, depth, to);
      }
      if constexpr (kSums)
        for (int64_t f = 0; f < g.filters; ++f)
          store_narrow<S>(c + f * places, sums + f * block, n);
    }
  });
  return finish(launch, exhausted, bytes, err);
}

}  // namespace bp_cpu::BP_ISA
