// SPDX-License-Identifier: Apache-2.0
// order.h: puts rows in order, for sort and topk, or finds what has a rank in it, for kthvalue. It
// is compiled once, because the work is in moving items to where they belong, which wider vectors
// do not help.
//
// x is [outer..., n], values and indices are [outer..., k]: the first k of each row in order, k <=
// n. The order is stable in both directions; NaN is the largest and all NaNs are equal, as are the
// two zeros. Every dtype but the complex ones is served.
//
//   bp_status run_topk(const bp_launch* l, bp_error** err) { return run_order(*l, largest(*l), err); }
#pragma once
#include "c_plugin.h"

namespace bp_cpu {

bp_status run_order(const bp_launch& launch, bool descending, bp_error** err);
// Values and indices are [outer..., 1]: of each row the element of that rank, counted from 0.
bp_status run_select(const bp_launch& launch, int64_t rank, bp_error** err);

}  // namespace bp_cpu
