// SPDX-License-Identifier: Apache-2.0
// sort_pairs.h: keys with positions sorted by a vendor's own sort, which is faster than that of
// sort_runs.h; not every vendor has one (VendorInfo, plugin.h).
//
//   SortPairs pairs{/*key_bytes=*/4, /*first_bit=*/0, /*bits=*/32, n};
//   const uint64_t bytes = pairs_workspace(l, &pairs);
//   if (bytes == 0) return sort_runs_instead(l, err);
//   place_pairs(l.workspace, &pairs);  // which has `bytes`; then a kernel fills pairs.keys and pairs.values
//   if (const bp_status s = sort_pairs(l, &pairs, err)) return s;  // the same members are sorted now
#pragma once
#include <cstdint>

#include "c_types.h"

namespace bp_gpu {

constexpr int64_t kMostPairs = (int64_t{1} << 32) - 1;

struct SortPairs {
  int32_t key_bytes;  // 4 or 8: keys are unsigned integers
  int32_t first_bit;  // of a key: those from here to `bits` - 1 count
  int32_t bits;
  int64_t n;  // 1 .. kMostPairs
  // Two arrays of n each: what is sorted, and as much room. Sorting may exchange them.
  void *keys = nullptr, *other_keys = nullptr;
  uint32_t *values = nullptr, *other_values = nullptr;
  void* temporary = nullptr;  // of the vendor's sort
  uint64_t temporary_bytes = 0;
};

// Returns how long the workspace must be, and sets temporary_bytes; 0 when there is no such sort.
uint64_t pairs_workspace(const bp_launch& l, SortPairs* s);

// Cuts the workspace, after pairs_workspace.
void place_pairs(void* workspace, SortPairs* s);

// Enqueues a stable sort by key. `keys` and `values` are then the sorted ones.
bp_status sort_pairs(const bp_launch& l, SortPairs* s, bp_error** err);

}  // namespace bp_gpu
