// SPDX-License-Identifier: Apache-2.0
// fill.h: a dense array that is filled or copied by a kernel, as a step of an op.
//
//   if (const bp_status s = launch(l, cover(n), FillAll<int64_t>{out, -1, n}, err)) return s;
#pragma once
#include "gpu/kernel.h"

namespace bp_gpu {

template <class T>
struct FillAll {
  T* out;
  T value;
  int64_t n;
  GPU_FN void operator()(const Place& at) const {
    for (int64_t i = at.index(); i < n; i += at.count()) out[i] = value;
  }
};

template <class T>
struct CopyAll {
  const T* from;
  T* to;
  int64_t n;
  GPU_FN void operator()(const Place& at) const {
    for (int64_t i = at.index(); i < n; i += at.count()) to[i] = from[i];
  }
};

}  // namespace bp_gpu
