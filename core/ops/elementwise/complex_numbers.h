// SPDX-License-Identifier: Apache-2.0
// complex_numbers.h: compositions for complex numbers where a backend has no kernel. A sum is taken
// of the parts, seen as one dimension more; prod and cumprod multiply elements, and matmul is made
// of four products of parts.
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
