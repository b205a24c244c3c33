/* SPDX-License-Identifier: Apache-2.0 */
/* add: a + b. f32: IEEE 754, rounded once; inf - inf is NaN, -0 + -0 is -0. Integers wrap, so that
 * they are added as unsigned ones, whose overflow C defines. Of bools it is logical or: any byte
 * but 0 is true. */
#include "kernels.h"

BINARY(add_f32, float, float, a + b)
BINARY(add_i64, int64_t, int64_t, (uint64_t)a + (uint64_t)b)
BINARY(add_bool, uint8_t, uint8_t, a || b)
