// SPDX-License-Identifier: Apache-2.0
// element.h: one element in host memory as a number, for printing and for reading it. Pure.
//
//   const double x = read_element(BP_BF16, &bits).as.f64;
#pragma once
#include "c_types.h"

namespace bp {

// `at` needs no alignment. BOOL of bool, F64 of floats, C128 of complex numbers, I64 of integers;
// of u64 it has the bits.
bp_value read_element(bp_dtype dtype, const void* at);

}  // namespace bp
