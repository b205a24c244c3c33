// SPDX-License-Identifier: Apache-2.0
// scalar.h: a number operand as an element in memory.
#pragma once
#include "c_types.h"

namespace bp_cpu {

// Writes the number as one element of `dtype` (at most 16 bytes); a narrow float as f32 when wide,
// unrounded.
void store_scalar(const bp_arg& number, bp_dtype dtype, bool wide, void* out);

}  // namespace bp_cpu
