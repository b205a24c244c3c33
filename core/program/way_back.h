// SPDX-License-Identifier: Apache-2.0
// way_back.h: programs whose results have gradients. The backward of what was recorded is recorded
// behind it, and the two become a program each: the first hands what the second reads of it on as
// further results, which the gradient function of its results keeps.
//
//   const Ref<Program> p = split(whole, *trail);   // p->back is the second one
//   run(*p, in, out);                                         // out[0] requires a gradient
#pragma once
#include <span>
#include <vector>

#include "core/program/program.h"

namespace bp {

// The way back of a program.
struct WayBack {
  Ref<Program> program;  // its inputs: those of `reads`, a gradient for each root, what is kept
  std::vector<uint32_t> reads;  // which of the program's inputs
  std::vector<uint32_t> roots;  // the results that have gradients
  uint32_t n_kept = 0;          // the program's last results, which its callers do not see
  // Whose gradients it computes: inputs of the program, then leaves that it holds, such as weights.
  std::vector<uint32_t> inputs;
  std::vector<Ref<Tensor>> leaves;
  std::vector<int32_t> gradient_of;  // its result for each of them, or -1 where there is none
  // What the program holds and it reads, as it sees it first: such as weights, which nobody may
  // change before it has run.
  std::vector<Ref<Tensor>> held_reads;
};

// Where in a recording the way back began, and what it was recorded for.
struct Trail {
  size_t first_step, first_draw, n_inputs, n_outputs;
  std::vector<uint32_t> roots, inputs;
  std::vector<Ref<Tensor>> leaves;
  std::vector<int32_t> gradient_of;
};

// The leaves that want a gradient and on which the roots depend, beyond the inputs.
std::vector<Ref<Tensor>> leaves_behind(std::span<Tensor* const> roots,
                                       std::span<Tensor* const> inputs);
// Makes two programs of a recording whose steps from trail.first_step on are the way back.
Ref<Program> split(Program& whole, const Trail& trail);
// Throws when one of a run's inputs requires a gradient that was not asked for in the recording.
void check_wanted(const WayBack& back, std::span<Tensor* const> in);
// Notes how gradients go back from the results of a run.
void attach(Program& p, std::span<Tensor* const> in, std::span<const Ref<Tensor>> out);

}  // namespace bp
