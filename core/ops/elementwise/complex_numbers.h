// SPDX-License-Identifier: Apache-2.0
// complex_numbers.h: what stands for kernels of complex numbers where there are none. A sum of
// complex numbers is that of their parts, seen as one dimension more; products go through the
// elementwise one, or through four products of parts.
#pragma once
#include "core/call/compose.h"

namespace bp::ops::complex_numbers {

void sum(Composer& c);
void mean(Composer& c);
void var(Composer& c);
void prod(Composer& c);
void any(Composer& c);
void all(Composer& c);
void cumsum(Composer& c);
void cumprod(Composer& c);
void matmul(Composer& c);

}  // namespace bp::ops::complex_numbers
