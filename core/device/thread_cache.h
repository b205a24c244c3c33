// SPDX-License-Identifier: Apache-2.0
// thread_cache.h: small cpu tensors that a thread releases and keeps for those it makes next. It
// keeps the whole of each, handle, storage and block, so that an op over few elements neither
// allocates nor locks (tensor/cached_tensor.h). The cache is bounded: kRoom tensors of each 64-byte
// size up to kMostBytes. For the pool such a block is handed out; thread_cache_stats tells how many
// of these are not in use. It is off while the pool's limit is below what one thread may keep, and
// with the debug allocator. A thread gives back what it keeps when it ends, when it asks for that,
// and when it first releases a tensor of another stream that is served.
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
  // all sizes together
  static constexpr uint64_t kMostInAll = kRoom * kSizeStep * kStepClasses * (kStepClasses + 1) / 2;

  struct Shelf {
    std::atomic<uint32_t> n{0};  // written by its thread alone, read by thread_cache_stats
    std::array<bp_tensor*, kRoom> slot;
  };
  // The stream whose blocks are on the shelves; this object's address, which is no stream's, when
  // none may be.
  const void* stream = this;
  std::atomic<uint64_t> n_taken{0};  // of that stream's
  std::array<Shelf, kStepClasses> shelves;

  // nullptr before the thread's first release and again at its end. The variable is trivial, so
  // that reading it needs no guard.
  static inline constinit thread_local ThreadCache* of_thread = nullptr;
  // The stream that is served now, or nullptr.
  static inline constinit std::atomic<Stream*> served = nullptr;

  static Shelf& shelf(ThreadCache& c, uint64_t bytes) { return c.shelves[(bytes - 1) / kSizeStep]; }
};

// From now on the blocks of this stream are kept, or of none for nullptr.
void serve_thread_caches(Stream* s) noexcept;
// Gives what the calling thread keeps back to its pool.
void empty_thread_cache() noexcept;

// Returns the calling thread's cache, emptied and from now on of this stream, or nullptr when
// memory for it is exhausted or the thread is ending.
ThreadCache* cache_for(const Stream& s) noexcept;
// Makes every thread's cache forget a stream that is about to end, of which none keeps a block.
void forget_in_thread_caches(const Stream& s) noexcept;
// Deletes a tensor that a cache kept. It is defined in tensor/cached_tensor.cc, where a tensor's
// type is known.
void delete_kept(bp_tensor* t) noexcept;

// Those of the blocks that a stream's pool counts as handed out that threads keep, in bytes as the
// pool rounds them; and how often one was made a tensor again.
struct ThreadCacheStats {
  uint64_t n_kept = 0, kept_bytes = 0, n_taken = 0;
};
ThreadCacheStats thread_cache_stats(const Stream& s) noexcept;

// Around a fork, the list of all caches is locked.
void lock_thread_caches() noexcept;
void unlock_thread_caches() noexcept;

}  // namespace bp
