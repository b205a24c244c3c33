// SPDX-License-Identifier: Apache-2.0
// compare.h: is a result what the oracle says, within the row's bound? A failure names the element,
// what came and what was expected.
#pragma once
#include "call.h"
#include "verdict.h"

namespace conformance {

// Units in the last place at v (of the smallest subnormal below the normal numbers).
Real ulp_at(Real v, bp_dtype t);
// The bound for a dtype: the row's for f32 and f64, 1 for f16 and bf16. 0 means rounded correctly,
// in every dtype.
double bound_of(double max_ulp, bp_dtype t);

struct Judge {
  double max_ulp = 0;
  // For ops of one operand: outside [low, high] a result may be off by `slack`; specials are exact
  // everywhere.
  double domain_low = -1e308, domain_high = 1e308;
  const Array* operand = nullptr;
};
constexpr Real kSlackOutsideDomain = 1e-7L;

Verdict matches(const Array& got, const Expected& expected, const Judge& judge);
// The same dtype, shape and elements, the sign of a zero included; any NaN is another's equal.
bool same_bits(const Array& a, const Array& b);

}  // namespace conformance
