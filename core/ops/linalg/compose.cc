// SPDX-License-Identifier: Apache-2.0
#include "core/ops/linalg/compose.h"

#include <algorithm>

#include "core/ops/linalg/attributes.h"
#include "core/ops/made_of.h"
#include "core/value/dtype.h"

namespace bp::ops::compose {
namespace {

int64_t rows(const Tensor& t) { return t.shape[t.rank() - 2]; }
int64_t cols(const Tensor& t) { return t.shape[t.rank() - 1]; }
int64_t least(const Tensor& t) { return std::min(rows(t), cols(t)); }
int64_t longest(const Tensor& t) { return std::max(rows(t), cols(t)); }
Span batch(const Tensor& t) { return Span(t.shape).first(t.rank() - 2); }

constexpr int64_t kLast[] = {-1}, kLastButOne[] = {-2};

// Returns the main diagonals of the matrices as a view.
Ref<Tensor> diagonal(const Tensor& t) { return bp::diagonal(t, 0, -2, -1); }

Ref<Tensor> adjoint(const Tensor& t) {
  Ref<Tensor> turned = transpose(t, -2, -1);
  return conjugate(turned);
}

Ref<Tensor> singular_values(const Value& a) { return invoke(BP_OP_SVDVALS, {a}); }

Ref<Tensor> all(Span shape, bp_dtype dtype, int64_t value, Device& d) {
  return filled(shape, dtype, value, d);
}

Ref<Tensor> prod(const Value& x) {
  return invoke(BP_OP_PROD, {x},
                {ints_value(kLast), flag_value(false), dtype_value(BP_DTYPE_NONE)});
}

// The pivots of an LU factorisation. One is negated for each exchange of rows, so that their
// product is the determinant.
Ref<Tensor> signed_pivots(Tensor& a) {
  Ref<Tensor> out[2];
  invoke(BP_OP_LU_FACTOR, {a}, {}, out);
  Ref<Tensor> untouched = new_tensor(Dims{rows(a)}, BP_I64, a.device());
  invoke(BP_OP_ARANGE, {1, rows(a) + 1, 1}, {dtype_value(BP_I64)}, {&untouched, 1});
  const Ref<Tensor> pivots = diagonal(*out[0]);
  return where(unequal(as_dtype(*out[1], BP_I64), untouched), negative(pivots), pivots);
}

// Whether singular values s are above max(absolute_bar, relative * the largest of s). A threshold
// below 0 is not given: relative is then 0 where absolute_bar is above 0, else side * epsilon.
Ref<Tensor> above(const Ref<Tensor>& s, double absolute_bar, double relative, int64_t side) {
  if (relative < 0)
    relative = absolute_bar > 0 ? 0 : static_cast<double>(side) * float_format(s->dtype).epsilon();
  Ref<Tensor> bar = mul(reduced(BP_OP_MAX, s, kLast, /*keepdims=*/true), relative);
  if (absolute_bar > 0) bar = larger(bar, absolute_bar);
  return greater(s, bar);
}

// 1 / s where kept, else 0; in the dtype of s.
Ref<Tensor> inverted(const Ref<Tensor>& s, const Ref<Tensor>& kept) {
  return where(kept, invoke(BP_OP_RECIPROCAL, {s}), 0);
}

}  // namespace

Svd reduced_svd(const Value& a) {
  Ref<Tensor> out[3];
  invoke(BP_OP_SVD, {a}, {/*full_matrices=*/flag_value(false)}, out);
  return {out[0], out[1], out[2]};
}

void det(Composer& c) { c.out[0] = prod(signed_pivots(c.tensor(0))); }

void slogdet(Composer& c) {
  const Ref<Tensor> pivots = signed_pivots(c.tensor(0));
  c.out[0] = prod(sign_of(pivots));
  c.out[1] = sum(logarithm(absolute(pivots)), kLast, false);
}

void matrix_rank(Composer& c) {
  Tensor& a = c.tensor(0);
  if (least(a) == 0) {
    c.out[0] = all(batch(a), BP_I64, 0, a.device());
    return;
  }
  Ref<Tensor> s = c.flag(kRankAttrs["hermitian"])
                      ? absolute(invoke(BP_OP_EIGVALSH, {c.in[0]}, {flag_value(false)}))
                      : singular_values(c.in[0]);
  c.out[0] =
      sum(above(s, c.f64(kRankAttrs["atol"]), c.f64(kRankAttrs["rtol"]), longest(a)), kLast, false);
}

void pinv(Composer& c) {
  Tensor& a = c.tensor(0);
  if (a.count == 0) {
    c.out[0] = all(transpose(a, -2, -1)->shape, a.dtype, 0, a.device());
    return;
  }
  const Svd f = reduced_svd(a);
  Ref<Tensor> inverse =
      inverted(f.s, above(f.s, c.f64(kPinvAttrs["atol"]), c.f64(kPinvAttrs["rtol"]), longest(a)));
  c.out[0] = product(mul(adjoint(*f.vh), unsqueeze(*inverse, -2)), adjoint(*f.u));
}

// Squares again and again, and multiplies the squares at which n has the binary digit 1.
void matrix_power(Composer& c) {
  const int64_t n = c.i64(kMatrixPowerAttrs["n"]);
  Tensor& a = c.tensor(0);
  if (n == 0) {
    c.out[0] = all(a.shape, a.dtype, 0, a.device());
    Ref<Tensor> middle = diagonal(*c.out[0]), one = all({}, a.dtype, 1, a.device());
    copy_into(*middle, *one, /*non_blocking=*/false);
    return;
  }
  Ref<Tensor> square = n < 0 ? invoke(BP_OP_INV, {c.in[0]}) : Ref<Tensor>::share(&a);
  for (uint64_t left = n < 0 ? -static_cast<uint64_t>(n) : static_cast<uint64_t>(n);;) {
    if (left & 1) c.out[0] = c.out[0] ? product(c.out[0], square) : square;
    if (!(left >>= 1)) break;
    square = product(square, square);
  }
}

void matrix_norm(Composer& c) {
  const std::string_view ord = c.str(kMatrixNormAttrs["ord"]);
  const bool least_one = ord.starts_with('-');
  const std::string_view kind = least_one ? ord.substr(1) : ord;
  // The largest of no values is 0, as in PyTorch.
  const auto picked_of = [&](const Ref<Tensor>& values) {
    return !least_one && values->shape.back() == 0
               ? sum(values, kLast, false)
               : reduced(least_one ? BP_OP_MIN : BP_OP_MAX, values, kLast, false);
  };
  constexpr int64_t kBoth[] = {-2, -1};
  if (ord == "fro") {
    c.out[0] = invoke(BP_OP_VECTOR_NORM, {c.in[0]},
                      {ints_value(kBoth), flag_value(false), float_value(2)});
  } else if (ord == "nuc") {
    c.out[0] = sum(singular_values(c.in[0]), kLast, false);
  } else if (kind == "2") {
    c.out[0] = picked_of(singular_values(c.in[0]));
  } else if (kind == "1" || kind == "inf") {
    c.out[0] = picked_of(sum(absolute(c.in[0]), kind == "1" ? kLastButOne : kLast, false));
  } else {
    fail(BP_INVALID_ARGUMENT,
         "linalg.matrix_norm: Order {} not supported (fro, nuc, 1, -1, 2, -2, inf, -inf)", ord);
  }
  if (c.flag(kMatrixNormAttrs["keepdims"])) c.out[0] = unsqueeze(*unsqueeze(*c.out[0], -1), -1);
}

// Gives the shortest x for which |a x - b| is least, by singular values.
void lstsq(Composer& c) {
  Ref<Tensor> a = c.computed(0), b = c.computed(1);
  const Svd f = reduced_svd(*a);
  c.out[2] = f.s;
  if (a->count == 0) {
    c.out[0] = all(c.plan.out_shape[0], a->dtype, 0, a->device());
    c.out[1] = all(batch(*a), BP_I64, 0, a->device());
    return;
  }
  Ref<Tensor> kept = above(f.s, 0, c.f64(kLstsqAttrs["rcond"]), longest(*a));
  Ref<Tensor> parts = mul(product(adjoint(*f.u), b), unsqueeze(*inverted(f.s, kept), -1));
  c.out[0] = product(adjoint(*f.vh), parts);
  c.out[1] = sum(kept, kLast, false);
}

}  // namespace bp::ops::compose
