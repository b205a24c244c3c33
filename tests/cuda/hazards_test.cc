// SPDX-License-Identifier: Apache-2.0
// Work of unordered streams that touches the same bytes is a fault that names both works; each way
// of ordering it is not.
#include <cstring>
#include <functional>

#include "runtime_test.h"

namespace {

// Two streams, a block, and what lies between the works.
struct Scene {
  cudaStream_t a = stream(), b = stream();
  char* p = block(4096);
  char* h = pinned(4096);
  cudaEvent_t e = event();
};
using Step = std::function<void(Scene&)>;
struct Ordering {
  const char* what;
  Step between;
  bool orders;
};
void nothing(Scene&) {}

void fill_in(Scene& s, cudaStream_t in) { OK(launch("fill", s.p, in)); }

TEST(Hazards, AreWhatNothingOrders) {
  const Ordering orderings[] = {
      {"nothing", nothing, false},
      {"an event and who waits for it",
       [](Scene& s) {
         OK(cudaEventRecord(s.e, s.a));
         OK(cudaStreamWaitEvent(s.b, s.e, 0));
       },
       true},
      {"an event that is never waited for", [](Scene& s) { OK(cudaEventRecord(s.e, s.a)); }, false},
      {"a wait for an event that was never recorded",
       [](Scene& s) { OK(cudaStreamWaitEvent(s.b, s.e, 0)); }, false},
      {"an event that was recorded again, elsewhere",
       [](Scene& s) {
         OK(cudaEventRecord(s.e, s.a));
         OK(cudaEventRecord(s.e, s.b));
         OK(cudaStreamWaitEvent(s.b, s.e, 0));
       },
       false},
      {"an event through a third stream",
       [](Scene& s) {
         const cudaStream_t c = stream();
         OK(cudaEventRecord(s.e, s.a));
         OK(cudaStreamWaitEvent(c, s.e, 0));
         OK(cudaEventRecord(s.e, c));
         OK(cudaStreamWaitEvent(s.b, s.e, 0));
       },
       true},
      {"the host, which waits for the stream", [](Scene& s) { OK(cudaStreamSynchronize(s.a)); },
       true},
      {"the host, which waits for the other stream",
       [](Scene& s) { OK(cudaStreamSynchronize(s.b)); }, false},
      {"the host, which waits for the device", [](Scene&) { OK(cudaDeviceSynchronize()); }, true},
      {"the host, which waits for an event",
       [](Scene& s) {
         OK(cudaEventRecord(s.e, s.a));
         OK(cudaEventSynchronize(s.e));
       },
       true},
      {"the host, which asks an event until it is done",
       [](Scene& s) {
         OK(cudaEventRecord(s.e, s.a));
         while (cudaEventQuery(s.e) == cudaErrorNotReady) (void)cudaGetLastError();
       },
       true},
      {"the host, which asks the stream until it is done",
       [](Scene& s) {
         while (cudaStreamQuery(s.a) == cudaErrorNotReady) (void)cudaGetLastError();
       },
       true},
      {"a block that is freed", [](Scene&) { OK(cudaFree(block(4))); }, true},
      {"a copy to pageable memory",
       [](Scene& s) {
         int word = 0;
         OK(cudaMemcpyAsync(&word, s.p, 4, cudaMemcpyDeviceToHost, s.a));
       },
       true},
      {"a host function that tells the host",
       [](Scene& s) {
         std::promise<void> told;
         OK(cudaLaunchHostFunc(
             s.a, [](void* t) { static_cast<std::promise<void>*>(t)->set_value(); }, &told));
         told.get_future().wait();
       },
       true},
  };
  for (const Ordering& o : orderings) {
    Machine machine("hazards are what the machine alone sees");
    Scene s;
    fill_in(s, s.a);
    o.between(s);
    fill_in(s, s.b);
    EXPECT_CODE(o.orders ? cudaSuccess : cudaErrorLaunchFailure, cudaDeviceSynchronize()) << o.what;
  }
}

TEST(Hazards, OfTheDefaultStreamAreThoseOfStreamsThatDoNotWaitForIt) {
  for (const bool blocking : {true, false})
    for (const bool first : {true, false}) {
      Machine machine("hazards are what the machine alone sees");
      Scene s;
      const cudaStream_t other = stream(blocking ? cudaStreamDefault : cudaStreamNonBlocking);
      fill_in(s, first ? nullptr : other);
      fill_in(s, first ? other : nullptr);
      EXPECT_CODE(blocking ? cudaSuccess : cudaErrorLaunchFailure, cudaDeviceSynchronize())
          << blocking << first;
    }
}

TEST(Hazards, AreBetweenEveryTwoWorksOfWhichOneWrites) {
  struct Doing {
    const char* what;
    bool writes;
    std::function<void(Scene&, cudaStream_t)> run;
  };
  const Doing works[] = {
      {"kernel fill", true, fill_in},
      {"kernel look", false, [](Scene& s, cudaStream_t in) { OK(launch("look", s.p, in)); }},
      {"memset of 64 bytes", true,
       [](Scene& s, cudaStream_t in) { OK(cudaMemsetAsync(s.p, 0, 64, in)); }},
      {"copy of 128 bytes", true,
       [](Scene& s, cudaStream_t in) {
         const char data[128] = {};
         OK(cudaMemcpyAsync(s.p, data, 128, cudaMemcpyHostToDevice, in));
       }},
      {"copy of 32 bytes", false,
       [](Scene& s, cudaStream_t in) {
         OK(cudaMemcpyAsync(pinned(32), s.p, 32, cudaMemcpyDeviceToHost, in));
       }},
  };
  for (const Doing& first : works)
    for (const Doing& second : works) {
      Machine machine("hazards are what the machine alone sees");
      Scene s;
      OK(cudaMemset(s.p, 0, 4096));
      OK(cudaDeviceSynchronize());
      first.run(s, s.a);
      second.run(s, s.b);
      const cudaError_t e = cudaDeviceSynchronize();
      EXPECT_CODE(first.writes || second.writes ? cudaErrorLaunchFailure : cudaSuccess, e);
      if (e != cudaErrorLaunchFailure) continue;
      const std::string text = cudaGetErrorString(e);  // either may have run first
      for (const std::string& words :
           {std::string(first.what) + " in stream", std::string(second.what) + " in stream",
            std::string("into the block of 4096 bytes"), std::string("nothing orders the two")})
        EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
    }
}

TEST(Hazards, AreNotBetweenDifferentBytes) {
  Machine machine("hazards are what the machine alone sees");
  Scene s;
  char* q = block(64);
  fill_in(s, s.a);
  OK(cudaMemsetAsync(q, 0, 64, s.b));
  OK(cudaMemsetAsync(s.p + 2048, 0, 64, s.b));
  OK(cudaDeviceSynchronize());
}

TEST(Hazards, AreSeenInPinnedMemory) {
  Machine machine("hazards are what the machine alone sees");
  Scene s;
  OK(cudaMemset(s.p, 0, 4096));
  OK(cudaDeviceSynchronize());
  OK(cudaMemcpyAsync(s.h, s.p, 64, cudaMemcpyDeviceToHost, s.a));
  OK(cudaMemcpyAsync(s.h, s.p, 64, cudaMemcpyDeviceToHost, s.b));
  EXPECT_CODE(cudaErrorLaunchFailure, cudaDeviceSynchronize());
}

TEST(Hazards, EndWithTheBlock) {
  Machine machine{{"MEMORY", "8K"}};
  const cudaStream_t a = stream(), b = stream();
  for (int k = 0; k < 50; ++k) {  // until the same address comes again
    char* p = block(8000);
    OK(cudaMemsetAsync(p, 0, 64, k % 2 ? a : b));
    OK(cudaFree(p));
  }
  OK(cudaDeviceSynchronize());
}

TEST(Hazards, AreNotLookedForWhenTheyAreTurnedOff) {
  Machine machine{{"HAZARDS", "0"}};
  Scene s;
  fill_in(s, s.a);
  fill_in(s, s.b);
  OK(cudaDeviceSynchronize());
}

}  // namespace
