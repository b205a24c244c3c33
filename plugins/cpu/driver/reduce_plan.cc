// SPDX-License-Identifier: Apache-2.0
#include "driver/reduce_plan.h"

#include <algorithm>

namespace bp_cpu {
namespace {

constexpr int64_t kTaskElements = 32768;  // elements that a task has at least
constexpr int64_t kMaxChunks = 1024;
constexpr int64_t kEnoughTiles = 16;  // so many tiles keep threads busy without cutting sequences
constexpr int64_t kNarrow = 16;       // with fewer outputs side by side, rows across do not pay

int64_t magnitude(int64_t stride) { return stride < 0 ? -stride : stride; }
// The sorting key: a stride of 0 reads the same data again, which belongs outside.
uint64_t distance(int64_t stride) { return static_cast<uint64_t>(magnitude(stride)) - 1; }

void drop_merged(ReducePlan* p) {
  int rank = 0;
  for (int d = 0; d < p->reduced_rank; ++d) {
    if (p->reduced[d] == 1) continue;
    if (rank && p->reduced_stride[rank - 1] == p->reduced[d] * p->reduced_stride[d]) {
      p->reduced[rank - 1] *= p->reduced[d];
      p->reduced_stride[rank - 1] = p->reduced_stride[d];
    } else {
      p->reduced[rank] = p->reduced[d];
      p->reduced_stride[rank++] = p->reduced_stride[d];
    }
  }
  if (!rank) {
    p->reduced[0] = 1;
    p->reduced_stride[0] = 1;
    rank = 1;
  }
  p->reduced_rank = rank;
}

// Puts the reduced dims in memory order: far strides outside, all of them positive.
void sort_reduced(ReducePlan* p, int64_t item_bytes) {
  int64_t moved = 0;
  for (int d = 0; d < p->reduced_rank; ++d)
    if (p->reduced_stride[d] < 0) {
      moved += (p->reduced[d] - 1) * p->reduced_stride[d];
      p->reduced_stride[d] = -p->reduced_stride[d];
    }
  p->data = static_cast<const char*>(p->data) + moved * item_bytes;
  for (int i = 1; i < p->reduced_rank; ++i)
    for (int j = i; j > 0 && distance(p->reduced_stride[j - 1]) < distance(p->reduced_stride[j]);
         --j) {
      std::swap(p->reduced[j], p->reduced[j - 1]);
      std::swap(p->reduced_stride[j], p->reduced_stride[j - 1]);
    }
  drop_merged(p);
}

// Puts the kept dim with the smallest stride last when rows should run across it.
void choose_direction(ReducePlan* p) {
  int best = -1;
  for (int d = 0; d < p->kept_rank; ++d)
    if (p->kept[d] > 1 && (best < 0 || distance(p->kept_in[d]) < distance(p->kept_in[best])))
      best = d;
  uint64_t reduced = distance(p->inner_stride());
  for (int d = 0; d < p->reduced_rank; ++d)
    reduced = std::min(reduced, distance(p->reduced_stride[d]));
  p->across =
      best >= 0 && p->kept[best] >= kNarrow && p->n > 1 && distance(p->kept_in[best]) < reduced;
  if (!p->across) return;
  const int last = p->kept_rank - 1;
  std::swap(p->kept[best], p->kept[last]);
  std::swap(p->kept_in[best], p->kept_in[last]);
  std::swap(p->kept_out[best], p->kept_out[last]);
}

void cut(ReducePlan* p, int64_t lanes, int64_t tile) {
  const int64_t run = p->kept[p->kept_rank - 1];
  const int64_t least = std::max<int64_t>(1, kTaskElements / std::max<int64_t>(p->n, 1));
  // In rows along, outputs of a tile share nothing, and small tiles give more tasks.
  p->tile = std::max<int64_t>(1, p->across ? std::min(tile, run) : std::min({tile, run, least}));
  p->tiles_per_run = (run + p->tile - 1) / p->tile;
  p->n_tiles = p->n_out / std::max<int64_t>(run, 1) * p->tiles_per_run;
  p->chunk = std::max<int64_t>(p->n, 1);
  p->n_chunks = 1;
  if (p->n_tiles < kEnoughTiles) {
    const int64_t step = 64 * (p->across ? 1 : lanes);  // a part of a leaf, see cascade.h
    int64_t chunk = step;
    while (chunk * p->tile < kTaskElements || (p->n + chunk - 1) / chunk > kMaxChunks) chunk *= 2;
    if (chunk < p->n) {
      p->chunk = chunk;
      p->n_chunks = (p->n + chunk - 1) / chunk;
    }
  }
  p->task_grain = std::max<int64_t>(1, kTaskElements / std::max<int64_t>(1, p->chunk * p->tile));
}

}  // namespace

void plan_reduction(const bp_launch& launch, int64_t item_bytes, bool any_order, int64_t lanes,
                    int64_t tile, ReducePlan* p) {
  const bp_arg &x = launch.args[0], &out = launch.args[launch.n_in];
  p->data = x.data;
  p->kept_rank = out.rank;
  p->reduced_rank = x.rank - out.rank;
  p->n = p->n_out = 1;
  for (int d = 0; d < p->kept_rank; ++d) {
    p->kept[d] = x.shape[d];
    p->kept_in[d] = x.strides[d];
    p->kept_out[d] = out.strides[d];
    p->n_out *= x.shape[d];
  }
  if (!p->kept_rank) {
    p->kept_rank = 1;
    p->kept[0] = 1;
    p->kept_in[0] = p->kept_out[0] = 0;
  }
  for (int d = 0; d < p->reduced_rank; ++d) {
    p->reduced[d] = x.shape[out.rank + d];
    p->reduced_stride[d] = x.strides[out.rank + d];
    p->n *= p->reduced[d];
  }
  if (any_order && p->n > 0) sort_reduced(p, item_bytes);
  choose_direction(p);
  cut(p, lanes, tile);
}

ReduceTile reduce_tile(const ReducePlan& p, int64_t index) {
  const int last = p.kept_rank - 1;
  const int64_t first = index % p.tiles_per_run * p.tile;
  int64_t run = index / p.tiles_per_run;
  ReduceTile t{first * p.kept_in[last], first * p.kept_out[last],
               std::min(p.tile, p.kept[last] - first), p.kept_in[last], p.kept_out[last]};
  for (int d = last - 1; d >= 0; --d) {
    t.in += run % p.kept[d] * p.kept_in[d];
    t.out += run % p.kept[d] * p.kept_out[d];
    run /= p.kept[d];
  }
  return t;
}

}  // namespace bp_cpu
