// SPDX-License-Identifier: Apache-2.0
// tiles.h: a block's part of a product of matrices. Slabs of both factors pass through shared
// memory; each thread keeps a square of kSide x kSide sums in registers. The order of each sum is
// given by the depth alone.
//
//   const Patches grid(at);
//   S sums[kSide][kSide] = {};
//   multiply_tile(at, grid, a, b, /*slabs=*/at.shared<S>(), sums, PlusProduct{});   // kSlabs of S
//   if (grid.busy) store(c, row + grid.i, column + grid.j, sums);
#pragma once
#include "gpu/kernel.h"

namespace bp_gpu {

constexpr int32_t kSide = 4;          // of the sums that a thread keeps
constexpr int32_t kMostPatches = 16;  // such squares along a side of a tile
constexpr int32_t kDepth = 16;        // of the sums' terms at a time
// The longest row of a slab. Its gap spreads columns over memory banks and keeps packs aligned.
constexpr int32_t kPitch = kSide * (kMostPatches + 1);
constexpr int32_t kSlab = kDepth * kPitch, kSlabs = 2 * kSlab;

template <class S>
struct alignas(16) SidePack {
  S item[kSide];
};
template <class S>
GPU_FN SidePack<S>& side_pack_at(S* p) {
  return *reinterpret_cast<SidePack<S>*>(p);
}
template <class S>
GPU_FN const SidePack<S>& side_pack_at(const S* p) {
  return *reinterpret_cast<const SidePack<S>*>(p);
}

// As many patches as the block has threads, near to a square; both sides are powers of two. Sums do
// not depend on the place.
struct Patches {
  int32_t rows = 1, columns = 1;  // in patches
  int32_t i, j;                   // where the thread's patch begins
  bool busy;                      // whether it has one
  GPU_FN explicit Patches(const Place& at) {
    const int32_t threads = at.threads();
    while (columns < kMostPatches && 4 * columns * columns <= threads) columns *= 2;
    while (rows < kMostPatches && 2 * rows * columns <= threads) rows *= 2;
    i = at.thread() / columns * kSide;
    j = at.thread() % columns * kSide;
    busy = i < height();
  }
  GPU_FN int32_t height() const { return rows * kSide; }
  GPU_FN int32_t width() const { return columns * kSide; }
};

// One operand, k x `size` elements of it.
template <class T>
struct Side {
  const T* data;
  int64_t size, k;
  int64_t stride, k_stride;
  // What is left of it behind the first n of k.
  GPU_FN Side from(int64_t n) const { return {data + n * k_stride, size, k - n, stride, k_stride}; }
};

template <class T>
struct alignas(kSide * sizeof(T) < 16 ? kSide * sizeof(T) : 16) Neighbours {
  T item[kSide];
};
// Up to kSide elements, and zeros in the place of others.
template <class T>
GPU_FN Neighbours<T> neighbours(const T* from, int64_t step, int64_t n) {
  if (n >= kSide && step == 1 && reinterpret_cast<uintptr_t>(from) % alignof(Neighbours<T>) == 0)
    return *reinterpret_cast<const Neighbours<T>*>(from);
  Neighbours<T> x{};
  unrolled<kSide>([&](int32_t r) {
    if (r < n) x.item[r] = from[r * step];
  });
  return x;
}

// Loads kDepth rows of `width` elements, with zeros beyond the operand's end. Threads take
// neighbours in memory.
template <class T, class S>
GPU_FN void fetch(const Place& at, const Side<T>& from, int32_t width, S* to) {
  const bool deep = from.k_stride == 1;
  const int32_t across = deep ? kDepth / kSide : width / kSide;  // a power of two
  int32_t shift = 0;
  while (across >> shift > 1) ++shift;
  for (int32_t e = at.thread(); e < width * kDepth / kSide; e += at.threads()) {
    const int32_t line = e >> shift, first = (e & (across - 1)) * kSide;
    const int32_t q = deep ? first : line, i = deep ? line : first;
    const int64_t left =
        (line < (deep ? from.size : from.k)) * ((deep ? from.k : from.size) - first);
    const Neighbours<T> x =
        neighbours(from.data + i * from.stride + q * from.k_stride, deep ? 1 : from.stride, left);
    SidePack<S> made;
    unrolled<kSide>([&](int32_t r) { made.item[r] = convert<S>(x.item[r]); });
    if (deep)
      unrolled<kSide>([&](int32_t r) { to[(q + r) * kPitch + i] = made.item[r]; });
    else
      side_pack_at(to + q * kPitch + i) = made;
  }
}

struct PlusProduct {
  template <class S>
  GPU_FN S operator()(S x, S y) const {
    return x + y;
  }
};

template <class S, class Add>
GPU_FN void multiply_packs(const S* a, const S* b, S (&sums)[kSide][kSide], const Add& add) {
  const SidePack<S> x = side_pack_at(a), y = side_pack_at(b);
  for (int32_t i = 0; i < kSide; ++i)
    for (int32_t j = 0; j < kSide; ++j) sums[i][j] = add(sums[i][j], x.item[i] * y.item[j]);
}

// Adds a whole slab's terms.
template <class S, class Add>
GPU_FN void multiply_slabs(const S* a, const S* b, S (&sums)[kSide][kSide], const Add& add) {
  for (int32_t q = 0; q < kDepth; ++q) multiply_packs(a + q * kPitch, b + q * kPitch, sums, add);
}

// Adds to sums a tile of the product of a and b, whose k is the same. Threads meet before it ends.
template <class T, class S, class Add>
GPU_FN void multiply_tile(const Place& at, const Patches& grid, const Side<T>& a, const Side<T>& b,
                          S* slabs, S (&sums)[kSide][kSide], const Add& add) {
  for (int64_t q = 0; q < a.k; q += kDepth) {
    fetch(at, a.from(q), grid.height(), slabs);
    fetch(at, b.from(q), grid.width(), slabs + kSlab);
    at.barrier();
    if (grid.busy) multiply_slabs(slabs + grid.i, slabs + kSlab + grid.j, sums, add);
    at.barrier();
  }
}

}  // namespace bp_gpu
