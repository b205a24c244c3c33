// SPDX-License-Identifier: Apache-2.0
// backplane_ops.hpp: functions for each op: <op>(...) makes its result, <op>_out(out, ...) writes it into a tensor
// that is there; included by backplane.hpp. Printed by `./dev print` from the op table (core/ops); do not edit.
#ifndef BACKPLANE_OPS_HPP
#define BACKPLANE_OPS_HPP

#include "backplane_tensor.hpp"

namespace backplane {

// -x. Integers wrap; bool is refused.
inline Tensor neg(const Tensor& x) {
  detail::Call c;
  return c.made(bp_neg(x.get(), &c.out, &c.err));
}
inline const Tensor& neg_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_neg_into(x.get(), out.get(), &c.err));
  return out;
}

// |x|. The most negative integer stays itself. Of complex numbers the modulus, a real number.
inline Tensor abs(const Tensor& x) {
  detail::Call c;
  return c.made(bp_abs(x.get(), &c.out, &c.err));
}
inline const Tensor& abs_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_abs_into(x.get(), out.get(), &c.err));
  return out;
}

// -1, 0 or 1 by the sign of x; 0 for NaN, as PyTorch.
inline Tensor sign(const Tensor& x) {
  detail::Call c;
  return c.made(bp_sign(x.get(), &c.out, &c.err));
}
inline const Tensor& sign_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_sign_into(x.get(), out.get(), &c.err));
  return out;
}

// Square root; NaN below zero.
inline Tensor sqrt(const Tensor& x) {
  detail::Call c;
  return c.made(bp_sqrt(x.get(), &c.out, &c.err));
}
inline const Tensor& sqrt_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_sqrt_into(x.get(), out.get(), &c.err));
  return out;
}

// 1 / sqrt(x); +inf at +0.
inline Tensor rsqrt(const Tensor& x) {
  detail::Call c;
  return c.made(bp_rsqrt(x.get(), &c.out, &c.err));
}
inline const Tensor& rsqrt_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_rsqrt_into(x.get(), out.get(), &c.err));
  return out;
}

// x * x. Integers wrap.
inline Tensor square(const Tensor& x) {
  detail::Call c;
  return c.made(bp_square(x.get(), &c.out, &c.err));
}
inline const Tensor& square_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_square_into(x.get(), out.get(), &c.err));
  return out;
}

// 1 / x.
inline Tensor reciprocal(const Tensor& x) {
  detail::Call c;
  return c.made(bp_reciprocal(x.get(), &c.out, &c.err));
}
inline const Tensor& reciprocal_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_reciprocal_into(x.get(), out.get(), &c.err));
  return out;
}

// e to the x.
inline Tensor exp(const Tensor& x) {
  detail::Call c;
  return c.made(bp_exp(x.get(), &c.out, &c.err));
}
inline const Tensor& exp_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_exp_into(x.get(), out.get(), &c.err));
  return out;
}

// exp(x) - 1, accurate near zero.
inline Tensor expm1(const Tensor& x) {
  detail::Call c;
  return c.made(bp_expm1(x.get(), &c.out, &c.err));
}
inline const Tensor& expm1_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_expm1_into(x.get(), out.get(), &c.err));
  return out;
}

// Natural logarithm; -inf at zero, NaN below.
inline Tensor log(const Tensor& x) {
  detail::Call c;
  return c.made(bp_log(x.get(), &c.out, &c.err));
}
inline const Tensor& log_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_log_into(x.get(), out.get(), &c.err));
  return out;
}

// log(1 + x), accurate near zero.
inline Tensor log1p(const Tensor& x) {
  detail::Call c;
  return c.made(bp_log1p(x.get(), &c.out, &c.err));
}
inline const Tensor& log1p_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_log1p_into(x.get(), out.get(), &c.err));
  return out;
}

// Sine, x in radians.
inline Tensor sin(const Tensor& x) {
  detail::Call c;
  return c.made(bp_sin(x.get(), &c.out, &c.err));
}
inline const Tensor& sin_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_sin_into(x.get(), out.get(), &c.err));
  return out;
}

// Cosine, x in radians.
inline Tensor cos(const Tensor& x) {
  detail::Call c;
  return c.made(bp_cos(x.get(), &c.out, &c.err));
}
inline const Tensor& cos_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_cos_into(x.get(), out.get(), &c.err));
  return out;
}

// Tangent, x in radians.
inline Tensor tan(const Tensor& x) {
  detail::Call c;
  return c.made(bp_tan(x.get(), &c.out, &c.err));
}
inline const Tensor& tan_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_tan_into(x.get(), out.get(), &c.err));
  return out;
}

// Hyperbolic tangent.
inline Tensor tanh(const Tensor& x) {
  detail::Call c;
  return c.made(bp_tanh(x.get(), &c.out, &c.err));
}
inline const Tensor& tanh_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_tanh_into(x.get(), out.get(), &c.err));
  return out;
}

// 1 / (1 + exp(-x)).
inline Tensor sigmoid(const Tensor& x) {
  detail::Call c;
  return c.made(bp_sigmoid(x.get(), &c.out, &c.err));
}
inline const Tensor& sigmoid_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_sigmoid_into(x.get(), out.get(), &c.err));
  return out;
}

// max(x, 0); NaN stays NaN.
inline Tensor relu(const Tensor& x) {
  detail::Call c;
  return c.made(bp_relu(x.get(), &c.out, &c.err));
}
inline const Tensor& relu_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_relu_into(x.get(), out.get(), &c.err));
  return out;
}

// x * (1 + erf(x / sqrt 2)) / 2, the exact form (Hendrycks and Gimpel, 2016).
inline Tensor gelu(const Tensor& x) {
  detail::Call c;
  return c.made(bp_gelu(x.get(), &c.out, &c.err));
}
inline const Tensor& gelu_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_gelu_into(x.get(), out.get(), &c.err));
  return out;
}

// x * sigmoid(x).
inline Tensor silu(const Tensor& x) {
  detail::Call c;
  return c.made(bp_silu(x.get(), &c.out, &c.err));
}
inline const Tensor& silu_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_silu_into(x.get(), out.get(), &c.err));
  return out;
}

// Error function.
inline Tensor erf(const Tensor& x) {
  detail::Call c;
  return c.made(bp_erf(x.get(), &c.out, &c.err));
}
inline const Tensor& erf_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_erf_into(x.get(), out.get(), &c.err));
  return out;
}

// Largest integer not above x; integers as they are.
inline Tensor floor(const Tensor& x) {
  detail::Call c;
  return c.made(bp_floor(x.get(), &c.out, &c.err));
}
inline const Tensor& floor_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_floor_into(x.get(), out.get(), &c.err));
  return out;
}

// Smallest integer not below x; integers as they are.
inline Tensor ceil(const Tensor& x) {
  detail::Call c;
  return c.made(bp_ceil(x.get(), &c.out, &c.err));
}
inline const Tensor& ceil_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_ceil_into(x.get(), out.get(), &c.err));
  return out;
}

// Nearest integer, halves to even.
inline Tensor round(const Tensor& x) {
  detail::Call c;
  return c.made(bp_round(x.get(), &c.out, &c.err));
}
inline const Tensor& round_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_round_into(x.get(), out.get(), &c.err));
  return out;
}

// Nearest integer towards zero.
inline Tensor trunc(const Tensor& x) {
  detail::Call c;
  return c.made(bp_trunc(x.get(), &c.out, &c.err));
}
inline const Tensor& trunc_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_trunc_into(x.get(), out.get(), &c.err));
  return out;
}

// True where x is NaN.
inline Tensor isnan(const Tensor& x) {
  detail::Call c;
  return c.made(bp_isnan(x.get(), &c.out, &c.err));
}
inline const Tensor& isnan_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_isnan_into(x.get(), out.get(), &c.err));
  return out;
}

// True where x is +inf or -inf.
inline Tensor isinf(const Tensor& x) {
  detail::Call c;
  return c.made(bp_isinf(x.get(), &c.out, &c.err));
}
inline const Tensor& isinf_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_isinf_into(x.get(), out.get(), &c.err));
  return out;
}

// True where x is zero.
inline Tensor logical_not(const Tensor& x) {
  detail::Call c;
  return c.made(bp_logical_not(x.get(), &c.out, &c.err));
}
inline const Tensor& logical_not_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_logical_not_into(x.get(), out.get(), &c.err));
  return out;
}

// Inverse sine, in [-pi/2, pi/2]; NaN outside [-1, 1].
inline Tensor asin(const Tensor& x) {
  detail::Call c;
  return c.made(bp_asin(x.get(), &c.out, &c.err));
}
inline const Tensor& asin_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_asin_into(x.get(), out.get(), &c.err));
  return out;
}

// Inverse cosine, in [0, pi]; NaN outside [-1, 1].
inline Tensor acos(const Tensor& x) {
  detail::Call c;
  return c.made(bp_acos(x.get(), &c.out, &c.err));
}
inline const Tensor& acos_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_acos_into(x.get(), out.get(), &c.err));
  return out;
}

// Inverse tangent, in [-pi/2, pi/2].
inline Tensor atan(const Tensor& x) {
  detail::Call c;
  return c.made(bp_atan(x.get(), &c.out, &c.err));
}
inline const Tensor& atan_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_atan_into(x.get(), out.get(), &c.err));
  return out;
}

// Hyperbolic sine.
inline Tensor sinh(const Tensor& x) {
  detail::Call c;
  return c.made(bp_sinh(x.get(), &c.out, &c.err));
}
inline const Tensor& sinh_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_sinh_into(x.get(), out.get(), &c.err));
  return out;
}

// Hyperbolic cosine.
inline Tensor cosh(const Tensor& x) {
  detail::Call c;
  return c.made(bp_cosh(x.get(), &c.out, &c.err));
}
inline const Tensor& cosh_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_cosh_into(x.get(), out.get(), &c.err));
  return out;
}

// Inverse hyperbolic sine.
inline Tensor asinh(const Tensor& x) {
  detail::Call c;
  return c.made(bp_asinh(x.get(), &c.out, &c.err));
}
inline const Tensor& asinh_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_asinh_into(x.get(), out.get(), &c.err));
  return out;
}

// Inverse hyperbolic cosine; NaN below 1.
inline Tensor acosh(const Tensor& x) {
  detail::Call c;
  return c.made(bp_acosh(x.get(), &c.out, &c.err));
}
inline const Tensor& acosh_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_acosh_into(x.get(), out.get(), &c.err));
  return out;
}

// Inverse hyperbolic tangent; infinite at -1 and 1, NaN beyond.
inline Tensor atanh(const Tensor& x) {
  detail::Call c;
  return c.made(bp_atanh(x.get(), &c.out, &c.err));
}
inline const Tensor& atanh_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_atanh_into(x.get(), out.get(), &c.err));
  return out;
}

// Logarithm to base 2; -inf at zero, NaN below. Exact for powers of two.
inline Tensor log2(const Tensor& x) {
  detail::Call c;
  return c.made(bp_log2(x.get(), &c.out, &c.err));
}
inline const Tensor& log2_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_log2_into(x.get(), out.get(), &c.err));
  return out;
}

// Logarithm to base 10; -inf at zero, NaN below.
inline Tensor log10(const Tensor& x) {
  detail::Call c;
  return c.made(bp_log10(x.get(), &c.out, &c.err));
}
inline const Tensor& log10_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_log10_into(x.get(), out.get(), &c.err));
  return out;
}

// 2 to the x. Exact for integers.
inline Tensor exp2(const Tensor& x) {
  detail::Call c;
  return c.made(bp_exp2(x.get(), &c.out, &c.err));
}
inline const Tensor& exp2_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_exp2_into(x.get(), out.get(), &c.err));
  return out;
}

// True where x is neither infinite nor NaN.
inline Tensor isfinite(const Tensor& x) {
  detail::Call c;
  return c.made(bp_isfinite(x.get(), &c.out, &c.err));
}
inline const Tensor& isfinite_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_isfinite_into(x.get(), out.get(), &c.err));
  return out;
}

// a + b. Integers wrap; of bools it is logical or.
inline Tensor add(const Value& a, const Value& b) {
  return detail::binary({BP_OP_ADD, bp_add, bp_add_scalar}, a, b);
}
inline const Tensor& add_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_ADD, bp_add_into}, out, a, b);
}

// a - b. Integers wrap; two bools are refused.
inline Tensor sub(const Value& a, const Value& b) {
  return detail::binary({BP_OP_SUB, bp_sub, bp_sub_scalar}, a, b);
}
inline const Tensor& sub_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_SUB, bp_sub_into}, out, a, b);
}

// a * b. Integers wrap; of bools it is logical and.
inline Tensor mul(const Value& a, const Value& b) {
  return detail::binary({BP_OP_MUL, bp_mul, bp_mul_scalar}, a, b);
}
inline const Tensor& mul_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_MUL, bp_mul_into}, out, a, b);
}

// True division; integers give the default float dtype.
inline Tensor div(const Value& a, const Value& b) {
  return detail::binary({BP_OP_DIV, bp_div, bp_div_scalar}, a, b);
}
inline const Tensor& div_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_DIV, bp_div_into}, out, a, b);
}

// Quotient rounded towards -inf, as Python's //. Integers stay integers; an integer divided by 0 is 0. Floating quotients beyond an eighth of 2^p (p bits of precision) may be off by one.
inline Tensor floor_divide(const Value& a, const Value& b) {
  return detail::binary({BP_OP_FLOOR_DIVIDE, bp_floor_divide, bp_floor_divide_scalar}, a, b);
}
inline const Tensor& floor_divide_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_FLOOR_DIVIDE, bp_floor_divide_into}, out, a, b);
}

// a - b * floor(a / b), the sign of b, as Python's %. An integer modulo 0 is 0.
inline Tensor remainder(const Value& a, const Value& b) {
  return detail::binary({BP_OP_REMAINDER, bp_remainder, bp_remainder_scalar}, a, b);
}
inline const Tensor& remainder_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_REMAINDER, bp_remainder_into}, out, a, b);
}

// a to the b. Integers stay integers and wrap; to a negative integer tensor they give 0, except 1 and -1.
inline Tensor pow(const Value& a, const Value& b) {
  return detail::binary({BP_OP_POW, bp_pow, bp_pow_scalar}, a, b);
}
inline const Tensor& pow_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_POW, bp_pow_into}, out, a, b);
}

// The larger; NaN when either is.
inline Tensor maximum(const Value& a, const Value& b) {
  return detail::binary({BP_OP_MAXIMUM, bp_maximum, bp_maximum_scalar}, a, b);
}
inline const Tensor& maximum_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_MAXIMUM, bp_maximum_into}, out, a, b);
}

// The smaller; NaN when either is.
inline Tensor minimum(const Value& a, const Value& b) {
  return detail::binary({BP_OP_MINIMUM, bp_minimum, bp_minimum_scalar}, a, b);
}
inline const Tensor& minimum_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_MINIMUM, bp_minimum_into}, out, a, b);
}

// a == b, as bool.
inline Tensor eq(const Value& a, const Value& b) {
  return detail::binary({BP_OP_EQ, bp_eq, bp_eq_scalar}, a, b);
}
inline const Tensor& eq_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_EQ, bp_eq_into}, out, a, b);
}

// a != b, as bool.
inline Tensor ne(const Value& a, const Value& b) {
  return detail::binary({BP_OP_NE, bp_ne, bp_ne_scalar}, a, b);
}
inline const Tensor& ne_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_NE, bp_ne_into}, out, a, b);
}

// a < b, as bool.
inline Tensor lt(const Value& a, const Value& b) {
  return detail::binary({BP_OP_LT, bp_lt, bp_lt_scalar}, a, b);
}
inline const Tensor& lt_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_LT, bp_lt_into}, out, a, b);
}

// a <= b, as bool.
inline Tensor le(const Value& a, const Value& b) {
  return detail::binary({BP_OP_LE, bp_le, bp_le_scalar}, a, b);
}
inline const Tensor& le_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_LE, bp_le_into}, out, a, b);
}

// a > b, as bool.
inline Tensor gt(const Value& a, const Value& b) {
  return detail::binary({BP_OP_GT, bp_gt, bp_gt_scalar}, a, b);
}
inline const Tensor& gt_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_GT, bp_gt_into}, out, a, b);
}

// a >= b, as bool.
inline Tensor ge(const Value& a, const Value& b) {
  return detail::binary({BP_OP_GE, bp_ge, bp_ge_scalar}, a, b);
}
inline const Tensor& ge_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_GE, bp_ge_into}, out, a, b);
}

// Both are not zero.
inline Tensor logical_and(const Value& a, const Value& b) {
  return detail::binary({BP_OP_LOGICAL_AND, bp_logical_and, bp_logical_and_scalar}, a, b);
}
inline const Tensor& logical_and_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_LOGICAL_AND, bp_logical_and_into}, out, a, b);
}

// At least one is not zero.
inline Tensor logical_or(const Value& a, const Value& b) {
  return detail::binary({BP_OP_LOGICAL_OR, bp_logical_or, bp_logical_or_scalar}, a, b);
}
inline const Tensor& logical_or_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_LOGICAL_OR, bp_logical_or_into}, out, a, b);
}

// Exactly one is not zero.
inline Tensor logical_xor(const Value& a, const Value& b) {
  return detail::binary({BP_OP_LOGICAL_XOR, bp_logical_xor, bp_logical_xor_scalar}, a, b);
}
inline const Tensor& logical_xor_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_LOGICAL_XOR, bp_logical_xor_into}, out, a, b);
}

// a & b of integers or bools.
inline Tensor bitwise_and(const Value& a, const Value& b) {
  return detail::binary({BP_OP_BITWISE_AND, bp_bitwise_and, bp_bitwise_and_scalar}, a, b);
}
inline const Tensor& bitwise_and_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_BITWISE_AND, bp_bitwise_and_into}, out, a, b);
}

// a | b of integers or bools.
inline Tensor bitwise_or(const Value& a, const Value& b) {
  return detail::binary({BP_OP_BITWISE_OR, bp_bitwise_or, bp_bitwise_or_scalar}, a, b);
}
inline const Tensor& bitwise_or_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_BITWISE_OR, bp_bitwise_or_into}, out, a, b);
}

// a ^ b of integers or bools.
inline Tensor bitwise_xor(const Value& a, const Value& b) {
  return detail::binary({BP_OP_BITWISE_XOR, bp_bitwise_xor, bp_bitwise_xor_scalar}, a, b);
}
inline const Tensor& bitwise_xor_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_BITWISE_XOR, bp_bitwise_xor_into}, out, a, b);
}

// Angle of the point (b, a), in [-pi, pi]; special cases as C's atan2.
inline Tensor atan2(const Value& a, const Value& b) {
  return detail::binary({BP_OP_ATAN2, bp_atan2, bp_atan2_scalar}, a, b);
}
inline const Tensor& atan2_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_ATAN2, bp_atan2_into}, out, a, b);
}

// sqrt(a * a + b * b) without overflow on the way; infinite when either is.
inline Tensor hypot(const Value& a, const Value& b) {
  return detail::binary({BP_OP_HYPOT, bp_hypot, bp_hypot_scalar}, a, b);
}
inline const Tensor& hypot_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_HYPOT, bp_hypot_into}, out, a, b);
}

// |a| with the sign bit of b.
inline Tensor copysign(const Value& a, const Value& b) {
  return detail::binary({BP_OP_COPYSIGN, bp_copysign, bp_copysign_scalar}, a, b);
}
inline const Tensor& copysign_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_COPYSIGN, bp_copysign_into}, out, a, b);
}

// The number of a's dtype that follows a in the direction of b; b where they are equal.
inline Tensor nextafter(const Value& a, const Value& b) {
  return detail::binary({BP_OP_NEXTAFTER, bp_nextafter, bp_nextafter_scalar}, a, b);
}
inline const Tensor& nextafter_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_NEXTAFTER, bp_nextafter_into}, out, a, b);
}

// log(exp(a) + exp(b)) without overflow on the way. The bound is relative to the larger operand.
inline Tensor logaddexp(const Value& a, const Value& b) {
  return detail::binary({BP_OP_LOGADDEXP, bp_logaddexp, bp_logaddexp_scalar}, a, b);
}
inline const Tensor& logaddexp_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_LOGADDEXP, bp_logaddexp_into}, out, a, b);
}

// a - b * trunc(a / b), exact, the sign of a, as C's fmod. An integer modulo 0 is 0.
inline Tensor fmod(const Value& a, const Value& b) {
  return detail::binary({BP_OP_FMOD, bp_fmod, bp_fmod_scalar}, a, b);
}
inline const Tensor& fmod_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_FMOD, bp_fmod_into}, out, a, b);
}

// a << b; 0 where b is negative or not below the width.
inline Tensor bitwise_left_shift(const Value& a, const Value& b) {
  return detail::binary({BP_OP_BITWISE_LEFT_SHIFT, bp_bitwise_left_shift, bp_bitwise_left_shift_scalar}, a, b);
}
inline const Tensor& bitwise_left_shift_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_BITWISE_LEFT_SHIFT, bp_bitwise_left_shift_into}, out, a, b);
}

// a >> b, signed numbers keep their sign; where b is negative or not below the width: 0, or -1 for negative a.
inline Tensor bitwise_right_shift(const Value& a, const Value& b) {
  return detail::binary({BP_OP_BITWISE_RIGHT_SHIFT, bp_bitwise_right_shift, bp_bitwise_right_shift_scalar}, a, b);
}
inline const Tensor& bitwise_right_shift_out(const Tensor& out, const Value& a, const Value& b) {
  return detail::binary_out({BP_OP_BITWISE_RIGHT_SHIFT, bp_bitwise_right_shift_into}, out, a, b);
}

// x where condition is true, else y; all broadcast.
inline Tensor where(const Tensor& condition, const Tensor& x, const Tensor& y) {
  detail::Call c;
  return c.made(bp_where(condition.get(), x.get(), y.get(), &c.out, &c.err));
}
inline const Tensor& where_out(const Tensor& out, const Tensor& condition, const Tensor& x, const Tensor& y) {
  detail::Call c;
  c.done(bp_where_into(condition.get(), x.get(), y.get(), out.get(), &c.err));
  return out;
}

// x in another dtype. Float to integer truncates towards zero, NaN gives 0 and values out of range saturate, on every device; integers wrap; narrower floats are reached through f32; to bool: is not zero; complex to real drops the imaginary part.
inline Tensor cast(const Tensor& x, bp_dtype dtype) {
  detail::Call c;
  return c.made(bp_cast(x.get(), dtype, &c.out, &c.err));
}
inline const Tensor& cast_out(const Tensor& out, const Tensor& x, bp_dtype dtype) {
  detail::Call c;
  c.done(bp_cast_into(x.get(), dtype, out.get(), &c.err));
  return out;
}

// x's elements, converted to a given output's dtype by the rules of cast.
inline Tensor copy(const Tensor& x) {
  detail::Call c;
  return c.made(bp_copy(x.get(), &c.out, &c.err));
}
inline const Tensor& copy_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_copy_into(x.get(), out.get(), &c.err));
  return out;
}

// Every element is value.
inline Tensor fill(const Value& value, const Ints& shape, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) {
  detail::Call c;
  return c.made(bp_fill(value, shape.rank(), shape.data(), dtype, device.value(), &c.out, &c.err));
}
inline const Tensor& fill_out(const Tensor& out, const Value& value) {
  detail::Call c;
  c.done(bp_fill_into(value, out.get(), &c.err));
  return out;
}

// Sum over axes (none given: all); 0 of nothing. Integers and bools are summed in i64 (u64 in u64). The order of additions depends on the shape alone, not on the number of threads; the bound holds for operands of one sign.
inline Tensor sum(const Tensor& x, const Ints& axes = {}, bool keepdims = false, bp_dtype dtype = BP_DTYPE_NONE) {
  detail::Call c;
  return c.made(bp_sum(x.get(), axes.data(), axes.size(), keepdims, dtype, &c.out, &c.err));
}
inline const Tensor& sum_out(const Tensor& out, const Tensor& x, const Ints& axes = {}, bool keepdims = false, bp_dtype dtype = BP_DTYPE_NONE) {
  detail::Call c;
  c.done(bp_sum_into(x.get(), axes.data(), axes.size(), keepdims, dtype, out.get(), &c.err));
  return out;
}

// Mean over axes; NaN of nothing. Floating dtypes only. The bound is of sum's kind.
inline Tensor mean(const Tensor& x, const Ints& axes = {}, bool keepdims = false, bp_dtype dtype = BP_DTYPE_NONE) {
  detail::Call c;
  return c.made(bp_mean(x.get(), axes.data(), axes.size(), keepdims, dtype, &c.out, &c.err));
}
inline const Tensor& mean_out(const Tensor& out, const Tensor& x, const Ints& axes = {}, bool keepdims = false, bp_dtype dtype = BP_DTYPE_NONE) {
  detail::Call c;
  c.done(bp_mean_into(x.get(), axes.data(), axes.size(), keepdims, dtype, out.get(), &c.err));
  return out;
}

// Product over axes; 1 of nothing. dtypes as sum. The bound holds up to 60 factors; each further one adds half an ULP.
inline Tensor prod(const Tensor& x, const Ints& axes = {}, bool keepdims = false, bp_dtype dtype = BP_DTYPE_NONE) {
  detail::Call c;
  return c.made(bp_prod(x.get(), axes.data(), axes.size(), keepdims, dtype, &c.out, &c.err));
}
inline const Tensor& prod_out(const Tensor& out, const Tensor& x, const Ints& axes = {}, bool keepdims = false, bp_dtype dtype = BP_DTYPE_NONE) {
  detail::Call c;
  c.done(bp_prod_into(x.get(), axes.data(), axes.size(), keepdims, dtype, out.get(), &c.err));
  return out;
}

// Largest over axes; NaN when one is there.
inline Tensor max(const Tensor& x, const Ints& axes = {}, bool keepdims = false) {
  detail::Call c;
  return c.made(bp_max(x.get(), axes.data(), axes.size(), keepdims, &c.out, &c.err));
}
inline const Tensor& max_out(const Tensor& out, const Tensor& x, const Ints& axes = {}, bool keepdims = false) {
  detail::Call c;
  c.done(bp_max_into(x.get(), axes.data(), axes.size(), keepdims, out.get(), &c.err));
  return out;
}

// Smallest over axes; NaN when one is there.
inline Tensor min(const Tensor& x, const Ints& axes = {}, bool keepdims = false) {
  detail::Call c;
  return c.made(bp_min(x.get(), axes.data(), axes.size(), keepdims, &c.out, &c.err));
}
inline const Tensor& min_out(const Tensor& out, const Tensor& x, const Ints& axes = {}, bool keepdims = false) {
  detail::Call c;
  c.done(bp_min_into(x.get(), axes.data(), axes.size(), keepdims, out.get(), &c.err));
  return out;
}

// First position (i64) of the largest along axis, or in the flattened tensor when none is given; the first NaN when one is there.
inline Tensor argmax(const Tensor& x, const Ints& axis = {}, bool keepdims = false) {
  detail::Call c;
  return c.made(bp_argmax(x.get(), axis.data(), axis.size(), keepdims, &c.out, &c.err));
}
inline const Tensor& argmax_out(const Tensor& out, const Tensor& x, const Ints& axis = {}, bool keepdims = false) {
  detail::Call c;
  c.done(bp_argmax_into(x.get(), axis.data(), axis.size(), keepdims, out.get(), &c.err));
  return out;
}

// First position of the smallest; see argmax.
inline Tensor argmin(const Tensor& x, const Ints& axis = {}, bool keepdims = false) {
  detail::Call c;
  return c.made(bp_argmin(x.get(), axis.data(), axis.size(), keepdims, &c.out, &c.err));
}
inline const Tensor& argmin_out(const Tensor& out, const Tensor& x, const Ints& axis = {}, bool keepdims = false) {
  detail::Call c;
  c.done(bp_argmin_into(x.get(), axis.data(), axis.size(), keepdims, out.get(), &c.err));
  return out;
}

// True when one is not zero (NaN is not); false of nothing.
inline Tensor any(const Tensor& x, const Ints& axes = {}, bool keepdims = false) {
  detail::Call c;
  return c.made(bp_any(x.get(), axes.data(), axes.size(), keepdims, &c.out, &c.err));
}
inline const Tensor& any_out(const Tensor& out, const Tensor& x, const Ints& axes = {}, bool keepdims = false) {
  detail::Call c;
  c.done(bp_any_into(x.get(), axes.data(), axes.size(), keepdims, out.get(), &c.err));
  return out;
}

// True when none is zero; true of nothing.
inline Tensor all(const Tensor& x, const Ints& axes = {}, bool keepdims = false) {
  detail::Call c;
  return c.made(bp_all(x.get(), axes.data(), axes.size(), keepdims, &c.out, &c.err));
}
inline const Tensor& all_out(const Tensor& out, const Tensor& x, const Ints& axes = {}, bool keepdims = false) {
  detail::Call c;
  c.done(bp_all_into(x.get(), axes.data(), axes.size(), keepdims, out.get(), &c.err));
  return out;
}

// Variance over axes: sum of squared distances from the mean over (n - correction), at least 0. Two passes. Of complex numbers it is real.
inline Tensor var(const Tensor& x, const Ints& axes = {}, bool keepdims = false, double correction = 1) {
  detail::Call c;
  return c.made(bp_var(x.get(), axes.data(), axes.size(), keepdims, correction, &c.out, &c.err));
}
inline const Tensor& var_out(const Tensor& out, const Tensor& x, const Ints& axes = {}, bool keepdims = false, double correction = 1) {
  detail::Call c;
  c.done(bp_var_into(x.get(), axes.data(), axes.size(), keepdims, correction, out.get(), &c.err));
  return out;
}

// Running sum along axis; dtypes as sum. The bound is relative to the sum of magnitudes.
inline Tensor cumsum(const Tensor& x, std::int64_t axis, bp_dtype dtype = BP_DTYPE_NONE) {
  detail::Call c;
  return c.made(bp_cumsum(x.get(), axis, dtype, &c.out, &c.err));
}
inline const Tensor& cumsum_out(const Tensor& out, const Tensor& x, std::int64_t axis, bp_dtype dtype = BP_DTYPE_NONE) {
  detail::Call c;
  c.done(bp_cumsum_into(x.get(), axis, dtype, out.get(), &c.err));
  return out;
}

// exp(x - max) / sum(exp(x - max)) along axis.
inline Tensor softmax(const Tensor& x, std::int64_t axis = -1) {
  detail::Call c;
  return c.made(bp_softmax(x.get(), axis, &c.out, &c.err));
}
inline const Tensor& softmax_out(const Tensor& out, const Tensor& x, std::int64_t axis = -1) {
  detail::Call c;
  c.done(bp_softmax_into(x.get(), axis, out.get(), &c.err));
  return out;
}

// x - max - log(sum(exp(x - max))) along axis. The bound is relative to the largest term.
inline Tensor log_softmax(const Tensor& x, std::int64_t axis = -1) {
  detail::Call c;
  return c.made(bp_log_softmax(x.get(), axis, &c.out, &c.err));
}
inline const Tensor& log_softmax_out(const Tensor& out, const Tensor& x, std::int64_t axis = -1) {
  detail::Call c;
  c.done(bp_log_softmax_into(x.get(), axis, out.get(), &c.err));
  return out;
}

// Running product along axis; dtypes as sum. The bound holds up to 60 factors; each further one adds half an ULP.
inline Tensor cumprod(const Tensor& x, std::int64_t axis, bp_dtype dtype = BP_DTYPE_NONE) {
  detail::Call c;
  return c.made(bp_cumprod(x.get(), axis, dtype, &c.out, &c.err));
}
inline const Tensor& cumprod_out(const Tensor& out, const Tensor& x, std::int64_t axis, bp_dtype dtype = BP_DTYPE_NONE) {
  detail::Call c;
  c.done(bp_cumprod_into(x.get(), axis, dtype, out.get(), &c.err));
  return out;
}

// Matrix product: [.., m, k] x [.., k, n] -> [.., m, n], batches broadcast; a 1-D a is a row and a 1-D b a column, dropped again from the result. Equal dtypes; f16 and bf16 are accumulated in f32, integers wrap, of bools it is any(a and b). Error: at most (k + 2) * eps * (|a| x |b|) for each element; larger for f32 where bp_set_matmul_precision allows it.
inline Tensor matmul(const Tensor& a, const Tensor& b) {
  detail::Call c;
  return c.made(bp_matmul(a.get(), b.get(), &c.out, &c.err));
}
inline const Tensor& matmul_out(const Tensor& out, const Tensor& a, const Tensor& b) {
  detail::Call c;
  c.done(bp_matmul_into(a.get(), b.get(), out.get(), &c.err));
  return out;
}

// Tensors joined along an axis they have; dtypes promote.
inline Tensor concat(const std::vector<Tensor>& tensors, std::int64_t axis = 0) {
  detail::Call c;
  return c.made(bp_concat(detail::handles(tensors).data(), static_cast<std::uint32_t>(tensors.size()), axis, &c.out, &c.err));
}
inline const Tensor& concat_out(const Tensor& out, const std::vector<Tensor>& tensors, std::int64_t axis = 0) {
  detail::Call c;
  c.done(bp_concat_into(detail::handles(tensors).data(), static_cast<std::uint32_t>(tensors.size()), axis, out.get(), &c.err));
  return out;
}

// Tensors of one shape joined along a new axis.
inline Tensor stack(const std::vector<Tensor>& tensors, std::int64_t axis = 0) {
  detail::Call c;
  return c.made(bp_stack(detail::handles(tensors).data(), static_cast<std::uint32_t>(tensors.size()), axis, &c.out, &c.err));
}
inline const Tensor& stack_out(const Tensor& out, const std::vector<Tensor>& tensors, std::int64_t axis = 0) {
  detail::Call c;
  c.done(bp_stack_into(detail::handles(tensors).data(), static_cast<std::uint32_t>(tensors.size()), axis, out.get(), &c.err));
  return out;
}

// out[.., j, ..] = x[.., index[.., j, ..], ..]: index has x's rank and, off the axis, sizes no larger than x's. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu.
inline Tensor gather(const Tensor& x, const Tensor& index, std::int64_t axis) {
  detail::Call c;
  return c.made(bp_gather(x.get(), index.get(), axis, &c.out, &c.err));
}
inline const Tensor& gather_out(const Tensor& out, const Tensor& x, const Tensor& index, std::int64_t axis) {
  detail::Call c;
  c.done(bp_gather_into(x.get(), index.get(), axis, out.get(), &c.err));
  return out;
}

// Slices of x along axis, in the order of the 1-D index.
inline Tensor index_select(const Tensor& x, const Tensor& index, std::int64_t axis) {
  detail::Call c;
  return c.made(bp_index_select(x.get(), index.get(), axis, &c.out, &c.err));
}
inline const Tensor& index_select_out(const Tensor& out, const Tensor& x, const Tensor& index, std::int64_t axis) {
  detail::Call c;
  c.done(bp_index_select_into(x.get(), index.get(), axis, out.get(), &c.err));
  return out;
}

// gather with x and index broadcast against each other off the axis; indices may be negative.
inline Tensor take_along(const Tensor& x, const Tensor& index, std::int64_t axis) {
  detail::Call c;
  return c.made(bp_take_along(x.get(), index.get(), axis, &c.out, &c.err));
}
inline const Tensor& take_along_out(const Tensor& out, const Tensor& x, const Tensor& index, std::int64_t axis) {
  detail::Call c;
  c.done(bp_take_along_into(x.get(), index.get(), axis, out.get(), &c.err));
  return out;
}

// i64 with a new last axis of num_classes: 1 at x, else 0. Values outside 0 .. num_classes - 1 are errors on the cpu.
inline Tensor one_hot(const Tensor& x, std::int64_t num_classes) {
  detail::Call c;
  return c.made(bp_one_hot(x.get(), num_classes, &c.out, &c.err));
}
inline const Tensor& one_hot_out(const Tensor& out, const Tensor& x, std::int64_t num_classes) {
  detail::Call c;
  c.done(bp_one_hot_into(x.get(), num_classes, out.get(), &c.err));
  return out;
}

// start + i * step for i in 0 .. ceil((end - start) / step) - 1; in i64 for integers, in f64 for floats, then rounded. Without a dtype: i64 when all three are integers, else the default float dtype.
inline Tensor arange(const Value& start, const Value& end, const Value& step, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) {
  detail::Call c;
  return c.made(bp_arange(start, end, step, dtype, device.value(), &c.out, &c.err));
}
inline const Tensor& arange_out(const Tensor& out, const Value& start, const Value& end, const Value& step) {
  detail::Call c;
  c.done(bp_arange_into(start, end, step, out.get(), &c.err));
  return out;
}

// steps points from start to end, both included, computed in f64 from the nearer end: start + i * range / n in the first half, end - (n - i) * range / n in the second, range = end - start, n = steps - 1.
inline Tensor linspace(const Value& start, const Value& end, std::int64_t steps, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) {
  detail::Call c;
  return c.made(bp_linspace(start, end, steps, dtype, device.value(), &c.out, &c.err));
}
inline const Tensor& linspace_out(const Tensor& out, const Value& start, const Value& end, std::int64_t steps) {
  detail::Call c;
  c.done(bp_linspace_into(start, end, steps, out.get(), &c.err));
  return out;
}

// Stable sort along axis; NaN is the largest. indices: where each value came from (i64).
inline std::pair<Tensor, Tensor> sort(const Tensor& x, std::int64_t axis = -1, bool descending = false) {
  detail::CallOf<2> c;
  return c.made(bp_sort(x.get(), axis, descending, &c.out[0], &c.out[1], &c.err));
}

// The indices of sort.
inline Tensor argsort(const Tensor& x, std::int64_t axis = -1, bool descending = false) {
  detail::Call c;
  return c.made(bp_argsort(x.get(), axis, descending, &c.out, &c.err));
}
inline const Tensor& argsort_out(const Tensor& out, const Tensor& x, std::int64_t axis = -1, bool descending = false) {
  detail::Call c;
  c.done(bp_argsort_into(x.get(), axis, descending, out.get(), &c.err));
  return out;
}

// The k largest (or smallest) along axis, best first, ties by position; NaN is the largest.
inline std::pair<Tensor, Tensor> topk(const Tensor& x, std::int64_t k, std::int64_t axis = -1, bool largest = true) {
  detail::CallOf<2> c;
  return c.made(bp_topk(x.get(), k, axis, largest, &c.out[0], &c.out[1], &c.err));
}

// low + (high - low) * u, u in [0, 1): (w0 >> 8) / 2^24 for f32, f16 and bf16 (the f32 result rounded down), ((w0 >> 5) * 2^26 + (w1 >> 6)) / 2^53 for f64.
inline Tensor uniform(const Ints& shape, bp_dtype dtype = BP_DTYPE_NONE, double low = 0, double high = 1, std::int64_t seed = -1, std::int64_t offset = -1, Device device = {}) {
  detail::Call c;
  return c.made(bp_uniform(shape.rank(), shape.data(), dtype, low, high, seed, offset, device.value(), &c.out, &c.err));
}
inline const Tensor& uniform_out(const Tensor& out, double low = 0, double high = 1, std::int64_t seed = -1, std::int64_t offset = -1) {
  detail::Call c;
  c.done(bp_uniform_into(low, high, seed, offset, out.get(), &c.err));
  return out;
}

// mean + std * sqrt(-2 ln((w0 + 1) / 2^32)) * cos(2 pi w1 / 2^32) (Box and Muller, 1958). Devices agree within the bound, or 1e-6 std for f32 and narrower.
inline Tensor normal(const Ints& shape, bp_dtype dtype = BP_DTYPE_NONE, double mean = 0, double std = 1, std::int64_t seed = -1, std::int64_t offset = -1, Device device = {}) {
  detail::Call c;
  return c.made(bp_normal(shape.rank(), shape.data(), dtype, mean, std, seed, offset, device.value(), &c.out, &c.err));
}
inline const Tensor& normal_out(const Tensor& out, double mean = 0, double std = 1, std::int64_t seed = -1, std::int64_t offset = -1) {
  detail::Call c;
  c.done(bp_normal_into(mean, std, seed, offset, out.get(), &c.err));
  return out;
}

// Integers in [low, high): low + floor((w0 + w1 * 2^32) * (high - low) / 2^64).
inline Tensor randint(const Ints& shape, std::int64_t high, bp_dtype dtype = BP_DTYPE_NONE, std::int64_t low = 0, std::int64_t seed = -1, std::int64_t offset = -1, Device device = {}) {
  detail::Call c;
  return c.made(bp_randint(shape.rank(), shape.data(), dtype, low, high, seed, offset, device.value(), &c.out, &c.err));
}
inline const Tensor& randint_out(const Tensor& out, std::int64_t high, std::int64_t low = 0, std::int64_t seed = -1, std::int64_t offset = -1) {
  detail::Call c;
  c.done(bp_randint_into(low, high, seed, offset, out.get(), &c.err));
  return out;
}

// 1 with probability p, else 0: (w0 >> 8) / 2^24 < p.
inline Tensor bernoulli(const Ints& shape, bp_dtype dtype = BP_DTYPE_NONE, double p = 0.5, std::int64_t seed = -1, std::int64_t offset = -1, Device device = {}) {
  detail::Call c;
  return c.made(bp_bernoulli(shape.rank(), shape.data(), dtype, p, seed, offset, device.value(), &c.out, &c.err));
}
inline const Tensor& bernoulli_out(const Tensor& out, double p = 0.5, std::int64_t seed = -1, std::int64_t offset = -1) {
  detail::Call c;
  c.done(bp_bernoulli_into(p, seed, offset, out.get(), &c.err));
  return out;
}

// True where the sign bit is set: x < 0, and -0 and NaN of that sign.
inline Tensor signbit(const Tensor& x) {
  detail::Call c;
  return c.made(bp_signbit(x.get(), &c.out, &c.err));
}
inline const Tensor& signbit_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_signbit_into(x.get(), out.get(), &c.err));
  return out;
}

// ~x of integers; of bools it is logical not.
inline Tensor bitwise_not(const Tensor& x) {
  detail::Call c;
  return c.made(bp_bitwise_not(x.get(), &c.out, &c.err));
}
inline const Tensor& bitwise_not_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_bitwise_not_into(x.get(), out.get(), &c.err));
  return out;
}

// log(1 + exp(beta * x)) / beta; x itself where beta * x is above threshold.
inline Tensor softplus(const Tensor& x, double beta = 1, double threshold = 20) {
  detail::Call c;
  return c.made(bp_softplus(x.get(), beta, threshold, &c.out, &c.err));
}
inline const Tensor& softplus_out(const Tensor& out, const Tensor& x, double beta = 1, double threshold = 20) {
  detail::Call c;
  c.done(bp_softplus_into(x.get(), beta, threshold, out.get(), &c.err));
  return out;
}

// x where x > 0, else alpha * (exp(x) - 1).
inline Tensor elu(const Tensor& x, double alpha = 1) {
  detail::Call c;
  return c.made(bp_elu(x.get(), alpha, &c.out, &c.err));
}
inline const Tensor& elu_out(const Tensor& out, const Tensor& x, double alpha = 1) {
  detail::Call c;
  c.done(bp_elu_into(x.get(), alpha, out.get(), &c.err));
  return out;
}

// x where x > 0, else negative_slope * x.
inline Tensor leaky_relu(const Tensor& x, double negative_slope = 0.01) {
  detail::Call c;
  return c.made(bp_leaky_relu(x.get(), negative_slope, &c.out, &c.err));
}
inline const Tensor& leaky_relu_out(const Tensor& out, const Tensor& x, double negative_slope = 0.01) {
  detail::Call c;
  c.done(bp_leaky_relu_into(x.get(), negative_slope, out.get(), &c.err));
  return out;
}

// x * min(max(x + 3, 0), 6) / 6.
inline Tensor hardswish(const Tensor& x) {
  detail::Call c;
  return c.made(bp_hardswish(x.get(), &c.out, &c.err));
}
inline const Tensor& hardswish_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_hardswish_into(x.get(), out.get(), &c.err));
  return out;
}

// min(max(x + 3, 0), 6) / 6.
inline Tensor hardsigmoid(const Tensor& x) {
  detail::Call c;
  return c.made(bp_hardsigmoid(x.get(), &c.out, &c.err));
}
inline const Tensor& hardsigmoid_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_hardsigmoid_into(x.get(), out.get(), &c.err));
  return out;
}

// x * tanh(softplus(x)).
inline Tensor mish(const Tensor& x) {
  detail::Call c;
  return c.made(bp_mish(x.get(), &c.out, &c.err));
}
inline const Tensor& mish_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_mish_into(x.get(), out.get(), &c.err));
  return out;
}

// x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2: gelu with approximate='tanh'. The bound is relative to x where x is negative.
inline Tensor gelu_tanh(const Tensor& x) {
  detail::Call c;
  return c.made(bp_gelu_tanh(x.get(), &c.out, &c.err));
}
inline const Tensor& gelu_tanh_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_gelu_tanh_into(x.get(), out.get(), &c.err));
  return out;
}

// x kept within min_val and max_val; NaN stays NaN.
inline Tensor hardtanh(const Tensor& x, double min_val = -1, double max_val = 1) {
  detail::Call c;
  return c.made(bp_hardtanh(x.get(), min_val, max_val, &c.out, &c.err));
}
inline const Tensor& hardtanh_out(const Tensor& out, const Tensor& x, double min_val = -1, double max_val = 1) {
  detail::Call c;
  c.done(bp_hardtanh_into(x.get(), min_val, max_val, out.get(), &c.err));
  return out;
}

// min(max(x, 0), 6); NaN stays NaN.
inline Tensor relu6(const Tensor& x) {
  detail::Call c;
  return c.made(bp_relu6(x.get(), &c.out, &c.err));
}
inline const Tensor& relu6_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_relu6_into(x.get(), out.get(), &c.err));
  return out;
}

// x with NaN, inf and -inf replaced: by nan, posinf (none: the dtype's largest) and neginf (none: its lowest). Integers as they are.
inline Tensor nan_to_num(const Tensor& x, double nan = 0, double posinf = std::numeric_limits<double>::quiet_NaN(), double neginf = std::numeric_limits<double>::quiet_NaN()) {
  detail::Call c;
  return c.made(bp_nan_to_num(x.get(), nan, posinf, neginf, &c.out, &c.err));
}
inline const Tensor& nan_to_num_out(const Tensor& out, const Tensor& x, double nan = 0, double posinf = std::numeric_limits<double>::quiet_NaN(), double neginf = std::numeric_limits<double>::quiet_NaN()) {
  detail::Call c;
  c.done(bp_nan_to_num_into(x.get(), nan, posinf, neginf, out.get(), &c.err));
  return out;
}

// min(max(x, min), max), bounds broadcast; max where min > max; NaN where an operand is. PyTorch's clamp.
inline Tensor clip(const Tensor& x, const Tensor& min = {}, const Tensor& max = {}) {
  detail::Call c;
  return c.made(bp_clip(x.get(), min.get(), max.get(), &c.out, &c.err));
}
inline const Tensor& clip_out(const Tensor& out, const Tensor& x, const Tensor& min = {}, const Tensor& max = {}) {
  detail::Call c;
  c.done(bp_clip_into(x.get(), min.get(), max.get(), out.get(), &c.err));
  return out;
}

// start + weight * (end - start), computed from the nearer end. The bound is relative to the largest term.
inline Tensor lerp(const Tensor& start, const Tensor& end, const Value& weight) {
  detail::Call c;
  return c.made(weight.is_tensor() ? bp_lerp(start.get(), end.get(), weight.tensor(), &c.out, &c.err)
      : bp_lerp_scalar(start.get(), end.get(), weight, &c.out, &c.err));
}
inline const Tensor& lerp_out(const Tensor& out, const Tensor& start, const Tensor& end, const Value& weight) {
  if (!weight.is_tensor()) return detail::invoke_out(BP_OP_LERP, out, {start, end, weight});
  detail::Call c;
  c.done(bp_lerp_into(start.get(), end.get(), weight.tensor(), out.get(), &c.err));
  return out;
}

// log(abs(gamma(x))): inf at 0 and negative integers. Below 0 the error is that bound of the largest term of log(pi / abs(sin(pi x))) - lgamma(1 - x).
inline Tensor lgamma(const Tensor& x) {
  detail::Call c;
  return c.made(bp_lgamma(x.get(), &c.out, &c.err));
}
inline const Tensor& lgamma_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_lgamma_into(x.get(), out.get(), &c.err));
  return out;
}

// The derivative of lgamma: -inf at 0, inf at -0, NaN at negative integers. The bound is relative to the largest of the result, log(x + 10) and 1 / x.
inline Tensor digamma(const Tensor& x) {
  detail::Call c;
  return c.made(bp_digamma(x.get(), &c.out, &c.err));
}
inline const Tensor& digamma_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_digamma_into(x.get(), out.get(), &c.err));
  return out;
}

// x + value * a * b. Integers wrap, and take the whole part of value. The bound is relative to the largest term.
inline Tensor addcmul(const Tensor& x, const Tensor& a, const Value& b, double value = 1) {
  detail::Call c;
  return c.made(b.is_tensor() ? bp_addcmul(x.get(), a.get(), b.tensor(), value, &c.out, &c.err)
      : bp_addcmul_scalar(x.get(), a.get(), b, value, &c.out, &c.err));
}
inline const Tensor& addcmul_out(const Tensor& out, const Tensor& x, const Tensor& a, const Value& b, double value = 1) {
  if (!b.is_tensor()) return detail::invoke_out(BP_OP_ADDCMUL, out, {x, a, b});
  detail::Call c;
  c.done(bp_addcmul_into(x.get(), a.get(), b.tensor(), value, out.get(), &c.err));
  return out;
}

// x + value * a / b; integers give the default float dtype. The bound is relative to the largest term.
inline Tensor addcdiv(const Tensor& x, const Tensor& a, const Value& b, double value = 1) {
  detail::Call c;
  return c.made(b.is_tensor() ? bp_addcdiv(x.get(), a.get(), b.tensor(), value, &c.out, &c.err)
      : bp_addcdiv_scalar(x.get(), a.get(), b, value, &c.out, &c.err));
}
inline const Tensor& addcdiv_out(const Tensor& out, const Tensor& x, const Tensor& a, const Value& b, double value = 1) {
  if (!b.is_tensor()) return detail::invoke_out(BP_OP_ADDCDIV, out, {x, a, b});
  detail::Call c;
  c.done(bp_addcdiv_into(x.get(), a.get(), b.tensor(), value, out.get(), &c.err));
  return out;
}

// The k-th least element along axis, which stays with size 1, and its place; k counts from 1, ties by position, NaN is the largest.
inline std::pair<Tensor, Tensor> kthvalue(const Tensor& x, std::int64_t k, std::int64_t axis = -1) {
  detail::CallOf<2> c;
  return c.made(bp_kthvalue(x.get(), k, axis, &c.out[0], &c.out[1], &c.err));
}

// Standard deviation over axes: the square root of var.
inline Tensor std(const Tensor& x, const Ints& axes = {}, bool keepdims = false, double correction = 1) {
  detail::Call c;
  return c.made(bp_std(x.get(), axes.data(), axes.size(), keepdims, correction, &c.out, &c.err));
}
inline const Tensor& std_out(const Tensor& out, const Tensor& x, const Ints& axes = {}, bool keepdims = false, double correction = 1) {
  detail::Call c;
  c.done(bp_std_into(x.get(), axes.data(), axes.size(), keepdims, correction, out.get(), &c.err));
  return out;
}

// log(sum(exp(x))) over axes without overflow on the way; -inf of nothing. The bound is relative to the largest term.
inline Tensor logsumexp(const Tensor& x, const Ints& axes = {}, bool keepdims = false) {
  detail::Call c;
  return c.made(bp_logsumexp(x.get(), axes.data(), axes.size(), keepdims, &c.out, &c.err));
}
inline const Tensor& logsumexp_out(const Tensor& out, const Tensor& x, const Ints& axes = {}, bool keepdims = false) {
  detail::Call c;
  c.done(bp_logsumexp_into(x.get(), axes.data(), axes.size(), keepdims, out.get(), &c.err));
  return out;
}

// sum(|x|^ord)^(1/ord) over axes; ord inf and -inf: the largest and the smallest |x|, 0: how many are not zero. Of complex numbers it is real. The gradient is 0 where the norm is.
inline Tensor vector_norm(const Tensor& x, const Ints& axes = {}, bool keepdims = false, double ord = 2) {
  detail::Call c;
  return c.made(bp_vector_norm(x.get(), axes.data(), axes.size(), keepdims, ord, &c.out, &c.err));
}
inline const Tensor& vector_norm_out(const Tensor& out, const Tensor& x, const Ints& axes = {}, bool keepdims = false, double ord = 2) {
  detail::Call c;
  c.done(bp_vector_norm_into(x.get(), axes.data(), axes.size(), keepdims, ord, out.get(), &c.err));
  return out;
}

// How many are not zero over axes (i64); NaN is not.
inline Tensor count_nonzero(const Tensor& x, const Ints& axes = {}, bool keepdims = false) {
  detail::Call c;
  return c.made(bp_count_nonzero(x.get(), axes.data(), axes.size(), keepdims, &c.out, &c.err));
}
inline const Tensor& count_nonzero_out(const Tensor& out, const Tensor& x, const Ints& axes = {}, bool keepdims = false) {
  detail::Call c;
  c.done(bp_count_nonzero_into(x.get(), axes.data(), axes.size(), keepdims, out.get(), &c.err));
  return out;
}

// Differences of neighbours along axis, n times; of bools whether they differ.
inline Tensor diff(const Tensor& x, std::int64_t n = 1, std::int64_t axis = -1) {
  detail::Call c;
  return c.made(bp_diff(x.get(), n, axis, &c.out, &c.err));
}
inline const Tensor& diff_out(const Tensor& out, const Tensor& x, std::int64_t n = 1, std::int64_t axis = -1) {
  detail::Call c;
  c.done(bp_diff_into(x.get(), n, axis, out.get(), &c.err));
  return out;
}

// Elements moved by shift along axis, what falls off coming in again; without axis as one line.
inline Tensor roll(const Tensor& x, const Ints& shift = {}, const Ints& axis = {}) {
  detail::Call c;
  return c.made(bp_roll(x.get(), shift.data(), shift.size(), axis.data(), axis.size(), &c.out, &c.err));
}
inline const Tensor& roll_out(const Tensor& out, const Tensor& x, const Ints& shift = {}, const Ints& axis = {}) {
  detail::Call c;
  c.done(bp_roll_into(x.get(), shift.data(), shift.size(), axis.data(), axis.size(), out.get(), &c.err));
  return out;
}

// Each element of axis repeats times in a row; without axis of the flattened tensor. PyTorch's repeat_interleave.
inline Tensor repeat(const Tensor& x, std::int64_t repeats, const Ints& axis = {}) {
  detail::Call c;
  return c.made(bp_repeat(x.get(), repeats, axis.data(), axis.size(), &c.out, &c.err));
}
inline const Tensor& repeat_out(const Tensor& out, const Tensor& x, std::int64_t repeats, const Ints& axis = {}) {
  detail::Call c;
  c.done(bp_repeat_into(x.get(), repeats, axis.data(), axis.size(), out.get(), &c.err));
  return out;
}

// The whole repeated along each of the last axes.
inline Tensor tile(const Tensor& x, const Ints& repetitions = {}) {
  detail::Call c;
  return c.made(bp_tile(x.get(), repetitions.data(), repetitions.size(), &c.out, &c.err));
}
inline const Tensor& tile_out(const Tensor& out, const Tensor& x, const Ints& repetitions = {}) {
  detail::Call c;
  c.done(bp_tile_into(x.get(), repetitions.data(), repetitions.size(), out.get(), &c.err));
  return out;
}

// Of each matrix the elements on and below the diagonal (counted to the right), else 0.
inline Tensor tril(const Tensor& x, std::int64_t diagonal = 0) {
  detail::Call c;
  return c.made(bp_tril(x.get(), diagonal, &c.out, &c.err));
}
inline const Tensor& tril_out(const Tensor& out, const Tensor& x, std::int64_t diagonal = 0) {
  detail::Call c;
  c.done(bp_tril_into(x.get(), diagonal, out.get(), &c.err));
  return out;
}

// Of each matrix the elements on and above the diagonal (counted to the right), else 0.
inline Tensor triu(const Tensor& x, std::int64_t diagonal = 0) {
  detail::Call c;
  return c.made(bp_triu(x.get(), diagonal, &c.out, &c.err));
}
inline const Tensor& triu_out(const Tensor& out, const Tensor& x, std::int64_t diagonal = 0) {
  detail::Call c;
  c.done(bp_triu_into(x.get(), diagonal, out.get(), &c.err));
  return out;
}

// Elements added before and after: pad holds two numbers for the last axis, then for the one before it, ...; negative ones take away. mode: constant (value), reflect (without the edge), replicate (the edge), circular (of what negative numbers leave).
inline Tensor pad(const Tensor& x, const Ints& pad = {}, const char* mode = "constant", double value = 0) {
  detail::Call c;
  return c.made(bp_pad(x.get(), pad.data(), pad.size(), mode, value, &c.out, &c.err));
}
inline const Tensor& pad_out(const Tensor& out, const Tensor& x, const Ints& pad = {}, const char* mode = "constant", double value = 0) {
  detail::Call c;
  c.done(bp_pad_into(x.get(), pad.data(), pad.size(), mode, value, out.get(), &c.err));
  return out;
}

// out[i, j] = a[i] * b[j] of two 1-D tensors.
inline Tensor outer(const Tensor& a, const Tensor& b) {
  detail::Call c;
  return c.made(bp_outer(a.get(), b.get(), &c.out, &c.err));
}
inline const Tensor& outer_out(const Tensor& out, const Tensor& a, const Tensor& b) {
  detail::Call c;
  c.done(bp_outer_into(a.get(), b.get(), out.get(), &c.err));
  return out;
}

// Sum of a * b along axis, of conj(a) * b where they are complex, broadcast elsewhere. Error as matmul.
inline Tensor vecdot(const Tensor& a, const Tensor& b, std::int64_t axis = -1) {
  detail::Call c;
  return c.made(bp_vecdot(a.get(), b.get(), axis, &c.out, &c.err));
}
inline const Tensor& vecdot_out(const Tensor& out, const Tensor& a, const Tensor& b, std::int64_t axis = -1) {
  detail::Call c;
  c.done(bp_vecdot_into(a.get(), b.get(), axis, out.get(), &c.err));
  return out;
}

// Sum of products over axes_a of a and axes_b of b, pair by pair; what is left of a, then of b. Error as matmul.
inline Tensor tensordot(const Tensor& a, const Tensor& b, const Ints& axes_a = {}, const Ints& axes_b = {}) {
  detail::Call c;
  return c.made(bp_tensordot(a.get(), b.get(), axes_a.data(), axes_a.size(), axes_b.data(), axes_b.size(), &c.out, &c.err));
}
inline const Tensor& tensordot_out(const Tensor& out, const Tensor& a, const Tensor& b, const Ints& axes_a = {}, const Ints& axes_b = {}) {
  detail::Call c;
  c.done(bp_tensordot_into(a.get(), b.get(), axes_a.data(), axes_a.size(), axes_b.data(), axes_b.size(), out.get(), &c.err));
  return out;
}

// Sum along the diagonal of each matrix, offset to the right; dtypes and bound as sum.
inline Tensor trace(const Tensor& x, std::int64_t offset = 0, bp_dtype dtype = BP_DTYPE_NONE) {
  detail::Call c;
  return c.made(bp_trace(x.get(), offset, dtype, &c.out, &c.err));
}
inline const Tensor& trace_out(const Tensor& out, const Tensor& x, std::int64_t offset = 0, bp_dtype dtype = BP_DTYPE_NONE) {
  detail::Call c;
  c.done(bp_trace_into(x.get(), offset, dtype, out.get(), &c.err));
  return out;
}

// Vector product along an axis of 3. The bound is relative to the products that are subtracted.
inline Tensor cross(const Tensor& a, const Tensor& b, std::int64_t axis = -1) {
  detail::Call c;
  return c.made(bp_cross(a.get(), b.get(), axis, &c.out, &c.err));
}
inline const Tensor& cross_out(const Tensor& out, const Tensor& a, const Tensor& b, std::int64_t axis = -1) {
  detail::Call c;
  c.done(bp_cross_into(a.get(), b.get(), axis, out.get(), &c.err));
  return out;
}

// Kronecker product: every element of a times the whole of b, in its place.
inline Tensor kron(const Tensor& a, const Tensor& b) {
  detail::Call c;
  return c.made(bp_kron(a.get(), b.get(), &c.out, &c.err));
}
inline const Tensor& kron_out(const Tensor& out, const Tensor& a, const Tensor& b) {
  detail::Call c;
  c.done(bp_kron_into(a.get(), b.get(), out.get(), &c.err));
  return out;
}

// x with out[.., index[.., j, ..], ..] = src[.., j, ..]; of equal indices the last wins. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu.
inline Tensor scatter(const Tensor& x, const Tensor& index, const Tensor& src, std::int64_t axis) {
  detail::Call c;
  return c.made(bp_scatter(x.get(), index.get(), src.get(), axis, &c.out, &c.err));
}
inline const Tensor& scatter_out(const Tensor& out, const Tensor& x, const Tensor& index, const Tensor& src, std::int64_t axis) {
  detail::Call c;
  c.done(bp_scatter_into(x.get(), index.get(), src.get(), axis, out.get(), &c.err));
  return out;
}

// scatter that adds, in the order of j on every device. Of bools it is logical or. The bound is relative to the sum of magnitudes, for a few terms.
inline Tensor scatter_add(const Tensor& x, const Tensor& index, const Tensor& src, std::int64_t axis) {
  detail::Call c;
  return c.made(bp_scatter_add(x.get(), index.get(), src.get(), axis, &c.out, &c.err));
}
inline const Tensor& scatter_add_out(const Tensor& out, const Tensor& x, const Tensor& index, const Tensor& src, std::int64_t axis) {
  detail::Call c;
  c.done(bp_scatter_add_into(x.get(), index.get(), src.get(), axis, out.get(), &c.err));
  return out;
}

// x with alpha * slice j of source added to slice index[j] along axis, in the order of j.
inline Tensor index_add(const Tensor& x, const Tensor& index, const Tensor& source, std::int64_t axis, double alpha = 1) {
  detail::Call c;
  return c.made(bp_index_add(x.get(), index.get(), source.get(), axis, alpha, &c.out, &c.err));
}
inline const Tensor& index_add_out(const Tensor& out, const Tensor& x, const Tensor& index, const Tensor& source, std::int64_t axis, double alpha = 1) {
  detail::Call c;
  c.done(bp_index_add_into(x.get(), index.get(), source.get(), axis, alpha, out.get(), &c.err));
  return out;
}

// x, and value (a number or 0-dim) where mask is true; mask and x broadcast.
inline Tensor masked_fill(const Tensor& x, const Tensor& mask, const Value& value) {
  detail::Call c;
  return c.made(value.is_tensor() ? bp_masked_fill(x.get(), mask.get(), value.tensor(), &c.out, &c.err)
      : bp_masked_fill_scalar(x.get(), mask.get(), value, &c.out, &c.err));
}
inline const Tensor& masked_fill_out(const Tensor& out, const Tensor& x, const Tensor& mask, const Value& value) {
  if (!value.is_tensor()) return detail::invoke_out(BP_OP_MASKED_FILL, out, {x, mask, value});
  detail::Call c;
  c.done(bp_masked_fill_into(x.get(), mask.get(), value.tensor(), out.get(), &c.err));
  return out;
}

// For each value the first position (i64) in the sorted 1-D sequence whose element is not less than it; right: is greater. NaN is the largest.
inline Tensor searchsorted(const Tensor& sorted_sequence, const Tensor& values, bool right = false) {
  detail::Call c;
  return c.made(bp_searchsorted(sorted_sequence.get(), values.get(), right, &c.out, &c.err));
}
inline const Tensor& searchsorted_out(const Tensor& out, const Tensor& sorted_sequence, const Tensor& values, bool right = false) {
  detail::Call c;
  c.done(bp_searchsorted_into(sorted_sequence.get(), values.get(), right, out.get(), &c.err));
  return out;
}

// Sums of products: a letter of the equation names an axis, as in "bij,bjk->bik"; letters that the result does not have are summed, "..." stands for the axes without one, and without "->" the result has the letters that stand once, in alphabetical order. Operands are joined from the left. Error as matmul.
inline Tensor einsum(const std::vector<Tensor>& operands, const char* equation) {
  detail::Call c;
  return c.made(bp_einsum(detail::handles(operands).data(), static_cast<std::uint32_t>(operands.size()), equation, &c.out, &c.err));
}
inline const Tensor& einsum_out(const Tensor& out, const std::vector<Tensor>& operands, const char* equation) {
  detail::Call c;
  c.done(bp_einsum_into(detail::handles(operands).data(), static_cast<std::uint32_t>(operands.size()), equation, out.get(), &c.err));
  return out;
}

// x weight^T + bias: [.., in] with a weight [out, in] and a bias [out] is [.., out]; activation is none or relu, of the sum. Equal dtypes. Error as matmul, and one rounding of the result for the bias.
inline Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, const char* activation = "none") {
  detail::Call c;
  return c.made(bp_linear(x.get(), weight.get(), bias.get(), activation, &c.out, &c.err));
}
inline const Tensor& linear_out(const Tensor& out, const Tensor& x, const Tensor& weight, const Tensor& bias = {}, const char* activation = "none") {
  detail::Call c;
  c.done(bp_linear_into(x.get(), weight.get(), bias.get(), activation, out.get(), &c.err));
  return out;
}

// (input - target)^2. reduction: none, mean or sum.
inline Tensor mse_loss(const Tensor& input, const Tensor& target, const char* reduction = "mean") {
  detail::Call c;
  return c.made(bp_mse_loss(input.get(), target.get(), reduction, &c.out, &c.err));
}
inline const Tensor& mse_loss_out(const Tensor& out, const Tensor& input, const Tensor& target, const char* reduction = "mean") {
  detail::Call c;
  c.done(bp_mse_loss_into(input.get(), target.get(), reduction, out.get(), &c.err));
  return out;
}

// |input - target|. reduction: none, mean or sum.
inline Tensor l1_loss(const Tensor& input, const Tensor& target, const char* reduction = "mean") {
  detail::Call c;
  return c.made(bp_l1_loss(input.get(), target.get(), reduction, &c.out, &c.err));
}
inline const Tensor& l1_loss_out(const Tensor& out, const Tensor& input, const Tensor& target, const char* reduction = "mean") {
  detail::Call c;
  c.done(bp_l1_loss_into(input.get(), target.get(), reduction, out.get(), &c.err));
  return out;
}

// d^2 / 2 where d = |input - target| is below delta, else delta * (d - delta / 2). reduction: none, mean or sum.
inline Tensor huber_loss(const Tensor& input, const Tensor& target, const char* reduction = "mean", double delta = 1) {
  detail::Call c;
  return c.made(bp_huber_loss(input.get(), target.get(), reduction, delta, &c.out, &c.err));
}
inline const Tensor& huber_loss_out(const Tensor& out, const Tensor& input, const Tensor& target, const char* reduction = "mean", double delta = 1) {
  detail::Call c;
  c.done(bp_huber_loss_into(input.get(), target.get(), reduction, delta, out.get(), &c.err));
  return out;
}

// d^2 / (2 * beta) where d = |input - target| is below beta, else d - beta / 2.
inline Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, const char* reduction = "mean", double beta = 1) {
  detail::Call c;
  return c.made(bp_smooth_l1_loss(input.get(), target.get(), reduction, beta, &c.out, &c.err));
}
inline const Tensor& smooth_l1_loss_out(const Tensor& out, const Tensor& input, const Tensor& target, const char* reduction = "mean", double beta = 1) {
  detail::Call c;
  c.done(bp_smooth_l1_loss_into(input.get(), target.get(), reduction, beta, out.get(), &c.err));
  return out;
}

// -(target * log(input) + (1 - target) * log(1 - input)), logarithms at least -100, times weight.
inline Tensor binary_cross_entropy(const Tensor& input, const Tensor& target, const Tensor& weight = {}, const char* reduction = "mean") {
  detail::Call c;
  return c.made(bp_binary_cross_entropy(input.get(), target.get(), weight.get(), reduction, &c.out, &c.err));
}
inline const Tensor& binary_cross_entropy_out(const Tensor& out, const Tensor& input, const Tensor& target, const Tensor& weight = {}, const char* reduction = "mean") {
  detail::Call c;
  c.done(bp_binary_cross_entropy_into(input.get(), target.get(), weight.get(), reduction, out.get(), &c.err));
  return out;
}

// binary_cross_entropy of sigmoid(input) without its overflow; pos_weight weighs positive targets.
inline Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target, const Tensor& weight = {}, const Tensor& pos_weight = {}, const char* reduction = "mean") {
  detail::Call c;
  return c.made(bp_binary_cross_entropy_with_logits(input.get(), target.get(), weight.get(), pos_weight.get(), reduction, &c.out, &c.err));
}
inline const Tensor& binary_cross_entropy_with_logits_out(const Tensor& out, const Tensor& input, const Tensor& target, const Tensor& weight = {}, const Tensor& pos_weight = {}, const char* reduction = "mean") {
  detail::Call c;
  c.done(bp_binary_cross_entropy_with_logits_into(input.get(), target.get(), weight.get(), pos_weight.get(), reduction, out.get(), &c.err));
  return out;
}

// -weight[target] * input[.., target, ..] for input [N, C, ..] or [C]; 0 where target is ignore_index. The mean is that of weights.
inline Tensor nll_loss(const Tensor& input, const Tensor& target, const Tensor& weight = {}, std::int64_t ignore_index = -100, const char* reduction = "mean") {
  detail::Call c;
  return c.made(bp_nll_loss(input.get(), target.get(), weight.get(), ignore_index, reduction, &c.out, &c.err));
}
inline const Tensor& nll_loss_out(const Tensor& out, const Tensor& input, const Tensor& target, const Tensor& weight = {}, std::int64_t ignore_index = -100, const char* reduction = "mean") {
  detail::Call c;
  c.done(bp_nll_loss_into(input.get(), target.get(), weight.get(), ignore_index, reduction, out.get(), &c.err));
  return out;
}

// nll_loss of log_softmax(input); a floating target holds probabilities of classes. label_smoothing mixes in the uniform distribution.
inline Tensor cross_entropy(const Tensor& input, const Tensor& target, const Tensor& weight = {}, std::int64_t ignore_index = -100, const char* reduction = "mean", double label_smoothing = 0) {
  detail::Call c;
  return c.made(bp_cross_entropy(input.get(), target.get(), weight.get(), ignore_index, reduction, label_smoothing, &c.out, &c.err));
}
inline const Tensor& cross_entropy_out(const Tensor& out, const Tensor& input, const Tensor& target, const Tensor& weight = {}, std::int64_t ignore_index = -100, const char* reduction = "mean", double label_smoothing = 0) {
  detail::Call c;
  c.done(bp_cross_entropy_into(input.get(), target.get(), weight.get(), ignore_index, reduction, label_smoothing, out.get(), &c.err));
  return out;
}

// The running statistics after a batch x [N, C, ..] of batch_norm's training: (1 - momentum) * running + momentum * x's own, the variance with n - 1. Written in place by giving them as results.
inline std::pair<Tensor, Tensor> batch_norm_running(const Tensor& x, const Tensor& running_mean, const Tensor& running_var, double momentum = 0.1) {
  detail::CallOf<2> c;
  return c.made(bp_batch_norm_running(x.get(), running_mean.get(), running_var.get(), momentum, &c.out[0], &c.out[1], &c.err));
}

// (x - mean) / sqrt(var + eps) * weight + bias over the last dims, var without correction. The bound is relative to the largest term.
inline Tensor layer_norm(const Tensor& x, const Ints& normalized_shape, const Tensor& weight = {}, const Tensor& bias = {}, double eps = 1e-05) {
  detail::Call c;
  return c.made(bp_layer_norm(x.get(), weight.get(), bias.get(), normalized_shape.data(), normalized_shape.size(), eps, &c.out, &c.err));
}
inline const Tensor& layer_norm_out(const Tensor& out, const Tensor& x, const Ints& normalized_shape, const Tensor& weight = {}, const Tensor& bias = {}, double eps = 1e-05) {
  detail::Call c;
  c.done(bp_layer_norm_into(x.get(), weight.get(), bias.get(), normalized_shape.data(), normalized_shape.size(), eps, out.get(), &c.err));
  return out;
}

// x / sqrt(mean(x^2) + eps) * weight over the last dims; eps none: the dtype's epsilon (f32's for halves).
inline Tensor rms_norm(const Tensor& x, const Ints& normalized_shape, const Tensor& weight = {}, double eps = std::numeric_limits<double>::quiet_NaN()) {
  detail::Call c;
  return c.made(bp_rms_norm(x.get(), weight.get(), normalized_shape.data(), normalized_shape.size(), eps, &c.out, &c.err));
}
inline const Tensor& rms_norm_out(const Tensor& out, const Tensor& x, const Ints& normalized_shape, const Tensor& weight = {}, double eps = std::numeric_limits<double>::quiet_NaN()) {
  detail::Call c;
  c.done(bp_rms_norm_into(x.get(), weight.get(), normalized_shape.data(), normalized_shape.size(), eps, out.get(), &c.err));
  return out;
}

// x [N, C, ..] normalized for each channel by the running statistics, or in training by its own mean and variance; running statistics are not changed. The bound is relative to the largest term.
inline Tensor batch_norm(const Tensor& x, const Tensor& running_mean = {}, const Tensor& running_var = {}, const Tensor& weight = {}, const Tensor& bias = {}, bool training = false, double eps = 1e-05) {
  detail::Call c;
  return c.made(bp_batch_norm(x.get(), running_mean.get(), running_var.get(), weight.get(), bias.get(), training, eps, &c.out, &c.err));
}
inline const Tensor& batch_norm_out(const Tensor& out, const Tensor& x, const Tensor& running_mean = {}, const Tensor& running_var = {}, const Tensor& weight = {}, const Tensor& bias = {}, bool training = false, double eps = 1e-05) {
  detail::Call c;
  c.done(bp_batch_norm_into(x.get(), running_mean.get(), running_var.get(), weight.get(), bias.get(), training, eps, out.get(), &c.err));
  return out;
}

// x [N, C, ..] normalized over each of num_groups groups of channels. The bound is relative to the largest term.
inline Tensor group_norm(const Tensor& x, std::int64_t num_groups, const Tensor& weight = {}, const Tensor& bias = {}, double eps = 1e-05) {
  detail::Call c;
  return c.made(bp_group_norm(x.get(), weight.get(), bias.get(), num_groups, eps, &c.out, &c.err));
}
inline const Tensor& group_norm_out(const Tensor& out, const Tensor& x, std::int64_t num_groups, const Tensor& weight = {}, const Tensor& bias = {}, double eps = 1e-05) {
  detail::Call c;
  c.done(bp_group_norm_into(x.get(), weight.get(), bias.get(), num_groups, eps, out.get(), &c.err));
  return out;
}

// Row input[..] of weight for each index; indices as index_select.
inline Tensor embedding(const Tensor& input, const Tensor& weight) {
  detail::Call c;
  return c.made(bp_embedding(input.get(), weight.get(), &c.out, &c.err));
}
inline const Tensor& embedding_out(const Tensor& out, const Tensor& input, const Tensor& weight) {
  detail::Call c;
  c.done(bp_embedding_into(input.get(), weight.get(), out.get(), &c.err));
  return out;
}

// x / (1 - p) where bernoulli(1 - p) of the same seed and offset is 1, else 0.
inline Tensor dropout(const Tensor& x, double p = 0.5, std::int64_t seed = -1, std::int64_t offset = -1) {
  detail::Call c;
  return c.made(bp_dropout(x.get(), p, seed, offset, &c.out, &c.err));
}
inline const Tensor& dropout_out(const Tensor& out, const Tensor& x, double p = 0.5, std::int64_t seed = -1, std::int64_t offset = -1) {
  detail::Call c;
  c.done(bp_dropout_into(x.get(), p, seed, offset, out.get(), &c.err));
  return out;
}

// softmax(query x key^T * scale + attn_mask) x value. scale none: 1 / sqrt(E). A bool mask is true where a key takes part (none: 0); is_causal: keys up to the query's own position. The bound is relative to the largest value.
inline Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& attn_mask = {}, bool is_causal = false, double scale = std::numeric_limits<double>::quiet_NaN()) {
  detail::Call c;
  return c.made(bp_scaled_dot_product_attention(query.get(), key.get(), value.get(), attn_mask.get(), is_causal, scale, &c.out, &c.err));
}
inline const Tensor& scaled_dot_product_attention_out(const Tensor& out, const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& attn_mask = {}, bool is_causal = false, double scale = std::numeric_limits<double>::quiet_NaN()) {
  detail::Call c;
  c.done(bp_scaled_dot_product_attention_into(query.get(), key.get(), value.get(), attn_mask.get(), is_causal, scale, out.get(), &c.err));
  return out;
}

// Rotary positions (Su et al., 2021): pairs (a, b) of the last dim's halves, or of neighbours when interleaved, become (a cos - b sin, b cos + a sin); cos and sin are of half its size. The bound is relative to the products.
inline Tensor rope(const Tensor& x, const Tensor& cos, const Tensor& sin, bool interleaved = false) {
  detail::Call c;
  return c.made(bp_rope(x.get(), cos.get(), sin.get(), interleaved, &c.out, &c.err));
}
inline const Tensor& rope_out(const Tensor& out, const Tensor& x, const Tensor& cos, const Tensor& sin, bool interleaved = false) {
  detail::Call c;
  c.done(bp_rope_into(x.get(), cos.get(), sin.get(), interleaved, out.get(), &c.err));
  return out;
}

// max_pool, and where in its channel's row-major elements each value is (i64): the first of equal ones.
inline std::pair<Tensor, Tensor> max_pool2d_with_indices(const Tensor& input, const Ints& kernel_size, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, bool ceil_mode = false) {
  detail::CallOf<2> c;
  return c.made(bp_max_pool2d_with_indices(input.get(), kernel_size.data(), kernel_size.size(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), ceil_mode, &c.out[0], &c.out[1], &c.err));
}

// max_pool, and where in its channel's row-major elements each value is (i64): the first of equal ones.
inline std::pair<Tensor, Tensor> max_pool3d_with_indices(const Tensor& input, const Ints& kernel_size, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, bool ceil_mode = false) {
  detail::CallOf<2> c;
  return c.made(bp_max_pool3d_with_indices(input.get(), kernel_size.data(), kernel_size.size(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), ceil_mode, &c.out[0], &c.out[1], &c.err));
}

// Convolution (without turning the kernel) of input [N, C, size] or [C, size] with weight [O, C / groups, kernel], plus bias. Lists have a number for each spatial dim or one for all. Error as matmul.
inline Tensor conv1d(const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, std::int64_t groups = 1) {
  detail::Call c;
  return c.made(bp_conv1d(input.get(), weight.get(), bias.get(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), groups, &c.out, &c.err));
}
inline const Tensor& conv1d_out(const Tensor& out, const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, std::int64_t groups = 1) {
  detail::Call c;
  c.done(bp_conv1d_into(input.get(), weight.get(), bias.get(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), groups, out.get(), &c.err));
  return out;
}

// Convolution (without turning the kernel) of input [N, C, size] or [C, size] with weight [O, C / groups, kernel], plus bias. Lists have a number for each spatial dim or one for all. Error as matmul.
inline Tensor conv2d(const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, std::int64_t groups = 1) {
  detail::Call c;
  return c.made(bp_conv2d(input.get(), weight.get(), bias.get(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), groups, &c.out, &c.err));
}
inline const Tensor& conv2d_out(const Tensor& out, const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, std::int64_t groups = 1) {
  detail::Call c;
  c.done(bp_conv2d_into(input.get(), weight.get(), bias.get(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), groups, out.get(), &c.err));
  return out;
}

// Convolution (without turning the kernel) of input [N, C, size] or [C, size] with weight [O, C / groups, kernel], plus bias. Lists have a number for each spatial dim or one for all. Error as matmul.
inline Tensor conv3d(const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, std::int64_t groups = 1) {
  detail::Call c;
  return c.made(bp_conv3d(input.get(), weight.get(), bias.get(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), groups, &c.out, &c.err));
}
inline const Tensor& conv3d_out(const Tensor& out, const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, std::int64_t groups = 1) {
  detail::Call c;
  c.done(bp_conv3d_into(input.get(), weight.get(), bias.get(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), groups, out.get(), &c.err));
  return out;
}

// The gradient of a convolution towards its input, plus bias; weight is [C, O / groups, kernel]. Error as matmul.
inline Tensor conv_transpose1d(const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const Ints& stride = {}, const Ints& padding = {}, const Ints& output_padding = {}, std::int64_t groups = 1, const Ints& dilation = {}) {
  detail::Call c;
  return c.made(bp_conv_transpose1d(input.get(), weight.get(), bias.get(), stride.data(), stride.size(), padding.data(), padding.size(), output_padding.data(), output_padding.size(), groups, dilation.data(), dilation.size(), &c.out, &c.err));
}
inline const Tensor& conv_transpose1d_out(const Tensor& out, const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const Ints& stride = {}, const Ints& padding = {}, const Ints& output_padding = {}, std::int64_t groups = 1, const Ints& dilation = {}) {
  detail::Call c;
  c.done(bp_conv_transpose1d_into(input.get(), weight.get(), bias.get(), stride.data(), stride.size(), padding.data(), padding.size(), output_padding.data(), output_padding.size(), groups, dilation.data(), dilation.size(), out.get(), &c.err));
  return out;
}

// The gradient of a convolution towards its input, plus bias; weight is [C, O / groups, kernel]. Error as matmul.
inline Tensor conv_transpose2d(const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const Ints& stride = {}, const Ints& padding = {}, const Ints& output_padding = {}, std::int64_t groups = 1, const Ints& dilation = {}) {
  detail::Call c;
  return c.made(bp_conv_transpose2d(input.get(), weight.get(), bias.get(), stride.data(), stride.size(), padding.data(), padding.size(), output_padding.data(), output_padding.size(), groups, dilation.data(), dilation.size(), &c.out, &c.err));
}
inline const Tensor& conv_transpose2d_out(const Tensor& out, const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const Ints& stride = {}, const Ints& padding = {}, const Ints& output_padding = {}, std::int64_t groups = 1, const Ints& dilation = {}) {
  detail::Call c;
  c.done(bp_conv_transpose2d_into(input.get(), weight.get(), bias.get(), stride.data(), stride.size(), padding.data(), padding.size(), output_padding.data(), output_padding.size(), groups, dilation.data(), dilation.size(), out.get(), &c.err));
  return out;
}

// The gradient of a convolution towards its input, plus bias; weight is [C, O / groups, kernel]. Error as matmul.
inline Tensor conv_transpose3d(const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const Ints& stride = {}, const Ints& padding = {}, const Ints& output_padding = {}, std::int64_t groups = 1, const Ints& dilation = {}) {
  detail::Call c;
  return c.made(bp_conv_transpose3d(input.get(), weight.get(), bias.get(), stride.data(), stride.size(), padding.data(), padding.size(), output_padding.data(), output_padding.size(), groups, dilation.data(), dilation.size(), &c.out, &c.err));
}
inline const Tensor& conv_transpose3d_out(const Tensor& out, const Tensor& input, const Tensor& weight, const Tensor& bias = {}, const Ints& stride = {}, const Ints& padding = {}, const Ints& output_padding = {}, std::int64_t groups = 1, const Ints& dilation = {}) {
  detail::Call c;
  c.done(bp_conv_transpose3d_into(input.get(), weight.get(), bias.get(), stride.data(), stride.size(), padding.data(), padding.size(), output_padding.data(), output_padding.size(), groups, dilation.data(), dilation.size(), out.get(), &c.err));
  return out;
}

// The largest of each window; NaN when one is there. stride none: kernel_size.
inline Tensor max_pool1d(const Tensor& input, const Ints& kernel_size, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, bool ceil_mode = false) {
  detail::Call c;
  return c.made(bp_max_pool1d(input.get(), kernel_size.data(), kernel_size.size(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), ceil_mode, &c.out, &c.err));
}
inline const Tensor& max_pool1d_out(const Tensor& out, const Tensor& input, const Ints& kernel_size, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, bool ceil_mode = false) {
  detail::Call c;
  c.done(bp_max_pool1d_into(input.get(), kernel_size.data(), kernel_size.size(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), ceil_mode, out.get(), &c.err));
  return out;
}

// The largest of each window; NaN when one is there. stride none: kernel_size.
inline Tensor max_pool2d(const Tensor& input, const Ints& kernel_size, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, bool ceil_mode = false) {
  detail::Call c;
  return c.made(bp_max_pool2d(input.get(), kernel_size.data(), kernel_size.size(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), ceil_mode, &c.out, &c.err));
}
inline const Tensor& max_pool2d_out(const Tensor& out, const Tensor& input, const Ints& kernel_size, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, bool ceil_mode = false) {
  detail::Call c;
  c.done(bp_max_pool2d_into(input.get(), kernel_size.data(), kernel_size.size(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), ceil_mode, out.get(), &c.err));
  return out;
}

// The mean of each window, padding counted as zeros or, without count_include_pad, not at all. The bound is of sum's kind.
inline Tensor avg_pool1d(const Tensor& input, const Ints& kernel_size, const Ints& stride = {}, const Ints& padding = {}, bool ceil_mode = false, bool count_include_pad = true) {
  detail::Call c;
  return c.made(bp_avg_pool1d(input.get(), kernel_size.data(), kernel_size.size(), stride.data(), stride.size(), padding.data(), padding.size(), ceil_mode, count_include_pad, &c.out, &c.err));
}
inline const Tensor& avg_pool1d_out(const Tensor& out, const Tensor& input, const Ints& kernel_size, const Ints& stride = {}, const Ints& padding = {}, bool ceil_mode = false, bool count_include_pad = true) {
  detail::Call c;
  c.done(bp_avg_pool1d_into(input.get(), kernel_size.data(), kernel_size.size(), stride.data(), stride.size(), padding.data(), padding.size(), ceil_mode, count_include_pad, out.get(), &c.err));
  return out;
}

// The mean of each window, padding counted as zeros or, without count_include_pad, not at all. The bound is of sum's kind.
inline Tensor avg_pool2d(const Tensor& input, const Ints& kernel_size, const Ints& stride = {}, const Ints& padding = {}, bool ceil_mode = false, bool count_include_pad = true) {
  detail::Call c;
  return c.made(bp_avg_pool2d(input.get(), kernel_size.data(), kernel_size.size(), stride.data(), stride.size(), padding.data(), padding.size(), ceil_mode, count_include_pad, &c.out, &c.err));
}
inline const Tensor& avg_pool2d_out(const Tensor& out, const Tensor& input, const Ints& kernel_size, const Ints& stride = {}, const Ints& padding = {}, bool ceil_mode = false, bool count_include_pad = true) {
  detail::Call c;
  c.done(bp_avg_pool2d_into(input.get(), kernel_size.data(), kernel_size.size(), stride.data(), stride.size(), padding.data(), padding.size(), ceil_mode, count_include_pad, out.get(), &c.err));
  return out;
}

// The mean over output_size windows that share the input evenly. The bound is of sum's kind.
inline Tensor adaptive_avg_pool1d(const Tensor& input, const Ints& output_size) {
  detail::Call c;
  return c.made(bp_adaptive_avg_pool1d(input.get(), output_size.data(), output_size.size(), &c.out, &c.err));
}
inline const Tensor& adaptive_avg_pool1d_out(const Tensor& out, const Tensor& input, const Ints& output_size) {
  detail::Call c;
  c.done(bp_adaptive_avg_pool1d_into(input.get(), output_size.data(), output_size.size(), out.get(), &c.err));
  return out;
}

// The mean over output_size windows that share the input evenly. The bound is of sum's kind.
inline Tensor adaptive_avg_pool2d(const Tensor& input, const Ints& output_size) {
  detail::Call c;
  return c.made(bp_adaptive_avg_pool2d(input.get(), output_size.data(), output_size.size(), &c.out, &c.err));
}
inline const Tensor& adaptive_avg_pool2d_out(const Tensor& out, const Tensor& input, const Ints& output_size) {
  detail::Call c;
  c.done(bp_adaptive_avg_pool2d_into(input.get(), output_size.data(), output_size.size(), out.get(), &c.err));
  return out;
}

// input [N, C, sizes] at other sizes: nearest, nearest-exact, linear, bilinear, trilinear, bicubic, or area, the mean of what an element covers. The bound is relative to the largest term.
inline Tensor interpolate(const Tensor& input, const Ints& size, const char* mode = "nearest", bool align_corners = false) {
  detail::Call c;
  return c.made(bp_interpolate(input.get(), size.data(), size.size(), mode, align_corners, &c.out, &c.err));
}
inline const Tensor& interpolate_out(const Tensor& out, const Tensor& input, const Ints& size, const char* mode = "nearest", bool align_corners = false) {
  detail::Call c;
  c.done(bp_interpolate_into(input.get(), size.data(), size.size(), mode, align_corners, out.get(), &c.err));
  return out;
}

// The largest of each window; NaN when one is there. stride none: kernel_size.
inline Tensor max_pool3d(const Tensor& input, const Ints& kernel_size, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, bool ceil_mode = false) {
  detail::Call c;
  return c.made(bp_max_pool3d(input.get(), kernel_size.data(), kernel_size.size(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), ceil_mode, &c.out, &c.err));
}
inline const Tensor& max_pool3d_out(const Tensor& out, const Tensor& input, const Ints& kernel_size, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, bool ceil_mode = false) {
  detail::Call c;
  c.done(bp_max_pool3d_into(input.get(), kernel_size.data(), kernel_size.size(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), ceil_mode, out.get(), &c.err));
  return out;
}

// The mean of each window, padding counted as zeros or, without count_include_pad, not at all. The bound is of sum's kind.
inline Tensor avg_pool3d(const Tensor& input, const Ints& kernel_size, const Ints& stride = {}, const Ints& padding = {}, bool ceil_mode = false, bool count_include_pad = true) {
  detail::Call c;
  return c.made(bp_avg_pool3d(input.get(), kernel_size.data(), kernel_size.size(), stride.data(), stride.size(), padding.data(), padding.size(), ceil_mode, count_include_pad, &c.out, &c.err));
}
inline const Tensor& avg_pool3d_out(const Tensor& out, const Tensor& input, const Ints& kernel_size, const Ints& stride = {}, const Ints& padding = {}, bool ceil_mode = false, bool count_include_pad = true) {
  detail::Call c;
  c.done(bp_avg_pool3d_into(input.get(), kernel_size.data(), kernel_size.size(), stride.data(), stride.size(), padding.data(), padding.size(), ceil_mode, count_include_pad, out.get(), &c.err));
  return out;
}

// The mean over output_size windows that share the input evenly. The bound is of sum's kind.
inline Tensor adaptive_avg_pool3d(const Tensor& input, const Ints& output_size) {
  detail::Call c;
  return c.made(bp_adaptive_avg_pool3d(input.get(), output_size.data(), output_size.size(), &c.out, &c.err));
}
inline const Tensor& adaptive_avg_pool3d_out(const Tensor& out, const Tensor& input, const Ints& output_size) {
  detail::Call c;
  c.done(bp_adaptive_avg_pool3d_into(input.get(), output_size.data(), output_size.size(), out.get(), &c.err));
  return out;
}

// The largest of output_size windows that share the input evenly; NaN when one is there.
inline Tensor adaptive_max_pool1d(const Tensor& input, const Ints& output_size) {
  detail::Call c;
  return c.made(bp_adaptive_max_pool1d(input.get(), output_size.data(), output_size.size(), &c.out, &c.err));
}
inline const Tensor& adaptive_max_pool1d_out(const Tensor& out, const Tensor& input, const Ints& output_size) {
  detail::Call c;
  c.done(bp_adaptive_max_pool1d_into(input.get(), output_size.data(), output_size.size(), out.get(), &c.err));
  return out;
}

// The largest of output_size windows that share the input evenly; NaN when one is there.
inline Tensor adaptive_max_pool2d(const Tensor& input, const Ints& output_size) {
  detail::Call c;
  return c.made(bp_adaptive_max_pool2d(input.get(), output_size.data(), output_size.size(), &c.out, &c.err));
}
inline const Tensor& adaptive_max_pool2d_out(const Tensor& out, const Tensor& input, const Ints& output_size) {
  detail::Call c;
  c.done(bp_adaptive_max_pool2d_into(input.get(), output_size.data(), output_size.size(), out.get(), &c.err));
  return out;
}

// The largest of output_size windows that share the input evenly; NaN when one is there.
inline Tensor adaptive_max_pool3d(const Tensor& input, const Ints& output_size) {
  detail::Call c;
  return c.made(bp_adaptive_max_pool3d(input.get(), output_size.data(), output_size.size(), &c.out, &c.err));
}
inline const Tensor& adaptive_max_pool3d_out(const Tensor& out, const Tensor& input, const Ints& output_size) {
  detail::Call c;
  c.done(bp_adaptive_max_pool3d_into(input.get(), output_size.data(), output_size.size(), out.get(), &c.err));
  return out;
}

// max_pool, and where in its channel's row-major elements each value is (i64): the first of equal ones.
inline std::pair<Tensor, Tensor> max_pool1d_with_indices(const Tensor& input, const Ints& kernel_size, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, bool ceil_mode = false) {
  detail::CallOf<2> c;
  return c.made(bp_max_pool1d_with_indices(input.get(), kernel_size.data(), kernel_size.size(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), ceil_mode, &c.out[0], &c.out[1], &c.err));
}

// The real parts, of c64 as f32 and of c128 as f64; real numbers as they are. A copy: bp_tensor_view_as_real gives views.
inline Tensor real(const Tensor& x) {
  detail::Call c;
  return c.made(bp_real(x.get(), &c.out, &c.err));
}
inline const Tensor& real_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_real_into(x.get(), out.get(), &c.err));
  return out;
}

// The imaginary parts of complex numbers, as real's.
inline Tensor imag(const Tensor& x) {
  detail::Call c;
  return c.made(bp_imag(x.get(), &c.out, &c.err));
}
inline const Tensor& imag_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_imag_into(x.get(), out.get(), &c.err));
  return out;
}

// The imaginary parts with the other sign; real numbers as they are.
inline Tensor conj(const Tensor& x) {
  detail::Call c;
  return c.made(bp_conj(x.get(), &c.out, &c.err));
}
inline const Tensor& conj_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_conj_into(x.get(), out.get(), &c.err));
  return out;
}

// atan2(imaginary, real), in [-pi, pi]; of real numbers pi below zero, else 0, and NaN of NaN.
inline Tensor angle(const Tensor& x) {
  detail::Call c;
  return c.made(bp_angle(x.get(), &c.out, &c.err));
}
inline const Tensor& angle_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_angle_into(x.get(), out.get(), &c.err));
  return out;
}

// Complex numbers of real and imaginary parts, which broadcast: c64 of f32, c128 of f64.
inline Tensor complex(const Tensor& real, const Tensor& imag) {
  detail::Call c;
  return c.made(bp_complex(real.get(), imag.get(), &c.out, &c.err));
}
inline const Tensor& complex_out(const Tensor& out, const Tensor& real, const Tensor& imag) {
  detail::Call c;
  c.done(bp_complex_into(real.get(), imag.get(), out.get(), &c.err));
  return out;
}

// abs * cos(angle) + abs * sin(angle) i; dtypes as complex's.
inline Tensor polar(const Tensor& abs, const Tensor& angle) {
  detail::Call c;
  return c.made(bp_polar(abs.get(), angle.get(), &c.out, &c.err));
}
inline const Tensor& polar_out(const Tensor& out, const Tensor& abs, const Tensor& angle) {
  detail::Call c;
  c.done(bp_polar_into(abs.get(), angle.get(), out.get(), &c.err));
  return out;
}

// interpolate, whose elements are 1 / scale apart in input where a scale of that dim (the last one's is scale_w) is above 0, as PyTorch's are after scale_factor; else as far as the sizes say.
inline Tensor interpolate_v2(const Tensor& input, const Ints& size, const char* mode = "nearest", bool align_corners = false, double scale_d = 0, double scale_h = 0, double scale_w = 0) {
  detail::Call c;
  return c.made(bp_interpolate_v2(input.get(), size.data(), size.size(), mode, align_corners, scale_d, scale_h, scale_w, &c.out, &c.err));
}
inline const Tensor& interpolate_v2_out(const Tensor& out, const Tensor& input, const Ints& size, const char* mode = "nearest", bool align_corners = false, double scale_d = 0, double scale_h = 0, double scale_w = 0) {
  detail::Call c;
  c.done(bp_interpolate_v2_into(input.get(), size.data(), size.size(), mode, align_corners, scale_d, scale_h, scale_w, out.get(), &c.err));
  return out;
}

// The windows of images [N, C, H, W] or [C, H, W], zeros around them, as columns [N, C * kernel, windows]: PyTorch's unfold.
inline Tensor im2col(const Tensor& input, const Ints& kernel_size, const Ints& dilation = {}, const Ints& padding = {}, const Ints& stride = {}) {
  detail::Call c;
  return c.made(bp_im2col(input.get(), kernel_size.data(), kernel_size.size(), dilation.data(), dilation.size(), padding.data(), padding.size(), stride.data(), stride.size(), &c.out, &c.err));
}
inline const Tensor& im2col_out(const Tensor& out, const Tensor& input, const Ints& kernel_size, const Ints& dilation = {}, const Ints& padding = {}, const Ints& stride = {}) {
  detail::Call c;
  c.done(bp_im2col_into(input.get(), kernel_size.data(), kernel_size.size(), dilation.data(), dilation.size(), padding.data(), padding.size(), stride.data(), stride.size(), out.get(), &c.err));
  return out;
}

// Columns as im2col's, added up where windows overlap, to images of output_size: PyTorch's fold. The bound is of sum's kind.
inline Tensor col2im(const Tensor& input, const Ints& output_size, const Ints& kernel_size, const Ints& dilation = {}, const Ints& padding = {}, const Ints& stride = {}) {
  detail::Call c;
  return c.made(bp_col2im(input.get(), output_size.data(), output_size.size(), kernel_size.data(), kernel_size.size(), dilation.data(), dilation.size(), padding.data(), padding.size(), stride.data(), stride.size(), &c.out, &c.err));
}
inline const Tensor& col2im_out(const Tensor& out, const Tensor& input, const Ints& output_size, const Ints& kernel_size, const Ints& dilation = {}, const Ints& padding = {}, const Ints& stride = {}) {
  detail::Call c;
  c.done(bp_col2im_into(input.get(), output_size.data(), output_size.size(), kernel_size.data(), kernel_size.size(), dilation.data(), dilation.size(), padding.data(), padding.size(), stride.data(), stride.size(), out.get(), &c.err));
  return out;
}

// The lower triangular L with L L^H = A of a Hermitian positive-definite A (upper: U with U^H U = A); one triangle of A is read. A that is not positive-definite is refused. Error: |L L^H - A| at most 4 n eps |A|.
inline Tensor cholesky(const Tensor& a, bool upper = false) {
  detail::Call c;
  return c.made(bp_cholesky(a.get(), upper, &c.out, &c.err));
}
inline const Tensor& cholesky_out(const Tensor& out, const Tensor& a, bool upper = false) {
  detail::Call c;
  c.done(bp_cholesky_into(a.get(), upper, out.get(), &c.err));
  return out;
}

// P L U = A with partial pivoting: L without its unit diagonal below U in one matrix; pivots (i32, from 1): row i was exchanged with row pivots[i]. A singular A has factors too.
inline std::pair<Tensor, Tensor> lu_factor(const Tensor& a) {
  detail::CallOf<2> c;
  return c.made(bp_lu_factor(a.get(), &c.out[0], &c.out[1], &c.err));
}

// X with A X = B (left false: X A = B) for a triangular A, of which only that triangle is read (unitriangular: without its diagonal); batches broadcast. A zero on the diagonal gives inf or NaN.
inline Tensor solve_triangular(const Tensor& a, const Tensor& b, bool upper = false, bool left = true, bool unitriangular = false) {
  detail::Call c;
  return c.made(bp_solve_triangular(a.get(), b.get(), upper, left, unitriangular, &c.out, &c.err));
}
inline const Tensor& solve_triangular_out(const Tensor& out, const Tensor& a, const Tensor& b, bool upper = false, bool left = true, bool unitriangular = false) {
  detail::Call c;
  c.done(bp_solve_triangular_into(a.get(), b.get(), upper, left, unitriangular, out.get(), &c.err));
  return out;
}

// X with A X = B for square A; a 1-D B is one vector, batches of matrices broadcast. A singular A is refused. Error: |A X - B| at most 8 n eps (|A| |X| + |B|).
inline Tensor solve(const Tensor& a, const Tensor& b) {
  detail::Call c;
  return c.made(bp_solve(a.get(), b.get(), &c.out, &c.err));
}
inline const Tensor& solve_out(const Tensor& out, const Tensor& a, const Tensor& b) {
  detail::Call c;
  c.done(bp_solve_into(a.get(), b.get(), out.get(), &c.err));
  return out;
}

// The inverse of square matrices; a singular one is refused.
inline Tensor inv(const Tensor& a) {
  detail::Call c;
  return c.made(bp_inv(a.get(), &c.out, &c.err));
}
inline const Tensor& inv_out(const Tensor& out, const Tensor& a) {
  detail::Call c;
  c.done(bp_inv_into(a.get(), out.get(), &c.err));
  return out;
}

// Q R = A with Q's columns orthonormal, R upper triangular: min(m, n) columns, complete: all m. By Householder reflections, so that R's diagonal may be negative.
inline std::pair<Tensor, Tensor> qr(const Tensor& a, bool complete = false) {
  detail::CallOf<2> c;
  return c.made(bp_qr(a.get(), complete, &c.out[0], &c.out[1], &c.err));
}

// U diag(S) Vh = A with U and Vh unitary and S real, falling. full_matrices false: min(m, n) columns and rows. Error: |U diag(S) Vh - A| at most 16 max(m, n) eps |A|.
inline std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& a, bool full_matrices = true) {
  detail::CallOf<3> c;
  return c.made(bp_svd(a.get(), full_matrices, &c.out[0], &c.out[1], &c.out[2], &c.err));
}

// The S of svd.
inline Tensor svdvals(const Tensor& a) {
  detail::Call c;
  return c.made(bp_svdvals(a.get(), &c.out, &c.err));
}
inline const Tensor& svdvals_out(const Tensor& out, const Tensor& a) {
  detail::Call c;
  c.done(bp_svdvals_into(a.get(), out.get(), &c.err));
  return out;
}

// A V = V diag(w) of a Hermitian A, of which the lower triangle is read (upper: that): w real, rising; V unitary.
inline std::pair<Tensor, Tensor> eigh(const Tensor& a, bool upper = false) {
  detail::CallOf<2> c;
  return c.made(bp_eigh(a.get(), upper, &c.out[0], &c.out[1], &c.err));
}

// The eigenvalues of eigh.
inline Tensor eigvalsh(const Tensor& a, bool upper = false) {
  detail::Call c;
  return c.made(bp_eigvalsh(a.get(), upper, &c.out, &c.err));
}
inline const Tensor& eigvalsh_out(const Tensor& out, const Tensor& a, bool upper = false) {
  detail::Call c;
  c.done(bp_eigvalsh_into(a.get(), upper, out.get(), &c.err));
  return out;
}

// The determinants of square matrices, by lu_factor.
inline Tensor det(const Tensor& a) {
  detail::Call c;
  return c.made(bp_det(a.get(), &c.out, &c.err));
}
inline const Tensor& det_out(const Tensor& out, const Tensor& a) {
  detail::Call c;
  c.done(bp_det_into(a.get(), out.get(), &c.err));
  return out;
}

// Sign (of modulus 1, or 0) and logarithm of the modulus of det; -inf of a singular matrix.
inline std::pair<Tensor, Tensor> slogdet(const Tensor& a) {
  detail::CallOf<2> c;
  return c.made(bp_slogdet(a.get(), &c.out[0], &c.out[1], &c.err));
}

// How many singular values (hermitian: moduli of eigenvalues) are above max(atol, rtol * the largest), in i64. Below 0 is not given: rtol is then max(m, n) * eps, or 0 where atol is above 0.
inline Tensor matrix_rank(const Tensor& a, double atol = -1, double rtol = -1, bool hermitian = false) {
  detail::Call c;
  return c.made(bp_matrix_rank(a.get(), atol, rtol, hermitian, &c.out, &c.err));
}
inline const Tensor& matrix_rank_out(const Tensor& out, const Tensor& a, double atol = -1, double rtol = -1, bool hermitian = false) {
  detail::Call c;
  c.done(bp_matrix_rank_into(a.get(), atol, rtol, hermitian, out.get(), &c.err));
  return out;
}

// The Moore-Penrose inverse, by svd; singular values that matrix_rank would not count are taken for 0.
inline Tensor pinv(const Tensor& a, double atol = -1, double rtol = -1) {
  detail::Call c;
  return c.made(bp_pinv(a.get(), atol, rtol, &c.out, &c.err));
}
inline const Tensor& pinv_out(const Tensor& out, const Tensor& a, double atol = -1, double rtol = -1) {
  detail::Call c;
  c.done(bp_pinv_into(a.get(), atol, rtol, out.get(), &c.err));
  return out;
}

// A multiplied n times with itself; the inverse's power for n below 0, the identity for 0.
inline Tensor matrix_power(const Tensor& a, std::int64_t n) {
  detail::Call c;
  return c.made(bp_matrix_power(a.get(), n, &c.out, &c.err));
}
inline const Tensor& matrix_power_out(const Tensor& out, const Tensor& a, std::int64_t n) {
  detail::Call c;
  c.done(bp_matrix_power_into(a.get(), n, out.get(), &c.err));
  return out;
}

// Of each matrix, by ord: 'fro', the root of the sum of squares; 'nuc', the sum of singular values; '2' and '-2', the largest and the least of them; '1' and '-1', of the columns' sums of moduli; 'inf' and '-inf', of the rows'.
inline Tensor matrix_norm(const Tensor& a, const char* ord = "fro", bool keepdims = false) {
  detail::Call c;
  return c.made(bp_matrix_norm(a.get(), ord, keepdims, &c.out, &c.err));
}
inline const Tensor& matrix_norm_out(const Tensor& out, const Tensor& a, const char* ord = "fro", bool keepdims = false) {
  detail::Call c;
  c.done(bp_matrix_norm_into(a.get(), ord, keepdims, out.get(), &c.err));
  return out;
}

// The shortest X for which |A X - B| is least, by svd: singular values up to rcond times the largest are taken for 0; below 0: max(m, n) * eps.
inline std::tuple<Tensor, Tensor, Tensor> lstsq(const Tensor& a, const Tensor& b, double rcond = -1) {
  detail::CallOf<3> c;
  return c.made(bp_lstsq(a.get(), b.get(), rcond, &c.out[0], &c.out[1], &c.out[2], &c.err));
}

// A V = V diag(w) of any square A: w and V complex, in no order, the columns of V of length 1. Their phases are free, so that a gradient is that of what does not depend on them. Infinities and NaN are refused.
inline std::pair<Tensor, Tensor> eig(const Tensor& a) {
  detail::CallOf<2> c;
  return c.made(bp_eig(a.get(), &c.out[0], &c.out[1], &c.err));
}

// The eigenvalues of eig.
inline Tensor eigvals(const Tensor& a) {
  detail::Call c;
  return c.made(bp_eigvals(a.get(), &c.out, &c.err));
}
inline const Tensor& eigvals_out(const Tensor& out, const Tensor& a) {
  detail::Call c;
  c.done(bp_eigvals_into(a.get(), out.get(), &c.err));
  return out;
}

// The p-norm of x1[.., i, :] - x2[.., j, :]; batches broadcast. Above 25 rows, for p = 2, the squares come from a product of matrices, with the error of |x1|^2 + |x2|^2, unless compute_mode is 'donot_use_mm_for_euclid_dist'.
inline Tensor cdist(const Tensor& x1, const Tensor& x2, double p = 2, const char* compute_mode = "use_mm_for_euclid_dist_if_necessary") {
  detail::Call c;
  return c.made(bp_cdist(x1.get(), x2.get(), p, compute_mode, &c.out, &c.err));
}
inline const Tensor& cdist_out(const Tensor& out, const Tensor& x1, const Tensor& x2, double p = 2, const char* compute_mode = "use_mm_for_euclid_dist_if_necessary") {
  detail::Call c;
  c.done(bp_cdist_into(x1.get(), x2.get(), p, compute_mode, out.get(), &c.err));
  return out;
}

// scale * sum over j of x[j] exp(-2 pi i j k / n) along axis (inverse: exp(+...)). Error of a line, in the 2-norm: at most 1e-7 log2(4 n) of the result's for c64, 2e-16 log2(4 n) for c128.
inline Tensor fft_c2c(const Tensor& x, std::int64_t axis = -1, bool inverse = false, double scale = 1) {
  detail::Call c;
  return c.made(bp_fft_c2c(x.get(), axis, inverse, scale, &c.out, &c.err));
}
inline const Tensor& fft_c2c_out(const Tensor& out, const Tensor& x, std::int64_t axis = -1, bool inverse = false, double scale = 1) {
  detail::Call c;
  c.done(bp_fft_c2c_into(x.get(), axis, inverse, scale, out.get(), &c.err));
  return out;
}

// fft_c2c of real numbers: its first n/2 + 1 results along axis, of which the others are conjugates (conj: the conjugates of these).
inline Tensor fft_r2c(const Tensor& x, std::int64_t axis = -1, double scale = 1, bool conj = false) {
  detail::Call c;
  return c.made(bp_fft_r2c(x.get(), axis, scale, conj, &c.out, &c.err));
}
inline const Tensor& fft_r2c_out(const Tensor& out, const Tensor& x, std::int64_t axis = -1, double scale = 1, bool conj = false) {
  detail::Call c;
  c.done(bp_fft_r2c_into(x.get(), axis, scale, conj, out.get(), &c.err));
  return out;
}

// The n real numbers along axis whose spectrum's first n/2 + 1 are x: fft_c2c's inverse of it. What must be real of x is taken for real. conj: x is taken for its conjugate.
inline Tensor fft_c2r(const Tensor& x, std::int64_t n, std::int64_t axis = -1, double scale = 1, bool conj = false) {
  detail::Call c;
  return c.made(bp_fft_c2r(x.get(), axis, n, scale, conj, &c.out, &c.err));
}
inline const Tensor& fft_c2r_out(const Tensor& out, const Tensor& x, std::int64_t n, std::int64_t axis = -1, double scale = 1, bool conj = false) {
  detail::Call c;
  c.done(bp_fft_c2r_into(x.get(), axis, n, scale, conj, out.get(), &c.err));
  return out;
}

// The discrete Fourier transform along axis, of n elements: x is cut, or followed by zeros; -1: as many as there are. norm: which direction is divided by n: 'backward', 'forward', or 'ortho', both by its square root.
inline Tensor fft(const Tensor& x, std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") {
  detail::Call c;
  return c.made(bp_fft(x.get(), n, axis, norm, &c.out, &c.err));
}
inline const Tensor& fft_out(const Tensor& out, const Tensor& x, std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") {
  detail::Call c;
  c.done(bp_fft_into(x.get(), n, axis, norm, out.get(), &c.err));
  return out;
}

// The inverse of fft.
inline Tensor ifft(const Tensor& x, std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") {
  detail::Call c;
  return c.made(bp_ifft(x.get(), n, axis, norm, &c.out, &c.err));
}
inline const Tensor& ifft_out(const Tensor& out, const Tensor& x, std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") {
  detail::Call c;
  c.done(bp_ifft_into(x.get(), n, axis, norm, out.get(), &c.err));
  return out;
}

// fft along each of axes (none given: the last as many as s has, or all), of s elements each.
inline Tensor fftn(const Tensor& x, const Ints& s = {}, const Ints& axes = {}, const char* norm = "backward") {
  detail::Call c;
  return c.made(bp_fftn(x.get(), s.data(), s.size(), axes.data(), axes.size(), norm, &c.out, &c.err));
}
inline const Tensor& fftn_out(const Tensor& out, const Tensor& x, const Ints& s = {}, const Ints& axes = {}, const char* norm = "backward") {
  detail::Call c;
  c.done(bp_fftn_into(x.get(), s.data(), s.size(), axes.data(), axes.size(), norm, out.get(), &c.err));
  return out;
}

// The inverse of fftn.
inline Tensor ifftn(const Tensor& x, const Ints& s = {}, const Ints& axes = {}, const char* norm = "backward") {
  detail::Call c;
  return c.made(bp_ifftn(x.get(), s.data(), s.size(), axes.data(), axes.size(), norm, &c.out, &c.err));
}
inline const Tensor& ifftn_out(const Tensor& out, const Tensor& x, const Ints& s = {}, const Ints& axes = {}, const char* norm = "backward") {
  detail::Call c;
  c.done(bp_ifftn_into(x.get(), s.data(), s.size(), axes.data(), axes.size(), norm, out.get(), &c.err));
  return out;
}

// The first n/2 + 1 results of fft of real numbers.
inline Tensor rfft(const Tensor& x, std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") {
  detail::Call c;
  return c.made(bp_rfft(x.get(), n, axis, norm, &c.out, &c.err));
}
inline const Tensor& rfft_out(const Tensor& out, const Tensor& x, std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") {
  detail::Call c;
  c.done(bp_rfft_into(x.get(), n, axis, norm, out.get(), &c.err));
  return out;
}

// The inverse of rfft: n real numbers (-1: 2 (m - 1), m the size of axis) of half a spectrum.
inline Tensor irfft(const Tensor& x, std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") {
  detail::Call c;
  return c.made(bp_irfft(x.get(), n, axis, norm, &c.out, &c.err));
}
inline const Tensor& irfft_out(const Tensor& out, const Tensor& x, std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") {
  detail::Call c;
  c.done(bp_irfft_into(x.get(), n, axis, norm, out.get(), &c.err));
  return out;
}

// rfft along the last of axes, fft along the others; see fftn.
inline Tensor rfftn(const Tensor& x, const Ints& s = {}, const Ints& axes = {}, const char* norm = "backward") {
  detail::Call c;
  return c.made(bp_rfftn(x.get(), s.data(), s.size(), axes.data(), axes.size(), norm, &c.out, &c.err));
}
inline const Tensor& rfftn_out(const Tensor& out, const Tensor& x, const Ints& s = {}, const Ints& axes = {}, const char* norm = "backward") {
  detail::Call c;
  c.done(bp_rfftn_into(x.get(), s.data(), s.size(), axes.data(), axes.size(), norm, out.get(), &c.err));
  return out;
}

// The inverse of rfftn; the last of s as irfft's n.
inline Tensor irfftn(const Tensor& x, const Ints& s = {}, const Ints& axes = {}, const char* norm = "backward") {
  detail::Call c;
  return c.made(bp_irfftn(x.get(), s.data(), s.size(), axes.data(), axes.size(), norm, &c.out, &c.err));
}
inline const Tensor& irfftn_out(const Tensor& out, const Tensor& x, const Ints& s = {}, const Ints& axes = {}, const char* norm = "backward") {
  detail::Call c;
  c.done(bp_irfftn_into(x.get(), s.data(), s.size(), axes.data(), axes.size(), norm, out.get(), &c.err));
  return out;
}

// The real fft of Hermitian numbers of which x is the first half; n as irfft's.
inline Tensor hfft(const Tensor& x, std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") {
  detail::Call c;
  return c.made(bp_hfft(x.get(), n, axis, norm, &c.out, &c.err));
}
inline const Tensor& hfft_out(const Tensor& out, const Tensor& x, std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") {
  detail::Call c;
  c.done(bp_hfft_into(x.get(), n, axis, norm, out.get(), &c.err));
  return out;
}

// The inverse of hfft.
inline Tensor ihfft(const Tensor& x, std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") {
  detail::Call c;
  return c.made(bp_ihfft(x.get(), n, axis, norm, &c.out, &c.err));
}
inline const Tensor& ihfft_out(const Tensor& out, const Tensor& x, std::int64_t n = -1, std::int64_t axis = -1, const char* norm = "backward") {
  detail::Call c;
  c.done(bp_ihfft_into(x.get(), n, axis, norm, out.get(), &c.err));
  return out;
}

// Where x is not zero, in row-major order: i64 [count, rank of x], an index in each row. Waits for the device.
inline Tensor nonzero(const Tensor& x) {
  detail::Call c;
  return c.made(bp_nonzero(x.get(), &c.out, &c.err));
}
inline const Tensor& nonzero_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_nonzero_into(x.get(), out.get(), &c.err));
  return out;
}

// The first `size` row-major positions at which mask is true, in order; -1 after the last. Waits for nobody.
inline Tensor flat_nonzero(const Tensor& mask, std::int64_t size) {
  detail::Call c;
  return c.made(bp_flat_nonzero(mask.get(), size, &c.out, &c.err));
}
inline const Tensor& flat_nonzero_out(const Tensor& out, const Tensor& mask, std::int64_t size) {
  detail::Call c;
  c.done(bp_flat_nonzero_into(mask.get(), size, out.get(), &c.err));
  return out;
}

// The elements of x at which mask is true, in row-major order, 1-D; x and mask broadcast. Waits for the device.
inline Tensor masked_select(const Tensor& x, const Tensor& mask) {
  detail::Call c;
  return c.made(bp_masked_select(x.get(), mask.get(), &c.out, &c.err));
}
inline const Tensor& masked_select_out(const Tensor& out, const Tensor& x, const Tensor& mask) {
  detail::Call c;
  c.done(bp_masked_select_into(x.get(), mask.get(), out.get(), &c.err));
  return out;
}

// The different values of x, ascending, 1-D; each NaN is one of its own. Waits for the device.
inline Tensor unique(const Tensor& x) {
  detail::Call c;
  return c.made(bp_unique(x.get(), &c.out, &c.err));
}
inline const Tensor& unique_out(const Tensor& out, const Tensor& x) {
  detail::Call c;
  c.done(bp_unique_into(x.get(), out.get(), &c.err));
  return out;
}

// unique, and for each value where it first occurs in flattened x and how often; inverse, of x's shape: which value each element is. Waits for the device.
inline std::tuple<Tensor, Tensor, Tensor, Tensor> unique_all(const Tensor& x) {
  detail::CallOf<4> c;
  return c.made(bp_unique_all(x.get(), &c.out[0], &c.out[1], &c.out[2], &c.out[3], &c.err));
}

// x with slice j of source in place of slice index[j] along axis; of equal indices the last wins. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu.
inline Tensor index_copy(const Tensor& x, const Tensor& index, const Tensor& source, std::int64_t axis) {
  detail::Call c;
  return c.made(bp_index_copy(x.get(), index.get(), source.get(), axis, &c.out, &c.err));
}
inline const Tensor& index_copy_out(const Tensor& out, const Tensor& x, const Tensor& index, const Tensor& source, std::int64_t axis) {
  detail::Call c;
  c.done(bp_index_copy_into(x.get(), index.get(), source.get(), axis, out.get(), &c.err));
  return out;
}

// How often each of 0, 1, .. max(x) is in x, a list of no negative integers, in i64; or the sums of their weights, in f64, of f32 in f32. At least minlength of them. The bound is of sum's kind. Waits for the device.
inline Tensor bincount(const Tensor& x, const Tensor& weights = {}, std::int64_t minlength = 0) {
  detail::Call c;
  return c.made(bp_bincount(x.get(), weights.get(), minlength, &c.out, &c.err));
}
inline const Tensor& bincount_out(const Tensor& out, const Tensor& x, const Tensor& weights = {}, std::int64_t minlength = 0) {
  detail::Call c;
  c.done(bp_bincount_into(x.get(), weights.get(), minlength, out.get(), &c.err));
  return out;
}

// Convolution of input [N, C, size] with weight [O, C / groups, kernel] over one to three dims. Error as matmul.
inline Tensor convolution(const Tensor& input, const Tensor& weight, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, std::int64_t groups = 1) {
  detail::Call c;
  return c.made(bp_convolution(input.get(), weight.get(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), groups, &c.out, &c.err));
}
inline const Tensor& convolution_out(const Tensor& out, const Tensor& input, const Tensor& weight, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, std::int64_t groups = 1) {
  detail::Call c;
  c.done(bp_convolution_into(input.get(), weight.get(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), groups, out.get(), &c.err));
  return out;
}

// convolution's gradient towards an input of the spatial size; grad is that of its result. Error as matmul.
inline Tensor convolution_input_grad(const Tensor& grad, const Tensor& weight, const Ints& size, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, std::int64_t groups = 1) {
  detail::Call c;
  return c.made(bp_convolution_input_grad(grad.get(), weight.get(), size.data(), size.size(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), groups, &c.out, &c.err));
}
inline const Tensor& convolution_input_grad_out(const Tensor& out, const Tensor& grad, const Tensor& weight, const Ints& size, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, std::int64_t groups = 1) {
  detail::Call c;
  c.done(bp_convolution_input_grad_into(grad.get(), weight.get(), size.data(), size.size(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), groups, out.get(), &c.err));
  return out;
}

// convolution's gradient towards a weight whose kernels have the size; grad is that of its result. Error as matmul.
inline Tensor convolution_weight_grad(const Tensor& grad, const Tensor& input, const Ints& size, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, std::int64_t groups = 1) {
  detail::Call c;
  return c.made(bp_convolution_weight_grad(grad.get(), input.get(), size.data(), size.size(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), groups, &c.out, &c.err));
}
inline const Tensor& convolution_weight_grad_out(const Tensor& out, const Tensor& grad, const Tensor& input, const Ints& size, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, std::int64_t groups = 1) {
  detail::Call c;
  c.done(bp_convolution_weight_grad_into(grad.get(), input.get(), size.data(), size.size(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), groups, out.get(), &c.err));
  return out;
}

// max_pool's gradient towards its input [N, C, size]: grad, that of its result, where each window's largest is, the first of equal ones.
inline Tensor max_pool_grad(const Tensor& grad, const Tensor& input, const Ints& kernel_size, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, bool ceil_mode = false) {
  detail::Call c;
  return c.made(bp_max_pool_grad(grad.get(), input.get(), kernel_size.data(), kernel_size.size(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), ceil_mode, &c.out, &c.err));
}
inline const Tensor& max_pool_grad_out(const Tensor& out, const Tensor& grad, const Tensor& input, const Ints& kernel_size, const Ints& stride = {}, const Ints& padding = {}, const Ints& dilation = {}, bool ceil_mode = false) {
  detail::Call c;
  c.done(bp_max_pool_grad_into(grad.get(), input.get(), kernel_size.data(), kernel_size.size(), stride.data(), stride.size(), padding.data(), padding.size(), dilation.data(), dilation.size(), ceil_mode, out.get(), &c.err));
  return out;
}

// layer_norm's gradients towards x, weight and bias: grad is that of its result. The bound is relative to the largest term.
inline std::tuple<Tensor, Tensor, Tensor> layer_norm_grad(const Tensor& grad, const Tensor& x, const Ints& normalized_shape, const Tensor& weight = {}, double eps = 1e-05) {
  detail::CallOf<3> c;
  return c.made(bp_layer_norm_grad(grad.get(), x.get(), weight.get(), normalized_shape.data(), normalized_shape.size(), eps, &c.out[0], &c.out[1], &c.out[2], &c.err));
}

// rms_norm's gradients towards x and weight: grad is that of its result. The bound is relative to the largest term.
inline std::pair<Tensor, Tensor> rms_norm_grad(const Tensor& grad, const Tensor& x, const Ints& normalized_shape, const Tensor& weight = {}, double eps = std::numeric_limits<double>::quiet_NaN()) {
  detail::CallOf<2> c;
  return c.made(bp_rms_norm_grad(grad.get(), x.get(), weight.get(), normalized_shape.data(), normalized_shape.size(), eps, &c.out[0], &c.out[1], &c.err));
}

// batch_norm's gradients towards x, weight and bias: grad is that of its result. The bound is relative to the largest term.
inline std::tuple<Tensor, Tensor, Tensor> batch_norm_grad(const Tensor& grad, const Tensor& x, const Tensor& running_mean = {}, const Tensor& running_var = {}, const Tensor& weight = {}, bool training = false, double eps = 1e-05) {
  detail::CallOf<3> c;
  return c.made(bp_batch_norm_grad(grad.get(), x.get(), running_mean.get(), running_var.get(), weight.get(), training, eps, &c.out[0], &c.out[1], &c.out[2], &c.err));
}

// group_norm's gradients towards x, weight and bias: grad is that of its result. The bound is relative to the largest term.
inline std::tuple<Tensor, Tensor, Tensor> group_norm_grad(const Tensor& grad, const Tensor& x, std::int64_t num_groups, const Tensor& weight = {}, double eps = 1e-05) {
  detail::CallOf<3> c;
  return c.made(bp_group_norm_grad(grad.get(), x.get(), weight.get(), num_groups, eps, &c.out[0], &c.out[1], &c.out[2], &c.err));
}

// Sum of squares over axes; 0 of nothing. It is computed as sum is, and a square may leave the dtype's range, that of f32 for halves.
inline Tensor sum_square(const Tensor& x, const Ints& axes = {}, bool keepdims = false) {
  detail::Call c;
  return c.made(bp_sum_square(x.get(), axes.data(), axes.size(), keepdims, &c.out, &c.err));
}
inline const Tensor& sum_square_out(const Tensor& out, const Tensor& x, const Ints& axes = {}, bool keepdims = false) {
  detail::Call c;
  c.done(bp_sum_square_into(x.get(), axes.data(), axes.size(), keepdims, out.get(), &c.err));
  return out;
}

// A step of an LSTM: i, f, g, o [.., 4H] are sigmoid, sigmoid, tanh and sigmoid of input_gates + hidden_gates; next_cell = f * cell + i * g, h = o * tanh(next_cell). The bound is relative to the largest term.
inline std::tuple<Tensor, Tensor, Tensor> lstm_gates(const Tensor& input_gates, const Tensor& hidden_gates, const Tensor& cell) {
  detail::CallOf<3> c;
  return c.made(bp_lstm_gates(input_gates.get(), hidden_gates.get(), cell.get(), &c.out[0], &c.out[1], &c.out[2], &c.err));
}

// lstm_gates' gradients towards both of its gates, which have the same one, and cell: gates is its result, the gradient of h the sum of grad_h and grad_h2. The bound is relative to the largest term.
inline std::pair<Tensor, Tensor> lstm_gates_grad(const Tensor& gates, const Tensor& cell, const Tensor& grad_h = {}, const Tensor& grad_h2 = {}, const Tensor& grad_next_cell = {}) {
  detail::CallOf<2> c;
  return c.made(bp_lstm_gates_grad(gates.get(), cell.get(), grad_h.get(), grad_h2.get(), grad_next_cell.get(), &c.out[0], &c.out[1], &c.err));
}

// A step of a GRU, x input_gates and y hidden_gates + hidden_bias, each r, z, n [.., 3H]: r and z are sigmoid of x + y, n = tanh(x + r * y), next_h = n + z * (h - n). gates [.., 4H] are r, z, n and y's n. The bound is relative to the largest term.
inline std::pair<Tensor, Tensor> gru_gates(const Tensor& input_gates, const Tensor& hidden_gates, const Tensor& h, const Tensor& hidden_bias = {}) {
  detail::CallOf<2> c;
  return c.made(bp_gru_gates(input_gates.get(), hidden_gates.get(), h.get(), hidden_bias.get(), &c.out[0], &c.out[1], &c.err));
}

// gru_gates' gradients towards input_gates, hidden_gates and h: gates is its result, the gradient of next_h the sum of grad, grad2 and grad3. The bound is relative to the largest term.
inline std::tuple<Tensor, Tensor, Tensor> gru_gates_grad(const Tensor& gates, const Tensor& h, const Tensor& grad = {}, const Tensor& grad2 = {}, const Tensor& grad3 = {}) {
  detail::CallOf<3> c;
  return c.made(bp_gru_gates_grad(gates.get(), h.get(), grad.get(), grad2.get(), grad3.get(), &c.out[0], &c.out[1], &c.out[2], &c.err));
}

// A step of an RNN: tanh, or relu, of input_gates + hidden_gates. The bound is relative to the largest term.
inline Tensor rnn_gates(const Tensor& input_gates, const Tensor& hidden_gates, bool relu = false) {
  detail::Call c;
  return c.made(bp_rnn_gates(input_gates.get(), hidden_gates.get(), relu, &c.out, &c.err));
}
inline const Tensor& rnn_gates_out(const Tensor& out, const Tensor& input_gates, const Tensor& hidden_gates, bool relu = false) {
  detail::Call c;
  c.done(bp_rnn_gates_into(input_gates.get(), hidden_gates.get(), relu, out.get(), &c.err));
  return out;
}

// rnn_gates' gradient towards both of its gates, which have the same one: h is its result, whose gradient is the sum of grad and grad2. The bound is relative to the largest term.
inline Tensor rnn_gates_grad(const Tensor& h, const Tensor& grad = {}, const Tensor& grad2 = {}, bool relu = false) {
  detail::Call c;
  return c.made(bp_rnn_gates_grad(h.get(), grad.get(), grad2.get(), relu, &c.out, &c.err));
}
inline const Tensor& rnn_gates_grad_out(const Tensor& out, const Tensor& h, const Tensor& grad = {}, const Tensor& grad2 = {}, bool relu = false) {
  detail::Call c;
  c.done(bp_rnn_gates_grad_into(h.get(), grad.get(), grad2.get(), relu, out.get(), &c.err));
  return out;
}

// ---- methods ----
inline const Tensor& detail::OpMethods::self() const {
  return static_cast<const Tensor&>(*this);
}
inline Tensor detail::OpMethods::neg() const {
  return backplane::neg(self());
}
inline const Tensor& detail::OpMethods::neg_() const {
  return neg_out(self(), self());
}
inline Tensor detail::OpMethods::abs() const {
  return backplane::abs(self());
}
inline const Tensor& detail::OpMethods::abs_() const {
  return abs_out(self(), self());
}
inline Tensor detail::OpMethods::sign() const {
  return backplane::sign(self());
}
inline const Tensor& detail::OpMethods::sign_() const {
  return sign_out(self(), self());
}
inline Tensor detail::OpMethods::sqrt() const {
  return backplane::sqrt(self());
}
inline const Tensor& detail::OpMethods::sqrt_() const {
  return sqrt_out(self(), self());
}
inline Tensor detail::OpMethods::rsqrt() const {
  return backplane::rsqrt(self());
}
inline const Tensor& detail::OpMethods::rsqrt_() const {
  return rsqrt_out(self(), self());
}
inline Tensor detail::OpMethods::square() const {
  return backplane::square(self());
}
inline const Tensor& detail::OpMethods::square_() const {
  return square_out(self(), self());
}
inline Tensor detail::OpMethods::reciprocal() const {
  return backplane::reciprocal(self());
}
inline const Tensor& detail::OpMethods::reciprocal_() const {
  return reciprocal_out(self(), self());
}
inline Tensor detail::OpMethods::exp() const {
  return backplane::exp(self());
}
inline const Tensor& detail::OpMethods::exp_() const {
  return exp_out(self(), self());
}
inline Tensor detail::OpMethods::expm1() const {
  return backplane::expm1(self());
}
inline const Tensor& detail::OpMethods::expm1_() const {
  return expm1_out(self(), self());
}
inline Tensor detail::OpMethods::log() const {
  return backplane::log(self());
}
inline const Tensor& detail::OpMethods::log_() const {
  return log_out(self(), self());
}
inline Tensor detail::OpMethods::log1p() const {
  return backplane::log1p(self());
}
inline const Tensor& detail::OpMethods::log1p_() const {
  return log1p_out(self(), self());
}
inline Tensor detail::OpMethods::sin() const {
  return backplane::sin(self());
}
inline const Tensor& detail::OpMethods::sin_() const {
  return sin_out(self(), self());
}
inline Tensor detail::OpMethods::cos() const {
  return backplane::cos(self());
}
inline const Tensor& detail::OpMethods::cos_() const {
  return cos_out(self(), self());
}
inline Tensor detail::OpMethods::tan() const {
  return backplane::tan(self());
}
inline const Tensor& detail::OpMethods::tan_() const {
  return tan_out(self(), self());
}
inline Tensor detail::OpMethods::tanh() const {
  return backplane::tanh(self());
}
inline const Tensor& detail::OpMethods::tanh_() const {
  return tanh_out(self(), self());
}
inline Tensor detail::OpMethods::sigmoid() const {
  return backplane::sigmoid(self());
}
inline const Tensor& detail::OpMethods::sigmoid_() const {
  return sigmoid_out(self(), self());
}
inline Tensor detail::OpMethods::relu() const {
  return backplane::relu(self());
}
inline const Tensor& detail::OpMethods::relu_() const {
  return relu_out(self(), self());
}
inline Tensor detail::OpMethods::gelu() const {
  return backplane::gelu(self());
}
inline const Tensor& detail::OpMethods::gelu_() const {
  return gelu_out(self(), self());
}
inline Tensor detail::OpMethods::silu() const {
  return backplane::silu(self());
}
inline const Tensor& detail::OpMethods::silu_() const {
  return silu_out(self(), self());
}
inline Tensor detail::OpMethods::erf() const {
  return backplane::erf(self());
}
inline const Tensor& detail::OpMethods::erf_() const {
  return erf_out(self(), self());
}
inline Tensor detail::OpMethods::floor() const {
  return backplane::floor(self());
}
inline const Tensor& detail::OpMethods::floor_() const {
  return floor_out(self(), self());
}
inline Tensor detail::OpMethods::ceil() const {
  return backplane::ceil(self());
}
inline const Tensor& detail::OpMethods::ceil_() const {
  return ceil_out(self(), self());
}
inline Tensor detail::OpMethods::round() const {
  return backplane::round(self());
}
inline const Tensor& detail::OpMethods::round_() const {
  return round_out(self(), self());
}
inline Tensor detail::OpMethods::trunc() const {
  return backplane::trunc(self());
}
inline const Tensor& detail::OpMethods::trunc_() const {
  return trunc_out(self(), self());
}
inline Tensor detail::OpMethods::isnan() const {
  return backplane::isnan(self());
}
inline const Tensor& detail::OpMethods::isnan_() const {
  return isnan_out(self(), self());
}
inline Tensor detail::OpMethods::isinf() const {
  return backplane::isinf(self());
}
inline const Tensor& detail::OpMethods::isinf_() const {
  return isinf_out(self(), self());
}
inline Tensor detail::OpMethods::logical_not() const {
  return backplane::logical_not(self());
}
inline const Tensor& detail::OpMethods::logical_not_() const {
  return logical_not_out(self(), self());
}
inline Tensor detail::OpMethods::asin() const {
  return backplane::asin(self());
}
inline const Tensor& detail::OpMethods::asin_() const {
  return asin_out(self(), self());
}
inline Tensor detail::OpMethods::acos() const {
  return backplane::acos(self());
}
inline const Tensor& detail::OpMethods::acos_() const {
  return acos_out(self(), self());
}
inline Tensor detail::OpMethods::atan() const {
  return backplane::atan(self());
}
inline const Tensor& detail::OpMethods::atan_() const {
  return atan_out(self(), self());
}
inline Tensor detail::OpMethods::sinh() const {
  return backplane::sinh(self());
}
inline const Tensor& detail::OpMethods::sinh_() const {
  return sinh_out(self(), self());
}
inline Tensor detail::OpMethods::cosh() const {
  return backplane::cosh(self());
}
inline const Tensor& detail::OpMethods::cosh_() const {
  return cosh_out(self(), self());
}
inline Tensor detail::OpMethods::asinh() const {
  return backplane::asinh(self());
}
inline const Tensor& detail::OpMethods::asinh_() const {
  return asinh_out(self(), self());
}
inline Tensor detail::OpMethods::acosh() const {
  return backplane::acosh(self());
}
inline const Tensor& detail::OpMethods::acosh_() const {
  return acosh_out(self(), self());
}
inline Tensor detail::OpMethods::atanh() const {
  return backplane::atanh(self());
}
inline const Tensor& detail::OpMethods::atanh_() const {
  return atanh_out(self(), self());
}
inline Tensor detail::OpMethods::log2() const {
  return backplane::log2(self());
}
inline const Tensor& detail::OpMethods::log2_() const {
  return log2_out(self(), self());
}
inline Tensor detail::OpMethods::log10() const {
  return backplane::log10(self());
}
inline const Tensor& detail::OpMethods::log10_() const {
  return log10_out(self(), self());
}
inline Tensor detail::OpMethods::exp2() const {
  return backplane::exp2(self());
}
inline const Tensor& detail::OpMethods::exp2_() const {
  return exp2_out(self(), self());
}
inline Tensor detail::OpMethods::isfinite() const {
  return backplane::isfinite(self());
}
inline const Tensor& detail::OpMethods::isfinite_() const {
  return isfinite_out(self(), self());
}
inline Tensor detail::OpMethods::add(const Value& b) const {
  return backplane::add(self(), b);
}
inline const Tensor& detail::OpMethods::add_(const Value& b) const {
  return add_out(self(), self(), b);
}
inline Tensor detail::OpMethods::sub(const Value& b) const {
  return backplane::sub(self(), b);
}
inline const Tensor& detail::OpMethods::sub_(const Value& b) const {
  return sub_out(self(), self(), b);
}
inline Tensor detail::OpMethods::mul(const Value& b) const {
  return backplane::mul(self(), b);
}
inline const Tensor& detail::OpMethods::mul_(const Value& b) const {
  return mul_out(self(), self(), b);
}
inline Tensor detail::OpMethods::div(const Value& b) const {
  return backplane::div(self(), b);
}
inline const Tensor& detail::OpMethods::div_(const Value& b) const {
  return div_out(self(), self(), b);
}
inline Tensor detail::OpMethods::floor_divide(const Value& b) const {
  return backplane::floor_divide(self(), b);
}
inline const Tensor& detail::OpMethods::floor_divide_(const Value& b) const {
  return floor_divide_out(self(), self(), b);
}
inline Tensor detail::OpMethods::remainder(const Value& b) const {
  return backplane::remainder(self(), b);
}
inline const Tensor& detail::OpMethods::remainder_(const Value& b) const {
  return remainder_out(self(), self(), b);
}
inline Tensor detail::OpMethods::pow(const Value& b) const {
  return backplane::pow(self(), b);
}
inline const Tensor& detail::OpMethods::pow_(const Value& b) const {
  return pow_out(self(), self(), b);
}
inline Tensor detail::OpMethods::maximum(const Value& b) const {
  return backplane::maximum(self(), b);
}
inline const Tensor& detail::OpMethods::maximum_(const Value& b) const {
  return maximum_out(self(), self(), b);
}
inline Tensor detail::OpMethods::minimum(const Value& b) const {
  return backplane::minimum(self(), b);
}
inline const Tensor& detail::OpMethods::minimum_(const Value& b) const {
  return minimum_out(self(), self(), b);
}
inline Tensor detail::OpMethods::eq(const Value& b) const {
  return backplane::eq(self(), b);
}
inline const Tensor& detail::OpMethods::eq_(const Value& b) const {
  return eq_out(self(), self(), b);
}
inline Tensor detail::OpMethods::ne(const Value& b) const {
  return backplane::ne(self(), b);
}
inline const Tensor& detail::OpMethods::ne_(const Value& b) const {
  return ne_out(self(), self(), b);
}
inline Tensor detail::OpMethods::lt(const Value& b) const {
  return backplane::lt(self(), b);
}
inline const Tensor& detail::OpMethods::lt_(const Value& b) const {
  return lt_out(self(), self(), b);
}
inline Tensor detail::OpMethods::le(const Value& b) const {
  return backplane::le(self(), b);
}
inline const Tensor& detail::OpMethods::le_(const Value& b) const {
  return le_out(self(), self(), b);
}
inline Tensor detail::OpMethods::gt(const Value& b) const {
  return backplane::gt(self(), b);
}
inline const Tensor& detail::OpMethods::gt_(const Value& b) const {
  return gt_out(self(), self(), b);
}
inline Tensor detail::OpMethods::ge(const Value& b) const {
  return backplane::ge(self(), b);
}
inline const Tensor& detail::OpMethods::ge_(const Value& b) const {
  return ge_out(self(), self(), b);
}
inline Tensor detail::OpMethods::logical_and(const Value& b) const {
  return backplane::logical_and(self(), b);
}
inline const Tensor& detail::OpMethods::logical_and_(const Value& b) const {
  return logical_and_out(self(), self(), b);
}
inline Tensor detail::OpMethods::logical_or(const Value& b) const {
  return backplane::logical_or(self(), b);
}
inline const Tensor& detail::OpMethods::logical_or_(const Value& b) const {
  return logical_or_out(self(), self(), b);
}
inline Tensor detail::OpMethods::logical_xor(const Value& b) const {
  return backplane::logical_xor(self(), b);
}
inline const Tensor& detail::OpMethods::logical_xor_(const Value& b) const {
  return logical_xor_out(self(), self(), b);
}
inline Tensor detail::OpMethods::bitwise_and(const Value& b) const {
  return backplane::bitwise_and(self(), b);
}
inline const Tensor& detail::OpMethods::bitwise_and_(const Value& b) const {
  return bitwise_and_out(self(), self(), b);
}
inline Tensor detail::OpMethods::bitwise_or(const Value& b) const {
  return backplane::bitwise_or(self(), b);
}
inline const Tensor& detail::OpMethods::bitwise_or_(const Value& b) const {
  return bitwise_or_out(self(), self(), b);
}
inline Tensor detail::OpMethods::bitwise_xor(const Value& b) const {
  return backplane::bitwise_xor(self(), b);
}
inline const Tensor& detail::OpMethods::bitwise_xor_(const Value& b) const {
  return bitwise_xor_out(self(), self(), b);
}
inline Tensor detail::OpMethods::atan2(const Value& b) const {
  return backplane::atan2(self(), b);
}
inline const Tensor& detail::OpMethods::atan2_(const Value& b) const {
  return atan2_out(self(), self(), b);
}
inline Tensor detail::OpMethods::hypot(const Value& b) const {
  return backplane::hypot(self(), b);
}
inline const Tensor& detail::OpMethods::hypot_(const Value& b) const {
  return hypot_out(self(), self(), b);
}
inline Tensor detail::OpMethods::copysign(const Value& b) const {
  return backplane::copysign(self(), b);
}
inline const Tensor& detail::OpMethods::copysign_(const Value& b) const {
  return copysign_out(self(), self(), b);
}
inline Tensor detail::OpMethods::nextafter(const Value& b) const {
  return backplane::nextafter(self(), b);
}
inline const Tensor& detail::OpMethods::nextafter_(const Value& b) const {
  return nextafter_out(self(), self(), b);
}
inline Tensor detail::OpMethods::logaddexp(const Value& b) const {
  return backplane::logaddexp(self(), b);
}
inline const Tensor& detail::OpMethods::logaddexp_(const Value& b) const {
  return logaddexp_out(self(), self(), b);
}
inline Tensor detail::OpMethods::fmod(const Value& b) const {
  return backplane::fmod(self(), b);
}
inline const Tensor& detail::OpMethods::fmod_(const Value& b) const {
  return fmod_out(self(), self(), b);
}
inline Tensor detail::OpMethods::bitwise_left_shift(const Value& b) const {
  return backplane::bitwise_left_shift(self(), b);
}
inline const Tensor& detail::OpMethods::bitwise_left_shift_(const Value& b) const {
  return bitwise_left_shift_out(self(), self(), b);
}
inline Tensor detail::OpMethods::bitwise_right_shift(const Value& b) const {
  return backplane::bitwise_right_shift(self(), b);
}
inline const Tensor& detail::OpMethods::bitwise_right_shift_(const Value& b) const {
  return bitwise_right_shift_out(self(), self(), b);
}
inline Tensor detail::OpMethods::cast(bp_dtype dtype) const {
  return backplane::cast(self(), dtype);
}
inline const Tensor& detail::OpMethods::cast_(bp_dtype dtype) const {
  return cast_out(self(), self(), dtype);
}
inline Tensor detail::OpMethods::copy() const {
  return backplane::copy(self());
}
inline const Tensor& detail::OpMethods::copy_() const {
  return copy_out(self(), self());
}
inline Tensor detail::OpMethods::sum(const Ints& axes, bool keepdims, bp_dtype dtype) const {
  return backplane::sum(self(), axes, keepdims, dtype);
}
inline Tensor detail::OpMethods::mean(const Ints& axes, bool keepdims, bp_dtype dtype) const {
  return backplane::mean(self(), axes, keepdims, dtype);
}
inline Tensor detail::OpMethods::prod(const Ints& axes, bool keepdims, bp_dtype dtype) const {
  return backplane::prod(self(), axes, keepdims, dtype);
}
inline Tensor detail::OpMethods::max(const Ints& axes, bool keepdims) const {
  return backplane::max(self(), axes, keepdims);
}
inline Tensor detail::OpMethods::min(const Ints& axes, bool keepdims) const {
  return backplane::min(self(), axes, keepdims);
}
inline Tensor detail::OpMethods::argmax(const Ints& axis, bool keepdims) const {
  return backplane::argmax(self(), axis, keepdims);
}
inline Tensor detail::OpMethods::argmin(const Ints& axis, bool keepdims) const {
  return backplane::argmin(self(), axis, keepdims);
}
inline Tensor detail::OpMethods::any(const Ints& axes, bool keepdims) const {
  return backplane::any(self(), axes, keepdims);
}
inline Tensor detail::OpMethods::all(const Ints& axes, bool keepdims) const {
  return backplane::all(self(), axes, keepdims);
}
inline Tensor detail::OpMethods::var(const Ints& axes, bool keepdims, double correction) const {
  return backplane::var(self(), axes, keepdims, correction);
}
inline Tensor detail::OpMethods::cumsum(std::int64_t axis, bp_dtype dtype) const {
  return backplane::cumsum(self(), axis, dtype);
}
inline Tensor detail::OpMethods::softmax(std::int64_t axis) const {
  return backplane::softmax(self(), axis);
}
inline Tensor detail::OpMethods::log_softmax(std::int64_t axis) const {
  return backplane::log_softmax(self(), axis);
}
inline Tensor detail::OpMethods::cumprod(std::int64_t axis, bp_dtype dtype) const {
  return backplane::cumprod(self(), axis, dtype);
}
inline Tensor detail::OpMethods::matmul(const Tensor& b) const {
  return backplane::matmul(self(), b);
}
inline Tensor detail::OpMethods::gather(const Tensor& index, std::int64_t axis) const {
  return backplane::gather(self(), index, axis);
}
inline Tensor detail::OpMethods::index_select(const Tensor& index, std::int64_t axis) const {
  return backplane::index_select(self(), index, axis);
}
inline Tensor detail::OpMethods::take_along(const Tensor& index, std::int64_t axis) const {
  return backplane::take_along(self(), index, axis);
}
inline Tensor detail::OpMethods::one_hot(std::int64_t num_classes) const {
  return backplane::one_hot(self(), num_classes);
}
inline std::pair<Tensor, Tensor> detail::OpMethods::sort(std::int64_t axis, bool descending) const {
  return backplane::sort(self(), axis, descending);
}
inline Tensor detail::OpMethods::argsort(std::int64_t axis, bool descending) const {
  return backplane::argsort(self(), axis, descending);
}
inline std::pair<Tensor, Tensor> detail::OpMethods::topk(std::int64_t k, std::int64_t axis, bool largest) const {
  return backplane::topk(self(), k, axis, largest);
}
inline Tensor detail::OpMethods::signbit() const {
  return backplane::signbit(self());
}
inline const Tensor& detail::OpMethods::signbit_() const {
  return signbit_out(self(), self());
}
inline Tensor detail::OpMethods::bitwise_not() const {
  return backplane::bitwise_not(self());
}
inline const Tensor& detail::OpMethods::bitwise_not_() const {
  return bitwise_not_out(self(), self());
}
inline Tensor detail::OpMethods::softplus(double beta, double threshold) const {
  return backplane::softplus(self(), beta, threshold);
}
inline const Tensor& detail::OpMethods::softplus_(double beta, double threshold) const {
  return softplus_out(self(), self(), beta, threshold);
}
inline Tensor detail::OpMethods::elu(double alpha) const {
  return backplane::elu(self(), alpha);
}
inline const Tensor& detail::OpMethods::elu_(double alpha) const {
  return elu_out(self(), self(), alpha);
}
inline Tensor detail::OpMethods::leaky_relu(double negative_slope) const {
  return backplane::leaky_relu(self(), negative_slope);
}
inline const Tensor& detail::OpMethods::leaky_relu_(double negative_slope) const {
  return leaky_relu_out(self(), self(), negative_slope);
}
inline Tensor detail::OpMethods::hardswish() const {
  return backplane::hardswish(self());
}
inline const Tensor& detail::OpMethods::hardswish_() const {
  return hardswish_out(self(), self());
}
inline Tensor detail::OpMethods::hardsigmoid() const {
  return backplane::hardsigmoid(self());
}
inline const Tensor& detail::OpMethods::hardsigmoid_() const {
  return hardsigmoid_out(self(), self());
}
inline Tensor detail::OpMethods::mish() const {
  return backplane::mish(self());
}
inline const Tensor& detail::OpMethods::mish_() const {
  return mish_out(self(), self());
}
inline Tensor detail::OpMethods::gelu_tanh() const {
  return backplane::gelu_tanh(self());
}
inline const Tensor& detail::OpMethods::gelu_tanh_() const {
  return gelu_tanh_out(self(), self());
}
inline Tensor detail::OpMethods::hardtanh(double min_val, double max_val) const {
  return backplane::hardtanh(self(), min_val, max_val);
}
inline const Tensor& detail::OpMethods::hardtanh_(double min_val, double max_val) const {
  return hardtanh_out(self(), self(), min_val, max_val);
}
inline Tensor detail::OpMethods::relu6() const {
  return backplane::relu6(self());
}
inline const Tensor& detail::OpMethods::relu6_() const {
  return relu6_out(self(), self());
}
inline Tensor detail::OpMethods::nan_to_num(double nan, double posinf, double neginf) const {
  return backplane::nan_to_num(self(), nan, posinf, neginf);
}
inline const Tensor& detail::OpMethods::nan_to_num_(double nan, double posinf, double neginf) const {
  return nan_to_num_out(self(), self(), nan, posinf, neginf);
}
inline Tensor detail::OpMethods::lerp(const Tensor& end, const Value& weight) const {
  return backplane::lerp(self(), end, weight);
}
inline const Tensor& detail::OpMethods::lerp_(const Tensor& end, const Value& weight) const {
  return lerp_out(self(), self(), end, weight);
}
inline Tensor detail::OpMethods::lgamma() const {
  return backplane::lgamma(self());
}
inline const Tensor& detail::OpMethods::lgamma_() const {
  return lgamma_out(self(), self());
}
inline Tensor detail::OpMethods::digamma() const {
  return backplane::digamma(self());
}
inline const Tensor& detail::OpMethods::digamma_() const {
  return digamma_out(self(), self());
}
inline Tensor detail::OpMethods::addcmul(const Tensor& a, const Value& b, double value) const {
  return backplane::addcmul(self(), a, b, value);
}
inline const Tensor& detail::OpMethods::addcmul_(const Tensor& a, const Value& b, double value) const {
  return addcmul_out(self(), self(), a, b, value);
}
inline Tensor detail::OpMethods::addcdiv(const Tensor& a, const Value& b, double value) const {
  return backplane::addcdiv(self(), a, b, value);
}
inline const Tensor& detail::OpMethods::addcdiv_(const Tensor& a, const Value& b, double value) const {
  return addcdiv_out(self(), self(), a, b, value);
}
inline std::pair<Tensor, Tensor> detail::OpMethods::kthvalue(std::int64_t k, std::int64_t axis) const {
  return backplane::kthvalue(self(), k, axis);
}
inline Tensor detail::OpMethods::std(const Ints& axes, bool keepdims, double correction) const {
  return backplane::std(self(), axes, keepdims, correction);
}
inline Tensor detail::OpMethods::logsumexp(const Ints& axes, bool keepdims) const {
  return backplane::logsumexp(self(), axes, keepdims);
}
inline Tensor detail::OpMethods::vector_norm(const Ints& axes, bool keepdims, double ord) const {
  return backplane::vector_norm(self(), axes, keepdims, ord);
}
inline Tensor detail::OpMethods::count_nonzero(const Ints& axes, bool keepdims) const {
  return backplane::count_nonzero(self(), axes, keepdims);
}
inline Tensor detail::OpMethods::diff(std::int64_t n, std::int64_t axis) const {
  return backplane::diff(self(), n, axis);
}
inline Tensor detail::OpMethods::roll(const Ints& shift, const Ints& axis) const {
  return backplane::roll(self(), shift, axis);
}
inline Tensor detail::OpMethods::repeat(std::int64_t repeats, const Ints& axis) const {
  return backplane::repeat(self(), repeats, axis);
}
inline Tensor detail::OpMethods::tile(const Ints& repetitions) const {
  return backplane::tile(self(), repetitions);
}
inline Tensor detail::OpMethods::tril(std::int64_t diagonal) const {
  return backplane::tril(self(), diagonal);
}
inline Tensor detail::OpMethods::triu(std::int64_t diagonal) const {
  return backplane::triu(self(), diagonal);
}
inline Tensor detail::OpMethods::pad(const Ints& pad, const char* mode, double value) const {
  return backplane::pad(self(), pad, mode, value);
}
inline Tensor detail::OpMethods::outer(const Tensor& b) const {
  return backplane::outer(self(), b);
}
inline Tensor detail::OpMethods::vecdot(const Tensor& b, std::int64_t axis) const {
  return backplane::vecdot(self(), b, axis);
}
inline Tensor detail::OpMethods::tensordot(const Tensor& b, const Ints& axes_a, const Ints& axes_b) const {
  return backplane::tensordot(self(), b, axes_a, axes_b);
}
inline Tensor detail::OpMethods::trace(std::int64_t offset, bp_dtype dtype) const {
  return backplane::trace(self(), offset, dtype);
}
inline Tensor detail::OpMethods::cross(const Tensor& b, std::int64_t axis) const {
  return backplane::cross(self(), b, axis);
}
inline Tensor detail::OpMethods::kron(const Tensor& b) const {
  return backplane::kron(self(), b);
}
inline Tensor detail::OpMethods::scatter(const Tensor& index, const Tensor& src, std::int64_t axis) const {
  return backplane::scatter(self(), index, src, axis);
}
inline Tensor detail::OpMethods::scatter_add(const Tensor& index, const Tensor& src, std::int64_t axis) const {
  return backplane::scatter_add(self(), index, src, axis);
}
inline Tensor detail::OpMethods::index_add(const Tensor& index, const Tensor& source, std::int64_t axis, double alpha) const {
  return backplane::index_add(self(), index, source, axis, alpha);
}
inline Tensor detail::OpMethods::masked_fill(const Tensor& mask, const Value& value) const {
  return backplane::masked_fill(self(), mask, value);
}
inline const Tensor& detail::OpMethods::masked_fill_(const Tensor& mask, const Value& value) const {
  return masked_fill_out(self(), self(), mask, value);
}
inline std::pair<Tensor, Tensor> detail::OpMethods::batch_norm_running(const Tensor& running_mean, const Tensor& running_var, double momentum) const {
  return backplane::batch_norm_running(self(), running_mean, running_var, momentum);
}
inline Tensor detail::OpMethods::dropout(double p, std::int64_t seed, std::int64_t offset) const {
  return backplane::dropout(self(), p, seed, offset);
}
inline Tensor detail::OpMethods::rope(const Tensor& cos, const Tensor& sin, bool interleaved) const {
  return backplane::rope(self(), cos, sin, interleaved);
}
inline Tensor detail::OpMethods::real() const {
  return backplane::real(self());
}
inline const Tensor& detail::OpMethods::real_() const {
  return real_out(self(), self());
}
inline Tensor detail::OpMethods::imag() const {
  return backplane::imag(self());
}
inline const Tensor& detail::OpMethods::imag_() const {
  return imag_out(self(), self());
}
inline Tensor detail::OpMethods::conj() const {
  return backplane::conj(self());
}
inline const Tensor& detail::OpMethods::conj_() const {
  return conj_out(self(), self());
}
inline Tensor detail::OpMethods::angle() const {
  return backplane::angle(self());
}
inline const Tensor& detail::OpMethods::angle_() const {
  return angle_out(self(), self());
}
inline Tensor detail::OpMethods::cholesky(bool upper) const {
  return backplane::cholesky(self(), upper);
}
inline std::pair<Tensor, Tensor> detail::OpMethods::lu_factor() const {
  return backplane::lu_factor(self());
}
inline Tensor detail::OpMethods::solve_triangular(const Tensor& b, bool upper, bool left, bool unitriangular) const {
  return backplane::solve_triangular(self(), b, upper, left, unitriangular);
}
inline Tensor detail::OpMethods::solve(const Tensor& b) const {
  return backplane::solve(self(), b);
}
inline Tensor detail::OpMethods::inv() const {
  return backplane::inv(self());
}
inline std::pair<Tensor, Tensor> detail::OpMethods::qr(bool complete) const {
  return backplane::qr(self(), complete);
}
inline std::tuple<Tensor, Tensor, Tensor> detail::OpMethods::svd(bool full_matrices) const {
  return backplane::svd(self(), full_matrices);
}
inline Tensor detail::OpMethods::svdvals() const {
  return backplane::svdvals(self());
}
inline std::pair<Tensor, Tensor> detail::OpMethods::eigh(bool upper) const {
  return backplane::eigh(self(), upper);
}
inline Tensor detail::OpMethods::eigvalsh(bool upper) const {
  return backplane::eigvalsh(self(), upper);
}
inline Tensor detail::OpMethods::det() const {
  return backplane::det(self());
}
inline std::pair<Tensor, Tensor> detail::OpMethods::slogdet() const {
  return backplane::slogdet(self());
}
inline Tensor detail::OpMethods::matrix_rank(double atol, double rtol, bool hermitian) const {
  return backplane::matrix_rank(self(), atol, rtol, hermitian);
}
inline Tensor detail::OpMethods::pinv(double atol, double rtol) const {
  return backplane::pinv(self(), atol, rtol);
}
inline Tensor detail::OpMethods::matrix_power(std::int64_t n) const {
  return backplane::matrix_power(self(), n);
}
inline Tensor detail::OpMethods::matrix_norm(const char* ord, bool keepdims) const {
  return backplane::matrix_norm(self(), ord, keepdims);
}
inline std::tuple<Tensor, Tensor, Tensor> detail::OpMethods::lstsq(const Tensor& b, double rcond) const {
  return backplane::lstsq(self(), b, rcond);
}
inline std::pair<Tensor, Tensor> detail::OpMethods::eig() const {
  return backplane::eig(self());
}
inline Tensor detail::OpMethods::eigvals() const {
  return backplane::eigvals(self());
}
inline Tensor detail::OpMethods::fft_c2c(std::int64_t axis, bool inverse, double scale) const {
  return backplane::fft_c2c(self(), axis, inverse, scale);
}
inline Tensor detail::OpMethods::fft_r2c(std::int64_t axis, double scale, bool conj) const {
  return backplane::fft_r2c(self(), axis, scale, conj);
}
inline Tensor detail::OpMethods::fft_c2r(std::int64_t n, std::int64_t axis, double scale, bool conj) const {
  return backplane::fft_c2r(self(), n, axis, scale, conj);
}
inline Tensor detail::OpMethods::fft(std::int64_t n, std::int64_t axis, const char* norm) const {
  return backplane::fft(self(), n, axis, norm);
}
inline Tensor detail::OpMethods::ifft(std::int64_t n, std::int64_t axis, const char* norm) const {
  return backplane::ifft(self(), n, axis, norm);
}
inline Tensor detail::OpMethods::fftn(const Ints& s, const Ints& axes, const char* norm) const {
  return backplane::fftn(self(), s, axes, norm);
}
inline Tensor detail::OpMethods::ifftn(const Ints& s, const Ints& axes, const char* norm) const {
  return backplane::ifftn(self(), s, axes, norm);
}
inline Tensor detail::OpMethods::rfft(std::int64_t n, std::int64_t axis, const char* norm) const {
  return backplane::rfft(self(), n, axis, norm);
}
inline Tensor detail::OpMethods::irfft(std::int64_t n, std::int64_t axis, const char* norm) const {
  return backplane::irfft(self(), n, axis, norm);
}
inline Tensor detail::OpMethods::rfftn(const Ints& s, const Ints& axes, const char* norm) const {
  return backplane::rfftn(self(), s, axes, norm);
}
inline Tensor detail::OpMethods::irfftn(const Ints& s, const Ints& axes, const char* norm) const {
  return backplane::irfftn(self(), s, axes, norm);
}
inline Tensor detail::OpMethods::hfft(std::int64_t n, std::int64_t axis, const char* norm) const {
  return backplane::hfft(self(), n, axis, norm);
}
inline Tensor detail::OpMethods::ihfft(std::int64_t n, std::int64_t axis, const char* norm) const {
  return backplane::ihfft(self(), n, axis, norm);
}
inline Tensor detail::OpMethods::nonzero() const {
  return backplane::nonzero(self());
}
inline Tensor detail::OpMethods::masked_select(const Tensor& mask) const {
  return backplane::masked_select(self(), mask);
}
inline Tensor detail::OpMethods::unique() const {
  return backplane::unique(self());
}
inline std::tuple<Tensor, Tensor, Tensor, Tensor> detail::OpMethods::unique_all() const {
  return backplane::unique_all(self());
}
inline Tensor detail::OpMethods::index_copy(const Tensor& index, const Tensor& source, std::int64_t axis) const {
  return backplane::index_copy(self(), index, source, axis);
}
inline Tensor detail::OpMethods::sum_square(const Ints& axes, bool keepdims) const {
  return backplane::sum_square(self(), axes, keepdims);
}

}  // namespace backplane
#endif
