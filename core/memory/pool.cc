// SPDX-License-Identifier: Apache-2.0
#include "core/memory/pool.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <thread>
#include <unordered_map>
#include <vector>

#include "core/base/error.h"
#include "core/memory/holders.h"
#include "core/memory/size_class.h"
#include "core/process/runtime.h"

namespace bp {

// Held for a few nanoseconds and never across a call to the backend; a std::mutex costs twice as
// many atomic operations. It soon yields, in case its holder is not running.
class SpinLock {
 public:
  void lock() noexcept {
    for (int spins = 0; !try_lock();)
      while (held_.load(std::memory_order_relaxed))
        if (++spins > 64) std::this_thread::yield();
  }
  bool try_lock() noexcept { return !held_.exchange(true, std::memory_order_acquire); }
  void unlock() noexcept { held_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> held_{false};
};

std::string format_bytes(uint64_t n) {
  if (n < 1024) return fmt::format("{} bytes", n);
  const double kib = static_cast<double>(n) / 1024;
  if (kib < 1024) return fmt::format("{:.2f} KiB", kib);
  if (kib < 1024 * 1024) return fmt::format("{:.2f} MiB", kib / 1024);
  return fmt::format("{:.2f} GiB", kib / (1024 * 1024));
}

namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 62;

// In debug mode: what lies on either side of a block, and what fills it.
constexpr uint64_t kGuardBytes = 64;
constexpr unsigned char kGuard = 0xA5, kFresh = 0xCB, kDead = 0xDD;

constexpr uint64_t kPiece = 4096;  // device memory is written and read in pieces

void fill(RawMemory& raw, unsigned char* p, uint64_t n, unsigned char value) {
  if (raw.host_accessible()) {
    std::memset(p, value, n);
    return;
  }
  unsigned char piece[kPiece];
  std::memset(piece, value, kPiece);
  for (uint64_t at = 0; at < n; at += kPiece) raw.write(p + at, piece, std::min(kPiece, n - at));
}

bool all_equal(RawMemory& raw, const unsigned char* p, uint64_t n, unsigned char value) {
  unsigned char piece[kPiece];
  for (uint64_t at = 0; at < n; at += kPiece) {
    const uint64_t m = std::min(kPiece, n - at);
    raw.read(piece, p + at, m);
    if (!std::all_of(piece, piece + m, [&](unsigned char c) { return c == value; })) return false;
  }
  return true;
}

}  // namespace

struct MemoryPool::State {
  RawMemory& raw;
  const bool debug;
  mutable SpinLock lock;
  uint64_t limit;
  uint64_t allocated = 0, peak = 0;  // handed out
  uint64_t held = 0;  // got from the backend and not given back; the cache is held - allocated
  uint64_t n_allocations = 0, n_frees = 0, n_backend_allocations = 0, n_backend_frees = 0;
  uint64_t n_guard_faults = 0;
  std::array<FreeList, kSizeClasses> classes;
  // Free blocks larger than the classes, oldest first; there is room for every one that lives.
  std::vector<FreeBlock> large;
  size_t large_born = 0;
  // Large blocks that were handed out and are bigger than their request rounded; in debug mode,
  // every block's request.
  std::unordered_map<void*, uint64_t> odd_sizes;

  MemoryTotal* const total;

  State(RawMemory& r, uint64_t l, bool d, MemoryTotal* t) : raw(r), debug(d), limit(l), total(t) {}

  uint64_t cached() const { return held - allocated; }
  void count_out(uint64_t bytes) {
    ++n_allocations;
    allocated += bytes;
    if (allocated > peak) peak = allocated;
    if (total) total->add(bytes);
  }
  void count_in(uint64_t bytes) {
    ++n_frees;
    allocated -= bytes;
    if (total) total->subtract(bytes);
  }
  void count_returned(uint64_t bytes) {
    held -= bytes;
    ++n_backend_frees;
  }

  void* take_kept(SizeClass c) noexcept;
  void* take_small(SizeClass c);
  void* take_large(uint64_t bytes);
  bool keep_small(void* p, SizeClass c) noexcept;
  void give_small(void* p, SizeClass c) noexcept;
  void give_large(void* p, uint64_t bytes) noexcept;
  void* backend_allocate(uint64_t bytes);
  [[noreturn]] void exhausted(uint64_t bytes, uint64_t cached_before, uint64_t largest,
                              const std::string& cause) const;
  bool evict_oldest(FreeBlock* out) noexcept;
  void shrink(uint64_t to) noexcept;
  uint64_t largest_cached() const noexcept;
  void* debug_take(uint64_t bytes);
  void* take_unusual(uint64_t bytes);  // a large block, or any in debug mode
  void debug_give(void* p, uint64_t bytes) noexcept;
};

// ---- the ordinary way ----

// Most calls end in take_kept or keep_small, which call nothing and so need no stack frame. What
// these leave undone, having changed nothing, take_small and give_small do in full.

// Returns nullptr when no such block is kept, or another thread holds the lock.
[[gnu::always_inline]] inline void* MemoryPool::State::take_kept(SizeClass c) noexcept {
  if (!lock.try_lock()) [[unlikely]]
    return nullptr;
  FreeList& list = classes[c.index];
  void* p = nullptr;
  if (!list.empty()) [[likely]] {
    p = list.pop_newest().p;
    count_out(c.bytes);
  }
  lock.unlock();
  return p;
}

[[gnu::noinline]] void* MemoryPool::State::take_small(SizeClass c) {
  FreeList& list = classes[c.index];
  {
    std::lock_guard hold(lock);
    if (!list.empty()) {
      count_out(c.bytes);
      return list.pop_newest().p;
    }
  }
  void* p = backend_allocate(c.bytes);
  try {
    std::lock_guard hold(lock);
    list.add_born();
    held += c.bytes;
    ++n_backend_allocations;
    count_out(c.bytes);
  } catch (...) {
    raw.release(p, c.bytes);
    throw;
  }
  return p;
}

// Returns false when another thread holds the lock, or the block is more than may be kept.
[[gnu::always_inline]] inline bool MemoryPool::State::keep_small(void* p, SizeClass c) noexcept {
  if (!lock.try_lock()) [[unlikely]]
    return false;
  FreeList& list = classes[c.index];
  const bool fits = cached() + c.bytes <= limit && !list.full();
  if (fits) [[likely]] {
    count_in(c.bytes);
    list.append({p, c.bytes, n_frees});
  }
  lock.unlock();
  return fits;
}

[[gnu::noinline]] void MemoryPool::State::give_small(void* p, SizeClass c) noexcept {
  uint64_t most;
  bool keep;
  {
    std::lock_guard hold(lock);
    count_in(c.bytes);
    most = limit;
    keep = c.bytes <= most;
    if (keep) {
      classes[c.index].push({p, c.bytes, n_frees});
    } else {
      --classes[c.index].born;
      count_returned(c.bytes);
    }
  }
  if (keep) return shrink(most);
  raw.release(p, c.bytes);
}

// Takes the best fit, with at most an eighth of the block unused.
void* MemoryPool::State::take_large(uint64_t bytes) {
  const uint64_t want = round_large(bytes);
  {
    std::lock_guard hold(lock);
    auto best = large.end();
    for (auto it = large.begin(); it != large.end(); ++it)
      if (it->bytes >= want && it->bytes - want <= it->bytes / 8 &&
          (best == large.end() || it->bytes <= best->bytes))
        best = it;
    if (best != large.end()) {
      const FreeBlock c = *best;
      if (c.bytes != want) odd_sizes.emplace(c.p, c.bytes);
      large.erase(best);
      count_out(c.bytes);
      return c.p;
    }
  }
  void* p = backend_allocate(want);
  try {
    std::lock_guard hold(lock);
    large.reserve(large_born + 1);
    ++large_born;
    held += want;
    ++n_backend_allocations;
    count_out(want);
  } catch (...) {
    raw.release(p, want);
    throw;
  }
  return p;
}

[[gnu::noinline]] void MemoryPool::State::give_large(void* p, uint64_t bytes) noexcept {
  uint64_t real = round_large(bytes), most;
  bool keep;
  {
    std::lock_guard hold(lock);
    if (const auto odd = odd_sizes.find(p); odd != odd_sizes.end()) {
      real = odd->second;
      odd_sizes.erase(odd);
    }
    count_in(real);
    most = limit;
    keep = real <= most;
    if (keep) {
      large.push_back({p, real, n_frees});
    } else {
      --large_born;
      count_returned(real);
    }
  }
  if (keep) return shrink(most);
  raw.release(p, real);
}

// Takes the block that was freed longest ago out of the cache. The caller holds the lock.
bool MemoryPool::State::evict_oldest(FreeBlock* out) noexcept {
  FreeList* oldest = nullptr;
  for (FreeList& list : classes)
    if (!list.empty() && (!oldest || list.oldest().tick < oldest->oldest().tick)) oldest = &list;
  if (!large.empty() && (!oldest || large.front().tick < oldest->oldest().tick)) {
    *out = large.front();
    large.erase(large.begin());
    --large_born;
  } else if (oldest) {
    *out = oldest->pop_oldest();
    --oldest->born;
  } else {
    return false;
  }
  count_returned(out->bytes);
  return true;
}

// Gives the oldest free blocks back until at most `to` bytes are cached.
void MemoryPool::State::shrink(uint64_t to) noexcept {
  for (;;) {
    FreeBlock victim{};
    {
      std::lock_guard hold(lock);
      if (cached() <= to || !evict_oldest(&victim)) return;
    }
    raw.release(victim.p, victim.bytes);
  }
}

uint64_t MemoryPool::State::largest_cached() const noexcept {
  uint64_t most = 0;
  for (const FreeBlock& c : large) most = std::max(most, c.bytes);
  for (const FreeList& list : classes)
    if (!list.empty()) most = std::max(most, list.oldest().bytes);
  return most;
}

// ---- exhaustion ----

void* MemoryPool::State::backend_allocate(uint64_t bytes) {
  std::string cause;
  uint64_t cached_before = 0, largest = 0;
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      return raw.allocate(bytes);
    } catch (const Error& e) {
      if (e.status() != BP_OUT_OF_DEVICE_MEMORY && e.status() != BP_OUT_OF_HOST_MEMORY) throw;
      cause = e.message();
    } catch (const std::bad_alloc&) {
      cause = "std::bad_alloc";
    }
    if (attempt) break;
    {
      std::lock_guard hold(lock);
      cached_before = cached();
      largest = largest_cached();
    }
    log(kLogInfo, "{}: no memory for {} bytes: {} cached bytes are given back", raw.name(), bytes,
        cached_before);
    shrink(0);
  }
  exhausted(bytes, cached_before, largest, cause);
}

void MemoryPool::State::exhausted(uint64_t bytes, uint64_t cached_before, uint64_t largest,
                                  const std::string& cause) const {
  uint64_t out, n;
  {
    std::lock_guard hold(lock);
    out = allocated;
    n = n_allocations - n_frees;
  }
  std::string holders = largest_holders(raw.name());
  holders = holders.empty() ? "a profile names their holders" : "the largest: " + holders;
  fail(raw.host_accessible() ? BP_OUT_OF_HOST_MEMORY : BP_OUT_OF_DEVICE_MEMORY,
       "{} out of memory. Tried to allocate {}. {} are allocated in {} blocks ({}), {} were cached "
       "(largest free block {}) and were given back first. The backend says: {}",
       raw.name(), format_bytes(bytes), format_bytes(out), n, holders, format_bytes(cached_before),
       format_bytes(largest), cause.empty() ? "nothing" : cause);
}

// ---- debug mode: guard | block | guard, nothing is kept ----

void* MemoryPool::State::debug_take(uint64_t bytes) {
  const uint64_t real = (bytes + kSizeStep - 1) / kSizeStep * kSizeStep + 2 * kGuardBytes;
  auto* base = static_cast<unsigned char*>(backend_allocate(real));
  fill(raw, base, kGuardBytes, kGuard);
  fill(raw, base + kGuardBytes, bytes, kFresh);
  fill(raw, base + kGuardBytes + bytes, real - kGuardBytes - bytes, kGuard);
  try {
    std::lock_guard hold(lock);
    odd_sizes.emplace(base + kGuardBytes, bytes);
    held += bytes;
    ++n_backend_allocations;
    count_out(bytes);
  } catch (...) {
    raw.release(base, real);
    throw;
  }
  return base + kGuardBytes;
}

[[gnu::noinline]] void MemoryPool::State::debug_give(void* p, uint64_t bytes) noexcept {
  const char* fault = nullptr;
  uint64_t asked = bytes;
  bool known;
  {
    std::lock_guard hold(lock);
    const auto found = odd_sizes.find(p);
    known = found != odd_sizes.end();
    if (known) {
      asked = found->second;
      odd_sizes.erase(found);
      count_in(asked);
      count_returned(asked);
    }
  }
  if (!known) fault = "is not allocated (freed twice?)";
  if (known && asked != bytes) fault = "is freed with another size than it was allocated with";
  if (known) {
    auto* base = static_cast<unsigned char*>(p) - kGuardBytes;
    const uint64_t real = (asked + kSizeStep - 1) / kSizeStep * kSizeStep + 2 * kGuardBytes;
    if (!all_equal(raw, base, kGuardBytes, kGuard)) fault = "was written before its start";
    const uint64_t end = kGuardBytes + asked;
    if (!all_equal(raw, base + end, real - end, kGuard)) fault = "was written past its end";
    fill(raw, base, real, kDead);
    raw.release(base, real);
  }
  if (!fault) return;
  {
    std::lock_guard hold(lock);
    ++n_guard_faults;
  }
  char line[256];
  const auto end = fmt::format_to_n(line, sizeof line, "{}: memory block {} of {} bytes {}",
                                    raw.name(), p, asked, fault);
  log_text(kLogError, {line, std::min(end.size, sizeof line)});
}

// ---- the door ----

[[gnu::noinline]] void* MemoryPool::State::take_unusual(uint64_t bytes) {
  if (bytes > kMostBytes) exhausted(bytes, 0, 0, "no address space has that many bytes");
  return debug ? debug_take(bytes) : take_large(bytes);
}

MemoryPool::MemoryPool(RawMemory& raw, uint64_t limit_bytes, bool debug, MemoryTotal* total)
    : state_(std::make_unique<State>(raw, limit_bytes, debug, total)) {}

MemoryPool::~MemoryPool() { trim(); }

void* MemoryPool::allocate(uint64_t bytes) {
  State& s = *state_;
  if (bytes - 1 >= kLargestClass || s.debug) [[unlikely]]
    return bytes ? s.take_unusual(bytes) : nullptr;
  const SizeClass c = size_class(bytes);
  void* p = s.take_kept(c);
  return p ? p : s.take_small(c);
}

void MemoryPool::free(void* p, uint64_t bytes) noexcept {
  if (!p) return;
  State& s = *state_;
  if (s.debug) [[unlikely]]
    return s.debug_give(p, bytes);
  if (bytes > kLargestClass) return s.give_large(p, bytes);
  const SizeClass c = size_class(bytes);
  if (!s.keep_small(p, c)) s.give_small(p, c);
}

void MemoryPool::trim() noexcept { state_->shrink(0); }

void MemoryPool::set_limit(uint64_t bytes) noexcept {
  {
    std::lock_guard hold(state_->lock);
    state_->limit = bytes;
  }
  state_->shrink(bytes);
}

void MemoryPool::reset_peak() noexcept {
  std::lock_guard hold(state_->lock);
  state_->peak = state_->allocated;
}

void MemoryPool::count_reuses(uint64_t n) noexcept {
  std::lock_guard hold(state_->lock);
  state_->n_allocations += n;
  state_->n_frees += n;
}

bp_memory_stats MemoryPool::stats() const noexcept {
  const State& s = *state_;
  std::lock_guard hold(s.lock);
  bp_memory_stats out{};
  out.struct_size = sizeof out;
  out.allocated_bytes = s.allocated;
  out.peak_allocated_bytes = s.peak;
  out.cached_bytes = s.cached();
  out.reserved_bytes = s.held;
  out.limit_bytes = s.limit;
  out.n_allocations = s.n_allocations;
  out.n_frees = s.n_frees;
  out.n_backend_allocations = s.n_backend_allocations;
  out.n_backend_frees = s.n_backend_frees;
  out.n_live = s.n_allocations - s.n_frees;
  out.n_guard_faults = s.n_guard_faults;
  return out;
}

void MemoryPool::before_fork() noexcept { state_->lock.lock(); }
void MemoryPool::after_fork() noexcept { state_->lock.unlock(); }

}  // namespace bp
