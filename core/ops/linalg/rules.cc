// SPDX-License-Identifier: Apache-2.0
#include "core/ops/linalg/rules.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/ops/linalg/attributes.h"
#include "core/value/dtype.h"
#include "core/value/infer.h"

namespace bp::rule {
namespace {

void check_number(const Inference& f, bp_dtype t) {
  if (is_narrow(t))
    fail(BP_DTYPE_MISMATCH, "linalg.{}: Low precision dtypes not supported. Got {}", f.row.name,
         dtype_title(t));
  if (!is_floating(t) && !is_complex(t))
    fail(BP_DTYPE_MISMATCH,
         "linalg.{}: Expected a floating point or complex tensor as input. Got {}", f.row.name,
         dtype_title(t));
}

// The last two dims of an input, and the batch dims before them.
struct Sides {
  Span batch;
  int64_t rows, cols;
  int64_t least() const { return std::min(rows, cols); }
};

Sides matrix(const Inference& f, size_t i) {
  const Span s = f.in[i].shape;
  if (s.size() < 2)
    fail(BP_INVALID_ARGUMENT, "linalg.{}: The input tensor {} must have at least 2 dimensions.",
         f.row.name, i == 0 ? "A" : "B");
  return {s.first(s.size() - 2), s[s.size() - 2], s[s.size() - 1]};
}

Sides square_matrix(const Inference& f, size_t i) {
  const Sides m = matrix(f, i);
  if (m.rows != m.cols)
    fail(BP_INVALID_ARGUMENT,
         "linalg.{}: {} must be batches of square matrices, but they are {} by {} matrices",
         f.row.name, i == 0 ? "A" : "B", m.rows, m.cols);
  return m;
}

Dims with(Span batch, std::initializer_list<int64_t> tail) {
  Dims d(batch);
  for (int64_t n : tail) d.push_back(n);
  return d;
}

}  // namespace

// ---- dtypes ----

void linalg_number(Inference& f) {
  promoted(f);
  check_number(f, f.compute);
}

void linalg_with_pivots(Inference& f) {
  linalg_number(f);
  f.out_dtype[1] = BP_I32;
}

void linalg_with_real(Inference& f) {
  linalg_number(f);
  f.out_dtype[1] = real_of(f.compute);
}

void linalg_values(Inference& f) {
  linalg_number(f);
  f.out_dtype[0] = real_of(f.compute);
}

void linalg_complex(Inference& f) {
  linalg_number(f);
  for (uint32_t i = 0; i < f.row.n_outputs(); ++i) f.out_dtype[i] = complex_of(f.compute);
}

void linalg_rank(Inference& f) {
  linalg_number(f);
  f.out_dtype[0] = BP_I64;
}

void linalg_least_squares(Inference& f) {
  linalg_number(f);
  f.out_dtype[1] = BP_I64;
  f.out_dtype[2] = real_of(f.compute);
}

// ---- shapes ----

void square(Inference& f) {
  square_matrix(f, 0);
  f.out_shape[0] = Dims(f.in[0].shape);
}

void lu_shape(Inference& f) {
  const Sides m = matrix(f, 0);
  f.out_shape[0] = Dims(f.in[0].shape);
  f.out_shape[1] = with(m.batch, {m.least()});
}

void solve_triangular_shape(Inference& f) {
  const Sides a = square_matrix(f, 0), b = matrix(f, 1);
  const bool left = f.flag(ops::kSolveTriangularAttrs["left"]);
  if (a.rows != (left ? b.rows : b.cols))
    fail(
        BP_INVALID_ARGUMENT,
        "linalg.solve_triangular: Incompatible shapes of A and B for the equation {} ({}x{} and {}x{})",
        left ? "AX = B" : "XA = B", a.rows, a.cols, b.rows, b.cols);
  f.out_shape[0] = with(broadcast_shapes(a.batch, b.batch), {b.rows, b.cols});
}

// A 1-D b is one vector, as the array standard has it.
void solve_shape(Inference& f) {
  const Sides a = square_matrix(f, 0);
  const Span s = f.in[1].shape;
  if (s.size() == 1) {
    if (s[0] != a.rows)
      fail(BP_INVALID_ARGUMENT,
           "linalg.solve: Incompatible shapes of A and B for the equation AX = B ({}x{} and {})",
           a.rows, a.cols, s[0]);
    f.out_shape[0] = with(a.batch, {a.rows});
    return;
  }
  const Sides b = matrix(f, 1);
  if (a.rows != b.rows)
    fail(BP_INVALID_ARGUMENT,
         "linalg.solve: Incompatible shapes of A and B for the equation AX = B ({}x{} and {}x{})",
         a.rows, a.cols, b.rows, b.cols);
  f.out_shape[0] = with(broadcast_shapes(a.batch, b.batch), {b.rows, b.cols});
}

void qr_shape(Inference& f) {
  const Sides m = matrix(f, 0);
  const int64_t columns = f.flag(ops::kQrAttrs["complete"]) ? m.rows : m.least();
  f.out_shape[0] = with(m.batch, {m.rows, columns});
  f.out_shape[1] = with(m.batch, {columns, m.cols});
}

void svd_shape(Inference& f) {
  const Sides m = matrix(f, 0);
  const bool full = f.flag(ops::kSvdAttrs["full_matrices"]);
  f.out_shape[0] = with(m.batch, {m.rows, full ? m.rows : m.least()});
  f.out_shape[1] = with(m.batch, {m.least()});
  f.out_shape[2] = with(m.batch, {full ? m.cols : m.least(), m.cols});
}

void svdvals_shape(Inference& f) {
  const Sides m = matrix(f, 0);
  f.out_shape[0] = with(m.batch, {m.least()});
}

void eigh_shape(Inference& f) {
  const Sides m = square_matrix(f, 0);
  f.out_shape[0] = with(m.batch, {m.rows});
  f.out_shape[1] = Dims(f.in[0].shape);
}

void eigvalsh_shape(Inference& f) {
  const Sides m = square_matrix(f, 0);
  f.out_shape[0] = with(m.batch, {m.rows});
}

void of_each_square(Inference& f) {
  const Sides m = square_matrix(f, 0);
  for (uint32_t i = 0; i < f.row.n_outputs(); ++i) f.out_shape[i] = Dims(m.batch);
}

void of_each_matrix(Inference& f) { f.out_shape[0] = Dims(matrix(f, 0).batch); }

void matrix_norm_shape(Inference& f) {
  f.out_shape[0] = Dims(matrix(f, 0).batch);
  if (f.flag(ops::kMatrixNormAttrs["keepdims"])) f.out_shape[0] = with(f.out_shape[0], {1, 1});
}

void pinv_shape(Inference& f) {
  const Sides m = matrix(f, 0);
  f.out_shape[0] = with(m.batch, {m.cols, m.rows});
}

void least_squares_shape(Inference& f) {
  const Sides a = matrix(f, 0), b = matrix(f, 1);
  if (a.rows != b.rows)
    fail(BP_INVALID_ARGUMENT,
         "linalg.lstsq: A and B must have as many rows, but they have {} and {}", a.rows, b.rows);
  f.out_shape[0] = with(broadcast_shapes(a.batch, b.batch), {a.cols, b.cols});
  f.out_shape[1] = Dims(a.batch);
  f.out_shape[2] = with(a.batch, {a.least()});
}

}  // namespace bp::rule
