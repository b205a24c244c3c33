// SPDX-License-Identifier: Apache-2.0
// memory.cc: a device's addresses are a PROT_NONE range, its bytes a file in memory that is mapped
// elsewhere. Both are longer than the device's memory is, and a new block is cut from the longest
// free stretch, so that a freed address is nobody's for a long time.
#include "memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <mutex>
#include <new>
#include <set>

namespace machine {
namespace {

constexpr uint64_t kStep = 512, kGap = 256, kPage = 4096, kTimesLonger = 16;

uint64_t round_up(uint64_t n, uint64_t step) { return (n + step - 1) / step * step; }

void* map(uint64_t bytes, int protection, int flags, int file) {
  void* p = mmap(nullptr, bytes, protection, flags | MAP_NORESERVE, file, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  return p;
}

}  // namespace

struct Memory::Range {
  uint64_t length = 0, used = 0;
  int file = -1;
  std::byte *addresses = nullptr, *bytes = nullptr;
  uint8_t* written = nullptr;
  std::map<uint64_t, uint64_t> by_place;  // the free stretches: offset, length
  std::set<std::pair<uint64_t, uint64_t>> by_length;

  void open(uint64_t n, bool host) {
    length = n;
    file = memfd_create("cuda-machine", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, static_cast<off_t>(length))) throw std::bad_alloc();
    bytes = static_cast<std::byte*>(map(length, PROT_READ | PROT_WRITE, MAP_SHARED, file));
    const int none = MAP_PRIVATE | MAP_ANONYMOUS;
    addresses = host ? bytes : static_cast<std::byte*>(map(length, PROT_NONE, none, -1));
    written = static_cast<uint8_t*>(map(length, PROT_READ | PROT_WRITE, none, -1));
    put(0, length);
  }
  ~Range() {
    if (written) munmap(written, length);
    if (addresses && addresses != bytes) munmap(addresses, length);
    if (bytes) munmap(bytes, length);
    if (file >= 0) close(file);
  }
  void put(uint64_t at, uint64_t n) {
    auto next = by_place.lower_bound(at);
    if (next != by_place.end() && next->first == at + n) {
      n += next->second;
      by_length.erase({next->second, next->first});
      next = by_place.erase(next);
    }
    if (next != by_place.begin()) {
      const auto before = std::prev(next);
      if (before->first + before->second == at) {
        by_length.erase({before->second, before->first});
        at = before->first, n += before->second;
        by_place.erase(before);
      }
    }
    by_place[at] = n;
    by_length.insert({n, at});
  }
  // Returns the offset, or `length` when no stretch is long enough.
  uint64_t take(uint64_t n) {
    if (by_length.empty() || by_length.rbegin()->first < n) return length;
    const auto [found, at] = *by_length.rbegin();
    by_length.erase({found, at});
    by_place.erase(at);
    if (found > n) put(at + n, found - n);
    return at;
  }
  void clear_marks(uint64_t at, uint64_t n) {
    const uint64_t first = round_up(at, kPage), last = (at + n) / kPage * kPage;
    if (first >= last) {
      std::memset(written + at, 0, n);
      return;
    }
    std::memset(written + at, 0, first - at);
    madvise(written + first, last - first, MADV_DONTNEED);
    std::memset(written + last, 0, at + n - last);
  }
  void give_back(uint64_t at, uint64_t n) {
    const uint64_t first = round_up(at, kPage), last = (at + n) / kPage * kPage;
    if (first < last)
      fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(first),
                static_cast<off_t>(last - first));
    clear_marks(at, n);
  }
  bool has(uint64_t address) const {
    return address - reinterpret_cast<uint64_t>(addresses) < length;
  }
};

// The host's range is the last one.
Memory::Memory(int devices, uint64_t bytes_each)
    : bytes_each_(bytes_each),
      ranges_(new Range[static_cast<size_t>(devices) + 1]),
      devices_(devices) {
  const uint64_t length = kTimesLonger * round_up(bytes_each, kPage);
  for (int d = 0; d <= devices; ++d) ranges_[static_cast<size_t>(d)].open(length, d == devices);
}

Memory::~Memory() = default;

uint64_t Memory::allocate(int device, uint64_t bytes) {
  const std::unique_lock lock(mutex_);
  Range& range = ranges_[static_cast<size_t>(device == kHost ? devices_ : device)];
  const uint64_t limit = device == kHost ? range.length / 2 : bytes_each_;
  if (bytes > limit || range.used + round_up(bytes, kStep) > limit) return 0;
  const uint64_t room = round_up(bytes + kGap, kStep), at = range.take(room);
  if (at == range.length) return 0;
  auto block = std::make_unique<Block>();
  block->begin = reinterpret_cast<uint64_t>(range.addresses) + at;
  block->size = bytes;
  block->device = device;
  block->bytes = range.bytes + at;
  block->written = range.written + at;
  block->room = room;
  range.clear_marks(at, room);
  if (device == kHost) std::memset(block->written, 1, bytes);  // the host writes unseen
  range.used += round_up(bytes, kStep);
  const uint64_t begin = block->begin;
  live_[begin] = std::move(block);
  return begin;
}

bool Memory::release(int device, uint64_t address) {
  const std::unique_lock lock(mutex_);
  const auto it = live_.find(address);
  if (it == live_.end() || it->second->device != device) return false;
  Block& block = *it->second;
  Range& range = ranges_[static_cast<size_t>(device == kHost ? devices_ : device)];
  const uint64_t at = address - reinterpret_cast<uint64_t>(range.addresses);
  block.freed = true;
  range.give_back(at, block.room);
  range.used -= round_up(block.size, kStep);
  range.put(at, block.room);
  auto& dead = dead_[address];
  if (dead) old_.push_back(std::move(dead));
  dead = std::move(it->second);
  live_.erase(it);
  return true;
}

Block* Memory::find(uint64_t address) const {
  const std::shared_lock lock(mutex_);
  auto it = live_.upper_bound(address);
  if (it == live_.begin()) return nullptr;
  Block* block = std::prev(it)->second.get();
  return address - block->begin < block->size ? block : nullptr;
}

std::string Memory::describe(uint64_t address, uint64_t n) const {
  const std::shared_lock lock(mutex_);
  // The nearest block that begins at or before the address, a live one before a freed one.
  const auto before = [&](const auto& blocks) -> const Block* {
    const auto it = blocks.upper_bound(address);
    return it == blocks.begin() ? nullptr : std::prev(it)->second.get();
  };
  const Block *live = before(live_), *dead = before(dead_);
  const auto near = [&](const Block* b) { return b && address - b->begin < b->room; };
  const Block* block = near(live) ? live : near(dead) ? dead : nullptr;
  char text[200];
  if (!block) {
    const int device = device_of(address);
    if (device == kHost)
      std::snprintf(text, sizeof text, "no memory of a device and not pinned");
    else
      std::snprintf(text, sizeof text, "in no block of device %d", device);
    return text;
  }
  const char* what = block->freed             ? "freed block"
                     : block->device == kHost ? "pinned block"
                                              : "block";
  const uint64_t at = address - block->begin;
  const auto say = [&](const char* where, uint64_t bytes) {
    std::snprintf(text, sizeof text, "%llu bytes %s the %s of %llu bytes at 0x%llx",
                  static_cast<unsigned long long>(bytes), where, what,
                  static_cast<unsigned long long>(block->size),
                  static_cast<unsigned long long>(block->begin));
  };
  if (at >= block->size)
    say("past the end of", at - block->size);
  else if (n > block->size - at)
    say("of it past the end of", n - (block->size - at));
  else
    say("into", at);
  return text;
}

uint64_t Memory::used(int device) const {
  const std::shared_lock lock(mutex_);
  return ranges_[static_cast<size_t>(device == kHost ? devices_ : device)].used;
}

int Memory::device_of(uint64_t address) const {
  for (int d = 0; d < devices_; ++d)
    if (ranges_[static_cast<size_t>(d)].has(address)) return d;
  return kHost;
}

}  // namespace machine
