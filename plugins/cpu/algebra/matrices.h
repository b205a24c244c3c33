// SPDX-License-Identifier: Apache-2.0
// matrices.h: what the kernels of linear algebra share: operands as batches of matrices in any
// layout, the copies into and out of dense column-major blocks, and a way through all matrices.
//
// An operation is a struct template over the type of number. It is made from the launch and has
//   batches                     how many times it runs
//   pool                        the pool of the BLAS's own threads, empty where none is used
//   flops                       the approximate work of one run, to decide who takes the threads
//   kWorthThreads               from how much work on a matrix is faster by all threads of the BLAS
//                               (measured with two of OpenBLAS's)
//   int64_t longest             the longest side, because Fortran's integers have 32 bits
//   Blocks blocks(char* memory) what one run works in; with NULL it only has the size
//   int run(i, blocks)          computes matrix i; returns 0, or another info for a failure
//   static void failure(int info, char* text, size_t size)   writes the sentence for that info
#pragma once
#include <algorithm>
#include <atomic>
#include <climits>
#include <cstring>
#include <mutex>

#include "c_plugin.h"
#include "device/error.h"
#include "device/parallel.h"
#include "device/scratch.h"
#include "library/lapack.h"

namespace bp_cpu {

// The leading dims of the first output: all but the last `tail`.
struct Batches {
  Batches(const bp_arg& out, int32_t tail) : rank(out.rank - tail), size(out.shape) {
    for (int32_t d = 0; d < rank; ++d) count *= size[d];
  }
  int32_t rank;
  const int64_t* size;
  int64_t count = 1;
};

// One operand; a vector (tail 1) is a matrix of one column. Batch dims that it lacks, or that have
// size 1, are repeated.
template <class T>
struct Matrices {
  Matrices(const bp_arg& x, int32_t tail, const Batches& b)
      : data(static_cast<T*>(x.data)),
        batches(b),
        rows(x.shape[x.rank - tail]),
        cols(tail == 2 ? x.shape[x.rank - 1] : 1),
        row(x.strides[x.rank - tail]),
        col(tail == 2 ? x.strides[x.rank - 1] : 0) {
    const int32_t missing = b.rank - (x.rank - tail);
    for (int32_t d = 0; d < b.rank; ++d)
      step[d] = d < missing || x.shape[d - missing] == 1 ? 0 : x.strides[d - missing];
  }

  T* at(int64_t i) const {
    T* p = data;
    for (int32_t d = batches.rank - 1; d >= 0; --d) {
      p += i % batches.size[d] * step[d];
      i /= batches.size[d];
    }
    return p;
  }
  // Copies matrix i to a column-major block, in which one column follows the other.
  void load(int64_t i, T* to) const {
    load_as(i, rows, cols, row, col, to, [](T x) { return x; });
  }
  void load_transposed(int64_t i, T* to) const {
    load_as(i, cols, rows, col, row, to, [](T x) { return x; });
  }
  void load_adjoint(int64_t i, T* to) const {
    load_as(i, cols, rows, col, row, to, [](T x) {
      if constexpr (kIsComplex<T>)
        return std::conj(x);
      else
        return x;
    });
  }
  // Copies a block, whose columns lie ld apart, to matrix i.
  void store(int64_t i, const T* from, int64_t ld) const {
    T* p = at(i);
    each_tile(rows, cols, [&](int64_t r, int64_t c) { p[r * row + c * col] = from[c * ld + r]; });
  }
  void store_transposed(int64_t i, const T* from, int64_t ld) const {
    T* p = at(i);
    each_tile(cols, rows, [&](int64_t r, int64_t c) { p[c * row + r * col] = from[c * ld + r]; });
  }

  T* data;
  const Batches& batches;
  int64_t rows, cols, row, col;
  int64_t step[BP_MAX_RANK];

 private:
  // Goes in squares, so that cache lines are used whole on both sides.
  template <class F>
  static void each_tile(int64_t n_rows, int64_t n_cols, const F& f) {
    constexpr int64_t kSide = 32;
    for (int64_t c0 = 0; c0 < n_cols; c0 += kSide)
      for (int64_t r0 = 0; r0 < n_rows; r0 += kSide)
        for (int64_t c = c0; c < std::min(c0 + kSide, n_cols); ++c)
          for (int64_t r = r0; r < std::min(r0 + kSide, n_rows); ++r) f(r, c);
  }
  template <class F>
  void load_as(int64_t i, int64_t n_rows, int64_t n_cols, int64_t row_step, int64_t col_step, T* to,
               const F& f) const {
    const T* p = at(i);
    each_tile(n_rows, n_cols, [&](int64_t r, int64_t c) {
      to[c * n_rows + r] = f(p[r * row_step + c * col_step]);
    });
  }
};

// Cuts memory into arrays; without memory it only counts the bytes.
struct Cutter {
  explicit Cutter(char* memory) : next(memory) {}
  template <class T>
  T* take(int64_t count) {
    constexpr uint64_t kAlign = 64;
    const uint64_t bytes =
        (static_cast<uint64_t>(count) * sizeof(T) + kAlign - 1) / kAlign * kAlign;
    char* p = next;
    if (next) next += bytes;
    size += bytes;
    return reinterpret_cast<T*>(p);
  }
  char* next;
  uint64_t size = 0;
};

// Keeps the info of the first matrix, by its index, that failed.
class FirstFailure {
 public:
  void note(int64_t i, int info) {
    const std::lock_guard lock(mutex_);
    if (i >= index_) return;
    index_ = i;
    info_ = info;
  }
  bool any() const { return index_ != INT64_MAX; }
  int64_t index() const { return index_; }
  int info() const { return info_; }

 private:
  std::mutex mutex_;
  int64_t index_ = INT64_MAX;
  int info_ = 0;
};

template <class Op>
bp_status run_part(const bp_launch& launch, const Op& op, int64_t begin, int64_t end,
                   FirstFailure& failure, bp_error** err) {
  const Scratch scratch(launch, op.blocks(nullptr).size);
  if (!scratch.as<char>()) return scratch.fail(err);
  const auto blocks = op.blocks(scratch.as<char>());
  for (int64_t i = begin; i < end; ++i) {
    const int info = op.run(i, blocks);
    if (info == 0) continue;
    failure.note(i, info);
    break;
  }
  return BP_OK;
}

// Small matrices are spread over the threads; a large one has all threads of the BLAS.
template <class Op>
bp_status run_all(const bp_launch& launch, const Op& op, bp_error** err) {
  constexpr double kWorthAllThreads = 1 << 22, kWorthAThread = 1 << 16;
  if (op.longest > INT_MAX)
    return fail(&launch, err, BP_UNSUPPORTED,
                "a side of %lld is longer than LAPACK's integers reach",
                static_cast<long long>(op.longest));
  FirstFailure failure;
  bp_status status = BP_OK;
  if (op.batches.count > 1 && op.flops < kWorthAllThreads) {
    const PoolSize scope(op.pool, 1);
    std::atomic<bool> exhausted{false};
    parallel_for(op.batches.count, static_cast<int64_t>(kWorthAThread / (op.flops + 1)) + 1,
                 [&](int64_t begin, int64_t end) {
                   if (run_part(launch, op, begin, end, failure, nullptr) < 0)
                     exhausted.store(true, std::memory_order_relaxed);
                 });
    if (exhausted.load(std::memory_order_relaxed))
      return Scratch(launch, op.blocks(nullptr).size).fail(err);
  } else {
    const PoolSize scope(op.pool, op.flops < Op::kWorthThreads ? 1 : max_threads());
    status = run_part(launch, op, 0, op.batches.count, failure, err);
  }
  if (status < 0 || !failure.any()) return status;
  char batch[48] = "";
  if (op.batches.rank > 0)
    std::snprintf(batch, sizeof batch,
                  "(Batch element %lld): ", static_cast<long long>(failure.index()));
  char reason[256];
  Op::failure(failure.info(), reason, sizeof reason);
  return fail(&launch, err, BP_INVALID_ARGUMENT, "%s%s", batch, reason);
}

// Fails where there is no LAPACK and the operation has no kernels of its own.
template <template <class> class Op, class T>
bp_status run_as(const bp_launch& launch, bp_error** err) {
  const Lapack<T>* l = lapack<T>();
  if (!l && Op<T>::kNeedsLapack) return no_lapack(&launch, err);
  return run_all(launch, Op<T>(launch, l), err);
}
template <template <class> class Op>
bp_status run_numbers(const bp_launch& launch, bp_error** err) {
  switch (launch.args[0].dtype) {
    case BP_F32: return run_as<Op, float>(launch, err);
    case BP_F64: return run_as<Op, double>(launch, err);
    case BP_C64: return run_as<Op, std::complex<float>>(launch, err);
    default: return run_as<Op, std::complex<double>>(launch, err);
  }
}

}  // namespace bp_cpu
