// SPDX-License-Identifier: Apache-2.0
// complex.h: every kernel of complex numbers, by family.
#pragma once
#include "device/registry.h"

namespace bp_cpu::isa_any {

void add_arithmetic(Registry& r);
void add_functions(Registry& r);

inline void add_complex(Registry& r) {
  add_arithmetic(r);
  add_functions(r);
}

}  // namespace bp_cpu::isa_any
