// SPDX-License-Identifier: Apache-2.0
// block.h: what the threads of a block do together, over shared memory. A block's work is laid out
// on kLanes lanes, whatever the number of threads: a thread takes lanes thread(), thread() +
// threads(), ... So what is computed, and in which order, is the same for every block size, one
// thread included.
//
//   A* s = at.shared<A>();                                          // kLanes of them
//   for_lanes(at, kLanes, [&](int32_t lane) { s[lane] = of(lane); });
//   block_fold(at, s, /*height=*/kLanes, /*width=*/1, join);        // s[0]: all of them joined, for all threads
//   at.barrier();                                                   // before s is written again
#pragma once
#include "gpu/kernel.h"

namespace bp_gpu {

constexpr int32_t kLanes = 256;  // a power of two

template <class T>
GPU_FN constexpr T least(T a, T b) {
  return b < a ? b : a;
}

template <class F>
GPU_FN void for_lanes(const Place& at, int32_t n, const F& fn) {
  for (int32_t lane = at.thread(); lane < n; lane += at.threads()) fn(lane);
}

// s[j] for j < width becomes the join of s[j], s[width + j], ... over `height` rows, a power of
// two: the upper half onto the lower one, again and again. Rows are not joined in order. Threads
// meet before it reads and after it wrote.
template <class A, class Join>
GPU_FN void block_fold(const Place& at, A* s, int32_t height, int32_t width, const Join& join) {
  at.barrier();
  for (int32_t half = height / 2; half > 0; half /= 2) {
    const int32_t upper = half * width;
    for_lanes(at, upper, [&](int32_t i) { s[i] = join(s[i], s[i + upper]); });
    at.barrier();
  }
}

// Makes running joins of s[0 .. kLanes), their lane's own included, by Hillis and Steele's way from
// one buffer to the other. s has 2 * kLanes; returns where the results are. In join(a, b), a comes
// before b. Threads meet as in block_fold.
template <class A, class Join>
GPU_FN A* block_scan(const Place& at, A* s, const Join& join) {
  A *from = s, *to = s + kLanes;
  at.barrier();
  for (int32_t step = 1; step < kLanes; step *= 2) {
    for_lanes(at, kLanes,
              [&](int32_t i) { to[i] = i < step ? from[i] : join(from[i - step], from[i]); });
    at.barrier();
    A* const done = to;
    to = from;
    from = done;
  }
  return from;
}

}  // namespace bp_gpu
