/* SPDX-License-Identifier: Apache-2.0 */
/* bitwise_and: a & b of integers in two's complement; of bools it is logical and. */
#include "kernels.h"

BINARY(bitwise_and_i64, int64_t, int64_t, (a & b))
BINARY(bitwise_and_bool, uint8_t, uint8_t, (a && b))
