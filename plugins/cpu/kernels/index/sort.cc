// SPDX-License-Identifier: Apache-2.0
// sort.cc: sort, topk and kthvalue; argsort is sort's second output.
#include "device/registry.h"
#include "driver/order.h"

namespace bp_cpu::BP_ISA {
namespace {

bp_status run_sort(const bp_launch* launch, bp_error** err) {
  return run_order(*launch, launch->attrs[BP_ATTR_SORT_DESCENDING].value.i64 != 0, err);
}

bp_status run_topk(const bp_launch* launch, bp_error** err) {
  return run_order(*launch, /*descending=*/launch->attrs[BP_ATTR_TOPK_LARGEST].value.i64 != 0, err);
}

bp_status run_kthvalue(const bp_launch* launch, bp_error** err) {
  return run_select(*launch, launch->attrs[BP_ATTR_KTHVALUE_K].value.i64 - 1, err);
}

}  // namespace

void add_sort(Registry& r) {
  r.add(BP_OP_SORT, bit(BP_BOOL) | kReals, run_sort);
  r.add(BP_OP_TOPK, bit(BP_BOOL) | kReals, run_topk);
  r.add(BP_OP_KTHVALUE, bit(BP_BOOL) | kReals, run_kthvalue);
}

}  // namespace bp_cpu::BP_ISA
