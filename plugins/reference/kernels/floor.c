/* SPDX-License-Identifier: Apache-2.0 */
/* floor: the largest integer not above x; exact. -0 of -0; infinities and NaN stay. Integers are
 * their own. */
#include <math.h>

#include "kernels.h"

UNARY(floor_f32, float, float, floorf(x))
UNARY(floor_i64, int64_t, int64_t, x)
