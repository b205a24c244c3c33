// memory.h: the caching allocator, one per device. Blocks are kept for reuse by size class; the
// cache is bounded and counted. With the debug mode nothing is reused, blocks are poisoned and
// guard bytes are checked at free. Any thread. A block belongs to whoever allocated it until free.
// Byte counts are those of whole blocks, as size_class.h rounds them (in debug mode: as asked for).
#pragma once
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>

#include "c_api.h"

namespace bp {

struct Device;

// What the allocator needs of a backend; a Device gives it (tests give their own).
struct RawMemory {
  virtual void* allocate(uint64_t bytes) = 0;  // throws Error
  virtual void release(void* p, uint64_t bytes) noexcept = 0;
  virtual bool host_accessible() const = 0;
  // For the debug mode: bytes of a block to or from host memory, when all earlier work on the block
  // is done.
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
  // total (may be nullptr): counts this pool's blocks, too.
  MemoryPool(RawMemory& raw, uint64_t limit_bytes, bool debug, MemoryTotal* total = nullptr);
  ~MemoryPool();  // gives every cached block back
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  // At least `bytes`, 64-byte aligned; bytes 0 gives nullptr. On exhaustion: trim, retry, then
  // BP_OUT_OF_HOST_MEMORY or BP_OUT_OF_DEVICE_MEMORY with the figures. Other errors of the backend
  // pass through.
  void* allocate(uint64_t bytes);
  // `bytes` as asked for at allocate.
  void free(void* p, uint64_t bytes) noexcept;
  void trim() noexcept;
  void set_limit(uint64_t bytes) noexcept;
  void reset_peak() noexcept;
  bp_memory_stats stats() const noexcept;
  // Blocks that served again without coming back here: n requests and n frees more.
  void count_reuses(uint64_t n) noexcept;
  // Around fork, so that the lock is not held in the child for ever: before in the parent, after in
  // both.
  void before_fork() noexcept;
  void after_fork() noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bp
