// SPDX-License-Identifier: Apache-2.0
// The caching allocator over a backend that counts, remembers and fails on demand.
#include "core/memory/pool.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "unit/memory/fake_memory.h"
#include "unit/thrown.h"

namespace bp {
namespace {

std::string error_of(MemoryPool& pool, uint64_t bytes, bp_status status) {
  return bp_test::thrown([&] { pool.allocate(bytes); }, status);
}

TEST(MemoryPool, GivesNothingForNothing) {
  FakeMemory raw;
  MemoryPool pool(raw, kNoLimit, /*debug=*/false);
  EXPECT_EQ(pool.allocate(0), nullptr);
  pool.free(nullptr, 0);
  EXPECT_EQ(pool.stats().n_allocations, 0u);
  EXPECT_EQ(raw.n_allocated, 0);
}

TEST(MemoryPool, AlignsAndReusesTheBlockThatWasFreedLast) {
  FakeMemory raw;
  MemoryPool pool(raw, kNoLimit, /*debug=*/false);
  for (const uint64_t n :
       {uint64_t{1}, uint64_t{64}, uint64_t{1000}, uint64_t{5000}, kMiB, 16 * kMiB, 20 * kMiB}) {
    void* a = pool.allocate(n);
    void* b = pool.allocate(n);
    ASSERT_NE(a, b);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(a) % 64, 0u);
    std::memset(a, 1, n);
    pool.free(b, n);
    pool.free(a, n);
    EXPECT_EQ(pool.allocate(n), a) << n;
    EXPECT_EQ(pool.allocate(n), b) << n;
    pool.free(a, n);
    pool.free(b, n);
  }
  EXPECT_EQ(raw.n_allocated, 12);  // 1 and 64 bytes are one class
  EXPECT_EQ(raw.n_released, 0);
}

TEST(MemoryPool, NeverHandsOneBlockOutTwice) {
  FakeMemory raw;
  MemoryPool pool(raw, 4 * kMiB, /*debug=*/false);
  std::mt19937 random(1);
  struct Live {
    unsigned char* p;
    uint64_t n;
    unsigned char mark;
  };
  std::vector<Live> live;
  std::set<void*> out;
  for (int i = 0; i < 20000; ++i) {
    if (live.size() < 50 || random() % 2) {
      const uint64_t n = 1 + random() % (random() % 8 ? 2000 : 200000);
      auto* p = static_cast<unsigned char*>(pool.allocate(n));
      ASSERT_TRUE(out.insert(p).second);
      live.push_back({p, n, static_cast<unsigned char>(i)});
      p[0] = p[n - 1] = live.back().mark;
    } else {
      std::swap(live[random() % live.size()], live.back());
      const Live b = live.back();
      live.pop_back();
      ASSERT_EQ(b.p[0], b.mark);
      ASSERT_EQ(b.p[b.n - 1], b.mark);
      out.erase(b.p);
      pool.free(b.p, b.n);
      ASSERT_LE(pool.stats().cached_bytes, 4 * kMiB);
    }
  }
  EXPECT_EQ(pool.stats().n_live, live.size());
  for (const Live& b : live) pool.free(b.p, b.n);
}

TEST(MemoryPool, FitsLargeBlocksWithinAnEighth) {
  FakeMemory raw;
  MemoryPool pool(raw, kNoLimit, /*debug=*/false);
  void* a = pool.allocate(64 * kMiB);
  void* b = pool.allocate(72 * kMiB);
  pool.free(a, 64 * kMiB);
  pool.free(b, 72 * kMiB);
  void* best = pool.allocate(60 * kMiB);  // 64 is the smaller one that does
  EXPECT_EQ(best, a);
  EXPECT_EQ(pool.stats().allocated_bytes, 64 * kMiB);
  void* other = pool.allocate(50 * kMiB);  // 72 would waste too much
  EXPECT_NE(other, b);
  pool.free(other, 50 * kMiB);
  pool.free(best, 60 * kMiB);  // comes back with its real size
  EXPECT_EQ(pool.stats().allocated_bytes, 0u);
  EXPECT_EQ(pool.stats().cached_bytes, (64 + 72 + 50) * kMiB);
  EXPECT_EQ(pool.allocate(64 * kMiB), a);
  pool.free(a, 64 * kMiB);
}

TEST(MemoryPool, CountsExactly) {
  FakeMemory raw;
  MemoryPool pool(raw, kNoLimit, /*debug=*/false);
  void* a = pool.allocate(100);
  void* b = pool.allocate(kMiB);
  pool.free(a, 100);
  bp_memory_stats s = pool.stats();
  EXPECT_EQ(s.struct_size, sizeof s);
  EXPECT_EQ(s.allocated_bytes, kMiB);
  EXPECT_EQ(s.peak_allocated_bytes, kMiB + 128);
  EXPECT_EQ(s.cached_bytes, 128u);
  EXPECT_EQ(s.limit_bytes, kNoLimit);
  EXPECT_EQ(s.n_allocations, 2u);
  EXPECT_EQ(s.n_frees, 1u);
  EXPECT_EQ(s.n_live, 1u);
  EXPECT_EQ(s.n_backend_allocations, 2u);
  EXPECT_EQ(s.n_backend_frees, 0u);
  EXPECT_EQ(s.n_guard_faults, 0u);
  pool.reset_peak();
  EXPECT_EQ(pool.stats().peak_allocated_bytes, kMiB);
  pool.free(b, kMiB);
  pool.free(pool.allocate(100), 100);
  EXPECT_EQ(pool.stats().peak_allocated_bytes, kMiB);
  pool.trim();
  s = pool.stats();
  EXPECT_EQ(s.cached_bytes, 0u);
  EXPECT_EQ(s.n_backend_frees, 2u);
  EXPECT_EQ(raw.bytes, 0u);
}

TEST(MemoryPool, KeepsTheCacheBelowItsLimitAndEvictsTheOldest) {
  FakeMemory raw;
  MemoryPool pool(raw, 3 * kMiB, /*debug=*/false);
  void* blocks[5];
  for (void*& p : blocks) p = pool.allocate(kMiB);
  void* small = pool.allocate(64);
  pool.free(small, 64);  // the oldest of the cache
  for (void* p : blocks) {
    pool.free(p, kMiB);
    EXPECT_LE(pool.stats().cached_bytes, 3 * kMiB);
  }
  EXPECT_EQ(pool.stats().cached_bytes, 3 * kMiB);
  EXPECT_EQ(raw.n_released, 3);
  for (int i = 4; i >= 2; --i) EXPECT_EQ(pool.allocate(kMiB), blocks[i]);
  for (int i = 2; i <= 4; ++i) pool.free(blocks[i], kMiB);
  // A block beyond the whole limit goes back at once and pushes nothing out.
  for (const uint64_t big : {4 * kMiB, 20 * kMiB}) {
    pool.free(pool.allocate(big), big);
    EXPECT_EQ(pool.stats().cached_bytes, 3 * kMiB);
  }
  pool.set_limit(kMiB);
  EXPECT_EQ(pool.stats().cached_bytes, kMiB);
  EXPECT_EQ(pool.stats().limit_bytes, kMiB);
}

TEST(MemoryPool, EvictsByAgeAcrossSizes) {
  FakeMemory raw;
  MemoryPool pool(raw, 60 * kMiB, /*debug=*/false);
  const uint64_t sizes[] = {18 * kMiB, kMiB, 20 * kMiB, 22 * kMiB};
  void* p[4];
  for (int i = 0; i < 4; ++i) p[i] = pool.allocate(sizes[i]);
  for (int i = 0; i < 4; ++i) pool.free(p[i], sizes[i]);  // one too many by a MiB: the first goes
  EXPECT_EQ(raw.blocks.count(p[0]), 0u);
  EXPECT_EQ(pool.stats().cached_bytes, 43 * kMiB);
  pool.set_limit(42 * kMiB);  // then the second, though it is small
  EXPECT_EQ(raw.blocks.count(p[1]), 0u);
  EXPECT_EQ(pool.stats().cached_bytes, 42 * kMiB);
  pool.set_limit(41 * kMiB);
  EXPECT_EQ(raw.blocks.count(p[2]), 0u);
  EXPECT_EQ(pool.stats().cached_bytes, 22 * kMiB);
}

TEST(MemoryPool, CachesNothingUnderALimitOfZero) {
  FakeMemory raw;
  MemoryPool pool(raw, kNoLimit, /*debug=*/false);
  void* kept = pool.allocate(64);
  pool.free(pool.allocate(kMiB), kMiB);
  pool.set_limit(0);
  EXPECT_EQ(pool.stats().cached_bytes, 0u);
  for (const uint64_t n : {uint64_t{64}, kMiB, 32 * kMiB}) {
    pool.free(pool.allocate(n), n);
    EXPECT_EQ(pool.stats().cached_bytes, 0u);
  }
  pool.free(kept, 64);
  EXPECT_EQ(raw.bytes, 0u);
}

TEST(MemoryPool, TrimsAndRetriesWhenTheBackendIsFull) {
  FakeMemory raw;
  raw.capacity = 10 * kMiB;
  MemoryPool pool(raw, kNoLimit, /*debug=*/false);
  void* a = pool.allocate(4 * kMiB);
  void* b = pool.allocate(4 * kMiB);
  pool.free(a, 4 * kMiB);
  pool.free(b, 4 * kMiB);
  void* big = pool.allocate(8 * kMiB);
  EXPECT_EQ(pool.stats().cached_bytes, 0u);
  pool.free(big, 8 * kMiB);
}

TEST(MemoryPool, ReportsExhaustionWithItsFigures) {
  FakeMemory raw;
  raw.capacity = 30 * kMiB;
  raw.on_host = false;
  MemoryPool pool(raw, kNoLimit, /*debug=*/false);
  void* live = pool.allocate(16 * kMiB);
  for (const uint64_t n : {3 * kMiB, 2 * kMiB}) pool.free(pool.allocate(n), n);
  EXPECT_EQ(error_of(pool, 20 * kMiB, BP_OUT_OF_DEVICE_MEMORY),
            "cuda:0 out of memory. Tried to allocate 20.00 MiB. 16.00 MiB are allocated in 1 "
            "blocks (a profile names their holders), 5.00 MiB were "
            "cached (largest free block 3.00 MiB) and were given back first. The backend says: no "
            "room for 20971520 "
            "bytes");
  EXPECT_EQ(pool.stats().n_live, 1u);
  EXPECT_EQ(pool.stats().allocated_bytes, 16 * kMiB);
  void* after = pool.allocate(10 * kMiB);  // goes on working
  pool.free(after, 10 * kMiB);
  pool.free(live, 16 * kMiB);
  raw.on_host = true;
  raw.capacity = 0;
  pool.trim();
  EXPECT_EQ(error_of(pool, 100, BP_OUT_OF_HOST_MEMORY),
            "cuda:0 out of memory. Tried to allocate 128 bytes. 0 bytes are allocated in 0 blocks "
            "(a profile names their holders), 0 bytes were "
            "cached (largest free block 0 bytes) and were given back first. The backend says: no "
            "room for 128 bytes");
}

TEST(MemoryPool, RefusesSizesThatNoMachineHas) {
  FakeMemory raw;
  for (const bool debug : {false, true}) {
    MemoryPool pool(raw, kNoLimit, debug);
    for (const uint64_t n : {UINT64_MAX, UINT64_MAX - 1, UINT64_MAX / 2, (uint64_t{1} << 62) + 1})
      EXPECT_NE(error_of(pool, n, BP_OUT_OF_HOST_MEMORY), "no error");
  }
  EXPECT_EQ(raw.n_allocated, 0);
}

TEST(MemoryPool, PassesOtherFailuresOnAndSurvivesTheFailureOfAnyCall) {
  FakeMemory raw;
  MemoryPool pool(raw, kNoLimit, /*debug=*/false);
  raw.failure = BP_DEVICE_LOST;
  raw.fail_at = 0;
  EXPECT_EQ(error_of(pool, 100, BP_DEVICE_LOST), "no room for 128 bytes");
  raw.failure = BP_OUT_OF_DEVICE_MEMORY;
  for (int k = 0; k < 6; ++k) {
    raw.fail_at = raw.n_allocated + k % 3;  // one failure: the retry helps
    std::vector<void*> got;
    for (int i = 0; i < 3; ++i)
      got.push_back(pool.allocate(1000 + 1000 * static_cast<uint64_t>(k)));
    for (void* p : got) pool.free(p, 1000 + 1000 * static_cast<uint64_t>(k));
  }
  EXPECT_EQ(pool.stats().n_live, 0u);
}

TEST(MemoryPool, LeavesLiveBlocksAloneWhenDestroyed) {
  FakeMemory raw;
  void* live;
  {
    MemoryPool pool(raw, kNoLimit, /*debug=*/false);
    live = pool.allocate(1000);
    pool.free(pool.allocate(5000), 5000);
  }
  EXPECT_EQ(raw.blocks.size(), 1u);
  raw.release(live, 1024);
}

TEST(MemoryPool, IsExactAfterManyThreads) {
  FakeMemory raw;
  MemoryPool pool(raw, 2 * kMiB, /*debug=*/false);
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::pair<unsigned char*, uint64_t>> live;
    for (int i = 0; i < 20000; ++i) {
      if (live.size() < 20 && random() % 2) {
        const uint64_t n = random() % 500 ? 1 + random() % 3000 : 17 * kMiB + random() % (8 * kMiB);
        auto* p = static_cast<unsigned char*>(pool.allocate(n));
        p[0] = p[n - 1] = static_cast<unsigned char>(seed);
        live.emplace_back(p, n);
      } else if (!live.empty()) {
        std::swap(live[random() % live.size()], live.back());
        const auto [p, n] = live.back();
        live.pop_back();
        ASSERT_EQ(p[0], static_cast<unsigned char>(seed));
        ASSERT_EQ(p[n - 1], static_cast<unsigned char>(seed));
        pool.free(p, n);
      }
      if (i % 1000 == 0) pool.trim();
      if (i % 777 == 0) pool.stats();
    }
    for (const auto& [p, n] : live) pool.free(p, n);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i <= 8; ++i) threads.emplace_back(work, i);
  for (auto& t : threads) t.join();
  const bp_memory_stats s = pool.stats();
  EXPECT_EQ(s.n_live, 0u);
  EXPECT_EQ(s.n_allocations, s.n_frees);
  EXPECT_EQ(s.allocated_bytes, 0u);
  EXPECT_LE(s.cached_bytes, 2 * kMiB);
  EXPECT_EQ(s.cached_bytes, raw.bytes);
  EXPECT_EQ(s.n_backend_allocations, static_cast<uint64_t>(raw.n_allocated));
  EXPECT_EQ(s.n_backend_frees, static_cast<uint64_t>(raw.n_released));
}

TEST(MemoryPool, DoesNotFaultPagesInAgainOnReuse) {
  FakeMemory raw;
  MemoryPool pool(raw, kNoLimit, /*debug=*/false);
  const auto cycle = [&] {
    void* p = pool.allocate(64 * kMiB);
    std::memset(p, 1, 64 * kMiB);
    pool.free(p, 64 * kMiB);
  };
  const auto faults = [] {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
  };
  cycle();
  const auto before = faults();
  for (int i = 0; i < 20; ++i) cycle();
  EXPECT_LT(faults() - before, 1000);  // one pass over 64 MiB alone takes 16384 with 4 KiB pages
}

// ---- the debug mode ----

TEST(DebugPool, PoisonsAndNeverReuses) {
  FakeMemory raw;
  MemoryPool pool(raw, kNoLimit, /*debug=*/true);
  auto* p = static_cast<unsigned char*>(pool.allocate(100));
  EXPECT_EQ(reinterpret_cast<uintptr_t>(p) % 64, 0u);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(p[i], 0xCB);
  EXPECT_EQ(pool.stats().allocated_bytes, 100u);
  pool.free(p, 100);
  EXPECT_EQ(raw.bytes, 0u);
  EXPECT_EQ(pool.stats().cached_bytes, 0u);
  EXPECT_EQ(pool.stats().n_guard_faults, 0u);
}

TEST(DebugPool, CountsEachBlockWrittenOutsideItself) {
  FakeMemory raw;
  MemoryPool pool(raw, kNoLimit, /*debug=*/true);
  const uint64_t n = 100;
  uint64_t faults = 0;
  for (const int64_t at : {int64_t{-64}, int64_t{-1}, int64_t{100}, int64_t{127}, int64_t{163}}) {
    auto* p = static_cast<unsigned char*>(pool.allocate(n));
    p[at] = 7;
    pool.free(p, n);
    EXPECT_EQ(pool.stats().n_guard_faults, ++faults) << at;
  }
  for (const uint64_t big : {uint64_t{64}, kMiB, 20 * kMiB}) {
    auto* p = static_cast<unsigned char*>(pool.allocate(big));
    p[0] = p[big - 1] = 7;
    pool.free(p, big);
    EXPECT_EQ(pool.stats().n_guard_faults, faults);
  }
}

TEST(DebugPool, CountsWrongFrees) {
  FakeMemory raw;
  MemoryPool pool(raw, kNoLimit, /*debug=*/true);
  void* p = pool.allocate(100);
  pool.free(p, 99);
  EXPECT_EQ(pool.stats().n_guard_faults, 1u);
  pool.free(p, 100);  // twice
  EXPECT_EQ(pool.stats().n_guard_faults, 2u);
  EXPECT_EQ(pool.stats().n_live, 0u);
}

// What the host cannot reach is filled and checked through the backend's copies alone: the
// addresses of this one are nowhere, its bytes lie at a distance.
struct FarMemory final : RawMemory {
  static constexpr uintptr_t kDistance = uintptr_t{1} << 60;
  void* allocate(uint64_t n) override { return far(std::aligned_alloc(64, (n + 63) / 64 * 64)); }
  void release(void* p, uint64_t) noexcept override { std::free(near(p)); }
  bool host_accessible() const override { return false; }
  const char* name() const override { return "cuda:0"; }
  void write(void* to, const void* from, uint64_t n) noexcept override {
    std::memcpy(near(to), from, n);
  }
  void read(void* to, const void* from, uint64_t n) noexcept override {
    std::memcpy(to, near(from), n);
  }
  static void* far(void* p) {
    return reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(p) + kDistance);
  }
  static unsigned char* near(const void* p) {
    return reinterpret_cast<unsigned char*>(reinterpret_cast<uintptr_t>(p) - kDistance);
  }
};

TEST(DebugPool, GuardsMemoryThatTheHostCannotReach) {
  FarMemory raw;
  MemoryPool pool(raw, kNoLimit, /*debug=*/true);
  void* p = pool.allocate(10000);
  EXPECT_EQ(FarMemory::near(p)[9999], 0xCB);
  FarMemory::near(p)[9999] = 7;
  pool.free(p, 10000);
  EXPECT_EQ(pool.stats().n_guard_faults, 0u);
  p = pool.allocate(100);
  FarMemory::near(p)[100] = 7;
  pool.free(p, 100);
  EXPECT_EQ(pool.stats().n_guard_faults, 1u);
}

TEST(MemoryPool, WorksOnInAChildForkedWhileAnotherThreadAllocates) {
  FakeMemory raw;
  MemoryPool pool(raw, kNoLimit, /*debug=*/false);
  pool.free(pool.allocate(64), 64);
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop) pool.free(pool.allocate(64), 64);
  });
  for (int i = 0; i < 30; ++i) {
    pool.before_fork();
    const pid_t child = fork();
    pool.after_fork();
    if (child == 0) {
      alarm(20);  // ends a child that hangs
      pool.free(pool.allocate(64), 64);
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  }
  stop = true;
  other.join();
}

}  // namespace
}  // namespace bp
