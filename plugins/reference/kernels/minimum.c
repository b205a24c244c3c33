/* SPDX-License-Identifier: Apache-2.0 */
/* minimum: the smaller of a and b; NaN when either is, unlike C's fmin. Of two zeros either may
 * come out. */
#include <math.h>

#include "kernels.h"

BINARY(minimum_f32, float, float, isnan(a) || a < b ? a : b)
BINARY(minimum_i64, int64_t, int64_t, a < b ? a : b)
BINARY(minimum_bool, uint8_t, uint8_t, (a && b))
