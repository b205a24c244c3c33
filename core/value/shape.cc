// SPDX-License-Identifier: Apache-2.0
#include "core/value/shape.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/error.h"

namespace bp {

std::string format_shape(Span shape) {
  std::string s = "[";
  for (size_t i = 0; i < shape.size(); ++i) s += (i ? ", " : "") + std::to_string(shape[i]);
  return s + "]";
}

int64_t checked_numel(Span shape) {
  if (shape.size() > BP_MAX_RANK)
    fail(BP_INVALID_ARGUMENT, "rank {} is beyond the limit of {}", shape.size(), +BP_MAX_RANK);
  int64_t n = 1;
  bool empty = false, overflow = false;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < 0)
      fail(BP_INVALID_ARGUMENT, "Trying to create tensor with negative dimension {}: {}", shape[i],
           format_shape(shape));
    empty |= shape[i] == 0;
    overflow |= __builtin_mul_overflow(n, shape[i], &n);
  }
  if (empty) return 0;
  if (overflow)
    fail(BP_OUT_OF_HOST_MEMORY, "the number of elements of shape {} does not fit in 64 bits",
         format_shape(shape));
  return n;
}

uint64_t checked_bytes(Span shape, int64_t item_bytes) {
  const int64_t n = checked_numel(shape);
  if (n > (int64_t{1} << 62) / item_bytes)
    fail(BP_OUT_OF_HOST_MEMORY, "shape {} of {}-byte elements is too large to address",
         format_shape(shape), item_bytes);
  return static_cast<uint64_t>(n * item_bytes);
}

namespace {
// The product overflows only beside a size of 0, where no element is addressed by it: it may wrap.
int64_t times(int64_t step, int64_t size) {
  return static_cast<int64_t>(static_cast<uint64_t>(step) * static_cast<uint64_t>(size));
}
}  // namespace

Dims contiguous_strides(Span shape) {
  Dims strides(static_cast<uint32_t>(shape.size()));
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = step;
    step = times(step, std::max<int64_t>(shape[i], 1));
  }
  return strides;
}

bool is_contiguous(Span shape, Span strides) noexcept {
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] == 0) return true;
    if (shape[i] == 1) continue;
    if (strides[i] != step) return false;
    step = times(step, shape[i]);
  }
  return true;
}

int64_t wrap_dim(int64_t dim, int64_t rank) {
  const int64_t n = std::max<int64_t>(rank, 1);  // a 0-d tensor takes 0 and -1
  if (dim < -n || dim >= n)
    fail(BP_INDEX_OUT_OF_RANGE,
         "Dimension out of range (expected to be in range of [{}, {}], but got {})", -n, n - 1,
         dim);
  return dim < 0 ? dim + n : dim;
}

Dims broadcast_shapes(Span a, Span b) {
  const size_t rank = std::max(a.size(), b.size());
  Dims out(static_cast<uint32_t>(rank));
  for (size_t i = 0; i < rank; ++i) {
    const size_t from_end = rank - i;
    const int64_t x = from_end <= a.size() ? a[a.size() - from_end] : 1;
    const int64_t y = from_end <= b.size() ? b[b.size() - from_end] : 1;
    if (x != y && x != 1 && y != 1)
      fail(BP_INVALID_ARGUMENT,
           "The size of tensor a ({}) must match the size of tensor b ({}) at non-singleton "
           "dimension {}",
           x, y, i);
    out[i] = x == 1 ? y : x;
  }
  return out;
}

Dims broadcast_strides(Span shape, Span strides, Span to) {
  Dims out(static_cast<uint32_t>(to.size()));
  const size_t lead = to.size() - shape.size();
  for (size_t i = 0; i < shape.size(); ++i)
    out[lead + i] = shape[i] == 1 && to[lead + i] != 1 ? 0 : strides[i];
  return out;
}

Dims expanded_shape(Span shape, Span to) {
  if (to.size() < shape.size())
    fail(BP_INVALID_ARGUMENT,
         "expand: the number of sizes provided ({}) must be greater or equal to the number of "
         "dimensions in the tensor ({})",
         to.size(), shape.size());
  const size_t lead = to.size() - shape.size();
  Dims out(to);
  for (size_t i = 0; i < to.size(); ++i) {
    const bool is_new = i < lead;
    if (to[i] == -1 && is_new)
      fail(BP_INVALID_ARGUMENT,
           "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing "
           "dimension {}",
           i);
    if (to[i] == -1) out[i] = shape[i - lead];
    if (out[i] < 0)
      fail(BP_INVALID_ARGUMENT, "expand: size {} at dimension {} is negative", to[i], i);
    if (!is_new && shape[i - lead] != 1 && shape[i - lead] != out[i])
      fail(BP_INVALID_ARGUMENT,
           "The expanded size of the tensor ({}) must match the existing size ({}) at "
           "non-singleton dimension {}.  Target sizes: {}.  Tensor sizes: {}",
           out[i], shape[i - lead], i, format_shape(to), format_shape(shape));
  }
  checked_numel(out);
  return out;
}

Dims resolve_reshape(Span to, int64_t n) {
  Dims out(to);
  int64_t known = 1;
  int inferred = -1;
  for (size_t i = 0; i < to.size(); ++i) {
    if (to[i] == -1) {
      if (inferred >= 0)
        fail(BP_INVALID_ARGUMENT, "only one dimension can be inferred: {}", format_shape(to));
      inferred = static_cast<int>(i);
    } else if (to[i] < 0) {
      fail(BP_INVALID_ARGUMENT, "invalid shape dimension {} in {}", to[i], format_shape(to));
    }
  }
  if (inferred >= 0) out[inferred] = 1;
  known = checked_numel(out);
  if (inferred >= 0 && known == 0)
    fail(BP_INVALID_ARGUMENT,
         "cannot reshape tensor of {} elements into shape {} because the unspecified dimension "
         "size -1 can be any value and is ambiguous",
         n, format_shape(to));
  if (inferred >= 0 && n % known == 0) {
    out[inferred] = n / known;
    return out;
  }
  if (known != n || inferred >= 0)
    fail(BP_INVALID_ARGUMENT, "shape '{}' is invalid for input of size {}", format_shape(to), n);
  return out;
}

bool view_strides(Span shape, Span strides, Span to, Dims* out) {
  *out = contiguous_strides(to);
  if (numel(shape) == 0 || is_contiguous(shape, strides)) return true;
  // Walks both from the end: target dims must fill exactly every run of source dims that merges.
  size_t t = to.size();
  int64_t run = 1, filled = 1, step = shape.empty() ? 1 : strides.back();
  for (size_t s = shape.size(); s-- > 0;) {
    run *= shape[s];
    const bool ends = s == 0 || (shape[s - 1] != 1 && strides[s - 1] != run * step);
    if (!ends) continue;
    while (t > 0 && (filled < run || to[t - 1] == 1)) {
      --t;
      (*out)[t] = filled * step;
      filled *= to[t];
    }
    if (filled != run) return false;
    if (s > 0) {
      step = strides[s - 1];
      run = filled = 1;
    }
  }
  return t == 0;
}

bool overlaps_itself(Span shape, Span strides) {
  struct Step {
    int64_t stride, size;
  };
  SmallVec<Step, 6> dims;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 0) return false;
    if (shape[i] > 1) dims.push_back({std::abs(strides[i]), shape[i]});
  }
  std::sort(dims.begin(), dims.end(), [](Step a, Step b) { return a.stride < b.stride; });
  int64_t reach = 0;
  for (auto [stride, size] : dims) {
    if (stride <= reach) return true;
    reach += stride * (size - 1);
  }
  return false;
}

Extent extent(Span shape, Span strides) noexcept {
  // Looked for first: beside a size of 0 the other sizes and strides may have any product.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return {0, 0};
  Extent e{0, 1};
  for (size_t i = 0; i < shape.size(); ++i) {
    const int64_t reach = (shape[i] - 1) * strides[i];
    (reach < 0 ? e.low : e.high) += reach;
  }
  return e;
}

Extent checked_extent(Span shape, Span strides, int64_t item_bytes) {
  checked_bytes(shape, item_bytes);
  // Checked at each dimension, because with a dimension of 0 the others may have any size.
  Int128 reach = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] <= 1) continue;
    reach += Int128{shape[i] - 1} * (strides[i] < 0 ? -Int128{strides[i]} : strides[i]);
    if (reach > (Int128{1} << 62) / item_bytes)
      fail(BP_INVALID_ARGUMENT, "shape {} with strides {} reaches beyond any address space",
           format_shape(shape), format_shape(strides));
  }
  return extent(shape, strides);
}

void coalesce(Dims& shape, std::span<Dims*> strides) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1) continue;
    bool merges = kept > 0;
    for (size_t k = 0; merges && k < strides.size(); ++k)
      merges = (*strides[k])[kept - 1] == (*strides[k])[i] * shape[i];
    if (merges) {
      shape[kept - 1] *= shape[i];
    } else {
      shape[kept++] = shape[i];
    }
    for (Dims* s : strides) (*s)[kept - 1] = (*s)[i];
  }
  shape.resize(kept);
  for (Dims* s : strides) s->resize(kept);
}

}  // namespace bp
