// SPDX-License-Identifier: Apache-2.0
// parallel.h: the one place that starts threads. fn runs on disjoint parts of [0, n) that cover it;
// the calling thread takes part and returns when all are done. A single thread runs it below the
// grain, inside a parallel region, and where the host allows only one. fn must not throw.
//
// How [0, n) is cut depends on the number of threads. Where a result would depend on the cut
// (sums), use parallel_chunks, whose cut depends on n and chunk alone.
//
//   parallel_for(n, /*grain=*/32768, [&](int64_t begin, int64_t end) { loop(out + begin, in + begin, end - begin); });
#pragma once
#include <cstdint>

#include "c_plugin.h"

namespace bp_cpu {

// How many threads the next call may use; 1 inside a parallel region.
int32_t max_threads();

// True in a forked child of the process that opened the plugin: libraries with threads of their own
// must not be called.
bool forked_child();

// The host says how many threads there are. Of several that are open, two copies of the core in one
// process, the one that allows fewest: a kernel does not know whose call it is.
void parallel_open(const bp_host* host);
void parallel_close(const bp_host* host);

using ParallelBody = void (*)(void* context, int64_t begin, int64_t end);
void parallel_run(int64_t n, int64_t grain, ParallelBody body, void* context);

// Parts are at least `grain` long, unless n is shorter; n need not be a multiple of it.
template <class F>
inline void parallel_for(int64_t n, int64_t grain, const F& fn) {
  if (n <= grain) {
    if (n > 0) fn(int64_t{0}, n);
    return;
  }
  parallel_run(
      n, grain,
      [](void* context, int64_t begin, int64_t end) {
        (*static_cast<const F*>(context))(begin, end);
      },
      const_cast<F*>(&fn));
}

// Calls fn(index, begin, end) for each chunk [index * chunk, ...) of [0, n), in any order. A thread
// takes at least min_chunks of them.
template <class F>
inline void parallel_chunks(int64_t n, int64_t chunk, int64_t min_chunks, const F& fn) {
  parallel_for((n + chunk - 1) / chunk, min_chunks, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      int64_t begin = i * chunk, end = begin + chunk;
      fn(i, begin, end < n ? end : n);
    }
  });
}

}  // namespace bp_cpu
