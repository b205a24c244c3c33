/* SPDX-License-Identifier: Apache-2.0 */
/* mul: a * b. f32: IEEE 754, rounded once; 0 * inf is NaN, and a zero has the sign of the product.
 * Integers wrap. Of bools it is logical and. */
#include "kernels.h"

BINARY(mul_f32, float, float, (a * b))
BINARY(mul_i64, int64_t, int64_t, ((uint64_t)a * (uint64_t)b))
BINARY(mul_bool, uint8_t, uint8_t, (a && b))
