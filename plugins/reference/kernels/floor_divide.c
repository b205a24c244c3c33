/* SPDX-License-Identifier: Apache-2.0 */
/* floor_divide: the quotient rounded towards -inf, as Python's //. f32: Python's way, by the
 * remainder, in f64: floor(a / b) would be one too large where the quotient is rounded up to an
 * integer. A zero has the quotient's sign; x / 0 is as of div. An integer divided by 0 is 0; by -1
 * it is negated, where C's / of the most negative overflows. */
#include <math.h>

#include "kernels.h"

static double floor_quotient(double a, double b) {
  const double rest = fmod(a, b); /* exact */
  double q = (a - rest) / b;
  if (b == 0) return a / b;
  if (rest != 0 && (rest < 0) != (b < 0)) q -= 1;
  return q == 0 ? copysign(0, a / b) : nearbyint(q);
}
BINARY(floor_divide_f32, float, float, floor_quotient(a, b))

static uint64_t whole_quotient(int64_t a, int64_t b) {
  if (b == 0) return 0;
  if (b == -1) return 0 - (uint64_t)a;
  return (uint64_t)(a / b - (a % b != 0 && (a < 0) != (b < 0)));
}
BINARY(floor_divide_i64, int64_t, int64_t, whole_quotient(a, b))
