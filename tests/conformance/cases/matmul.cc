// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "cases/cases.h"
#include "cases/inputs.h"

namespace conformance {
namespace {

Call product(bp_dtype t, const Shape& a, const Shape& b, Layout la = Layout::kContiguous,
             Layout lb = Layout::kContiguous) {
  const Flavor flavor = is_integer(t) ? Flavor::kWide : Flavor::kSmall;  // integers may wrap
  return {{tensor(make(t, a, flavor, 90), la), tensor(make(t, b, flavor, 91), lb)}};
}

// NaN, inf and 0 * inf reach exactly the elements whose sums they are in.
Call with_specials(bp_dtype t) {
  Call call = product(t, {5, 6}, {6, 4});
  if (!is_float(t)) return call;
  call.in[0].array.re[0] = INFINITY;
  call.in[0].array.re[14] = NAN;
  call.in[0].array.re[20] = -static_cast<Real>(INFINITY);
  call.in[1].array.re[2] = 0;
  call.in[1].array.re[9] = INFINITY;
  return call;
}

// Subnormal numbers, large enough in the product to be seen.
Call with_subnormals(bp_dtype t) {
  Call call = product(t, {9, 6}, {6, 20});
  if (!is_float(t)) return call;
  const Real tiny = std::ldexp(Real{1}, t == BP_F16 ? -20 : t == BP_F64 ? -1060 : -130);
  for (size_t i = 0; i < call.in[0].array.re.size(); ++i)
    call.in[0].array.re[i] = tiny * static_cast<Real>(i % 3);
  for (Real& v : call.in[1].array.re) v = 1024;
  return call;
}

}  // namespace

std::vector<Call> matmul_cases(const Spec&, bp_dtype t) {
  std::vector<Call> calls;
  const Layout layouts[] = {Layout::kContiguous, Layout::kTransposed, Layout::kSliced,
                            Layout::kFlipped};
  for (Layout la : layouts)
    for (Layout lb : layouts) {
      calls.push_back(product(t, {5, 3}, {3, 4}, la, lb));
      calls.push_back(product(t, {33, 40}, {40, 37}, la, lb));
      calls.push_back(product(t, {2, 3, 4, 5}, {2, 3, 5, 6}, la, lb));
    }
  for (int64_t n : {1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 64})
    calls.push_back(product(t, {n, n}, {n, n}));
  const std::pair<Shape, Shape> shapes[] = {{{1, 9}, {9, 1}},
                                            {{9, 1}, {1, 9}},
                                            {{1, 300}, {300, 5}},
                                            {{5, 300}, {300, 1}},
                                            {{6}, {6}},
                                            {{6}, {6, 4}},
                                            {{4, 6}, {6}},
                                            {{6}, {2, 6, 3}},
                                            {{2, 4, 6}, {6}},
                                            {{3, 1, 4, 5}, {2, 5, 6}},
                                            {{2, 4, 5}, {5, 3}},
                                            {{4, 5}, {7, 5, 3}},
                                            {{1, 4, 5}, {6, 5, 2}},
                                            {{0, 5}, {5, 3}},
                                            {{4, 0}, {0, 3}},
                                            {{4, 5}, {5, 0}},
                                            {{0, 4, 5}, {5, 3}},
                                            {{0}, {0}},
                                            {{2, 1, 0}, {1, 0, 2}},
                                            {{100, 130}, {130, 70}},
                                            {{1, 1}, {1, 1}},
                                            {{3, 4, 5}, {3, 5, 6}},
                                            {{128, 96}, {96, 160}},
                                            {{17, 257}, {257, 19}},
                                            {{9, 1101}, {1101, 50}}};
  for (const auto& [a, b] : shapes) calls.push_back(product(t, a, b));
  calls.push_back(product(t, {4, 6}, {6}, Layout::kTransposed, Layout::kSliced));
  calls.push_back({{tensor(repeat_first(make(t, {5, 4, 6}, Flavor::kSmall, 92)), Layout::kExpanded),
                    tensor(make(t, {5, 6, 3}, Flavor::kSmall, 93))}});
  calls.push_back({{tensor(repeat_first(make(t, {7, 6}, Flavor::kSmall, 94)), Layout::kExpanded),
                    tensor(make(t, {6, 3}, Flavor::kSmall, 95), Layout::kTransposed)}});
  calls.push_back(product(t, {20, 70}, {70, 100}, Layout::kContiguous, Layout::kTransposed));
  calls.push_back(with_specials(t));
  calls.push_back(with_subnormals(t));
  return calls;
}

}  // namespace conformance
