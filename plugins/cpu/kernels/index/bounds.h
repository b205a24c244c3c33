// SPDX-License-Identifier: Apache-2.0
// bounds.h: the check of indices that comes before anything is written.
//
//   if (const bp_status s = check_indices(launch, where, n, axis, size, err)) return s;
#pragma once
#include "device/error.h"
#include "device/parallel.h"
#include "kit/element.h"

namespace bp_cpu::BP_ISA {

// Whether each of n indices, `step` apart, is in [0, size). One that is not has its own sign bit
// set, or that of its distance to the last place, so that no instruction set needs to compare.
inline bool all_inside(const int64_t* index, int64_t n, int64_t step, int64_t size) {
  const uint64_t last = static_cast<uint64_t>(size) - 1;
  uint64_t bits = 0;
  if (step == 1)
    for (int64_t i = 0; i < n; ++i) {
      const auto at = static_cast<uint64_t>(index[i]);
      bits |= at | (last - at);
    }
  else
    for (int64_t i = 0; i < n; ++i) {
      const auto at = static_cast<uint64_t>(index[i * step]);
      bits |= at | (last - at);
    }
  return static_cast<int64_t>(bits) >= 0;
}

// Returns the first of n indices that is outside; there must be one.
inline int64_t first_outside(const int64_t* index, int64_t n, int64_t step, int64_t size) {
  int64_t i = 0;
  while (i + 1 < n && index[i * step] >= 0 && index[i * step] < size) ++i;
  return index[i * step];
}

inline bp_status out_of_range(const bp_launch* launch, bp_error** err, int64_t index, int64_t axis,
                              int64_t size) {
  return fail(launch, err, BP_INDEX_OUT_OF_RANGE,
              "index %lld is out of bounds for dimension %lld with size %lld",
              static_cast<long long>(index), static_cast<long long>(axis),
              static_cast<long long>(size));
}

// Returns BP_OK when n dense indices into an axis are in range, and the error about the first that
// is not.
inline bp_status check_indices(const bp_launch* launch, const int64_t* index, int64_t n,
                               int64_t axis, int64_t size, bp_error** err) {
  bool outside = false;
  parallel_for(n, 65536, [&](int64_t begin, int64_t end) {
    if (!all_inside(index + begin, end - begin, 1, size))
      __atomic_store_n(&outside, true, __ATOMIC_RELAXED);
  });
  if (!outside) return BP_OK;
  return out_of_range(launch, err, first_outside(index, n, 1, size), axis, size);
}

}  // namespace bp_cpu::BP_ISA
