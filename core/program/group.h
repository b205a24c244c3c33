// SPDX-License-Identifier: Apache-2.0
// group.h: steps that run block by block. Neighbouring steps of one device whose outermost dims
// have a common divisor may run over a part of it at a time, one after the other, as long as a
// block of one reads of the others' results only what they wrote in the same block. What such steps
// hand on then lies in a few kilobytes of scratch memory and never reaches main memory. The kernels
// are the same as otherwise, and so are the results.
//
//   make_groups(program, {});
#pragma once
#include <cstdint>
#include <span>

#include "core/program/program.h"

namespace bp {

// From one step or group to another, both included.
struct Period {
  uint32_t from = 0, until = 0;
};

// Puts each step into a group: into one with its neighbours where they may, or into one of its own.
void make_groups(Program& p, const Planning& how);

// The steps of each group, as they would be if their units were small enough for one.
std::vector<Period> group_bounds(Program& p, const Planning& how);

// Changes steps so that more of them may run block by block: part of the same pass. A reduction
// over the outermost dim of what others make is done in parts first, and what is cheap is made
// again where it is read. (rework.cc)
void rework(Program& p, const Planning& how);

// Lets the backend make of a group what runs faster; together[k] becomes the number of the launches
// that run together with launch k. (fused.cc)
void make_code(const Program& p, Group& g, uint32_t* together);

// Memory that is used in that time.
struct Piece {
  uint64_t bytes;
  Period lives;
  uint64_t at = 0;  // set by pack
};
inline constexpr uint64_t kPieceAlignment = 64;
// Lays pieces into one block so that those that live at the same time are apart, the largest first
// (Pisarchyk and Lee 2020, greedy by size). Returns the size of the block. (plan.cc)
uint64_t pack(std::span<Piece> pieces);

}  // namespace bp
