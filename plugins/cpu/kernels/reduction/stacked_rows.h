// SPDX-License-Identifier: Apache-2.0
// stacked_rows.h: reductions over the rows of a dense matrix with a few columns. So many rows as
// fill registers are read as one long row, whose columns are combined at the end.
//
//   if (is_stackable(*launch)) return run_stacked<float, Sum>(*launch, how, err);
#pragma once
#include "kernels/reduction/cascade.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kFewColumns = 16;
constexpr int64_t kStackStep = 16;  // rows: the width is then a multiple of every register's lanes

// Whether the input is [columns, rows] with strides [1, columns].
inline bool is_stackable(const bp_launch& l) {
  const bp_arg& x = l.args[0];
  return x.rank == 2 && l.args[l.n_in].rank == 1 && x.shape[0] > 1 && x.shape[0] < kFewColumns &&
         x.strides[0] == 1 && x.strides[1] == x.shape[0] && x.shape[1] >= 64 * kStackStep;
}

template <class A, class Op>
struct Stacked {
  const Reduction<A>& how;
  const char* first;
  int64_t row;  // elements of a long row

  int64_t width() const { return row; }
  const A* direct(int64_t at, int64_t /*n*/, int64_t /*lanes*/, int64_t* step) const {
    if (!how.dense_is_direct) return nullptr;
    *step = row;
    return reinterpret_cast<const A*>(first) + at * row;
  }
  void fetch(int64_t at, int64_t n, A* buffer) const {
    for (int64_t r = 0; r < n; ++r)
      how.load(buffer + r * row, first + (at + r) * row * how.item_bytes, row, 1, nullptr);
  }
};

template <class A, class Op>
bp_status run_stacked(const bp_launch& launch, const Reduction<A>& how, bp_error** err) {
  constexpr int64_t kTile = kTileBytes / sizeof(A), kChunk = 64;  // long rows
  const bp_arg &x = launch.args[0], &out = launch.args[launch.n_in];
  const int64_t columns = x.shape[0], n = x.shape[1];
  const int64_t stack = kTile / columns / kStackStep * kStackStep, row = stack * columns;
  const int64_t rows = n / stack, chunks = (rows + kChunk - 1) / kChunk;
  const auto* data = static_cast<const char*>(x.data);
  const Stacked<A, Op> source{how, data, row};
  Scratch scratch(launch, static_cast<uint64_t>(chunks * row) * sizeof(A));
  A* parts = scratch.as<A>();
  if (!parts) return scratch.fail(err);
  parallel_for(chunks, 1, [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; ++c)
      tree<A, Op>(source, c * kChunk, smaller(kChunk, rows - c * kChunk), parts + c * row);
  });
  for (int64_t step = 1; step < chunks; step *= 2)
    for (int64_t c = 0; c + step < chunks; c += 2 * step)
      merge<A, Op>(parts + c * row, parts + (c + step) * row, row);
  if (const int64_t rest = (n - rows * stack) * columns) {
    A buffer[kTile];
    how.load(buffer, data + rows * row * how.item_bytes, rest, 1, nullptr);
    merge<A, Op>(parts, buffer, rest);
  }
  // The stack is folded: its lower half onto the upper one, again and again.
  for (int64_t left = stack; left > 1;) {
    const int64_t half = (left + 1) / 2;
    merge<A, Op>(parts, parts + half * columns, (left - half) * columns);
    left = half;
  }
  how.store(static_cast<char*>(out.data), parts, columns, out.strides[0], launch, n);
  return BP_OK;
}

}  // namespace
}  // namespace bp_cpu::BP_ISA
