// SPDX-License-Identifier: Apache-2.0
// races.h: who touched each byte of a block's shared memory last. Two threads may not touch a byte
// with no barrier between, unless both read it or both do so atomically. Threads of one warp are
// also kept apart by bar.warp.sync.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace machine {

class Races {
 public:
  void begin(uint64_t bytes) {
    const uint64_t words = bytes / 4 + 1;
    if (words_.size() < words) words_.resize(words), bytes_.resize(4 * words);
    barrier();
  }
  void barrier() { ++epoch_; }

  // One thread's access to n bytes. Returns the other thread, or -1 when all is well; then
  // *other_wrote says what it did. `phase` is how often the threads of its warp have waited for
  // each other.
  int touch(uint64_t at, uint64_t n, uint32_t thread, uint32_t phase, bool writes, bool atomic,
            bool* other_wrote) {
    const Seen now{epoch_, phase & 0xfffff, thread & 0x7ff, atomic};
    int other = -1;
    for (uint64_t word = at / 4; word <= (at + n - 1) / 4 && other < 0; ++word) {
      Word& w = words_[word];
      Cell* bytes = &bytes_[4 * word];
      if (n >= 4 && !w.split) {
        other = touch(w.cell, now, writes, other_wrote);
        continue;
      }
      if (!w.split) std::fill_n(bytes, 4, w.cell), w.split = true;
      const uint64_t first = std::max(at, 4 * word), last = std::min(at + n, 4 * word + 4);
      for (uint64_t b = first; b < last && other < 0; ++b)
        other = touch(bytes[b % 4], now, writes, other_wrote);
    }
    return other;
  }

 private:
  struct Seen {
    uint64_t epoch : 32 = 0, phase : 20 = 0, thread : 11 = 0, atomic : 1 = 0;
  };
  // The latest writer, and the first and the last reader since the barrier: of two, one at least is
  // not who writes next.
  struct Cell {
    Seen writer, first, last;
  };
  // Four bytes that were always touched together, or split: then each of bytes_ is for itself.
  struct Word {
    Cell cell;
    bool split = false;
  };

  static bool conflict(const Seen& before, const Seen& now) {
    if (before.epoch != now.epoch || before.thread == now.thread || (before.atomic && now.atomic))
      return false;
    return before.thread / 32 != now.thread / 32 || before.phase == now.phase;
  }
  static int touch(Cell& c, const Seen& now, bool writes, bool* other_wrote) {
    *other_wrote = true;
    if (conflict(c.writer, now)) return static_cast<int>(c.writer.thread);
    *other_wrote = false;
    if (writes) {
      if (conflict(c.first, now)) return static_cast<int>(c.first.thread);
      if (conflict(c.last, now)) return static_cast<int>(c.last.thread);
      c.writer = now;
    } else if (c.first.epoch != now.epoch || c.first.thread == now.thread) {
      c.first = now;
    } else {
      c.last = now;
    }
    return -1;
  }

  std::vector<Word> words_;
  std::vector<Cell> bytes_;
  uint32_t epoch_ = 1;  // never begins anew, so that a new block need not clear the cells
};

}  // namespace machine
