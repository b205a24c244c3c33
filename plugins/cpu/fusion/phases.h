// SPDX-License-Identifier: Apache-2.0
// phases.h: what a loop over rows does one after the other. A reduction of a row is known only when
// the row has ended, so what needs it goes over the row once more: in a later phase. A phase begins
// with what is the same for the whole row, goes over the elements, and ends with its reductions.
//
//   const Phases phases(body);
//   for (const Phase& p : phases.list) emit(p);
#pragma once
#include <vector>

#include "kit/fused_body.h"

namespace bp_cpu {

struct Phase {
  struct Part {
    std::vector<bp_kit::Body::Step> steps;
    std::vector<uint32_t> uses;  // of each value
  };
  Part once, each;
  std::vector<bp_kit::Body::Step> reductions;  // they count among the uses of `each`
};

struct Phases {
  explicit Phases(const bp_kit::Body& body);

  std::vector<Phase> list;
  // Of each value: whether it is the same for a whole row and wanted beyond its phase, and which
  // row of memory keeps it for later phases, or -1. What few operations make is made again instead.
  std::vector<bool> stays;
  std::vector<int> kept;
  int n_kept = 0;
  bool fits = true;  // truths cannot be kept
};

}  // namespace bp_cpu
