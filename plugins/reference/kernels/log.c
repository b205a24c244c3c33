/* SPDX-License-Identifier: Apache-2.0 */
/* log: the natural logarithm. C's log in f64, rounded once to f32, which is within half a unit.
 * -inf of both zeros, NaN below. */
#include <math.h>

#include "kernels.h"

UNARY(log_f32, float, float, log((double)x))
