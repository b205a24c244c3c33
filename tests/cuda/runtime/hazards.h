// SPDX-License-Identifier: Apache-2.0
// hazards.h: which work is ordered before which, and what each work touched. Two works of streams
// that nothing orders may not touch the same 512 bytes, unless both read them.
//
// Orders are: a stream's own, an event and who waits for it, the default stream's rules, and what
// the host waited for before it enqueued. That one work was enqueued before another orders nothing.
//   Hazards h(true);
//   const Ticket t = h.begin(clock_of_the_stream, {0, 0, "copy", 64});
//   h.touch(t, address, /*writes=*/true);      // throws Fault
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "../machine/memory.h"

namespace cuda_machine {

// Of each stream's works, how many are known to be over.
class Clock {
 public:
  uint64_t at(size_t stream) const { return stream < ticks_.size() ? ticks_[stream] : 0; }
  uint64_t advance(size_t stream);
  void merge(const Clock& other);

 private:
  std::vector<uint64_t> ticks_;
};

struct Work {
  size_t lane = 0;      // of its stream, in clocks
  uint64_t stream = 0;  // as messages number it
  std::string_view what;
  uint64_t bytes = 0;  // of a copy
  uint64_t tick = 0;
};

struct Ticket {
  uint32_t work = 0;
  Clock clock;  // when the work begins, this is over
};

class Hazards {
 public:
  explicit Hazards(bool on) : on_(on) {}

  // Enqueues: the stream's clock is what it will have done by then.
  Ticket begin(Clock& stream, Work work);
  // The host's own knowledge enters whatever is enqueued later.
  void host_waited(const Clock& clock);
  // A stream's clock for an event, or for a stream that waits.
  Clock mark(Clock& stream);
  void wait(Clock& stream, const Clock& event);

  // A lane of clocks for a new stream, and back when it ended.
  size_t take_lane();
  void give_lane(size_t lane);

  // Work touches the granules that the n bytes lie in. Throws Fault.
  void touch(const machine::Memory& memory, const Ticket& ticket, uint64_t address, uint64_t n,
             bool writes);
  void forget(uint64_t address, uint64_t n);

  bool on() const { return on_; }

 private:
  static constexpr uint64_t kPageGranules = 2048;
  struct Cell {
    uint32_t writer = 0;
    std::vector<uint32_t> readers;  // the latest of each stream since
  };
  using Page = std::array<Cell, kPageGranules>;
  Cell& cell(uint64_t granule);
  bool ordered(uint32_t before, const Ticket& now) const;
  [[noreturn]] void complain(const machine::Memory& memory, uint32_t before, const Ticket& now,
                             uint64_t address, bool before_wrote, bool writes) const;

  const bool on_;
  std::mutex mutex_;
  Clock host_;
  std::vector<size_t> free_lanes_;
  size_t lanes_ = 0;
  std::deque<Work> works_;  // by number, from 1
  std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;
};

std::string demangled(std::string_view name);

}  // namespace cuda_machine
