// SPDX-License-Identifier: Apache-2.0
// operand.h: a number operand as an accelerator's kernel computes with it.
//
//   const float x = number<float>(l.args[1]);
#pragma once
#include "c_plugin.h"
#include "kit/number.h"

namespace bp_kit {

template <class T>
T number(const bp_arg& a) {
  if constexpr (kIsComplex<T>)
    if (a.kind == BP_ARG_SCALAR_C128) return convert<T>(complex_number(a));
  return a.kind == BP_ARG_SCALAR_F64 ? convert<T>(a.f64) : convert<T>(a.i64);
}

}  // namespace bp_kit
