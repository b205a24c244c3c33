/* SPDX-License-Identifier: Apache-2.0 */
/* erf: the error function, 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x. C's erf in
 * f64, rounded once to f32, which is within half a unit. -0 of -0, -1 and 1 of infinities. */
#include <math.h>

#include "kernels.h"

UNARY(erf_f32, float, float, erf((double)x))
