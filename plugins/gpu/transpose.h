// SPDX-License-Identifier: Apache-2.0
// transpose.h: copies in which neighbours lie along one dim of the source and along another one of
// the destination. Tiles of these two dims go through shared memory, so that both are touched along
// memory.
#pragma once
#include <algorithm>

#include "gpu/block.h"
#include "gpu/offsets.h"
#include "gpu/walk.h"

namespace bp_gpu {

// T: any type of the elements' size.
template <class T>
struct Transpose {
  static constexpr int32_t kSide = sizeof(T) <= 2 ? 64 : sizeof(T) <= 8 ? 32 : 16;
  static constexpr int32_t kEach = kSide * kSide / kLanes;
  static constexpr int32_t kPitch = kSide + 1;  // columns of a tile lie in different banks

  const T* from;
  T* to;
  uint32_t tiles;               // all
  Divider in_tiles, out_tiles;  // along the source's dim, along the destination's
  int64_t in_size, out_size;    // sizes of the two dims
  int64_t from_step, to_step;   // the source's along the destination's dim, and the reverse
  Offsets<2> outside;           // of the other dims, in the source and in the destination

  GPU_FN void operator()(const Place& at) const {
    T* const tile = at.shared<T>();
    for (int64_t i = at.block(); i < tiles; i += at.blocks()) {
      const uint32_t row = in_tiles.quotient(static_cast<uint32_t>(i)),
                     place = out_tiles.quotient(row);
      const int64_t a = int64_t{static_cast<uint32_t>(i) - row * in_tiles.by} * kSide;
      const int64_t b = int64_t{row - place * out_tiles.by} * kSide;
      int64_t first[2];
      outside.of(place, first);
      const T* source = from + first[0] + a + b * from_step;
      T* target = to + first[1] + b + a * to_step;
      const int64_t n_a = in_size - a, n_b = out_size - b;
      for_lanes(at, kLanes, [&](int32_t lane) {
        T item[kEach]{};  // all are under way before the first one is stored
        unrolled<kEach>([&](int32_t k) {
          const int32_t x = (lane + k * kLanes) % kSide, y = (lane + k * kLanes) / kSide;
          if (x < n_a && y < n_b) item[k] = source[x + y * from_step];
        });
        unrolled<kEach>([&](int32_t k) {
          const int32_t x = (lane + k * kLanes) % kSide, y = (lane + k * kLanes) / kSide;
          tile[y * kPitch + x] = item[k];
        });
      });
      at.barrier();
      for_lanes(at, kLanes, [&](int32_t lane) {
        unrolled<kEach>([&](int32_t k) {
          const int32_t x = (lane + k * kLanes) % kSide, y = (lane + k * kLanes) / kSide;
          if (x < n_b && y < n_a) target[x + y * to_step] = tile[x * kPitch + y];
        });
      });
      at.barrier();
    }
  }
};

// Launches it if the copy is one of this kind; *done says so.
template <class T>
bp_status transpose(const bp_launch& l, bool* done, bp_error** err) {
  const bp_arg &x = l.args[0], &y = l.args[1];
  constexpr int64_t kSide = Transpose<T>::kSide, kMost = (int64_t{1} << 31) - 1;
  const auto neighbours = [](const bp_arg& a) {
    int32_t dim = a.rank - 1;
    while (dim >= 0 && (a.strides[dim] != 1 || a.shape[dim] == 1)) --dim;
    return dim;
  };
  const int32_t in = neighbours(x), out = neighbours(y);
  *done = false;
  if (in < 0 || out < 0 || in == out) return BP_OK;
  if (std::min(x.shape[in], x.shape[out]) < kSide / 4) return BP_OK;  // tiles would be empty
  Transpose<T> k{};
  k.from = static_cast<const T*>(x.data);
  k.to = static_cast<T*>(y.data);
  k.in_size = x.shape[in], k.out_size = x.shape[out];
  k.from_step = x.strides[out], k.to_step = y.strides[in];
  const int64_t in_tiles = (k.in_size + kSide - 1) / kSide,
                out_tiles = (k.out_size + kSide - 1) / kSide;
  int64_t n_outside = 1;
  Offsets<2>& o = k.outside;
  for (int32_t d = 0; d < x.rank; ++d) {
    if (d == in || d == out) continue;
    n_outside *= x.shape[d];
    o.shape[o.rank] = x.shape[d];
    o.strides[0][o.rank] = x.strides[d];
    o.strides[1][o.rank++] = y.strides[d];
  }
  o.know();
  if (in_tiles > kMost / out_tiles || n_outside > kMost / (in_tiles * out_tiles)) return BP_OK;
  const int64_t tiles = in_tiles * out_tiles * n_outside;
  k.tiles = static_cast<uint32_t>(tiles);
  k.in_tiles = Divider(static_cast<uint32_t>(in_tiles));
  k.out_tiles = Divider(static_cast<uint32_t>(out_tiles));
  *done = true;
  return launch(l,
                {.blocks = std::min<int64_t>(tiles, kMostBlocks),
                 .shared_bytes = kSide * Transpose<T>::kPitch * static_cast<int64_t>(sizeof(T))},
                k, err);
}

}  // namespace bp_gpu
