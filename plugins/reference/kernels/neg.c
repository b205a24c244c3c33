/* SPDX-License-Identifier: Apache-2.0 */
/* neg: -x. f32: the sign bit is turned, of -0, infinities and NaN too, which 0 - x would not do.
 * Integers wrap: the most negative stays itself. */
#include "kernels.h"

UNARY(neg_f32, float, float, -x)
UNARY(neg_i64, int64_t, int64_t, 0 - (uint64_t)x)
