/* SPDX-License-Identifier: Apache-2.0 */
/* sin: the sine of x radians. C's sin in f64, rounded once to f32, which is within half a unit. -0
 * of -0, NaN of infinities. */
#include <math.h>

#include "kernels.h"

UNARY(sin_f32, float, float, sin((double)x))
