// SPDX-License-Identifier: Apache-2.0
// One kind ends while the others go on (bp_unload_kind).
#include <atomic>
#include <thread>

#include "kit/report.h"
#include "kit/session.h"
#include "sim/works.h"

namespace {

Answer unload(const char* name) { return attempt(bp_unload_kind, kind(name), int64_t{-1}); }

TEST(UnloadKind, RefusesWhatLivesThereAndTheNextUseLoadsAgain) {
  Session session("sim.device_count=2");
  const T there = ones("sim:1"), here = ones("cpu");
  bp_stream* stream = nullptr;
  bp_event* event = nullptr;
  ASSERT_EQ(bp_stream_create(device("sim:1"), 0, &stream, nullptr), BP_OK);
  ASSERT_EQ(bp_event_create(device("sim:1"), &event, nullptr), BP_OK);
  const Answer a = unload("sim");
  ASSERT_EQ(a.status, BP_OK) << a.message;
  EXPECT_EQ(entry_of("sim").stage, BP_STAGE_FOUND);

  expect_works("sim:1");
  EXPECT_EQ(entry_of("sim").stage, BP_STAGE_READY);
  bp_tensor* sum = nullptr;
  const Answer used = attempt(bp_add, there.get(), there.get(), &sum);
  EXPECT_EQ(used.status, BP_BAD_STATE);
  EXPECT_TRUE(has(used.message, "is on sim:1, which was unloaded; it can only be released"))
      << used.message;
  EXPECT_EQ(attempt(bp_event_record, event, stream).status, BP_BAD_STATE);
  EXPECT_EQ(attempt(bp_stream_synchronize, stream).status, BP_BAD_STATE);
  bp_event_release(event);
  bp_stream_release(stream);
  EXPECT_EQ(attempt(bp_add, here.get(), here.get(), &sum).status, BP_OK) << "the cpu goes on";
  bp_tensor_release(sum);
}

TEST(UnloadKind, IsRefusedForTheCpuAndForNumbersThatNoKindHas) {
  Session session;
  EXPECT_EQ(unload("cpu").status, BP_UNSUPPORTED);
  EXPECT_EQ(attempt(bp_unload_kind, bp_kind{77777}, int64_t{-1}).status, BP_NOT_FOUND);
  EXPECT_EQ(unload("sim").status, BP_OK) << "it was not loaded";
  EXPECT_EQ(unload("cuda").status, BP_OK) << "there is no such plugin";
  expect_works("sim:0");
}

TEST(UnloadKind, WaitsForPinnedTensorsToBeReleased) {
  Session session;
  const T source = ones("sim:0");
  T pinned = made(bp_tensor_pin_memory, ones("cpu").get(), device("sim:0"));
  const Answer a = unload("sim");
  EXPECT_EQ(a.status, BP_BAD_STATE);
  EXPECT_TRUE(has(a.message, "sim cannot be unloaded: a block of the host's memory that it gave"))
      << a.message;
  EXPECT_EQ(add(source, source) != nullptr, true) << "a refusal closes nothing";
  pinned.reset();
  EXPECT_EQ(unload("sim").status, BP_OK);
}

// The same plugin works as another kind, and the cpu works, all the while.
TEST(UnloadKind, ManyTimesLeavesOtherKindsAlone) {
  Session session(Start{.alias = "cuda=sim"});
  std::atomic<bool> stop{false};
  std::vector<std::thread> workers;
  for (const char* where : {"cuda:0", "cpu"})
    workers.emplace_back([&, where] {
      while (!stop) expect_works(where);
    });
  for (int i = 0; i < GENERATIONS; ++i) {
    expect_works("sim:0");
    const Answer a = unload("sim");
    ASSERT_EQ(a.status, BP_OK) << a.message;
  }
  stop = true;
  for (std::thread& t : workers) t.join();
}

}  // namespace
