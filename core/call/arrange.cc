// SPDX-License-Identifier: Apache-2.0
#include "core/call/arrange.h"

#include <algorithm>
#include <bit>

namespace bp {
namespace {

struct StrideList {
  Dims* list[kMaxSlots];
  uint32_t n = 0;
  void add(Dims& d) { list[n++] = &d; }
  std::span<Dims*> span() { return {list, n}; }
};

// Gives all tensors one common shape, coalesced over all of them.
void arrange_elementwise(Slots& s) {
  Dims shape = s.out(0).tensor->shape;
  StrideList strides;
  for (uint32_t i = 0; i < s.size(); ++i) {
    Slot& slot = s.slot[i];
    if (!slot.tensor) continue;
    slot.strides = broadcast_strides(slot.tensor->shape, slot.tensor->strides, shape);
    strides.add(slot.strides);
  }
  coalesce(shape, strides.span());
  if (shape.empty()) {
    shape.push_back(1);
    for (Dims* d : strides.span()) d->push_back(1);
  }
  for (uint32_t i = 0; i < s.size(); ++i)
    if (s.slot[i].tensor) s.slot[i].shape = shape;
}

// The input is [kept..., reduced...], the output [kept...]; neighbours that are one run are merged.
void arrange_reduce(std::span<const bp_attr> attrs, Slots& s) {
  Slot &in = s.in(0), &out = s.out(0);
  const Tensor &x = *in.tensor, &y = *out.tensor;
  const bp_attr& given = attrs[kReduceAttrs["axes"]];
  const Span axes{given.value.ints, given.count};
  const bool keepdims = attrs[kReduceAttrs["keepdims"]].value.i64;
  uint64_t reduced = axes.empty() ? ~uint64_t{0} : 0;
  for (int64_t axis : axes) reduced |= uint64_t{1} << wrap_dim(axis, x.rank());

  for (uint32_t i = 0, o = 0; i < x.rank(); ++i) {
    if (reduced >> i & 1) {
      o += keepdims;
      continue;
    }
    const int64_t size = x.shape[i], step = y.strides[o++];
    if (size == 1) continue;
    if (!in.shape.empty() && in.strides.back() == x.strides[i] * size &&
        out.strides.back() == step * size) {
      in.shape.back() *= size;
      in.strides.back() = x.strides[i];
      out.strides.back() = step;
    } else {
      in.shape.push_back(size);
      in.strides.push_back(x.strides[i]);
      out.strides.push_back(step);
    }
  }
  out.shape = in.shape;
  const uint32_t n_kept = out.shape.size();
  for (uint32_t i = 0; i < x.rank(); ++i) {
    const int64_t size = x.shape[i], step = x.strides[i];
    if (!(reduced >> i & 1) || size == 1) continue;
    if (in.shape.size() > n_kept && in.strides.back() == step * size) {
      in.shape.back() *= size;
      in.strides.back() = step;
    } else {
      in.shape.push_back(size);
      in.strides.push_back(step);
    }
  }
  if (in.shape.size() == n_kept) {
    in.shape.push_back(1);
    in.strides.push_back(1);
  }
}

// Sees a 0-dim operand as one of a single element along the axis.
void see_along_axis(Slot& slot) {
  const Tensor& t = *slot.tensor;
  if (t.rank() == 0)
    slot.see(Dims{1}, Dims{1});
  else
    slot.see(t.shape, t.strides);
}

// Every tensor is [outer..., n]; the outer sizes are the output's.
void arrange_rows(int64_t axis, Slots& s) {
  const Tensor& model = *s.out(0).tensor;
  const auto rank = static_cast<int64_t>(model.rank());
  if (rank <= 1) {
    for (uint32_t i = 0; i < s.size(); ++i) see_along_axis(s.slot[i]);
    return;
  }
  Dims outer;
  for (int64_t d = 0; d < rank; ++d)
    if (d != axis) outer.push_back(model.shape[d]);
  StrideList list;
  for (uint32_t i = 0; i < s.size(); ++i) {
    Slot& slot = s.slot[i];
    for (int64_t d = 0; d < rank; ++d)
      if (d != axis) slot.strides.push_back(slot.tensor->strides[d]);
    list.add(slot.strides);
  }
  coalesce(outer, list.span());
  for (uint32_t i = 0; i < s.size(); ++i) {
    Slot& slot = s.slot[i];
    slot.shape = outer;
    slot.shape.push_back(slot.tensor->shape[axis]);
    slot.strides.push_back(slot.tensor->strides[axis]);
  }
}

// The last two dims of an operand of matmul; a 1-D one gets the missing dim.
struct Matrix {
  int64_t rows, cols, row_stride, col_stride;
  uint32_t n_batch;
};
Matrix as_matrix(const Tensor& t, bool has_rows, bool has_cols) {
  Matrix m{1, 1, 0, 0, 0};
  uint32_t n = t.rank();
  if (has_cols) {
    --n;
    m.cols = t.shape[n];
    m.col_stride = t.strides[n];
  }
  if (has_rows) {
    --n;
    m.rows = t.shape[n];
    m.row_stride = t.strides[n];
  }
  m.n_batch = n;
  return m;
}

void arrange_matmul(Slots& s) {
  const Tensor &a = *s.in(0).tensor, &b = *s.in(1).tensor, &o = *s.out(0).tensor;
  const bool a_rows = a.rank() > 1, b_cols = b.rank() > 1;
  Matrix m[3] = {as_matrix(a, a_rows, true), as_matrix(b, true, b_cols),
                 as_matrix(o, a_rows, b_cols)};
  const Tensor* t[3] = {&a, &b, &o};
  Dims batch{Span(o.shape).first(m[2].n_batch)};
  Dims strides[3];
  StrideList list;
  for (int i = 0; i < 3; ++i) {
    strides[i] = broadcast_strides(Span(t[i]->shape).first(m[i].n_batch),
                                   Span(t[i]->strides).first(m[i].n_batch), batch);
    list.add(strides[i]);
  }
  coalesce(batch, list.span());
  // With one b for all, and a and out dense over (batch, rows), this is a single taller product.
  if (batch.size() == 1 && strides[1][0] == 0 && m[0].rows > 0 &&
      strides[0][0] == m[0].rows * m[0].row_stride &&
      strides[2][0] == m[2].rows * m[2].row_stride) {
    m[0].rows *= batch[0];
    m[2].rows *= batch[0];
    batch.clear();
    for (Dims& d : strides) d.clear();
  }
  for (int i = 0; i < 3; ++i) {
    Dims shape = batch;
    shape.push_back(m[i].rows);
    shape.push_back(m[i].cols);
    strides[i].push_back(m[i].row_stride);
    strides[i].push_back(m[i].col_stride);
    s.slot[i].see(shape, strides[i]);
  }
}

}  // namespace

void arrange(const OpRow& row, std::span<const bp_attr> attrs, Slots& slots) {
  switch (row.layout) {
    case Layout::kElementwise: return arrange_elementwise(slots);
    case Layout::kReduce: return arrange_reduce(attrs, slots);
    case Layout::kRows: {
      const int at = row.find_attr("axis");
      return arrange_rows(
          wrap_dim(attrs[static_cast<size_t>(at)].value.i64, slots.out(0).tensor->rank()), slots);
    }
    case Layout::kMatmul: return arrange_matmul(slots);
    case Layout::kGeneral: {
      const bool along_axis = row.find_attr("axis") >= 0;
      for (uint32_t i = 0; i < slots.size(); ++i)
        if (Slot& s = slots.slot[i]; s.tensor)
          along_axis ? see_along_axis(s) : s.see(s.tensor->shape, s.tensor->strides);
      return;
    }
    case Layout::kForeach:  // foreach.h
      return;
  }
}

bp_arg as_number(const bp_value& v, bp_dtype dtype) {
  bp_arg x{};
  x.dtype = dtype;
  if (v.kind == BP_VALUE_C128) {
    x.kind = BP_ARG_SCALAR_C128;
    x.f64 = v.as.c128[0];
    x.i64 = std::bit_cast<int64_t>(v.as.c128[1]);
  } else if (v.kind == BP_VALUE_F64) {
    x.kind = BP_ARG_SCALAR_F64;
    x.f64 = v.as.f64;
  } else {
    x.kind = v.kind == BP_VALUE_NONE ? BP_ARG_NONE : BP_ARG_SCALAR_I64;
    x.i64 = v.as.i64;
  }
  return x;
}

bp_arg to_arg(const Slot& slot) {
  if (!slot.tensor) return as_number(slot.number, slot.dtype);
  bp_arg a{};
  a.dtype = slot.dtype;
  a.kind = BP_ARG_TENSOR;
  a.rank = static_cast<int32_t>(slot.shape.size());
  a.flags = is_contiguous(slot.shape, slot.strides) ? BP_ARG_CONTIGUOUS : 0;
  a.data = slot.tensor->count ? slot.tensor->data() : nullptr;  // an empty view lies nowhere
  a.shape = slot.shape.data();
  a.strides = slot.strides.data();
  a.owner = static_cast<uint64_t>(slot.tensor->device().value);
  return a;
}

}  // namespace bp
