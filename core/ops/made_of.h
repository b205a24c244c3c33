// made_of.h: the ops that compositions are made of, by short names. Operands are tensors, numbers
// or the call's own values; what comes back is a new tensor.
//
//   c.out[0] = squared(c.in[0]);   Ref<Tensor> y = mul(sub(x, mean(x, axes, true)), 0.5);
#pragma once
#include "core/call/compose.h"
#include "core/grad/autograd.h"
#include "core/tensor/traced.h"

namespace bp::ops {

struct V : ComposeValue {
  V(const ComposeValue& v) : ComposeValue(v) {}  // NOLINT: implicit by design
  V(const bp_value& v) : ComposeValue(v) {}      // NOLINT: implicit by design
  V(const Ref<Tensor>& t) : ComposeValue(t) {}   // NOLINT
  V(double v) : ComposeValue(number(v)) {}       // NOLINT
  V(int64_t v) : ComposeValue(number(v)) {}      // NOLINT
};

inline Ref<Tensor> made(uint32_t id, const V& a) { return Composer::op(id, {a}); }
inline Ref<Tensor> made(uint32_t id, const V& a, const V& b) { return Composer::op(id, {a, b}); }
inline Ref<Tensor> add(const V& a, const V& b) { return made(BP_OP_ADD, a, b); }
inline Ref<Tensor> sub(const V& a, const V& b) { return made(BP_OP_SUB, a, b); }
inline Ref<Tensor> mul(const V& a, const V& b) { return made(BP_OP_MUL, a, b); }
inline Ref<Tensor> div(const V& a, const V& b) { return made(BP_OP_DIV, a, b); }
inline Ref<Tensor> power(const V& a, const V& b) { return made(BP_OP_POW, a, b); }
inline Ref<Tensor> equal(const V& a, const V& b) { return made(BP_OP_EQ, a, b); }
inline Ref<Tensor> unequal(const V& a, const V& b) { return made(BP_OP_NE, a, b); }
inline Ref<Tensor> less(const V& a, const V& b) { return made(BP_OP_LT, a, b); }
inline Ref<Tensor> at_most(const V& a, const V& b) { return made(BP_OP_LE, a, b); }
inline Ref<Tensor> larger(const V& a, const V& b) { return made(BP_OP_MAXIMUM, a, b); }
inline Ref<Tensor> smaller(const V& a, const V& b) { return made(BP_OP_MINIMUM, a, b); }
inline Ref<Tensor> product(const V& a, const V& b) { return made(BP_OP_MATMUL, a, b); }
inline Ref<Tensor> negative(const V& x) { return made(BP_OP_NEG, x); }
inline Ref<Tensor> absolute(const V& x) { return made(BP_OP_ABS, x); }
inline Ref<Tensor> squared(const V& x) { return made(BP_OP_SQUARE, x); }
inline Ref<Tensor> where(const V& condition, const V& x, const V& y) {
  return Composer::op(BP_OP_WHERE, {condition, x, y});
}

// y += x, for a y that nobody else has seen.
inline void add_to(Ref<Tensor>& y, const V& x) {
  const bp_value in[] = {tensor_value(*y), x.value};
  invoke(*find_op(BP_OP_ADD), in, {}, {&y, 1});
}

inline Ref<Tensor> reduced(uint32_t id, const V& x, Span axes, bool keepdims) {
  return Composer::op(id, {x}, {ints_value(axes), flag_value(keepdims)});
}
inline Ref<Tensor> sum(const V& x, Span axes, bool keepdims) {
  return Composer::op(BP_OP_SUM, {x},
                      {ints_value(axes), flag_value(keepdims), dtype_value(BP_DTYPE_NONE)});
}
inline Ref<Tensor> mean(const V& x, Span axes, bool keepdims) {
  return Composer::op(BP_OP_MEAN, {x},
                      {ints_value(axes), flag_value(keepdims), dtype_value(BP_DTYPE_NONE)});
}
inline Ref<Tensor> gather(const V& x, const V& index, int64_t axis) {
  return Composer::op(BP_OP_GATHER, {x, index}, {int_value(axis)});
}
inline Ref<Tensor> picked(const V& x, const V& index, int64_t axis) {
  return Composer::op(BP_OP_INDEX_SELECT, {x, index}, {int_value(axis)});
}

inline Ref<Tensor> as_dtype(Tensor& t, bp_dtype dtype) {
  return to(t, /*device=*/0, dtype, /*copy=*/false, /*non_blocking=*/false);
}
// Every element is v.
inline Ref<Tensor> filled(Span shape, bp_dtype dtype, const bp_value& v, Device& device) {
  Ref<Tensor> out[1] = {new_tensor(shape, dtype, device)};
  const bp_attr attrs[] = {ints_value(out[0]->shape), dtype_value(dtype)};
  if (out[0]->count) invoke(*find_op(BP_OP_FILL), {&v, 1}, attrs, out);
  return std::move(out[0]);
}
// 0, 1, ... n - 1, as i64.
inline Ref<Tensor> counted(int64_t n, Device& device) {
  Ref<Tensor> out[1] = {new_tensor(Dims{n}, BP_I64, device)};
  const bp_value in[] = {number(int64_t{0}), number(n), number(int64_t{1})};
  const bp_attr attrs[] = {dtype_value(BP_I64)};
  if (n) invoke(*find_op(BP_OP_ARANGE), in, attrs, out);
  return std::move(out[0]);
}
// What nothing is in the dtype: false or 0, so that promotion leaves the dtype alone.
inline bp_value zero_of(bp_dtype t) {
  bp_value v = number(int64_t{0});
  if (t == BP_BOOL) v.kind = BP_VALUE_BOOL;
  return v;
}
inline Ref<Tensor> joined(std::span<const Ref<Tensor>> parts, int64_t axis) {
  SmallVec<bp_value, 4> in;
  for (const Ref<Tensor>& p : parts) in.push_back(tensor_value(*p));
  const bp_attr attrs[] = {int_value(axis)};
  Ref<Tensor> out[1];
  invoke(*find_op(BP_OP_CONCAT), in, attrs, out);
  return std::move(out[0]);
}
// A view that is cut from a tensor, dim by dim: for embedded() (core/tensor/traced.h).
struct Inside {
  struct Cut {
    int64_t dim, start, size, step;
  };
  std::vector<Cut> cuts;
  Ref<Tensor> operator()(const Tensor& t) const {
    Ref<Tensor> v = alias(t);
    for (const Cut& c : cuts)
      v = slice(*v, c.dim, c.start, c.start + (c.size - 1) * c.step + 1, c.step);
    return v;
  }
};

// Into a part of a result. There is no way back from it: a row that has a gradient and writes so
// needs one of its own.
inline void write(Tensor& to, Tensor& from) {
  if (records() && wants_grad(from))
    fail(BP_INTERNAL, "an op writes what wants a gradient into a part of its result");
  copy_into(to, from, /*non_blocking=*/false);
}

}  // namespace bp::ops
