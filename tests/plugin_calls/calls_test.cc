// SPDX-License-Identifier: Apache-2.0
// Every call that the library makes into a plugin refused, in the calls of all families. The first
// use of a kind is in cold_test.cc.
#include "memory/calls.h"

#include <gtest/gtest.h>

#include "kit/devices.h"
#include "plugin_calls/border.h"
#include "plugin_calls/each_plugin_call.h"

namespace bp_test {
namespace {

void of(const std::vector<Call>& calls) {
  for (const Call& call : calls)
    for (const bp_status status : {BP_INTERNAL, BP_OUT_OF_DEVICE_MEMORY})
      fail_each_plugin_call(call, status);
  EXPECT_GE(border().open()[Border::kPlugin], 2) << "the plugins are not the wrapping ones";
}

TEST(EachPluginCall, OfTheRuntime) { of(runtime_calls()); }
TEST(EachPluginCall, OfStreamsAndMemory) { of(stream_calls("cpu")), of(stream_calls("sim:0")); }
TEST(EachPluginCall, OfTensors) { of(tensor_calls("cpu")), of(tensor_calls("sim:0")); }
TEST(EachPluginCall, OfGradients) { of(gradient_calls("cpu")), of(gradient_calls("sim:0")); }
TEST(EachPluginCall, OfFiles) { of(file_calls()); }
TEST(EachPluginCall, OfGroups) { of(group_calls("cpu")), of(group_calls("sim:0")); }
TEST(EachPluginCall, OfModules) { of(module_calls()); }
TEST(EachPluginCall, OfOptimisers) { of(optimizer_calls()); }
TEST(EachPluginCall, OfProfiles) { of(profile_calls("cpu")), of(profile_calls("sim:0")); }
TEST(EachPluginCall, OfPrograms) { of(program_calls("cpu")), of(program_calls("sim:0")); }
TEST(EachPluginCall, OfTraining) { of(training_calls()); }
TEST(EachPluginCall, OfOpsOnTheCpu) {
  for (const Call& call : op_calls("cpu")) fail_each_plugin_call(call);
}
TEST(EachPluginCall, OfOpsOnAnAccelerator) {
  for (const Call& call : op_calls("sim:0")) fail_each_plugin_call(call);
}

// Whoever cannot ask whether a copy is done must not take its memory for another.
TEST(PinnedMemory, IsKeptWhereNobodyCanTellThatItsCopyIsDone) {
  constexpr int64_t kShape[] = {1 << 18};
  const bp_device sim = device("sim:0");
  T from, to, next;
  bp_error* err = nullptr;
  ASSERT_EQ(bp_tensor_empty_pinned(1, kShape, BP_F32, sim, into(from), &err), BP_OK);
  ASSERT_EQ(bp_tensor_to(from.get(), sim, BP_DTYPE_NONE, 1, /*non_blocking=*/1, into(to), &err),
            BP_OK);
  border().start(0, Refusals::kForEver, BP_INTERNAL);
  from.reset();
  EXPECT_LT(bp_tensor_empty_pinned(1, kShape, BP_F32, sim, into(next), &err), 0)
      << "memory that a copy may be reading was handed out";
  border().stop();
  bp_error_release(err);
  EXPECT_EQ(bp_synchronize(sim, nullptr), BP_OK);
  EXPECT_EQ(bp_tensor_empty_pinned(1, kShape, BP_F32, sim, into(next), nullptr), BP_OK);
  EXPECT_EQ(border().misuse(), "");
}

}  // namespace
}  // namespace bp_test
