// SPDX-License-Identifier: Apache-2.0
// window.h: what convolutions and pooling share. Windows are a strided view of the padded input,
// [N, C, kernel.., out..]: a convolution is a matrix product with it, pooling a reduction of it.
//
//   Ref<Tensor> seen = windows(*padded(*x, before, after, n, zero), kernel, step, dilation, out, n);
#pragma once
#include <limits>

#include "core/ops/made_of.h"
#include "core/value/infer.h"

namespace bp::ops {

constexpr InputSpecs kInput{{{"input"}}};
constexpr int kMost = 3;  // spatial dims at most
// Larger spatial numbers are refused, so that their products do not overflow.
constexpr int64_t kLargestSize = std::numeric_limits<int32_t>::max();
struct Spatial {
  int64_t v[kMost] = {};
  int64_t operator[](size_t i) const { return v[i]; }
};

// Reads a number for each spatial dim, one for all of them, or none, which stands for `absent`.
inline Spatial spatial(const char* op, const char* what, Span given, size_t n, int64_t absent,
                       int64_t least) {
  if (given.size() > 1 && given.size() != n)
    fail(
        BP_INVALID_ARGUMENT,
        "expected {} to be a single integer value or a list of {} values to match the {} dimensions, but "
        "got {}={}",
        what, n, op, what, format_shape(given));
  Spatial s;
  for (size_t i = 0; i < n; ++i) {
    s.v[i] = given.empty() ? absent : given[given.size() == 1 ? 0 : i];
    if (s.v[i] > kLargestSize)
      fail(BP_INVALID_ARGUMENT, "{}: {} {} is too large", op, what, format_shape(given));
    if (s.v[i] >= least) continue;
    if (least > 0)
      fail(BP_INVALID_ARGUMENT, "{}: {} should be greater than zero, got {}", op, what,
           format_shape(given));
    fail(BP_INVALID_ARGUMENT, "{}: negative {} is not supported, got {}", op, what,
         format_shape(given));
  }
  return s;
}

// Refuses an input that is not [N, C, size..] or [C, size..] with n spatial dims.
inline void check_rank(Inference& f, size_t n) {
  const Span x = f.in[0].shape;
  if (x.size() != n + 1 && x.size() != n + 2)
    fail(BP_INVALID_ARGUMENT,
         "Expected {}D (unbatched) or {}D (batched) input to {}, but got input of size: {}", n + 1,
         n + 2, f.row.name, format_shape(x));
  for (int64_t size : x.last(n))
    if (size > kLargestSize)
      fail(BP_INVALID_ARGUMENT, "{}: the size {} is too large", f.row.name, format_shape(x));
}
// Refuses an input of which one of the last n dims is empty.
inline void check_sizes(const Inference& f, size_t n) {
  const Span x = f.in[0].shape;
  for (size_t d = x.size() - n; d < x.size(); ++d)
    if (x[d] == 0)
      fail(
          BP_INVALID_ARGUMENT,
          "{}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes {} with "
          "dimension {} being empty",
          f.row.name, format_shape(x), d);
}
inline Dims batched(Span x, size_t n) {
  Dims shape(x);
  if (x.size() == n + 1) shape.insert(0, 1);
  return shape;
}

// Returns x with elements v before and after each spatial dim; negative numbers cut x instead.
inline Ref<Tensor> padded(Tensor& x, const Spatial& before, const Spatial& after, size_t n,
                          const Value& v) {
  Dims shape = x.shape;
  bool any = false;
  for (size_t i = 0; i < n; ++i)
    shape[i + 2] += before[i] + after[i], any |= before[i] != 0 || after[i] != 0;
  if (!any) return Ref<Tensor>::share(&x);
  Ref<Tensor> out = filled(shape, x.dtype, v, x.device()), from = Ref<Tensor>::share(&x);
  Inside inside;
  for (size_t i = 0; i < n; ++i) {
    const auto d = static_cast<int64_t>(i + 2);
    const int64_t cut = before[i] < 0 ? -before[i] : 0,
                  kept = x.shape[i + 2] - cut - (after[i] < 0 ? -after[i] : 0);
    if (kept <= 0) return out;
    from = narrow(*from, d, cut, kept);
    inside.cuts.push_back({d, before[i] > 0 ? before[i] : 0, kept, 1});
  }
  return embedded(std::move(out), from, inside);
}

// Returns the windows [N, C, kernel.., out..] of x [N, C, size..] as a view.
inline Ref<Tensor> windows(const Tensor& x, const Spatial& kernel, const Spatial& step,
                           const Spatial& dilation, const Dims& out, size_t n) {
  Dims shape{x.shape[0], x.shape[1]}, strides{x.strides[0], x.strides[1]};
  for (size_t i = 0; i < n; ++i)
    shape.push_back(kernel[i]), strides.push_back(x.strides[i + 2] * dilation[i]);
  for (size_t i = 0; i < n; ++i)
    shape.push_back(out[i]), strides.push_back(x.strides[i + 2] * step[i]);
  return strided(x, shape, strides, x.offset);
}
}  // namespace bp::ops
