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

// Guarded by a leaf mutex. It is never destroyed.
struct Books {
  std::vector<TraceBlock> blocks;
  uint64_t most = 0;    // 0: nothing is followed
  uint64_t number = 0;  // how many times it began
};
Books& books() {
  alignas(Books) static unsigned char room[sizeof(Books)];
  static Books& one = *new (room) Books;  // needs no memory
  return one;
}
std::mutex& books_mutex() { return leaf_mutexes.of(&books()); }

constexpr uint64_t kMostBlocks = uint64_t{1} << 40;  // a number is that of the books, and a place

std::string holder_of(const TraceBlock& b) {
  std::string text = b.op.empty() ? "the program's own calls" : b.op;
  if (!b.module.empty()) text += " in " + b.module;
  return text;
}

}  // namespace

void follow_blocks(uint64_t most) {
  std::vector<TraceBlock> before;  // dies after the lock is released
  const std::lock_guard lock(books_mutex());
  before.swap(books().blocks);
  books().most = std::min(most, kMostBlocks - 1);
  ++books().number;
}

std::vector<TraceBlock> followed_blocks() noexcept {
  const std::lock_guard lock(books_mutex());
  books().most = 0;
  return std::move(books().blocks);
}

std::vector<TraceBlock> living_blocks() {
  std::vector<TraceBlock> out;
  const std::lock_guard lock(books_mutex());
  for (const TraceBlock& b : books().blocks)
    if (!b.end) out.push_back(b);
  return out;
}

void forget_blocks_in_child() noexcept {
  // What the parent noted is left alone: to free it takes time, and the child may be short.
  new (&books().blocks) std::vector<TraceBlock>;
  books().most = 0;
}

uint64_t begin_block(std::string_view device, uint64_t bytes) noexcept try {
  TraceBlock block{std::string(device), {}, {}, bytes, trace_clock(), 0};
  name_here(block.op, block.module);
  const std::lock_guard lock(books_mutex());
  Books& b = books();
  if (b.blocks.size() >= b.most) return 0;
  b.blocks.push_back(std::move(block));
  return b.number * kMostBlocks + b.blocks.size();
} catch (const std::bad_alloc&) {
  return 0;
}

void end_block(uint64_t number) noexcept {
  const std::lock_guard lock(books_mutex());
  Books& b = books();
  if (b.most && number / kMostBlocks == b.number)
    b.blocks[number % kMostBlocks - 1].end = trace_clock();
}

std::string largest_holders(std::string_view device) noexcept try {
  constexpr size_t kShown = 5;
  std::map<std::string, uint64_t> bytes;
  {
    const std::lock_guard lock(books_mutex());
    for (const TraceBlock& b : books().blocks)
      if (!b.end && b.device == device) bytes[holder_of(b)] += b.bytes;
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
