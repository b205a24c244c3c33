/* SPDX-License-Identifier: Apache-2.0 */
/* sqrt: the square root. IEEE 754, rounded once; NaN below zero, -0 of -0. */
#include <math.h>

#include "kernels.h"

UNARY(sqrt_f32, float, float, sqrtf(x))
