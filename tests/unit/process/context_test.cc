// SPDX-License-Identifier: Apache-2.0
// The default device and the current devices as plain state, without any device.
#include "core/process/context.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "unit/thrown.h"

namespace bp {
namespace {

const bp_device kCpu = bp_device_make(BP_KIND_CPU, -1);
const bp_device kCuda = bp_device_make(BP_KIND_CUDA, -1);
const bp_device kCuda1 = bp_device_make(BP_KIND_CUDA, 1);
const bp_device kHip2 = bp_device_make(BP_KIND_HIP, 2);

template <class F>
std::string bad_state(F&& call) {
  return bp_test::thrown(call, BP_BAD_STATE);
}

template <class F>
void on_another_thread(F&& body) {
  std::thread(body).join();
}

// Each test has a generation of its own, so that they may run in one process.
struct Context : testing::Test {
  void SetUp() override {
    bp_shutdown(-1, nullptr);
    ASSERT_EQ(bp_init(nullptr, nullptr), BP_OK);
  }
  void TearDown() override { bp_shutdown(-1, nullptr); }
};

TEST_F(Context, StartsAtCpuAndIndexZero) {
  EXPECT_EQ(default_device(), kCpu);
  EXPECT_EQ(current_index(BP_KIND_CUDA), 0);
  EXPECT_EQ(current_index(BP_KIND_DYNAMIC + 7), 0);
}

TEST_F(Context, NestsDefaults) {
  const uint64_t a = push_default(kCuda1);
  EXPECT_GT(a, 0u);
  EXPECT_EQ(default_device(), kCuda1);
  const uint64_t b = push_default(kCuda);
  EXPECT_EQ(default_device(), kCuda);  // a bare kind stays bare
  pop_default(b);
  EXPECT_EQ(default_device(), kCuda1);
  pop_default(a);
  EXPECT_EQ(default_device(), kCpu);
}

TEST_F(Context, ProcessDefaultLiesBelowEveryThreadsStack) {
  set_process_default(kCuda1);
  EXPECT_EQ(default_device(), kCuda1);
  on_another_thread([] { EXPECT_EQ(default_device(), kCuda1); });
  const uint64_t a = push_default(kHip2);
  set_process_default(kCuda);  // inside a push: shows when that is popped
  EXPECT_EQ(default_device(), kHip2);
  on_another_thread([] { EXPECT_EQ(default_device(), kCuda); });
  pop_default(a);
  EXPECT_EQ(default_device(), kCuda);
  set_process_default(0);
  EXPECT_EQ(default_device(), kCpu);
}

TEST_F(Context, CurrentIndexIsPerKindAndPerThread) {
  set_current_index(BP_KIND_CUDA, 3);
  EXPECT_EQ(current_index(BP_KIND_CUDA), 3);
  EXPECT_EQ(current_index(BP_KIND_HIP), 0);
  on_another_thread([] {
    EXPECT_EQ(current_index(BP_KIND_CUDA), 0);
    set_current_index(BP_KIND_CUDA, 5);
  });
  EXPECT_EQ(current_index(BP_KIND_CUDA), 3);
  for (int32_t i = 0; i < 40; ++i) set_current_index(BP_KIND_DYNAMIC + i, i);
  for (int32_t i = 0; i < 40; ++i) EXPECT_EQ(current_index(BP_KIND_DYNAMIC + i), i);
}

TEST_F(Context, PopRestoresWhatWasThereWhateverWasSetInside) {
  set_current_index(BP_KIND_CUDA, 1);
  const uint64_t a = push_current(BP_KIND_CUDA, 2);
  set_current_index(BP_KIND_CUDA, 3);
  set_current_index(BP_KIND_HIP, 4);
  EXPECT_EQ(current_index(BP_KIND_CUDA), 3);
  pop_current(a);
  EXPECT_EQ(current_index(BP_KIND_CUDA), 1);
  EXPECT_EQ(current_index(BP_KIND_HIP), 4);  // another kind's is its own
  const uint64_t b = push_current(BP_KIND_VULKAN, 2);
  pop_current(b);
  EXPECT_EQ(current_index(BP_KIND_VULKAN), 0);
}

TEST_F(Context, DevicePushSetsBoth) {
  const uint64_t a = push_device(kCuda1, 1);
  EXPECT_EQ(default_device(), kCuda1);
  EXPECT_EQ(current_index(BP_KIND_CUDA), 1);
  set_current_index(BP_KIND_CUDA, 7);
  pop_device(a);
  EXPECT_EQ(default_device(), kCpu);
  EXPECT_EQ(current_index(BP_KIND_CUDA), 0);
}

TEST_F(Context, PopOutOfOrderIsAnErrorAndChangesNothing) {
  const uint64_t a = push_default(kCuda1);
  const uint64_t b = push_current(BP_KIND_CUDA, 2);
  const std::string newest = " is not the newest of this thread, which is " + std::to_string(b);
  EXPECT_EQ(bad_state([&] { pop_default(a); }),
            "bp_default_pop: token " + std::to_string(a) + newest);
  EXPECT_EQ(bad_state([&] { pop_current(0); }), "bp_current_pop: token 0" + newest);
  EXPECT_EQ(bad_state([&] { pop_context(b + 1); }),
            "bp_context_leave: token " + std::to_string(b + 1) + newest);
  EXPECT_EQ(bad_state([&] { pop_default(b); }),
            "bp_default_pop: token " + std::to_string(b) + " is to be given to bp_current_pop");
  on_another_thread([&] {
    EXPECT_EQ(bad_state([&] { pop_current(b); }),
              "bp_current_pop: token " + std::to_string(b) +
                  " is not this thread's: nothing is pushed here");
    const uint64_t own = push_default(kHip2);
    EXPECT_NE(own, a);
    EXPECT_NE(own, b);
    EXPECT_NE(bad_state([&] { pop_default(a); }), "no error");
    pop_default(own);
  });
  EXPECT_EQ(default_device(), kCuda1);
  EXPECT_EQ(current_index(BP_KIND_CUDA), 2);
  pop_current(b);
  EXPECT_NE(bad_state([&] { pop_current(b); }), "no error");  // twice
  pop_default(a);
  EXPECT_NE(bad_state([&] { pop_default(a); }), "no error");
  EXPECT_EQ(default_device(), kCpu);
}

TEST_F(Context, CaptureCarriesAThreadsStateToAnother) {
  const uint64_t a = push_default(kCuda1);
  set_current_index(BP_KIND_HIP, 2);
  const ThreadContext captured = capture_context();
  set_current_index(BP_KIND_HIP, 1);  // later: not part of what was captured
  pop_default(a);
  on_another_thread([&] {
    set_current_index(BP_KIND_CUDA, 5);
    const uint64_t own = push_default(kHip2);
    const uint64_t inside = push_context(captured);
    EXPECT_EQ(default_device(), kCuda1);
    EXPECT_EQ(current_index(BP_KIND_HIP), 2);
    EXPECT_EQ(current_index(BP_KIND_CUDA), 0);  // the whole state
    EXPECT_NE(bad_state([&] { pop_default(own); }), "no error");
    set_current_index(BP_KIND_VULKAN, 9);
    pop_context(inside);
    EXPECT_EQ(default_device(), kHip2);
    EXPECT_EQ(current_index(BP_KIND_CUDA), 5);
    EXPECT_EQ(current_index(BP_KIND_HIP), 0);
    EXPECT_EQ(current_index(BP_KIND_VULKAN), 0);
    pop_default(own);
  });
}

TEST_F(Context, CapturedStateWithoutAPushLetsTheProcessDefaultShow) {
  const ThreadContext captured = capture_context();
  const uint64_t a = push_default(kCuda1);
  const uint64_t b = push_context(captured);
  EXPECT_EQ(default_device(), kCpu);
  set_process_default(kHip2);
  EXPECT_EQ(default_device(), kHip2);
  pop_context(b);
  EXPECT_EQ(default_device(), kCuda1);
  pop_default(a);
}

TEST_F(Context, ShutdownForgetsEverything) {
  set_process_default(kCuda1);
  set_current_index(BP_KIND_CUDA, 3);
  const uint64_t a = push_default(kHip2);
  bp_context* context = nullptr;
  ASSERT_EQ(bp_context_capture(&context, nullptr), BP_OK);
  ASSERT_EQ(bp_shutdown(-1, nullptr), BP_OK);
  EXPECT_EQ(default_device(), kCpu);
  EXPECT_EQ(current_index(BP_KIND_CUDA), 0);
  EXPECT_NE(bad_state([&] { pop_default(a); }), "no error");
  uint64_t token = 0;
  EXPECT_EQ(bp_context_enter(context, &token, nullptr), BP_BAD_STATE);
  EXPECT_EQ(token, 0u);
  bp_context_release(context);
}

}  // namespace
}  // namespace bp
