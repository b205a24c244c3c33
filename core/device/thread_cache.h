// thread_cache.h: what a thread releases of small tensors on the cpu, it keeps for those it makes
// next: the whole of each, handle, storage and block, so that an op over few elements neither
// allocates nor locks (cached_tensor.h). Bounded: kRoom of each 64-byte size up to kMostBytes. For
// the pool such a block is handed out; thread_cache_stats tells what of it is not in use. Off while
// the pool's limit is below what one thread may keep, and with the debug allocator. A thread gives
// back what it keeps when it ends, when it asks for it, and when it first releases a tensor of
// another stream that is served.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>

#include "core/device/stream.h"
#include "core/memory/size_class.h"

struct bp_tensor;

namespace bp {

struct ThreadCache {
  static constexpr uint32_t kRoom = 8;
  static constexpr uint64_t kMostBytes = kMostSteps;
  // of all sizes together
  static constexpr uint64_t kMostInAll = kRoom * kSizeStep * kStepClasses * (kStepClasses + 1) / 2;

  struct Shelf {
    std::atomic<uint32_t> n{0};  // written by its thread alone; thread_cache_stats reads it
    std::array<bp_tensor*, kRoom> slot;
  };
  // Whose blocks are on the shelves; this object's address, which is no stream's, when none may be.
  const void* stream = this;
  std::atomic<uint64_t> n_taken{0};  // of that stream's
  std::array<Shelf, kStepClasses> shelves;

  // nullptr before the thread's first release and again at its end. Trivial, so that reading it
  // needs no guard.
  static inline constinit thread_local ThreadCache* of_thread = nullptr;
  // The stream that is served now; nullptr: none.
  static inline constinit std::atomic<Stream*> served = nullptr;

  static Shelf& shelf(ThreadCache& c, uint64_t bytes) { return c.shelves[(bytes - 1) / kSizeStep]; }
};

// From now on the blocks of this stream, or of none, are kept.
void serve_thread_caches(Stream* s) noexcept;
// What the calling thread keeps goes back to its pool.
void empty_thread_cache() noexcept;

// The calling thread's cache, emptied and from now on of this stream; nullptr when memory for it is
// exhausted or the thread is ending.
ThreadCache* cache_for(const Stream& s) noexcept;
// Ends a tensor that a cache kept. Defined in core/tensor/cached_tensor.cc, which knows what a
// tensor is.
void delete_kept(bp_tensor* t) noexcept;

// Of the blocks that a stream's pool counts as handed out, those that threads keep, in bytes as the
// pool rounds them; and how often one was made a tensor again.
struct ThreadCacheStats {
  uint64_t n_kept = 0, kept_bytes = 0, n_taken = 0;
};
ThreadCacheStats thread_cache_stats(const Stream& s) noexcept;

// Around fork: the list of all caches is locked.
void hold_thread_caches() noexcept;
void free_thread_caches() noexcept;

}  // namespace bp
