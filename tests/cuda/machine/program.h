// SPDX-License-Identifier: Apache-2.0
// program.h: an entry as the machine runs it. Registers are places in a warp's file: of each
// register the 32 lanes' values lie side by side, so that an instruction is a loop that the host's
// compiler makes vectors of. What an entry calls is written into it; numbers in the text are
// registers that nobody writes.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "memory.h"
#include "ptx.h"

namespace machine {

constexpr int kLanes = 32;
constexpr int kMostOperands = 16;

class Warp;
struct Row;
struct Instruction;
using Run = void (*)(Warp& w, const Instruction& i, uint32_t mask);

struct Instruction {
  Run run = nullptr;
  uint32_t at[kMostOperands] = {};  // places of operands in the file: results first
  int32_t guard = -1;               // the place of a predicate
  uint32_t guard_negated = 0;       // all ones when it is
  uint32_t target = 0;              // of a branch: an instruction
  int64_t offset = 0;               // of an address
  uint64_t used_bytes = ~uint64_t{0};
  uint8_t register_bytes = 0;  // of what a load writes and a store reads
  uint8_t base_bytes = 0;      // of an address's register; 0: there is none
  const Row* row = nullptr;
  uint32_t statement = 0;  // in Program::statements
};

// A special register that the entry reads, and where.
struct Special {
  enum Kind { kTid, kBlockThreads, kBlock, kBlocks, kLane, kLanesUpTo, kLanesBelow, kWarp } kind;
  int axis = 0;
  uint32_t at = 0;
};

struct Program {
  std::string name;  // demangled
  std::vector<Instruction> instructions;
  std::vector<Statement> statements;  // of those, for messages
  std::vector<Special> specials;
  std::vector<std::byte> file;  // as a warp's begins: numbers are there, the rest is zero
  uint32_t local_bytes = 0, shared_bytes = 0, parameter_bytes = 0;
};

// What names outside of functions mean on one device.
struct Names {
  const Source& source;
  std::map<std::string_view, uint64_t> variables;  // addresses of .global
};

// Throws Fault that names what the machine does not know.
Program decode(const Names& names, const Function& entry);

}  // namespace machine
