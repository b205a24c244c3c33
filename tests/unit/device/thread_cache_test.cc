// SPDX-License-Identifier: Apache-2.0
// Small tensors that a thread keeps whole: what comes back is new in all but its memory, the pool's
// figures tell the truth, and nothing is held beyond the thread, a lower limit or a shutdown.
#include "core/device/thread_cache.h"

#include <barrier>
#include <thread>

#include "core/process/runtime.h"
#include "kit/child.h"
#include "kit/tensors.h"

namespace bp_test {
namespace {

T ones_of(int64_t n) {
  bp_tensor* t = nullptr;
  EXPECT_EQ(bp_tensor_ones(1, &n, BP_F32, kCpu, &t, nullptr), BP_OK);
  return T(t);
}

bp_memory_stats figures() { return memory_of(kCpu); }

const void* data_of(const T& t) {
  void* data = nullptr;
  EXPECT_EQ(bp_tensor_data(t.get(), &data, nullptr), BP_OK);
  return data;
}

// The tests are about blocks that are kept; the debug allocator keeps none.
class ThreadCache : public testing::Test {
 protected:
  void SetUp() override {
    if (bp::uses_debug_allocator()) GTEST_SKIP() << "the debug allocator keeps no blocks";
    EXPECT_EQ(bp_shutdown(-1, nullptr), BP_OK);
    ones_of(4);  // opens the cpu, makes the thread's cache
  }
  void TearDown() override { EXPECT_EQ(bp_shutdown(-1, nullptr), BP_OK); }
};

TEST_F(ThreadCache, AReleasedTensorServesTheNextOfItsSize) {
  T a = ones_of(4);
  const void* block = data_of(a);
  bp_tensor* handle = a.get();
  a.reset();
  const bp_memory_stats before = figures();
  T b = ones_of(16);  // 64 bytes as well
  EXPECT_EQ(data_of(b), block);
  EXPECT_EQ(b.get(), handle);
  T c = ones_of(17);
  EXPECT_NE(data_of(c), block);
  b.reset();
  EXPECT_EQ(data_of(made(bp_add, c.get(), c.get())) == block, false);
  EXPECT_EQ(figures().n_backend_allocations - before.n_backend_allocations, 2u) << "c and its sum";
}

TEST_F(ThreadCache, WhatServesAgainIsAsNew) {
  {
    T a = tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
    T column = made(bp_tensor_select, a.get(), 1, 2);
    a.reset();
    for (int i = 0; i < 3; ++i)
      EXPECT_EQ(bp_add_into(column.get(), column.get(), column.get(), nullptr), BP_OK);
    EXPECT_GE(bp_tensor_version(column.get()), 3u);
  }  // kept as it is: a view, with an offset and strides
  T b = made(bp_tensor_empty, 1, std::vector<int64_t>{5}.data(), BP_I32, kCpu);
  EXPECT_EQ(bp_tensor_version(b.get()), 0u);
  EXPECT_EQ(shape_of(b), Shape{5});
  EXPECT_EQ(bp_tensor_dtype(b.get()), BP_I32);
  T x = ones_of(3);
  T y = made(bp_add, x.get(), x.get());
  EXPECT_EQ(values<float>(y), (std::vector<float>{2, 2, 2}));
  EXPECT_EQ(shape_of(y), Shape{3});
}

TEST_F(ThreadCache, AReleasedHandleIsRefused) {
  T a = ones_of(4);
  bp_tensor* dead = a.get();
  a.reset();
  EXPECT_EQ(refusal(bp_neg, dead).status, BP_INVALID_ARGUMENT);
}

TEST_F(ThreadCache, TheFiguresCountWhatIsInUse) {
  const bp_memory_stats start = figures();
  EXPECT_EQ(start.n_live, 0u);
  EXPECT_EQ(start.allocated_bytes, 0u);
  for (int round = 0; round < 5; ++round) {
    std::vector<T> some;
    for (int64_t n : {1, 16, 17, 100, 256, 257, 5000}) some.push_back(ones_of(n));
    EXPECT_EQ(figures().n_live, some.size());
    EXPECT_EQ(figures().allocated_bytes, 64u + 64 + 128 + 448 + 1024 + 1280 + 20480);
  }
  const bp_memory_stats end = figures();
  EXPECT_EQ(end.n_live, 0u);
  EXPECT_EQ(end.allocated_bytes, 0u);
  EXPECT_EQ(end.n_allocations - start.n_allocations, 35u);
  EXPECT_EQ(end.n_frees - start.n_frees, 35u);
  EXPECT_EQ(end.cached_bytes, end.reserved_bytes);
  EXPECT_GE(end.peak_allocated_bytes, 23488u);
}

TEST_F(ThreadCache, AnotherThreadsBlocksAreCachedUntilItEnds) {
  std::barrier turns(2);
  std::thread other([&] {
    { T a = ones_of(4), b = ones_of(4); }
    turns.arrive_and_wait();
    turns.arrive_and_wait();
  });
  turns.arrive_and_wait();
  EXPECT_EQ(figures().n_live, 0u);
  EXPECT_GE(figures().cached_bytes, 128u);
  EXPECT_EQ(bp_memory_trim(kCpu, nullptr), BP_OK);
  EXPECT_EQ(figures().cached_bytes, 128u) << "this thread's went, the other's stay";
  turns.arrive_and_wait();
  other.join();
  EXPECT_EQ(bp_memory_trim(kCpu, nullptr), BP_OK);
  EXPECT_EQ(figures().cached_bytes, 0u);
  EXPECT_EQ(figures().n_backend_frees, figures().n_backend_allocations);
}

TEST_F(ThreadCache, ReleasedElsewhereBelongsThere) {
  std::vector<T> mine;
  for (int i = 0; i < 100; ++i) mine.push_back(ones_of(4));
  std::thread([&] { mine.clear(); }).join();
  EXPECT_EQ(figures().n_live, 0u);
  for (int i = 0; i < 100; ++i) mine.push_back(ones_of(4));
  EXPECT_EQ(figures().n_live, 100u);
  EXPECT_EQ(figures().n_backend_allocations, 100u);
}

TEST_F(ThreadCache, WithoutALimitToKeepNothingIsKept) {
  EXPECT_EQ(bp_memory_set_limit(kCpu, 0, nullptr), BP_OK);
  EXPECT_EQ(figures().cached_bytes, 0u);
  ones_of(4);
  EXPECT_EQ(figures().cached_bytes, 0u);
  EXPECT_EQ(bp_memory_set_limit(kCpu, 1 << 20, nullptr), BP_OK);
  const void* block = data_of(ones_of(4));
  EXPECT_EQ(data_of(ones_of(4)), block);
  EXPECT_EQ(figures().cached_bytes, 64u);
}

TEST_F(ThreadCache, AThreadThatOutlivesAShutdownKeepsNothingOfIt) {
  std::barrier turns(2);
  std::thread other([&] {
    ones_of(4);
    turns.arrive_and_wait();  // the first generation ends here
    turns.arrive_and_wait();
    T a = ones_of(4);
    EXPECT_EQ(values<float>(a), (std::vector<float>{1, 1, 1, 1}));
    a.reset();
    ones_of(4);
    EXPECT_EQ(figures().n_live, 0u);
    EXPECT_EQ(figures().n_backend_allocations, 1u);
  });
  T late = ones_of(4);
  turns.arrive_and_wait();
  EXPECT_EQ(bp_shutdown(-1, nullptr), BP_OK);
  late.reset();
  turns.arrive_and_wait();
  other.join();
}

TEST_F(ThreadCache, AChildGoesOnWithItsOwnThreads) {
  std::barrier turns(2);
  std::thread other([&] {
    ones_of(4);
    turns.arrive_and_wait();
    turns.arrive_and_wait();
  });
  turns.arrive_and_wait();
  expect_true_in_child([] {
    bool right = figures().n_live == 0;
    T a = ones_of(4);
    const auto work = [&] {
      right = right && values<float>(ones_of(4))[3] == 1;
      right = right && figures().n_live == 1;
    };
#ifdef BP_TSAN  // whose children may have no threads
    work();
#else
    std::thread(work).join();
#endif
    a.reset();
    return right && figures().n_live == 0;
  });
  turns.arrive_and_wait();
  other.join();
}

}  // namespace
}  // namespace bp_test
