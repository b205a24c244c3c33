// SPDX-License-Identifier: Apache-2.0
// compose.h: compositions of the factorizations, so that one kernel of a backend serves many ops.
#pragma once
#include "core/call/compose.h"

namespace bp::ops::compose {

// a = u diag(s) vh for a [.., m, n], with min(m, n) columns of u and as many rows of vh.
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
