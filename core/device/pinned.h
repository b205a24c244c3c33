// SPDX-License-Identifier: Apache-2.0
// pinned.h: host memory that a device copies to and from beside the program's work. Blocks are kept
// for reuse as in every pool. One that a copy still uses is parked with that copy's mark and comes
// back when the mark has passed. Any thread may use it.
//
//   void* p = d.pinned->allocate_block(1024);
//   // ... queue a copy from p in `stream`
//   d.pinned->free_after(p, 1024, {mark(stream)});
#pragma once
#include <list>
#include <map>
#include <mutex>
#include <vector>

#include "c_plugin.h"
#include "core/base/object.h"
#include "core/device/stream.h"
#include "core/memory/pool.h"

namespace bp {

class PinnedMemory final : RawMemory {
 public:
  PinnedMemory(Device& d, const bp_pinned_api& api);

  // As MemoryPool's allocate and free.
  void* allocate_block(uint64_t bytes);
  void free(void* p, uint64_t bytes) noexcept { pool_.free(p, bytes); }
  // Frees the block once every mark has passed. Never waits.
  void free_after(void* p, uint64_t bytes, std::vector<Ref<Event>> marks) noexcept;
  void trim() noexcept;
  bp_memory_stats stats() const noexcept { return pool_.stats(); }
  // Gives everything back, blocks that tensors hold included. It is called before the device
  // closes, when nothing runs on it.
  void close() noexcept;
  void before_fork() noexcept {
    mutex_.lock();
    pool_.before_fork();
  }
  void after_fork() noexcept {
    pool_.after_fork();
    mutex_.unlock();
  }

 private:
  struct Parked {
    void* p;
    uint64_t bytes;
    std::vector<Ref<Event>> marks;
  };
  void* allocate(uint64_t bytes) override;
  void release(void* p, uint64_t bytes) noexcept override;
  bool host_accessible() const override { return true; }
  const char* name() const override { return name_.c_str(); }
  void collect() noexcept;

  Device& device_;
  const bp_pinned_api& api_;
  std::string name_;
  std::mutex mutex_;
  std::list<Parked> parked_;          // in the order in which they were freed
  std::map<void*, uint64_t> blocks_;  // all that the backend gave
  MemoryPool pool_;                   // last, so that it goes first
};

}  // namespace bp
