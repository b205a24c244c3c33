// SPDX-License-Identifier: Apache-2.0
// reduce_plan.h: how a reduction is laid out on lanes and cut into chunks, by shape and strides
// alone. See reduce.h.
#pragma once
#include <bit>

#include "gpu/block.h"
#include "gpu/divider.h"
#include "gpu/walk.h"

namespace bp_gpu {

constexpr int32_t kGroup = 8;  // elements that a lane has under way

struct ReducePlan {
  Walk walk;
  int64_t moved;  // elements from the operand's first one to where the walk starts
  int64_t n, n_out;
  int32_t width, height;  // powers of two
  int32_t shift;          // of the one of them that lanes count first
  bool across;            // the width is counted first
  bool straight;          // a sequence is one dim
  bool packed,
      writes_packed;  // an element's neighbour in the sequence lies behind it; the output's
  int64_t chunk, chunks;
  bool few;                       // n < 2^31, and dividers are there
  Divider dividers[BP_MAX_RANK];  // by the sizes of a sequence's dims

  int64_t tiles() const { return (n_out + width - 1) / width; }
  // As walk.in_step, where positions are few.
  GPU_FN int64_t in_step(uint32_t p) const {
    int64_t by = 0;
    for (int32_t d = walk.rank - 1; d > walk.kept; --d) {
      const uint32_t outside = dividers[d].quotient(p);
      by += (p - outside * dividers[d].by) * walk.in[d];
      p = outside;
    }
    return by + p * walk.in[walk.kept];
  }
};

namespace reduce_detail {

constexpr int32_t kAcross = 32;  // outputs side by side that fill a memory transaction
// Tiles times chunks, at most, because so many blocks keep any device busy.
constexpr int64_t kChunkBlocks = 2048;
constexpr int64_t kLeastRows = 4 * kGroup;  // rows of a lane in a chunk, at least
// Where so many lanes have work, a lane takes more positions, up to kPositions, and fewer are
// folded.
constexpr int64_t kBusyLanes = int64_t{1} << 18, kPositions = 32;
constexpr int32_t kLeastHeight = 8;  // that is halved for it to: lanes whose packs make 128 bytes

inline int32_t power_above(int64_t n, int32_t most) {
  int32_t p = 1;
  while (p < n && p < most) p *= 2;
  return p;
}

// Puts a sequence in dense order with positive strides, for ops whose order does not matter.
inline void sort_sequence(ReducePlan* p) {
  Walk& w = p->walk;
  for (int32_t d = w.kept; d < w.rank; ++d) {
    if (w.in[d] < 0) {
      p->moved += (w.shape[d] - 1) * w.in[d];
      w.in[d] = -w.in[d];
    }
    for (int32_t j = d; j > w.kept && distance(w.in[j - 1]) < distance(w.in[j]); --j) {
      std::swap(w.shape[j], w.shape[j - 1]);
      std::swap(w.in[j], w.in[j - 1]);
    }
  }
  int32_t rank = w.kept + 1;
  for (int32_t d = rank; d < w.rank; ++d) {
    if (w.in[rank - 1] == w.shape[d] * w.in[d]) {
      w.shape[rank - 1] *= w.shape[d];
      w.in[rank - 1] = w.in[d];
    } else {
      w.shape[rank] = w.shape[d];
      w.in[rank++] = w.in[d];
    }
  }
  w.rank = rank;
}

inline void lay_out(ReducePlan* p) {
  // Four positions for each lane pay for one more step of folding.
  p->height = power_above((p->n + 3) / 4, kLanes);
  const auto busy = [&](int32_t height) {
    return p->n_out * height >= kBusyLanes && p->n <= height * kPositions;
  };
  while (p->height > kLeastHeight && busy(p->height / 2)) p->height /= 2;
  if (p->across) {
    const int32_t side = power_above(p->walk.shape[p->walk.kept - 1], kAcross);
    if (p->height > kLanes / side) p->height = kLanes / side;
  }
  p->width = kLanes / p->height;
  const Walk& w = p->walk;
  p->straight = w.rank == w.kept + 1;
  p->packed = p->straight && !p->across && w.in[w.kept] == 1;
  p->writes_packed = p->packed && w.out[w.kept] == 1;
  p->few = 0 < p->n && p->n < int64_t{1} << 31;
  for (int32_t d = w.kept + 1; p->few && d < w.rank; ++d)
    p->dividers[d] = Divider(static_cast<uint32_t>(w.shape[d]));
  p->shift = std::countr_zero(static_cast<uint32_t>(p->across ? p->width : p->height));
  p->chunk = p->n;
  p->chunks = 1;
}

inline void cut(ReducePlan* p) {
  const int64_t most = kChunkBlocks / (p->tiles() ? p->tiles() : 1);
  const int64_t step = p->height * kGroup, least = p->height * kLeastRows;
  if (most < 2 || p->n < 2 * least) return;
  int64_t chunk = (p->n + most - 1) / most;
  chunk = (chunk + step - 1) / step * step;
  p->chunk = chunk < least ? least : chunk;
  p->chunks = (p->n + p->chunk - 1) / p->chunk;
}

// The second launch's view: chunk c of output o is parts[c * n_out + o].
inline ReducePlan plan_parts(const ReducePlan& first) {
  ReducePlan p = first;
  Walk& w = p.walk;
  int64_t dense = 1;
  for (int32_t d = w.kept - 1; d >= 0; --d) {
    w.in[d] = dense;
    dense *= w.shape[d];
  }
  w.rank = w.kept + 1;
  w.shape[w.kept] = p.n = first.chunks;
  w.in[w.kept] = first.n_out;
  p.moved = 0;
  p.across = w.kept > 0;
  lay_out(&p);
  return p;
}

}  // namespace reduce_detail

// x has `kept` kept dims. With any_order, positions may be taken in the order in which they lie.
inline ReducePlan plan_reduction(const bp_arg& x, const bp_arg& out, int32_t kept, bool any_order) {
  ReducePlan p{};
  p.walk = walk_of(x, out, kept);
  p.n = p.n_out = 1;
  for (int32_t d = 0; d < x.rank; ++d) (d < kept ? p.n_out : p.n) *= x.shape[d];
  if (any_order && p.n > 0) reduce_detail::sort_sequence(&p);
  p.across = turn_across(&p.walk);
  reduce_detail::lay_out(&p);
  reduce_detail::cut(&p);
  return p;
}

}  // namespace bp_gpu
