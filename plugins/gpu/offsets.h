// SPDX-License-Identifier: Apache-2.0
// offsets.h: element i, counted in row-major order, as an offset into each of N operands of one
// shape. Any rank up to 64.
//
//   const Offsets<3> places = offsets_of<3>(l.args, out.shape, out.rank);
//   int64_t at[3];
//   places.of(i, at);   // a[at[0]], b[at[1]], c[at[2]]
#pragma once
#include "gpu/divider.h"

namespace bp_gpu {

template <int N>
struct Offsets {
  int32_t rank;
  bool few;  // i < 2^31, and dividers are there
  int64_t shape[BP_MAX_RANK], strides[N][BP_MAX_RANK];
  Divider dividers[BP_MAX_RANK];

  // Must follow the last change of rank or shape.
  void know() {
    constexpr int64_t kMost = (int64_t{1} << 31) - 1;
    int64_t n = 1;
    for (int32_t d = 0; d < rank; ++d) n = n > kMost ? n : n * shape[d];
    few = n <= kMost;
    for (int32_t d = 0; few && n > 0 && d < rank; ++d)
      dividers[d] = Divider(static_cast<uint32_t>(shape[d]));
  }

  GPU_FN void of(int64_t i, int64_t* at) const {
    for (int32_t k = 0; k < N; ++k) at[k] = 0;
    if (few) {
      auto left = static_cast<uint32_t>(i);
      for (int32_t d = rank - 1; d >= 0; --d) {
        const uint32_t outside = dividers[d].quotient(left), x = left - outside * dividers[d].by;
        left = outside;
        for (int32_t k = 0; k < N; ++k) at[k] += x * strides[k][d];
      }
      return;
    }
    for (int32_t d = rank - 1; d >= 0; --d) {
      const int64_t x = d ? i % shape[d] : i;
      if (d) i /= shape[d];
      for (int32_t k = 0; k < N; ++k) at[k] += x * strides[k][d];
    }
  }
};

// The offsets over the first `rank` dims of N operands.
template <int N>
Offsets<N> offsets_of(const bp_arg* args, const int64_t* shape, int32_t rank) {
  Offsets<N> o{};
  o.rank = rank;
  for (int32_t d = 0; d < rank; ++d) {
    o.shape[d] = shape[d];
    for (int32_t k = 0; k < N; ++k) o.strides[k][d] = args[k].strides[d];
  }
  o.know();
  return o;
}

}  // namespace bp_gpu
