// SPDX-License-Identifier: Apache-2.0
// Linear algebra. Where a result is unique it is computed; where it is not (signs of vectors,
// pivots), what it must satisfy is checked: it multiplies to the operand, is unitary, triangular,
// ordered.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "oracle/dense.h"
#include "oracle/oracle.h"
#include "promote.h"

namespace conformance {
namespace linalg_specs {
namespace {

constexpr uint32_t kNumbers = 1u << BP_F32 | 1u << BP_F64 | kComplexes;

Expected blank(bp_dtype t, Shape shape) {
  const auto n = static_cast<size_t>(count_of(shape));
  Expected e{Array{t, std::move(shape), std::vector<Real>(n), {}}, {}, true, {}};
  if (is_complex(t)) e.array.im.assign(n, 0);
  return e;
}
Shape join(Shape batch, std::initializer_list<int64_t> tail) {
  batch.insert(batch.end(), tail);
  return batch;
}
void set(Expected& e, size_t i, Complex v, Real tolerance) {
  e.array.re[i] = v.real();
  if (!e.array.im.empty()) e.array.im[i] = v.imag();
  e.tolerance.resize(e.array.re.size());
  e.tolerance[i] = tolerance;
}

struct Input {  // the first operand
  const Array& array;
  bp_dtype t, real;
  Shape batch;
  int64_t m, n, k;
  size_t count;
  Real eps;
  explicit Input(const Call& call)
      : array(call.in[0].array),
        t(result_type(call.in)),
        real(part_of(t)),
        batch(batch_of(array, 2)),
        m(array.shape[array.shape.size() - 2]),
        n(array.shape.back()),
        k(std::min(m, n)),
        count(static_cast<size_t>(count_of(batch))),
        eps(epsilon_of(t)) {}
  Real longest() const { return static_cast<Real>(std::max<int64_t>({m, n, 1})); }
};

// ---- what must hold ----

struct Faults {
  std::string text;
  void at_most(Real value, Real bound, const char* what, size_t batch) {
    if (value <= bound || !text.empty()) return;  // NaN is a fault
    text = std::string(what) + " of matrix " + std::to_string(batch) + " is " + text_of(value) +
           ", at most " + text_of(bound) + " is allowed";
  }
  void holds(bool yes, const char* what, size_t batch) { at_most(yes ? 0 : 1, 0, what, batch); }
  void unitary(const Dense& q, Real eps, const char* what, size_t batch) {
    at_most(norm(minus(multiply(adjoint(q), q), identity(q.cols))),
            16 * eps * static_cast<Real>(q.rows + 1), what, batch);
  }
};

bool triangular(const Dense& a, bool upper) {
  for (size_t i = 0; i < a.rows; ++i)
    for (size_t j = 0; j < a.cols; ++j)
      if ((upper ? j < i : j > i) && a.at(i, j) != Complex(0)) return false;
  return true;
}

using Results = std::vector<Array>;
template <class F>
std::string each(const Input& in, F f) {
  Faults faults;
  for (size_t b = 0; b < in.count; ++b) f(b, matrix_of(in.array, b), faults);
  return faults.text;
}

std::string check_cholesky(const Call& call, const Results& r) {
  const Input in(call);
  const bool upper = call.i64("upper", 0);
  return each(in, [&](size_t b, const Dense& a, Faults& f) {
    const Dense l = matrix_of(r[0], b), whole = hermitian(a, upper);
    f.holds(triangular(l, upper), "a triangle of zeros", b);
    const Dense product = upper ? multiply(adjoint(l), l) : multiply(l, adjoint(l));
    f.at_most(norm(minus(product, whole)), 4 * in.longest() * in.eps * norm(whole), "|L L^H - A|",
              b);
  });
}

std::string check_lu(const Call& call, const Results& r) {
  const Input in(call);
  return each(in, [&](size_t b, Dense a, Faults& f) {
    const Dense lu = matrix_of(r[0], b);
    const auto k = static_cast<size_t>(in.k);
    Dense l(a.rows, k), u(k, a.cols);
    for (size_t i = 0; i < a.rows; ++i)
      for (size_t j = 0; j < a.cols; ++j) {
        if (j < i && j < k) l.at(i, j) = lu.at(i, j);
        if (j >= i) u.at(i, j) = lu.at(i, j);
      }
    for (size_t i = 0; i < k; ++i) l.at(i, i) = 1;
    for (size_t i = 0; i < k; ++i) {
      const Real p = r[1].re[b * k + i];
      f.holds(p >= static_cast<Real>(i + 1) && p <= static_cast<Real>(a.rows),
              "a pivot below the diagonal", b);
      for (size_t j = 0; f.text.empty() && j < a.cols; ++j)
        std::swap(a.at(i, j), a.at(static_cast<size_t>(p) - 1, j));
    }
    for (const Complex& x : l.at_)
      f.at_most(std::abs(x), std::sqrt(2.0L) + in.eps, "a multiplier", b);
    f.at_most(norm(minus(multiply(l, u), a)), 4 * in.longest() * in.eps * norm(l) * norm(u),
              "|L U - P A|", b);
  });
}

// Batches of both operands, broadcast; f(batch of the result, a, b).
std::string each_pair(const Call& call, bool vectors,
                      const std::function<void(size_t, Dense, Dense, Faults&)>& f) {
  const Array &a = call.in[0].array, &b = call.in[1].array;
  const Shape of_a = batch_of(a, 2), of_b = batch_of(b, vectors ? 1 : 2),
              all = broadcast(of_a, of_b);
  Faults faults;
  for (size_t i = 0; i < static_cast<size_t>(count_of(all)); ++i) {
    const size_t at = position_in(of_b, all, i);
    f(i, matrix_of(a, position_in(of_a, all, i)),
      vectors ? column_of(b, at, static_cast<size_t>(b.shape.back())) : matrix_of(b, at), faults);
  }
  return faults.text;
}

std::string check_solve(const Call& call, const Results& r) {
  const Input in(call);
  const bool vectors = call.in[1].array.shape.size() == 1;
  return each_pair(call, vectors, [&](size_t i, const Dense& a, const Dense& b, Faults& f) {
    const Dense x = vectors ? column_of(r[0], i, a.rows) : matrix_of(r[0], i);
    const Real bound = 8 * in.longest() * in.eps * (norm(a) * norm(x) + norm(b));
    f.at_most(norm(minus(multiply(a, x), b)), bound, "|A X - B|", i);
  });
}

std::string check_solve_triangular(const Call& call, const Results& r) {
  const Input in(call);
  const bool upper = call.i64("upper", 0), left = call.i64("left", 1),
             unit = call.i64("unitriangular", 0);
  return each_pair(call, false, [&](size_t i, Dense a, const Dense& b, Faults& f) {
    for (size_t p = 0; p < a.rows; ++p)
      for (size_t q = 0; q < a.cols; ++q) {
        if (upper ? q < p : q > p) a.at(p, q) = 0;
        if (p == q && unit) a.at(p, q) = 1;
      }
    const Dense x = matrix_of(r[0], i);
    const Real bound = 8 * in.longest() * in.eps * (norm(a) * norm(x) + norm(b));
    f.at_most(norm(minus(left ? multiply(a, x) : multiply(x, a), b)), bound, "|A X - B|", i);
  });
}

std::string check_inv(const Call& call, const Results& r) {
  const Input in(call);
  return each(in, [&](size_t b, const Dense& a, Faults& f) {
    const Dense x = matrix_of(r[0], b);
    f.at_most(norm(minus(multiply(a, x), identity(a.rows))),
              8 * in.longest() * in.eps * norm(a) * norm(x), "|A X - I|", b);
  });
}

std::string check_qr(const Call& call, const Results& r) {
  const Input in(call);
  return each(in, [&](size_t b, const Dense& a, Faults& f) {
    const Dense q = matrix_of(r[0], b), u = matrix_of(r[1], b);
    f.holds(triangular(u, true), "a triangle of zeros in R", b);
    f.unitary(q, in.eps, "|Q^H Q - I|", b);
    f.at_most(norm(minus(multiply(q, u), a)), 8 * in.longest() * in.eps * norm(a), "|Q R - A|", b);
  });
}

void check_falling(const Array& s, size_t b, size_t n, bool falling, Faults& f) {
  for (size_t i = 1; i < n; ++i)
    f.holds(
        falling ? s.re[b * n + i] <= s.re[b * n + i - 1] : s.re[b * n + i] >= s.re[b * n + i - 1],
        "the order", b);
  if (falling && n) f.holds(s.re[b * n + n - 1] >= 0, "a sign of S", b);
}

std::string check_svd(const Call& call, const Results& r) {
  const Input in(call);
  return each(in, [&](size_t b, const Dense& a, Faults& f) {
    const auto k = static_cast<size_t>(in.k);
    const Dense u = matrix_of(r[0], b), s = column_of(r[1], b, k), vh = matrix_of(r[2], b);
    check_falling(r[1], b, k, true, f);
    f.unitary(u, in.eps, "|U^H U - I|", b);
    f.unitary(adjoint(vh), in.eps, "|Vh Vh^H - I|", b);
    Dense first(u.rows, k), rows(k, vh.cols);
    for (size_t j = 0; j < k; ++j) {
      for (size_t i = 0; i < u.rows; ++i) first.at(i, j) = u.at(i, j);
      for (size_t i = 0; i < vh.cols; ++i) rows.at(j, i) = vh.at(j, i);
    }
    f.at_most(norm(minus(multiply(scaled_columns(first, s), rows), a)),
              16 * in.longest() * in.eps * norm(a), "|U diag(S) Vh - A|", b);
  });
}

std::string check_eigh(const Call& call, const Results& r) {
  const Input in(call);
  const bool upper = call.i64("upper", 0);
  return each(in, [&](size_t b, const Dense& a, Faults& f) {
    const Dense whole = hermitian(a, upper), v = matrix_of(r[1], b), w = column_of(r[0], b, a.rows);
    check_falling(r[0], b, a.rows, false, f);
    f.unitary(v, in.eps, "|V^H V - I|", b);
    f.at_most(norm(minus(multiply(whole, v), scaled_columns(v, w))),
              16 * in.longest() * in.eps * norm(whole), "|A V - V diag(w)|", b);
  });
}

std::string check_eig(const Call& call, const Results& r) {
  const Input in(call);
  return each(in, [&](size_t b, const Dense& a, Faults& f) {
    const Dense v = matrix_of(r[1], b), w = column_of(r[0], b, a.rows);
    f.at_most(norm(minus(multiply(a, v), scaled_columns(v, w))),
              32 * in.longest() * in.eps * norm(a), "|A V - V diag(w)|", b);
    for (size_t j = 0; j < a.rows; ++j) {
      Real square = 0;
      for (size_t i = 0; i < a.rows; ++i) square += std::norm(v.at(i, j));
      f.at_most(std::fabs(square - 1), 16 * in.longest() * in.eps, "|v^H v - 1|", b);
    }
  });
}

// Each w makes A - w singular, up to rounding, and all of them add up to the trace.
std::string check_eigvals(const Call& call, const Results& r) {
  const Input in(call);
  return each(in, [&](size_t b, const Dense& a, Faults& f) {
    const Dense w = column_of(r[0], b, a.rows);
    const Real bound = 32 * in.longest() * in.eps * norm(a);
    Complex rest = 0;
    for (size_t i = 0; i < a.rows; ++i) {
      Dense shifted = a;
      for (size_t k = 0; k < a.rows; ++k) shifted.at(k, k) -= w.at(i, 0);
      f.at_most(singular_values(shifted).back(), bound, "the least singular value of A - w", b);
      rest += a.at(i, i) - w.at(i, 0);
    }
    f.at_most(std::abs(rest), bound, "|trace(A) - sum(w)|", b);
  });
}

// The four equations of Penrose, up to what the smallest singular value that counts allows.
std::string check_pinv(const Call& call, const Results& r) {
  const Input in(call);
  return each(in, [&](size_t b, const Dense& a, Faults& f) {
    const Dense x = matrix_of(r[0], b), ax = multiply(a, x), xa = multiply(x, a);
    const Real part = 32 * in.longest() * in.eps, size = norm(a) * norm(x);
    f.at_most(norm(minus(multiply(ax, a), a)), part * size * norm(a), "|A X A - A|", b);
    f.at_most(norm(minus(multiply(xa, x), x)), part * size * norm(x), "|X A X - X|", b);
    f.at_most(norm(minus(ax, adjoint(ax))), part * size, "the skew part of A X", b);
    f.at_most(norm(minus(xa, adjoint(xa))), part * size, "the skew part of X A", b);
  });
}

std::string check_lstsq(const Call& call, const Results& r) {
  const Input in(call);
  return each_pair(call, false, [&](size_t i, const Dense& a, const Dense& b, Faults& f) {
    const Dense x = matrix_of(r[0], i), rest = minus(multiply(a, x), b);
    const Real size = norm(a) * (norm(a) * norm(x) + norm(b));
    f.at_most(norm(multiply(adjoint(a), rest)), 64 * in.longest() * in.eps * size,
              "|A^H (A X - B)|", i);
    f.holds(r[1].re[0] == static_cast<Real>(in.k), "the rank", 0);
  });
}

std::string check_power(const Call& call, const Results& r) {
  const Input in(call);
  const int64_t n = call.i64("n", 0);
  return each(in, [&](size_t b, const Dense& a, Faults& f) {
    Dense power = identity(a.rows);
    Real size = std::sqrt(static_cast<Real>(a.rows));
    for (int64_t i = 0; i < std::abs(n); ++i) {
      power = multiply(power, a);
      size *= norm(a);
    }
    const Dense x = matrix_of(r[0], b);
    const Real part = 8 * in.longest() * in.eps * static_cast<Real>(std::abs(n));
    if (n >= 0)
      f.at_most(norm(minus(x, power)), part * size, "|X - A^n|", b);
    else
      f.at_most(norm(minus(multiply(power, x), identity(a.rows))), part * size * norm(x),
                "|A^-n X - I|", b);
  });
}

// ---- what the results look like ----

Answer like_input(const Call& call) { return {blank(Input(call).t, call.in[0].array.shape)}; }
Answer lu(const Call& call) {
  const Input in(call);
  return {blank(in.t, in.array.shape), blank(BP_I32, join(in.batch, {in.k}))};
}
Answer solution(const Call& call) {
  const Input in(call);
  const Array& b = call.in[1].array;
  if (b.shape.size() == 1) return {blank(in.t, join(in.batch, {in.n}))};
  const int64_t rows = b.shape[b.shape.size() - 2];
  return {blank(in.t, join(broadcast(in.batch, batch_of(b, 2)), {rows, b.shape.back()}))};
}
Answer qr(const Call& call) {
  const Input in(call);
  const int64_t c = call.i64("complete", 0) ? in.m : in.k;
  return {blank(in.t, join(in.batch, {in.m, c})), blank(in.t, join(in.batch, {c, in.n}))};
}
Answer svd(const Call& call) {
  const Input in(call);
  const bool full = call.i64("full_matrices", 1);
  return {blank(in.t, join(in.batch, {in.m, full ? in.m : in.k})),
          blank(in.real, join(in.batch, {in.k})),
          blank(in.t, join(in.batch, {full ? in.n : in.k, in.n}))};
}
Answer eigh(const Call& call) {
  const Input in(call);
  return {blank(in.real, join(in.batch, {in.n})), blank(in.t, in.array.shape)};
}
bp_dtype complex_result(bp_dtype t) { return part_of(t) == BP_F64 ? BP_C128 : BP_C64; }
Answer eigvals(const Call& call) {
  const Input in(call);
  return {blank(complex_result(in.t), join(in.batch, {in.n}))};
}
Answer eig(const Call& call) {
  return {eigvals(call)[0], blank(complex_result(Input(call).t), call.in[0].array.shape)};
}
Answer pinv(const Call& call) {
  const Input in(call);
  return {blank(in.t, join(in.batch, {in.n, in.m}))};
}

// ---- unique results ----

Answer values(const Call& call, const std::function<std::vector<Real>(const Dense&)>& f) {
  const Input in(call);
  Expected e = blank(in.real, join(in.batch, {in.k}));
  for (size_t b = 0; b < in.count; ++b) {
    const Dense a = matrix_of(in.array, b);
    const std::vector<Real> s = f(a);
    for (size_t i = 0; i < s.size(); ++i)
      set(e, b * s.size() + i, s[i], 16 * in.longest() * in.eps * norm(a));
  }
  return {e};
}
Answer svdvals(const Call& call) { return values(call, singular_values); }
Answer eigvalsh(const Call& call) {
  const bool upper = call.i64("upper", 0);
  return values(call,
                [upper](const Dense& a) { return hermitian_eigenvalues(hermitian(a, upper)); });
}

// How far elimination may take a determinant: a part of Hadamard's bound.
Real slack(const Input& in, const Dense& a) {
  Real bound = 1;
  for (size_t i = 0; i < a.rows; ++i) {
    Real sum = 0;
    for (size_t j = 0; j < a.cols; ++j) sum += std::norm(a.at(i, j));
    bound *= std::sqrt(sum);
  }
  return 8 * in.longest() * in.eps * bound;
}

Answer det(const Call& call) {
  const Input in(call);
  Expected e = blank(in.t, in.batch);
  for (size_t b = 0; b < in.count; ++b) {
    const Dense a = matrix_of(in.array, b);
    set(e, b, determinant(a), slack(in, a));
  }
  return {e};
}

Answer slogdet(const Call& call) {
  const Input in(call);
  Expected sign = blank(in.t, in.batch), size = blank(in.real, in.batch);
  for (size_t b = 0; b < in.count; ++b) {
    const Dense a = matrix_of(in.array, b);
    const Complex d = determinant(a);
    const Real relative =
        d == Complex(0) ? 0 : slack(in, a) / std::abs(d) + 4 * in.eps * in.longest();
    set(sign, b, d == Complex(0) ? 0 : d / std::abs(d), is_complex(in.t) ? relative : 0);
    set(size, b, std::log(std::abs(d)),
        relative * 2 + 2 * in.eps * std::fabs(std::log(std::abs(d))));
  }
  return {sign, size};
}

Answer matrix_rank(const Call& call) {
  const Input in(call);
  const Real atol = call.f64("atol", -1), asked = call.f64("rtol", -1);
  const Real rtol = asked >= 0 ? asked : atol > 0 ? 0 : in.longest() * in.eps;
  Expected e = blank(BP_I64, in.batch);
  for (size_t b = 0; b < in.count; ++b) {
    const std::vector<Real> s = singular_values(matrix_of(in.array, b));
    for (Real x : s) e.array.re[b] += x > std::max(atol, rtol * s[0]);
  }
  return {e};
}

Answer matrix_norm(const Call& call) {
  const Input in(call);
  const std::string ord = call.str("ord", "fro");
  Expected e = blank(in.real, call.i64("keepdims", 0) ? join(in.batch, {1, 1}) : in.batch);
  for (size_t b = 0; b < in.count; ++b) {
    const Dense a = matrix_of(in.array, b);
    const std::vector<Real> s = singular_values(a);
    std::vector<Real> sums(ord.back() == '1' ? a.cols : a.rows);
    for (size_t i = 0; i < a.rows; ++i)
      for (size_t j = 0; j < a.cols; ++j) sums[ord.back() == '1' ? j : i] += std::abs(a.at(i, j));
    Real v = norm(a);
    if (ord == "nuc")
      v = std::accumulate(s.begin(), s.end(), Real{0});
    else if (ord.back() == '2')
      v = ord == "2" ? s.front() : s.back();
    else if (ord != "fro")
      v = ord[0] == '-' ? *std::min_element(sums.begin(), sums.end())
                        : *std::max_element(sums.begin(), sums.end());
    set(e, b, v, 16 * in.longest() * in.longest() * in.eps * norm(a));
  }
  return {e};
}

Answer lstsq(const Call& call) {
  const Input in(call);
  const Array& b = call.in[1].array;
  return {blank(in.t, join(broadcast(in.batch, batch_of(b, 2)), {in.n, b.shape.back()})),
          blank(BP_I64, in.batch), blank(in.real, join(in.batch, {in.k}))};
}

constexpr Spec numbers(const char* op, Oracle oracle, Check check = nullptr) {
  return {op, Family::kLinalg, kNumbers, oracle, Compute::kAsTheyAre, check};
}
constexpr Spec kSpecs[] = {
    numbers("cholesky", like_input, check_cholesky),
    numbers("lu_factor", lu, check_lu),
    numbers("solve_triangular", solution, check_solve_triangular),
    numbers("solve", solution, check_solve),
    numbers("inv", like_input, check_inv),
    numbers("qr", qr, check_qr),
    numbers("svd", svd, check_svd),
    numbers("svdvals", svdvals),
    numbers("eigh", eigh, check_eigh),
    numbers("eigvalsh", eigvalsh),
    numbers("eig", eig, check_eig),
    numbers("eigvals", eigvals, check_eigvals),
    numbers("det", det),
    numbers("slogdet", slogdet),
    numbers("matrix_rank", matrix_rank),
    numbers("pinv", pinv, check_pinv),
    numbers("matrix_power", like_input, check_power),
    numbers("matrix_norm", matrix_norm),
    numbers("lstsq", lstsq, check_lstsq),
};

}  // namespace
}  // namespace linalg_specs

std::span<const Spec> linalg_oracles() { return linalg_specs::kSpecs; }

}  // namespace conformance
