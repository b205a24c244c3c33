// SPDX-License-Identifier: Apache-2.0
// Sums over devices when the library is missing or fails (fake_nccl.cc).
#include <algorithm>
#include <thread>

#include "backplane.hpp"
#include "kit/report.h"
#include "sim/fake_nccl.h"

namespace bp = backplane;

namespace {

std::string cause() {
  const Entry entry = entry_of("sim");
  EXPECT_EQ(entry.status, BP_OK);
  EXPECT_EQ(entry.cause.empty(), entry.remedy.empty());
  return entry.cause;
}

void expect_ring(const std::string& why) {
  EXPECT_EQ(cause(), "") << "nobody has asked for a sum yet";
  const std::vector<T> parts = on_devices(2, BP_F32, {5});
  ASSERT_EQ(sum(parts).message, "");
  expect_reduced(parts);
  EXPECT_EQ(cause(),
            why.empty() ? "" : "sums over sim:0, sim:1 go around a ring of copies: " + why);
}

struct Absence {
  std::string nccl, why;
};

TEST(CollectiveLibrary, ThatIsNotThereLeavesTheRingAndAReason) {
  const Absence kAbsences[] = {
      {"", ""},
      {"off", "NCCL is switched off"},
      {"/nowhere/libnccl.so.2",
       "NCCL cannot be opened: /nowhere/libnccl.so.2: cannot open shared object file: No such file or directory"},
      {"libm.so.6", "NCCL lacks the function ncclGetVersion in libm.so.6"},
      {nccl("nccl_incomplete"),
       "NCCL lacks the function ncclGroupEnd in " + nccl("nccl_incomplete")},
  };
  for (const Absence& a : kAbsences) {
    Session session("sim.nccl=" + a.nccl);
    expect_ring(a.why);
  }
}

TEST(CollectiveLibrary, OfAnotherInterfaceIsNotUsed) {
  const Fake fake;
  fake.set("fake_version", 30001);
  Session session(fake.options());
  expect_ring("NCCL 3.0.1 in " + nccl() + " has another interface than version 2");
  EXPECT_EQ(fake.exchanges(), 0);
}

TEST(CollectiveLibrary, IsNotOpenedBeforeTheFirstSum) {
  Session session("sim.nccl=/nowhere/libnccl.so.2");
  expect_works("sim:0");
  EXPECT_EQ(sum(on_devices(1, BP_F32, {5})).message, "");
  EXPECT_EQ(cause(), "");
}

TEST(CollectiveStart, ThatFailsIsSaidOnceAndNotTriedAgain) {
  const Fake fake;
  fake.fail_next("ncclCommInitAll", 1);
  const std::string why =
      "sums over sim:0, sim:1 go around a ring of copies: sim: ncclCommInitAll failed: unhandled cuda error (1): the fake's "
      "last words";
  Session session(fake.options());
  for (int i = 0; i < 3; ++i) {
    const std::vector<T> parts = on_devices(2, BP_F32, {5});
    ASSERT_EQ(sum(parts).message, "");
    expect_reduced(parts);
    EXPECT_EQ(cause(), why);
  }
  EXPECT_EQ(fake.made(), 0);
  const std::vector<T> others = on_devices(3, BP_F32, {5});
  ASSERT_EQ(sum(others).message, "");
  expect_reduced(others);
  EXPECT_EQ(fake.made(), 1) << "other devices are served";
  EXPECT_EQ(session.logged(2, 3), std::vector<std::string>{"sim: " + why});
  const std::vector<std::string> infos = session.logged(1, 1);
  EXPECT_EQ(std::count(infos.begin(), infos.end(),
                       "sim: sums over sim:0, sim:1, sim:2 go through NCCL 2.21.5"),
            1);
}

struct Failure {
  const char *function, *said;
};

TEST(CollectiveExchange, ThatFailsIsAnErrorAndTheNextOneWorks) {
  const Failure kFailures[] = {
      {"ncclGroupStart", "sim: ncclGroupStart failed: unhandled cuda error (1)"},
      {"ncclAllReduce", "sim: ncclAllReduce failed: unhandled cuda error (1)"},
      {"ncclGroupEnd", "sim: ncclGroupEnd failed: unhandled cuda error (1)"},
      {"ncclCommGetAsyncError", "sim: an exchange failed: unhandled cuda error (1)"},
  };
  for (const Failure& f : kFailures) {
    const Fake fake;
    Session session(fake.options());
    fake.fail_next(f.function);
    const Answer r = sum(on_devices(2, BP_F32, {5}));
    EXPECT_EQ(r.status, BP_INTERNAL);
    EXPECT_EQ(r.message,
              "all_reduce over sim:0, sim:1: " + std::string(f.said) +
                  ": the fake's last words (BACKPLANE_COLLECTIVES=ring sums by copies instead)");
    EXPECT_EQ(fake.aborted(), 2) << f.function;
    const std::vector<T> parts = on_devices(2, BP_F32, {5});
    EXPECT_EQ(sum(parts).message, "") << f.function;
    expect_reduced(parts);
    EXPECT_EQ(fake.made(), 2) << f.function;
    EXPECT_EQ(cause(), "");
  }
}

TEST(CollectiveExchange, ThatFailedWhileItRanIsMetByTheNext) {
  const Fake fake;
  Session session(fake.options());
  ASSERT_EQ(sum(on_devices(2, BP_F32, {5})).message, "");
  fake.set("fake_async", 1);
  EXPECT_TRUE(
      has(sum(on_devices(2, BP_F32, {5})).message, "an exchange failed: unhandled cuda error (1)"));
  fake.set("fake_async", 0);
  const std::vector<T> parts = on_devices(2, BP_F32, {5});
  ASSERT_EQ(sum(parts).message, "");
  expect_reduced(parts);
}

// The first device's part is queued, and waits for the second's, which is not.
TEST(CollectiveExchange, ThatBeganOnSomeDevicesIsGivenUp) {
  const Fake fake;
  Session session(fake.options("sim.fail_launch=4"));  // two fills, then the exchange
  const std::vector<T> parts = on_devices(2, BP_F32, {5});
  int tries = 0;
  Answer r = sum(parts);
  while (r.status == BP_OK && ++tries < 4) r = sum(parts);
  EXPECT_TRUE(has(r.message, "ncclGroupEnd failed: unhandled cuda error (1)")) << r.message;
  EXPECT_EQ(fake.aborted(), 2);
  expect_works("sim:0");
  expect_works("sim:1");
}

// One device is lost while its part would run; the other's part waits for it.
size_t lose_one(const std::vector<T>& parts) {
  EXPECT_EQ(sum(parts).message, "");
  for (;;)
    for (size_t i = 0; i < 2; ++i)
      if (attempt(bp_stream_query, bp::Stream::current(bp::Device::from_value(sim(i))).get())
              .status == BP_DEVICE_LOST)
        return i;
}

constexpr char kLoses[] = "sim.fail_kernel=1";  // the first to run: tensors are made by copies

TEST(CollectiveDevice, ThatIsLostDoesNotHoldTheOthers) {
  const Fake fake;
  Session session(fake.options(kLoses));
  const std::vector<T> parts = on_devices(2, BP_F32, {5});
  const size_t lost = lose_one(parts);
  EXPECT_EQ(fake.aborted(), 2) << "as soon as it is known";
  const std::string other = "sim:" + std::to_string(1 - lost);
  EXPECT_EQ(synchronize(other).status, BP_OK);
  expect_works(other);
  const Answer r = sum(parts);
  EXPECT_EQ(r.status, BP_DEVICE_LOST);
  EXPECT_TRUE(has(r.message, "sim:" + std::to_string(lost))) << r.message;
  EXPECT_EQ(fake.made(), 1) << "none is made with a device that is lost";
  EXPECT_EQ(cause(), "");
}

TEST(CollectiveDevice, ThatIsLostUnseenDoesNotHoldTheShutdown) {
  for (const int64_t timeout : {int64_t{-1}, int64_t{20} * 1000000000}) {
    const Fake fake;
    Session session(fake.options(kLoses));
    const std::vector<T> parts = on_devices(2, BP_F32, {5});
    ASSERT_EQ(sum(parts).message, "");
    EXPECT_EQ(bp_shutdown(timeout, nullptr), BP_OK);
    EXPECT_EQ(fake.aborted(), 2);
  }
}

TEST(CollectiveDevice, ThatIsLostBeforeIsNamed) {
  const Fake fake;
  Session session(fake.options(kLoses));
  const std::vector<T> parts = on_devices(2, BP_F32, {5});
  add(parts[1], parts[1]);
  EXPECT_EQ(synchronize("sim:1").status, BP_DEVICE_LOST);
  const Answer r = sum(parts);
  EXPECT_EQ(r.status, BP_DEVICE_LOST);
  EXPECT_TRUE(has(r.message, "sim:1 failed earlier: ")) << r.message;
  expect_works("sim:0");
}

}  // namespace
