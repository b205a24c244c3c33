// SPDX-License-Identifier: Apache-2.0
// backplane_ops.hpp: one function for each op; included by backplane.hpp. Printed by `./dev print` from the op table (core/ops); do not edit.
#pragma once

namespace backplane {
namespace detail {
inline std::vector<bp_tensor*> handles(const std::vector<Tensor>& tensors) {
  std::vector<bp_tensor*> list;
  for (const Tensor& t : tensors) list.push_back(t.get());
  return list;
}
}  // namespace detail

// -x. Integers wrap; bool is refused.
inline Tensor neg(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_neg(x.get(), out, e);
  });
}

// |x|. The most negative integer stays itself. Of complex numbers the modulus, a real number.
inline Tensor abs(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_abs(x.get(), out, e);
  });
}

// -1, 0 or 1 by the sign of x; 0 for NaN, as PyTorch.
inline Tensor sign(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_sign(x.get(), out, e);
  });
}

// Square root; NaN below zero.
inline Tensor sqrt(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_sqrt(x.get(), out, e);
  });
}

// 1 / sqrt(x); +inf at +0.
inline Tensor rsqrt(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_rsqrt(x.get(), out, e);
  });
}

// x * x. Integers wrap.
inline Tensor square(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_square(x.get(), out, e);
  });
}

// 1 / x.
inline Tensor reciprocal(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_reciprocal(x.get(), out, e);
  });
}

// e to the x.
inline Tensor exp(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_exp(x.get(), out, e);
  });
}

// exp(x) - 1, accurate near zero.
inline Tensor expm1(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_expm1(x.get(), out, e);
  });
}

// Natural logarithm; -inf at zero, NaN below.
inline Tensor log(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_log(x.get(), out, e);
  });
}

// log(1 + x), accurate near zero.
inline Tensor log1p(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_log1p(x.get(), out, e);
  });
}

// Sine, x in radians.
inline Tensor sin(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_sin(x.get(), out, e);
  });
}

// Cosine, x in radians.
inline Tensor cos(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_cos(x.get(), out, e);
  });
}

// Tangent, x in radians.
inline Tensor tan(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tan(x.get(), out, e);
  });
}

// Hyperbolic tangent.
inline Tensor tanh(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tanh(x.get(), out, e);
  });
}

// 1 / (1 + exp(-x)).
inline Tensor sigmoid(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_sigmoid(x.get(), out, e);
  });
}

// max(x, 0); NaN stays NaN.
inline Tensor relu(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_relu(x.get(), out, e);
  });
}

// x * (1 + erf(x / sqrt 2)) / 2, the exact form (Hendrycks and Gimpel, 2016).
inline Tensor gelu(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_gelu(x.get(), out, e);
  });
}

// x * sigmoid(x).
inline Tensor silu(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_silu(x.get(), out, e);
  });
}

// Error function.
inline Tensor erf(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_erf(x.get(), out, e);
  });
}

// Largest integer not above x; integers as they are.
inline Tensor floor(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_floor(x.get(), out, e);
  });
}

// Smallest integer not below x; integers as they are.
inline Tensor ceil(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_ceil(x.get(), out, e);
  });
}

// Nearest integer, halves to even.
inline Tensor round(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_round(x.get(), out, e);
  });
}

// Nearest integer towards zero.
inline Tensor trunc(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_trunc(x.get(), out, e);
  });
}

// True where x is NaN.
inline Tensor isnan(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_isnan(x.get(), out, e);
  });
}

// True where x is +inf or -inf.
inline Tensor isinf(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_isinf(x.get(), out, e);
  });
}

// True where x is zero.
inline Tensor logical_not(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_logical_not(x.get(), out, e);
  });
}

// Inverse sine, in [-pi/2, pi/2]; NaN outside [-1, 1].
inline Tensor asin(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_asin(x.get(), out, e);
  });
}

// Inverse cosine, in [0, pi]; NaN outside [-1, 1].
inline Tensor acos(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_acos(x.get(), out, e);
  });
}

// Inverse tangent, in [-pi/2, pi/2].
inline Tensor atan(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_atan(x.get(), out, e);
  });
}

// Hyperbolic sine.
inline Tensor sinh(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_sinh(x.get(), out, e);
  });
}

// Hyperbolic cosine.
inline Tensor cosh(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_cosh(x.get(), out, e);
  });
}

// Inverse hyperbolic sine.
inline Tensor asinh(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_asinh(x.get(), out, e);
  });
}

// Inverse hyperbolic cosine; NaN below 1.
inline Tensor acosh(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_acosh(x.get(), out, e);
  });
}

// Inverse hyperbolic tangent; infinite at -1 and 1, NaN beyond.
inline Tensor atanh(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_atanh(x.get(), out, e);
  });
}

// Logarithm to base 2; -inf at zero, NaN below. Exact for powers of two.
inline Tensor log2(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_log2(x.get(), out, e);
  });
}

// Logarithm to base 10; -inf at zero, NaN below.
inline Tensor log10(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_log10(x.get(), out, e);
  });
}

// 2 to the x. Exact for integers.
inline Tensor exp2(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_exp2(x.get(), out, e);
  });
}

// True where x is neither infinite nor NaN.
inline Tensor isfinite(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_isfinite(x.get(), out, e);
  });
}

// a + b. Integers wrap; of bools it is logical or.
inline Tensor add(const Value& a, const Value& b) { return detail::binary(BP_OP_ADD, a, b); }
inline void add_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_ADD, a, b); }

// a - b. Integers wrap; two bools are refused.
inline Tensor sub(const Value& a, const Value& b) { return detail::binary(BP_OP_SUB, a, b); }
inline void sub_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_SUB, a, b); }

// a * b. Integers wrap; of bools it is logical and.
inline Tensor mul(const Value& a, const Value& b) { return detail::binary(BP_OP_MUL, a, b); }
inline void mul_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_MUL, a, b); }

// True division; integers give the default float dtype.
inline Tensor div(const Value& a, const Value& b) { return detail::binary(BP_OP_DIV, a, b); }
inline void div_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_DIV, a, b); }

// Quotient rounded towards -inf, as Python's //. Integers stay integers; an integer divided by 0 is 0. Floating quotients beyond an eighth of 2^p (p bits of precision) may be off by one.
inline Tensor floor_divide(const Value& a, const Value& b) { return detail::binary(BP_OP_FLOOR_DIVIDE, a, b); }
inline void floor_divide_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_FLOOR_DIVIDE, a, b); }

// a - b * floor(a / b), the sign of b, as Python's %. An integer modulo 0 is 0.
inline Tensor remainder(const Value& a, const Value& b) { return detail::binary(BP_OP_REMAINDER, a, b); }
inline void remainder_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_REMAINDER, a, b); }

// a to the b. Integers stay integers and wrap; to a negative integer tensor they give 0, except 1 and -1.
inline Tensor pow(const Value& a, const Value& b) { return detail::binary(BP_OP_POW, a, b); }
inline void pow_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_POW, a, b); }

// The larger; NaN when either is.
inline Tensor maximum(const Value& a, const Value& b) { return detail::binary(BP_OP_MAXIMUM, a, b); }
inline void maximum_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_MAXIMUM, a, b); }

// The smaller; NaN when either is.
inline Tensor minimum(const Value& a, const Value& b) { return detail::binary(BP_OP_MINIMUM, a, b); }
inline void minimum_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_MINIMUM, a, b); }

// a == b, as bool.
inline Tensor eq(const Value& a, const Value& b) { return detail::binary(BP_OP_EQ, a, b); }
inline void eq_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_EQ, a, b); }

// a != b, as bool.
inline Tensor ne(const Value& a, const Value& b) { return detail::binary(BP_OP_NE, a, b); }
inline void ne_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_NE, a, b); }

// a < b, as bool.
inline Tensor lt(const Value& a, const Value& b) { return detail::binary(BP_OP_LT, a, b); }
inline void lt_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_LT, a, b); }

// a <= b, as bool.
inline Tensor le(const Value& a, const Value& b) { return detail::binary(BP_OP_LE, a, b); }
inline void le_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_LE, a, b); }

// a > b, as bool.
inline Tensor gt(const Value& a, const Value& b) { return detail::binary(BP_OP_GT, a, b); }
inline void gt_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_GT, a, b); }

// a >= b, as bool.
inline Tensor ge(const Value& a, const Value& b) { return detail::binary(BP_OP_GE, a, b); }
inline void ge_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_GE, a, b); }

// Both are not zero.
inline Tensor logical_and(const Value& a, const Value& b) { return detail::binary(BP_OP_LOGICAL_AND, a, b); }
inline void logical_and_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_LOGICAL_AND, a, b); }

// At least one is not zero.
inline Tensor logical_or(const Value& a, const Value& b) { return detail::binary(BP_OP_LOGICAL_OR, a, b); }
inline void logical_or_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_LOGICAL_OR, a, b); }

// Exactly one is not zero.
inline Tensor logical_xor(const Value& a, const Value& b) { return detail::binary(BP_OP_LOGICAL_XOR, a, b); }
inline void logical_xor_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_LOGICAL_XOR, a, b); }

// a & b of integers or bools.
inline Tensor bitwise_and(const Value& a, const Value& b) { return detail::binary(BP_OP_BITWISE_AND, a, b); }
inline void bitwise_and_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_BITWISE_AND, a, b); }

// a | b of integers or bools.
inline Tensor bitwise_or(const Value& a, const Value& b) { return detail::binary(BP_OP_BITWISE_OR, a, b); }
inline void bitwise_or_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_BITWISE_OR, a, b); }

// a ^ b of integers or bools.
inline Tensor bitwise_xor(const Value& a, const Value& b) { return detail::binary(BP_OP_BITWISE_XOR, a, b); }
inline void bitwise_xor_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_BITWISE_XOR, a, b); }

// Angle of the point (b, a), in [-pi, pi]; special cases as C's atan2.
inline Tensor atan2(const Value& a, const Value& b) { return detail::binary(BP_OP_ATAN2, a, b); }
inline void atan2_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_ATAN2, a, b); }

// sqrt(a * a + b * b) without overflow on the way; infinite when either is.
inline Tensor hypot(const Value& a, const Value& b) { return detail::binary(BP_OP_HYPOT, a, b); }
inline void hypot_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_HYPOT, a, b); }

// |a| with the sign bit of b.
inline Tensor copysign(const Value& a, const Value& b) { return detail::binary(BP_OP_COPYSIGN, a, b); }
inline void copysign_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_COPYSIGN, a, b); }

// The number of a's dtype that follows a in the direction of b; b where they are equal.
inline Tensor nextafter(const Value& a, const Value& b) { return detail::binary(BP_OP_NEXTAFTER, a, b); }
inline void nextafter_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_NEXTAFTER, a, b); }

// log(exp(a) + exp(b)) without overflow on the way. The bound is relative to the larger operand.
inline Tensor logaddexp(const Value& a, const Value& b) { return detail::binary(BP_OP_LOGADDEXP, a, b); }
inline void logaddexp_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_LOGADDEXP, a, b); }

// a - b * trunc(a / b), exact, the sign of a, as C's fmod. An integer modulo 0 is 0.
inline Tensor fmod(const Value& a, const Value& b) { return detail::binary(BP_OP_FMOD, a, b); }
inline void fmod_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_FMOD, a, b); }

// a << b; 0 where b is negative or not below the width.
inline Tensor bitwise_left_shift(const Value& a, const Value& b) { return detail::binary(BP_OP_BITWISE_LEFT_SHIFT, a, b); }
inline void bitwise_left_shift_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_BITWISE_LEFT_SHIFT, a, b); }

// a >> b, signed numbers keep their sign; where b is negative or not below the width: 0, or -1 for negative a.
inline Tensor bitwise_right_shift(const Value& a, const Value& b) { return detail::binary(BP_OP_BITWISE_RIGHT_SHIFT, a, b); }
inline void bitwise_right_shift_(const Tensor& a, const Value& b) { detail::binary_into(BP_OP_BITWISE_RIGHT_SHIFT, a, b); }

// x where condition is true, else y; all broadcast.
inline Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_where(condition.get(), x.get(), y.get(), out, e);
  });
}

// x in another dtype. Float to integer truncates towards zero, NaN gives 0 and values out of range saturate, on every device; integers wrap; narrower floats are reached through f32; to bool: is not zero; complex to real drops the imaginary part.
inline Tensor cast(const Tensor& x, bp_dtype dtype) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_cast(x.get(), dtype, out, e);
  });
}

// x's elements, converted to a given output's dtype by the rules of cast.
inline Tensor copy(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_copy(x.get(), out, e);
  });
}

// Every element is value.
inline Tensor fill(const Value& value, const Shape& shape, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_fill(value, detail::rank(shape), shape.data(), dtype, device.value(), out, e);
  });
}

// Sum over axes (none given: all); 0 of nothing. Integers and bools are summed in i64 (u64 in u64). The order of additions depends on the shape alone, not on the number of threads; the bound holds for operands of one sign.
inline Tensor sum(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false, bp_dtype dtype = BP_DTYPE_NONE) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_sum(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, dtype, out, e);
  });
}

// Mean over axes; NaN of nothing. Floating dtypes only. The bound is of sum's kind.
inline Tensor mean(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false, bp_dtype dtype = BP_DTYPE_NONE) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_mean(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, dtype, out, e);
  });
}

// Product over axes; 1 of nothing. dtypes as sum. The bound holds up to 60 factors; each further one adds half an ULP.
inline Tensor prod(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false, bp_dtype dtype = BP_DTYPE_NONE) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_prod(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, dtype, out, e);
  });
}

// Largest over axes; NaN when one is there.
inline Tensor max(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_max(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, out, e);
  });
}

// Smallest over axes; NaN when one is there.
inline Tensor min(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_min(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, out, e);
  });
}

// First position (i64) of the largest along axis, or in the flattened tensor when none is given; the first NaN when one is there.
inline Tensor argmax(const Tensor& x, const std::vector<std::int64_t>& axis = {}, bool keepdims = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_argmax(x.get(), axis.data(), static_cast<std::uint32_t>(axis.size()), keepdims, out, e);
  });
}

// First position of the smallest; see argmax.
inline Tensor argmin(const Tensor& x, const std::vector<std::int64_t>& axis = {}, bool keepdims = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_argmin(x.get(), axis.data(), static_cast<std::uint32_t>(axis.size()), keepdims, out, e);
  });
}

// True when one is not zero (NaN is not); false of nothing.
inline Tensor any(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_any(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, out, e);
  });
}

// True when none is zero; true of nothing.
inline Tensor all(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_all(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, out, e);
  });
}

// Variance over axes: sum of squared distances from the mean over (n - correction), at least 0. Two passes. Of complex numbers it is real.
inline Tensor var(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false, double correction = 1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_var(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, correction, out, e);
  });
}

// Running sum along axis; dtypes as sum. The bound is relative to the sum of magnitudes.
inline Tensor cumsum(const Tensor& x, std::int64_t axis, bp_dtype dtype = BP_DTYPE_NONE) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_cumsum(x.get(), axis, dtype, out, e);
  });
}

// exp(x - max) / sum(exp(x - max)) along axis.
inline Tensor softmax(const Tensor& x, std::int64_t axis = -1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_softmax(x.get(), axis, out, e);
  });
}

// x - max - log(sum(exp(x - max))) along axis. The bound is relative to the largest term.
inline Tensor log_softmax(const Tensor& x, std::int64_t axis = -1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_log_softmax(x.get(), axis, out, e);
  });
}

// Running product along axis; dtypes as sum. The bound holds up to 60 factors; each further one adds half an ULP.
inline Tensor cumprod(const Tensor& x, std::int64_t axis, bp_dtype dtype = BP_DTYPE_NONE) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_cumprod(x.get(), axis, dtype, out, e);
  });
}

// Matrix product: [.., m, k] x [.., k, n] -> [.., m, n], batches broadcast; a 1-D a is a row and a 1-D b a column, dropped again from the result. Equal dtypes; f16 and bf16 are accumulated in f32, integers wrap, of bools it is any(a and b). Error: at most (k + 2) * eps * (|a| x |b|) for each element; larger for f32 where bp_set_matmul_precision allows it.
inline Tensor matmul(const Tensor& a, const Tensor& b) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_matmul(a.get(), b.get(), out, e);
  });
}

// Tensors joined along an axis they have; dtypes promote.
inline Tensor concat(const std::vector<Tensor>& tensors, std::int64_t axis = 0) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_concat(detail::handles(tensors).data(), static_cast<std::uint32_t>(tensors.size()), axis, out, e);
  });
}

// Tensors of one shape joined along a new axis.
inline Tensor stack(const std::vector<Tensor>& tensors, std::int64_t axis = 0) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_stack(detail::handles(tensors).data(), static_cast<std::uint32_t>(tensors.size()), axis, out, e);
  });
}

// out[.., j, ..] = x[.., index[.., j, ..], ..]: index has x's rank and, off the axis, sizes no larger than x's. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu.
inline Tensor gather(const Tensor& x, const Tensor& index, std::int64_t axis) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_gather(x.get(), index.get(), axis, out, e);
  });
}

// Slices of x along axis, in the order of the 1-D index.
inline Tensor index_select(const Tensor& x, const Tensor& index, std::int64_t axis) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_index_select(x.get(), index.get(), axis, out, e);
  });
}

// gather with x and index broadcast against each other off the axis; indices may be negative.
inline Tensor take_along(const Tensor& x, const Tensor& index, std::int64_t axis) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_take_along(x.get(), index.get(), axis, out, e);
  });
}

// i64 with a new last axis of num_classes: 1 at x, else 0. Values outside 0 .. num_classes - 1 are errors on the cpu.
inline Tensor one_hot(const Tensor& x, std::int64_t num_classes) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_one_hot(x.get(), num_classes, out, e);
  });
}

// start + i * step for i in 0 .. ceil((end - start) / step) - 1; in i64 for integers, in f64 for floats, then rounded. Without a dtype: i64 when all three are integers, else the default float dtype.
inline Tensor arange(const Value& start, const Value& end, const Value& step, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_arange(start, end, step, dtype, device.value(), out, e);
  });
}

// steps points from start to end, both included, computed in f64 from the nearer end: start + i * range / n in the first half, end - (n - i) * range / n in the second, range = end - start, n = steps - 1.
inline Tensor linspace(const Value& start, const Value& end, std::int64_t steps, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_linspace(start, end, steps, dtype, device.value(), out, e);
  });
}

// Stable sort along axis; NaN is the largest. indices: where each value came from (i64).
inline std::pair<Tensor, Tensor> sort(const Tensor& x, std::int64_t axis = -1, bool descending = false) {
  return detail::make_several<2>([&](bp_tensor** const* out, bp_error** e) {
    return bp_sort(x.get(), axis, descending, out[0], out[1], e);
  });
}

// The indices of sort.
inline Tensor argsort(const Tensor& x, std::int64_t axis = -1, bool descending = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_argsort(x.get(), axis, descending, out, e);
  });
}

// The k largest (or smallest) along axis, best first, ties by position; NaN is the largest.
inline std::pair<Tensor, Tensor> topk(const Tensor& x, std::int64_t k, std::int64_t axis = -1, bool largest = true) {
  return detail::make_several<2>([&](bp_tensor** const* out, bp_error** e) {
    return bp_topk(x.get(), k, axis, largest, out[0], out[1], e);
  });
}

// low + (high - low) * u, u in [0, 1): (w0 >> 8) / 2^24 for f32, f16 and bf16 (the f32 result rounded down), ((w0 >> 5) * 2^26 + (w1 >> 6)) / 2^53 for f64.
inline Tensor uniform(const Shape& shape, bp_dtype dtype = BP_DTYPE_NONE, double low = 0, double high = 1, std::int64_t seed = -1, std::int64_t offset = -1, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_uniform(detail::rank(shape), shape.data(), dtype, low, high, seed, offset, device.value(), out, e);
  });
}

// mean + std * sqrt(-2 ln((w0 + 1) / 2^32)) * cos(2 pi w1 / 2^32) (Box and Muller, 1958). Devices agree within the bound, or 1e-6 std for f32 and narrower.
inline Tensor normal(const Shape& shape, bp_dtype dtype = BP_DTYPE_NONE, double mean = 0, double std = 1, std::int64_t seed = -1, std::int64_t offset = -1, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_normal(detail::rank(shape), shape.data(), dtype, mean, std, seed, offset, device.value(), out, e);
  });
}

// Integers in [low, high): low + floor((w0 + w1 * 2^32) * (high - low) / 2^64).
inline Tensor randint(const Shape& shape, std::int64_t high, bp_dtype dtype = BP_DTYPE_NONE, std::int64_t low = 0, std::int64_t seed = -1, std::int64_t offset = -1, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_randint(detail::rank(shape), shape.data(), dtype, low, high, seed, offset, device.value(), out, e);
  });
}

// 1 with probability p, else 0: (w0 >> 8) / 2^24 < p.
inline Tensor bernoulli(const Shape& shape, bp_dtype dtype = BP_DTYPE_NONE, double p = 0.5, std::int64_t seed = -1, std::int64_t offset = -1, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_bernoulli(detail::rank(shape), shape.data(), dtype, p, seed, offset, device.value(), out, e);
  });
}

// True where the sign bit is set: x < 0, and -0 and NaN of that sign.
inline Tensor signbit(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_signbit(x.get(), out, e);
  });
}

// ~x of integers; of bools it is logical not.
inline Tensor bitwise_not(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_bitwise_not(x.get(), out, e);
  });
}

// log(1 + exp(beta * x)) / beta; x itself where beta * x is above threshold.
inline Tensor softplus(const Tensor& x, double beta = 1, double threshold = 20) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_softplus(x.get(), beta, threshold, out, e);
  });
}

// x where x > 0, else alpha * (exp(x) - 1).
inline Tensor elu(const Tensor& x, double alpha = 1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_elu(x.get(), alpha, out, e);
  });
}

// x where x > 0, else negative_slope * x.
inline Tensor leaky_relu(const Tensor& x, double negative_slope = 0.01) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_leaky_relu(x.get(), negative_slope, out, e);
  });
}

// x * min(max(x + 3, 0), 6) / 6.
inline Tensor hardswish(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_hardswish(x.get(), out, e);
  });
}

// min(max(x + 3, 0), 6) / 6.
inline Tensor hardsigmoid(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_hardsigmoid(x.get(), out, e);
  });
}

// x * tanh(softplus(x)).
inline Tensor mish(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_mish(x.get(), out, e);
  });
}

// x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2: gelu with approximate='tanh'. The bound is relative to x where x is negative.
inline Tensor gelu_tanh(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_gelu_tanh(x.get(), out, e);
  });
}

// x kept within min_val and max_val; NaN stays NaN.
inline Tensor hardtanh(const Tensor& x, double min_val = -1, double max_val = 1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_hardtanh(x.get(), min_val, max_val, out, e);
  });
}

// min(max(x, 0), 6); NaN stays NaN.
inline Tensor relu6(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_relu6(x.get(), out, e);
  });
}

// x with NaN, inf and -inf replaced: by nan, posinf (none: the dtype's largest) and neginf (none: its lowest). Integers as they are.
inline Tensor nan_to_num(const Tensor& x, double nan = 0, double posinf = std::numeric_limits<double>::quiet_NaN(), double neginf = std::numeric_limits<double>::quiet_NaN()) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_nan_to_num(x.get(), nan, posinf, neginf, out, e);
  });
}

// min(max(x, min), max), bounds broadcast; max where min > max; NaN where an operand is. PyTorch's clamp.
inline Tensor clip(const Tensor& x, const Tensor& min = {}, const Tensor& max = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_clip(x.get(), min.get(), max.get(), out, e);
  });
}

// start + weight * (end - start), computed from the nearer end. The bound is relative to the largest term.
inline Tensor lerp(const Tensor& start, const Tensor& end, const Tensor& weight) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_lerp(start.get(), end.get(), weight.get(), out, e);
  });
}

// Standard deviation over axes: the square root of var.
inline Tensor std(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false, double correction = 1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_std(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, correction, out, e);
  });
}

// log(sum(exp(x))) over axes without overflow on the way; -inf of nothing. The bound is relative to the largest term.
inline Tensor logsumexp(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_logsumexp(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, out, e);
  });
}

// sum(|x|^ord)^(1/ord) over axes; ord inf and -inf: the largest and the smallest |x|, 0: how many are not zero. Of complex numbers it is real. The gradient is 0 where the norm is.
inline Tensor vector_norm(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false, double ord = 2) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_vector_norm(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, ord, out, e);
  });
}

// How many are not zero over axes (i64); NaN is not.
inline Tensor count_nonzero(const Tensor& x, const std::vector<std::int64_t>& axes = {}, bool keepdims = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_count_nonzero(x.get(), axes.data(), static_cast<std::uint32_t>(axes.size()), keepdims, out, e);
  });
}

// Differences of neighbours along axis, n times; of bools whether they differ.
inline Tensor diff(const Tensor& x, std::int64_t n = 1, std::int64_t axis = -1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_diff(x.get(), n, axis, out, e);
  });
}

// Elements moved by shift along axis, what falls off coming in again; without axis as one line.
inline Tensor roll(const Tensor& x, const std::vector<std::int64_t>& shift = {}, const std::vector<std::int64_t>& axis = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_roll(x.get(), shift.data(), static_cast<std::uint32_t>(shift.size()), axis.data(), static_cast<std::uint32_t>(axis.size()), out, e);
  });
}

// Each element of axis repeats times in a row; without axis of the flattened tensor. PyTorch's repeat_interleave.
inline Tensor repeat(const Tensor& x, std::int64_t repeats, const std::vector<std::int64_t>& axis = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_repeat(x.get(), repeats, axis.data(), static_cast<std::uint32_t>(axis.size()), out, e);
  });
}

// The whole repeated along each of the last axes.
inline Tensor tile(const Tensor& x, const std::vector<std::int64_t>& repetitions = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tile(x.get(), repetitions.data(), static_cast<std::uint32_t>(repetitions.size()), out, e);
  });
}

// Of each matrix the elements on and below the diagonal (counted to the right), else 0.
inline Tensor tril(const Tensor& x, std::int64_t diagonal = 0) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tril(x.get(), diagonal, out, e);
  });
}

// Of each matrix the elements on and above the diagonal (counted to the right), else 0.
inline Tensor triu(const Tensor& x, std::int64_t diagonal = 0) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_triu(x.get(), diagonal, out, e);
  });
}

// Elements added before and after: pad holds two numbers for the last axis, then for the one before it, ...; negative ones take away. mode: constant (value), reflect (without the edge), replicate (the edge), circular (of what negative numbers leave).
inline Tensor pad(const Tensor& x, const std::vector<std::int64_t>& pad = {}, const char* mode = "constant", double value = 0) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_pad(x.get(), pad.data(), static_cast<std::uint32_t>(pad.size()), mode, value, out, e);
  });
}

// out[i, j] = a[i] * b[j] of two 1-D tensors.
inline Tensor outer(const Tensor& a, const Tensor& b) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_outer(a.get(), b.get(), out, e);
  });
}

// Sum of a * b along axis, of conj(a) * b where they are complex, broadcast elsewhere. Error as matmul.
inline Tensor vecdot(const Tensor& a, const Tensor& b, std::int64_t axis = -1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_vecdot(a.get(), b.get(), axis, out, e);
  });
}

// Sum of products over axes_a of a and axes_b of b, pair by pair; what is left of a, then of b. Error as matmul.
inline Tensor tensordot(const Tensor& a, const Tensor& b, const std::vector<std::int64_t>& axes_a = {}, const std::vector<std::int64_t>& axes_b = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensordot(a.get(), b.get(), axes_a.data(), static_cast<std::uint32_t>(axes_a.size()), axes_b.data(), static_cast<std::uint32_t>(axes_b.size()), out, e);
  });
}

// Sum along the diagonal of each matrix, offset to the right; dtypes and bound as sum.
inline Tensor trace(const Tensor& x, std::int64_t offset = 0, bp_dtype dtype = BP_DTYPE_NONE) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_trace(x.get(), offset, dtype, out, e);
  });
}

// Vector product along an axis of 3. The bound is relative to the products that are subtracted.
inline Tensor cross(const Tensor& a, const Tensor& b, std::int64_t axis = -1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_cross(a.get(), b.get(), axis, out, e);
  });
}

// Kronecker product: every element of a times the whole of b, in its place.
inline Tensor kron(const Tensor& a, const Tensor& b) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_kron(a.get(), b.get(), out, e);
  });
}

// x with out[.., index[.., j, ..], ..] = src[.., j, ..]; of equal indices the last wins. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu.
inline Tensor scatter(const Tensor& x, const Tensor& index, const Tensor& src, std::int64_t axis) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_scatter(x.get(), index.get(), src.get(), axis, out, e);
  });
}

// scatter that adds, in the order of j on every device. Of bools it is logical or. The bound is relative to the sum of magnitudes, for a few terms.
inline Tensor scatter_add(const Tensor& x, const Tensor& index, const Tensor& src, std::int64_t axis) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_scatter_add(x.get(), index.get(), src.get(), axis, out, e);
  });
}

// x with alpha * slice j of source added to slice index[j] along axis, in the order of j.
inline Tensor index_add(const Tensor& x, const Tensor& index, const Tensor& source, std::int64_t axis, double alpha = 1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_index_add(x.get(), index.get(), source.get(), axis, alpha, out, e);
  });
}

// x, and value (a number or 0-dim) where mask is true; mask and x broadcast.
inline Tensor masked_fill(const Tensor& x, const Tensor& mask, const Tensor& value) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_masked_fill(x.get(), mask.get(), value.get(), out, e);
  });
}

// For each value the first position (i64) in the sorted 1-D sequence whose element is not less than it; right: is greater. NaN is the largest.
inline Tensor searchsorted(const Tensor& sorted_sequence, const Tensor& values, bool right = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_searchsorted(sorted_sequence.get(), values.get(), right, out, e);
  });
}

// Sums of products: a letter of the equation names an axis, as in "bij,bjk->bik"; letters that the result does not have are summed, "..." stands for the axes without one, and without "->" the result has the letters that stand once, in alphabetical order. Operands are joined from the left. Error as matmul.
inline Tensor einsum(const std::vector<Tensor>& operands, const char* equation) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_einsum(detail::handles(operands).data(), static_cast<std::uint32_t>(operands.size()), equation, out, e);
  });
}

// (input - target)^2. reduction: none, mean or sum.
inline Tensor mse_loss(const Tensor& input, const Tensor& target, const char* reduction = "mean") {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_mse_loss(input.get(), target.get(), reduction, out, e);
  });
}

// |input - target|. reduction: none, mean or sum.
inline Tensor l1_loss(const Tensor& input, const Tensor& target, const char* reduction = "mean") {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_l1_loss(input.get(), target.get(), reduction, out, e);
  });
}

// d^2 / 2 where d = |input - target| is below delta, else delta * (d - delta / 2). reduction: none, mean or sum.
inline Tensor huber_loss(const Tensor& input, const Tensor& target, const char* reduction = "mean", double delta = 1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_huber_loss(input.get(), target.get(), reduction, delta, out, e);
  });
}

// d^2 / (2 * beta) where d = |input - target| is below beta, else d - beta / 2.
inline Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const char* reduction = "mean", double beta = 1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_smooth_l1_loss(input.get(), target.get(), reduction, beta, out, e);
  });
}

// -(target * log(input) + (1 - target) * log(1 - input)), logarithms at least -100, times weight.
inline Tensor binary_cross_entropy(const Tensor& input, const Tensor& target, const Tensor& weight = {}, const char* reduction = "mean") {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_binary_cross_entropy(input.get(), target.get(), weight.get(), reduction, out, e);
  });
}

// binary_cross_entropy of sigmoid(input) without its overflow; pos_weight weighs positive targets.
inline Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target, const Tensor& weight = {}, const Tensor& pos_weight = {}, const char* reduction = "mean") {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_binary_cross_entropy_with_logits(input.get(), target.get(), weight.get(), pos_weight.get(), reduction, out, e);
  });
}

// -weight[target] * input[.., target, ..] for input [N, C, ..] or [C]; 0 where target is ignore_index. The mean is that of weights.
inline Tensor nll_loss(const Tensor& input, const Tensor& target, const Tensor& weight = {}, std::int64_t ignore_index = -100, const char* reduction = "mean") {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_nll_loss(input.get(), target.get(), weight.get(), ignore_index, reduction, out, e);
  });
}

// nll_loss of log_softmax(input); a floating target holds probabilities of classes. label_smoothing mixes in the uniform distribution.
inline Tensor cross_entropy(const Tensor& input, const Tensor& target, const Tensor& weight = {}, std::int64_t ignore_index = -100, const char* reduction = "mean", double label_smoothing = 0) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_cross_entropy(input.get(), target.get(), weight.get(), ignore_index, reduction, label_smoothing, out, e);
  });
}

// The running statistics after a batch x [N, C, ..] of batch_norm's training: (1 - momentum) * running + momentum * x's own, the variance with n - 1. Written in place by giving them as results.
inline std::pair<Tensor, Tensor> batch_norm_running(const Tensor& x, const Tensor& running_mean, const Tensor& running_var, double momentum = 0.1) {
  return detail::make_several<2>([&](bp_tensor** const* out, bp_error** e) {
    return bp_batch_norm_running(x.get(), running_mean.get(), running_var.get(), momentum, out[0], out[1], e);
  });
}

// (x - mean) / sqrt(var + eps) * weight + bias over the last dims, var without correction. The bound is relative to the largest term.
inline Tensor layer_norm(const Tensor& x, const std::vector<std::int64_t>& normalized_shape, const Tensor& weight = {}, const Tensor& bias = {}, double eps = 1e-05) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_layer_norm(x.get(), weight.get(), bias.get(), normalized_shape.data(), static_cast<std::uint32_t>(normalized_shape.size()), eps, out, e);
  });
}

// x / sqrt(mean(x^2) + eps) * weight over the last dims; eps none: the dtype's epsilon (f32's for halves).
inline Tensor rms_norm(const Tensor& x, const std::vector<std::int64_t>& normalized_shape, const Tensor& weight = {}, double eps = std::numeric_limits<double>::quiet_NaN()) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_rms_norm(x.get(), weight.get(), normalized_shape.data(), static_cast<std::uint32_t>(normalized_shape.size()), eps, out, e);
  });
}

// x [N, C, ..] normalized for each channel by the running statistics, or in training by its own mean and variance; running statistics are not changed. The bound is relative to the largest term.
inline Tensor batch_norm(const Tensor& x, const Tensor& running_mean = {}, const Tensor& running_var = {}, const Tensor& weight = {}, const Tensor& bias = {}, bool training = false, double eps = 1e-05) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_batch_norm(x.get(), running_mean.get(), running_var.get(), weight.get(), bias.get(), training, eps, out, e);
  });
}

// x [N, C, ..] normalized over each of num_groups groups of channels. The bound is relative to the largest term.
inline Tensor group_norm(const Tensor& x, std::int64_t num_groups, const Tensor& weight = {}, const Tensor& bias = {}, double eps = 1e-05) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_group_norm(x.get(), weight.get(), bias.get(), num_groups, eps, out, e);
  });
}

// Row input[..] of weight for each index; indices as index_select.
inline Tensor embedding(const Tensor& input, const Tensor& weight) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_embedding(input.get(), weight.get(), out, e);
  });
}

// x / (1 - p) where bernoulli(1 - p) of the same seed and offset is 1, else 0.
inline Tensor dropout(const Tensor& x, double p = 0.5, std::int64_t seed = -1, std::int64_t offset = -1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_dropout(x.get(), p, seed, offset, out, e);
  });
}

// softmax(query x key^T * scale + attn_mask) x value. scale none: 1 / sqrt(E). A bool mask is true where a key takes part (none: 0); is_causal: keys up to the query's own position. The bound is relative to the largest value.
inline Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& attn_mask = {}, bool is_causal = false, double scale = std::numeric_limits<double>::quiet_NaN()) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_scaled_dot_product_attention(query.get(), key.get(), value.get(), attn_mask.get(), is_causal, scale, out, e);
  });
}

// Rotary positions (Su et al., 2021): pairs (a, b) of the last dim's halves, or of neighbours when interleaved, become (a cos - b sin, b cos + a sin); cos and sin are of half its size. The bound is relative to the products.
inline Tensor rope(const Tensor& x, const Tensor& cos, const Tensor& sin, bool interleaved = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_rope(x.get(), cos.get(), sin.get(), interleaved, out, e);
  });
}

// max_pool, and where in its channel's row-major elements each value is (i64): the first of equal ones.
inline std::pair<Tensor, Tensor> max_pool2d_with_indices(const Tensor& input, const std::vector<std::int64_t>& kernel_size, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, const std::vector<std::int64_t>& dilation = {}, bool ceil_mode = false) {
  return detail::make_several<2>([&](bp_tensor** const* out, bp_error** e) {
    return bp_max_pool2d_with_indices(input.get(), kernel_size.data(), static_cast<std::uint32_t>(kernel_size.size()), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), dilation.data(), static_cast<std::uint32_t>(dilation.size()), ceil_mode, out[0], out[1], e);
  });
}

// max_pool, and where in its channel's row-major elements each value is (i64): the first of equal ones.
inline std::pair<Tensor, Tensor> max_pool3d_with_indices(const Tensor& input, const std::vector<std::int64_t>& kernel_size, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, const std::vector<std::int64_t>& dilation = {}, bool ceil_mode = false) {
  return detail::make_several<2>([&](bp_tensor** const* out, bp_error** e) {
    return bp_max_pool3d_with_indices(input.get(), kernel_size.data(), static_cast<std::uint32_t>(kernel_size.size()), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), dilation.data(), static_cast<std::uint32_t>(dilation.size()), ceil_mode, out[0], out[1], e);
  });
}

// Convolution (without turning the kernel) of input [N, C, size] or [C, size] with weight [O, C / groups, kernel], plus bias. Lists have a number for each spatial dim or one for all. Error as matmul.
inline Tensor conv1d(const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, const std::vector<std::int64_t>& dilation = {}, std::int64_t groups = 1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_conv1d(input.get(), weight.get(), bias.get(), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), dilation.data(), static_cast<std::uint32_t>(dilation.size()), groups, out, e);
  });
}

// Convolution (without turning the kernel) of input [N, C, size] or [C, size] with weight [O, C / groups, kernel], plus bias. Lists have a number for each spatial dim or one for all. Error as matmul.
inline Tensor conv2d(const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, const std::vector<std::int64_t>& dilation = {}, std::int64_t groups = 1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_conv2d(input.get(), weight.get(), bias.get(), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), dilation.data(), static_cast<std::uint32_t>(dilation.size()), groups, out, e);
  });
}

// Convolution (without turning the kernel) of input [N, C, size] or [C, size] with weight [O, C / groups, kernel], plus bias. Lists have a number for each spatial dim or one for all. Error as matmul.
inline Tensor conv3d(const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, const std::vector<std::int64_t>& dilation = {}, std::int64_t groups = 1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_conv3d(input.get(), weight.get(), bias.get(), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), dilation.data(), static_cast<std::uint32_t>(dilation.size()), groups, out, e);
  });
}

// The gradient of a convolution towards its input, plus bias; weight is [C, O / groups, kernel]. Error as matmul.
inline Tensor conv_transpose1d(const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, const std::vector<std::int64_t>& output_padding = {}, std::int64_t groups = 1, const std::vector<std::int64_t>& dilation = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_conv_transpose1d(input.get(), weight.get(), bias.get(), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), output_padding.data(), static_cast<std::uint32_t>(output_padding.size()), groups, dilation.data(), static_cast<std::uint32_t>(dilation.size()), out, e);
  });
}

// The gradient of a convolution towards its input, plus bias; weight is [C, O / groups, kernel]. Error as matmul.
inline Tensor conv_transpose2d(const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, const std::vector<std::int64_t>& output_padding = {}, std::int64_t groups = 1, const std::vector<std::int64_t>& dilation = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_conv_transpose2d(input.get(), weight.get(), bias.get(), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), output_padding.data(), static_cast<std::uint32_t>(output_padding.size()), groups, dilation.data(), static_cast<std::uint32_t>(dilation.size()), out, e);
  });
}

// The gradient of a convolution towards its input, plus bias; weight is [C, O / groups, kernel]. Error as matmul.
inline Tensor conv_transpose3d(const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, const std::vector<std::int64_t>& output_padding = {}, std::int64_t groups = 1, const std::vector<std::int64_t>& dilation = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_conv_transpose3d(input.get(), weight.get(), bias.get(), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), output_padding.data(), static_cast<std::uint32_t>(output_padding.size()), groups, dilation.data(), static_cast<std::uint32_t>(dilation.size()), out, e);
  });
}

// The largest of each window; NaN when one is there. stride none: kernel_size.
inline Tensor max_pool1d(const Tensor& input, const std::vector<std::int64_t>& kernel_size, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, const std::vector<std::int64_t>& dilation = {}, bool ceil_mode = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_max_pool1d(input.get(), kernel_size.data(), static_cast<std::uint32_t>(kernel_size.size()), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), dilation.data(), static_cast<std::uint32_t>(dilation.size()), ceil_mode, out, e);
  });
}

// The largest of each window; NaN when one is there. stride none: kernel_size.
inline Tensor max_pool2d(const Tensor& input, const std::vector<std::int64_t>& kernel_size, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, const std::vector<std::int64_t>& dilation = {}, bool ceil_mode = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_max_pool2d(input.get(), kernel_size.data(), static_cast<std::uint32_t>(kernel_size.size()), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), dilation.data(), static_cast<std::uint32_t>(dilation.size()), ceil_mode, out, e);
  });
}

// The mean of each window, padding counted as zeros or, without count_include_pad, not at all. The bound is of sum's kind.
inline Tensor avg_pool1d(const Tensor& input, const std::vector<std::int64_t>& kernel_size, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, bool ceil_mode = false, bool count_include_pad = true) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_avg_pool1d(input.get(), kernel_size.data(), static_cast<std::uint32_t>(kernel_size.size()), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), ceil_mode, count_include_pad, out, e);
  });
}

// The mean of each window, padding counted as zeros or, without count_include_pad, not at all. The bound is of sum's kind.
inline Tensor avg_pool2d(const Tensor& input, const std::vector<std::int64_t>& kernel_size, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, bool ceil_mode = false, bool count_include_pad = true) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_avg_pool2d(input.get(), kernel_size.data(), static_cast<std::uint32_t>(kernel_size.size()), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), ceil_mode, count_include_pad, out, e);
  });
}

// The mean over output_size windows that share the input evenly. The bound is of sum's kind.
inline Tensor adaptive_avg_pool1d(const Tensor& input, const std::vector<std::int64_t>& output_size) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_adaptive_avg_pool1d(input.get(), output_size.data(), static_cast<std::uint32_t>(output_size.size()), out, e);
  });
}

// The mean over output_size windows that share the input evenly. The bound is of sum's kind.
inline Tensor adaptive_avg_pool2d(const Tensor& input, const std::vector<std::int64_t>& output_size) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_adaptive_avg_pool2d(input.get(), output_size.data(), static_cast<std::uint32_t>(output_size.size()), out, e);
  });
}

// input [N, C, sizes] at other sizes: nearest, linear, bilinear or trilinear. The bound is relative to the largest term.
inline Tensor interpolate(const Tensor& input, const std::vector<std::int64_t>& size, const char* mode = "nearest", bool align_corners = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_interpolate(input.get(), size.data(), static_cast<std::uint32_t>(size.size()), mode, align_corners, out, e);
  });
}

// The largest of each window; NaN when one is there. stride none: kernel_size.
inline Tensor max_pool3d(const Tensor& input, const std::vector<std::int64_t>& kernel_size, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, const std::vector<std::int64_t>& dilation = {}, bool ceil_mode = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_max_pool3d(input.get(), kernel_size.data(), static_cast<std::uint32_t>(kernel_size.size()), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), dilation.data(), static_cast<std::uint32_t>(dilation.size()), ceil_mode, out, e);
  });
}

// The mean of each window, padding counted as zeros or, without count_include_pad, not at all. The bound is of sum's kind.
inline Tensor avg_pool3d(const Tensor& input, const std::vector<std::int64_t>& kernel_size, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, bool ceil_mode = false, bool count_include_pad = true) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_avg_pool3d(input.get(), kernel_size.data(), static_cast<std::uint32_t>(kernel_size.size()), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), ceil_mode, count_include_pad, out, e);
  });
}

// The mean over output_size windows that share the input evenly. The bound is of sum's kind.
inline Tensor adaptive_avg_pool3d(const Tensor& input, const std::vector<std::int64_t>& output_size) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_adaptive_avg_pool3d(input.get(), output_size.data(), static_cast<std::uint32_t>(output_size.size()), out, e);
  });
}

// The largest of output_size windows that share the input evenly; NaN when one is there.
inline Tensor adaptive_max_pool1d(const Tensor& input, const std::vector<std::int64_t>& output_size) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_adaptive_max_pool1d(input.get(), output_size.data(), static_cast<std::uint32_t>(output_size.size()), out, e);
  });
}

// The largest of output_size windows that share the input evenly; NaN when one is there.
inline Tensor adaptive_max_pool2d(const Tensor& input, const std::vector<std::int64_t>& output_size) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_adaptive_max_pool2d(input.get(), output_size.data(), static_cast<std::uint32_t>(output_size.size()), out, e);
  });
}

// The largest of output_size windows that share the input evenly; NaN when one is there.
inline Tensor adaptive_max_pool3d(const Tensor& input, const std::vector<std::int64_t>& output_size) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_adaptive_max_pool3d(input.get(), output_size.data(), static_cast<std::uint32_t>(output_size.size()), out, e);
  });
}

// max_pool, and where in its channel's row-major elements each value is (i64): the first of equal ones.
inline std::pair<Tensor, Tensor> max_pool1d_with_indices(const Tensor& input, const std::vector<std::int64_t>& kernel_size, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, const std::vector<std::int64_t>& dilation = {}, bool ceil_mode = false) {
  return detail::make_several<2>([&](bp_tensor** const* out, bp_error** e) {
    return bp_max_pool1d_with_indices(input.get(), kernel_size.data(), static_cast<std::uint32_t>(kernel_size.size()), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), dilation.data(), static_cast<std::uint32_t>(dilation.size()), ceil_mode, out[0], out[1], e);
  });
}

// The real parts, of c64 as f32 and of c128 as f64; real numbers as they are. A copy: bp_tensor_view_as_real gives views.
inline Tensor real(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_real(x.get(), out, e);
  });
}

// The imaginary parts of complex numbers, as real's.
inline Tensor imag(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_imag(x.get(), out, e);
  });
}

// The imaginary parts with the other sign; real numbers as they are.
inline Tensor conj(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_conj(x.get(), out, e);
  });
}

// atan2(imaginary, real), in [-pi, pi]; of real numbers pi below zero, else 0, and NaN of NaN.
inline Tensor angle(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_angle(x.get(), out, e);
  });
}

// Complex numbers of real and imaginary parts, which broadcast: c64 of f32, c128 of f64.
inline Tensor complex(const Tensor& real, const Tensor& imag) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_complex(real.get(), imag.get(), out, e);
  });
}

// abs * cos(angle) + abs * sin(angle) i; dtypes as complex's.
inline Tensor polar(const Tensor& abs, const Tensor& angle) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_polar(abs.get(), angle.get(), out, e);
  });
}

// The lower triangular L with L L^H = A of a Hermitian positive-definite A (upper: U with U^H U = A); one triangle of A is read. A that is not positive-definite is refused. Error: |L L^H - A| at most 4 n eps |A|.
inline Tensor cholesky(const Tensor& a, bool upper = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_cholesky(a.get(), upper, out, e);
  });
}

// P L U = A with partial pivoting: L without its unit diagonal below U in one matrix; pivots (i32, from 1): row i was exchanged with row pivots[i]. A singular A has factors too.
inline std::pair<Tensor, Tensor> lu_factor(const Tensor& a) {
  return detail::make_several<2>([&](bp_tensor** const* out, bp_error** e) {
    return bp_lu_factor(a.get(), out[0], out[1], e);
  });
}

// X with A X = B (left false: X A = B) for a triangular A, of which only that triangle is read (unitriangular: without its diagonal); batches broadcast. A zero on the diagonal gives inf or NaN.
inline Tensor solve_triangular(const Tensor& a, const Tensor& b, bool upper = false, bool left = true, bool unitriangular = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_solve_triangular(a.get(), b.get(), upper, left, unitriangular, out, e);
  });
}

// X with A X = B for square A; a 1-D B is one vector, batches of matrices broadcast. A singular A is refused. Error: |A X - B| at most 8 n eps (|A| |X| + |B|).
inline Tensor solve(const Tensor& a, const Tensor& b) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_solve(a.get(), b.get(), out, e);
  });
}

// The inverse of square matrices; a singular one is refused.
inline Tensor inv(const Tensor& a) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_inv(a.get(), out, e);
  });
}

// Q R = A with Q's columns orthonormal, R upper triangular: min(m, n) columns, complete: all m. By Householder reflections, so that R's diagonal may be negative.
inline std::pair<Tensor, Tensor> qr(const Tensor& a, bool complete = false) {
  return detail::make_several<2>([&](bp_tensor** const* out, bp_error** e) {
    return bp_qr(a.get(), complete, out[0], out[1], e);
  });
}

// U diag(S) Vh = A with U and Vh unitary and S real, falling. full_matrices false: min(m, n) columns and rows. Error: |U diag(S) Vh - A| at most 16 max(m, n) eps |A|.
inline std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& a, bool full_matrices = true) {
  return detail::make_several<3>([&](bp_tensor** const* out, bp_error** e) {
    return bp_svd(a.get(), full_matrices, out[0], out[1], out[2], e);
  });
}

// The S of svd.
inline Tensor svdvals(const Tensor& a) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_svdvals(a.get(), out, e);
  });
}

// A V = V diag(w) of a Hermitian A, of which the lower triangle is read (upper: that): w real, rising; V unitary.
inline std::pair<Tensor, Tensor> eigh(const Tensor& a, bool upper = false) {
  return detail::make_several<2>([&](bp_tensor** const* out, bp_error** e) {
    return bp_eigh(a.get(), upper, out[0], out[1], e);
  });
}

// The eigenvalues of eigh.
inline Tensor eigvalsh(const Tensor& a, bool upper = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_eigvalsh(a.get(), upper, out, e);
  });
}

// The determinants of square matrices, by lu_factor.
inline Tensor det(const Tensor& a) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_det(a.get(), out, e);
  });
}

// Sign (of modulus 1, or 0) and logarithm of the modulus of det; -inf of a singular matrix.
inline std::pair<Tensor, Tensor> slogdet(const Tensor& a) {
  return detail::make_several<2>([&](bp_tensor** const* out, bp_error** e) {
    return bp_slogdet(a.get(), out[0], out[1], e);
  });
}

// How many singular values (hermitian: moduli of eigenvalues) are above max(atol, rtol * the largest), in i64. Below 0 is not given: rtol is then max(m, n) * eps, or 0 where atol is above 0.
inline Tensor matrix_rank(const Tensor& a, double atol = -1, double rtol = -1, bool hermitian = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_matrix_rank(a.get(), atol, rtol, hermitian, out, e);
  });
}

// The Moore-Penrose inverse, by svd; singular values that matrix_rank would not count are taken for 0.
inline Tensor pinv(const Tensor& a, double atol = -1, double rtol = -1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_pinv(a.get(), atol, rtol, out, e);
  });
}

// A multiplied n times with itself; the inverse's power for n below 0, the identity for 0.
inline Tensor matrix_power(const Tensor& a, std::int64_t n) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_matrix_power(a.get(), n, out, e);
  });
}

// Of each matrix, by ord: 'fro', the root of the sum of squares; 'nuc', the sum of singular values; '2' and '-2', the largest and the least of them; '1' and '-1', of the columns' sums of moduli; 'inf' and '-inf', of the rows'.
inline Tensor matrix_norm(const Tensor& a, const char* ord = "fro", bool keepdims = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_matrix_norm(a.get(), ord, keepdims, out, e);
  });
}

// The shortest X for which |A X - B| is least, by svd: singular values up to rcond times the largest are taken for 0; below 0: max(m, n) * eps.
inline std::tuple<Tensor, Tensor, Tensor> lstsq(const Tensor& a, const Tensor& b, double rcond = -1) {
  return detail::make_several<3>([&](bp_tensor** const* out, bp_error** e) {
    return bp_lstsq(a.get(), b.get(), rcond, out[0], out[1], out[2], e);
  });
}

// A V = V diag(w) of any square A: w and V complex, in no order, the columns of V of length 1. Their phases are free, so that a gradient is that of what does not depend on them. Infinities and NaN are refused.
inline std::pair<Tensor, Tensor> eig(const Tensor& a) {
  return detail::make_several<2>([&](bp_tensor** const* out, bp_error** e) {
    return bp_eig(a.get(), out[0], out[1], e);
  });
}

// The eigenvalues of eig.
inline Tensor eigvals(const Tensor& a) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_eigvals(a.get(), out, e);
  });
}

// scale * sum over j of x[j] exp(-2 pi i j k / n) along axis (inverse: exp(+...)). Error of a line, in the 2-norm: at most 1e-7 log2(4 n) of the result's for c64, 2e-16 log2(4 n) for c128.
inline Tensor fft_c2c(const Tensor& x, std::int64_t axis = -1, bool inverse = false, double scale = 1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_fft_c2c(x.get(), axis, inverse, scale, out, e);
  });
}

// fft_c2c of real numbers: its first n/2 + 1 results along axis, of which the others are conjugates (conj: the conjugates of these).
inline Tensor fft_r2c(const Tensor& x, std::int64_t axis = -1, double scale = 1, bool conj = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_fft_r2c(x.get(), axis, scale, conj, out, e);
  });
}

// The n real numbers along axis whose spectrum's first n/2 + 1 are x: fft_c2c's inverse of it. What must be real of x is taken for real. conj: x is taken for its conjugate.
inline Tensor fft_c2r(const Tensor& x, std::int64_t n, std::int64_t axis = -1, double scale = 1, bool conj = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_fft_c2r(x.get(), axis, n, scale, conj, out, e);
  });
}

// The discrete Fourier transform along axis, of n elements: x is cut, or followed by zeros; -1: as many as there are. norm: which direction is divided by n: 'backward', 'forward', or 'ortho', both by its square root.
inline Tensor fft(const Tensor& x, std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_fft(x.get(), n, axis, norm, out, e);
  });
}

// The inverse of fft.
inline Tensor ifft(const Tensor& x, std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_ifft(x.get(), n, axis, norm, out, e);
  });
}

// fft along each of axes (none given: the last as many as s has, or all), of s elements each.
inline Tensor fftn(const Tensor& x, const std::vector<std::int64_t>& s = {}, const std::vector<std::int64_t>& axes = {}, const char* norm = "backward") {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_fftn(x.get(), s.data(), static_cast<std::uint32_t>(s.size()), axes.data(), static_cast<std::uint32_t>(axes.size()), norm, out, e);
  });
}

// The inverse of fftn.
inline Tensor ifftn(const Tensor& x, const std::vector<std::int64_t>& s = {}, const std::vector<std::int64_t>& axes = {}, const char* norm = "backward") {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_ifftn(x.get(), s.data(), static_cast<std::uint32_t>(s.size()), axes.data(), static_cast<std::uint32_t>(axes.size()), norm, out, e);
  });
}

// The first n/2 + 1 results of fft of real numbers.
inline Tensor rfft(const Tensor& x, std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_rfft(x.get(), n, axis, norm, out, e);
  });
}

// The inverse of rfft: n real numbers (-1: 2 (m - 1), m the size of axis) of half a spectrum.
inline Tensor irfft(const Tensor& x, std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_irfft(x.get(), n, axis, norm, out, e);
  });
}

// rfft along the last of axes, fft along the others; see fftn.
inline Tensor rfftn(const Tensor& x, const std::vector<std::int64_t>& s = {}, const std::vector<std::int64_t>& axes = {}, const char* norm = "backward") {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_rfftn(x.get(), s.data(), static_cast<std::uint32_t>(s.size()), axes.data(), static_cast<std::uint32_t>(axes.size()), norm, out, e);
  });
}

// The inverse of rfftn; the last of s as irfft's n.
inline Tensor irfftn(const Tensor& x, const std::vector<std::int64_t>& s = {}, const std::vector<std::int64_t>& axes = {}, const char* norm = "backward") {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_irfftn(x.get(), s.data(), static_cast<std::uint32_t>(s.size()), axes.data(), static_cast<std::uint32_t>(axes.size()), norm, out, e);
  });
}

// The real fft of Hermitian numbers of which x is the first half; n as irfft's.
inline Tensor hfft(const Tensor& x, std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_hfft(x.get(), n, axis, norm, out, e);
  });
}

// The inverse of hfft.
inline Tensor ihfft(const Tensor& x, std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_ihfft(x.get(), n, axis, norm, out, e);
  });
}

// Where x is not zero, in row-major order: i64 [count, rank of x], an index in each row. Waits for the device.
inline Tensor nonzero(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_nonzero(x.get(), out, e);
  });
}

// The first `size` row-major positions at which mask is true, in order; -1 after the last. Waits for nobody.
inline Tensor flat_nonzero(const Tensor& mask, std::int64_t size) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_flat_nonzero(mask.get(), size, out, e);
  });
}

// The elements of x at which mask is true, in row-major order, 1-D; x and mask broadcast. Waits for the device.
inline Tensor masked_select(const Tensor& x, const Tensor& mask) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_masked_select(x.get(), mask.get(), out, e);
  });
}

// The different values of x, ascending, 1-D; each NaN is one of its own. Waits for the device.
inline Tensor unique(const Tensor& x) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_unique(x.get(), out, e);
  });
}

// unique, and for each value where it first occurs in flattened x and how often; inverse, of x's shape: which value each element is. Waits for the device.
inline std::tuple<Tensor, Tensor, Tensor, Tensor> unique_all(const Tensor& x) {
  return detail::make_several<4>([&](bp_tensor** const* out, bp_error** e) {
    return bp_unique_all(x.get(), out[0], out[1], out[2], out[3], e);
  });
}

// x with slice j of source in place of slice index[j] along axis; of equal indices the last wins. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu.
inline Tensor index_copy(const Tensor& x, const Tensor& index, const Tensor& source, std::int64_t axis) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_index_copy(x.get(), index.get(), source.get(), axis, out, e);
  });
}

// Convolution of input [N, C, size] with weight [O, C / groups, kernel] over one to three dims. Error as matmul.
inline Tensor convolution(const Tensor& input, const Tensor& weight, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, const std::vector<std::int64_t>& dilation = {}, std::int64_t groups = 1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_convolution(input.get(), weight.get(), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), dilation.data(), static_cast<std::uint32_t>(dilation.size()), groups, out, e);
  });
}

// convolution's gradient towards an input of the spatial size; grad is that of its result. Error as matmul.
inline Tensor convolution_input_grad(const Tensor& grad, const Tensor& weight, const std::vector<std::int64_t>& size, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, const std::vector<std::int64_t>& dilation = {}, std::int64_t groups = 1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_convolution_input_grad(grad.get(), weight.get(), size.data(), static_cast<std::uint32_t>(size.size()), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), dilation.data(), static_cast<std::uint32_t>(dilation.size()), groups, out, e);
  });
}

// convolution's gradient towards a weight whose kernels have the size; grad is that of its result. Error as matmul.
inline Tensor convolution_weight_grad(const Tensor& grad, const Tensor& input, const std::vector<std::int64_t>& size, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, const std::vector<std::int64_t>& dilation = {}, std::int64_t groups = 1) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_convolution_weight_grad(grad.get(), input.get(), size.data(), static_cast<std::uint32_t>(size.size()), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), dilation.data(), static_cast<std::uint32_t>(dilation.size()), groups, out, e);
  });
}

// max_pool's gradient towards its input [N, C, size]: grad, that of its result, where each window's largest is, the first of equal ones.
inline Tensor max_pool_grad(const Tensor& grad, const Tensor& input, const std::vector<std::int64_t>& kernel_size, const std::vector<std::int64_t>& stride = {}, const std::vector<std::int64_t>& padding = {}, const std::vector<std::int64_t>& dilation = {}, bool ceil_mode = false) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_max_pool_grad(grad.get(), input.get(), kernel_size.data(), static_cast<std::uint32_t>(kernel_size.size()), stride.data(), static_cast<std::uint32_t>(stride.size()), padding.data(), static_cast<std::uint32_t>(padding.size()), dilation.data(), static_cast<std::uint32_t>(dilation.size()), ceil_mode, out, e);
  });
}

}  // namespace backplane
