// SPDX-License-Identifier: Apache-2.0
// Device memory is the device's own, and as much as the device has.
#include <csignal>

#include "kit/child.h"
#include "sim/works.h"

namespace {

// How a child ends that starts the runtime, does `body` with a tensor of sim:0 and its address.
template <class F>
int end_of_child(F&& body) {
  return status_of_child([&] {
    std::signal(SIGSEGV, SIG_DFL);  // sanitizers would make an exit of it
    const Session session;
    const T t = ones("sim:0");
    void* data = nullptr;
    return !bp_tensor_data(t.get(), &data, nullptr) && data &&
           body(t.get(), static_cast<volatile float*>(data));
  });
}

TEST(Memory, KillsAHostThatReadsIt) {
  const int status = end_of_child([](bp_tensor*, volatile float* data) { return *data == 1; });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV) << "status " << status;
}

TEST(Memory, KillsAHostThatWritesIt) {
  const int status = end_of_child([](bp_tensor*, volatile float* data) {
    data[3] = 2;
    return true;
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV) << "status " << status;
}

TEST(Memory, IsReachedThroughTheLibrary) {
  const int status = end_of_child([](bp_tensor* t, volatile float*) {
    const float in[4] = {1, 2, 3, 4};
    float out[4] = {};
    char text[64] = {};
    bp_tensor* copy = nullptr;
    const bool done = !bp_tensor_write(t, in, sizeof in, nullptr) &&
                      !bp_tensor_read(t, out, sizeof out, nullptr) &&
                      !bp_tensor_to(t, kCpu, BP_DTYPE_NONE, 0, 0, &copy, nullptr) &&
                      !bp_tensor_format(t, nullptr, text, sizeof text, nullptr, nullptr);
    bp_tensor_release(copy);
    return done && out[0] == 1 && out[3] == 4 && has(text, "[1., 2., 3., 4.]") &&
           has(text, "sim:0");
  });
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
}

TEST(Memory, IsAsMuchAsTheOptionSays) {
  SKIP_WITH_DEBUG_ALLOCATOR();
  Session session("sim.memory=1M;sim.device_count=2");
  constexpr int64_t kElements = 3 << 16;  // three quarters of it
  T most = ones("sim:0", {kElements});
  const Shape shape = {kElements};
  const auto more = [&] {
    return refusal(bp_tensor_ones, 1, static_cast<const int64_t*>(shape.data()), BP_F32,
                   device("sim:0"));
  };
  const Answer r = more();
  EXPECT_EQ(r.status, BP_OUT_OF_DEVICE_MEMORY);
  for (const char* words :
       {"sim:0", "Tried to allocate 768.00 KiB", "786432 of 1048576 are in use"})
    EXPECT_TRUE(has(r.message, words)) << r.message;

  expect_works("sim:0");  // a little is left
  expect_works("sim:1");
  expect_works("cpu");
  EXPECT_EQ(more().status, BP_OUT_OF_DEVICE_MEMORY);
  most.reset();
  const T again = ones("sim:0", {kElements});
  EXPECT_EQ(values<float>(again), std::vector<float>(kElements, 1));
}

TEST(Memory, OfAWrongSizeIsGivenBackBeforeARequestFails) {
  Session session("sim.memory=1M");
  T low = ones("sim:0", {100000}), high = ones("sim:0", {120000});
  low.reset();
  high.reset();
  for (int64_t n : {180000, 230000}) EXPECT_TRUE(ones("sim:0", {n})) << n;
  expect_nothing_lives("sim:0");
}

TEST(Memory, OfADeviceIsReportedByIt) {
  SKIP_WITH_DEBUG_ALLOCATOR();
  Session session("sim.memory=8M");
  const T t = ones("sim:0", {1 << 18});
  const bp_device_info info = info_of(device("sim:0"));
  EXPECT_EQ(info.memory_total, 8u << 20);
  EXPECT_EQ(info.memory_used, 1u << 20);
  EXPECT_TRUE(info.flags & BP_DEVICE_SIMULATED);
}

// The debug allocator's guard bytes lie on the device as well.
TEST(Memory, WrittenPastItsEndIsSeenByTheDebugAllocator) {
  for (const bool seeded : {false, true}) {
    Session session(seeded ? "sim.overrun=2" : "", BP_INIT_NO_ENV | BP_INIT_DEBUG_ALLOCATOR);
    {
      const T t = ones("sim:0", {100});
      add(t, t);
    }
    EXPECT_EQ(memory_of(device("sim:0")).n_guard_faults, seeded ? 1u : 0u);
    EXPECT_EQ(memory_of(device("sim:0")).n_live, 0u);
  }
}

}  // namespace
