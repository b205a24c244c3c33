/* SPDX-License-Identifier: Apache-2.0 */
/* pow: a to the b. f32: C's pow in f64, rounded once; x to the 0 and 1 to the x are 1, of NaN too,
 * and a negative a to a broken b is NaN. Integers by repeated squaring, which wraps; to a negative
 * b they give 0, except 1 and -1. */
#include <math.h>

#include "kernels.h"

BINARY(pow_f32, float, float, pow((double)a, (double)b))

static uint64_t whole_power(int64_t a, int64_t b) {
  uint64_t result = 1, base = (uint64_t)a;
  if (b < 0 && a != 1 && a != -1) return 0;
  for (uint64_t e = (uint64_t)b; e; e >>= 1, base *= base) /* of 1 and -1 any b's last bit counts */
    if (e & 1) result *= base;
  return result;
}
BINARY(pow_i64, int64_t, int64_t, whole_power(a, b))
