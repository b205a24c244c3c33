// SPDX-License-Identifier: Apache-2.0
// dense.h: matrices in complex long double, for judging linear algebra: what a result must be, or
// must satisfy.
//
//   const Dense a = matrix_of(call.in[0].array, batch);
//   EXPECT_LE(norm(minus(multiply(l, adjoint(l)), a)), 4 * n * eps * norm(a));
#pragma once
#include <complex>
#include <vector>

#include "array.h"

namespace conformance {

using Complex = std::complex<Real>;

struct Dense {
  size_t rows, cols;
  std::vector<Complex> at_;
  Dense(size_t r, size_t c) : rows(r), cols(c), at_(r * c) {}
  Complex& at(size_t i, size_t j) { return at_[i * cols + j]; }
  const Complex& at(size_t i, size_t j) const { return at_[i * cols + j]; }
};

Complex element(const Array& a, size_t i);
// Shape of the batches before the last `tail` dims; the matrix of one of them.
Shape batch_of(const Array& a, size_t tail);
Dense matrix_of(const Array& a, size_t batch);
Dense column_of(const Array& a, size_t batch, size_t n);  // vectors, as matrices of one column

Dense identity(size_t n);
Dense multiply(const Dense& a, const Dense& b);
Dense adjoint(const Dense& a);
Dense minus(const Dense& a, const Dense& b);
Dense scaled_columns(const Dense& a, const Dense& s);     // a diag(s), s a column
Real norm(const Dense& a);                                // Frobenius
Dense hermitian(const Dense& a, bool upper);              // of one triangle
Complex determinant(Dense a);                             // by elimination
std::vector<Real> singular_values(Dense a);               // falling, by one-sided Jacobi rotations
std::vector<Real> hermitian_eigenvalues(const Dense& a);  // rising
Real epsilon_of(bp_dtype t);

}  // namespace conformance
