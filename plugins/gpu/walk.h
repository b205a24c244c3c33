// SPDX-License-Identifier: Apache-2.0
// walk.h: two operands whose dims are in two groups: the kept ones, which number the outputs (or
// rows), and the others, which number the positions of the sequence that belongs to each. Any rank
// up to 64; as a kernel's argument it takes 1.5 KiB.
#pragma once
#include <utility>

#include "gpu/kernel.h"

namespace bp_gpu {

struct Walk {
  int32_t kept, rank;  // dims [0, kept) are kept, [kept, rank) make the sequence; kept < rank
  int64_t shape[BP_MAX_RANK], in[BP_MAX_RANK], out[BP_MAX_RANK];

  struct At {
    int64_t in, out;
  };
  // The place of an output's first element.
  GPU_FN At output(int64_t o) const {
    At at{0, 0};
    for (int32_t d = kept - 1; d >= 0; --d) {
      const int64_t x = d ? o % shape[d] : o;
      if (d) o /= shape[d];
      at.in += x * in[d];
      at.out += x * out[d];
    }
    return at;
  }
  // The way from there to position p of its sequence.
  GPU_FN int64_t in_step(int64_t p) const { return step(p, in); }
  GPU_FN int64_t out_step(int64_t p) const { return step(p, out); }

 private:
  GPU_FN int64_t step(int64_t p, const int64_t* strides) const {
    int64_t by = 0;
    for (int32_t d = rank - 1; d > kept; --d) {
      by += p % shape[d] * strides[d];
      p /= shape[d];
    }
    return by + p * strides[kept];
  }
};

// How far away a neighbour is; a stride of 0 reads the same data again and is the farthest.
inline uint64_t distance(int64_t stride) {
  return static_cast<uint64_t>(stride < 0 ? -stride : stride) - 1;
}

// For operands in the core's layouts `reduce` and `rows`: out's dims are x's kept ones, or all.
inline Walk walk_of(const bp_arg& x, const bp_arg& out, int32_t kept) {
  Walk w{};
  w.kept = kept;
  w.rank = x.rank;
  for (int32_t d = 0; d < x.rank; ++d) {
    w.shape[d] = x.shape[d];
    w.in[d] = x.strides[d];
    w.out[d] = d < out.rank ? out.strides[d] : 0;
  }
  return w;
}

// Whether neighbouring outputs lie closer than neighbours of a sequence; then the closest dim
// becomes the last kept one, which renumbers outputs.
inline bool turn_across(Walk* w) {
  int32_t best = -1;
  for (int32_t d = 0; d < w->kept; ++d)
    if (w->shape[d] > 1 && (best < 0 || distance(w->in[d]) < distance(w->in[best]))) best = d;
  if (best < 0) return false;
  for (int32_t d = w->kept; d < w->rank; ++d)
    if (w->shape[d] > 1 && distance(w->in[d]) <= distance(w->in[best])) return false;
  const int32_t last = w->kept - 1;
  std::swap(w->shape[best], w->shape[last]);
  std::swap(w->in[best], w->in[last]);
  std::swap(w->out[best], w->out[last]);
  return true;
}

constexpr int64_t kMostBlocks = 1 << 16;  // of a launch; blocks take further work with a stride

}  // namespace bp_gpu
