/* SPDX-License-Identifier: Apache-2.0 */
/* signbit: true where the sign bit is set: below zero, and of -0 and of a NaN of that sign. No bool
 * has one. */
#include <math.h>

#include "kernels.h"

UNARY(signbit_f32, float, uint8_t, signbit(x) != 0)
UNARY(signbit_i64, int64_t, uint8_t, x < 0)
UNARY(signbit_bool, uint8_t, uint8_t, 0 * x)
