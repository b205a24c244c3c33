// SPDX-License-Identifier: Apache-2.0
#include "core/memory/segments.h"

#include <map>
#include <random>

#include "unit/memory/fake_memory.h"

namespace bp {
namespace {

TEST(Segments, AreOfPyTorchsSizes) {
  FakeMemory raw;
  Segments segments(raw, /*total_bytes=*/0);
  struct Row {
    uint64_t asked, segment;
  };
  for (const Row row : {Row{1, 2 * kMiB}, Row{kMiB, 2 * kMiB}, Row{kMiB + 1, 20 * kMiB},
                        Row{10 * kMiB - 512, 20 * kMiB}, Row{10 * kMiB, 10 * kMiB},
                        Row{10 * kMiB + 1, 12 * kMiB}, Row{100 * kMiB, 100 * kMiB}}) {
    void* p = segments.allocate(row.asked);
    EXPECT_EQ(segments.reserved_bytes(), row.segment) << row.asked;
    segments.release(p, row.asked);
    EXPECT_EQ(segments.reserved_bytes(), 0u) << "free as a whole, it goes back";
  }
}

TEST(Segments, CutJoinAndReuseWhatFitsBest) {
  FakeMemory raw;
  Segments segments(raw, /*total_bytes=*/0);
  auto* a = static_cast<char*>(segments.allocate(100));
  auto* b = static_cast<char*>(segments.allocate(4000));
  auto* c = static_cast<char*>(segments.allocate(512));
  auto* d = static_cast<char*>(segments.allocate(512));
  EXPECT_EQ(b - a, 512);
  EXPECT_EQ(c - b, 4096);
  EXPECT_EQ(raw.n_allocated, 1);
  segments.release(a, 100);
  segments.release(c, 512);
  EXPECT_EQ(segments.allocate(300), a) << "the smallest that is enough; of equal ones the lowest";
  segments.release(a, 300);
  segments.release(b, 4000);  // joins a, b and c
  EXPECT_EQ(segments.allocate(512 + 4096 + 512), a);
  segments.release(a, 5120);
  segments.release(d, 512);
  EXPECT_EQ(raw.bytes, 0u);
}

TEST(Segments, NeverGiveOneByteTwice) {
  FakeMemory raw;
  Segments segments(raw, /*total_bytes=*/0);
  std::mt19937 random(3);
  std::map<char*, uint64_t> live;
  for (int i = 0; i < 20000; ++i) {
    if (live.size() < 60 && random() % 5 != 0) {
      const uint64_t n = 1 + (random() % 9 ? random() % 30000 : random() % (3 * kMiB));
      auto* p = static_cast<char*>(segments.allocate(n));
      ASSERT_EQ(reinterpret_cast<uintptr_t>(p) % 64, 0u);
      const auto next = live.lower_bound(p);
      if (next != live.end()) {
        ASSERT_LE(p + n, next->first);
      }
      if (next != live.begin()) {
        ASSERT_LE(std::prev(next)->first + std::prev(next)->second, p);
      }
      live[p] = n;
    } else if (!live.empty()) {
      const auto one = std::next(live.begin(), static_cast<long>(random() % live.size()));
      segments.release(one->first, one->second);
      live.erase(one);
    }
  }
  EXPECT_EQ(segments.reserved_bytes(), raw.bytes);
  for (const auto& [p, n] : live) segments.release(p, n);
  EXPECT_EQ(raw.bytes, 0u);
}

TEST(Segments, TakeWhatThereIsWhenAWholeOneDoesNotFit) {
  FakeMemory raw;
  raw.capacity = kMiB;
  Segments segments(raw, /*total_bytes=*/0);
  void* p = segments.allocate(1000);
  EXPECT_EQ(raw.bytes, 1024u);
  segments.release(p, 1000);
  Segments modest(raw, /*total_bytes=*/kMiB);  // a 64th of a small device
  p = modest.allocate(1000);
  EXPECT_EQ(raw.bytes, kMiB / 64);
  modest.release(p, 1000);
  EXPECT_THROW(segments.allocate(kMiB + 1), Error);
}

}  // namespace
}  // namespace bp
