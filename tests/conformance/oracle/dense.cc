// SPDX-License-Identifier: Apache-2.0
#include "oracle/dense.h"

#include <algorithm>
#include <cmath>

namespace conformance {

Complex element(const Array& a, size_t i) { return {a.re[i], a.im.empty() ? 0 : a.im[i]}; }

Shape batch_of(const Array& a, size_t tail) {
  return Shape(a.shape.begin(), a.shape.end() - static_cast<long>(tail));
}

Dense matrix_of(const Array& a, size_t batch) {
  Dense m(static_cast<size_t>(a.shape[a.shape.size() - 2]), static_cast<size_t>(a.shape.back()));
  for (size_t i = 0; i < m.at_.size(); ++i) m.at_[i] = element(a, batch * m.at_.size() + i);
  return m;
}

Dense column_of(const Array& a, size_t batch, size_t n) {
  Dense m(n, 1);
  for (size_t i = 0; i < n; ++i) m.at_[i] = element(a, batch * n + i);
  return m;
}

Dense identity(size_t n) {
  Dense m(n, n);
  for (size_t i = 0; i < n; ++i) m.at(i, i) = 1;
  return m;
}

Dense multiply(const Dense& a, const Dense& b) {
  Dense m(a.rows, b.cols);
  for (size_t i = 0; i < a.rows; ++i)
    for (size_t k = 0; k < a.cols; ++k)
      for (size_t j = 0; j < b.cols; ++j) {
        const Complex &x = a.at(i, k), &y = b.at(k, j);  // written out: operator* looks for NaN
        m.at(i, j) += Complex(x.real() * y.real() - x.imag() * y.imag(),
                              x.real() * y.imag() + x.imag() * y.real());
      }
  return m;
}

Dense adjoint(const Dense& a) {
  Dense m(a.cols, a.rows);
  for (size_t i = 0; i < a.rows; ++i)
    for (size_t j = 0; j < a.cols; ++j) m.at(j, i) = std::conj(a.at(i, j));
  return m;
}

Dense minus(const Dense& a, const Dense& b) {
  Dense m = a;
  for (size_t i = 0; i < m.at_.size(); ++i) m.at_[i] -= b.at_[i];
  return m;
}

Dense scaled_columns(const Dense& a, const Dense& s) {
  Dense m = a;
  for (size_t i = 0; i < a.rows; ++i)
    for (size_t j = 0; j < a.cols; ++j)
      m.at(i, j) = j < s.rows ? a.at(i, j) * s.at(j, 0) : Complex(0);
  return m;
}

Real norm(const Dense& a) {
  Real sum = 0;
  for (const Complex& x : a.at_) sum += std::norm(x);
  return std::sqrt(sum);
}

Dense hermitian(const Dense& a, bool upper) {
  Dense m = a;
  for (size_t i = 0; i < a.rows; ++i) {
    m.at(i, i) = a.at(i, i).real();
    for (size_t j = i + 1; j < a.cols; ++j)
      (upper ? m.at(j, i) : m.at(i, j)) = std::conj(upper ? a.at(i, j) : a.at(j, i));
  }
  return m;
}

Complex determinant(Dense a) {
  Complex product = 1;
  for (size_t k = 0; k < a.rows; ++k) {
    size_t best = k;
    for (size_t i = k + 1; i < a.rows; ++i)
      if (std::abs(a.at(i, k)) > std::abs(a.at(best, k))) best = i;
    if (a.at(best, k) == Complex(0)) return 0;
    if (best != k) {
      for (size_t j = 0; j < a.cols; ++j) std::swap(a.at(k, j), a.at(best, j));
      product = -product;
    }
    product *= a.at(k, k);
    for (size_t i = k + 1; i < a.rows; ++i) {
      const Complex f = a.at(i, k) / a.at(k, k);
      for (size_t j = k + 1; j < a.cols; ++j) a.at(i, j) -= f * a.at(k, j);
    }
  }
  return product;
}

// Columns p and q are rotated until they are orthogonal; their lengths are then the singular
// values.
std::vector<Real> singular_values(Dense a) {
  if (a.rows < a.cols) a = adjoint(a);
  for (int sweep = 0; sweep < 60; ++sweep) {
    bool rotated = false;
    for (size_t p = 0; p + 1 < a.cols; ++p)
      for (size_t q = p + 1; q < a.cols; ++q) {
        Real pp = 0, qq = 0;
        Complex pq = 0;
        for (size_t i = 0; i < a.rows; ++i) {
          pp += std::norm(a.at(i, p));
          qq += std::norm(a.at(i, q));
          pq += std::conj(a.at(i, p)) * a.at(i, q);
        }
        const Real off = std::abs(pq);
        if (off <= 1e-19L * std::sqrt(pp * qq)) continue;
        rotated = true;
        const Complex phase = pq / off;
        const Real tau = (qq - pp) / (2 * off);
        const Real t = (tau < 0 ? -1 : 1) / (std::fabs(tau) + std::sqrt(1 + tau * tau));
        const Real c = 1 / std::sqrt(1 + t * t), s = c * t;
        for (size_t i = 0; i < a.rows; ++i) {
          const Complex x = a.at(i, p), y = a.at(i, q) * std::conj(phase);
          a.at(i, p) = c * x - s * y;
          a.at(i, q) = s * x + c * y;
        }
      }
    if (!rotated) break;
  }
  std::vector<Real> s;
  for (size_t j = 0; j < a.cols; ++j) {
    Real sum = 0;
    for (size_t i = 0; i < a.rows; ++i) sum += std::norm(a.at(i, j));
    s.push_back(std::sqrt(sum));
  }
  std::sort(s.rbegin(), s.rend());
  return s;
}

// A shift by the norm makes all of them positive; singular values of that are eigenvalues.
std::vector<Real> hermitian_eigenvalues(const Dense& a) {
  Dense shifted = a;
  const Real shift = norm(a);
  for (size_t i = 0; i < a.rows; ++i) shifted.at(i, i) += shift;
  std::vector<Real> w = singular_values(shifted);
  std::reverse(w.begin(), w.end());
  for (Real& x : w) x -= shift;
  return w;
}

Real epsilon_of(bp_dtype t) { return std::ldexp(Real{1}, 1 - format_of(part_of(t)).precision); }

}  // namespace conformance
