// SPDX-License-Identifier: Apache-2.0
// dense_runs.h: reductions of floats along dense runs, in registers. A sum takes kAddsInLane
// numbers in a lane before it goes on in f64, and so does a product; the largest and the smallest
// do not round. What was made of pieces of a fixed length is joined pairwise, so that the result
// depends on the shape alone.
//
//   if (is_dense(plan)) return run_dense(*launch, plan, dense_runs<RunSum<float>>(store), err);
#pragma once
#include <cfenv>
#include <limits>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "driver/reduce_plan.h"
#include "kernels/reduction/cascade.h"
#include "kernels/reduction/registers.h"

namespace bp_cpu::BP_ISA {
namespace {

template <class T, bool kSquare = false>
struct RunSum {
  using Element = T;
  // So that a lane's sum in f64 has at most 64 parts, whichever the instruction set.
  static constexpr int64_t kPiece = int64_t{4096} * hn::MaxLanes(Tag<double>());
  LaneSums<1, Calc<T>> sums;

  void take(const T* x, int64_t n) {
    add_run(sums, 0, n, [&](const auto& r, int64_t at, Register<Calc<T>>* t) {
      t[0] = r.load(x + at);
      if constexpr (kSquare) t[0] = hn::Mul(t[0], t[0]);
    });
  }
  double total() const { return sums.total(0); }
  static double join(double a, double b) { return a + b; }
};

// Products round whatever their order is, and in f32 they may leave its range on the way. With
// kInLane of 1 every factor is widened, and they cannot.
template <class T, int kInLane>
struct RunProduct {
  using Element = T;
  using A = Calc<T>;
  static constexpr int64_t kPiece = 8192;  // for f64 has its range too
  Register<double> wide[kWide<A>];

  RunProduct() {
    for (auto& w : wide) w = hn::Set(Tag<double>(), 1.0);
  }
  HWY_INLINE void widen(Register<A> v) {
    each_wide<A>(v, [&](int i, Register<double> w) { wide[i] = hn::Mul(wide[i], w); });
  }
  void take(const T* x, int64_t n) {
    const Tag<A> d;
    const int64_t lanes = register_lanes<A>(), whole = n / lanes, rest = n % lanes;
    const Whole<A> r;
    for (int64_t i = 0; i < whole + (rest != 0);) {
      Register<A> product[kUnroll];
      for (auto& p : product) p = hn::Set(d, A{1});
      const bool alone = i == whole;
      const auto take = [&](auto u, int64_t at) {
        product[u] = hn::Mul(product[u], r.load(x + at * lanes));
      };
      const int64_t end = smaller(whole, i + kInLane);
      for (; i + kUnroll <= end; i += kUnroll) unroll<kUnroll>([&](auto u) { take(u, i + u); });
      for (; i < end; ++i) take(std::integral_constant<int, 0>{}, i);
      if (rest && i == whole && (kInLane > 1 || alone)) {
        const auto last = Part<A>{rest}.load(x + whole * lanes);
        product[1] = hn::IfThenElse(hn::FirstN(d, static_cast<size_t>(rest)),
                                    hn::Mul(product[1], last), product[1]);
        ++i;
      }
      widen(hn::Mul(hn::Mul(product[0], product[1]), hn::Mul(product[2], product[3])));
    }
  }
  double total() const {
    Register<double> product = wide[0];
    if constexpr (kWide<A> == 2) product = hn::Mul(product, wide[1]);
    return fold_register(Tag<double>(), product, [](auto a, auto b) { return hn::Mul(a, b); });
  }
  static double join(double a, double b) { return a * b; }
};

// The largest, or the smallest; NaN when one is there.
template <class T, bool kLargest>
struct RunExtreme {
  using Element = T;
  using A = Calc<T>;
  using V = Register<A>;
  static constexpr int64_t kPiece = 32768;
  static constexpr A kWorst =
      kLargest ? -std::numeric_limits<A>::infinity() : std::numeric_limits<A>::infinity();
  V best[kUnroll];
  hn::Mask<Tag<A>> nan[kUnroll];

  template <class R>
  static HWY_INLINE R better(R a, R b) {
    if constexpr (kLargest)
      return hn::Max(a, b);
    else
      return hn::Min(a, b);
  }
  RunExtreme() {
    for (int u = 0; u < kUnroll; ++u) {
      best[u] = hn::Set(Tag<A>(), kWorst);
      nan[u] = hn::IsNaN(best[u]);
    }
  }
  HWY_INLINE void put(int u, V v) {
    best[u] = better(best[u], v);
    nan[u] = hn::Or(nan[u], hn::IsNaN(v));
  }
  void take(const T* x, int64_t n) {
    const int64_t lanes = register_lanes<A>();
    const Whole<A> r;
    int64_t at = 0;
    for (; at + kUnroll * lanes <= n; at += kUnroll * lanes)
      unroll<kUnroll>([&](auto u) { put(u, r.load(x + at + u * lanes)); });
    for (; at + lanes <= n; at += lanes) put(0, r.load(x + at));
    if (at == n) return;
    const Tag<A> d;
    const Part<A> part{n - at};
    put(1, hn::IfThenElse(hn::FirstN(d, static_cast<size_t>(n - at)), part.load(x + at),
                          hn::Set(d, kWorst)));
  }
  double total() const {
    if (!hn::AllFalse(Tag<A>(), hn::Or(hn::Or(nan[0], nan[1]), hn::Or(nan[2], nan[3]))))
      return std::numeric_limits<double>::quiet_NaN();
    const V all = better(better(best[0], best[1]), better(best[2], best[3]));
    Register<double> wide[2];
    each_wide<A>(all, [&](int i, Register<double> w) { wide[i] = w; });
    if constexpr (kWide<A> == 2) wide[0] = better(wide[0], wide[1]);
    return fold_register(Tag<double>(), wide[0], [](auto a, auto b) { return better(a, b); });
  }
  static double join(double a, double b) { return (kLargest ? a > b : a < b) || a != a ? a : b; }
};

constexpr int64_t kLeastDense = 96;  // shorter sequences are not worth a register for each lane

// Whether outputs are made of runs that are worth it.
inline bool is_dense(const ReducePlan& p) {
  return !p.across && p.inner_stride() == 1 && p.n >= kLeastDense && p.inner() >= 16;
}

// Gives the run the elements of positions [begin, end) of a sequence.
template <class Run, class T>
HWY_INLINE void take_all(Run& run, const ReducePlan& plan, const T* first, int64_t begin,
                         int64_t end) {
  if (plan.reduced_rank == 1) return run.take(first + begin, end - begin);
  for (int64_t p = begin; p < end;) {
    const int64_t count = smaller(end - p, plan.inner() - p % plan.inner());
    run.take(first + plan.position(p), count);
    p += count;
  }
}

// Sets values[j] to what positions [begin, end) of a tile's sequence j make.
template <class Run>
void over_tile(const ReducePlan& plan, const ReduceTile& tile, int64_t begin, int64_t end,
               double* values) {
  const auto* first = static_cast<const typename Run::Element*>(plan.data) + tile.in;
  for (int64_t j = 0; j < tile.width; ++j, first += tile.in_stride) {
    Run run;
    take_all(run, plan, first, begin, end);
    values[j] = run.total();
  }
}

struct DenseRuns {
  using Over = void (*)(const ReducePlan& plan, const ReduceTile& tile, int64_t begin, int64_t end,
                        double* values);
  Over over;
  Over in_f64;  // what serves where `over` leaves its range, or nullptr
  double (*join)(double a, double b);
  int64_t piece;  // elements that `over` takes at most
  // As in Reduction.
  void (*store)(void* out, const double* in, int64_t n, int64_t stride, const bp_launch& launch,
                int64_t n_reduced);
  int64_t out_bytes;
};

template <class Run>
constexpr DenseRuns dense_runs(decltype(DenseRuns::store) store) {
  return {over_tile<Run>, nullptr, Run::join, Run::kPiece, store, sizeof(typename Run::Element)};
}
template <class T>
constexpr DenseRuns dense_products(decltype(DenseRuns::store) store) {
  DenseRuns how = dense_runs<RunProduct<T, kAddsInLane>>(store);
  if (!std::is_same_v<T, double>) how.in_f64 = over_tile<RunProduct<T, 1>>;
  return how;
}

// The processor's flags that a number left the range of its type. <cfenv> serves too, but it clears
// those of the x87 unit with them, which takes ten times as long.
struct RangeFlags {
#if defined(__SSE2__)
  static constexpr uint32_t kBoth = _MM_EXCEPT_OVERFLOW | _MM_EXCEPT_UNDERFLOW;
  static uint32_t get() { return _mm_getcsr() & kBoth; }
  static void set(uint32_t flags) { _mm_setcsr((_mm_getcsr() & ~kBoth) | flags); }
#else
  static constexpr int kBoth = FE_OVERFLOW | FE_UNDERFLOW;
  static uint32_t get() { return static_cast<uint32_t>(std::fetestexcept(kBoth)); }
  static void set(uint32_t flags) {
    std::feclearexcept(kBoth);
    std::feraiseexcept(static_cast<int>(flags));
  }
#endif
};

// Calls how.over, and how.in_f64 where a number left the range of its type.
class WithinRange {
 public:
  explicit WithinRange(const DenseRuns& how)
      : how_(how), before_(how.in_f64 ? RangeFlags::get() : 0) {}
  WithinRange(const WithinRange&) = delete;
  WithinRange& operator=(const WithinRange&) = delete;
  ~WithinRange() {
    if (before_) RangeFlags::set(before_);
  }
  void run(const ReducePlan& plan, const ReduceTile& tile, int64_t begin, int64_t end,
           double* values) const {
    if (!how_.in_f64) return how_.over(plan, tile, begin, end, values);
    if (RangeFlags::get()) RangeFlags::set(0);
    how_.over(plan, tile, begin, end, values);
    if (RangeFlags::get()) how_.in_f64(plan, tile, begin, end, values);
  }
  // The same for one sequence of any length, whose pieces are joined pairwise.
  double run_long(const ReducePlan& plan, const ReduceTile& one, int64_t begin, int64_t end) const {
    if (end - begin > how_.piece) {
      int64_t half = how_.piece;
      while (half * 2 < end - begin) half *= 2;
      const double left = run_long(plan, one, begin, begin + half);
      return how_.join(left, run_long(plan, one, begin + half, end));
    }
    double value;
    run(plan, one, begin, end, &value);
    return value;
  }
  void run_any(const ReducePlan& plan, const ReduceTile& tile, int64_t begin, int64_t end,
               double* values) const {
    if (end - begin <= how_.piece) return run(plan, tile, begin, end, values);
    ReduceTile one = tile;
    one.width = 1;
    for (int64_t j = 0; j < tile.width; ++j, one.in += one.in_stride)
      values[j] = run_long(plan, one, begin, end);
  }

 private:
  const DenseRuns& how_;
  const uint32_t before_;
};

inline bp_status run_dense(const bp_launch& launch, const ReducePlan& plan, const DenseRuns& how,
                           bp_error** err) {
  constexpr int64_t kMostWide = kTileBytes / sizeof(float);
  char* out = static_cast<char*>(launch.args[launch.n_in].data);
  const auto store = [&](const ReduceTile& tile, const double* values) {
    how.store(out + tile.out * how.out_bytes, values, tile.width, tile.out_stride, launch, plan.n);
  };
  if (plan.n_chunks == 1) {
    parallel_for(plan.n_tiles, plan.task_grain, [&](int64_t begin, int64_t end) {
      double values[kMostWide];
      const WithinRange within(how);
      for (int64_t t = begin; t < end; ++t) {
        const ReduceTile tile = reduce_tile(plan, t);
        within.run_any(plan, tile, 0, plan.n, values);
        store(tile, values);
      }
    });
    return BP_OK;
  }
  const int64_t tasks = plan.n_tiles * plan.n_chunks;
  Scratch scratch(launch, static_cast<uint64_t>(tasks * plan.tile) * sizeof(double));
  auto* parts = scratch.as<double>();
  if (!parts) return scratch.fail(err);
  parallel_for(tasks, plan.task_grain, [&](int64_t first, int64_t last) {
    const WithinRange within(how);
    for (int64_t task = first; task < last; ++task) {
      const int64_t begin = task % plan.n_chunks * plan.chunk;
      within.run_any(plan, reduce_tile(plan, task / plan.n_chunks), begin,
                     smaller(plan.n, begin + plan.chunk), parts + task * plan.tile);
    }
  });
  for (int64_t t = 0; t < plan.n_tiles; ++t) {
    const ReduceTile tile = reduce_tile(plan, t);
    double* of = parts + t * plan.n_chunks * plan.tile;
    for (int64_t step = 1; step < plan.n_chunks; step *= 2)
      for (int64_t c = 0; c + step < plan.n_chunks; c += 2 * step)
        for (int64_t j = 0; j < tile.width; ++j)
          of[c * plan.tile + j] = how.join(of[c * plan.tile + j], of[(c + step) * plan.tile + j]);
    store(tile, of);
  }
  return BP_OK;
}

}  // namespace
}  // namespace bp_cpu::BP_ISA
