// The default device and the current devices: first as plain state, then through the C API, where
// two devices of the null backend are there.
#include "core/process/context.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "core/base/error.h"

namespace bp {
namespace {

const bp_device kCpu = bp_device_make(BP_KIND_CPU, -1);
const bp_device kCuda = bp_device_make(BP_KIND_CUDA, -1);
const bp_device kCuda1 = bp_device_make(BP_KIND_CUDA, 1);
const bp_device kHip2 = bp_device_make(BP_KIND_HIP, 2);

template <class F>
std::string bad_state(F&& call) {
  try {
    call();
  } catch (const Error& e) {
    EXPECT_EQ(e.status(), BP_BAD_STATE);
    return e.message();
  }
  return "no error";
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

// ---- the C API ----

struct ContextApi : Context {
  bp_error* err = nullptr;
  bp_device null0 = 0, null1 = 0, bare = 0;
  bp_kind kind = 0;

  void SetUp() override {
    Context::SetUp();
    ASSERT_EQ(bp_device_parse("null:0", &null0, nullptr), BP_OK);
    ASSERT_EQ(bp_device_parse("null:1", &null1, nullptr), BP_OK);
    ASSERT_EQ(bp_device_parse("null", &bare, nullptr), BP_OK);
    kind = bp_device_kind(bare);
    int32_t count = 0;
    ASSERT_EQ(bp_device_count(kind, &count, nullptr), BP_OK);
    ASSERT_EQ(count, 2) << "NULL_DEVICE_COUNT and BACKPLANE_PLUGIN_PATH come from CTest";
  }
  void TearDown() override {
    bp_error_release(err);
    Context::TearDown();
  }
  // "status: message", releasing the error.
  std::string text(bp_status status) {
    std::string line = bp_status_name(status);
    line = line + ": " + bp_error_message(err, nullptr);
    bp_error_release(err);
    err = nullptr;
    return line;
  }
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

TEST_F(ContextApi, SetCurrentWantsAnIndexOfADeviceThatIsThere) {
  EXPECT_EQ(text(bp_set_current(bare, &err)),
            "BP_INVALID_ARGUMENT: Expected a device with a specified index, but got:null");
  EXPECT_EQ(text(bp_set_current(bp_device_make(kind, -2), &err)),
            "BP_INVALID_ARGUMENT: Device index must not be negative, got -2");
  EXPECT_EQ(text(bp_set_current(bp_device_make(kind, 2), &err)),
            "BP_INDEX_OUT_OF_RANGE: invalid device ordinal null:2: 2 devices are visible, valid "
            "indices are 0 to 1");
  EXPECT_EQ(text(bp_set_current(bp_device_make(BP_KIND_CPU, 1), &err)),
            "BP_INDEX_OUT_OF_RANGE: invalid device ordinal cpu:1: 1 device is visible, valid "
            "indices are 0 to 0");
  EXPECT_EQ(bp_set_current(bp_device_make(kind, INT32_MAX), nullptr), BP_INDEX_OUT_OF_RANGE);
  EXPECT_EQ(text(bp_set_current(0, &err)), "BP_INVALID_ARGUMENT: device must be given, got 0");
  EXPECT_EQ(text(bp_set_current(bp_device_make(999, 0), &err)),
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

TEST_F(ContextApi, CurrentPushWantsTheSame) {
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

TEST_F(ContextApi, DefaultDoesNotAskWhetherTheDeviceIsThere) {
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

TEST_F(ContextApi, DevicePushDoesBothAndABareKindKeepsItsIndex) {
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

TEST_F(ContextApi, HandsItsContextToAThread) {
  uint64_t token = 0;
  ASSERT_EQ(bp_device_push(null1, &token, nullptr), BP_OK);
  bp_context* context = nullptr;
  ASSERT_EQ(bp_context_capture(&context, nullptr), BP_OK);
  on_another_thread([&] {
    uint64_t inside = 0;
    EXPECT_EQ(by_default(), kCpu);
    ASSERT_EQ(bp_context_enter(context, &inside, nullptr), BP_OK);
    EXPECT_EQ(by_default(), null1);
    EXPECT_EQ(current(), null1);
    EXPECT_EQ(bp_device_pop(inside, nullptr), BP_BAD_STATE);
    EXPECT_EQ(bp_context_leave(inside, nullptr), BP_OK);
    EXPECT_EQ(by_default(), kCpu);
  });
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

TEST_F(ContextApi, ReadingTheCurrentDeviceWantsAKindThatHasAName) {
  bp_device d = 5;
  EXPECT_EQ(bp_current_get(999, &d, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_current_get(0, &d, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_current_get(kind, nullptr, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_default_get(nullptr, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(d, 5);
}

}  // namespace
}  // namespace bp
