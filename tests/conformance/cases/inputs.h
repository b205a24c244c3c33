// SPDX-License-Identifier: Apache-2.0
// inputs.h: the values that operands have: the same on every run.
#pragma once
#include <vector>

#include "array.h"

namespace conformance {

enum class Flavor {
  kWide,      // specials, then magnitudes over the dtype's whole range, both signs
  kSmall,     // -8 .. 8, integers among them; no specials
  kPositive,  // 0.5 .. 1.5 (1 .. 9 for integers): sums and products stay near their operands
  kNearOne,   // 1 and its neighbours 1/128 away (as kPositive for integers): long products stay
              // finite
  kTied       // few different values, NaN and both zeros among them
};

// ±0, ±inf, NaN, subnormals, ±max, both sides of where exp, tanh, pow overflow or underflow,
// halves, large arguments; for integers 0, ±1, both ends, and bits around the middle.
std::vector<Real> specials(bp_dtype t);
Array make(bp_dtype t, const Shape& shape, Flavor flavor, uint64_t seed = 1);
// Indices 0 .. size - 1, or -size .. size - 1.
Array make_indices(bp_dtype t, const Shape& shape, int64_t size, bool negative, uint64_t seed = 1);
// The first row repeated along dimension 0: what an expanded layout can hold.
Array repeat_first(const Array& a);

}  // namespace conformance
