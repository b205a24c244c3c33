// SPDX-License-Identifier: Apache-2.0
// reduce_plan.h: how a reduction walks its input. It is decided from shape and strides alone, never
// from the number of threads, because the order of additions follows from it.
//
//   along   a row is `lanes` neighbours of one output's sequence: the reduced dims hold the small strides
//   across  a row is one position of the sequence for a tile of outputs: a kept dim holds the small stride
//
// Outputs come in tiles (a run along the last kept dim); a sequence is cut into chunks of a fixed
// length when there are too few tiles to keep threads busy. One task is one chunk of one tile.
#pragma once
#include <cstdint>

#include "c_plugin.h"

namespace bp_cpu {

struct ReducePlan {
  int64_t n;      // length of each output's sequence
  int64_t n_out;  // number of outputs
  bool across;
  const void* data;  // the input, moved to the low end where a reduced dim was flipped

  int kept_rank, reduced_rank;  // both at least 1
  int64_t kept[BP_MAX_RANK], kept_in[BP_MAX_RANK], kept_out[BP_MAX_RANK];
  int64_t reduced[BP_MAX_RANK], reduced_stride[BP_MAX_RANK];

  int64_t tile, tiles_per_run, n_tiles;  // tile: the outputs of a tile, at most
  int64_t chunk, n_chunks;               // n_chunks >= 1
  int64_t task_grain;                    // tasks that are worth a thread

  // These are always inlined, because each instruction set must have its own.
  __attribute__((always_inline)) int64_t inner() const { return reduced[reduced_rank - 1]; }
  __attribute__((always_inline)) int64_t inner_stride() const {
    return reduced_stride[reduced_rank - 1];
  }
  // The offset of position p of a sequence from its first element.
  __attribute__((always_inline)) int64_t position(int64_t p) const {
    if (reduced_rank == 1) return p * reduced_stride[0];
    int64_t offset = 0;
    for (int d = reduced_rank - 1; d > 0; --d) {
      offset += p % reduced[d] * reduced_stride[d];
      p /= reduced[d];
    }
    return offset + p * reduced_stride[0];
  }
};

struct ReduceTile {
  int64_t in, out;                // offsets of the first output's sequence and of the output
  int64_t width;                  // outputs
  int64_t in_stride, out_stride;  // from one output to the next
};

// `any_order` says that the op commutes, so that reduced dims may be sorted and flipped. An input
// element has item_bytes; a row along has `lanes` accumulators, and a tile has `tile`.
void plan_reduction(const bp_launch& launch, int64_t item_bytes, bool any_order, int64_t lanes,
                    int64_t tile, ReducePlan* plan);
ReduceTile reduce_tile(const ReducePlan& plan, int64_t index);

}  // namespace bp_cpu
