// SPDX-License-Identifier: Apache-2.0
// binary.cu: a op b for arithmetic, extrema and bits.
#include "gpu/elementwise.h"
#include "gpu/functors/binary.h"

namespace bp_gpu {

using namespace functors;

void add_binary(Registry& r) {
  constexpr uint64_t kWithBool = kReals | bit(BP_BOOL), kBits = kIntegers | bit(BP_BOOL);
  add_binary<Add, kWithBool>(r, BP_OP_ADD);
  add_binary<Sub, kReals>(r, BP_OP_SUB);
  add_binary<Mul, kWithBool>(r, BP_OP_MUL);
  add_binary<Maximum, kWithBool>(r, BP_OP_MAXIMUM);
  add_binary<Minimum, kWithBool>(r, BP_OP_MINIMUM);
  add_binary<And, kBits>(r, BP_OP_BITWISE_AND);
  add_binary<Or, kBits>(r, BP_OP_BITWISE_OR);
  add_binary<Xor, kBits>(r, BP_OP_BITWISE_XOR);
  add_binary<ShiftLeft, kIntegers>(r, BP_OP_BITWISE_LEFT_SHIFT);
  add_binary<ShiftRight, kIntegers>(r, BP_OP_BITWISE_RIGHT_SHIFT);
}

}  // namespace bp_gpu
