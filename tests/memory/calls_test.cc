// SPDX-License-Identifier: Apache-2.0
// Every allocation of every function of the library that can fail, but for the first use of a
// backend (cold_test.cc) and the ops (ops_test.cc).
#include "memory/calls.h"

#include <gtest/gtest.h>

#include "kit/devices.h"
#include "memory/each_allocation.h"

namespace bp_test {
namespace {

class EachAllocation : public testing::Test {
 protected:
  void of(const std::vector<Call>& calls) {
    for (const Call& call : calls) fail_each_allocation(call);
  }
};

TEST_F(EachAllocation, OfTheRuntime) { of(runtime_calls()); }
TEST_F(EachAllocation, OfStreamsAndMemory) { of(stream_calls("cpu")), of(stream_calls("sim:0")); }
TEST_F(EachAllocation, OfTensors) { of(tensor_calls("cpu")), of(tensor_calls("sim:0")); }
TEST_F(EachAllocation, OfGradients) { of(gradient_calls("cpu")), of(gradient_calls("sim:0")); }
TEST_F(EachAllocation, OfFiles) { of(file_calls()); }
TEST_F(EachAllocation, OfGroups) { of(group_calls("cpu")), of(group_calls("sim:0")); }
TEST_F(EachAllocation, OfModules) { of(module_calls()); }
TEST_F(EachAllocation, OfOptimisers) { of(optimizer_calls()); }
TEST_F(EachAllocation, OfProfiles) { of(profile_calls("cpu")), of(profile_calls("sim:0")); }
TEST_F(EachAllocation, OfPrograms) { of(program_calls("cpu")), of(program_calls("sim:0")); }
TEST_F(EachAllocation, OfTraining) { of(training_calls()); }

}  // namespace
}  // namespace bp_test
