// SPDX-License-Identifier: Apache-2.0
#include "warp.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

namespace machine {

// ---- a warp ----

void Warp::begin(uint32_t mask) {
  parts_.clear();
  parts_.push_back({0, mask, false});
  carry = phase = 0;
}

// Puts a part where its place is; parts at one place become one.
void Warp::put(Part part) {
  auto it = parts_.begin();
  while (it != parts_.end() && it->pc < part.pc) ++it;
  if (it == parts_.end() || it->pc != part.pc) {
    parts_.insert(it, part);
    return;
  }
  it->mask |= part.mask;
  it->waits = it->waits && part.waits;  // whoever waits for lanes looks again
}

void Warp::advance() {
  for (;;) {
    const auto next =
        std::find_if(parts_.begin(), parts_.end(), [](const Part& p) { return !p.waits; });
    if (next == parts_.end()) break;
    const Part part = *next;
    const auto after = parts_.erase(next);
    run_first(part, after == parts_.end() ? ~0u : after->pc);
  }
  for (const Part& p : parts_) {
    const Instruction& i = team->program.instructions[p.pc];
    if (i.row->flow == Row::kTogether)
      complain({kLaunchFailure, std::countr_zero(p.mask), "waits for lanes that never come here"},
               p.pc);
    if (p.pc != parts_.front().pc)
      complain({kLaunchFailure, std::countr_zero(p.mask),
                "waits at a barrier while other lanes of its warp wait at another"},
               p.pc);
  }
}

// Runs a part up to `until`, where another one is, or until it parts, waits or ends.
void Warp::run_first(Part part, uint32_t until) {
  const std::vector<Instruction>& all = team->program.instructions;
  uint32_t pc = part.pc;
  const uint32_t mask = part.mask;
  while (pc != until) {
    if (pc >= all.size()) return;  // the end of the text is the thread's
    const Instruction& i = all[pc];
    const uint32_t on =
        i.guard < 0 ? mask : mask & (predicate(static_cast<uint32_t>(i.guard)) ^ i.guard_negated);
    ++team->steps;
    if (team->steps == team->launch.fail_at)
      complain({kIllegalAddress, std::countr_zero(mask),
                "was made to fail (CUDA_MACHINE_FAIL_INSTRUCTION)"},
               pc);
    switch (i.row->flow) {
      case Row::kBranch:
        if (on == mask) {
          if (i.target > until) return put({i.target, mask, false});
          pc = i.target;
          continue;
        }
        if (on != 0) {
          put({i.target, on, false});
          return put({pc + 1, mask & ~on, false});
        }
        break;
      case Row::kEnd:
        if (on == mask) return;
        if (on != 0) return put({pc + 1, mask & ~on, false});
        break;
      case Row::kBarrier:
        if (on != mask)
          complain({kLaunchFailure, std::countr_zero(mask & ~on),
                    "a barrier with a guard that lets some threads pass"},
                   pc);
        return put({pc, mask, true});
      case Row::kTogether: {
        if (on == 0) break;
        const uint32_t members =
            i.row->members < 0 ? ~0u : lanes<uint32_t>(i.at[i.row->members])[std::countr_zero(on)];
        if ((members & on) != on)
          complain({kLaunchFailure, std::countr_zero(on & ~members),
                    "is not among the lanes that it names"},
                   pc);
        uint32_t alive = mask;
        for (const Part& p : parts_) alive |= p.mask;
        if ((members & alive & ~on) != 0) return put({pc, mask, true});
        try {
          i.run(*this, i, on);
        } catch (const Wrong& wrong) {
          complain(wrong, pc);
        }
        break;
      }
      default:
        if (on == 0) break;
        try {
          i.run(*this, i, on);
        } catch (const Wrong& wrong) {
          complain(wrong, pc);
        }
    }
    ++pc;
  }
  put({pc, mask, false});
}

void Warp::complain(const Wrong& wrong, uint32_t pc) const {
  const Statement& s = team->program.statements[team->program.instructions[pc].statement];
  const Extent t = team->thread(index * kLanes + static_cast<uint32_t>(wrong.lane));
  const auto place = [](const Extent& e) {
    return "(" + std::to_string(e.x) + "," + std::to_string(e.y) + "," + std::to_string(e.z) + ")";
  };
  throw Fault(wrong.code, "kernel " + team->program.name + ", `" + std::string(s.text) +
                              "` (line " + std::to_string(s.line) + " of its PTX), block " +
                              place(team->block) + ", thread " + place(t) + ": " + wrong.text);
}

// ---- a block ----

Team::Team(Memory& memory, const Launch& launch, const Program& program)
    : memory(memory), launch(launch), program(program) {
  const uint64_t threads = launch.threads.count(), n = (threads + kLanes - 1) / kLanes;
  const size_t each = program.file.size();
  files_.resize(each * n + 64);
  auto* first = reinterpret_cast<std::byte*>((reinterpret_cast<uintptr_t>(files_.data()) + 63) &
                                             ~uintptr_t{63});
  warps_.resize(n);
  for (uint32_t k = 0; k < n; ++k) {
    warps_[k].team = this;
    warps_[k].index = k;
    warps_[k].file = first + each * k;
    std::memcpy(warps_[k].file, program.file.data(), each);
  }
  shared.resize(program.shared_bytes + launch.shared_bytes);
  shared_written.resize(shared.size());
  local.resize(program.local_bytes * n * kLanes);
  local_written.resize(local.size());
  latest_.resize(program.instructions.size());
}

Extent Team::thread(uint32_t index) const {
  const Extent& t = launch.threads;
  return {index % t.x, index / t.x % t.y, index / (t.x * t.y)};
}

void Team::write_specials(Warp& w) {
  const auto axis = [](const Extent& e, int k) { return k == 0 ? e.x : k == 1 ? e.y : e.z; };
  for (const Special& s : program.specials) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      uint32_t value = 0;
      switch (s.kind) {
        case Special::kTid: value = axis(thread(w.index * kLanes + lane), s.axis); break;
        case Special::kBlockThreads: value = axis(launch.threads, s.axis); break;
        case Special::kBlock: value = axis(block, s.axis); break;
        case Special::kBlocks: value = axis(launch.blocks, s.axis); break;
        case Special::kLane: value = lane; break;
        case Special::kLanesUpTo: value = (2u << lane) - 1; break;
        case Special::kLanesBelow: value = (1u << lane) - 1; break;
        case Special::kWarp: value = w.index; break;
      }
      w.lanes<uint32_t>(s.at)[lane] = value;
    }
  }
}

void Team::run(uint64_t number) {
  const Extent& g = launch.blocks;
  block = {static_cast<uint32_t>(number % g.x), static_cast<uint32_t>(number / g.x % g.y),
           static_cast<uint32_t>(number / (uint64_t{g.x} * g.y))};
  std::fill(shared_written.begin(), shared_written.end(), uint8_t{0});
  std::fill(local_written.begin(), local_written.end(), uint8_t{0});
  races.begin(shared.size());
  const uint64_t threads = launch.threads.count();
  std::vector<Warp*> order;
  for (Warp& w : warps_) {
    const uint64_t left = threads - w.index * kLanes;
    w.begin(left >= kLanes ? ~0u : (1u << left) - 1);
    write_specials(w);
    order.push_back(&w);
  }
  std::minstd_rand random(static_cast<unsigned>(launch.seed + number));
  for (;;) {
    std::shuffle(order.begin(), order.end(), random);
    bool alive = false;
    for (Warp* w : order) {
      if (!w->ended()) w->advance();
      alive |= !w->ended();
    }
    if (!alive) return;
    meet();
  }
}

void Team::meet() {
  const Warp* first = nullptr;
  uint64_t there = 0;
  for (const Warp& w : warps_)
    if (!w.ended()) {
      first = first ? first : &w;
      there += static_cast<uint64_t>(std::popcount(w.waiting()));
    }
  const uint32_t pc = first->place();
  for (const Warp& w : warps_)
    if (!w.ended() && w.place() != pc)
      w.complain({kLaunchFailure, std::countr_zero(w.waiting()),
                  "waits at a barrier while other warps wait at another"},
                 w.place());
  if (there != launch.threads.count())
    first->complain({kLaunchFailure, std::countr_zero(first->waiting()),
                     "waits at a barrier that " + std::to_string(launch.threads.count() - there) +
                         " threads of its block never reach"},
                    pc);
  const Instruction& i = program.instructions[pc];
  if (!i.row->operands.empty() && i.row->operands[0] == 'p') {
    bool any = false;
    for (Warp& w : warps_) any |= (w.predicate(i.at[2]) & w.waiting()) != 0;
    for (Warp& w : warps_) w.predicate(i.at[0]) = any ? ~0u : 0;
  }
  for (Warp& w : warps_) w.pass_barrier();
  races.barrier();
}

Block& Team::reach(uint64_t address, uint64_t n, int lane, const Instruction& i) {
  Block*& latest = latest_[static_cast<size_t>(&i - program.instructions.data())];
  if (latest && latest->holds(address, n)) return *latest;
  Block* found = memory.find(address);
  if (!found || !found->holds(address, n)) {
    throw Wrong{kIllegalAddress, lane, memory.describe(address, n)};
  }
  if (found->device != launch.device && found->device != kHost &&
      !(launch.reaches && launch.reaches(launch.device, found->device)))
    throw Wrong{kIllegalAddress, lane,
                memory.describe(address, n) + ", which device " + std::to_string(launch.device) +
                    " was not given access to"};
  return *(latest = found);
}

void Team::touch(const Block& b, uint64_t address, uint64_t n, bool writes) {
  if (!launch.touches) return;
  auto it = std::find_if(touched_.begin(), touched_.end(),
                         [&](const Touched& t) { return t.block == &b; });
  if (it == touched_.end())
    it = touched_.insert(it, {&b, std::vector<uint8_t>(b.size / kGranule + 1)});
  for (uint64_t k = (address - b.begin) / kGranule; k <= (address - b.begin + n - 1) / kGranule;
       ++k) {
    const uint8_t seen = writes ? 2 : 1;
    if (it->granules[k] >= seen) continue;
    it->granules[k] = seen;
    launch.touches(b.begin + k * kGranule, writes);
  }
}

}  // namespace machine
