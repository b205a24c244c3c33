// SPDX-License-Identifier: Apache-2.0
// fused_space.h: the loops over which several launches of a group can run together, element by
// element. Launches come with dims that were coalesced for each alone; here they are split where
// another has a dim to break, and joined again where all of them go on.
//
//   const uint32_t launches[] = {4, 5};
//   bp_kit::Space space;
//   if (bp_kit::find_space(group, launches, {}, space)) return space.rank();
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "c_plugin_fuse.h"

namespace bp_kit {

struct Space {
  // From the innermost to the outermost; the last is `per_unit` for each unit of the block.
  std::vector<int64_t> sizes;
  int64_t per_unit = 1;
  // Bytes from one index to the next: of each argument of each launch, then of each dim.
  std::vector<std::vector<std::vector<int64_t>>> strides;

  size_t rank() const { return sizes.size(); }
};

// Rows of elements that launches make one element of each, or take one element for each of.
struct Rows {
  int64_t length = 0;  // of a row; 0 where there are no rows
  int64_t per_unit = 0;
  friend bool operator==(const Rows& a, const Rows& b) {
    return a.length == b.length && a.per_unit == b.per_unit;
  }
};
// Whether the launch combines the innermost dims of its only operand.
bool is_reduction(const bp_launch& launch);
// The rows that the first reduction from this launch on combines.
Rows find_rows(const bp_fused& group, uint32_t first);

// Returns false when the launches do not run over the same elements in the same order, or have not
// these rows, which then are the innermost dim or dims; an argument with one element for each has a
// stride of 0 along them.
bool find_space(const bp_fused& group, std::span<const uint32_t> launches, const Rows& rows,
                Space& space);

}  // namespace bp_kit
