// SPDX-License-Identifier: Apache-2.0
// reduce_var.cc: var, in f64 throughout: the mean, then the squared distances from it. f64 input
// gets the correction for the rounding of the mean (Chan, Golub, LeVeque, The American Statistician
// 37 (1983), eq. 1.7), at one more pass. Narrower dense runs are added in registers.
#include "device/registry.h"
#include "kernels/reduction/dense_runs.h"
#include "kernels/reduction/elements.h"
#include "kernels/reduction/sum_op.h"

namespace bp_cpu::BP_ISA {
namespace {

template <class T, bool kSquare>
void load_distance(double* out, const void* in, int64_t n, int64_t stride, const double* about) {
  load_elements<T, double>(out, in, n, stride);
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) {
    const double d = out[i] - about[i];
    out[i] = kSquare ? d * d : d;
  }
}

// Sums of x - centre or of its square along dense runs.
template <class T, bool kSquare>
struct RunDistance {
  using A = Calc<T>;
  using Wide = Register<double>;
  double centre, rest = 0;
  Wide sums[2][kWide<A>];

  explicit RunDistance(double c) : centre(c) {
    for (auto& pair : sums)
      for (Wide& s : pair) s = hn::Zero(Tag<double>());
  }
  void take(const T* x, int64_t n) {
    const int64_t lanes = register_lanes<A>();
    const Whole<A> r;
    const Wide c = hn::Set(Tag<double>(), centre);
    const auto add = [&](auto u, int64_t at) {
      each_wide<A>(r.load(x + at), [&](int i, Wide w) {
        const Wide d = hn::Sub(w, c);
        sums[u][i] = kSquare ? hn::MulAdd(d, d, sums[u][i]) : hn::Add(sums[u][i], d);
      });
    };
    int64_t at = 0;
    for (; at + 2 * lanes <= n; at += 2 * lanes) unroll<2>([&](auto u) { add(u, at + u * lanes); });
    for (; at < n; ++at) {
      const double d = convert<double>(x[at]) - centre;
      rest += kSquare ? d * d : d;
    }
  }
  double total() const {
    Wide all = hn::Add(sums[0][0], sums[1][0]);
    if constexpr (kWide<A> == 2) all = hn::Add(all, hn::Add(sums[0][1], sums[1][1]));
    return rest + fold_register(Tag<double>(), all, [](auto a, auto b) { return hn::Add(a, b); });
  }
};

template <class T, bool kSquare>
void over_dense(const ReducePlan& plan, const ReduceTile& tile, int64_t begin, int64_t end,
                const double* about, double* out) {
  const T* first = static_cast<const T*>(plan.data) + tile.in;
  for (int64_t j = 0; j < tile.width; ++j, first += tile.in_stride) {
    RunDistance<T, kSquare> run(about ? about[j] : 0);
    take_all(run, plan, first, begin, end);
    out[j] = run.total();
  }
}

struct Passes {
  Reduction<double> sum, squares, distances;
  bool corrected;
  double correction;

  void to_mean(double* values, int64_t width, int64_t n) const {
    for (int64_t j = 0; j < width; ++j) values[j] /= static_cast<double>(n);
  }
  // squares_sum becomes the variance.
  void finish(double* squares_sum, const double* distance, int64_t width, int64_t n) const {
    const double free = static_cast<double>(n) - correction;
    for (int64_t j = 0; j < width; ++j) {
      if (corrected) squares_sum[j] -= distance[j] * distance[j] / static_cast<double>(n);
      squares_sum[j] /= free > 0 ? free : 0;
    }
  }
};

void run_tiles(const bp_launch& launch, const Passes& p, const ReducePlan& plan) {
  parallel_for(plan.n_tiles, plan.task_grain, [&](int64_t begin, int64_t end) {
    constexpr int64_t kTile = kTileBytes / sizeof(double);
    double mean[kTile], squares[kTile], distance[kTile];
    for (int64_t t = begin; t < end; ++t) {
      const ReduceTile tile = reduce_tile(plan, t);
      reduce_part<double, Sum>(p.sum, plan, tile, 0, plan.n, nullptr, mean);
      p.to_mean(mean, tile.width, plan.n);
      reduce_part<double, Sum>(p.squares, plan, tile, 0, plan.n, mean, squares);
      if (p.corrected) reduce_part<double, Sum>(p.distances, plan, tile, 0, plan.n, mean, distance);
      p.finish(squares, distance, tile.width, plan.n);
      p.sum.store(static_cast<char*>(launch.args[1].data) + tile.out * p.sum.out_bytes, squares,
                  tile.width, tile.out_stride, launch, plan.n);
    }
  });
}

bp_status run_chunks(const bp_launch& launch, const Passes& p, const ReducePlan& plan,
                     bp_error** err) {
  const int64_t per_tile = plan.n_chunks * plan.tile, all = plan.n_tiles * per_tile;
  Scratch scratch(launch, static_cast<uint64_t>(3 * all) * sizeof(double));
  double* mean = scratch.as<double>();
  if (!mean) return scratch.fail(err);
  double *squares = mean + all, *distance = squares + all;
  reduce_chunks<double, Sum>(p.sum, plan, nullptr, mean);
  for (int64_t t = 0; t < plan.n_tiles; ++t)
    p.to_mean(mean + t * per_tile, reduce_tile(plan, t).width, plan.n);
  reduce_chunks<double, Sum>(p.squares, plan, mean, squares);
  if (p.corrected) reduce_chunks<double, Sum>(p.distances, plan, mean, distance);
  for (int64_t t = 0; t < plan.n_tiles; ++t) {
    const ReduceTile tile = reduce_tile(plan, t);
    p.finish(squares + t * per_tile, distance + t * per_tile, tile.width, plan.n);
    p.sum.store(static_cast<char*>(launch.args[1].data) + tile.out * p.sum.out_bytes,
                squares + t * per_tile, tile.width, tile.out_stride, launch, plan.n);
  }
  return BP_OK;
}

template <class T>
bp_status run(const bp_launch* launch, bp_error** err) {
  constexpr bool kDouble = std::is_same_v<T, double>;
  const auto pass = [](auto load, bool direct) {
    return Reduction<double>{.item_bytes = sizeof(T),
                             .dense_is_direct = direct,
                             .load = load,
                             .store = store_plain<T, double>,
                             .out_bytes = sizeof(T)};
  };
  Passes p{pass(load_plain<T, double>, kDouble), pass(load_distance<T, true>, false),
           pass(load_distance<T, false>, false), kDouble,
           launch->attrs[BP_ATTR_VAR_CORRECTION].value.f64};
  ReducePlan plan;
  plan_reduction(*launch, sizeof(T), /*any_order=*/true, kRowBytes / sizeof(double),
                 kTileBytes / sizeof(double), &plan);
  if constexpr (!kDouble)
    if (is_dense(plan)) p.sum.part = over_dense<T, false>, p.squares.part = over_dense<T, true>;
  if (plan.n_chunks > 1) return run_chunks(*launch, p, plan, err);
  run_tiles(*launch, p, plan);
  return BP_OK;
}

}  // namespace

void add_reduce_var(Registry& r) {
  each_type<kFloats>([&](auto t, bp_dtype d) { r.add(BP_OP_VAR, bit(d), run<decltype(t)>); });
}

}  // namespace bp_cpu::BP_ISA
