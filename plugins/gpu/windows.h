// SPDX-License-Identifier: Apache-2.0
// windows.h: the windows of a pool over one to three dims of dense operands.
//
//   const Windows w(l.attrs, x, y, /*n=*/2, /*dilates=*/true);   // on the host, in a kernel's fields
//   const Grid::Spot at = w.outputs.of(i);                    // plane, z, y, x of output i
//   const Taps taps(w, 2, at.at[2]);                             // positions of its window along x
#pragma once
#include "gpu/divider.h"

namespace bp_gpu {

// Elements of planes of up to three dims, in order.
struct Grid {
  struct Spot {
    int64_t plane;
    int64_t at[3];
  };
  bool few = false;  // all are fewer than 2^31
  int64_t size[3];
  Divider dividers[3];

  void know(int64_t planes) {
    few = planes * size[0] * size[1] * size[2] < int64_t{1} << 31;
    for (int32_t d = 0; few && d < 3; ++d)
      if (size[d] > 0) dividers[d] = Divider(static_cast<uint32_t>(size[d]));
  }
  GPU_FN Spot of(int64_t i) const {
    Spot spot;
    for (int32_t d = 2; d >= 0; --d) {
      const int64_t outside = few ? dividers[d].quotient(static_cast<uint32_t>(i)) : i / size[d];
      spot.at[d] = i - outside * size[d];
      i = outside;
    }
    spot.plane = i;
    return spot;
  }
};

// Sizes, with ones in front for the dims that are not there.
struct Windows {
  static constexpr int32_t kDims = 3;
  int64_t planes = 1;
  Grid in, out;
  int64_t kernel[kDims], step[kDims], padding[kDims], dilation[kDims];

  // The last n dims of x are pooled to those of y. The attributes of all pools begin alike.
  Windows(const bp_attr* attrs, const bp_arg& x, const bp_arg& y, int32_t n, bool dilates) {
    const int32_t first = kDims - n, lead = x.rank - n;
    for (int32_t d = 0; d < lead; ++d) planes *= x.shape[d];
    const auto value = [&](int32_t attr, int32_t i, int64_t absent) {
      const bp_attr& a = attrs[attr];
      return a.count == 0 ? absent : a.value.ints[a.count == 1 ? 0 : i];
    };
    for (int32_t d = 0; d < kDims; ++d) {
      const int32_t i = d - first;
      in.size[d] = i < 0 ? 1 : x.shape[lead + i], out.size[d] = i < 0 ? 1 : y.shape[lead + i];
      kernel[d] = i < 0 ? 1 : value(BP_ATTR_MAX_POOL_GRAD_KERNEL_SIZE, i, 1);
      step[d] = i < 0 ? 1 : value(BP_ATTR_MAX_POOL_GRAD_STRIDE, i, kernel[d]);
      padding[d] = i < 0 ? 0 : value(BP_ATTR_MAX_POOL_GRAD_PADDING, i, 0);
      dilation[d] = i < 0 || !dilates ? 1 : value(BP_ATTR_MAX_POOL_GRAD_DILATION, i, 1);
    }
    in.know(planes);
    out.know(planes);
  }
  GPU_FN int64_t pixels() const { return in.size[0] * in.size[1] * in.size[2]; }
  GPU_FN int64_t places() const { return out.size[0] * out.size[1] * out.size[2]; }
  GPU_FN int64_t reach(int32_t d) const { return dilation[d] * (kernel[d] - 1); }
};

// The positions [first, end) of a dim's window that lie inside, `step` apart.
struct Taps {
  int64_t first, end, step;
  GPU_FN Taps(const Windows& w, int32_t d, int64_t at) : step(w.dilation[d]) {
    first = at * w.step[d] - w.padding[d];
    end = first + w.reach(d) + 1;
    while (first < 0) first += step;
    if (end > w.in.size[d]) end = w.in.size[d];
  }
};

}  // namespace bp_gpu
