/* SPDX-License-Identifier: Apache-2.0 */
/* gelu: x * (1 + erf(x / sqrt 2)) / 2 (Hendrycks and Gimpel, 2016), here with erfc, because 1 + erf
 * loses all digits far below zero. In f64, rounded once. -inf gives -inf * 0, which is NaN, as in
 * PyTorch. */
#include <math.h>

#include "kernels.h"

UNARY(gelu_f32, float, float, erfc(-x / 1.4142135623730951) * x / 2)
