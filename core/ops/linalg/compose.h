// SPDX-License-Identifier: Apache-2.0
// compose.h: compositions of linear algebra: the factorizations themselves (elimination.cc,
// rotations.cc), and what is made of them, so that one kernel of a backend serves many ops.
#pragma once
#include "core/call/compose.h"

namespace bp::ops::compose {

// a = u diag(s) vh for a [.., m, n], with min(m, n) columns of u and as many rows of vh.
struct Svd {
  Ref<Tensor> u, s, vh;
};
Svd reduced_svd(const Value& a);

// a = q r for a [.., m, n] by Householder's reflections, with min(m, n) columns of q; complete: m.
struct QrFactors {
  Ref<Tensor> q, r;
};
QrFactors householder(const Ref<Tensor>& a, bool complete);

void lu_factor(Composer& c);
void solve_triangular(Composer& c);
void solve(Composer& c);
void inv(Composer& c);
void cholesky(Composer& c);
void qr(Composer& c);
void eigh(Composer& c);
void eigvalsh(Composer& c);
void eigvals(Composer& c);
void svd(Composer& c);
void svdvals(Composer& c);

void det(Composer& c);
void slogdet(Composer& c);
void matrix_rank(Composer& c);
void pinv(Composer& c);
void matrix_power(Composer& c);
void matrix_norm(Composer& c);
void lstsq(Composer& c);

}  // namespace bp::ops::compose
