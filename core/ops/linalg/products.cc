// SPDX-License-Identifier: Apache-2.0
// products.cc: products that are composed of matmul or of products of elements.
#include <algorithm>

#include "core/ops/families.h"
#include "core/ops/made_of.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

constexpr AttrSpecs kVectorAttrs{int_attr("axis", -1)},
    kTensordotAttrs{ints_attr("axes_a"), ints_attr("axes_b")},
    kTraceAttrs{int_attr("offset", 0), dtype_attr("dtype")};

void outer_shape(Inference& f) {
  for (const Operand& x : f.in)
    if (x.shape.size() != 1)
      fail(BP_INVALID_ARGUMENT, "outer: Expected 1-D argument self, but got {}-D", x.shape.size());
  f.out_shape[0] = Dims{f.in[0].shape[0], f.in[1].shape[0]};
}

// Returns the broadcast shape of the operands, whose sizes along the contracted axis must be equal.
Dims met(Span a, Span b, int64_t axis, const char* name) {
  if (a.empty() || b.empty())
    fail(BP_INVALID_ARGUMENT, "{}: operands must have at least 1 dimension", name);
  const int64_t at = wrap_dim(axis, static_cast<int64_t>(std::min(a.size(), b.size())));
  // counted from the end
  const int64_t back = static_cast<int64_t>(std::min(a.size(), b.size())) - at;
  const int64_t n = a[a.size() - static_cast<size_t>(back)],
                m = b[b.size() - static_cast<size_t>(back)];
  if (n != m)
    fail(BP_INVALID_ARGUMENT, "{}: the operands' sizes along axis {} differ: {} and {}", name, axis,
         n, m);
  return broadcast_shapes(a, b);
}
int64_t met_axis(Span a, Span b, int64_t axis) {
  const auto least = static_cast<int64_t>(std::min(a.size(), b.size()));
  return static_cast<int64_t>(std::max(a.size(), b.size())) - (least - wrap_dim(axis, least));
}
void vecdot_shape(Inference& f) {
  const int64_t axis = f.i64(kVectorAttrs["axis"]);
  Dims shape = met(f.in[0].shape, f.in[1].shape, axis, "vecdot");
  shape.erase(static_cast<uint32_t>(met_axis(f.in[0].shape, f.in[1].shape, axis)));
  f.out_shape[0] = shape;
}
void cross_shape(Inference& f) {
  const int64_t axis = f.i64(kVectorAttrs["axis"]);
  f.out_shape[0] = met(f.in[0].shape, f.in[1].shape, axis, "cross");
  const int64_t n = f.out_shape[0][met_axis(f.in[0].shape, f.in[1].shape, axis)];
  if (n != 3)
    fail(BP_INVALID_ARGUMENT, "linalg.cross: inputs dimension {} must have length 3. Got {} and {}",
         axis, n, n);
}

// Returns a bit for each axis: whether it is contracted.
uint64_t contracted(Span axes, Span shape) {
  uint64_t bits = 0;
  if (shape.empty() && !axes.empty())
    fail(BP_INVALID_ARGUMENT, "tensordot: a 0-dim tensor has no axes, got {}", format_shape(axes));
  for (int64_t a : axes) {
    const uint64_t bit = uint64_t{1} << wrap_dim(a, static_cast<int64_t>(shape.size()));
    if (bits & bit)
      fail(BP_INVALID_ARGUMENT, "tensordot: dim {} appears multiple times in {}", a,
           format_shape(axes));
    bits |= bit;
  }
  return bits;
}
void tensordot_shape(Inference& f) {
  const Span a = f.in[0].shape, b = f.in[1].shape;
  const Span from = f.ints(kTensordotAttrs["axes_a"]), to = f.ints(kTensordotAttrs["axes_b"]);
  if (from.size() != to.size())
    fail(BP_INVALID_ARGUMENT, "both dimension lists should have same length, got {} and {}",
         from.size(), to.size());
  const uint64_t gone_a = contracted(from, a), gone_b = contracted(to, b);
  for (size_t i = 0; i < from.size(); ++i) {
    const int64_t n = a[static_cast<size_t>(wrap_dim(from[i], static_cast<int64_t>(a.size())))];
    const int64_t m = b[static_cast<size_t>(wrap_dim(to[i], static_cast<int64_t>(b.size())))];
    if (n != m)
      fail(
          BP_INVALID_ARGUMENT,
          "contracted dimensions need to match, but first has size {} in dim {} and second has size {} "
          "in dim {}",
          n, from[i], m, to[i]);
  }
  Dims out;
  for (size_t d = 0; d < a.size(); ++d)
    if (!(gone_a >> d & 1)) out.push_back(a[d]);
  for (size_t d = 0; d < b.size(); ++d)
    if (!(gone_b >> d & 1)) out.push_back(b[d]);
  f.out_shape[0] = out;
}
void kron_shape(Inference& f) {
  Dims a(f.in[0].shape), b(f.in[1].shape);
  while (a.size() < b.size()) a.insert(0, 1);
  while (b.size() < a.size()) b.insert(0, 1);
  for (uint32_t d = 0; d < a.size(); ++d)
    if (__builtin_mul_overflow(a[d], b[d], &a[d]))
      fail(BP_OUT_OF_HOST_MEMORY, "kron: too many elements");
  f.out_shape[0] = a;
}
void trace_shape(Inference& f) {
  if (f.in[0].shape.size() < 2)
    fail(BP_INVALID_ARGUMENT, "trace: expected a matrix, but got tensor with dim {}",
         f.in[0].shape.size());
  f.out_shape[0] = Dims(f.in[0].shape.first(f.in[0].shape.size() - 2));
}

void outer(Composer& c) { c.out[0] = mul(unsqueeze(c.tensor(0), 1), c.in[1]); }

// [.., 1, k] x [.., k, 1]
void vecdot(Composer& c) {
  Ref<Tensor> a = conjugate(c.computed(0)), b = c.computed(1);
  const int64_t axis = met_axis(a->shape, b->shape, c.i64(kVectorAttrs["axis"]));
  const Dims shape = broadcast_shapes(a->shape, b->shape);
  const auto last = static_cast<int64_t>(shape.size());
  // The axis becomes the last one and leaves a size of 1 in its place.
  a = transpose(*unsqueeze(*expand(*a, shape), last), axis, last);
  b = transpose(*unsqueeze(*expand(*b, shape), last), axis, last);
  a = unsqueeze(*a, last), b = unsqueeze(*b, last + 1);
  c.out[0] = reshape(*product(a, b), c.plan.out_shape[0]);
}

Ref<Tensor> as_matrix(Tensor& t, Span contracted_axes, bool contracted_last, int64_t* rows) {
  const uint64_t gone = contracted(contracted_axes, t.shape);
  Dims order, kept;
  int64_t n = 1;
  for (uint32_t d = 0; d < t.rank(); ++d)
    if (!(gone >> d & 1)) kept.push_back(d), n *= t.shape[d];
  if (contracted_last) order = kept;
  for (int64_t a : contracted_axes) order.push_back(wrap_dim(a, t.rank()));
  if (!contracted_last) order.append(kept.begin(), kept.end());
  int64_t k = 1;
  for (int64_t a : contracted_axes) k *= t.shape[wrap_dim(a, t.rank())];
  *rows = n;
  return reshape(*permute(t, order), contracted_last ? Dims{n, k} : Dims{k, n});
}
void tensordot(Composer& c) {
  int64_t m, n;
  Ref<Tensor> a = c.computed(0), b = c.computed(1);
  a = as_matrix(*a, c.ints(kTensordotAttrs["axes_a"]), /*contracted_last=*/true, &m);
  b = as_matrix(*b, c.ints(kTensordotAttrs["axes_b"]), /*contracted_last=*/false, &n);
  c.out[0] = reshape(*product(a, b), c.plan.out_shape[0]);
}

void trace(Composer& c) {
  const int64_t last = -1;
  c.out[0] = invoke(BP_OP_SUM, {diagonal(c.tensor(0), c.i64(kTraceAttrs["offset"]), -2, -1)},
                    {ints_value({&last, 1}), flag_value(false), c.attrs[kTraceAttrs["dtype"]]});
}

void cross(Composer& c) {
  Ref<Tensor> a = c.computed(0), b = c.computed(1);
  const int64_t axis = met_axis(a->shape, b->shape, c.i64(kVectorAttrs["axis"]));
  const Dims shape = c.plan.out_shape[0];
  a = expand(*a, shape), b = expand(*b, shape);
  const auto part = [&](int64_t j, int64_t k) {
    return sub(mul(select(*a, axis, j), select(*b, axis, k)),
               mul(select(*a, axis, k), select(*b, axis, j)));
  };
  c.out[0] = invoke(BP_OP_STACK, {part(1, 2), part(2, 0), part(0, 1)}, {int_value(axis)});
}

void kron(Composer& c) {
  Ref<Tensor> a = Ref<Tensor>::share(&c.tensor(0)), b = Ref<Tensor>::share(&c.tensor(1));
  const uint32_t rank = c.plan.out_shape[0].size();
  Dims to_a, to_b;
  for (uint32_t d = 0; d < rank; ++d) {
    to_a.push_back(d + a->rank() < rank ? 1 : a->shape[d + a->rank() - rank]), to_a.push_back(1);
    to_b.push_back(1), to_b.push_back(d + b->rank() < rank ? 1 : b->shape[d + b->rank() - rank]);
  }
  c.out[0] = reshape(*mul(reshape(*a, to_a), reshape(*b, to_b)), c.plan.out_shape[0]);
}

// clang-format off
constexpr OpRow kProductsRows[] = {
    {.id = 186, .name = "outer", .inputs = kAB, .layout = Layout::kGeneral, .dtype = rule::ordered, .shape = outer_shape,
     .compose = outer, .doc = "out[i, j] = a[i] * b[j] of two 1-D tensors."},
    {.id = 187, .name = "vecdot", .inputs = kAB, .attrs = kVectorAttrs, .layout = Layout::kGeneral,
     .dtype = rule::arithmetic, .shape = vecdot_shape, .compose = vecdot, .flags = kComplexToo,
     .doc = "Sum of a * b along axis, of conj(a) * b where they are complex, broadcast elsewhere. Error as matmul."},
    {.id = 188, .name = "tensordot", .inputs = kAB, .attrs = kTensordotAttrs,
     .layout = Layout::kGeneral, .dtype = rule::arithmetic, .shape = tensordot_shape, .compose = tensordot,
     .doc = "Sum of products over axes_a of a and axes_b of b, pair by pair; what is left of a, then of b. Error as matmul."},
    {.id = 189, .name = "trace", .inputs = kX, .attrs = kTraceAttrs,
     .layout = Layout::kGeneral, .dtype = rule::accumulated, .shape = trace_shape, .compose = trace, .max_ulp = 8,
     .doc = "Sum along the diagonal of each matrix, offset to the right; dtypes and bound as sum."},
    {.id = 190, .name = "cross", .inputs = kAB, .attrs = kVectorAttrs, .layout = Layout::kGeneral,
     .dtype = rule::arithmetic, .shape = cross_shape, .compose = cross, .max_ulp = 2,
     .doc = "Vector product along an axis of 3. The bound is relative to the products that are subtracted."},
    {.id = 191, .name = "kron", .inputs = kAB, .layout = Layout::kGeneral, .dtype = rule::ordered, .shape = kron_shape,
     .compose = kron, .doc = "Kronecker product: every element of a times the whole of b, in its place."},
};
// clang-format on
}  // namespace

std::span<const OpRow> products_rows() { return kProductsRows; }

}  // namespace bp::ops
