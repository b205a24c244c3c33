// SPDX-License-Identifier: Apache-2.0
// view.cc: views, which are new shapes and strides over the same storage; declared in tensor.h. No
// data moves, except where reshape and flatten need a copy.
#include <algorithm>

#include "core/tensor/tensor.h"
#include "core/tensor/traced.h"

namespace bp {
namespace {

// The result has the same elements in the same order, so the gradient takes the operand's shape.
Ref<Tensor> reshaped(const Tensor& t, Ref<Tensor> result, const char* name) {
  return traced(t, std::move(result), name,
                [shape = t.shape](const Ref<Tensor>& g) { return reshape(*g, shape); });
}
// Returns t's elements in their order under another shape of as many, or nothing when there are no
// strides for that.
Ref<Tensor> seen_as(const Tensor& t, const Dims& to) {
  if (t.contiguous) return make_dense_view(t, to);
  Dims strides;
  return view_strides(t.shape, t.strides, to, &strides) ? make_view(t, to, strides, t.offset)
                                                        : Ref<Tensor>();
}
// The result has some of the elements, or all of them where they are.
template <class V>
Ref<Tensor> part(const Tensor& t, Ref<Tensor> result, const char* name, const V& view) {
  if (result->shape == t.shape && result->strides == t.strides)
    return traced(t, std::move(result), name, [](const Ref<Tensor>& g) { return g; });
  if (t.trace) [[unlikely]]
    trace_part(*result, t, name, view);
  return result;
}

}  // namespace

Ref<Tensor> alias(const Tensor& t) {
  return traced(t, make_view(t, t.shape, t.strides, t.offset), "AliasBackward0",
                [](const Ref<Tensor>& g) { return g; });
}

Ref<Tensor> view(const Tensor& t, Span shape) {
  const Dims to = resolve_reshape(shape, t.count);
  Ref<Tensor> seen = seen_as(t, to);
  if (!seen)
    fail(BP_INVALID_ARGUMENT,
         "view size is not compatible with input tensor's size and stride (at least one dimension "
         "spans across two contiguous subspaces). Use .reshape(...) instead. Got size {}, stride "
         "{}, asked for {}",
         format_shape(t.shape), format_shape(t.strides), format_shape(to));
  return reshaped(t, std::move(seen), "ViewBackward0");
}

Ref<Tensor> reshape(Tensor& t, Span shape) {
  const Dims to = resolve_reshape(shape, t.count);
  if (Ref<Tensor> seen = seen_as(t, to)) return reshaped(t, std::move(seen), "ViewBackward0");
  Ref<Tensor> packed = new_tensor(t.shape, t.dtype, t.device()),
              plain = make_view(t, t.shape, t.strides, t.offset);
  copy_into(*packed, *plain, /*non_blocking=*/false);
  return reshaped(t, make_dense_view(*packed, to), "ReshapeBackward0");
}

Ref<Tensor> permute(const Tensor& t, Span dims) {
  if (dims.size() != t.rank())
    fail(BP_INVALID_ARGUMENT,
         "permute(): number of dimensions in the tensor input does not match the length of the "
         "desired ordering of dimensions i.e. input.dim() = {} is not equal to len(dims) = {}",
         t.rank(), dims.size());
  Dims shape, strides;
  uint64_t seen = 0;
  for (int64_t dim : dims) {
    const int64_t d = wrap_dim(dim, t.rank());
    if (seen >> d & 1)
      fail(BP_INVALID_ARGUMENT, "permute(): duplicate dims are not allowed: {}",
           format_shape(dims));
    seen |= uint64_t{1} << d;
    shape.push_back(t.shape[d]);
    strides.push_back(t.strides[d]);
  }
  return traced(t, make_view(t, shape, strides, t.offset), "PermuteBackward0",
                [order = Dims(dims)](const Ref<Tensor>& g) {
                  Dims inverse(order.size());
                  for (uint32_t d = 0; d < order.size(); ++d)
                    inverse[static_cast<size_t>(wrap_dim(order[d], order.size()))] = d;
                  return permute(*g, inverse);
                });
}

Ref<Tensor> transpose(const Tensor& t, int64_t dim0, int64_t dim1) {
  const int64_t a = wrap_dim(dim0, t.rank()), b = wrap_dim(dim1, t.rank());
  Dims shape = t.shape, strides = t.strides;
  if (t.rank() > 0) {
    std::swap(shape[a], shape[b]);
    std::swap(strides[a], strides[b]);
  }
  return traced(t, make_view(t, shape, strides, t.offset), "TransposeBackward0",
                [a, b](const Ref<Tensor>& g) { return transpose(*g, a, b); });
}

// Bounds are those of Python's slice.indices().
Ref<Tensor> slice(const Tensor& t, int64_t dim, int64_t start, int64_t end, int64_t step) {
  if (t.rank() == 0) fail(BP_INVALID_ARGUMENT, "slice() cannot be applied to a 0-dim tensor.");
  if (step == 0) fail(BP_INVALID_ARGUMENT, "slice step must not be zero");
  const int64_t d = wrap_dim(dim, t.rank()), size = t.shape[d];
  const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  auto bound = [&](int64_t v, int64_t absent) {
    if (v == INT64_MIN) return absent;
    return std::clamp(v < 0 ? v + size : v, low, high);
  };
  const int64_t from = bound(start, step > 0 ? low : high), to = bound(end, step > 0 ? high : low);
  const int64_t span = step > 0 ? to - from : from - to;
  const uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : ~static_cast<uint64_t>(step) + 1;
  const int64_t n =
      span > 0 ? static_cast<int64_t>((static_cast<uint64_t>(span) - 1) / stride + 1) : 0;
  Dims shape = t.shape, strides = t.strides;
  shape[d] = n;
  if (n > 1) strides[d] *= step;
  return part(t, make_view(t, shape, strides, n > 0 ? t.offset + from * t.strides[d] : t.offset),
              "SliceBackward0", [=](const Tensor& x) { return slice(x, dim, start, end, step); });
}

Ref<Tensor> narrow(const Tensor& t, int64_t dim, int64_t start, int64_t length) {
  if (t.rank() == 0) fail(BP_INVALID_ARGUMENT, "narrow() cannot be applied to a 0-dim tensor.");
  const int64_t d = wrap_dim(dim, t.rank()), size = t.shape[d];
  if (length < 0)
    fail(BP_INVALID_ARGUMENT, "narrow(): length must be non-negative, got {}", length);
  if (start < -size || start > size)
    fail(BP_INDEX_OUT_OF_RANGE,
         "start out of range (expected to be in range of [{}, {}], but got {})", -size, size,
         start);
  if (start < 0) start += size;
  if (length > size - start)
    fail(BP_INVALID_ARGUMENT, "start ({}) + length ({}) exceeds dimension size ({}).", start,
         length, size);
  Dims shape = t.shape;
  shape[d] = length;
  return part(t, make_view(t, shape, t.strides, t.offset + (length ? start * t.strides[d] : 0)),
              "SliceBackward0", [=](const Tensor& x) { return narrow(x, dim, start, length); });
}

Ref<Tensor> select(const Tensor& t, int64_t dim, int64_t index) {
  if (t.rank() == 0) fail(BP_INVALID_ARGUMENT, "select() cannot be applied to a 0-dim tensor.");
  const int64_t d = wrap_dim(dim, t.rank()), size = t.shape[d];
  if (index < -size || index >= size)
    fail(BP_INDEX_OUT_OF_RANGE,
         "select(): index {} out of range for tensor of size {} at dimension {}", index,
         format_shape(t.shape), d);
  Dims shape = t.shape, strides = t.strides;
  const int64_t at = t.offset + (index < 0 ? index + size : index) * t.strides[d];
  shape.erase(static_cast<uint32_t>(d));
  strides.erase(static_cast<uint32_t>(d));
  return part(t, make_view(t, shape, strides, at), "SelectBackward0",
              [=](const Tensor& x) { return select(x, dim, index); });
}

Ref<Tensor> expand(const Tensor& t, Span shape) {
  const Dims to = expanded_shape(t.shape, shape);
  return traced(t, make_view(t, to, broadcast_strides(t.shape, t.strides, to), t.offset),
                "ExpandBackward0",
                [](const Ref<Tensor>& g) { return g; });  // summed where it arrives
}

Ref<Tensor> squeeze(const Tensor& t, Span dims) {
  uint64_t named = dims.empty() ? ~uint64_t{0} : 0;
  for (int64_t dim : dims) {
    const uint64_t bit = uint64_t{1} << wrap_dim(dim, t.rank());
    if (named & bit)
      fail(BP_INVALID_ARGUMENT, "dim {} appears multiple times in the list of dims {}", dim,
           format_shape(dims));
    named |= bit;
  }
  Dims shape, strides;
  for (uint32_t i = 0; i < t.rank(); ++i) {
    if (t.shape[i] == 1 && (named >> i & 1)) continue;
    shape.push_back(t.shape[i]);
    strides.push_back(t.strides[i]);
  }
  return reshaped(t, make_view(t, shape, strides, t.offset), "SqueezeBackward0");
}

Ref<Tensor> unsqueeze(const Tensor& t, int64_t dim) {
  if (t.rank() == BP_MAX_RANK)
    fail(BP_INVALID_ARGUMENT, "rank {} is beyond the limit of {}", t.rank() + 1, +BP_MAX_RANK);
  const auto d = static_cast<uint32_t>(wrap_dim(dim, t.rank() + 1));
  Dims shape = t.shape, strides = t.strides;
  const int64_t step = d < t.rank() ? t.shape[d] * t.strides[d] : 1;
  shape.insert(d, 1);
  strides.insert(d, step);
  return reshaped(t, make_view(t, shape, strides, t.offset), "UnsqueezeBackward0");
}

Ref<Tensor> flatten(const Tensor& t, int64_t first, int64_t last) {
  const int64_t a = wrap_dim(first, t.rank()), b = wrap_dim(last, t.rank());
  if (a > b)
    fail(BP_INVALID_ARGUMENT,
         "flatten() has invalid args: start_dim cannot come after end_dim ({} > {})", a, b);
  if (t.rank() == 0) return view(t, Dims{1});
  Dims shape;
  int64_t merged = 1;
  for (int64_t i = 0; i < static_cast<int64_t>(t.rank()); ++i) {
    if (i < a || i > b) shape.push_back(t.shape[i]);
    if (i >= a && i <= b) merged *= t.shape[i];
    if (i == b) shape.push_back(merged);
  }
  return reshape(const_cast<Tensor&>(t), shape);
}

Ref<Tensor> diagonal(const Tensor& t, int64_t offset, int64_t dim1, int64_t dim2) {
  const int64_t a = wrap_dim(dim1, t.rank()), b = wrap_dim(dim2, t.rank());
  if (a == b)
    fail(BP_INVALID_ARGUMENT, "diagonal dimensions cannot be identical {}, {}", dim1, dim2);
  const int64_t m = t.shape[a], n = t.shape[b];
  offset = std::clamp(offset, -m, n);
  const int64_t down = offset < 0 ? -offset : 0, right = offset > 0 ? offset : 0;
  const int64_t length = std::min(m - down, n - right);
  Dims shape, strides;
  for (int64_t d = 0; d < static_cast<int64_t>(t.rank()); ++d)
    if (d != a && d != b) shape.push_back(t.shape[d]), strides.push_back(t.strides[d]);
  shape.push_back(length);
  strides.push_back(t.strides[a] + t.strides[b]);
  return part(t,
              make_view(t, shape, strides,
                        t.offset + (length ? down * t.strides[a] + right * t.strides[b] : 0)),
              "DiagonalBackward0",
              [=](const Tensor& x) { return diagonal(x, offset, dim1, dim2); });
}

Ref<Tensor> flip(const Tensor& t, Span dims) {
  Dims strides = t.strides;
  int64_t offset = t.offset;
  uint64_t seen = 0;
  for (int64_t dim : dims) {
    const int64_t d = wrap_dim(dim, t.rank());
    if (seen >> d & 1)
      fail(BP_INVALID_ARGUMENT, "dim {} appears multiple times in the list of dims", d);
    seen |= uint64_t{1} << d;
    if (t.rank() == 0 || t.shape[d] < 2) continue;
    offset += (t.shape[d] - 1) * t.strides[d];
    strides[d] = -t.strides[d];
  }
  return traced(t, make_view(t, t.shape, strides, offset), "FlipBackward0",
                [dims = Dims(dims)](const Ref<Tensor>& g) { return flip(*g, dims); });
}

Ref<Tensor> as_strided(const Tensor& t, Span shape, Span strides, int64_t offset) {
  const int64_t n = checked_numel(shape);
  const int64_t capacity = static_cast<int64_t>(t.storage->bytes) / dtype_bytes(t.dtype);
  Int128 low = offset, high = offset;
  for (size_t i = 0; i < shape.size(); ++i) {
    const Int128 reach = static_cast<Int128>(shape[i] - 1) * strides[i];
    if (n) (reach < 0 ? low : high) += reach;
  }
  if (offset < 0 || (n && (low < 0 || high >= capacity)) || offset > capacity)
    fail(BP_INVALID_ARGUMENT,
         "setStorage: sizes {}, strides {}, storage offset {} are out of bounds for storage of {} "
         "elements",
         format_shape(shape), format_shape(strides), offset, capacity);
  return strided(t, shape, strides, offset);
}

Ref<Tensor> strided(const Tensor& t, Span shape, Span strides, int64_t offset) {
  const int64_t capacity = static_cast<int64_t>(t.storage->bytes) / dtype_bytes(t.dtype);
  return traced(t, make_view(t, shape, strides, offset), "AsStridedBackward0",
                [own = Window{t.shape, t.strides, t.offset},
                 seen = Window{Dims(shape), Dims(strides), offset},
                 capacity](const Ref<Tensor>& g) { return rewound(g, seen, own, capacity); });
}

Ref<Tensor> view_as_real(const Tensor& t) {
  if (!is_complex(t.dtype))
    fail(BP_DTYPE_MISMATCH, "view_as_real is only supported for complex tensors, got {}",
         dtype_name(t.dtype));
  if (t.rank() == BP_MAX_RANK)
    fail(BP_INVALID_ARGUMENT, "rank {} is beyond the limit of {}", t.rank() + 1, +BP_MAX_RANK);
  Dims shape = t.shape, strides = t.strides;
  for (int64_t& s : strides) s *= 2;
  shape.push_back(2);
  strides.push_back(1);
  Ref<Tensor> v = make_view(t, shape, strides, 2 * t.offset);
  v->dtype = real_of(t.dtype);
  return traced(t, std::move(v), "ViewAsRealBackward0",
                [](const Ref<Tensor>& g) { return view_as_complex(*contiguous(*g)); });
}

Ref<Tensor> view_as_complex(const Tensor& t) {
  if (t.dtype != BP_F32 && t.dtype != BP_F64)
    fail(BP_DTYPE_MISMATCH,
         "view_as_complex is only supported for float and double tensors, but got a tensor of "
         "scalar type: {}",
         dtype_title(t.dtype));
  if (t.rank() == 0 || t.shape[t.rank() - 1] != 2)
    fail(BP_INVALID_ARGUMENT, "Tensor must have a last dimension of size 2, got shape {}",
         format_shape(t.shape));
  if (t.strides[t.rank() - 1] != 1)
    fail(BP_INVALID_ARGUMENT, "Tensor must have a last dimension with stride 1, got {}",
         t.strides[t.rank() - 1]);
  Dims shape, strides;
  for (uint32_t i = 0; i + 1 < t.rank(); ++i) {
    if (t.strides[i] % 2 && t.shape[i] > 1)
      fail(BP_INVALID_ARGUMENT,
           "Tensor must have a stride divisible by 2 for all but last dimension, got {}",
           t.strides[i]);
    shape.push_back(t.shape[i]);
    strides.push_back(t.strides[i] / 2);
  }
  if (t.offset % 2)
    fail(BP_INVALID_ARGUMENT, "Tensor must have a storage_offset divisible by 2, got {}", t.offset);
  Ref<Tensor> v = make_view(t, shape, strides, t.offset / 2);
  v->dtype = complex_of(t.dtype);
  return traced(t, std::move(v), "ViewAsComplexBackward0",
                [](const Ref<Tensor>& g) { return view_as_real(*g); });
}

}  // namespace bp
