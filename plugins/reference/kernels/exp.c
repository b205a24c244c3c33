/* SPDX-License-Identifier: Apache-2.0 */
/* exp: e to the x. C's exp in f64, rounded once to f32, which is within half a unit. +0 of -inf,
 * NaN of NaN. */
#include <math.h>

#include "kernels.h"

UNARY(exp_f32, float, float, exp((double)x))
