// SPDX-License-Identifier: Apache-2.0
// loop.h: machine code for one loop over rows that does what several elementwise kernels do, and
// those that reduce these rows, with the values in between in registers. Each operation is the one
// instruction, or the few, that the kernel's own loop is compiled to, so that results are the same
// bit for bit.
//
//   const LoopWidth width = loop_width("avx2");
//   if (const std::unique_ptr<Loop> loop = assemble(body, width, &fits)) loop->run(pointers, n, n_rows);
#pragma once
#include <cstdint>
#include <memory>

#include "kit/fused_body.h"

namespace bp_cpu {

constexpr size_t kMostPointers = 11;

class Loop {
 public:
  virtual ~Loop() = default;
  // Over so many rows of n elements, at least one; pointers[i] is where the first element of
  // body.pointers[i] lies.
  void run(char* const* pointers, int64_t n, int64_t n_rows) const { run_(pointers, n, n_rows); }

 protected:
  void (*run_)(char* const* pointers, int64_t n, int64_t n_rows) = nullptr;
};

// How many bits of elements a loop works on at once, by the instruction set in use; kNone where
// this build assembles no loops for it.
enum class LoopWidth : uint8_t { kNone, k256, k512 };
LoopWidth loop_width(const char* isa);
// Whether the launch is an operation of elements that a loop knows, or, in rows, a reduction too.
bool is_known(const bp_launch& launch);
bool is_known_in_rows(const bp_launch& launch);
// Whether an op is a function of many steps, and whether a body has one.
bool is_function(uint32_t op);
bool is_long(const bp_kit::Body& body);
// Returns nullptr where the steps want more registers than there are; *fits is then the number of
// launches from the first on that may do with them, or 0 where memory may not be made executable.
std::unique_ptr<Loop> assemble(const bp_kit::Body& body, LoopWidth width, uint32_t* fits);

}  // namespace bp_cpu
