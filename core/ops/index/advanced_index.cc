// SPDX-License-Identifier: Apache-2.0
#include "core/ops/index/advanced_index.h"

#include <algorithm>

#include "core/ops/made_of.h"

namespace bp {
namespace {

// Indices in i64, counted from the front, into dims [dim, dim + n_dims) as one of `size` elements.
struct Index {
  uint32_t dim, n_dims;
  int64_t size;
  Ref<Tensor> at;
};

// x with the indexed dims side by side: seen as one, it is [before..., places, after...].
struct Plan {
  Ref<Tensor> x;
  uint32_t first, n_dims;  // of the indexed dims
  Ref<Tensor> at;          // row-major positions in them; any shape
  Dims before, after;      // the other sizes

  Dims around(Span middle) const {
    Dims shape(before);
    shape.append(middle.data(), middle.data() + middle.size());
    shape.append(after.begin(), after.end());
    return shape;
  }
  int64_t places() const {
    int64_t n = 1;
    for (uint32_t d = first; d < first + n_dims; ++d) n *= x->shape[d];
    return n;
  }
  // The row-major positions as a list.
  Ref<Tensor> list() const { return reshape(*at, Dims{at->count}); }
};

// Checks indices on the host and counts negative ones from the end, in one pass.
Ref<Tensor> wrapped_on_host(const Tensor& index, uint32_t dim, int64_t size) {
  Ref<Tensor> out = new_tensor(index.shape, BP_I64, index.device());
  Ref<Tensor> dense = contiguous(
      *to(const_cast<Tensor&>(index), 0, BP_I64, /*copy=*/false, /*non_blocking=*/false));
  ready_to_read(*dense);
  const auto* from = reinterpret_cast<const int64_t*>(dense->data());
  auto* to = reinterpret_cast<int64_t*>(out->data());
  for (int64_t i = 0; i < dense->count; ++i) {
    if (from[i] < -size || from[i] >= size)
      fail(BP_INDEX_OUT_OF_RANGE, "index {} is out of bounds for dimension {} with size {}",
           from[i], dim, size);
    to[i] = from[i] < 0 ? from[i] + size : from[i];
  }
  return out;
}

Ref<Tensor> wrapped(Tensor& index, uint32_t dim, int64_t size, Device& device) {
  if (index.device().is_host()) {
    Ref<Tensor> checked = wrapped_on_host(index, dim, size);
    return to(*checked, device.value, BP_I64, /*copy=*/false, /*non_blocking=*/false);
  }
  Ref<Tensor> at = ops::as_dtype(index, BP_I64);
  return ops::where(ops::less(at, 0), ops::add(at, size), at);
}

Ref<Tensor> places_of_mask(Tensor& mask, const Tensor& x, uint32_t dim) {
  // A dimension of 0 fits any and chooses nothing, as the array standard says.
  for (uint32_t d = 0; d < mask.rank(); ++d)
    if (dim + d >= x.rank() || (mask.shape[d] != x.shape[dim + d] && mask.shape[d] != 0))
      fail(
          BP_INDEX_OUT_OF_RANGE,
          "The shape of the mask {} at index {} does not match the shape of the indexed tensor {} at index {}",
          format_shape(mask.shape), d, format_shape(x.shape), dim + d);
  Ref<Tensor> dense =
      contiguous(*to(mask, x.device().value, BP_BOOL, /*copy=*/false, /*non_blocking=*/false));
  const int64_t n = item(*ops::sum(dense, {}, false)).as.i64;
  return invoke(BP_OP_FLAT_NONZERO, {dense}, {int_value(n)});
}

std::vector<Index> indices_of(Tensor& x, std::span<Tensor* const> given) {
  const auto refuse_more = [&] {
    fail(BP_INDEX_OUT_OF_RANGE, "too many indices for tensor of dimension {}", x.rank());
  };
  std::vector<Index> out;
  uint32_t dim = 0;
  for (Tensor* index : given) {
    if (!index) {
      ++dim;
      continue;
    }
    if (&index->device() != &x.device() && !index->device().is_host())
      fail(
          BP_DEVICE_MISMATCH,
          "indices should be either on cpu or on the same device as the indexed tensor ({}), got {}",
          x.device().label, index->device().label);
    if (index->dtype == BP_BOOL) {
      Ref<Tensor> at = places_of_mask(*index, x, dim);
      out.push_back({dim, index->rank(), index->count, std::move(at)});
      dim += index->rank();
      continue;
    }
    if (!is_integer(index->dtype))
      fail(BP_DTYPE_MISMATCH, "tensors used as indices must be of an integer dtype or bool, got {}",
           dtype_title(index->dtype));
    if (dim >= x.rank()) refuse_more();
    out.push_back({dim, 1, x.shape[dim], wrapped(*index, dim, x.shape[dim], x.device())});
    ++dim;
  }
  if (dim > x.rank() || given.size() > x.rank()) refuse_more();
  return out;
}

bool side_by_side(const std::vector<Index>& indices) {
  for (size_t i = 1; i < indices.size(); ++i)
    if (indices[i].dim != indices[i - 1].dim + indices[i - 1].n_dims) return false;
  return true;
}

// Returns row-major positions over all indexed dims, in the shape that the indices broadcast to.
Ref<Tensor> joint_positions(const std::vector<Index>& indices) {
  Dims shape;
  for (const Index& i : indices) {
    Dims joined;
    try {
      joined = broadcast_shapes(shape, i.at->shape);
    } catch (const Error&) {
      std::string all;
      for (const Index& k : indices) all += (all.empty() ? "" : ", ") + format_shape(k.at->shape);
      fail(BP_INDEX_OUT_OF_RANGE,
           "shape mismatch: indexing tensors could not be broadcast together with shapes {}", all);
    }
    shape = joined;
  }
  Ref<Tensor> at = expand(*indices[0].at, shape);
  for (size_t i = 1; i < indices.size(); ++i)
    at = ops::add(ops::mul(at, indices[i].size), indices[i].at);
  return at;
}

Plan plan_of(Tensor& x, const std::vector<Index>& indices) {
  Plan p;
  const bool neighbours = side_by_side(indices);
  Dims order;
  uint32_t n = 0;
  for (const Index& i : indices) {
    for (uint32_t d = i.dim; d < i.dim + i.n_dims; ++d) order.push_back(d);
    n += i.n_dims;
  }
  p.first = neighbours ? indices[0].dim : 0;
  p.n_dims = n;
  if (neighbours) {
    p.x = alias(x);
  } else {
    for (int64_t d = 0; d < int64_t{x.rank()}; ++d)
      if (std::find(order.begin(), order.end(), d) == order.end()) order.push_back(d);
    p.x = permute(x, order);
  }
  for (uint32_t d = 0; d < p.first; ++d) p.before.push_back(p.x->shape[d]);
  for (uint32_t d = p.first + n; d < x.rank(); ++d) p.after.push_back(p.x->shape[d]);
  p.at = joint_positions(indices);
  return p;
}

// Writes x[mask] = one value without counting the mask. Returns false for any other call.
bool put_masked(Tensor& x, std::span<Tensor* const> indices, Tensor& values, bool accumulate) {
  if (accumulate || indices.size() != 1 || values.count != 1 || !indices[0] ||
      indices[0]->dtype != BP_BOOL)
    return false;
  Tensor& mask = *indices[0];
  if (mask.rank() > x.rank() || &mask.device() != &x.device() ||
      !std::equal(mask.shape.begin(), mask.shape.end(), x.shape.begin()))
    return false;
  Dims shape(mask.shape);
  while (shape.size() < x.rank()) shape.push_back(1);
  Ref<Tensor> wide = reshape(mask, shape), value = reshape(values, {});
  Ref<Tensor> out[] = {Ref<Tensor>::share(&x)};
  invoke(BP_OP_WHERE, {wide, value, x}, {}, out);
  return true;
}

}  // namespace

Ref<Tensor> index(Tensor& x, std::span<Tensor* const> given) {
  const std::vector<Index> indices = indices_of(x, given);
  if (indices.empty()) return clone(x);
  const Plan p = plan_of(x, indices);
  const int64_t places[] = {p.places()};
  Ref<Tensor> y = ops::picked(reshape(*p.x, p.around(places)), p.list(), p.first);
  return reshape(*y, p.around(p.at->shape));
}

void index_put(Tensor& x, std::span<Tensor* const> given, Tensor& values, bool accumulate) {
  if (values.dtype != x.dtype)
    fail(
        BP_DTYPE_MISMATCH,
        "Index put requires the source and destination dtypes match, got {} for the destination and {} for the "
        "source.",
        dtype_title(x.dtype), dtype_title(values.dtype));
  if (&values.device() != &x.device() && values.rank() != 0)
    fail(
        BP_DEVICE_MISMATCH,
        "Expected all tensors to be on the same device, but found at least two devices, {} and {}! (index_put: "
        "x {} is on {}, values {} is on {})",
        x.device().label, values.device().label, format_shape(x.shape), x.device().label,
        format_shape(values.shape), values.device().label);
  check_writable(x);
  Ref<Tensor> here =
      to(values, x.device().value, BP_DTYPE_NONE, /*copy=*/false, /*non_blocking=*/false);
  if (here->storage.get() == x.storage.get()) here = clone(*here);
  if (put_masked(x, given, *here, accumulate)) return;
  const std::vector<Index> indices = indices_of(x, given);
  if (indices.empty()) {
    if (accumulate) here = ops::add(Ref<Tensor>::share(&x), expand(*here, x.shape));
    return copy_into(x, *here, /*non_blocking=*/false);
  }
  const Plan p = plan_of(x, indices);
  const int64_t places[] = {p.places()}, n[] = {p.at->count};
  const Dims wanted = p.around(p.at->shape);
  const auto fits = [&] {
    const size_t extra = here->rank() > wanted.size() ? here->rank() - wanted.size() : 0;
    for (size_t d = 0; d < extra; ++d)
      if (here->shape[d] != 1) return false;
    for (size_t d = 0; d < wanted.size() && d < here->rank(); ++d) {
      const int64_t own = here->shape[here->rank() - 1 - d];
      if (own != 1 && own != wanted[wanted.size() - 1 - d]) return false;
    }
    return true;
  };
  if (!fits())
    fail(
        BP_INVALID_ARGUMENT,
        "shape mismatch: value tensor of shape {} cannot be broadcast to indexing result of shape {}",
        format_shape(here->shape), format_shape(wanted));
  while (here->rank() > wanted.size()) here = select(*here, 0, 0);
  Ref<Tensor> source = reshape(*expand(*here, wanted), p.around(n));
  Ref<Tensor> merged = reshape(*p.x, p.around(places)), list = p.list();
  const bool in_place = merged->storage.get() == x.storage.get();
  if (accumulate)
    invoke(BP_OP_INDEX_ADD, {*merged, list, source}, {int_value(p.first), float_value(1)},
           {&merged, 1});
  else
    invoke(BP_OP_INDEX_COPY, {*merged, list, source}, {int_value(p.first)}, {&merged, 1});
  if (!in_place) copy_into(*p.x, *reshape(*merged, p.x->shape), /*non_blocking=*/false);
}

}  // namespace bp
