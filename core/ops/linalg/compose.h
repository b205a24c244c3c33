// SPDX-License-Identifier: Apache-2.0
// compose.h: what is made of the factorizations: one kernel of a backend's serves many.
#pragma once
#include "core/call/compose.h"

namespace bp::compose {

void det(Composer& c);
void slogdet(Composer& c);
void matrix_rank(Composer& c);
void pinv(Composer& c);
void matrix_power(Composer& c);
void matrix_norm(Composer& c);
void lstsq(Composer& c);

}  // namespace bp::compose
