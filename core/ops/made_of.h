// made_of.h: the ops that compositions are made of, by short names. Operands are tensors, numbers or the call's own values;
// what comes back is a new tensor.
//
//   c.out[0] = sqrt(op_var);   Ref<Tensor> y = mul(sub(x, mean(x, axes, true)), 0.5);
#pragma once
#include "core/compose.h"

namespace bp::ops {

struct V : ComposeValue {
  V(const bp_value& v) : ComposeValue(v) {}                    // NOLINT: implicit by design
  V(const Ref<Tensor>& t) : ComposeValue(t) {}                 // NOLINT
  V(double v) : ComposeValue(number(v)) {}                     // NOLINT
  V(int64_t v) : ComposeValue(number(v)) {}                    // NOLINT
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

inline Ref<Tensor> reduced(uint32_t id, const V& x, Span axes, bool keepdims) {
  return Composer::op(id, {x}, {ints_value(axes), flag_value(keepdims)});
}
inline Ref<Tensor> sum(const V& x, Span axes, bool keepdims) {
  return Composer::op(BP_OP_SUM, {x}, {ints_value(axes), flag_value(keepdims), dtype_value(BP_DTYPE_NONE)});
}
inline Ref<Tensor> mean(const V& x, Span axes, bool keepdims) {
  return Composer::op(BP_OP_MEAN, {x}, {ints_value(axes), flag_value(keepdims), dtype_value(BP_DTYPE_NONE)});
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
inline void write(Tensor& to, Tensor& from) { copy_into(to, from, /*non_blocking=*/false); }

}  // namespace bp::ops
