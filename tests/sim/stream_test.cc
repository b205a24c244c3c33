// SPDX-License-Identifier: Apache-2.0
// stream_test.cc: order within and between streams. The slow stream makes what a missing wait
// breaks break every time.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include "backplane.hpp"
#include "sim/works.h"

namespace bp = backplane;

namespace {

// What a program sees that forgot to order its streams; the thread sanitizer names the race, unless
// a stream's thread begins so late that it meets the program where that waits in the end, which
// orders them: on a busy machine one in three does, hence the tries.
#if defined(BP_TSAN)
constexpr int kRaceExit = 66;  // the sanitizer's exit status after a report
#define EXPECT_SEEDED_RACE(call, wrong)                   \
  {                                                       \
    GTEST_FLAG_SET(death_test_style, "threadsafe");       \
    EXPECT_EXIT(                                          \
        {                                                 \
          for (int i = 0; i < 8; ++i) (call);             \
          std::exit(0);                                   \
        },                                                \
        testing::ExitedWithCode(kRaceExit), "data race"); \
  }
#else
#define EXPECT_SEEDED_RACE(call, wrong) EXPECT_EQ(call, wrong)
#endif

constexpr int64_t kMany = 4096;

std::vector<float> host(const bp::Tensor& t) { return t.to("cpu").read<float>(); }

// Streams are numbered by their opening over all devices; opening sim:0 opens its default stream,
// number 0.
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
  quick.synchronize();
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

// With record_stream, the next owner of the block waits for the reader; without, it overwrites what
// is read.
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
TEST(Streams, ReleasedMemoryThatAnotherStreamReadsIsOverwritten) {
  EXPECT_SEEDED_RACE(read_after_release(false), 9);
}
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
  const Answer r = attempt(bp_event_record, bp::Event("sim:0").get(), s.get());
  EXPECT_EQ(r.status, BP_DEVICE_MISMATCH);
  EXPECT_TRUE(has(r.message, "sim:0") && has(r.message, "sim:1")) << r.message;
}

void make_current(const bp::Stream& s) {
  EXPECT_EQ(bp_stream_set_current(s.get(), nullptr), BP_OK);
}

TEST(Streams, AreNotGivenOutAgainWhileTheyAreCurrentSomewhere) {
  Session session("sim.device_count=1");
  bp_stream *mine = nullptr, *captured = nullptr, *pushed_over = nullptr;
  bp_context* context = nullptr;
  {
    const bp::Stream s("sim:0");
    make_current(s);
    captured = s.get();
  }
  EXPECT_EQ(bp_context_capture(&context, nullptr), BP_OK);
  {
    const bp::Stream s("sim:0");
    make_current(s);
    pushed_over = s.get();
  }
  uint64_t token = 0;
  {
    const bp::Stream s("sim:0");
    EXPECT_EQ(bp_stream_push(s.get(), &token, nullptr), BP_OK);
    mine = s.get();
  }
  EXPECT_EQ(bp::Stream::current("sim:0").get(), mine);
  const bp::Stream other("sim:0");
  for (const bp_stream* held : {mine, captured, pushed_over}) EXPECT_NE(other.get(), held);

  // Each that is current no more serves again.
  EXPECT_EQ(bp_stream_pop(token, nullptr), BP_OK);
  EXPECT_EQ(bp::Stream("sim:0").get(), mine);
  bp_context_release(context);
  const bp::Stream first("sim:0"), second("sim:0");
  EXPECT_EQ(first.get(), mine);
  EXPECT_EQ(second.get(), captured);
  bp_stream* of_thread = nullptr;
  std::thread([&] {
    const bp::Stream s("sim:0");
    make_current(s);
    of_thread = s.get();
  }).join();
  EXPECT_EQ(bp::Stream("sim:0").get(), of_thread);
  make_current(bp::Stream::default_of("sim:0"));
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

TEST(Streams, CallTheHostInTheirOrder) {
  Slow session;
  bp::Tensor x = bp::ones({kMany}, BP_F32, "sim:0");
  const bp::Stream quick("sim:0"), slow("sim:0");  // number 2 is not slow, number 1 is
  bp::synchronize("sim:0");
  for (const bp::Stream& s : {quick, slow, bp::Stream("cpu")}) {
    std::atomic<int> calls{0};
    s.host_func([](void* n) { ++*static_cast<std::atomic<int>*>(n); }, &calls);
    if (s.device() == bp::Device("cpu")) {
      EXPECT_EQ(calls, 1);
    }
    s.synchronize();
    EXPECT_EQ(calls, 1);
  }
  EXPECT_EQ(attempt(bp_stream_host_func, slow.get(), static_cast<void (*)(void*)>(nullptr),
                    static_cast<void*>(nullptr))
                .status,
            BP_INVALID_ARGUMENT);
}

TEST(Streams, OfTheCpuAreDoneAtOnce) {
  Session session;
  const bp::Stream s("cpu");
  bp::StreamGuard in(s);
  const bp::Tensor x = bp::ones({4}) + 1;
  EXPECT_TRUE(s.query());
  EXPECT_EQ(x.read<float>()[0], 2);
}

}  // namespace
