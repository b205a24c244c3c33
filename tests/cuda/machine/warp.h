// SPDX-License-Identifier: Apache-2.0
// warp.h: 32 threads that go in step while they can. Where they part, the part that is furthest
// back goes on first, so that they meet again as soon as the program lets them. A Team is the
// threads of one block.
#pragma once
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fault.h"
#include "machine.h"
#include "program.h"
#include "races.h"
#include "rows.h"

namespace machine {

// What an instruction finds wrong with one lane; the warp knows the rest.
struct Wrong {
  Code code;
  int lane;
  std::string text;
};

class Team;

class Warp {
 public:
  Team* team = nullptr;
  std::byte* file = nullptr;
  uint32_t index = 0;  // within its block
  uint32_t carry = 0;  // CC.CF of each lane
  uint32_t phase = 0;  // grows when lanes of this warp wait for each other

  template <class T>
  T* lanes(uint32_t at) {
    return reinterpret_cast<T*>(file + at);
  }
  uint32_t& predicate(uint32_t at) { return *reinterpret_cast<uint32_t*>(file + at); }

  void begin(uint32_t mask);
  // Runs until every lane has ended or waits at a barrier.
  void advance();
  bool ended() const { return parts_.empty(); }
  // Lanes that wait at a barrier, which is this instruction.
  uint32_t waiting() const { return parts_.empty() ? 0 : parts_.front().mask; }
  uint32_t place() const { return parts_.front().pc; }
  void pass_barrier() { parts_.front().pc += 1, parts_.front().waits = false; }
  [[noreturn]] void complain(const Wrong& wrong, uint32_t pc) const;

 private:
  struct Part {
    uint32_t pc, mask;
    bool waits;  // at a barrier or for lanes that are not there yet
  };
  void put(Part part);
  void run_first(Part part, uint32_t until);
  std::vector<Part> parts_;  // by pc
};

// The launch as one worker sees it: the block that it runs now, and what it keeps from block to
// block.
class Team {
 public:
  Team(Memory& memory, const Launch& launch, const Program& program);
  void run(uint64_t block);

  Memory& memory;
  const Launch& launch;
  const Program& program;
  Extent block;                   // the coordinates of the one that runs
  std::vector<std::byte> shared;  // static ones first
  std::vector<uint8_t> shared_written;
  Races races;
  std::vector<std::byte> local;  // of each thread
  std::vector<uint8_t> local_written;
  uint64_t steps = 0;  // warp instructions so far

  // The live block that holds n bytes at an address that this device may touch; throws Wrong.
  Block& reach(uint64_t address, uint64_t n, int lane, const Instruction& i);
  void touch(const Block& block, uint64_t address, uint64_t n, bool writes);
  // The coordinates of a thread of the block.
  Extent thread(uint32_t index) const;

 private:
  void write_specials(Warp& w);
  void meet();  // every warp waits at a barrier or has ended
  std::vector<std::byte> files_;
  std::vector<Warp> warps_;
  std::vector<Block*> latest_;  // by instruction: where it went last
  struct Touched {
    const Block* block;
    std::vector<uint8_t> granules;  // 1: read, 2: written
  };
  std::vector<Touched> touched_;
};

}  // namespace machine
