// SPDX-License-Identifier: Apache-2.0
#include "hazards.h"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>

#include "../machine/fault.h"
#include "../machine/machine.h"

namespace cuda_machine {
namespace {

std::string words(const Work& w) {
  const std::string in = " in stream " + std::to_string(w.stream);
  if (w.bytes) return std::string(w.what) + " of " + std::to_string(w.bytes) + " bytes" + in;
  return "kernel " + demangled(w.what) + in;
}

}  // namespace

std::string demangled(std::string_view name) {
  int status = 0;
  char* plain = abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status);
  std::string out = plain ? plain : std::string(name);
  std::free(plain);
  return out;
}

uint64_t Clock::advance(size_t stream) {
  if (ticks_.size() <= stream) ticks_.resize(stream + 1);
  return ++ticks_[stream];
}

void Clock::merge(const Clock& other) {
  if (ticks_.size() < other.ticks_.size()) ticks_.resize(other.ticks_.size());
  for (size_t k = 0; k < other.ticks_.size(); ++k) ticks_[k] = std::max(ticks_[k], other.ticks_[k]);
}

Ticket Hazards::begin(Clock& stream, Work work) {
  if (!on_) return {};
  const std::lock_guard lock(mutex_);
  stream.merge(host_);
  work.tick = stream.advance(work.lane);
  works_.push_back(work);
  return {static_cast<uint32_t>(works_.size()), stream};
}

void Hazards::host_waited(const Clock& clock) {
  const std::lock_guard lock(mutex_);
  host_.merge(clock);
}

Clock Hazards::mark(Clock& stream) {
  const std::lock_guard lock(mutex_);
  stream.merge(host_);
  return stream;
}

void Hazards::wait(Clock& stream, const Clock& event) {
  const std::lock_guard lock(mutex_);
  stream.merge(event);
}

// A lane that is used again goes on counting: of the ended stream's works fewer faults are found,
// never a false one.
size_t Hazards::take_lane() {
  const std::lock_guard lock(mutex_);
  if (free_lanes_.empty()) return lanes_++;
  const size_t lane = free_lanes_.back();
  free_lanes_.pop_back();
  return lane;
}

void Hazards::give_lane(size_t lane) {
  const std::lock_guard lock(mutex_);
  free_lanes_.push_back(lane);
}

Hazards::Cell& Hazards::cell(uint64_t granule) {
  std::unique_ptr<Page>& page = pages_[granule / kPageGranules];
  if (!page) page = std::make_unique<Page>();
  return (*page)[granule % kPageGranules];
}

bool Hazards::ordered(uint32_t before, const Ticket& now) const {
  const Work& b = works_[before - 1];
  return b.lane == works_[now.work - 1].lane || now.clock.at(b.lane) >= b.tick;
}

void Hazards::touch(const machine::Memory& memory, const Ticket& ticket, uint64_t address,
                    uint64_t n, bool writes) {
  if (!on_ || n == 0) return;
  const std::lock_guard lock(mutex_);
  for (uint64_t g = address / machine::kGranule; g <= (address + n - 1) / machine::kGranule; ++g) {
    Cell& c = cell(g);
    const uint64_t at = std::max(address, g * machine::kGranule);
    if (c.writer && !ordered(c.writer, ticket))
      complain(memory, c.writer, ticket, at, true, writes);
    if (writes) {
      for (const uint32_t r : c.readers)
        if (!ordered(r, ticket)) complain(memory, r, ticket, at, false, true);
      c.readers.clear();
      c.writer = ticket.work;
    } else {
      const size_t lane = works_[ticket.work - 1].lane;
      const auto same = [&](uint32_t r) { return works_[r - 1].lane == lane; };
      std::erase_if(c.readers, same);
      c.readers.push_back(ticket.work);
    }
  }
}

void Hazards::forget(uint64_t address, uint64_t n) {
  const std::lock_guard lock(mutex_);
  const uint64_t last = (address + n - 1) / machine::kGranule;
  for (uint64_t g = address / machine::kGranule; g <= last;) {
    const auto page = pages_.find(g / kPageGranules);
    if (page == pages_.end()) {
      g = (g / kPageGranules + 1) * kPageGranules;
    } else {
      (*page->second)[g % kPageGranules] = {};
      ++g;
    }
  }
}

void Hazards::complain(const machine::Memory& memory, uint32_t before, const Ticket& now,
                       uint64_t address, bool before_wrote, bool writes) const {
  char at[32];
  std::snprintf(at, sizeof at, "0x%llx", static_cast<unsigned long long>(address));
  throw machine::Fault(machine::kLaunchFailure,
                       "hazard: " + words(works_[now.work - 1]) + (writes ? " writes" : " reads") +
                           " at " + at + ", " + memory.describe(address, 1) + ", what " +
                           words(works_[before - 1]) + (before_wrote ? " wrote" : " read") +
                           ", and nothing orders the two");
}

}  // namespace cuda_machine
