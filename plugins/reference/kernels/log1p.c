/* SPDX-License-Identifier: Apache-2.0 */
/* log1p: log(1 + x), with all its digits near zero. C's log1p in f64, rounded once to f32, which is
 * within half a unit. -0 of -0, -inf of -1, NaN below. */
#include <math.h>

#include "kernels.h"

UNARY(log1p_f32, float, float, log1p((double)x))
