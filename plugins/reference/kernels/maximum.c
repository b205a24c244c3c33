/* SPDX-License-Identifier: Apache-2.0 */
/* maximum: the larger of a and b; NaN when either is, unlike C's fmax. Of two zeros either may come
 * out. */
#include <math.h>

#include "kernels.h"

BINARY(maximum_f32, float, float, isnan(a) || a > b ? a : b)
BINARY(maximum_i64, int64_t, int64_t, a > b ? a : b)
BINARY(maximum_bool, uint8_t, uint8_t, a || b)
