// SPDX-License-Identifier: Apache-2.0
// loops.h: the same work written by hand, into memory that is already there.
#pragma once
#include <cstdint>

namespace bench {

void loop_add(const float* a, const float* b, float* out, int64_t n);
void loop_exp(const float* x, float* out, int64_t n);
float loop_sum(const float* x, int64_t n);
void loop_softmax(const float* x, float* out, int64_t rows, int64_t columns);

}  // namespace bench
