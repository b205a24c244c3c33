// SPDX-License-Identifier: Apache-2.0
// pool.h: the caching allocator, one per stream. It keeps blocks for reuse by size class; the
// cache is bounded and counted. In debug mode nothing is reused, blocks are poisoned, and guard
// bytes are checked at free. Any thread may use it. A block belongs to whoever allocated it until
// it is freed. Byte counts are those of whole blocks, as size_class.h rounds them; in debug mode,
// as asked for.
//
//   void* p = stream.pool->allocate(1024);
//   stream.pool->free(p, 1024);
#pragma once
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>

#include "c_api.h"

namespace bp {

struct Device;

// What the allocator needs of a backend. A stream provides it; tests provide their own.
struct RawMemory {
  virtual void* allocate(uint64_t bytes) = 0;  // throws Error
  virtual void release(void* p, uint64_t bytes) noexcept = 0;
  virtual bool host_accessible() const = 0;
  // For the debug mode: copies bytes of a block from or to host memory, once all earlier work on
  // the block is done.
  virtual void write(void* to, const void* from, uint64_t bytes) noexcept {
    std::memcpy(to, from, bytes);
  }
  virtual void read(void* to, const void* from, uint64_t bytes) noexcept {
    std::memcpy(to, from, bytes);
  }
  virtual const char* name() const = 0;  // for messages: "cuda:0"
 protected:
  ~RawMemory() = default;
};

std::string format_bytes(uint64_t n);  // "1.50 MiB"

// What several pools have handed out together.
struct MemoryTotal {
  std::atomic<uint64_t> allocated{0}, peak{0};
  void add(uint64_t bytes) noexcept {
    const uint64_t now = allocated.fetch_add(bytes, std::memory_order_relaxed) + bytes;
    for (uint64_t most = peak.load(std::memory_order_relaxed);
         now > most && !peak.compare_exchange_weak(most, now, std::memory_order_relaxed);) {
    }
  }
  void subtract(uint64_t bytes) noexcept { allocated.fetch_sub(bytes, std::memory_order_relaxed); }
  void reset_peak() noexcept {
    peak.store(allocated.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
};

class MemoryPool {
 public:
  // `total`, unless it is nullptr, counts this pool's blocks too.
  MemoryPool(RawMemory& raw, uint64_t limit_bytes, bool debug, MemoryTotal* total = nullptr);
  ~MemoryPool();  // gives every cached block back
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  // Returns at least `bytes`, 64-byte aligned; nullptr for 0 bytes. When memory is exhausted it
  // trims the cache and tries again, then throws BP_OUT_OF_HOST_MEMORY or BP_OUT_OF_DEVICE_MEMORY
  // with the figures. Other errors of the backend pass through.
  void* allocate(uint64_t bytes);
  // `bytes` is what allocate was asked for.
  void free(void* p, uint64_t bytes) noexcept;
  void trim() noexcept;
  void set_limit(uint64_t bytes) noexcept;
  void reset_peak() noexcept;
  bp_memory_stats stats() const noexcept;
  // Counts n requests and n frees more, of blocks that served again without coming back here.
  void count_reuses(uint64_t n) noexcept;
  // Around a fork, so that the child does not find the lock held for ever: before_fork() is called
  // in the parent, after_fork() in both.
  void before_fork() noexcept;
  void after_fork() noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bp
