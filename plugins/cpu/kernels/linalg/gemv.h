// SPDX-License-Identifier: Apache-2.0
// gemv.h: matrix times vector, at the speed memory delivers the matrix. y[r] = sum over k of x[r,
// k] * v[k]. A matrix whose rows are adjacent is read row by row (dot products); one whose columns
// are adjacent is read a few columns at a time (sums of scaled columns). Other layouts and types
// are fetched into lanes piece by piece. A long sum is cut at places that depend on the sizes
// alone, so the result is the same for any number of threads.
#pragma once
#include "device/parallel.h"
#include "kernels/linalg/gemm_tile.h"

namespace bp_cpu::BP_ISA {

template <class S>
struct MatrixVector {
  int64_t rows, k;
  const S* x;
  int64_t x_r, x_c;
  const S* v;
  int64_t v_s;
  S* y;
  int64_t y_s;
};

constexpr int64_t kPiece = 512;               // elements fetched at a time
constexpr int64_t kThreadElements = 1 << 16;  // elements of the matrix that are worth a thread

// Returns n elements as adjacent lanes: where they lie, or from the buffer.
template <class S>
inline const Lane<S>* fetch(const S* from, int64_t step, int64_t n, Lane<S>* buffer) {
  if constexpr (sizeof(S) == sizeof(Lane<S>))
    if (step == 1) return reinterpret_cast<const Lane<S>*>(from);
  if (step == 1)
    for (int64_t i = 0; i < n; ++i) buffer[i] = to_lane(from[i]);
  else
    for (int64_t i = 0; i < n; ++i) buffer[i] = to_lane(from[i * step]);
  return buffer;
}

template <class T>
T dot(const T* x, const T* v, int64_t n) {
  using L = Lanes<T>;
  constexpr int kWays = 4;
  typename L::V acc[kWays];
  unroll<kWays>([&](auto w) { acc[w] = L::zero(); });
  int64_t i = 0;
  for (; i + kWays * L::kCount <= n; i += kWays * L::kCount)
    unroll<kWays>([&](auto w) {
      acc[w] = multiply_add(L::load(x + i + w * L::kCount), L::load(v + i + w * L::kCount), acc[w]);
    });
  for (; i + L::kCount <= n; i += L::kCount)
    acc[0] = multiply_add(L::load(x + i), L::load(v + i), acc[0]);
  if (i < n) {
    const auto part = L::part(n - i);
    acc[1] = multiply_add(L::load_part(part, x + i), L::load_part(part, v + i), acc[1]);
  }
  return sum_lanes<T>((acc[0] + acc[1]) + (acc[2] + acc[3]));
}

// The same of a row that is stored narrow, which is widened in registers.
template <class S>
float dot_narrow(const S* x, const float* v, int64_t n) {
  using L = Lanes<float>;
  constexpr int kWays = 4;
  L::V acc[kWays];
  unroll<kWays>([&](auto w) { acc[w] = L::zero(); });
  int64_t i = 0;
  for (; i + kWays * L::kCount <= n; i += kWays * L::kCount)
    unroll<kWays>([&](auto w) {
      acc[w] =
          multiply_add(load_lanes(x + i + w * L::kCount), L::load(v + i + w * L::kCount), acc[w]);
    });
  float rest = 0;
  for (; i + L::kCount <= n; i += L::kCount)
    acc[0] = multiply_add(load_lanes(x + i), L::load(v + i), acc[0]);
  for (; i < n; ++i) rest += to_lane(x[i]) * v[i];
  return sum_lanes<float>((acc[0] + acc[1]) + (acc[2] + acc[3])) + rest;
}

// sums[r] = x[r, from..to) . v[from..to)
template <class S>
void dot_rows(const MatrixVector<S>& p, int64_t row, int64_t rows, int64_t from, int64_t to,
              Lane<S>* sums) {
  using T = Lane<S>;
  for (int64_t r = 0; r < rows; ++r) sums[r] = T{};
  if constexpr (kIsNarrow<S>) {
    if (p.x_c == 1) {
      // Long pieces, because the machine fetches ahead along a row and not to the next one.
      constexpr int64_t kLong = 4096;
      T wide[kLong];
      for (int64_t k = from; k < to; k += kLong) {
        const int64_t n = smaller(to - k, kLong);
        for (int64_t i = 0; i < n; ++i) wide[i] = to_lane(p.v[(k + i) * p.v_s]);
        for (int64_t r = 0; r < rows; ++r)
          sums[r] += dot_narrow(p.x + (row + r) * p.x_r + k, wide, n);
      }
      return;
    }
  }
  T x_buffer[kPiece], v_buffer[kPiece];
  const bool in_place = sizeof(S) == sizeof(T) && p.x_c == 1 && p.v_s == 1;
  const int64_t piece = in_place ? to - from : kPiece;
  for (int64_t k = from; k < to; k += piece) {
    const int64_t n = to - k < piece ? to - k : piece;
    const T* v = fetch(p.v + k * p.v_s, p.v_s, n, v_buffer);
    for (int64_t r = 0; r < rows; ++r)
      sums[r] += dot(fetch(p.x + (row + r) * p.x_r + k * p.x_c, p.x_c, n, x_buffer), v, n);
  }
}

// sums[0, n) += sum over w of x_w[0, n) * f_w
template <class T, int kWays>
void add_scaled(const T* const* x, const T* f, int64_t n, T* sums) {
  using L = Lanes<T>;
  int64_t i = 0;
  typename L::V scale[kWays];
  unroll<kWays>([&](auto w) { scale[w] = L::set(f[w]); });
  for (; i + L::kCount <= n; i += L::kCount) {
    auto s = L::load(sums + i);
    unroll<kWays>([&](auto w) { s = multiply_add(L::load(x[w] + i), scale[w], s); });
    L::store(sums + i, s);
  }
  if (i < n) {
    const auto part = L::part(n - i);
    auto s = L::load_part(part, sums + i);
    unroll<kWays>([&](auto w) { s = multiply_add(L::load_part(part, x[w] + i), scale[w], s); });
    L::store_part(part, sums + i, s);
  }
}

// sums[r] = x[row + r, from..to) . v[from..to) for at most kPiece rows, by columns.
template <class S>
void add_columns(const MatrixVector<S>& p, int64_t row, int64_t rows, int64_t from, int64_t to,
                 Lane<S>* sums) {
  using T = Lane<S>;
  constexpr int kWays = 8;
  T buffer[sizeof(S) == sizeof(T) ? 1 : kWays * kPiece];
  for (int64_t r = 0; r < rows; ++r) sums[r] = T{};
  const T* x[kWays];
  T f[kWays];
  auto take = [&](int64_t w, int64_t k) {
    f[w] = to_lane(p.v[k * p.v_s]);
    x[w] = fetch(p.x + row * p.x_r + k * p.x_c, 1, rows,
                 buffer + (sizeof(S) == sizeof(T) ? 0 : w * kPiece));
  };
  int64_t k = from;
  for (; k + kWays <= to; k += kWays) {
    for (int w = 0; w < kWays; ++w) take(w, k + w);
    add_scaled<T, kWays>(x, f, rows, sums);
  }
  for (; k < to; ++k) {
    take(0, k);
    add_scaled<T, 1>(x, f, rows, sums);
  }
}

template <class S>
void multiply_vector(const MatrixVector<S>& p) {
  using T = Lane<S>;
  const bool by_columns = p.x_r == 1 && p.x_c != 1 && p.rows > 1;
  auto rows_of = [&](int64_t row, int64_t rows, int64_t from, int64_t to, T* sums) {
    if (by_columns)
      add_columns(p, row, rows, from, to, sums);
    else
      dot_rows(p, row, rows, from, to, sums);
  };
  // Threads share the sum when it is long and rows are few, and otherwise the rows.
  constexpr int64_t kFewRows = 64, kMaxCuts = 32;
  const int64_t cuts = p.rows <= kFewRows ? smaller(p.rows * p.k / kThreadElements, kMaxCuts) : 1;
  if (cuts > 1) {
    T part[kMaxCuts * kFewRows];
    parallel_for(cuts, 1, [&](int64_t begin, int64_t end) {
      for (int64_t c = begin; c < end; ++c)
        rows_of(0, p.rows, p.k * c / cuts, p.k * (c + 1) / cuts, part + c * p.rows);
    });
    for (int64_t r = 0; r < p.rows; ++r) {
      T sum = part[r];
      for (int64_t c = 1; c < cuts; ++c) sum += part[c * p.rows + r];
      from_lane<S>(sum, false, p.y + r * p.y_s);
    }
    return;
  }
  const int64_t grain = kThreadElements / (p.k < kThreadElements ? p.k : kThreadElements) + 1;
  parallel_for(p.rows, grain, [&](int64_t begin, int64_t end) {
    T sums[kPiece];
    for (int64_t row = begin; row < end; row += kPiece) {
      const int64_t rows = smaller(kPiece, end - row);
      rows_of(row, rows, 0, p.k, sums);
      for (int64_t r = 0; r < rows; ++r) from_lane<S>(sums[r], false, p.y + (row + r) * p.y_s);
    }
  });
}

}  // namespace bp_cpu::BP_ISA
