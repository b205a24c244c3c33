// SPDX-License-Identifier: Apache-2.0
// machine.h: runs kernels whose PTX the compiler left in a fat binary, thread by thread, under
// judges. For tests: what CUDA's runtime would give to a card, the stand-in runtime (../runtime)
// gives to this.
//   fault.h     what a judge says                       memory.h   blocks, and which bytes of them were written
//   ptx.h       PTX as statements                      program.h  an entry, decoded: instructions, registers
//   rows.h      what each opcode does                   warp.h     32 threads in step, and how they part and meet
//   races.h     who touched a byte of shared memory
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "memory.h"

namespace machine {

struct Extent {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t{x} * y * z; }
};

// What the host has to know of an entry before it launches it.
struct EntryInfo {
  struct Parameter {
    uint32_t offset, bytes;
  };
  std::string name;
  std::vector<Parameter> parameters;
  uint32_t parameter_bytes = 0;      // of all of them
  uint32_t static_shared_bytes = 0;  // declared in the entry
  uint32_t max_threads = 1024;       // .maxntid
  uint32_t local_bytes = 0;          // of each thread
  uint32_t registers = 0;            // declared 32-bit ones; an upper bound of what a card needs
};

class Module {
 public:
  // `wrapper` is what __cudaRegisterFatBinary gets. Of its texts of PTX the one for the highest
  // capability that is not above this one counts. Nothing is parsed yet, and nothing fails: a fat
  // binary without PTX has no entries.
  explicit Module(const void* wrapper, uint64_t capability = UINT64_MAX);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  // nullptr when there is none of this name. Throws Fault when its PTX cannot be understood. Any
  // thread.
  const EntryInfo* entry(std::string_view name);
  // The address of a .global variable on a device (allocated and filled at first need), or 0.
  uint64_t variable(std::string_view name, Memory& memory, int device, uint64_t* bytes);

  struct Inside;
  Inside& inside() { return *inside_; }

 private:
  std::unique_ptr<Inside> inside_;
};

struct Launch {
  Module* module = nullptr;
  const EntryInfo* entry = nullptr;
  int device = 0;
  Extent blocks, threads;
  uint32_t shared_bytes = 0;              // besides the static ones
  const std::byte* parameters = nullptr;  // laid out as EntryInfo says
  uint64_t seed = 0;                      // of the order of blocks
  uint64_t fail_at = 0;  // the k-th instruction of a warp fails, from 1; 0: none does
  int workers = 1;       // host threads that run its blocks
  // Whether the device may touch another's memory.
  std::function<bool(int device, int owner)> reaches;
  // Called at the first touch of each `kGranule` bytes by this launch, and again when it first
  // writes what it had read alone; on one worker at a time. May throw Fault. Empty: nobody asks.
  std::function<void(uint64_t address, bool writes)> touches;
};
constexpr uint64_t kGranule = 512;

// Runs all blocks of the launch to their end, in shuffled order, on the calling thread and `workers
// - 1` others. Throws Fault: the kernel's name, the instruction and its line in the PTX, block,
// thread, and address are in the text. Returns the number of instructions that warps executed.
uint64_t run(Memory& memory, const Launch& launch);

}  // namespace machine
