/* SPDX-License-Identifier: Apache-2.0 */
/* fmod: a - b * trunc(a / b) with the sign of a. f32: C's fmod, which is exact; NaN of an infinite
 * a or b = 0, a itself of an infinite b. An integer modulo 0 is 0; modulo -1 it is 0 too, where C's
 * % of the most negative overflows. */
#include <math.h>

#include "kernels.h"

BINARY(fmod_f32, float, float, fmodf(a, b))
BINARY(fmod_i64, int64_t, int64_t, b == 0 || b == -1 ? 0 : a % b)
