// SPDX-License-Identifier: Apache-2.0
// The default device and the current devices, where two devices of the null backend are there.
#include <thread>

#include "kit/devices.h"

namespace bp_test {
namespace {

// Each test has a generation of its own, so that they may run in one process.
struct Context : testing::Test {
  bp_device null0 = 0, null1 = 0, bare = 0;
  bp_kind kind = 0;

  void SetUp() override {
    bp_shutdown(-1, nullptr);
    ASSERT_EQ(bp_init(nullptr, nullptr), BP_OK);
    null0 = device("null:0"), null1 = device("null:1"), bare = device("null");
    kind = bp_device_kind(bare);
    int32_t count = 0;
    ASSERT_EQ(bp_device_count(kind, &count, nullptr), BP_OK);
    ASSERT_EQ(count, 2) << "NULL_DEVICE_COUNT and BACKPLANE_PLUGIN_PATH come from CTest";
  }
  void TearDown() override { bp_shutdown(-1, nullptr); }
  // "status: message".
  static std::string text(const Answer& a) { return bp_status_name(a.status) + (": " + a.message); }
  bp_device current() {
    bp_device d = 0;
    EXPECT_EQ(bp_current_get(kind, &d, nullptr), BP_OK);
    return d;
  }
  bp_device by_default() {
    bp_device d = 0;
    EXPECT_EQ(bp_default_get(&d, nullptr), BP_OK);
    return d;
  }
};

TEST_F(Context, SetCurrentWantsAnIndexOfADeviceThatIsThere) {
  EXPECT_EQ(text(attempt(bp_set_current, bare)),
            "BP_INVALID_ARGUMENT: Expected a device with a specified index, but got:null");
  EXPECT_EQ(text(attempt(bp_set_current, bp_device_make(kind, -2))),
            "BP_INVALID_ARGUMENT: Device index must not be negative, got -2");
  EXPECT_EQ(text(attempt(bp_set_current, bp_device_make(kind, 2))),
            "BP_INDEX_OUT_OF_RANGE: invalid device ordinal null:2: 2 devices are visible, valid "
            "indices are 0 to 1");
  EXPECT_EQ(text(attempt(bp_set_current, bp_device_make(BP_KIND_CPU, 1))),
            "BP_INDEX_OUT_OF_RANGE: invalid device ordinal cpu:1: 1 device is visible, valid "
            "indices are 0 to 0");
  EXPECT_EQ(bp_set_current(bp_device_make(kind, INT32_MAX), nullptr), BP_INDEX_OUT_OF_RANGE);
  EXPECT_EQ(text(attempt(bp_set_current, 0)), "BP_INVALID_ARGUMENT: device must be given, got 0");
  EXPECT_EQ(text(attempt(bp_set_current, bp_device_make(999, 0))),
            "BP_INVALID_ARGUMENT: device has kind 999, which nothing offers");
  EXPECT_EQ(current(), null0);
  EXPECT_EQ(bp_set_current(null1, nullptr), BP_OK);
  EXPECT_EQ(current(), null1);
  EXPECT_EQ(bp_set_current(bp_device_make(BP_KIND_CPU, 0), nullptr), BP_OK);
  EXPECT_EQ(bp_set_current(kCpu, nullptr), BP_OK);
  bp_device cpu = 0;
  EXPECT_EQ(bp_current_get(BP_KIND_CPU, &cpu, nullptr), BP_OK);
  EXPECT_EQ(cpu, kCpu);
}

TEST_F(Context, CurrentPushWantsTheSame) {
  uint64_t token = 77;
  EXPECT_EQ(bp_current_push(bare, &token, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_current_push(bp_device_make(kind, 2), &token, nullptr), BP_INDEX_OUT_OF_RANGE);
  EXPECT_EQ(bp_current_push(null1, nullptr, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(token, 77u);
  ASSERT_EQ(bp_current_push(null1, &token, nullptr), BP_OK);
  EXPECT_EQ(current(), null1);
  EXPECT_EQ(bp_current_pop(token, nullptr), BP_OK);
  EXPECT_EQ(current(), null0);
  EXPECT_EQ(bp_current_pop(token, nullptr), BP_BAD_STATE);
}

TEST_F(Context, DefaultDoesNotAskWhetherTheDeviceIsThere) {
  uint64_t token = 0;
  EXPECT_EQ(bp_default_push(0, &token, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_default_push(bp_device_make(999, 0), &token, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_default_push(bp_device_make(kind, -7), &token, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(token, 0u);
  ASSERT_EQ(bp_default_push(bp_device_make(kind, 90), &token, nullptr), BP_OK);
  EXPECT_EQ(by_default(), bp_device_make(kind, 90));
  EXPECT_EQ(bp_default_pop(token, nullptr), BP_OK);
  EXPECT_EQ(bp_set_default_device(bare, nullptr), BP_OK);
  EXPECT_EQ(by_default(), bare);
  EXPECT_EQ(bp_set_default_device(bp_device_make(999, 0), nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_set_default_device(0, nullptr), BP_OK);
  EXPECT_EQ(by_default(), kCpu);
}

TEST_F(Context, DevicePushDoesBothAndABareKindKeepsItsIndex) {
  uint64_t outer = 0, inner = 0;
  ASSERT_EQ(bp_device_push(null1, &outer, nullptr), BP_OK);
  EXPECT_EQ(by_default(), null1);
  EXPECT_EQ(current(), null1);
  ASSERT_EQ(bp_device_push(bare, &inner, nullptr), BP_OK);
  EXPECT_EQ(by_default(), bare);
  EXPECT_EQ(current(), null1);
  EXPECT_EQ(bp_device_pop(outer, nullptr), BP_BAD_STATE);
  EXPECT_EQ(bp_default_pop(inner, nullptr), BP_BAD_STATE);
  EXPECT_EQ(bp_device_pop(inner, nullptr), BP_OK);
  EXPECT_EQ(bp_device_pop(outer, nullptr), BP_OK);
  EXPECT_EQ(by_default(), kCpu);
  EXPECT_EQ(current(), null0);
  EXPECT_EQ(bp_device_push(bp_device_make(kind, 2), &outer, nullptr), BP_INDEX_OUT_OF_RANGE);
  ASSERT_EQ(bp_device_push(kCpu, &outer, nullptr), BP_OK);
  EXPECT_EQ(bp_device_pop(outer, nullptr), BP_OK);
}

TEST_F(Context, HandsItsContextToAThread) {
  uint64_t token = 0;
  ASSERT_EQ(bp_device_push(null1, &token, nullptr), BP_OK);
  bp_context* context = nullptr;
  ASSERT_EQ(bp_context_capture(&context, nullptr), BP_OK);
  std::thread([&] {
    uint64_t inside = 0;
    EXPECT_EQ(by_default(), kCpu);
    ASSERT_EQ(bp_context_enter(context, &inside, nullptr), BP_OK);
    EXPECT_EQ(by_default(), null1);
    EXPECT_EQ(current(), null1);
    EXPECT_EQ(bp_device_pop(inside, nullptr), BP_BAD_STATE);
    EXPECT_EQ(bp_context_leave(inside, nullptr), BP_OK);
    EXPECT_EQ(by_default(), kCpu);
  }).join();
  EXPECT_EQ(bp_device_pop(token, nullptr), BP_OK);
  EXPECT_EQ(bp_context_enter(nullptr, &token, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_context_enter(context, nullptr, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_context_capture(nullptr, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_context_retain(context), context);
  bp_context_release(context);
  bp_context_release(context);
  bp_context_release(nullptr);
  EXPECT_EQ(bp_context_retain(nullptr), nullptr);
}

TEST_F(Context, ReadingTheCurrentDeviceWantsAKindThatHasAName) {
  bp_device d = 5;
  EXPECT_EQ(bp_current_get(999, &d, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_current_get(0, &d, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_current_get(kind, nullptr, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_default_get(nullptr, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(d, 5);
}

}  // namespace
}  // namespace bp_test
