// SPDX-License-Identifier: Apache-2.0
// pool_shape.h: what a call of a pool asks for. Internal linkage for the reason in number.h.
#pragma once
#include "c_plugin.h"

namespace bp_kit {

// Sizes of up to three dims, with ones in front for those that are not there.
struct PoolShape {
  static constexpr int32_t kDims = 3;
  int64_t planes = 1;
  int64_t in[kDims]{}, out[kDims]{}, kernel[kDims]{}, step[kDims]{}, padding[kDims]{},
      dilation[kDims]{};

  constexpr int64_t reach(int32_t d) const { return dilation[d] * (kernel[d] - 1); }
};

// The last n dims of x are pooled to those of y. The attributes of all pools begin alike; `attrs`
// are those from the kernel's size on.
static constexpr PoolShape pool_shape(const bp_attr* attrs, const bp_arg& x, const bp_arg& y,
                                      int32_t n, bool dilates) {
  PoolShape s;
  const int32_t first = PoolShape::kDims - n, lead = x.rank - n;
  for (int32_t d = 0; d < lead; ++d) s.planes *= x.shape[d];
  const auto value = [&](int32_t attr, int32_t i, int64_t absent) {
    const bp_attr& a = attrs[attr];
    return a.count == 0 ? absent : a.value.ints[a.count == 1 ? 0 : i];
  };
  for (int32_t d = 0; d < PoolShape::kDims; ++d) {
    const int32_t i = d - first;
    s.in[d] = i < 0 ? 1 : x.shape[lead + i], s.out[d] = i < 0 ? 1 : y.shape[lead + i];
    s.kernel[d] = i < 0 ? 1 : value(BP_ATTR_MAX_POOL_GRAD_KERNEL_SIZE, i, 1);
    s.step[d] = i < 0 ? 1 : value(BP_ATTR_MAX_POOL_GRAD_STRIDE, i, s.kernel[d]);
    s.padding[d] = i < 0 ? 0 : value(BP_ATTR_MAX_POOL_GRAD_PADDING, i, 0);
    s.dilation[d] = i < 0 || !dilates ? 1 : value(BP_ATTR_MAX_POOL_GRAD_DILATION, i, 1);
  }
  return s;
}

}  // namespace bp_kit
