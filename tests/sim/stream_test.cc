// stream_test.cc: order within and between streams. The slow stream makes what a missing wait breaks break every time.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <vector>

#include "backplane.hpp"
#include "session.h"

namespace bp = backplane;

namespace {

// What a program sees that forgot to order its streams; the thread sanitizer names the race.
#if defined(__SANITIZE_THREAD__)
constexpr int kRaceExit = 66;  // the sanitizer's exit status after a report
#define EXPECT_SEEDED_RACE(call, wrong)                                                \
  {                                                                                    \
    GTEST_FLAG_SET(death_test_style, "threadsafe");                                    \
    EXPECT_EXIT({ (call); std::exit(0); }, testing::ExitedWithCode(kRaceExit), "data race"); \
  }
#else
#define EXPECT_SEEDED_RACE(call, wrong) EXPECT_EQ(call, wrong)
#endif

constexpr int64_t kMany = 4096;

std::vector<float> host(const bp::Tensor& t) { return t.to("cpu").read<float>(); }

// Streams are numbered by their opening over all devices; opening sim:0 opens its default stream, number 0.
struct Slow : Session {
  Slow() : Session("sim.device_count=4;sim.slow_us=100000;sim.slow_stream=1;sim.peers=1") {}
};

TEST(Streams, RunBesideEachOther) {
  Slow session;
  bp::Tensor x = bp::ones({kMany}, BP_F32, "sim:0");
  const bp::Stream slow("sim:0"), quick("sim:0");
  bp::synchronize("sim:0");
  {
    bp::StreamGuard in(slow);
    x += 1;
  }
  {
    bp::StreamGuard in(quick);
    const bp::Tensor y = bp::ones({4}, BP_F32, "sim:0");
    quick.synchronize();
  }
  EXPECT_FALSE(slow.query());
  slow.synchronize();
  EXPECT_TRUE(slow.query());
  EXPECT_EQ(host(x)[7], 2);
}

// Without the event the reader sees what was there before; with it, what the writer makes.
float seen_by_another_stream(bool waits) {
  Slow session;
  bp::Tensor x = bp::ones({kMany}, BP_F32, "sim:0");
  const bp::Stream writer("sim:0"), reader("sim:0");
  bp::synchronize("sim:0");
  bp::Tensor y;
  {
    bp::StreamGuard in(writer);
    x *= 5;
  }
  if (waits) reader.wait(writer.record());
  {
    bp::StreamGuard in(reader);
    y = x + 0;
  }
  reader.synchronize();
  bp::synchronize("sim:0");
  return host(y)[11];
}
TEST(Streams, ForgottenWaitIsSeen) { EXPECT_SEEDED_RACE(seen_by_another_stream(false), 1); }
TEST(Streams, WaitForAnEventOrdersThem) { EXPECT_EQ(seen_by_another_stream(true), 5); }

TEST(Streams, AWaitIsForTheRecordBeforeIt) {
  Slow session;
  bp::Tensor x = bp::ones({kMany}, BP_F32, "sim:0");
  const bp::Stream slow("sim:0"), quick("sim:0");
  bp::synchronize("sim:0");
  bp::Event mark("sim:0");
  EXPECT_TRUE(mark.query());
  quick.wait(mark);  // never recorded: holds nobody up
  EXPECT_TRUE(quick.query());
  {
    bp::StreamGuard in(slow);
    x += 1;
  }
  const bp::Event added = slow.record();
  mark.record(slow);
  EXPECT_FALSE(mark.query());
  quick.wait(mark);
  mark.record(quick);  // a later record does not move the wait
  quick.synchronize();
  EXPECT_TRUE(added.query());
}

// The block of a released tensor goes to the next one of its own stream, not of another.
TEST(Streams, FreedMemoryStaysInItsStream) {
  SKIP_WITH_DEBUG_ALLOCATOR();
  Session session("sim.device_count=1");
  const bp::Stream a("sim:0"), b("sim:0");
  auto address = [](const bp::Stream& s) {
    bp::StreamGuard in(s);
    const bp::Tensor t = bp::empty({kMany}, BP_F32, "sim:0");
    return t.data();
  };
  const void* first = address(a);
  EXPECT_NE(address(b), first);
  EXPECT_EQ(address(a), first);
}

// With record_stream, the next owner of the block waits for the reader; without, it overwrites what is read.
float read_after_release(bool recorded) {
  Slow session;
  const bp::Stream slow("sim:0"), owner("sim:0");
  bp::Tensor y;
  {
    bp::StreamGuard in(owner);
    bp::Tensor x = bp::full({kMany}, 3, BP_F32, "sim:0");
    owner.synchronize();
    {
      bp::StreamGuard reading(slow);
      y = x + 0;
    }
    if (recorded) slow.uses(x);
    x = bp::Tensor();
    const bp::Tensor next = bp::full({kMany}, 9, BP_F32, "sim:0");
    bp::synchronize("sim:0");
  }
  return host(y)[5];
}
TEST(Streams, ReleasedMemoryThatAnotherStreamReadsIsOverwritten) { EXPECT_SEEDED_RACE(read_after_release(false), 9); }
TEST(Streams, RecordedMemoryIsNotReusedBefore) { EXPECT_EQ(read_after_release(true), 3); }

TEST(Streams, CopiesBetweenPeersOrderBothSides) {
  Slow session;
  bp::Tensor x = bp::ones({kMany}, BP_F32, "sim:0");
  const bp::Stream slow("sim:0");
  bp::synchronize("sim:0");
  bp::StreamGuard in(slow);
  x += 6;
  const bp::Tensor y = x.to("sim:1");  // queued behind it, while nobody waits
  EXPECT_FALSE(slow.query());
  x += 100;
  EXPECT_EQ(host(y)[1], 7);
  EXPECT_EQ(host(x)[1], 107);
}

TEST(Streams, AreGivenBackAndServeAgain) {
  Session session("sim.device_count=1");
  const bp_stream* first = nullptr;
  {
    const bp::Stream s("sim:0");
    first = s.get();
  }
  EXPECT_EQ(bp::Stream("sim:0").get(), first);
  EXPECT_EQ(attempt(bp_stream_synchronize, const_cast<bp_stream*>(first)).status, BP_BAD_STATE);
}

TEST(Streams, BelongToTheirDeviceAndThread) {
  Session session("sim.device_count=2");
  const bp::Stream s("sim:1");
  EXPECT_EQ(s.device(), bp::Device("sim:1"));
  {
    bp::StreamGuard in(s);
    EXPECT_EQ(bp::Stream::current("sim:1").get(), s.get());
    EXPECT_EQ(bp::Stream::current("sim:0").get(), bp::Stream::default_of("sim:0").get());
  }
  EXPECT_EQ(bp::Stream::current("sim:1").get(), bp::Stream::default_of("sim:1").get());
  const Refusal r = attempt(bp_event_record, bp::Event("sim:0").get(), s.get());
  EXPECT_EQ(r.status, BP_DEVICE_MISMATCH);
  EXPECT_TRUE(has(r.message, "sim:0") && has(r.message, "sim:1")) << r.message;
}

TEST(Streams, TimeBetweenEventsIsMeasured) {
  Slow session;
  const bp::Stream first("sim:0"), slow("sim:0");
  bp::Tensor x = bp::ones({4}, BP_F32, "sim:0");
  bp::synchronize("sim:0");
  const bp::Event start = first.record();
  {
    bp::StreamGuard in(first);
    x += 1;
  }
  EXPECT_GE(start.elapsed_to(first.record()), 100.0);
}

TEST(Streams, OfTheCpuAreDoneAtOnce) {
  Session session;
  const bp::Stream s("cpu");
  bp::StreamGuard in(s);
  const bp::Tensor x = bp::ones({4}) + 1;
  EXPECT_TRUE(s.query());
  EXPECT_EQ(x.read<float>()[0], 2);
}

// Allocations, kernels, copies and frees at random over 4 devices x 4 streams give what a serial program gives. Each slot
// is used by one stream after another, ordered by events as a careful program does.
class Interleaving : public testing::TestWithParam<int> {};
TEST_P(Interleaving, EqualsASerialReference) {
  Session session("sim.device_count=4;sim.peers=" + std::string(GetParam() % 2 ? "1" : "0"));
  constexpr int kDevices = 4, kStreams = 4, kSlots = 12;
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  auto name = [](int d) { return bp::Device("sim:" + std::to_string(d)); };
  std::vector<std::vector<bp::Stream>> streams(kDevices);
  for (int d = 0; d < kDevices; ++d)
    for (int s = 0; s < kStreams; ++s) streams[d].emplace_back(name(d));
  struct Slot {
    bp::Tensor tensor;
    std::vector<float> expected;
    int device = 0;
    std::shared_ptr<bp::Event> ready;
  };
  std::vector<Slot> slots(kSlots);
  for (int step = 0; step < INTERLEAVING_STEPS; ++step) {
    Slot& slot = slots[static_cast<size_t>(pick(kSlots))];
    const int what = slot.tensor ? pick(5) : 0;
    const int device = what == 0 ? pick(kDevices) : slot.device;
    const bp::Stream& s = streams[static_cast<size_t>(device)][static_cast<size_t>(pick(kStreams))];
    bp::StreamGuard in(s);
    if (what != 0) s.wait(*slot.ready);
    if (what == 0) {
      const int n = 16 << pick(6), value = pick(1000);
      slot = {bp::full({n}, value, BP_F32, name(device)), std::vector<float>(static_cast<size_t>(n), static_cast<float>(value)),
              device, nullptr};
    } else if (what == 1) {
      s.uses(slot.tensor);
      slot.tensor += 1;
      for (float& x : slot.expected) x += 1;
    } else if (what == 2) {
      s.uses(slot.tensor);
      slot.tensor = slot.tensor * 2 - 3;
      for (float& x : slot.expected) x = x * 2 - 3;
    } else if (what == 3) {
      s.uses(slot.tensor);
      const int to = (device + 1 + pick(kDevices - 1)) % kDevices;
      const bp::Stream& lands = streams[static_cast<size_t>(to)][static_cast<size_t>(pick(kStreams))];
      bp::StreamGuard there(lands);
      slot.tensor = slot.tensor.to(name(to));
      slot.device = to;
      slot.ready = std::make_shared<bp::Event>(lands.record());
      continue;
    } else {
      ASSERT_EQ(host(slot.tensor), slot.expected) << "step " << step;
      slot = Slot{};
      continue;
    }
    slot.ready = std::make_shared<bp::Event>(s.record());
  }
  for (int d = 0; d < kDevices; ++d) bp::synchronize(name(d));
  for (const Slot& slot : slots)
    if (slot.tensor) {
      EXPECT_EQ(host(slot.tensor), slot.expected);
    }
}
INSTANTIATE_TEST_SUITE_P(Seed, Interleaving, testing::Range(0, 10));

}  // namespace
