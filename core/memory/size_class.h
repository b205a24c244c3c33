// SPDX-License-Identifier: Apache-2.0
// size_class.h: the sizes in which pool.cc keeps blocks, and the list of free blocks of one size.
// Sizes are 64-byte steps up to 1 KiB, four classes per power of two up to 16 MiB (at most 20 % of
// a block unused), and multiples of 2 MiB beyond, which is the page size of large host pages and of
// accelerators. The functions are pure; the caller locks.
//
//   SizeClass c = size_class(1100);             // {16, 1280}
//   uint64_t bytes = round_large(20'000'000);   // 20 MiB
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace bp {

constexpr uint64_t kSizeStep = 64, kMostSteps = 1024, kLargestClass = 16 << 20,
                   kLargeStep = 2 << 20;
constexpr uint32_t kStepClasses = kMostSteps / kSizeStep;
constexpr uint32_t kSizeClasses = kStepClasses + 4 * 14;  // 1 KiB to 16 MiB is 14 powers of two

struct SizeClass {
  uint32_t index;
  uint64_t bytes;
};

// 1 <= bytes <= kLargestClass.
constexpr SizeClass size_class(uint64_t bytes) {
  if (bytes <= kMostSteps) {
    const auto steps = static_cast<uint32_t>((bytes + kSizeStep - 1) / kSizeStep);
    return {steps - 1, steps * kSizeStep};
  }
  // 2^e < bytes <= 2^(e+1), cut into quarters.
  const int e = 63 - __builtin_clzll(bytes - 1);
  const uint64_t quarter = uint64_t{1} << (e - 2);
  const uint64_t n = (bytes - (uint64_t{1} << e) + quarter - 1) / quarter;  // 1..4
  return {kStepClasses + 4 * static_cast<uint32_t>(e - 10) + static_cast<uint32_t>(n) - 1,
          (uint64_t{1} << e) + n * quarter};
}
static_assert(size_class(kLargestClass).index == kSizeClasses - 1);

constexpr uint64_t round_large(uint64_t bytes) {
  return (bytes + kLargeStep - 1) / kLargeStep * kLargeStep;
}

// A free block; `tick` orders all of them by the time of their free.
struct FreeBlock {
  void* p;
  uint64_t bytes, tick;
};

// The free blocks of one class, oldest first: reuse takes the newest (its lines are still in the
// cache), eviction the oldest. Room is made when blocks are born, so that push never allocates.
struct FreeList {
  std::unique_ptr<FreeBlock[]> room;
  FreeBlock *first = nullptr, *last = nullptr;  // occupied: [first, last)
  FreeBlock* end = nullptr;                     // of the room
  size_t born = 0;  // blocks of this class that the backend gave and has not got back, free or not

  bool empty() const { return first == last; }
  const FreeBlock& oldest() const { return *first; }
  void add_born() {
    const auto capacity = static_cast<size_t>(end - room.get());
    if (born + 1 > capacity) {
      const size_t wanted = std::max<size_t>(8, 2 * (born + 1));
      std::unique_ptr<FreeBlock[]> wider(new FreeBlock[wanted]);
      last = std::copy(first, last, wider.get());
      first = wider.get();
      end = first + wanted;
      room = std::move(wider);
    }
    ++born;
  }
  // Whether push() would first move the list to the start of its room.
  bool full() const { return last == end; }
  void push(FreeBlock b) {
    if (full()) {
      last = std::copy(first, last, room.get());
      first = room.get();
    }
    append(b);
  }
  void append(FreeBlock b) { *last++ = b; }
  FreeBlock pop_newest() { return *--last; }
  FreeBlock pop_oldest() { return *first++; }
};

}  // namespace bp
