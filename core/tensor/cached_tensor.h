// SPDX-License-Identifier: Apache-2.0
// cached_tensor.h: the two ends of a thread's cache. A tensor is released into it, and the next one
// of its size is made of it.
//
//   Tensor* kept = take_cached(stream, 1024);   // or nullptr
//   if (kept) kept->renew(BP_F32, 256);         // its shape and strides are still to be set
//   if (kept && !put_cached(*kept)) delete kept;
#pragma once
#include "core/device/thread_cache.h"
#include "core/tensor/tensor.h"

namespace bp {

// Returns a tensor of version 0 whose block is the stream's and holds `bytes`, or nullptr when
// none is kept.
[[gnu::always_inline]] inline Tensor* take_cached(Stream& s, uint64_t bytes) noexcept {
  ThreadCache* cache = ThreadCache::of_thread;
  if (!cache || cache->stream != &s || bytes - 1 >= ThreadCache::kMostBytes) return nullptr;
  ThreadCache::Shelf& shelf = ThreadCache::shelf(*cache, bytes);
  const uint32_t n = shelf.n.load(std::memory_order_relaxed);
  if (n == 0) return nullptr;
  Tensor* t = shelf.slot[n - 1];
  shelf.n.store(n - 1, std::memory_order_relaxed);
  cache->n_taken.store(cache->n_taken.load(std::memory_order_relaxed) + 1,
                       std::memory_order_relaxed);
  t->storage->bytes = bytes;
  t->storage->version.store(0, std::memory_order_relaxed);
  return t;
}

// Returns what new_like makes, out of a kept tensor, or nullptr when none is kept.
[[gnu::always_inline]] inline Tensor* cached_like(const Tensor& like, bp_dtype dtype) noexcept {
  if (like.rank() > kInlineRank) return nullptr;
  const auto bytes = static_cast<uint64_t>(like.count * dtype_bytes(dtype));
  Tensor* t = take_cached(current_stream(like.device()), bytes);
  if (!t) return nullptr;
  t->renew(dtype, like.count);
  t->shape.copy_short(like.shape);
  t->strides.copy_short(like.strides);
  return t;
}

// Returns what new_tensor makes of a shape of two sizes that are not 0, or nullptr when
// none is kept.
[[gnu::always_inline]] inline Tensor* cached_matrix(int64_t rows, int64_t columns, bp_dtype dtype,
                                                    Device& device) noexcept {
  if (static_cast<uint64_t>(rows | columns) > ThreadCache::kMostBytes) return nullptr;
  const auto bytes = static_cast<uint64_t>(rows * columns * dtype_bytes(dtype));
  Tensor* t = take_cached(current_stream(device), bytes);
  if (!t) return nullptr;
  t->renew(dtype, rows * columns);
  t->shape.resize_for_overwrite(2);
  t->shape[0] = rows, t->shape[1] = columns;
  t->strides.resize_for_overwrite(2);
  t->strides[0] = columns, t->strides[1] = 1;
  return t;
}

// put_cached for a thread's first tensor, or its first of this stream.
bool put_cached_first(Tensor& t) noexcept;

// Keeps a tensor that nobody holds any more. Returns false when the caller has to delete it.
[[gnu::always_inline]] inline bool put_cached(Tensor& t) noexcept {
  Storage* s = t.storage.get();
  Stream* stream = s ? s->stream : nullptr;
  if (!stream || stream != ThreadCache::served.load(std::memory_order_relaxed) ||
      s->bytes - 1 >= ThreadCache::kMostBytes || s->used() || t.trace ||
      s->refs.load(std::memory_order_acquire) != 1)
    return false;
  ThreadCache* cache = ThreadCache::of_thread;
  if (!cache || cache->stream != stream) [[unlikely]]
    return put_cached_first(t);
  ThreadCache::Shelf& shelf = ThreadCache::shelf(*cache, s->bytes);
  const uint32_t n = shelf.n.load(std::memory_order_relaxed);
  if (n == ThreadCache::kRoom) return false;
  shelf.slot[n] = &t;
  shelf.n.store(n + 1, std::memory_order_relaxed);
  return true;
}

}  // namespace bp
