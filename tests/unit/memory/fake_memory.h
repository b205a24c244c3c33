// SPDX-License-Identifier: Apache-2.0
// fake_memory.h: a backend's memory that counts, remembers and fails on demand.
//
//   FakeMemory raw;
//   raw.capacity = 10 * kMiB;
//   MemoryPool pool(raw, kNoLimit, /*debug=*/false);
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>

#include "core/base/error.h"
#include "core/memory/pool.h"

namespace bp {

constexpr uint64_t kMiB = 1 << 20;
constexpr uint64_t kNoLimit = uint64_t{1} << 40;

struct FakeMemory final : RawMemory {
  std::mutex mutex;
  std::map<void*, uint64_t> blocks;
  uint64_t bytes = 0, capacity = kNoLimit;
  int n_allocated = 0, n_released = 0, fail_at = -1;  // fail_at: the call that fails, from 0
  bp_status failure = BP_OUT_OF_DEVICE_MEMORY;
  bool on_host = true;

  void* allocate(uint64_t n) override {
    std::lock_guard lock(mutex);
    if (n_allocated == fail_at || bytes + n > capacity) {
      fail_at = -1;
      fail(failure, "no room for {} bytes", n);
    }
    ++n_allocated;
    void* p = std::aligned_alloc(64, (n + 63) / 64 * 64);
    blocks[p] = n;
    bytes += n;
    return p;
  }
  void release(void* p, uint64_t n) noexcept override {
    std::lock_guard lock(mutex);
    const auto found = blocks.find(p);
    ASSERT_NE(found, blocks.end()) << "a block that was not allocated came back";
    EXPECT_EQ(found->second, n);
    blocks.erase(found);
    bytes -= n;
    ++n_released;
    std::free(p);
  }
  bool host_accessible() const override { return on_host; }
  const char* name() const override { return "cuda:0"; }
  ~FakeMemory() {
    EXPECT_EQ(blocks.size(), 0u);
    for (const auto& b : blocks) std::free(b.first);
  }
};

}  // namespace bp
