// SPDX-License-Identifier: Apache-2.0
// fused_space.h: the loops over which several launches of a group can run together, element by
// element. Launches come with dims that were coalesced for each alone; here they are split where
// another has a dim to break, and joined again where all of them go on.
//
//   const uint32_t launches[] = {4, 5};
//   bp_kit::Space space;
//   if (bp_kit::find_space(group, launches, space)) return space.rank();
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

// Returns false when the launches do not run over the same elements in the same order.
bool find_space(const bp_fused& group, std::span<const uint32_t> launches, Space& space);

}  // namespace bp_kit
