// SPDX-License-Identifier: Apache-2.0
#include "core/device/thread_cache.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "core/base/thread_end.h"

namespace bp {
namespace {

// Every thread's. They are never destroyed, because threads may end after static destructors.
struct AllCaches {
  std::mutex mutex;
  std::vector<std::unique_ptr<ThreadCache>> list;
};
AllCaches& all() {
  alignas(AllCaches) static unsigned char room[sizeof(AllCaches)];
  static auto& caches = *new (room) AllCaches;  // needs no memory
  return caches;
}

// The blocks are in use until the pool has counted their reuses.
void empty(ThreadCache& cache) noexcept {
  std::array<bp_tensor*, ThreadCache::kRoom * kStepClasses> kept;
  size_t n = 0;
  {
    const std::lock_guard lock(all().mutex);
    if (cache.stream == &cache) return;
    for (ThreadCache::Shelf& shelf : cache.shelves) {
      n = static_cast<size_t>(
          std::copy_n(shelf.slot.begin(), shelf.n.load(std::memory_order_relaxed), &kept[n]) -
          kept.data());
      shelf.n.store(0, std::memory_order_relaxed);
    }
    auto& stream = *static_cast<const Stream*>(cache.stream);
    stream.pool->count_reuses(cache.n_taken.load(std::memory_order_relaxed));
    cache.n_taken.store(0, std::memory_order_relaxed);
    cache.stream = &cache;
  }
  std::for_each_n(kept.begin(), n, delete_kept);
}

constinit thread_local bool thread_ended = false;

void end_cache(void*) {
  thread_ended = true;
  ThreadCache* cache = std::exchange(ThreadCache::of_thread, nullptr);
  if (!cache) return;
  empty(*cache);
  const std::lock_guard lock(all().mutex);
  std::erase_if(all().list, [&](const auto& c) { return c.get() == cache; });
}

ThreadCache* own_cache() noexcept {
  if (ThreadCache::of_thread || thread_ended) return ThreadCache::of_thread;
  static const ThreadEnd at_end(end_cache);
  try {
    auto made = std::make_unique<ThreadCache>();
    const std::lock_guard lock(all().mutex);
    all().list.push_back(std::move(made));
    ThreadCache* cache = all().list.back().get();
    if (at_end.note(cache))
      ThreadCache::of_thread = cache;
    else
      all().list.pop_back();
  } catch (const std::bad_alloc&) {  // then nothing is kept
  }
  return ThreadCache::of_thread;
}

}  // namespace

ThreadCache* cache_for(const Stream& s) noexcept {
  ThreadCache* cache = own_cache();
  if (!cache) return nullptr;
  empty(*cache);
  const std::lock_guard lock(all().mutex);
  cache->stream = &s;
  return cache;
}

void serve_thread_caches(Stream* s) noexcept {
  ThreadCache::served.store(s, std::memory_order_relaxed);
  if (!s) empty_thread_cache();
}

void forget_in_thread_caches(const Stream& s) noexcept {
  const std::lock_guard lock(all().mutex);
  for (const auto& cache : all().list)
    if (cache->stream == &s) cache->stream = cache.get();
}

void empty_thread_cache() noexcept {
  if (ThreadCache* cache = ThreadCache::of_thread) empty(*cache);
}

ThreadCacheStats thread_cache_stats(const Stream& s) noexcept {
  ThreadCacheStats sum;
  const std::lock_guard lock(all().mutex);
  for (const auto& cache : all().list) {
    if (cache->stream != &s) continue;
    sum.n_taken += cache->n_taken.load(std::memory_order_relaxed);
    for (size_t i = 0; i < kStepClasses; ++i) {
      const uint64_t n = cache->shelves[i].n.load(std::memory_order_relaxed);
      sum.n_kept += n;
      sum.kept_bytes += n * (i + 1) * kSizeStep;
    }
  }
  return sum;
}

void lock_thread_caches() noexcept { all().mutex.lock(); }
void unlock_thread_caches() noexcept { all().mutex.unlock(); }

}  // namespace bp
