// SPDX-License-Identifier: Apache-2.0
// shape.h: sizes and strides as pure functions: counting, broadcasting, views, merging dimensions,
// overlap. Strides count elements. Errors carry PyTorch's wording where it has one (docs:
// "Broadcasting semantics").
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "core/base/small_vec.h"

namespace bp {

constexpr uint32_t kInlineRank = 6;
using Dims = SmallVec<int64_t, kInlineRank>;
using Span = std::span<const int64_t>;
__extension__ typedef __int128 Int128;  // products that may pass 64 bits

std::string format_shape(Span shape);  // "[2, 3]"

// Returns the product of sizes. Throws on a negative size, a rank above 64, or a product that does
// not fit in int64.
int64_t checked_numel(Span shape);
// Returns numel * item_bytes. Throws BP_OUT_OF_HOST_MEMORY beyond 2^62.
uint64_t checked_bytes(Span shape, int64_t item_bytes);
// Returns the rank that rules along an axis see: a 0-dim tensor has one element along axis 0.
inline size_t dims_along_axis(Span shape) noexcept { return shape.empty() ? 1 : shape.size(); }
// Returns the product of sizes, unchecked: where one is 0 it is 0 however large the others are, so
// it may wrap on the way.
inline int64_t numel(Span shape) noexcept {
  uint64_t n = 1;
  for (int64_t s : shape) n *= static_cast<uint64_t>(s);
  return static_cast<int64_t>(n);
}

Dims contiguous_strides(Span shape);
bool is_contiguous(Span shape, Span strides) noexcept;

// Turns -rank .. rank-1 into 0 .. rank-1. Throws "Dimension out of range (expected to be in range
// of [-2, 1], but got 2)".
int64_t wrap_dim(int64_t dim, int64_t rank);

// Throws "The size of tensor a (3) must match the size of tensor b (4) at
// non-singleton dimension 1".
Dims broadcast_shapes(Span a, Span b);
// Returns the strides under which a tensor of (shape, strides) is seen as `to`, 0 where it is
// repeated. The shapes must be compatible.
Dims broadcast_strides(Span shape, Span strides, Span to);
// Returns what Tensor.expand gives: -1 keeps a size. Throws its texts.
Dims expanded_shape(Span shape, Span to);

// Resolves one -1. Throws "shape '[2, -1]' is invalid for input of size 5".
Dims resolve_reshape(Span to, int64_t n);
// Finds the strides under which (shape, strides) is seen as `to` without a copy. Returns false when
// there are none.
bool view_strides(Span shape, Span strides, Span to, Dims* out);

// Whether more than one index reaches the same element, by a stride of 0 or by dims that fold
// onto each other.
bool overlaps_itself(Span shape, Span strides);
// The lowest element reached and one past the highest, relative to the first.
struct Extent {
  int64_t low, high;
};
Extent extent(Span shape, Span strides) noexcept;
// The extent of memory that somebody else laid out. Throws when the count or the reach is beyond
// any address space.
Extent checked_extent(Span shape, Span strides, int64_t item_bytes);

// Drops sizes of 1 and merges neighbours that are one run in every operand; `strides[i]` change in
// step with shape. Dims keep their order. A result of rank 0 means one element.
void coalesce(Dims& shape, std::span<Dims*> strides);

}  // namespace bp
