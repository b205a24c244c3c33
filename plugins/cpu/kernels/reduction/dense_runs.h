// SPDX-License-Identifier: Apache-2.0
// dense_runs.h: sums and products of floats along dense runs, in registers: a sum takes
// kAddsInLane numbers in a lane before it goes on in f64, a product is f64 throughout. What was
// made of pieces of a fixed length is joined pairwise, so that the result depends on the shape
// alone.
//
//   if (is_dense(plan)) return run_dense<RunSum<float>>(*launch, plan, store, err);
#pragma once
#include "driver/reduce_plan.h"
#include "kernels/reduction/cascade.h"
#include "kernels/reduction/registers.h"

namespace bp_cpu::BP_ISA {
namespace {

template <class T>
struct RunSum {
  using Element = T;
  LaneSums<1, Calc<T>> sums;

  void take(const T* x, int64_t n) {
    add_run(sums, 0, n,
            [&](const auto& r, int64_t at, Register<Calc<T>>* t) { t[0] = r.load(x + at); });
  }
  double total() const { return sums.total(0); }
  static double join(double a, double b) { return a + b; }
};

template <class T>
struct RunProduct {
  using Element = T;
  static constexpr int64_t kLanes = 64;
  double lane[kLanes];

  RunProduct() {
    for (double& l : lane) l = 1;
  }
  void take(const T* x, int64_t n) {
    int64_t at = 0;
    for (; at + kLanes <= n; at += kLanes)
      for (int64_t i = 0; i < kLanes; ++i) lane[i] *= convert<double>(x[at + i]);
    for (int64_t i = 0; at + i < n; ++i) lane[i] *= convert<double>(x[at + i]);
  }
  double total() const {
    double all[kLanes];
    for (int64_t i = 0; i < kLanes; ++i) all[i] = lane[i];
    for (int64_t half = kLanes / 2; half > 0; half /= 2)
      for (int64_t i = 0; i < half; ++i) all[i] *= all[i + half];
    return all[0];
  }
  static double join(double a, double b) { return a * b; }
};

constexpr int64_t kDensePiece = 8192;  // elements
constexpr int64_t kLeastDense = 96;    // shorter sequences are not worth a register for each lane

// Whether outputs are made of runs that are worth it.
inline bool is_dense(const ReducePlan& p) {
  return !p.across && p.inner_stride() == 1 && p.n >= kLeastDense && p.inner() >= 16;
}

// Positions [begin, end) of the sequence that begins at `first`.
template <class Run>
double over_positions(const ReducePlan& plan, const typename Run::Element* first, int64_t begin,
                      int64_t end) {
  if (end - begin > kDensePiece) {
    int64_t half = kDensePiece;
    while (half * 2 < end - begin) half *= 2;
    return Run::join(over_positions<Run>(plan, first, begin, begin + half),
                     over_positions<Run>(plan, first, begin + half, end));
  }
  Run run;
  for (int64_t p = begin; p < end;) {
    const int64_t in_run = plan.reduced_rank == 1 ? p : p % plan.inner();
    const int64_t count = smaller(end - p, plan.inner() - in_run);
    run.take(first + plan.position(p), count);
    p += count;
  }
  return run.total();
}

// store(out, value) of each output, at its place.
template <class Run, class Store>
bp_status run_dense(const bp_launch& launch, const ReducePlan& plan, const Store& store,
                    bp_error** err) {
  using T = typename Run::Element;
  T* out = static_cast<T*>(launch.args[launch.n_in].data);
  const auto part = [&](int64_t task, const auto& put) {
    const ReduceTile tile = reduce_tile(plan, task / plan.n_chunks);
    const int64_t begin = task % plan.n_chunks * plan.chunk,
                  end = smaller(plan.n, begin + plan.chunk);
    for (int64_t j = 0; j < tile.width; ++j)
      put(tile, j,
          over_positions<Run>(plan, static_cast<const T*>(plan.data) + tile.in + j * tile.in_stride,
                              begin, end));
  };
  if (plan.n_chunks == 1) {
    parallel_for(plan.n_tiles, plan.task_grain, [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; ++t)
        part(t, [&](const ReduceTile& tile, int64_t j, double value) {
          out[tile.out + j * tile.out_stride] = store(value);
        });
    });
    return BP_OK;
  }
  const int64_t tasks = plan.n_tiles * plan.n_chunks;
  Scratch scratch(launch, static_cast<uint64_t>(tasks * plan.tile) * sizeof(double));
  auto* parts = scratch.as<double>();
  if (!parts) return scratch.fail(err);
  parallel_for(tasks, plan.task_grain, [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task)
      part(task, [&](const ReduceTile&, int64_t j, double value) {
        parts[task * plan.tile + j] = value;
      });
  });
  for (int64_t t = 0; t < plan.n_tiles; ++t) {
    const ReduceTile tile = reduce_tile(plan, t);
    for (int64_t j = 0; j < tile.width; ++j) {
      double* of = parts + t * plan.n_chunks * plan.tile + j;
      for (int64_t step = 1; step < plan.n_chunks; step *= 2)
        for (int64_t c = 0; c + step < plan.n_chunks; c += 2 * step)
          of[c * plan.tile] = Run::join(of[c * plan.tile], of[(c + step) * plan.tile]);
      out[tile.out + j * tile.out_stride] = store(of[0]);
    }
  }
  return BP_OK;
}

}  // namespace
}  // namespace bp_cpu::BP_ISA
