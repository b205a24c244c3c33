// SPDX-License-Identifier: Apache-2.0
// reduce_sum.cc: sum, mean, sum_square, prod. Halves are summed in f32; floats are multiplied in
// f64, because each product rounds and no order of them helps, but for a few factors in f32 along
// dense runs. Both have loops of their own along these and where rows of a few columns are reduced;
// integers and bools go modulo 2^64, which is the i64 or the u64 result.
#include "device/registry.h"
#include "kernels/reduction/dense_runs.h"
#include "kernels/reduction/elements.h"
#include "kernels/reduction/stacked_rows.h"
#include "kernels/reduction/sum_op.h"

namespace bp_cpu::BP_ISA {
namespace {

template <class T, class A>
void store_mean(void* out, const A* in, int64_t n, int64_t stride, const bp_launch&,
                int64_t n_reduced) {
  T* y = static_cast<T*>(out);
  for (int64_t i = 0; i < n; ++i)
    y[i * stride] =
        convert<T>(static_cast<A>(static_cast<double>(in[i]) / static_cast<double>(n_reduced)));
}

template <class T, class A>
void load_squares(A* out, const void* in, int64_t n, int64_t stride, const A*) {
  load_elements<T, A>(out, in, n, stride);
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) out[i] *= out[i];
}

enum class Of { kElements, kSquares };

template <class T, class Op, bool kMean = false, Of kOf = Of::kElements>
bp_status run_float(const bp_launch* launch, bp_error** err) {
  constexpr bool kProduct = std::is_same_v<Op, Product>, kSquares = kOf == Of::kSquares;
  using A = std::conditional_t<kProduct, double, Calc<T>>;
  const Reduction<A> how{.item_bytes = sizeof(T),
                         .dense_is_direct = std::is_same_v<T, A> && !kSquares,
                         .load = kSquares ? load_squares<T, A> : load_plain<T, A>,
                         .store = kMean ? store_mean<T, A> : store_plain<T, A>,
                         .out_bytes = sizeof(T)};
  if (is_stackable(*launch)) return run_stacked<A, Op>(*launch, how, err);
  ReducePlan plan;
  plan_reduction(*launch, how.item_bytes, /*any_order=*/true, kRowBytes / sizeof(A),
                 kTileBytes / sizeof(A), &plan);
  if (!is_dense(plan)) return run_reduction<A, Op>(*launch, how, plan, err);
  constexpr auto kStore = kMean ? store_mean<T, double> : store_plain<T, double>;
  constexpr DenseRuns kRuns =
      kProduct ? dense_products<T>(kStore) : dense_runs<RunSum<T, kSquares>>(kStore);
  return run_dense(*launch, plan, kRuns, err);
}

template <class T>
constexpr Reduction<uint64_t> integers() {
  return {.item_bytes = sizeof(T),
          .dense_is_direct = sizeof(T) == 8,
          .load = load_plain<T, uint64_t>,
          .store = store_plain<uint64_t, uint64_t>};
}

// Integers of up to two bytes and bools along dense runs, in 32 bits for a block.
template <class T>
struct RunSmall {
  using Element = T;
  static constexpr int64_t kPiece = 65536, kBlock = 8192;
  static constexpr int64_t kMostExact = int64_t{1} << 37;  // elements, of whose sum f64 is exact
  int64_t sum = 0;

  void take(const T* x, int64_t n) {
    for (int64_t at = 0; at < n; at += kBlock) {
      const int64_t end = smaller(n, at + kBlock);
      int32_t block = 0;
#pragma omp simd reduction(+ : block)
      for (int64_t i = at; i < end; ++i) block += convert<int32_t>(x[i]);
      sum += block;
    }
  }
  double total() const { return static_cast<double>(sum); }
  static double join(double a, double b) { return a + b; }
};

template <class T, class Op>
bp_status run_integer(const bp_launch* launch, bp_error** err) {
  if constexpr (sizeof(T) <= 2 && std::is_same_v<Op, Sum>) {
    ReducePlan plan;
    plan_reduction(*launch, sizeof(T), /*any_order=*/true, kRowBytes / sizeof(double),
                   kTileBytes / sizeof(double), &plan);
    if (is_dense(plan) && plan.n < RunSmall<T>::kMostExact) {
      DenseRuns how = dense_runs<RunSmall<T>>(store_plain<int64_t, double>);
      how.out_bytes = sizeof(int64_t);
      return run_dense(*launch, plan, how, err);
    }
  }
  return run_reduction<uint64_t, Op>(*launch, integers<T>(), err);
}

template <class Op>
void add_op(Registry& r, uint32_t op) {
  each_type<kFloats>([&](auto t, bp_dtype d) { r.add(op, bit(d), run_float<decltype(t), Op>); });
  each_type<kIntegers | bit(BP_BOOL)>(
      [&](auto t, bp_dtype d) { r.add(op, bit(d), run_integer<decltype(t), Op>); });
}

}  // namespace

void add_reduce_sum(Registry& r) {
  add_op<Sum>(r, BP_OP_SUM);
  add_op<Product>(r, BP_OP_PROD);
  each_type<kFloats>([&](auto t, bp_dtype d) {
    r.add(BP_OP_MEAN, bit(d), run_float<decltype(t), Sum, /*kMean=*/true>);
    r.add(BP_OP_SUM_SQUARE, bit(d), run_float<decltype(t), Sum, /*kMean=*/false, Of::kSquares>);
  });
}

}  // namespace bp_cpu::BP_ISA
