// SPDX-License-Identifier: Apache-2.0
// promote.h: what dtype operands promote to, from a table typed by hand out of PyTorch's
// documentation (tensor attributes, torch.dtype) and, for u16, u32 and u64, the Python array API
// standard (type promotion rules).
#pragma once
#include "call.h"

namespace conformance {

// BP_DTYPE_NONE: the pair has no promotion.
bp_dtype promoted(bp_dtype a, bp_dtype b);
// Of operands: tensors with dimensions, then 0-dim tensors, then numbers; a lower class counts only
// when its category (bool < integer < floating < complex) is higher.
bp_dtype result_type(const std::vector<Operand>& operands);
// A result of dtype `from` may be written to a given output of dtype `to`.
bool castable(bp_dtype from, bp_dtype to);

}  // namespace conformance
