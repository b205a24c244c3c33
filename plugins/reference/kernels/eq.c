/* SPDX-License-Identifier: Apache-2.0 */
/* eq: a == b, as a bool. f32: -0 equals +0, and NaN equals nothing. */
#include "kernels.h"

BINARY(eq_f32, float, uint8_t, a == b)
BINARY(eq_i64, int64_t, uint8_t, a == b)
BINARY(eq_bool, uint8_t, uint8_t, !a == !b)
