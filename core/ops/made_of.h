// SPDX-License-Identifier: Apache-2.0
// made_of.h: the ops that compositions and gradients are made of, by short names. Operands are
// tensors, numbers or the call's own values; what comes back is a new tensor. An op without a name
// here is called by its id (core/call/invoke.h).
//
//   Ref<Tensor> centred = sub(x, mean(x, axes, /*keepdims=*/true));
//   c.out[0] = div(centred, 2.0);
#pragma once
#include <type_traits>

#include "core/call/compose.h"
#include "core/grad/autograd.h"
#include "core/tensor/traced.h"

namespace bp::ops {

inline Ref<Tensor> add(const Value& a, const Value& b) { return invoke(BP_OP_ADD, {a, b}); }
inline Ref<Tensor> sub(const Value& a, const Value& b) { return invoke(BP_OP_SUB, {a, b}); }
inline Ref<Tensor> mul(const Value& a, const Value& b) { return invoke(BP_OP_MUL, {a, b}); }
inline Ref<Tensor> div(const Value& a, const Value& b) { return invoke(BP_OP_DIV, {a, b}); }
inline Ref<Tensor> power(const Value& a, const Value& b) { return invoke(BP_OP_POW, {a, b}); }
inline Ref<Tensor> remainder(const Value& a, const Value& b) {
  return invoke(BP_OP_REMAINDER, {a, b});
}
inline Ref<Tensor> floor_quotient(const Value& a, const Value& b) {
  return invoke(BP_OP_FLOOR_DIVIDE, {a, b});
}
inline Ref<Tensor> equal(const Value& a, const Value& b) { return invoke(BP_OP_EQ, {a, b}); }
inline Ref<Tensor> unequal(const Value& a, const Value& b) { return invoke(BP_OP_NE, {a, b}); }
inline Ref<Tensor> less(const Value& a, const Value& b) { return invoke(BP_OP_LT, {a, b}); }
inline Ref<Tensor> at_most(const Value& a, const Value& b) { return invoke(BP_OP_LE, {a, b}); }
inline Ref<Tensor> greater(const Value& a, const Value& b) { return invoke(BP_OP_GT, {a, b}); }
inline Ref<Tensor> both(const Value& a, const Value& b) {
  return invoke(BP_OP_LOGICAL_AND, {a, b});
}
inline Ref<Tensor> either(const Value& a, const Value& b) {
  return invoke(BP_OP_LOGICAL_OR, {a, b});
}
inline Ref<Tensor> larger(const Value& a, const Value& b) { return invoke(BP_OP_MAXIMUM, {a, b}); }
inline Ref<Tensor> smaller(const Value& a, const Value& b) { return invoke(BP_OP_MINIMUM, {a, b}); }
inline Ref<Tensor> product(const Value& a, const Value& b) { return invoke(BP_OP_MATMUL, {a, b}); }
inline Ref<Tensor> where(const Value& condition, const Value& x, const Value& y) {
  return invoke(BP_OP_WHERE, {condition, x, y});
}

inline Ref<Tensor> angle_of(const Value& y, const Value& x) { return invoke(BP_OP_ATAN2, {y, x}); }

inline Ref<Tensor> negative(const Value& x) { return invoke(BP_OP_NEG, {x}); }
inline Ref<Tensor> absolute(const Value& x) { return invoke(BP_OP_ABS, {x}); }
inline Ref<Tensor> sign_of(const Value& x) { return invoke(BP_OP_SIGN, {x}); }
inline Ref<Tensor> squared(const Value& x) { return invoke(BP_OP_SQUARE, {x}); }
inline Ref<Tensor> root(const Value& x) { return invoke(BP_OP_SQRT, {x}); }
inline Ref<Tensor> inverse_root(const Value& x) { return invoke(BP_OP_RSQRT, {x}); }
inline Ref<Tensor> exponential(const Value& x) { return invoke(BP_OP_EXP, {x}); }
inline Ref<Tensor> logarithm(const Value& x) { return invoke(BP_OP_LOG, {x}); }
inline Ref<Tensor> expm1(const Value& x) { return invoke(BP_OP_EXPM1, {x}); }
inline Ref<Tensor> log1p(const Value& x) { return invoke(BP_OP_LOG1P, {x}); }
inline Ref<Tensor> floor_of(const Value& x) { return invoke(BP_OP_FLOOR, {x}); }
inline Ref<Tensor> sine(const Value& x) { return invoke(BP_OP_SIN, {x}); }
inline Ref<Tensor> cosine(const Value& x) { return invoke(BP_OP_COS, {x}); }
inline Ref<Tensor> logistic(const Value& x) { return invoke(BP_OP_SIGMOID, {x}); }
inline Ref<Tensor> has_minus(const Value& x) { return invoke(BP_OP_SIGNBIT, {x}); }
// Returns x * exp(x), in two steps, so that small results keep their digits.
inline Ref<Tensor> times_exponential(const Ref<Tensor>& x) {
  const Ref<Tensor> half = exponential(mul(x, 0.5));
  return mul(mul(x, half), half);
}
inline Ref<Tensor> is_nan(const Value& x) { return invoke(BP_OP_ISNAN, {x}); }

inline Ref<Tensor> real_part(const Value& x) { return invoke(BP_OP_REAL, {x}); }
inline Ref<Tensor> imaginary_part(const Value& x) { return invoke(BP_OP_IMAG, {x}); }
inline Ref<Tensor> complex_from(const Value& re, const Value& im) {
  return invoke(BP_OP_COMPLEX, {re, im});
}
// Returns the conjugates of complex numbers, and real numbers as they are.
inline Ref<Tensor> conjugate(const Ref<Tensor>& x) {
  return is_complex(x->dtype) ? invoke(BP_OP_CONJ, {x}) : x;
}

// Adds x to y in place, for a y that nobody else has seen.
inline void add_to(Ref<Tensor>& y, const Value& x) { invoke(BP_OP_ADD, {*y, x}, {}, {&y, 1}); }

// Returns the axes of a reduction, counted from the front; all of them where none are given.
inline Dims reduced_axes(Span given, int64_t rank) {
  Dims axes;
  for (int64_t i = 0; i < rank && given.empty(); ++i) axes.push_back(i);
  if (rank)
    for (int64_t axis : given) axes.push_back(wrap_dim(axis, rank));
  return axes;
}
inline Ref<Tensor> reduced(uint32_t id, const Value& x, Span axes, bool keepdims) {
  return invoke(id, {x}, {ints_value(axes), flag_value(keepdims)});
}
inline Ref<Tensor> sum(const Value& x, Span axes, bool keepdims) {
  return invoke(BP_OP_SUM, {x},
                {ints_value(axes), flag_value(keepdims), dtype_value(BP_DTYPE_NONE)});
}
inline Ref<Tensor> mean(const Value& x, Span axes, bool keepdims) {
  return invoke(BP_OP_MEAN, {x},
                {ints_value(axes), flag_value(keepdims), dtype_value(BP_DTYPE_NONE)});
}
inline Ref<Tensor> gather(const Value& x, const Value& index, int64_t axis) {
  return invoke(BP_OP_GATHER, {x, index}, {int_value(axis)});
}
// Returns a list of places on an axis as gather and scatter want it, for slices of that shape.
inline Ref<Tensor> along(Tensor& index, const Dims& shape, int64_t axis) {
  Dims line, whole(shape);
  for (size_t d = 0; d < shape.size(); ++d)
    line.push_back(static_cast<int64_t>(d) == axis ? index.count : 1);
  whole[static_cast<size_t>(axis)] = index.count;
  return expand(*reshape(index, line), whole);
}
inline Ref<Tensor> picked(const Value& x, const Value& index, int64_t axis) {
  return invoke(BP_OP_INDEX_SELECT, {x, index}, {int_value(axis)});
}

inline Ref<Tensor> as_dtype(Tensor& t, bp_dtype dtype) {
  return to(t, /*device=*/0, dtype, /*copy=*/false, /*non_blocking=*/false);
}
// Returns a tensor whose every element is v.
inline Ref<Tensor> filled(Span shape, bp_dtype dtype, const Value& v, Device& device) {
  Ref<Tensor> out = new_tensor(shape, dtype, device);
  fill(*out, v);
  return out;
}
// Returns 0, 1, ... n - 1, in i64.
inline Ref<Tensor> counted(int64_t n, Device& device) {
  Ref<Tensor> out = new_tensor(Dims{n}, BP_I64, device);
  if (n) invoke(BP_OP_ARANGE, {0, n, 1}, {dtype_value(BP_I64)}, {&out, 1});
  return out;
}
// Returns the numbers of(0), of(1), ... on the device: constants that the host computes in f64.
template <class Of>
Ref<Tensor> from_host(Span shape, bp_dtype dtype, Device& device, const Of& of) {
  using Number = std::invoke_result_t<Of, int64_t>;  // int64_t or double
  const Ref<Tensor> numbers =
      new_tensor(shape, std::is_integral_v<Number> ? BP_I64 : BP_F64, cpu_device());
  auto* at = reinterpret_cast<Number*>(numbers->data());
  for (int64_t i = 0; i < numbers->count; ++i) at[i] = of(i);
  const Ref<Tensor> converted = as_dtype(*numbers, dtype);
  Ref<Tensor> out = new_tensor(shape, dtype, device);
  copy_into(*out, *converted, /*non_blocking=*/false);
  return out;
}
// Returns false for a bool dtype, else the integer 0, so that promotion leaves the dtype alone.
inline bp_value zero_of(bp_dtype t) {
  bp_value v = number(int64_t{0});
  if (t == BP_BOOL) v.kind = BP_VALUE_BOOL;
  return v;
}
// Returns where a tensor of bools is false.
inline Ref<Tensor> no(const Ref<Tensor>& x) { return equal(x, zero_of(BP_BOOL)); }
// Returns the factor that an attribute gives for elements of that dtype, of which integers and
// bools take the whole part; that has to fit i64.
Value factor_for(const OpRow& row, bp_dtype t, double factor);
// Returns operand i, which may be a number, as a tensor in the dtype that the op computes in, or in
// f32 where that is narrow.
Ref<Tensor> operand(const Composer& c, size_t i);
// The same for a composition that serves no complex numbers: such a call is refused as one without
// a kernel.
Ref<Tensor> real_operand(const Composer& c, size_t i);
inline Ref<Tensor> zeros_like(const Ref<Tensor>& t) {
  return filled(t->shape, t->dtype, zero_of(t->dtype), t->device());
}
// Returns for each element the product of all others along the last axis. It divides by none, so
// that zeros may be among them. Defined in reduction/gradient_reduce.cc.
Ref<Tensor> products_of_others(const Ref<Tensor>& x);

inline Ref<Tensor> joined(std::span<const Ref<Tensor>> parts, int64_t axis) {
  SmallVec<bp_value, 4> in;
  for (const Ref<Tensor>& p : parts) in.push_back(tensor_value(*p));
  const bp_attr attrs[] = {int_value(axis)};
  Ref<Tensor> out[1];
  invoke(*find_op(BP_OP_CONCAT), in, attrs, out);
  return std::move(out[0]);
}
// Cuts a view from a tensor, dim by dim, for embedded() (core/tensor/traced.h).
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

// Copies `from` into a part of a result, and records no way back: a composition that writes what
// wants a gradient is refused, so that its row needs a gradient of its own.
inline void write(Tensor& to, Tensor& from) {
  if (records() && wants_grad(from))
    fail(BP_INTERNAL, "an op writes what wants a gradient into a part of its result");
  copy_into(to, from, /*non_blocking=*/false);
}

}  // namespace bp::ops
