/* SPDX-License-Identifier: Apache-2.0 */
/* expm1: e to the x, less 1, with all its digits near zero. C's expm1 in f64, rounded once to f32,
 * which is within half a unit. -0 of -0, -1 of -inf. */
#include <math.h>

#include "kernels.h"

UNARY(expm1_f32, float, float, expm1((double)x))
