// SPDX-License-Identifier: Apache-2.0
// factor.h: triangular factors for machines without LAPACK: unblocked, column-major and in place.
// They return what LAPACK returns: 0, or the number, from 1, of the first unusable pivot.
#pragma once
#include <cmath>
#include <cstdint>
#include <utility>

#include "library/lapack.h"

namespace bp_cpu {

template <class T>
T conjugate(T x) {
  if constexpr (kIsComplex<T>)
    return std::conj(x);
  else
    return x;
}
// The measure by which LAPACK compares pivots.
template <class T>
Real<T> magnitude(T x) {
  return std::fabs(std::real(x)) + std::fabs(std::imag(x));
}

// Computes the lower factor, column by column (Golub & Van Loan, algorithm 4.2.1).
template <class T>
int factor_cholesky(int64_t n, T* a) {
  for (int64_t j = 0; j < n; ++j) {
    T* column = a + j * n;
    for (int64_t k = 0; k < j; ++k) {
      const T* before = a + k * n;
      const T f = conjugate(before[j]);
      for (int64_t i = j; i < n; ++i) column[i] -= before[i] * f;
    }
    const Real<T> pivot = std::real(column[j]);
    if (!(pivot > 0)) return static_cast<int>(j + 1);
    const Real<T> root = std::sqrt(pivot);
    column[j] = root;
    for (int64_t i = j + 1; i < n; ++i) column[i] /= root;
  }
  return 0;
}

// Factors with partial pivoting (algorithm 3.4.1). Pivots count from 1; a zero one does not end it.
template <class T>
int factor_lu(int64_t m, int64_t n, T* a, int* pivots) {
  int info = 0;
  for (int64_t k = 0; k < std::min(m, n); ++k) {
    T* column = a + k * m;
    int64_t best = k;
    for (int64_t i = k + 1; i < m; ++i)
      if (magnitude(column[i]) > magnitude(column[best])) best = i;
    pivots[k] = static_cast<int>(best + 1);
    if (column[best] == T{}) {
      if (info == 0) info = static_cast<int>(k + 1);
      continue;
    }
    if (best != k)
      for (int64_t j = 0; j < n; ++j) std::swap(a[j * m + k], a[j * m + best]);
    for (int64_t i = k + 1; i < m; ++i) column[i] /= column[k];
    for (int64_t j = k + 1; j < n; ++j) {
      T* other = a + j * m;
      const T f = other[k];
      for (int64_t i = k + 1; i < m; ++i) other[i] -= column[i] * f;
    }
  }
  return info;
}

// Overwrites b, of k columns, with the x of a x = b.
template <class T>
void solve_triangular(bool upper, bool unit, int64_t n, int64_t k, const T* a, T* b) {
  for (int64_t c = 0; c < k; ++c) {
    T* x = b + c * n;
    for (int64_t s = 0; s < n; ++s) {
      const int64_t j = upper ? n - 1 - s : s;
      if (!unit) x[j] /= a[j * n + j];
      const T f = x[j];
      for (int64_t i = upper ? 0 : j + 1; i < (upper ? j : n); ++i) x[i] -= a[j * n + i] * f;
    }
  }
}

template <class T>
void solve_lu(int64_t n, int64_t k, const T* lu, const int* pivots, T* b) {
  for (int64_t c = 0; c < k; ++c)
    for (int64_t i = 0; i < n; ++i) std::swap(b[c * n + i], b[c * n + pivots[i] - 1]);
  solve_triangular(/*upper=*/false, /*unit=*/true, n, k, lu, b);
  solve_triangular(/*upper=*/true, /*unit=*/false, n, k, lu, b);
}

}  // namespace bp_cpu
