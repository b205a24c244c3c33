// SPDX-License-Identifier: Apache-2.0
// Every plugin call of first uses refused, each in a process of its own (memory/cold_test.cc). A
// shutdown afterwards leaves nothing open.
#include <gtest/gtest.h>
#include <stdlib.h>

#include "memory/first_use.h"
#include "plugin_calls/each_plugin_call.h"

namespace bp_test {
namespace {

using Group = Handle<bp_group, bp_group_release>;

// A group of one, whose device exchanges with itself.
bp_status exchanged_between_devices(bp_error** err) {
  bp_group_desc how{};
  how.struct_size = sizeof how;
  how.kind = "lone";
  how.timeout_ns = 5'000'000'000;
  constexpr int64_t kShape[] = {3};
  bp_device mine = 0;
  Group g;
  T t;
  TRY(bp_device_parse("sim:0", &mine, err));
  TRY(bp_tensor_ones(1, kShape, BP_F32, mine, into(t), err));
  TRY(bp_group_join(&how, into(g), err));
  const bp_status used = bp_group_use_device(g.get(), mine, err);
  if (used == BP_UNSUPPORTED) {  // as all members hear it, whatever it was; the group goes on
    EXPECT_EQ(bp_group_barrier(g.get(), 0, nullptr, nullptr), BP_OK);
    return used;
  }
  TRY(used);
  for (int i = 0; i < 2; ++i) {
    TRY(bp_group_all_reduce(g.get(), t.get(), BP_REDUCE_SUM, nullptr, err));
    TRY(bp_synchronize(mine, err));
  }
  return bp_group_barrier(g.get(), 0, nullptr, err);
}

void each_status(const Run& call) {
  for (const bp_status status :
       {BP_INTERNAL, BP_OUT_OF_HOST_MEMORY, BP_OUT_OF_DEVICE_MEMORY, BP_DEVICE_LOST}) {
    SCOPED_TRACE(bp_status_name(status));
    fail_each_plugin_call_of_first(call, status);
  }
}

TEST(EachPluginCallOfAFirst, UseOfTheCpu) {
  each_status([](bp_error** err) { return used("cpu", err); });
}
TEST(EachPluginCallOfAFirst, UseOfSim) {
  each_status([](bp_error** err) { return used("sim:0", err); });
}
TEST(EachPluginCallOfAFirst, ProductOnSim) {
  fail_each_plugin_call_of_first([](bp_error** err) { return multiplied("sim:0", err); });
}
TEST(EachPluginCallOfAFirst, SumOverSims) {
  ::setenv("SIM_NCCL", FAKE_NCCL, /*overwrite=*/1);
  each_status([](bp_error** err) {
    constexpr int64_t kShape[] = {3};
    bp_device here = 0, there = 0;
    T a, b;
    TRY(bp_device_parse("sim:0", &here, err));
    TRY(bp_device_parse("sim:1", &there, err));
    TRY(bp_tensor_ones(1, kShape, BP_F32, here, into(a), err));
    TRY(bp_tensor_ones(1, kShape, BP_F32, there, into(b), err));
    bp_tensor* both[] = {a.get(), b.get()};
    TRY(bp_all_reduce(both, 2, 1, err));
    return bp_synchronize(there, err);
  });
  ::unsetenv("SIM_NCCL");
}
TEST(EachPluginCallOfAFirst, ExchangeBetweenDevices) {
  ::setenv("SIM_NCCL", FAKE_NCCL, /*overwrite=*/1);
  each_status(exchanged_between_devices);
  ::unsetenv("SIM_NCCL");
}
TEST(EachPluginCallOfAFirst, UnloadOfSim) {
  each_status([](bp_error** err) {
    bp_device d = 0;
    TRY(used("sim:0", err));
    TRY(bp_device_parse("sim:0", &d, err));
    return bp_unload_kind(bp_device_kind(d), -1, err);
  });
}
TEST(EachPluginCallOfAFirst, ShutdownOfSim) {
  each_status([](bp_error** err) {
    TRY(used("sim:0", err));
    return bp_shutdown(-1, err);
  });
}

}  // namespace
}  // namespace bp_test
