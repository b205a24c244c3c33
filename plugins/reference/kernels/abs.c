/* SPDX-License-Identifier: Apache-2.0 */
/* abs: |x|. f32: the sign bit is cleared, so that -0 gives +0 and NaN stays NaN. The most negative
 * integer stays itself. A bool is its own. */
#include <math.h>

#include "kernels.h"

UNARY(abs_f32, float, float, fabsf(x))
UNARY(abs_i64, int64_t, int64_t, x < 0 ? 0 - (uint64_t)x : (uint64_t)x)
UNARY(abs_bool, uint8_t, uint8_t, x != 0)
