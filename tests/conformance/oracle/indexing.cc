// SPDX-License-Identifier: Apache-2.0
#include "oracle/oracle.h"
#include "promote.h"

namespace conformance {
namespace indexing_specs {
namespace {

void append(Array& out, const Array& from, size_t at) {
  out.re.push_back(from.re[at]);
  if (is_complex(out.dtype)) out.im.push_back(from.im[at]);
}

Answer concat(const Call& call) {
  const bp_dtype t = result_type(call.in);
  std::vector<Array> parts;
  for (const Operand& x : call.in)
    if (x.array.shape != Shape{0})
      parts.push_back(convert(x.array, t));  // an empty 1-D tensor joins anything
  if (parts.empty()) return {{Array{t, {0}, {}, {}}}};
  const int64_t axis = call.i64("axis", 0);
  Array out{t, parts[0].shape, {}, {}};
  int64_t& joined = out.shape[wrap_axis(axis, out.shape.size())];
  joined = 0;
  for (const Array& part : parts) joined += part.shape[wrap_axis(axis, out.shape.size())];
  for (size_t o = 0; o < rows_of(out.shape, axis).outer; ++o)
    for (const Array& part : parts) {
      const Rows rows = rows_of(part.shape, axis);
      for (size_t i = 0; i < rows.n * rows.inner; ++i)
        append(out, part, o * rows.n * rows.inner + i);
    }
  return {{out}};
}

Answer stack(const Call& call) {
  Call widened = call;
  const size_t rank = call.in[0].array.shape.size() + 1;
  const auto axis = static_cast<std::ptrdiff_t>(wrap_axis(call.i64("axis", 0), rank));
  for (Operand& x : widened.in) x.array.shape.insert(x.array.shape.begin() + axis, 1);
  return concat(widened);
}

Answer gather(const Call& call) {
  const Array &x = call.in[0].array, &index = call.in[1].array;
  const size_t axis = wrap_axis(call.i64("axis", 0), x.shape.size());
  const Shape strides = strides_of(x.shape);
  Array out{x.dtype, index.shape, {}, {}};
  for (size_t i = 0; i < index.size(); ++i) {
    size_t rest = i, at = 0;
    for (size_t d = index.shape.size(); d-- > 0;) {
      const auto size = static_cast<size_t>(index.shape[d]);
      const size_t position = d == axis ? static_cast<size_t>(index.re[i]) : rest % size;
      at += position * static_cast<size_t>(strides[d]);
      rest /= size;
    }
    append(out, x, at);
  }
  return {{out}};
}

Answer take_along(const Call& call) {
  Call wide = call;
  Array &x = wide.in[0].array, &index = wide.in[1].array;
  const size_t axis = wrap_axis(call.i64("axis", 0), x.shape.size());
  Shape x_off = x.shape, index_off = index.shape;
  x_off[axis] = index_off[axis] = 1;
  Shape to = broadcast(x_off, index_off);
  to[axis] = x.shape[axis];
  const int64_t size = to[axis];
  x = expand(x, to);
  to[axis] = index.shape[axis];
  index = expand(index, to);
  for (Real& at : index.re)
    if (at < 0) at += static_cast<Real>(size);
  return gather(wide);
}

Answer index_select(const Call& call) {
  const Array &x = call.in[0].array, &index = call.in[1].array;
  const int64_t axis = call.i64("axis", 0);
  const Rows rows = rows_of(x.shape, axis);
  Array out{x.dtype, x.shape, {}, {}};
  out.shape[wrap_axis(axis, x.shape.size())] = index.shape[0];
  for (size_t o = 0; o < rows.outer; ++o)
    for (Real at : index.re)
      for (size_t i = 0; i < rows.inner; ++i)
        append(out, x, rows.at(o, static_cast<size_t>(at), i));
  return {{out}};
}

Answer one_hot(const Call& call) {
  const Array& x = call.in[0].array;
  const int64_t n = call.i64("num_classes", 0);
  Array out{BP_I64, x.shape, {}, {}};
  out.shape.push_back(n);
  for (Real at : x.re)
    for (int64_t c = 0; c < n; ++c) out.re.push_back(at == static_cast<Real>(c));
  return {{out}};
}

constexpr Spec kSpecs[] = {
    {"concat", Family::kJoin, kAll, concat},
    {"stack", Family::kJoin, kAll, stack},
    {"gather", Family::kIndex, kAll, gather},
    {"index_select", Family::kIndex, kAll, index_select},
    {"take_along", Family::kIndex, kAll, take_along},
    {"one_hot", Family::kOneHot, kInts, one_hot},
};

}  // namespace
}  // namespace indexing_specs

std::span<const Spec> indexing_oracles() { return indexing_specs::kSpecs; }

}  // namespace conformance
