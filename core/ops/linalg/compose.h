// SPDX-License-Identifier: Apache-2.0
// compose.h: what is made of the factorizations: one kernel of a backend's serves many.
#pragma once
#include "core/call/compose.h"

namespace bp::ops::compose {

// The decomposition with as many columns of u and rows of vh as the shorter side has.
struct Svd {
  Ref<Tensor> u, s, vh;
};
Svd reduced_svd(const Value& a);

void det(Composer& c);
void slogdet(Composer& c);
void matrix_rank(Composer& c);
void pinv(Composer& c);
void matrix_power(Composer& c);
void matrix_norm(Composer& c);
void lstsq(Composer& c);

}  // namespace bp::ops::compose
