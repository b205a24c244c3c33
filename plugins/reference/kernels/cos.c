/* SPDX-License-Identifier: Apache-2.0 */
/* cos: the cosine of x radians. C's cos in f64, rounded once to f32, which is within half a unit.
 * NaN of infinities. */
#include <math.h>

#include "kernels.h"

UNARY(cos_f32, float, float, cos((double)x))
