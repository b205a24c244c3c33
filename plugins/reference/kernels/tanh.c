/* SPDX-License-Identifier: Apache-2.0 */
/* tanh: the hyperbolic tangent. C's tanh in f64, rounded once to f32, which is within half a unit.
 * -0 of -0, -1 and 1 of infinities. */
#include <math.h>

#include "kernels.h"

UNARY(tanh_f32, float, float, tanh((double)x))
