/* SPDX-License-Identifier: Apache-2.0 */
/* lt: a < b, as a bool. f32: -0 is not less than +0, and NaN is neither less nor greater. False is
 * less than true. */
#include "kernels.h"

BINARY(lt_f32, float, uint8_t, a < b)
BINARY(lt_i64, int64_t, uint8_t, a < b)
BINARY(lt_bool, uint8_t, uint8_t, !a && b)
