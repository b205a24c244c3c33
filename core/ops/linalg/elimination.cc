// SPDX-License-Identifier: Apache-2.0
// elimination.cc: factorizations that end after a known number of steps, a column in each, of all
// matrices of a batch at once; and what is solved with them. Declared in compose.h. Real numbers
// alone.
#include <algorithm>

#include "core/ops/linalg/attributes.h"
#include "core/ops/linalg/compose.h"
#include "core/ops/made_of.h"
#include "core/value/dtype.h"

namespace bp::ops::compose {
namespace {

constexpr int64_t kLastAxis[] = {-1};

int64_t height(const Ref<Tensor>& t) { return t->shape[t->rank() - 2]; }
int64_t width(const Ref<Tensor>& t) { return t->shape[t->rank() - 1]; }
Ref<Tensor> row_of(const Ref<Tensor>& t, int64_t i) { return select(*t, -2, i); }
Ref<Tensor> column_at(const Ref<Tensor>& t, int64_t j) { return select(*t, -1, j); }
Ref<Tensor> standing(const Ref<Tensor>& v) { return unsqueeze(*v, -1); }
Ref<Tensor> lying(const Ref<Tensor>& v) { return unsqueeze(*v, -2); }
Ref<Tensor> outer_product(const Ref<Tensor>& a, const Ref<Tensor>& b) {
  return mul(standing(a), lying(b));
}
// Returns rows [i, i + n) and columns from j on.
Ref<Tensor> block(const Ref<Tensor>& t, int64_t i, int64_t n, int64_t j) {
  return narrow(*narrow(*t, -2, i, n), -1, j, width(t) - j);
}
void put(const Ref<Tensor>& part, const Ref<Tensor>& v) {
  copy_into(*part, *v, /*non_blocking=*/false);
}
void subtract_from(Ref<Tensor> part, const Ref<Tensor>& v) {
  invoke(BP_OP_SUB, {*part, v}, {}, {&part, 1});
}
Ref<Tensor> triangle(const Ref<Tensor>& t, bool upper) {
  return invoke(upper ? BP_OP_TRIU : BP_OP_TRIL, {t}, {int_value(0)});
}
Ref<Tensor> turned(const Ref<Tensor>& t) { return transpose(*t, -2, -1); }
// Returns the rows of t in the order that `order` [..., rows] gives.
Ref<Tensor> reordered(const Ref<Tensor>& t, const Ref<Tensor>& order) {
  return gather(t, expand(*standing(order), t->shape), static_cast<int64_t>(t->rank()) - 2);
}
Ref<Tensor> unit_matrices(const Dims& shape, bp_dtype dtype, Device& device) {
  const Ref<Tensor> rows = counted(shape[shape.size() - 2], device),
                    columns = counted(shape.back(), device);
  const Ref<Tensor> ones = as_dtype(*equal(standing(rows), lying(columns)), dtype);
  return clone(*expand(*ones, shape));
}
// Returns t with those batch dims, which it broadcasts to.
Ref<Tensor> with_batch(const Ref<Tensor>& t, Span batch) {
  Dims shape(batch);
  shape.push_back(height(t));
  shape.push_back(width(t));
  return expand(*t, shape);
}

struct Lu {
  Ref<Tensor> factors;  // L without its diagonal below U
  Ref<Tensor> pivots;   // i64, from 0
  Ref<Tensor> order;    // the rows of A, as L U has them
};

// Gauss with partial pivoting. A column of zeros leaves multipliers of 0.
Lu lu_of(const Ref<Tensor>& a) {
  const int64_t m = height(a), steps = std::min(m, width(a));
  Dims lines(Span(a->shape).first(a->rank() - 2)), places(lines);
  lines.push_back(m);
  places.push_back(steps);
  Lu f{clone(*a), filled(places, BP_I64, 0, a->device()),
       clone(*expand(*counted(m, a->device()), lines))};
  if (a->count == 0) return f;
  const Ref<Tensor> rows = counted(m, a->device());
  for (int64_t j = 0; j < steps; ++j) {
    const Ref<Tensor> below = narrow(*column_at(f.factors, j), -1, j, m - j);
    const Ref<Tensor> pivot = add(reduced(BP_OP_ARGMAX, absolute(below), kLastAxis, false), j);
    put(column_at(f.pivots, j), pivot);
    const Ref<Tensor> at = standing(pivot);
    const Ref<Tensor> exchange = where(equal(rows, j), at, where(equal(rows, at), j, rows));
    f.factors = reordered(f.factors, exchange);
    f.order = gather(f.order, exchange, static_cast<int64_t>(f.order->rank()) - 1);
    const int64_t left = m - j - 1;
    const Ref<Tensor> head = row_of(f.factors, j), top = standing(column_at(head, j));
    const Ref<Tensor> tail = narrow(*column_at(f.factors, j), -1, j + 1, left);
    const Ref<Tensor> multipliers = where(equal(top, 0.0), 0.0, div(tail, top));
    put(tail, multipliers);
    const int64_t others = width(a) - j - 1;
    if (left && others)
      subtract_from(block(f.factors, j + 1, left, j + 1),
                    outer_product(multipliers, narrow(*head, -1, j + 1, others)));
  }
  return f;
}

// Returns X with A X = B, one row after the other. A's batch dims broadcast to B's.
Ref<Tensor> substituted(const Ref<Tensor>& a, const Ref<Tensor>& b, bool upper, bool unit) {
  Ref<Tensor> x = clone(*b);
  const int64_t n = height(x);
  for (int64_t step = 0; step < n && x->count; ++step) {
    const int64_t i = upper ? n - 1 - step : step, first = upper ? 0 : i + 1,
                  left = upper ? i : n - 1 - i;
    Ref<Tensor> row = row_of(x, i);
    if (!unit) {
      row = div(row, standing(column_at(row_of(a, i), i)));
      put(row_of(x, i), row);
    }
    if (left)
      subtract_from(block(x, first, left, 0),
                    outer_product(narrow(*column_at(a, i), -1, first, left), row));
  }
  return x;
}

// Returns the number of the first true element, or -1.
int64_t first_of(const Ref<Tensor>& truths) {
  if (truths->count == 0 || item(*reduced(BP_OP_ANY, truths, {}, false)).as.i64 == 0) return -1;
  return item(*reduced(BP_OP_ARGMAX, truths, {}, false)).as.i64;
}
std::string batch_text(const Ref<Tensor>& a, int64_t matrix) {
  return a->rank() > 2 ? fmt::format("(Batch element {}): ", matrix) : "";
}

Ref<Tensor> solution(const Composer& c, const Ref<Tensor>& a, const Ref<Tensor>& b) {
  const Lu f = lu_of(a);
  const Ref<Tensor> top = bp::diagonal(*f.factors, 0, -2, -1);
  if (const int64_t at = first_of(equal(top, 0.0)); at >= 0)
    fail(BP_INVALID_ARGUMENT, "{}: {}The solver failed because the input matrix is singular.",
         c.row.fault, batch_text(a, at / height(a)));
  const Dims batch =
      broadcast_shapes(Span(a->shape).first(a->rank() - 2), Span(b->shape).first(b->rank() - 2));
  Dims lines(batch);
  lines.push_back(height(a));
  const Ref<Tensor> permuted = reordered(with_batch(b, batch), expand(*f.order, lines));
  return substituted(f.factors, substituted(f.factors, permuted, /*upper=*/false, /*unit=*/true),
                     /*upper=*/true, /*unit=*/false);
}

}  // namespace

void lu_factor(Composer& c) {
  const Lu f = lu_of(real_operand(c, 0));
  c.out[0] = f.factors;
  c.out[1] = as_dtype(*add(f.pivots, 1), BP_I32);
}

// X A = B is A^T X^T = B^T.
void solve_triangular(Composer& c) {
  const bool left = c.flag(kSolveTriangularAttrs["left"]);
  Ref<Tensor> a = real_operand(c, 0), b = real_operand(c, 1);
  const Dims batch =
      broadcast_shapes(Span(a->shape).first(a->rank() - 2), Span(b->shape).first(b->rank() - 2));
  b = with_batch(b, batch);
  const Ref<Tensor> x = substituted(left ? a : turned(a), left ? b : turned(b),
                                    c.flag(kSolveTriangularAttrs["upper"]) == left,
                                    c.flag(kSolveTriangularAttrs["unitriangular"]));
  c.out[0] = left ? x : turned(x);
}

void solve(Composer& c) {
  const Ref<Tensor> a = real_operand(c, 0), b = real_operand(c, 1);
  const bool is_vector = b->rank() == 1;
  const Ref<Tensor> x = solution(c, a, is_vector ? standing(b) : b);
  c.out[0] = is_vector ? column_at(x, 0) : x;
}

void inv(Composer& c) {
  const Ref<Tensor> a = real_operand(c, 0);
  c.out[0] = solution(c, a, unit_matrices(a->shape, a->dtype, c.device));
}

void cholesky(Composer& c) {
  const bool upper = c.flag(kTriangleAttrs["upper"]);
  const Ref<Tensor> given = real_operand(c, 0), a = clone(upper ? *turned(given) : *given);
  const int64_t n = height(a);
  for (int64_t j = 0; j < n && a->count; ++j) {
    const Ref<Tensor> column = narrow(*column_at(a, j), -1, j, n - j);
    put(column, div(column, root(narrow(*column, -1, 0, 1))));
    const Ref<Tensor> tail = narrow(*column, -1, 1, n - j - 1);
    if (tail->count) subtract_from(block(a, j + 1, n - j - 1, j + 1), outer_product(tail, tail));
  }
  // The root of what is not positive is NaN, or divides by 0.
  const Ref<Tensor> is_good = greater(bp::diagonal(*a, 0, -2, -1), 0.0);
  if (const int64_t at = first_of(no(is_good)); at >= 0)
    fail(BP_INVALID_ARGUMENT,
         "{}: {}The factorization could not be completed because the input is not "
         "positive-definite (the leading minor of order {} is not positive-definite).",
         c.row.fault, batch_text(a, at / n), at % n + 1);
  const Ref<Tensor> lower = triangle(a, /*upper=*/false);
  c.out[0] = upper ? turned(lower) : lower;
}

QrFactors householder(const Ref<Tensor>& a, bool complete) {
  const int64_t m = height(a), n = width(a), steps = std::min(m, n);
  Dims shape(a->shape);
  shape.back() = complete ? m : steps;
  const Ref<Tensor> r = clone(*a), q = unit_matrices(shape, a->dtype, a->device());
  struct Reflection {
    Ref<Tensor> vector, factor;
  };
  std::vector<Reflection> all;
  const auto reflect = [](const Reflection& h, const Ref<Tensor>& part) {
    const Ref<Tensor> along_it = product(lying(h.vector), part);
    subtract_from(part, mul(standing(mul(h.vector, h.factor)), along_it));
  };
  for (int64_t j = 0; j < steps && a->count; ++j) {
    const Ref<Tensor> v = clone(*narrow(*column_at(r, j), -1, j, m - j));
    Ref<Tensor> head = narrow(*v, -1, 0, 1);
    const Ref<Tensor> length = root(sum(mul(v, v), kLastAxis, /*keepdims=*/true));
    put(head, add(head, where(less(head, 0.0), negative(length), length)));
    const Ref<Tensor> square = sum(mul(v, v), kLastAxis, /*keepdims=*/true);
    all.push_back({v, where(equal(square, 0.0), 0.0, div(2.0, square))});
    reflect(all.back(), block(r, j, m - j, j));
  }
  for (auto j = static_cast<int64_t>(all.size()); j-- > 0 && q->count;)
    reflect(all[static_cast<size_t>(j)], block(q, j, m - j, 0));
  return {q, triangle(narrow(*r, -2, 0, shape.back()), /*upper=*/true)};
}

void qr(Composer& c) {
  const QrFactors f = householder(real_operand(c, 0), c.flag(kQrAttrs["complete"]));
  c.out[0] = f.q;
  c.out[1] = f.r;
}

}  // namespace bp::ops::compose
