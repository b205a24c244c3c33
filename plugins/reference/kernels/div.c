/* SPDX-License-Identifier: Apache-2.0 */
/* div: a / b. IEEE 754, rounded once: x / 0 is infinite with the sign of the quotient, 0 / 0 is
 * NaN. The core makes floats of integers. */
#include "kernels.h"

BINARY(div_f32, float, float, a / b)
