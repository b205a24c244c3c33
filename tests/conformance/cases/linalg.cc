// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "cases/cases.h"
#include "cases/inputs.h"
#include "oracle/dense.h"

namespace conformance {
namespace {

const Layout kMatrixLayouts[] = {Layout::kContiguous, Layout::kTransposed, Layout::kSliced,
                                 Layout::kFlipped};
const Shape kSquares[] = {{5, 5},    {1, 1},    {2, 2},   {3, 3},    {8, 8},
                          {17, 17},  {33, 33},  {96, 96}, {4, 3, 3}, {2, 3, 4, 4},
                          {0, 3, 3}, {2, 0, 0}, {0, 0},   {40, 6, 6}};
const Shape kRectangles[] = {{5, 5},    {5, 3},       {3, 5},   {1, 6},    {6, 1},
                             {4, 0},    {0, 4},       {0, 0},   {2, 0, 3}, {0, 2, 3},
                             {3, 4, 2}, {2, 2, 3, 5}, {40, 23}, {64, 80},  {30, 4, 6}};

// A A^H + n: Hermitian and well-conditioned, rounded to the dtype.
Array positive(bp_dtype t, const Shape& shape, uint64_t seed) {
  Array a = make(t, shape, Flavor::kSmall, seed);
  const auto n = static_cast<size_t>(shape.back());
  for (size_t b = 0; n && b < a.size() / (n * n); ++b) {
    const Dense m = matrix_of(a, b), square = multiply(m, adjoint(m));
    for (size_t i = 0; i < n * n; ++i) {
      const Complex x = square.at_[i] + (i % (n + 1) == 0 ? static_cast<Real>(n) : 0);
      a.re[b * n * n + i] = round_to(x.real(), part_of(t));
      if (!a.im.empty()) a.im[b * n * n + i] = round_to(x.imag(), part_of(t));
    }
  }
  return a;
}

// Diagonals that dominate: triangles and powers of it stay tame.
Array dominant(bp_dtype t, const Shape& shape, uint64_t seed) {
  Array a = make(t, shape, Flavor::kSmall, seed);
  const auto n = static_cast<size_t>(shape.back());
  for (size_t i = 0; i < a.size(); ++i) {
    a.re[i] = round_to(a.re[i] / static_cast<Real>(8 * n), part_of(t));
    if (!a.im.empty()) a.im[i] = round_to(a.im[i] / static_cast<Real>(8 * n), part_of(t));
    if (i % (n * n) % (n + 1) == 0) a.re[i] += 2;
  }
  return a;
}

std::vector<std::vector<Attribute>> variants(const std::string& op) {
  if (op == "cholesky" || op == "eigh" || op == "eigvalsh") return {{}, {flag_attr("upper", true)}};
  if (op == "qr") return {{}, {flag_attr("complete", true)}};
  if (op == "svd") return {{}, {flag_attr("full_matrices", false)}};
  if (op == "matrix_power")
    return {{int_attr("n", 3)},
            {int_attr("n", 0)},
            {int_attr("n", 1)},
            {int_attr("n", 6)},
            {int_attr("n", -2)}};
  if (op == "matrix_norm") {
    std::vector<std::vector<Attribute>> all{{},
                                            {str_attr("ord", "nuc"), flag_attr("keepdims", true)}};
    for (const char* ord : {"1", "-1", "2", "-2", "inf", "-inf"})
      all.push_back({str_attr("ord", ord)});
    return all;
  }
  if (op == "matrix_rank") return {{}, {float_attr("rtol", 0.25)}, {float_attr("atol", 3)}};
  return {{}};
}

Array operand(const std::string& op, bp_dtype t, const Shape& shape, uint64_t seed) {
  if (!is_float(part_of(t))) return make(t, shape, Flavor::kSmall, seed);  // refused anyway
  if (op == "cholesky" || op == "eigh" || op == "eigvalsh") return positive(t, shape, seed);
  const bool overflows = op == "det" && shape.back() > 17;
  if (op == "matrix_power" || op == "solve_triangular" || overflows)
    return dominant(t, shape, seed);
  return make(t, shape, Flavor::kSmall, seed);
}

bool takes_rectangles(const std::string& op) {
  for (const char* name :
       {"lu_factor", "qr", "svd", "svdvals", "matrix_rank", "pinv", "matrix_norm"})
    if (op == name) return true;
  return false;
}

std::vector<Call> of_one(const std::string& op, bp_dtype t) {
  std::vector<Call> calls;
  const bool rectangles = takes_rectangles(op);
  for (const auto& attrs : variants(op)) {
    // the largest of nothing
    const bool of_none = op == "matrix_norm" && !attrs.empty() && attrs[0].text != "nuc";
    // slow oracles
    const bool by_rotations =
        op == "svdvals" || op == "eigvalsh" || op == "matrix_rank" || op == "matrix_norm";
    for (const Shape& shape :
         rectangles ? std::vector<Shape>(std::begin(kRectangles), std::end(kRectangles))
                    : std::vector<Shape>(std::begin(kSquares), std::end(kSquares))) {
      if (by_rotations && count_of(shape) > 1100) continue;
      if (op == "eigvals" && count_of(shape) > 300) continue;  // each value is a matrix's
      if (of_none && std::find(shape.begin(), shape.end(), 0) != shape.end()) continue;
      calls.push_back({{tensor(operand(op, t, shape, 120))}, attrs});
    }
    for (Layout layout : kMatrixLayouts) {
      calls.push_back({{tensor(operand(op, t, {9, 9}, 121), layout)}, attrs});
      calls.push_back({{tensor(operand(op, t, {2, 3, 4, 4}, 122), layout)}, attrs});
      if (rectangles) calls.push_back({{tensor(operand(op, t, {7, 4}, 123), layout)}, attrs});
    }
    calls.push_back(
        {{tensor(repeat_first(operand(op, t, {3, 4, 4}, 124)), Layout::kExpanded)}, attrs});
  }
  return calls;
}

// Matrices without an inverse, of small integers, so that elimination meets an exact zero.
void add_singular(std::vector<Call>& calls, const std::string& op, bp_dtype t) {
  Array a = make(t, {2, 2, 2}, Flavor::kSmall, 125);
  a.re = {1, 2, 2, 4, 0, 0, 0, 0};
  if (!a.im.empty()) a.im.assign(8, 0);
  for (const char* name : {"det", "slogdet", "matrix_rank", "svd", "svdvals", "qr", "lu_factor"})
    if (op == name) calls.push_back({{tensor(a)}, {}});
}

std::vector<Call> of_two(const std::string& op, bp_dtype t) {
  std::vector<Call> calls;
  const bool triangular = op == "solve_triangular", least = op == "lstsq";
  auto add = [&](const Shape& a, const Shape& b, Layout la = Layout::kContiguous,
                 Layout lb = Layout::kContiguous, const std::vector<Attribute>& attrs = {}) {
    calls.push_back(
        {{tensor(operand(op, t, a, 126), la), tensor(make(t, b, Flavor::kSmall, 127), lb)}, attrs});
  };
  for (int64_t n : {5, 1, 2, 3, 17, 64}) add({n, n}, {n, 3});
  add({5, 5}, {5, 5});
  for (Layout la : kMatrixLayouts)
    for (Layout lb : kMatrixLayouts) add({2, 4, 4}, {2, 4, 3}, la, lb);
  add({3, 1, 4, 4}, {2, 4, 3});
  add({4, 4}, {5, 4, 2});
  add({5, 4, 4}, {4, 2});
  add({0, 4, 4}, {4, 2});
  add({0, 0}, {0, 2});
  add({3, 3}, {3, 0});
  if (op == "solve") {
    add({4, 4}, {4});
    add({3, 4, 4}, {4}, Layout::kTransposed, Layout::kSliced);
    add({0, 0}, {0});
  }
  if (least) {
    add({7, 3}, {7, 2});
    add({3, 7}, {3, 2}, Layout::kTransposed, Layout::kFlipped);
    add({2, 7, 3}, {7, 4});
    add({4, 0}, {4, 2});
  }
  if (!triangular) return calls;
  for (bool upper : {false, true})
    for (bool left : {false, true})
      for (bool unit : {false, true}) {
        const std::vector<Attribute> attrs = {flag_attr("upper", upper), flag_attr("left", left),
                                              flag_attr("unitriangular", unit)};
        add({6, 6}, left ? Shape{6, 4} : Shape{4, 6}, Layout::kContiguous, Layout::kTransposed,
            attrs);
        add({2, 5, 5}, left ? Shape{5, 1} : Shape{1, 5}, Layout::kSliced, Layout::kFlipped, attrs);
      }
  return calls;
}

}  // namespace

std::vector<Call> linalg_cases(const Spec& spec, bp_dtype t) {
  const std::string op = spec.op;
  if (op == "solve" || op == "solve_triangular" || op == "lstsq") return of_two(op, t);
  std::vector<Call> calls = of_one(op, t);
  add_singular(calls, op, t);
  return calls;
}

}  // namespace conformance
