// SPDX-License-Identifier: Apache-2.0
// gradient_linalg.cc: gradients of factorizations and what is solved with them. A^H is the adjoint,
// g the gradient of a result. Formulas: M. Giles, "An extended collection of matrix derivative
// results for forward and reverse mode AD" (2008); of svd and eigh: J. Townsend, "Differentiating
// the Singular Value Decomposition" (2016), and PyTorch's conventions for complex numbers.
#include <algorithm>

#include "core/grad/autograd.h"
#include "core/ops/gradients.h"
#include "core/ops/linalg/attributes.h"
#include "core/ops/linalg/compose.h"
#include "core/ops/made_of.h"
#include "core/tensor/traced.h"
#include "core/value/dtype.h"

namespace bp::ops {
namespace {

Ref<Tensor> adjoint(const Ref<Tensor>& t) { return conjugate(transpose(*t, -2, -1)); }
int64_t rows(const Ref<Tensor>& t) { return t->shape[t->rank() - 2]; }
int64_t cols(const Ref<Tensor>& t) { return t->shape[t->rank() - 1]; }
Ref<Tensor> as_row(const Ref<Tensor>& t) { return unsqueeze(*t, -2); }
Ref<Tensor> as_column(const Ref<Tensor>& t) { return unsqueeze(*t, -1); }

Ref<Tensor> lower(const Ref<Tensor>& t, int64_t k = 0) {
  return invoke(BP_OP_TRIL, {t}, {int_value(k)});
}
Ref<Tensor> upper(const Ref<Tensor>& t, int64_t k = 0) {
  return invoke(BP_OP_TRIU, {t}, {int_value(k)});
}
Ref<Tensor> solved(const Ref<Tensor>& a, const Ref<Tensor>& b) {
  return invoke(BP_OP_SOLVE, {a, b});
}
Ref<Tensor> solved_triangular(const Ref<Tensor>& a, const Ref<Tensor>& b, bool is_upper, bool left,
                              bool unit = false) {
  return invoke(BP_OP_SOLVE_TRIANGULAR, {a, b},
                {flag_value(is_upper), flag_value(left), flag_value(unit)});
}
// Returns matrices with v on their main diagonals and 0 elsewhere.
Ref<Tensor> diagonal_matrix(const Ref<Tensor>& v) {
  Dims shape = v->shape;
  shape.push_back(shape.back());
  return placed(v, shape, [](const Tensor& t) { return diagonal(t, 0, -2, -1); });
}
Ref<Tensor> identity(int64_t n, bp_dtype dtype, Device& device) {
  return diagonal_matrix(filled(Dims{n}, dtype, 1, device));
}
Ref<Tensor> half_diagonal(const Ref<Tensor>& t) {
  return sub(t, mul(diagonal_matrix(diagonal(*t, 0, -2, -1)), 0.5));
}
// Returns v[j] - v[i] at i, j, and 1 on the diagonal.
Ref<Tensor> gaps(const Ref<Tensor>& v) {
  return add(sub(as_row(v), as_column(v)),
             identity(v->shape[v->rank() - 1], v->dtype, v->device()));
}
Ref<Tensor> sum_of(const Ref<Tensor>& a, const Ref<Tensor>& b) {
  return !a ? b : !b ? a : add(a, b);
}

Ref<Tensor> without_diagonal(const Ref<Tensor>& t) {
  return sub(t, diagonal_matrix(diagonal(*t, 0, -2, -1)));
}

// Returns P B for B [..., m, n], by the row exchanges that P is made of, the last one first.
Ref<Tensor> exchanged(const Ref<Tensor>& b, const Ref<Tensor>& pivots) {
  const Ref<Tensor> row = counted(rows(b), b->device());
  Dims shape = pivots->shape;
  shape.back() = rows(b);
  Ref<Tensor> from = expand(*row, shape);
  for (int64_t i = cols(pivots) - 1; i >= 0; --i) {
    const Ref<Tensor> other = sub(as_dtype(*narrow(*pivots, -1, i, 1), BP_I64), 1);
    const Ref<Tensor> here = narrow(*from, -1, i, 1), there = gather(from, other, -1);
    from = where(equal(row, i), there, where(equal(row, other), here, from));
  }
  return gather(b, expand(*as_column(from), b->shape), -2);
}

// Returns the gradient of a tall or square A; gq or gr may be missing.
Ref<Tensor> through_qr(const Ref<Tensor>& q, const Ref<Tensor>& r, const Ref<Tensor>& gq,
                       const Ref<Tensor>& gr) {
  Ref<Tensor> m = gr ? product(gr, adjoint(r)) : Ref<Tensor>{};
  if (gq) m = sum_of(m, negative(product(adjoint(q), gq)));
  m = upper(m);
  Ref<Tensor> ga = product(q, half_diagonal(add(m, adjoint(m))));
  return solved_triangular(adjoint(r), sum_of(ga, gq), false, false);
}

// Returns the gradient of A, where P is its pseudo-inverse and g that of P. No singular values are
// divided by, so that A may have any rank. Formula: G. Golub, V. Pereyra, "The differentiation of
// pseudo-inverses and nonlinear least squares problems whose variables separate" (1973).
Ref<Tensor> through_pinv(const Ref<Tensor>& a, const Ref<Tensor>& p, const Ref<Tensor>& g) {
  const Ref<Tensor> ph = adjoint(p), gh = adjoint(g);
  const Ref<Tensor> left = product(product(gh, p), ph), right = product(ph, product(p, gh));
  return sub(
      add(sub(left, product(a, product(p, left))), sub(right, product(product(right, p), a))),
      product(product(ph, g), ph));
}

// Returns t - q q^H t: what of t is not in the span of q.
Ref<Tensor> outside(const Ref<Tensor>& q, const Ref<Tensor>& t) {
  return sub(t, product(q, product(adjoint(q), t)));
}

}  // namespace

// A = L L^H: L^-H phi(L^H g) L^-1, made Hermitian, where phi(X) is tril(X) with half the diagonal.
void cholesky_back(GradCall& c) {
  const bool is_upper = c.flag(kTriangleAttrs["upper"]);
  const Ref<Tensor> l = is_upper ? adjoint(c.result()) : c.result(),
                    g = is_upper ? adjoint(c.grad()) : c.grad();
  const Ref<Tensor> phi = half_diagonal(lower(product(adjoint(l), g)));
  const Ref<Tensor> left = solved_triangular(adjoint(l), phi, true, true);
  const Ref<Tensor> ga = solved_triangular(l, left, false, false);
  c.give(0, mul(add(ga, adjoint(ga)), 0.5));
}

// A = P L U, A' = P^H A, k = min(m, n), U1 and L1 the square parts, D = L^H gL - gU U^H:
//   m <= n: gA' = L^-H (gU + [tril(D, -1) U1^-H, 0])
//   m > n:  gA' = (gL - [L1^-H triu(D); 0]) U^-H
void lu_factor_back(GradCall& c) {
  const Ref<Tensor> lu = c.result(0), g = c.grad();
  const int64_t m = rows(lu), n = cols(lu), k = std::min(m, n);
  const Ref<Tensor> l = lower(narrow(*lu, -1, 0, k), -1), u = upper(narrow(*lu, -2, 0, k)),
                    gl = lower(narrow(*g, -1, 0, k), -1), gu = upper(narrow(*g, -2, 0, k));
  const Ref<Tensor> l1 = adjoint(narrow(*l, -2, 0, k)), u1 = adjoint(narrow(*u, -1, 0, k));
  const Ref<Tensor> d =
      sub(add(narrow(*gl, -2, 0, k), product(adjoint(l), gl)),  // L has 1 on its diagonal
          product(gu, adjoint(u)));
  const auto by_l = [&](const Ref<Tensor>& t) {
    return solved_triangular(l1, t, true, true, true);
  };
  const auto by_u = [&](const Ref<Tensor>& t) { return solved_triangular(u1, t, false, false); };
  const auto first = [&](const Ref<Tensor>& t, const Ref<Tensor>& like, int64_t dim) {
    return placed(t, like->shape, [=](const Tensor& x) { return narrow(x, dim, 0, k); });
  };
  c.give(0, exchanged(m <= n ? by_l(add(gu, first(by_u(lower(d, -1)), gu, -1)))
                             : by_u(sub(gl, first(by_l(upper(d)), gl, -2))),
                      c.result(1)));
}

void solve_triangular_back(GradCall& c) {
  const bool is_upper = c.flag(kSolveTriangularAttrs["upper"]),
             left = c.flag(kSolveTriangularAttrs["left"]),
             unit = c.flag(kSolveTriangularAttrs["unitriangular"]);
  const Ref<Tensor> a = c.in(0), x = c.result();
  const Ref<Tensor> gb = solved_triangular(adjoint(a), c.grad(), !is_upper, left, unit);
  c.give(1, gb);
  if (!c.wants(0)) return;
  const Ref<Tensor> ga = negative(left ? product(gb, adjoint(x)) : product(adjoint(x), gb));
  c.give(0, is_upper ? upper(ga, unit ? 1 : 0) : lower(ga, unit ? -1 : 0));
}

void solve_back(GradCall& c) {
  const bool vector = c.operand(1).shape.size() == 1;
  const Ref<Tensor> gb = solved(adjoint(c.in(0)), vector ? as_column(c.grad()) : c.grad());
  if (c.wants(0))
    c.give(0, negative(product(gb, adjoint(vector ? as_column(c.result()) : c.result()))));
  if (c.wants(1)) c.give(1, vector ? squeeze(*gb, Dims{-1}) : gb);
}

void inv_back(GradCall& c) {
  const Ref<Tensor> y = adjoint(c.result());
  c.give(0, negative(product(product(y, c.grad()), y)));
}

// The gradient is g adj(A)^H, by svd, so that a singular matrix has one too: adj(A) = det(U)
// det(Vh) V S' U^H, where S' has for each singular value the product of the others.
void det_back(GradCall& c) {
  const compose::Svd f = compose::reduced_svd(c.in(0));
  const Ref<Tensor> sign = conjugate(mul(invoke(BP_OP_DET, {f.u}), invoke(BP_OP_DET, {f.vh})));
  const Ref<Tensor> adjugate = product(mul(f.u, as_row(products_of_others(f.s))), f.vh);
  c.give(0, mul(as_column(as_column(mul(c.grad(), sign))), adjugate));
}

// The gradient is A^-H times that of the logarithm. The sign of a complex det can only turn: its
// gradient is the imaginary part of that factor.
void slogdet_back(GradCall& c) {
  const Ref<Tensor> a = c.in(0), sign = c.result(0);
  Ref<Tensor> g = c.grads[1] ? as_dtype(*c.grads[1], a->dtype) : zeros_like(sign);
  if (is_complex(a->dtype) && c.grads[0]) {
    const Ref<Tensor> turn = imaginary_part(mul(conjugate(c.grads[0]), sign));
    g = complex_from(real_part(g), negative(turn));
  }
  c.give(0, mul(as_column(as_column(g)), adjoint(invoke(BP_OP_INV, {a}))));
}

void qr_back(GradCall& c) {
  const Ref<Tensor> q = c.result(0), r = c.result(1), &gq = c.grads[0], &gr = c.grads[1];
  const int64_t m = rows(q), n = cols(r);
  if (c.flag(kQrAttrs["complete"]) && m > n)
    fail(BP_UNSUPPORTED,
         "The QR decomposition is not differentiable when mode='complete' and nrows > ncols.");
  if (m >= n) return c.give(0, through_qr(q, r, gq, gr));
  // A wide A is [X Y] and its R is [U V], where X = Q U and V = Q^H Y.
  const Ref<Tensor> u = narrow(*r, -1, 0, m), y = narrow(*c.in(0), -1, m, n - m);
  const Ref<Tensor> gu = gr ? narrow(*gr, -1, 0, m) : Ref<Tensor>{},
                    gv = gr ? narrow(*gr, -1, m, n - m) : Ref<Tensor>{};
  const Ref<Tensor> gq2 = gv ? sum_of(gq, product(y, adjoint(gv))) : gq;
  const Ref<Tensor> parts[] = {through_qr(q, u, gq2, gu), gv ? product(q, gv) : zeros_like(y)};
  c.give(0, joined(parts, -1));
}

void svd_back(GradCall& c) {
  const Ref<Tensor> s = c.result(1);
  const int64_t k = s->shape[s->rank() - 1], m = c.result(0)->shape[s->rank() - 1],
                n = cols(c.result(2));
  const Ref<Tensor> u = narrow(*c.result(0), -1, 0, k), v = adjoint(narrow(*c.result(2), -2, 0, k));
  const Ref<Tensor>&gu = c.grads[0], &gs = c.grads[1], &gvh = c.grads[2];
  const auto turn = [](const Ref<Tensor>& a, const Ref<Tensor>& g) {
    const Ref<Tensor> p = product(adjoint(a), g);
    return sub(p, adjoint(p));
  };
  const Ref<Tensor> apart = gaps(squared(s));
  Ref<Tensor> inner = gs ? as_dtype(*diagonal_matrix(gs), u->dtype) : Ref<Tensor>{}, ga, du, dv;
  if (gu) {
    du = narrow(*gu, -1, 0, k);
    inner = sum_of(inner, mul(div(without_diagonal(turn(u, du)), apart), as_row(s)));
  }
  if (gvh) {
    dv = adjoint(narrow(*gvh, -2, 0, k));
    inner = sum_of(inner, mul(as_column(s), div(without_diagonal(turn(v, dv)), apart)));
  }
  if (is_complex(u->dtype) && gu) {  // the phase of a pair of vectors is free; it shows in u alone
    const Ref<Tensor> phase = diagonal(*turn(u, du), 0, -2, -1);
    inner = add(inner, diagonal_matrix(div(phase, mul(s, 2.0))));
  }
  ga = product(product(u, inner), adjoint(v));
  if (gu && m > k) ga = add(ga, product(div(outside(u, du), as_row(s)), adjoint(v)));
  if (gvh && n > k) ga = add(ga, product(u, adjoint(div(outside(v, dv), as_row(s)))));
  c.give(0, ga);
}
void svdvals_back(GradCall& c) {
  const compose::Svd f = compose::reduced_svd(c.in(0));
  c.give(0, product(mul(f.u, as_row(c.grad())), f.vh));
}

void eigh_back(GradCall& c) {
  const Ref<Tensor> w = c.result(0), v = c.result(1);
  Ref<Tensor> inner = c.grads[0] ? as_dtype(*diagonal_matrix(c.grads[0]), v->dtype) : Ref<Tensor>{};
  if (c.grads[1]) {
    const Ref<Tensor> p = product(adjoint(v), c.grads[1]);
    inner = sum_of(inner, div(without_diagonal(p), gaps(w)));
  }
  const Ref<Tensor> ga = product(product(v, inner), adjoint(v));
  c.give(0, mul(add(ga, adjoint(ga)), 0.5));
}
void eigvalsh_back(GradCall& c) {
  Ref<Tensor> out[2];
  invoke(BP_OP_EIGH, {c.in(0)}, c.attrs, out);
  c.give(0, product(mul(out[1], as_row(c.grad())), adjoint(out[1])));
}

void pinv_back(GradCall& c) {
  const Ref<Tensor> a = c.in(0);
  c.give(0, a->count == 0 ? zeros_like(a) : through_pinv(a, c.result(), c.grad()));
}
// X = P B, where P is the pseudo-inverse of A.
void lstsq_back(GradCall& c) {
  const Ref<Tensor> a = c.in(0), b = c.in(1), &g = c.grads[0], &gs = c.grads[2];
  Ref<Tensor> ga = zeros_like(a);
  if (gs && a->count) {
    const compose::Svd f = compose::reduced_svd(a);
    ga = product(mul(f.u, as_row(gs)), f.vh);
  }
  if (g && a->count) {
    const Ref<Tensor> p =
        invoke(BP_OP_PINV, {a}, {float_value(0), float_value(c.f64(kLstsqAttrs["rcond"]))});
    c.give(1, product(adjoint(p), g));
    ga = add(ga, through_pinv(a, p, product(g, adjoint(b))));
  } else {
    c.give(1, zeros_like(b));
  }
  c.give(0, ga);
}

namespace {

// V^-H inner V^H, of which a real A has the real part.
void give_eig(GradCall& c, const Ref<Tensor>& vh, const Ref<Tensor>& inner) {
  const Ref<Tensor> ga = solved(vh, product(inner, vh));
  c.give(0, is_complex(c.operand(0).dtype) ? ga : real_part(ga));
}

}  // namespace

// C. Boeddeker et al., "On the Computation of Complex-valued Gradients with Application to
// Statistically Optimum Beamforming" (2017), for vectors of length 1.
void eig_back(GradCall& c) {
  const Ref<Tensor> w = c.result(0), v = c.result(1), vh = adjoint(v);
  Ref<Tensor> inner = c.grads[0] ? diagonal_matrix(c.grads[0]) : Ref<Tensor>{};
  if (c.grads[1]) {
    const Ref<Tensor> p = product(vh, c.grads[1]);
    const Ref<Tensor> length = real_part(diagonal(*p, 0, -2, -1));
    const Ref<Tensor> turned = sub(p, product(vh, mul(v, as_row(length))));
    inner = sum_of(inner, div(without_diagonal(turned), conjugate(gaps(w))));
  }
  give_eig(c, vh, inner);
}
void eigvals_back(GradCall& c) {
  Ref<Tensor> out[2];
  invoke(BP_OP_EIG, {c.in(0)}, {}, out);
  give_eig(c, adjoint(out[1]), diagonal_matrix(c.grad()));
}

}  // namespace bp::ops
