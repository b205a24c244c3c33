/* SPDX-License-Identifier: Apache-2.0 */
/* sub: a - b. f32: IEEE 754, rounded once; x - x is +0. Integers wrap. */
#include "kernels.h"

BINARY(sub_f32, float, float, a - b)
BINARY(sub_i64, int64_t, int64_t, (uint64_t)a - (uint64_t)b)
