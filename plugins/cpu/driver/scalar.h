// SPDX-License-Identifier: Apache-2.0
// scalar.h: a number operand as an element in memory.
#pragma once
#include "c_types.h"

namespace bp_cpu {

// Writes the number as one element of `dtype`, of at most 16 bytes. With `wide` a narrow float
// becomes an unrounded f32.
void store_scalar(const bp_arg& number, bp_dtype dtype, bool wide, void* out);

}  // namespace bp_cpu
