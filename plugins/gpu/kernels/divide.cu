// SPDX-License-Identifier: Apache-2.0
// divide.cu: true division, floor_divide, remainder, fmod, pow. The second and the third follow
// Python and PyTorch: they take an exact fmod and correct it by the sign of the divisor.
#include "gpu/elementwise.h"
#include "gpu/functors/divide.h"

namespace bp_gpu {

using namespace functors;

void add_divide(Registry& r) {
  add_binary<Div, kFloats>(r, BP_OP_DIV);
  add_binary<FloorDivide, kReals>(r, BP_OP_FLOOR_DIVIDE);
  add_binary<Remainder, kReals>(r, BP_OP_REMAINDER);
  add_binary<Fmod, kReals>(r, BP_OP_FMOD);
  add_binary<Pow, kReals>(r, BP_OP_POW);
}

}  // namespace bp_gpu
