// SPDX-License-Identifier: Apache-2.0
// Every allocation of every op, and of its way back.
#include <gtest/gtest.h>

#include "memory/calls.h"
#include "memory/each_allocation.h"

namespace bp_test {
namespace {

// One process for all of them: to start one costs more than an op.
TEST(EachAllocationOfEachOp, OnTheCpu) {
  for (const Call& call : op_calls("cpu")) fail_each_allocation(call);
}
TEST(EachAllocationOfEachOp, OnAnAccelerator) {
  for (const Call& call : op_calls("sim:0")) fail_each_allocation(call);
}

}  // namespace
}  // namespace bp_test
