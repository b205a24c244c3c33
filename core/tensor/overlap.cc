// SPDX-License-Identifier: Apache-2.0
// overlap.cc: whether two tensors reach a common element; declared in tensor.h. The answer is
// exact for tensors with equal strides (slices of one base). Otherwise what may overlap
// counts as overlapping.
#include <algorithm>
#include <numeric>

#include "core/tensor/tensor.h"

namespace bp {
namespace {

struct Side {
  int64_t stride, a_size, b_size;
};

// Whether an index pair has sum(stride * (ia - ib)) == distance. In each dim only the quotient and
// its two neighbours can be ia - ib.
bool boxes_meet(const Side* side, size_t n, int64_t distance) {
  if (n == 0) return distance == 0;
  const int64_t q = distance / side->stride;
  for (int64_t step : {q - 1, q, q + 1}) {
    // ia - ib = step with 0 <= ia < a_size, 0 <= ib < b_size
    if (step >= side->a_size || -step >= side->b_size) continue;
    if (boxes_meet(side + 1, n - 1, distance - step * side->stride)) return true;
  }
  return false;
}

// Whether both have the same stride in every dim that either steps along, and no two index vectors
// within the larger sizes reach one element. boxes_meet() builds on this.
bool strides_agree(const Tensor& a, const Tensor& b) {
  if (a.rank() != b.rank()) return false;
  Dims sizes;
  for (uint32_t i = 0; i < a.rank(); ++i) {
    sizes.push_back(std::max(a.shape[i], b.shape[i]));
    if (sizes[i] > 1 && a.strides[i] != b.strides[i]) return false;
  }
  return !overlaps_itself(sizes, a.strides);
}

bool reach_common(const Tensor& a, const Tensor& b) {
  if (a.count == 0 || b.count == 0) return false;
  const Extent ea = extent(a.shape, a.strides), eb = extent(b.shape, b.strides);
  const int64_t na = dtype_bytes(a.dtype), nb = dtype_bytes(b.dtype);
  if (na != nb)  // a complex tensor and its parts: elements do not lie on one grid
    return (a.offset + ea.high) * na > (b.offset + eb.low) * nb &&
           (b.offset + eb.high) * nb > (a.offset + ea.low) * na;
  if (a.offset + ea.high <= b.offset + eb.low || b.offset + eb.high <= a.offset + ea.low)
    return false;
  int64_t g = 0;
  for (const Tensor* t : {&a, &b})
    for (uint32_t i = 0; i < t->rank(); ++i)
      if (t->shape[i] > 1) g = std::gcd(g, t->strides[i]);
  if (g && (b.offset - a.offset) % g != 0) return false;
  if (!strides_agree(a, b) || a.rank() > 12) return true;
  SmallVec<Side, 6> sides;
  for (uint32_t i = 0; i < a.rank(); ++i) {
    if (a.shape[i] == 1 && b.shape[i] == 1) continue;
    if (a.strides[i] <= 0) return true;
    sides.push_back({a.strides[i], a.shape[i], b.shape[i]});
  }
  std::sort(sides.begin(), sides.end(), [](Side x, Side y) { return x.stride > y.stride; });
  return boxes_meet(sides.data(), sides.size(), b.offset - a.offset);
}

}  // namespace

bool same_elements(const Tensor& a, const Tensor& b) {
  return a.storage.get() == b.storage.get() && a.offset == b.offset && a.dtype == b.dtype &&
         a.shape == b.shape && a.strides == b.strides;
}

void check_overlap(const Tensor& dst, const Tensor& src) {
  if (dst.storage.get() != src.storage.get() || same_elements(dst, src) || !reach_common(dst, src))
    return;
  fail(BP_INVALID_ARGUMENT,
       "unsupported operation: some elements of the input tensor and the written-to tensor refer "
       "to a single memory location. Please clone() the tensor before performing the operation. "
       "(written-to: shape {}, strides {}, offset {}; input: shape {}, strides {}, offset {})",
       format_shape(dst.shape), format_shape(dst.strides), dst.offset, format_shape(src.shape),
       format_shape(src.strides), src.offset);
}

void check_writable(const Tensor& dst) {
  if (dst.contiguous || !overlaps_itself(dst.shape, dst.strides)) return;
  fail(BP_INVALID_ARGUMENT,
       "unsupported operation: more than one element of the written-to tensor refers to a single "
       "memory location. Please clone() the tensor before performing the operation. (shape {}, "
       "strides {})",
       format_shape(dst.shape), format_shape(dst.strides));
}

}  // namespace bp
