// SPDX-License-Identifier: Apache-2.0
// segments.h: blocks of a device's memory cut from larger segments, because what a driver gives is
// slow to get and coarse. Sizes follow PyTorch's CUDACachingAllocator
// (c10/cuda/CUDACachingAllocator.cpp). A request is rounded up to 512 bytes. Up to 1 MiB it is cut
// from a segment of 2 MiB, below 10 MiB from one of 20 MiB; a larger one has a segment of its own,
// rounded up to 2 MiB. The best fit is taken; a rest of at least 512 bytes (in a large segment,
// more than 1 MiB) stays free. Free neighbours join, and a segment that is free as a whole goes
// back. It lies between a stream's MemoryPool and its device. Any thread may use it.
#pragma once
#include <map>
#include <mutex>
#include <set>

#include "core/memory/pool.h"

namespace bp {

class Segments final : public RawMemory {
 public:
  // No segment is larger than a 64th of `total_bytes` unless a block is; 0 when the total
  // is not known.
  Segments(RawMemory& backend, uint64_t total_bytes);

  void* allocate(uint64_t bytes) override;
  void release(void* p, uint64_t bytes) noexcept override;
  bool host_accessible() const override { return backend_.host_accessible(); }
  void write(void* to, const void* from, uint64_t bytes) noexcept override {
    backend_.write(to, from, bytes);
  }
  void read(void* to, const void* from, uint64_t bytes) noexcept override {
    backend_.read(to, from, bytes);
  }
  const char* name() const override { return backend_.name(); }
  uint64_t reserved_bytes() const;  // all segments together
  void before_fork() noexcept { mutex_.lock(); }
  void after_fork() noexcept { mutex_.unlock(); }

 private:
  using FreeChunks = std::set<std::pair<uint64_t, char*>>;  // by size
  struct Chunk {
    uint64_t bytes;
    char* segment;
    bool small, free;
    // The node of the set of free chunks, kept while the chunk is in use: release may not allocate.
    FreeChunks::node_type node;
  };
  using Chunks = std::map<char*, Chunk>;
  void* take(uint64_t bytes, bool small);
  void cut(Chunks::iterator chunk, uint64_t bytes);
  void list(Chunks::iterator chunk) noexcept;
  void* in_new_segment(uint64_t segment_bytes, uint64_t bytes, bool small);
  Chunks::iterator join(Chunks::iterator chunk);

  RawMemory& backend_;
  const uint64_t largest_;
  mutable std::mutex mutex_;  // never held across a call to the backend
  Chunks chunks_;             // by address
  FreeChunks free_[2];        // large, small
  std::map<char*, uint64_t> segments_;
  uint64_t reserved_ = 0;
};

}  // namespace bp
