// SPDX-License-Identifier: Apache-2.0
// holders.h: who holds memory. While a profile runs, each block that a tensor holds is noted with
// the op and the module that made it, until it is released. Any thread.
//
//   const uint64_t number = begin_block("cpu", 4096);   // names what this thread is about
//   end_block(number);
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/process/trace.h"

namespace bp {

// From now on blocks are noted, at most so many; earlier ones are forgotten.
void follow_blocks(uint64_t most);
// Ends that, and gives what was noted. Blocks that live have the end 0.
std::vector<TraceBlock> followed_blocks() noexcept;
// The same for those that live, while it goes on. Throws bad_alloc.
std::vector<TraceBlock> living_blocks();
// A forked child's blocks are not its parent's.
void forget_blocks_in_child() noexcept;

// Returns 0 when it is not noted: nothing is followed, there are too many, or no memory.
uint64_t begin_block(std::string_view device, uint64_t bytes) noexcept;
void end_block(uint64_t number) noexcept;

// For messages, the five that hold the most of a device: "64.00 MiB of conv2d in net.0 (Conv2d)";
// "" when nothing is followed.
std::string largest_holders(std::string_view device) noexcept;

}  // namespace bp
