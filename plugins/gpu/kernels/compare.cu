// SPDX-License-Identifier: Apache-2.0
// compare.cu: predicates of two operands; the result is bool.
#include "gpu/elementwise.h"
#include "gpu/functors/compare.h"

namespace bp_gpu {

using namespace functors;

void add_compare(Registry& r) {
  constexpr uint64_t kOrdered = kReals | bit(BP_BOOL);
  add_binary<Eq, kArithmetic>(r, BP_OP_EQ);
  add_binary<Ne, kArithmetic>(r, BP_OP_NE);
  add_binary<Lt, kOrdered>(r, BP_OP_LT);
  add_binary<Le, kOrdered>(r, BP_OP_LE);
  add_binary<Gt, kOrdered>(r, BP_OP_GT);
  add_binary<Ge, kOrdered>(r, BP_OP_GE);
  add_binary<LogicalAnd, kOrdered>(r, BP_OP_LOGICAL_AND);
  add_binary<LogicalOr, kOrdered>(r, BP_OP_LOGICAL_OR);
  add_binary<LogicalXor, kOrdered>(r, BP_OP_LOGICAL_XOR);
}

}  // namespace bp_gpu
