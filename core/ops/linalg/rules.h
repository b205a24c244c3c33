// SPDX-License-Identifier: Apache-2.0
// rules.h: rules for dtypes and shapes of linear algebra; operands are [batch..., rows, cols].
#pragma once
#include "core/value/op_def.h"

namespace bp::rule {

// ---- dtypes: f32, f64 and complex; the inputs promote ----
void linalg_number(Inference& f);       // every output has their dtype
void linalg_with_pivots(Inference& f);  // output 1 is i32
void linalg_with_real(Inference& f);    // output 1 is the real dtype: svd, slogdet
// output 0 is the real dtype, others have that of the input: eigh, svdvals
void linalg_values(Inference& f);
void linalg_complex(Inference& f);        // every output is complex: eig
void linalg_rank(Inference& f);           // the output is i64
void linalg_least_squares(Inference& f);  // x, rank (i64), singular values (real)

// ---- shapes ----
void square(Inference& f);  // that of the input, which must be square
void lu_shape(Inference& f);
void solve_triangular_shape(Inference& f);
void solve_shape(Inference& f);
void qr_shape(Inference& f);
void svd_shape(Inference& f);
void svdvals_shape(Inference& f);
void eigh_shape(Inference& f);
void eigvalsh_shape(Inference& f);
void of_each_square(Inference& f);  // every output has a number for each matrix
void of_each_matrix(Inference& f);
void matrix_norm_shape(Inference& f);
void pinv_shape(Inference& f);
void least_squares_shape(Inference& f);

}  // namespace bp::rule
