/* SPDX-License-Identifier: Apache-2.0 */
/* atan2: the angle of the point (b, a), in [-pi, pi]. C's atan2 in f64, rounded once; its signs of
 * zeros and its values at infinities are those of the row. */
#include <math.h>

#include "kernels.h"

BINARY(atan2_f32, float, float, atan2((double)a, (double)b))
