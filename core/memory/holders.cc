// SPDX-License-Identifier: Apache-2.0
#include "core/memory/holders.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/locks.h"
#include "core/memory/pool.h"

namespace bp {
namespace {

// Guarded by a leaf mutex. It is never destroyed. Those that live are in slots, which serve again.
struct Books {
  std::vector<TraceBlock> living, ended;
  std::vector<TraceBlock> of_parent;  // what a fork left here, which nobody looks at
  std::vector<size_t> free;           // slots; it has room for all
  uint64_t most = 0;                  // 0: nothing is followed
  uint64_t number = 0;                // how many times it began
};
Books& books() {
  alignas(Books) static unsigned char room[sizeof(Books)];
  static Books& one = *new (room) Books;  // needs no memory
  return one;
}
std::mutex& books_mutex() { return leaf_mutexes.of(&books()); }

constexpr uint64_t kMostBlocks = uint64_t{1} << 40;  // a number is that of the books, and a slot

std::string holder_of(const TraceBlock& b) {
  std::string text = b.op.empty() ? "the program's own calls" : b.op;
  if (!b.module.empty()) text += " in " + b.module;
  return text;
}

}  // namespace

void follow_blocks(uint64_t most) {
  std::vector<TraceBlock> living, ended;  // what was there dies after the lock is released
  std::vector<size_t> free;
  const std::lock_guard lock(books_mutex());
  Books& b = books();
  living.swap(b.living);
  ended.swap(b.ended);
  free.swap(b.free);
  b.most = std::min(most, kMostBlocks - 1);
  ++b.number;
}

std::vector<TraceBlock> followed_blocks() noexcept {
  std::vector<size_t> free;
  const std::lock_guard lock(books_mutex());
  Books& b = books();
  b.most = 0;
  free.swap(b.free);
  std::vector<TraceBlock> living = std::move(b.living), all = std::move(b.ended);
  try {
    for (TraceBlock& block : living)
      if (block.bytes) all.push_back(std::move(block));
  } catch (const std::bad_alloc&) {
    count_dropped(/*spans=*/0, living.size());
  }
  return all;
}

std::vector<TraceBlock> living_blocks() {
  std::vector<TraceBlock> out;
  const std::lock_guard lock(books_mutex());
  for (const TraceBlock& block : books().living)
    if (block.bytes) out.push_back(block);
  return out;
}

void forget_blocks_in_child() noexcept {
  // To free what the parent noted takes time, and the child may be short.
  Books& b = books();
  if (b.of_parent.empty())
    b.of_parent.swap(b.living);
  else
    new (&b.living) std::vector<TraceBlock>;
  b.free.clear();
  b.most = 0;
}

uint64_t begin_block(std::string_view device, uint64_t bytes) noexcept try {
  TraceBlock block{std::string(device), {}, {}, bytes, trace_clock(), 0};
  name_here(block.op, block.module);
  const std::lock_guard lock(books_mutex());
  Books& b = books();
  if (b.living.size() - b.free.size() >= b.most) return 0;
  size_t slot = b.living.size();
  if (b.free.empty()) {
    if (b.free.capacity() <= slot) b.free.reserve(2 * slot + 64);
    b.living.push_back(std::move(block));
  } else {
    slot = b.free.back();
    b.free.pop_back();
    b.living[slot] = std::move(block);
  }
  return b.number * kMostBlocks + slot + 1;
} catch (const std::bad_alloc&) {
  return 0;
}

void end_block(uint64_t number) noexcept {
  bool is_kept = true;
  {
    const std::lock_guard lock(books_mutex());
    Books& b = books();
    if (!b.most || number / kMostBlocks != b.number) return;
    TraceBlock& block = b.living[number % kMostBlocks - 1];
    block.end = trace_clock();
    try {
      is_kept = b.ended.size() < b.most;
      if (is_kept) b.ended.push_back(std::move(block));
    } catch (const std::bad_alloc&) {
      is_kept = false;
    }
    block = {};
    b.free.push_back(number % kMostBlocks - 1);  // begin_block made room
  }
  if (!is_kept) count_dropped(/*spans=*/0, /*blocks=*/1);
}

std::string largest_holders(std::string_view device) noexcept try {
  constexpr size_t kShown = 5;
  std::map<std::string, uint64_t> bytes;
  {
    const std::lock_guard lock(books_mutex());
    for (const TraceBlock& b : books().living)
      if (b.bytes && b.device == device) bytes[holder_of(b)] += b.bytes;
  }
  std::vector<std::pair<std::string, uint64_t>> most(bytes.begin(), bytes.end());
  std::stable_sort(most.begin(), most.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (size_t i = 0; i < std::min(kShown, most.size()); ++i)
    text += fmt::format("{}{} of {}", i ? ", " : "", format_bytes(most[i].second), most[i].first);
  return text;
} catch (const std::bad_alloc&) {
  return "";
}

}  // namespace bp
