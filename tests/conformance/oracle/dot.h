// SPDX-License-Identifier: Apache-2.0
// dot.h: sums of products, for the oracles of what is made of matmul.
#pragma once
#include <cmath>
#include <utility>

#include "oracle/oracle.h"

namespace conformance {

// Products of k terms, judged as matmul is: (k + 2) * eps * the sum of magnitudes, and once more by
// a narrow result.
struct Dot {
  bp_dtype t;
  Real value = 0, size = 0;
  uint64_t word = 0;
  int64_t terms = 0;

  void add(Real a, Real b) {
    value += a * b;
    size += std::fabs(a * b);
    word += to_bits(a) * to_bits(b);
    ++terms;
  }
  void append_to(Expected& e) const {
    e.array.re.push_back(is_float(t) ? value : from_bits(word, t));
    const Real eps = std::ldexp(Real{1}, 1 - format_of(t == BP_F64 ? BP_F64 : BP_F32).precision);
    const Real narrow =
        is_narrow(t) ? std::fabs(value) * std::ldexp(Real{1}, 1 - format_of(t).precision) : 0;
    e.tolerance.push_back(is_float(t) ? static_cast<Real>(terms + 2) * eps * size + narrow : 0);
  }
};
inline Expected sums(bp_dtype t, Shape shape) {
  return {Array{t, std::move(shape), {}, {}}, {}, true, {}};
}

}  // namespace conformance
