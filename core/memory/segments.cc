// SPDX-License-Identifier: Apache-2.0
#include "core/memory/segments.h"

#include <algorithm>
#include <new>
#include <utility>

#include "core/base/error.h"

namespace bp {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;
constexpr uint64_t kStep = 512, kMostSmall = kMiB, kSmallSegment = 2 * kMiB,
                   kLargeSegment = 20 * kMiB, kOwnSegment = 10 * kMiB, kOwnStep = 2 * kMiB;

constexpr uint64_t round_up(uint64_t n, uint64_t step) { return (n + step - 1) / step * step; }

}  // namespace

Segments::Segments(RawMemory& backend, uint64_t total_bytes)
    : backend_(backend), largest_(total_bytes ? round_up(total_bytes / 64, kStep) : UINT64_MAX) {}

void* Segments::allocate(uint64_t asked) {
  const uint64_t bytes = round_up(asked, kStep);
  const bool small = bytes <= kMostSmall;
  {
    const std::lock_guard lock(mutex_);
    if (void* p = take(bytes, small)) return p;
  }
  const uint64_t usual = bytes >= kOwnSegment ? round_up(bytes, kOwnStep)
                         : small              ? kSmallSegment
                                              : kLargeSegment;
  const uint64_t segment = std::max(bytes, std::min(usual, largest_));
  if (segment == bytes) return in_new_segment(segment, bytes, small);
  try {
    return in_new_segment(segment, bytes, small);
  } catch (const Error& e) {
    if (e.status() != BP_OUT_OF_DEVICE_MEMORY) throw;
    return in_new_segment(bytes, bytes, small);  // perhaps there is room for this much
  }
}

void* Segments::in_new_segment(uint64_t segment_bytes, uint64_t bytes, bool small) {
  auto* base = static_cast<char*>(backend_.allocate(segment_bytes));
  try {
    const std::lock_guard lock(mutex_);
    segments_.emplace(base, segment_bytes);
    auto node = free_[small].extract(free_[small].emplace(segment_bytes, base).first);
    const auto chunk =
        chunks_.emplace(base, Chunk{segment_bytes, base, small, false, std::move(node)}).first;
    reserved_ += segment_bytes;
    cut(chunk, bytes);
    return base;
  } catch (const std::bad_alloc&) {
    {
      const std::lock_guard lock(mutex_);
      if (chunks_.erase(base)) reserved_ -= segment_bytes;
      segments_.erase(base);
    }
    backend_.release(base, segment_bytes);
    throw;
  }
}

// Returns the best fit among the free chunks, or nullptr if none is large enough.
void* Segments::take(uint64_t bytes, bool small) {
  auto& all = free_[small];
  const auto best = all.lower_bound({bytes, nullptr});
  if (best == all.end()) return nullptr;
  const auto chunk = chunks_.find(best->second);
  chunk->second.node = all.extract(best);
  chunk->second.free = false;
  try {
    cut(chunk, bytes);
  } catch (const std::bad_alloc&) {
    list(chunk);
    throw;
  }
  return chunk->first;
}

// Cuts a chunk that was just taken in two; the rest becomes a free chunk. Changes nothing when
// memory runs out.
void Segments::cut(Chunks::iterator chunk, uint64_t bytes) {
  auto& [p, c] = *chunk;
  const uint64_t rest = c.bytes - bytes;
  if (c.small ? rest < kStep : rest <= kMiB) return;
  const auto listed = free_[c.small].emplace(rest, p + bytes).first;
  try {
    chunks_.emplace(p + bytes, Chunk{rest, c.segment, c.small, true, {}});
  } catch (...) {
    free_[c.small].erase(listed);
    throw;
  }
  c.bytes = bytes;
}

// Puts a chunk that was in use into the set of free ones.
void Segments::list(Chunks::iterator chunk) noexcept {
  Chunk& c = chunk->second;
  c.free = true;
  c.node.value() = {c.bytes, chunk->first};
  free_[c.small].insert(std::move(c.node));
}

// Joins a chunk with its free neighbours in the segment. The result is in no list.
Segments::Chunks::iterator Segments::join(Chunks::iterator chunk) {
  const auto may_join = [&](Chunks::iterator other) {
    return other != chunks_.end() && other->second.free &&
           other->second.segment == chunk->second.segment;
  };
  if (const auto next = std::next(chunk); may_join(next)) {
    free_[next->second.small].erase({next->second.bytes, next->first});
    chunk->second.bytes += next->second.bytes;
    chunks_.erase(next);
  }
  if (chunk == chunks_.begin()) return chunk;
  const auto before = std::prev(chunk);
  if (!may_join(before)) return chunk;
  free_[before->second.small].erase({before->second.bytes, before->first});
  before->second.node = std::move(chunk->second.node);
  before->second.bytes += chunk->second.bytes;
  chunks_.erase(chunk);
  return before;
}

void Segments::release(void* p, uint64_t) noexcept {
  char* segment = nullptr;
  uint64_t bytes = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto chunk = join(chunks_.find(static_cast<char*>(p)));
    Chunk& c = chunk->second;
    const auto whole = segments_.find(chunk->first);
    if (whole == segments_.end() || whole->second != c.bytes) {
      list(chunk);
      return;
    }
    segment = whole->first;
    bytes = whole->second;
    chunks_.erase(chunk);
    segments_.erase(whole);
    reserved_ -= bytes;
  }
  backend_.release(segment, bytes);
}

uint64_t Segments::reserved_bytes() const {
  const std::lock_guard lock(mutex_);
  return reserved_;
}

}  // namespace bp
