/* SPDX-License-Identifier: Apache-2.0 */
/* c_ops.h: one function for each op. Printed by `./dev print` from the op table (core/ops); do not edit.
 *
 * - bp_<op> makes its result: *out is written and never read.
 * - bp_<op>_scalar takes a number as its last operand, and makes no tensor of it.
 * - bp_<op>_into writes into `out`, which the caller made: its shape and device are the result's, and the
 *   result's dtype can be cast to its own. It may be one of the inputs (in place). Ops that create take shape and
 *   dtype from it.
 *
 * An input that docs/ops.md marks "=none" may be NULL; a number in the place of a tensor goes through bp_invoke.
 * With n 0 no axes are given. dtype BP_DTYPE_NONE is the op's own choice. A seed and an offset of -1 are drawn from
 * the device's generator. Tensors are borrowed. Errors are those of bp_invoke. Any thread may call; the work is
 * queued in the current stream of the operands' device. */
#ifndef BACKPLANE_C_OPS_H
#define BACKPLANE_C_OPS_H

#include "c_api.h"
#include "c_op_ids.h"

#ifdef __cplusplus
extern "C" {
#endif

/* -x. Integers wrap; bool is refused. */
BP_API bp_status bp_neg(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_neg_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* |x|. The most negative integer stays itself. Of complex numbers the modulus, a real number. */
BP_API bp_status bp_abs(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_abs_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* -1, 0 or 1 by the sign of x; 0 for NaN, as PyTorch. */
BP_API bp_status bp_sign(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_sign_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Square root; NaN below zero. */
BP_API bp_status bp_sqrt(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_sqrt_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* 1 / sqrt(x); +inf at +0. */
BP_API bp_status bp_rsqrt(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_rsqrt_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* x * x. Integers wrap. */
BP_API bp_status bp_square(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_square_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* 1 / x. */
BP_API bp_status bp_reciprocal(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_reciprocal_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* e to the x. */
BP_API bp_status bp_exp(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_exp_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* exp(x) - 1, accurate near zero. */
BP_API bp_status bp_expm1(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_expm1_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Natural logarithm; -inf at zero, NaN below. */
BP_API bp_status bp_log(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_log_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* log(1 + x), accurate near zero. */
BP_API bp_status bp_log1p(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_log1p_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Sine, x in radians. */
BP_API bp_status bp_sin(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_sin_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Cosine, x in radians. */
BP_API bp_status bp_cos(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_cos_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Tangent, x in radians. */
BP_API bp_status bp_tan(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_tan_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Hyperbolic tangent. */
BP_API bp_status bp_tanh(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_tanh_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* 1 / (1 + exp(-x)). */
BP_API bp_status bp_sigmoid(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_sigmoid_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* max(x, 0); NaN stays NaN. */
BP_API bp_status bp_relu(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_relu_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* x * (1 + erf(x / sqrt 2)) / 2, the exact form (Hendrycks and Gimpel, 2016). */
BP_API bp_status bp_gelu(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_gelu_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* x * sigmoid(x). */
BP_API bp_status bp_silu(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_silu_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Error function. */
BP_API bp_status bp_erf(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_erf_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Largest integer not above x; integers as they are. */
BP_API bp_status bp_floor(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_floor_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Smallest integer not below x; integers as they are. */
BP_API bp_status bp_ceil(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_ceil_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Nearest integer, halves to even. */
BP_API bp_status bp_round(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_round_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Nearest integer towards zero. */
BP_API bp_status bp_trunc(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_trunc_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* True where x is NaN. */
BP_API bp_status bp_isnan(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_isnan_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* True where x is +inf or -inf. */
BP_API bp_status bp_isinf(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_isinf_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* True where x is zero. */
BP_API bp_status bp_logical_not(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_logical_not_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Inverse sine, in [-pi/2, pi/2]; NaN outside [-1, 1]. */
BP_API bp_status bp_asin(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_asin_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Inverse cosine, in [0, pi]; NaN outside [-1, 1]. */
BP_API bp_status bp_acos(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_acos_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Inverse tangent, in [-pi/2, pi/2]. */
BP_API bp_status bp_atan(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_atan_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Hyperbolic sine. */
BP_API bp_status bp_sinh(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_sinh_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Hyperbolic cosine. */
BP_API bp_status bp_cosh(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_cosh_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Inverse hyperbolic sine. */
BP_API bp_status bp_asinh(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_asinh_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Inverse hyperbolic cosine; NaN below 1. */
BP_API bp_status bp_acosh(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_acosh_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Inverse hyperbolic tangent; infinite at -1 and 1, NaN beyond. */
BP_API bp_status bp_atanh(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_atanh_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Logarithm to base 2; -inf at zero, NaN below. Exact for powers of two. */
BP_API bp_status bp_log2(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_log2_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Logarithm to base 10; -inf at zero, NaN below. */
BP_API bp_status bp_log10(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_log10_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* 2 to the x. Exact for integers. */
BP_API bp_status bp_exp2(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_exp2_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* True where x is neither infinite nor NaN. */
BP_API bp_status bp_isfinite(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_isfinite_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* a + b. Integers wrap; of bools it is logical or. */
BP_API bp_status bp_add(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_add_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_add_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* a - b. Integers wrap; two bools are refused. */
BP_API bp_status bp_sub(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_sub_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_sub_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* a * b. Integers wrap; of bools it is logical and. */
BP_API bp_status bp_mul(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_mul_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_mul_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* True division; integers give the default float dtype. */
BP_API bp_status bp_div(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_div_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_div_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* Quotient rounded towards -inf, as Python's //. Integers stay integers; an integer divided by 0 is 0. Floating quotients beyond an eighth of 2^p (p bits of precision) may be off by one. */
BP_API bp_status bp_floor_divide(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_floor_divide_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_floor_divide_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* a - b * floor(a / b), the sign of b, as Python's %. An integer modulo 0 is 0. */
BP_API bp_status bp_remainder(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_remainder_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_remainder_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* a to the b. Integers stay integers and wrap; to a negative integer tensor they give 0, except 1 and -1. */
BP_API bp_status bp_pow(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_pow_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_pow_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* The larger; NaN when either is. */
BP_API bp_status bp_maximum(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_maximum_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_maximum_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* The smaller; NaN when either is. */
BP_API bp_status bp_minimum(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_minimum_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_minimum_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* a == b, as bool. */
BP_API bp_status bp_eq(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_eq_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_eq_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* a != b, as bool. */
BP_API bp_status bp_ne(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_ne_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_ne_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* a < b, as bool. */
BP_API bp_status bp_lt(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_lt_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_lt_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* a <= b, as bool. */
BP_API bp_status bp_le(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_le_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_le_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* a > b, as bool. */
BP_API bp_status bp_gt(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_gt_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_gt_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* a >= b, as bool. */
BP_API bp_status bp_ge(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_ge_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_ge_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* Both are not zero. */
BP_API bp_status bp_logical_and(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_logical_and_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_logical_and_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* At least one is not zero. */
BP_API bp_status bp_logical_or(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_logical_or_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_logical_or_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* Exactly one is not zero. */
BP_API bp_status bp_logical_xor(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_logical_xor_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_logical_xor_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* a & b of integers or bools. */
BP_API bp_status bp_bitwise_and(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_bitwise_and_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_bitwise_and_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* a | b of integers or bools. */
BP_API bp_status bp_bitwise_or(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_bitwise_or_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_bitwise_or_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* a ^ b of integers or bools. */
BP_API bp_status bp_bitwise_xor(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_bitwise_xor_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_bitwise_xor_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* Angle of the point (b, a), in [-pi, pi]; special cases as C's atan2. */
BP_API bp_status bp_atan2(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_atan2_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_atan2_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* sqrt(a * a + b * b) without overflow on the way; infinite when either is. */
BP_API bp_status bp_hypot(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_hypot_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_hypot_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* |a| with the sign bit of b. */
BP_API bp_status bp_copysign(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_copysign_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_copysign_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* The number of a's dtype that follows a in the direction of b; b where they are equal. */
BP_API bp_status bp_nextafter(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_nextafter_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_nextafter_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* log(exp(a) + exp(b)) without overflow on the way. The bound is relative to the larger operand. */
BP_API bp_status bp_logaddexp(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_logaddexp_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_logaddexp_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* a - b * trunc(a / b), exact, the sign of a, as C's fmod. An integer modulo 0 is 0. */
BP_API bp_status bp_fmod(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_fmod_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_fmod_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* a << b; 0 where b is negative or not below the width. */
BP_API bp_status bp_bitwise_left_shift(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_bitwise_left_shift_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_bitwise_left_shift_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* a >> b, signed numbers keep their sign; where b is negative or not below the width: 0, or -1 for negative a. */
BP_API bp_status bp_bitwise_right_shift(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_bitwise_right_shift_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_bitwise_right_shift_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* x where condition is true, else y; all broadcast. */
BP_API bp_status bp_where(bp_tensor *condition, bp_tensor *x, bp_tensor *y, bp_tensor **out, bp_error **err);
BP_API bp_status bp_where_into(bp_tensor *condition, bp_tensor *x, bp_tensor *y, bp_tensor *out, bp_error **err);

/* x in another dtype. Float to integer truncates towards zero, NaN gives 0 and values out of range saturate, on every device; integers wrap; narrower floats are reached through f32; to bool: is not zero; complex to real drops the imaginary part. */
BP_API bp_status bp_cast(bp_tensor *x, bp_dtype dtype, bp_tensor **out, bp_error **err);
BP_API bp_status bp_cast_into(bp_tensor *x, bp_dtype dtype, bp_tensor *out, bp_error **err);

/* x's elements, converted to a given output's dtype by the rules of cast. */
BP_API bp_status bp_copy(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_copy_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Every element is value. */
BP_API bp_status bp_fill(const bp_value *value, int32_t rank, const int64_t *shape, bp_dtype dtype, bp_device device, bp_tensor **out, bp_error **err);
BP_API bp_status bp_fill_into(const bp_value *value, bp_tensor *out, bp_error **err);

/* Sum over axes (none given: all); 0 of nothing. Integers and bools are summed in i64 (u64 in u64). The order of additions depends on the shape alone, not on the number of threads; the bound holds for operands of one sign. */
BP_API bp_status bp_sum(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor **out, bp_error **err);
BP_API bp_status bp_sum_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor *out, bp_error **err);

/* Mean over axes; NaN of nothing. Floating dtypes only. The bound is of sum's kind. */
BP_API bp_status bp_mean(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor **out, bp_error **err);
BP_API bp_status bp_mean_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor *out, bp_error **err);

/* Product over axes; 1 of nothing. dtypes as sum. The bound holds up to 60 factors; each further one adds half an ULP. */
BP_API bp_status bp_prod(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor **out, bp_error **err);
BP_API bp_status bp_prod_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor *out, bp_error **err);

/* Largest over axes; NaN when one is there. */
BP_API bp_status bp_max(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err);
BP_API bp_status bp_max_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err);

/* Smallest over axes; NaN when one is there. */
BP_API bp_status bp_min(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err);
BP_API bp_status bp_min_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err);

/* First position (i64) of the largest along axis, or in the flattened tensor when none is given; the first NaN when one is there. */
BP_API bp_status bp_argmax(bp_tensor *x, const int64_t *axis, uint32_t n_axis, uint32_t keepdims, bp_tensor **out, bp_error **err);
BP_API bp_status bp_argmax_into(bp_tensor *x, const int64_t *axis, uint32_t n_axis, uint32_t keepdims, bp_tensor *out, bp_error **err);

/* First position of the smallest; see argmax. */
BP_API bp_status bp_argmin(bp_tensor *x, const int64_t *axis, uint32_t n_axis, uint32_t keepdims, bp_tensor **out, bp_error **err);
BP_API bp_status bp_argmin_into(bp_tensor *x, const int64_t *axis, uint32_t n_axis, uint32_t keepdims, bp_tensor *out, bp_error **err);

/* True when one is not zero (NaN is not); false of nothing. */
BP_API bp_status bp_any(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err);
BP_API bp_status bp_any_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err);

/* True when none is zero; true of nothing. */
BP_API bp_status bp_all(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err);
BP_API bp_status bp_all_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err);

/* Variance over axes: sum of squared distances from the mean over (n - correction), at least 0. Two passes. Of complex numbers it is real. */
BP_API bp_status bp_var(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double correction, bp_tensor **out, bp_error **err);
BP_API bp_status bp_var_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double correction, bp_tensor *out, bp_error **err);

/* Running sum along axis; dtypes as sum. The bound is relative to the sum of magnitudes. */
BP_API bp_status bp_cumsum(bp_tensor *x, int64_t axis, bp_dtype dtype, bp_tensor **out, bp_error **err);
BP_API bp_status bp_cumsum_into(bp_tensor *x, int64_t axis, bp_dtype dtype, bp_tensor *out, bp_error **err);

/* exp(x - max) / sum(exp(x - max)) along axis. */
BP_API bp_status bp_softmax(bp_tensor *x, int64_t axis, bp_tensor **out, bp_error **err);
BP_API bp_status bp_softmax_into(bp_tensor *x, int64_t axis, bp_tensor *out, bp_error **err);

/* x - max - log(sum(exp(x - max))) along axis. The bound is relative to the largest term. */
BP_API bp_status bp_log_softmax(bp_tensor *x, int64_t axis, bp_tensor **out, bp_error **err);
BP_API bp_status bp_log_softmax_into(bp_tensor *x, int64_t axis, bp_tensor *out, bp_error **err);

/* Running product along axis; dtypes as sum. The bound holds up to 60 factors; each further one adds half an ULP. */
BP_API bp_status bp_cumprod(bp_tensor *x, int64_t axis, bp_dtype dtype, bp_tensor **out, bp_error **err);
BP_API bp_status bp_cumprod_into(bp_tensor *x, int64_t axis, bp_dtype dtype, bp_tensor *out, bp_error **err);

/* Matrix product: [.., m, k] x [.., k, n] -> [.., m, n], batches broadcast; a 1-D a is a row and a 1-D b a column, dropped again from the result. Equal dtypes; f16 and bf16 are accumulated in f32, integers wrap, of bools it is any(a and b). Error: at most (k + 2) * eps * (|a| x |b|) for each element; larger for f32 where bp_set_matmul_precision allows it. */
BP_API bp_status bp_matmul(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_matmul_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* Tensors joined along an axis they have; dtypes promote. */
BP_API bp_status bp_concat(bp_tensor *const *tensors, uint32_t n_tensors, int64_t axis, bp_tensor **out, bp_error **err);
BP_API bp_status bp_concat_into(bp_tensor *const *tensors, uint32_t n_tensors, int64_t axis, bp_tensor *out, bp_error **err);

/* Tensors of one shape joined along a new axis. */
BP_API bp_status bp_stack(bp_tensor *const *tensors, uint32_t n_tensors, int64_t axis, bp_tensor **out, bp_error **err);
BP_API bp_status bp_stack_into(bp_tensor *const *tensors, uint32_t n_tensors, int64_t axis, bp_tensor *out, bp_error **err);

/* out[.., j, ..] = x[.., index[.., j, ..], ..]: index has x's rank and, off the axis, sizes no larger than x's. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu. */
BP_API bp_status bp_gather(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor **out, bp_error **err);
BP_API bp_status bp_gather_into(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor *out, bp_error **err);

/* Slices of x along axis, in the order of the 1-D index. */
BP_API bp_status bp_index_select(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor **out, bp_error **err);
BP_API bp_status bp_index_select_into(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor *out, bp_error **err);

/* gather with x and index broadcast against each other off the axis; indices may be negative. */
BP_API bp_status bp_take_along(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor **out, bp_error **err);
BP_API bp_status bp_take_along_into(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor *out, bp_error **err);

/* i64 with a new last axis of num_classes: 1 at x, else 0. Values outside 0 .. num_classes - 1 are errors on the cpu. */
BP_API bp_status bp_one_hot(bp_tensor *x, int64_t num_classes, bp_tensor **out, bp_error **err);
BP_API bp_status bp_one_hot_into(bp_tensor *x, int64_t num_classes, bp_tensor *out, bp_error **err);

/* start + i * step for i in 0 .. ceil((end - start) / step) - 1; in i64 for integers, in f64 for floats, then rounded. Without a dtype: i64 when all three are integers, else the default float dtype. */
BP_API bp_status bp_arange(const bp_value *start, const bp_value *end, const bp_value *step, bp_dtype dtype, bp_device device, bp_tensor **out, bp_error **err);
BP_API bp_status bp_arange_into(const bp_value *start, const bp_value *end, const bp_value *step, bp_tensor *out, bp_error **err);

/* steps points from start to end, both included, computed in f64 from the nearer end: start + i * range / n in the first half, end - (n - i) * range / n in the second, range = end - start, n = steps - 1. */
BP_API bp_status bp_linspace(const bp_value *start, const bp_value *end, int64_t steps, bp_dtype dtype, bp_device device, bp_tensor **out, bp_error **err);
BP_API bp_status bp_linspace_into(const bp_value *start, const bp_value *end, int64_t steps, bp_tensor *out, bp_error **err);

/* Stable sort along axis; NaN is the largest. indices: where each value came from (i64). */
BP_API bp_status bp_sort(bp_tensor *x, int64_t axis, uint32_t descending, bp_tensor **values, bp_tensor **indices, bp_error **err);

/* The indices of sort. */
BP_API bp_status bp_argsort(bp_tensor *x, int64_t axis, uint32_t descending, bp_tensor **out, bp_error **err);
BP_API bp_status bp_argsort_into(bp_tensor *x, int64_t axis, uint32_t descending, bp_tensor *out, bp_error **err);

/* The k largest (or smallest) along axis, best first, ties by position; NaN is the largest. */
BP_API bp_status bp_topk(bp_tensor *x, int64_t k, int64_t axis, uint32_t largest, bp_tensor **values, bp_tensor **indices, bp_error **err);

/* low + (high - low) * u, u in [0, 1): (w0 >> 8) / 2^24 for f32, f16 and bf16 (the f32 result rounded down), ((w0 >> 5) * 2^26 + (w1 >> 6)) / 2^53 for f64. */
BP_API bp_status bp_uniform(int32_t rank, const int64_t *shape, bp_dtype dtype, double low, double high, int64_t seed, int64_t offset, bp_device device, bp_tensor **out, bp_error **err);
BP_API bp_status bp_uniform_into(double low, double high, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err);

/* mean + std * sqrt(-2 ln((w0 + 1) / 2^32)) * cos(2 pi w1 / 2^32) (Box and Muller, 1958). Devices agree within the bound, or 1e-6 std for f32 and narrower. */
BP_API bp_status bp_normal(int32_t rank, const int64_t *shape, bp_dtype dtype, double mean, double std, int64_t seed, int64_t offset, bp_device device, bp_tensor **out, bp_error **err);
BP_API bp_status bp_normal_into(double mean, double std, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err);

/* Integers in [low, high): low + floor((w0 + w1 * 2^32) * (high - low) / 2^64). */
BP_API bp_status bp_randint(int32_t rank, const int64_t *shape, bp_dtype dtype, int64_t low, int64_t high, int64_t seed, int64_t offset, bp_device device, bp_tensor **out, bp_error **err);
BP_API bp_status bp_randint_into(int64_t low, int64_t high, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err);

/* 1 with probability p, else 0: (w0 >> 8) / 2^24 < p. */
BP_API bp_status bp_bernoulli(int32_t rank, const int64_t *shape, bp_dtype dtype, double p, int64_t seed, int64_t offset, bp_device device, bp_tensor **out, bp_error **err);
BP_API bp_status bp_bernoulli_into(double p, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err);

/* True where the sign bit is set: x < 0, and -0 and NaN of that sign. */
BP_API bp_status bp_signbit(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_signbit_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* ~x of integers; of bools it is logical not. */
BP_API bp_status bp_bitwise_not(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_bitwise_not_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* log(1 + exp(beta * x)) / beta; x itself where beta * x is above threshold. */
BP_API bp_status bp_softplus(bp_tensor *x, double beta, double threshold, bp_tensor **out, bp_error **err);
BP_API bp_status bp_softplus_into(bp_tensor *x, double beta, double threshold, bp_tensor *out, bp_error **err);

/* x where x > 0, else alpha * (exp(x) - 1). */
BP_API bp_status bp_elu(bp_tensor *x, double alpha, bp_tensor **out, bp_error **err);
BP_API bp_status bp_elu_into(bp_tensor *x, double alpha, bp_tensor *out, bp_error **err);

/* x where x > 0, else negative_slope * x. */
BP_API bp_status bp_leaky_relu(bp_tensor *x, double negative_slope, bp_tensor **out, bp_error **err);
BP_API bp_status bp_leaky_relu_into(bp_tensor *x, double negative_slope, bp_tensor *out, bp_error **err);

/* x * min(max(x + 3, 0), 6) / 6. */
BP_API bp_status bp_hardswish(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_hardswish_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* min(max(x + 3, 0), 6) / 6. */
BP_API bp_status bp_hardsigmoid(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_hardsigmoid_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* x * tanh(softplus(x)). */
BP_API bp_status bp_mish(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_mish_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3))) / 2: gelu with approximate='tanh'. The bound is relative to x where x is negative. */
BP_API bp_status bp_gelu_tanh(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_gelu_tanh_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* x kept within min_val and max_val; NaN stays NaN. */
BP_API bp_status bp_hardtanh(bp_tensor *x, double min_val, double max_val, bp_tensor **out, bp_error **err);
BP_API bp_status bp_hardtanh_into(bp_tensor *x, double min_val, double max_val, bp_tensor *out, bp_error **err);

/* min(max(x, 0), 6); NaN stays NaN. */
BP_API bp_status bp_relu6(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_relu6_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* x with NaN, inf and -inf replaced: by nan, posinf (none: the dtype's largest) and neginf (none: its lowest). Integers as they are. */
BP_API bp_status bp_nan_to_num(bp_tensor *x, double nan, double posinf, double neginf, bp_tensor **out, bp_error **err);
BP_API bp_status bp_nan_to_num_into(bp_tensor *x, double nan, double posinf, double neginf, bp_tensor *out, bp_error **err);

/* min(max(x, min), max), bounds broadcast; max where min > max; NaN where an operand is. PyTorch's clamp. */
BP_API bp_status bp_clip(bp_tensor *x, bp_tensor *min, bp_tensor *max, bp_tensor **out, bp_error **err);
BP_API bp_status bp_clip_into(bp_tensor *x, bp_tensor *min, bp_tensor *max, bp_tensor *out, bp_error **err);

/* start + weight * (end - start), computed from the nearer end. The bound is relative to the largest term. */
BP_API bp_status bp_lerp(bp_tensor *start, bp_tensor *end, bp_tensor *weight, bp_tensor **out, bp_error **err);
BP_API bp_status bp_lerp_scalar(bp_tensor *start, bp_tensor *end, const bp_value *weight, bp_tensor **out, bp_error **err);
BP_API bp_status bp_lerp_into(bp_tensor *start, bp_tensor *end, bp_tensor *weight, bp_tensor *out, bp_error **err);

/* log(abs(gamma(x))): inf at 0 and negative integers. Below 0 the error is that bound of the largest term of log(pi / abs(sin(pi x))) - lgamma(1 - x). */
BP_API bp_status bp_lgamma(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_lgamma_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* The derivative of lgamma: -inf at 0, inf at -0, NaN at negative integers. The bound is relative to the largest of the result, log(x + 10) and 1 / x. */
BP_API bp_status bp_digamma(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_digamma_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* x + value * a * b. Integers wrap, and take the whole part of value. The bound is relative to the largest term. */
BP_API bp_status bp_addcmul(bp_tensor *x, bp_tensor *a, bp_tensor *b, double value, bp_tensor **out, bp_error **err);
BP_API bp_status bp_addcmul_scalar(bp_tensor *x, bp_tensor *a, const bp_value *b, double value, bp_tensor **out, bp_error **err);
BP_API bp_status bp_addcmul_into(bp_tensor *x, bp_tensor *a, bp_tensor *b, double value, bp_tensor *out, bp_error **err);

/* x + value * a / b; integers give the default float dtype. The bound is relative to the largest term. */
BP_API bp_status bp_addcdiv(bp_tensor *x, bp_tensor *a, bp_tensor *b, double value, bp_tensor **out, bp_error **err);
BP_API bp_status bp_addcdiv_scalar(bp_tensor *x, bp_tensor *a, const bp_value *b, double value, bp_tensor **out, bp_error **err);
BP_API bp_status bp_addcdiv_into(bp_tensor *x, bp_tensor *a, bp_tensor *b, double value, bp_tensor *out, bp_error **err);

/* The k-th least element along axis, which stays with size 1, and its place; k counts from 1, ties by position, NaN is the largest. */
BP_API bp_status bp_kthvalue(bp_tensor *x, int64_t k, int64_t axis, bp_tensor **values, bp_tensor **indices, bp_error **err);

/* Standard deviation over axes: the square root of var. */
BP_API bp_status bp_std(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double correction, bp_tensor **out, bp_error **err);
BP_API bp_status bp_std_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double correction, bp_tensor *out, bp_error **err);

/* log(sum(exp(x))) over axes without overflow on the way; -inf of nothing. The bound is relative to the largest term. */
BP_API bp_status bp_logsumexp(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err);
BP_API bp_status bp_logsumexp_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err);

/* sum(|x|^ord)^(1/ord) over axes; ord inf and -inf: the largest and the smallest |x|, 0: how many are not zero. Of complex numbers it is real. The gradient is 0 where the norm is. */
BP_API bp_status bp_vector_norm(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double ord, bp_tensor **out, bp_error **err);
BP_API bp_status bp_vector_norm_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double ord, bp_tensor *out, bp_error **err);

/* How many are not zero over axes (i64); NaN is not. */
BP_API bp_status bp_count_nonzero(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err);
BP_API bp_status bp_count_nonzero_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err);

/* Differences of neighbours along axis, n times; of bools whether they differ. */
BP_API bp_status bp_diff(bp_tensor *x, int64_t n, int64_t axis, bp_tensor **out, bp_error **err);
BP_API bp_status bp_diff_into(bp_tensor *x, int64_t n, int64_t axis, bp_tensor *out, bp_error **err);

/* Elements moved by shift along axis, what falls off coming in again; without axis as one line. */
BP_API bp_status bp_roll(bp_tensor *x, const int64_t *shift, uint32_t n_shift, const int64_t *axis, uint32_t n_axis, bp_tensor **out, bp_error **err);
BP_API bp_status bp_roll_into(bp_tensor *x, const int64_t *shift, uint32_t n_shift, const int64_t *axis, uint32_t n_axis, bp_tensor *out, bp_error **err);

/* Each element of axis repeats times in a row; without axis of the flattened tensor. PyTorch's repeat_interleave. */
BP_API bp_status bp_repeat(bp_tensor *x, int64_t repeats, const int64_t *axis, uint32_t n_axis, bp_tensor **out, bp_error **err);
BP_API bp_status bp_repeat_into(bp_tensor *x, int64_t repeats, const int64_t *axis, uint32_t n_axis, bp_tensor *out, bp_error **err);

/* The whole repeated along each of the last axes. */
BP_API bp_status bp_tile(bp_tensor *x, const int64_t *repetitions, uint32_t n_repetitions, bp_tensor **out, bp_error **err);
BP_API bp_status bp_tile_into(bp_tensor *x, const int64_t *repetitions, uint32_t n_repetitions, bp_tensor *out, bp_error **err);

/* Of each matrix the elements on and below the diagonal (counted to the right), else 0. */
BP_API bp_status bp_tril(bp_tensor *x, int64_t diagonal, bp_tensor **out, bp_error **err);
BP_API bp_status bp_tril_into(bp_tensor *x, int64_t diagonal, bp_tensor *out, bp_error **err);

/* Of each matrix the elements on and above the diagonal (counted to the right), else 0. */
BP_API bp_status bp_triu(bp_tensor *x, int64_t diagonal, bp_tensor **out, bp_error **err);
BP_API bp_status bp_triu_into(bp_tensor *x, int64_t diagonal, bp_tensor *out, bp_error **err);

/* Elements added before and after: pad holds two numbers for the last axis, then for the one before it, ...; negative ones take away. mode: constant (value), reflect (without the edge), replicate (the edge), circular (of what negative numbers leave). */
BP_API bp_status bp_pad(bp_tensor *x, const int64_t *pad, uint32_t n_pad, const char *mode, double value, bp_tensor **out, bp_error **err);
BP_API bp_status bp_pad_into(bp_tensor *x, const int64_t *pad, uint32_t n_pad, const char *mode, double value, bp_tensor *out, bp_error **err);

/* out[i, j] = a[i] * b[j] of two 1-D tensors. */
BP_API bp_status bp_outer(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_outer_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* Sum of a * b along axis, of conj(a) * b where they are complex, broadcast elsewhere. Error as matmul. */
BP_API bp_status bp_vecdot(bp_tensor *a, bp_tensor *b, int64_t axis, bp_tensor **out, bp_error **err);
BP_API bp_status bp_vecdot_into(bp_tensor *a, bp_tensor *b, int64_t axis, bp_tensor *out, bp_error **err);

/* Sum of products over axes_a of a and axes_b of b, pair by pair; what is left of a, then of b. Error as matmul. */
BP_API bp_status bp_tensordot(bp_tensor *a, bp_tensor *b, const int64_t *axes_a, uint32_t n_axes_a, const int64_t *axes_b, uint32_t n_axes_b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensordot_into(bp_tensor *a, bp_tensor *b, const int64_t *axes_a, uint32_t n_axes_a, const int64_t *axes_b, uint32_t n_axes_b, bp_tensor *out, bp_error **err);

/* Sum along the diagonal of each matrix, offset to the right; dtypes and bound as sum. */
BP_API bp_status bp_trace(bp_tensor *x, int64_t offset, bp_dtype dtype, bp_tensor **out, bp_error **err);
BP_API bp_status bp_trace_into(bp_tensor *x, int64_t offset, bp_dtype dtype, bp_tensor *out, bp_error **err);

/* Vector product along an axis of 3. The bound is relative to the products that are subtracted. */
BP_API bp_status bp_cross(bp_tensor *a, bp_tensor *b, int64_t axis, bp_tensor **out, bp_error **err);
BP_API bp_status bp_cross_into(bp_tensor *a, bp_tensor *b, int64_t axis, bp_tensor *out, bp_error **err);

/* Kronecker product: every element of a times the whole of b, in its place. */
BP_API bp_status bp_kron(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_kron_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* x with out[.., index[.., j, ..], ..] = src[.., j, ..]; of equal indices the last wins. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu. */
BP_API bp_status bp_scatter(bp_tensor *x, bp_tensor *index, bp_tensor *src, int64_t axis, bp_tensor **out, bp_error **err);
BP_API bp_status bp_scatter_into(bp_tensor *x, bp_tensor *index, bp_tensor *src, int64_t axis, bp_tensor *out, bp_error **err);

/* scatter that adds, in the order of j on every device. Of bools it is logical or. The bound is relative to the sum of magnitudes, for a few terms. */
BP_API bp_status bp_scatter_add(bp_tensor *x, bp_tensor *index, bp_tensor *src, int64_t axis, bp_tensor **out, bp_error **err);
BP_API bp_status bp_scatter_add_into(bp_tensor *x, bp_tensor *index, bp_tensor *src, int64_t axis, bp_tensor *out, bp_error **err);

/* x with alpha * slice j of source added to slice index[j] along axis, in the order of j. */
BP_API bp_status bp_index_add(bp_tensor *x, bp_tensor *index, bp_tensor *source, int64_t axis, double alpha, bp_tensor **out, bp_error **err);
BP_API bp_status bp_index_add_into(bp_tensor *x, bp_tensor *index, bp_tensor *source, int64_t axis, double alpha, bp_tensor *out, bp_error **err);

/* x, and value (a number or 0-dim) where mask is true; mask and x broadcast. */
BP_API bp_status bp_masked_fill(bp_tensor *x, bp_tensor *mask, bp_tensor *value, bp_tensor **out, bp_error **err);
BP_API bp_status bp_masked_fill_scalar(bp_tensor *x, bp_tensor *mask, const bp_value *value, bp_tensor **out, bp_error **err);
BP_API bp_status bp_masked_fill_into(bp_tensor *x, bp_tensor *mask, bp_tensor *value, bp_tensor *out, bp_error **err);

/* For each value the first position (i64) in the sorted 1-D sequence whose element is not less than it; right: is greater. NaN is the largest. */
BP_API bp_status bp_searchsorted(bp_tensor *sorted_sequence, bp_tensor *values, uint32_t right, bp_tensor **out, bp_error **err);
BP_API bp_status bp_searchsorted_into(bp_tensor *sorted_sequence, bp_tensor *values, uint32_t right, bp_tensor *out, bp_error **err);

/* Sums of products: a letter of the equation names an axis, as in "bij,bjk->bik"; letters that the result does not have are summed, "..." stands for the axes without one, and without "->" the result has the letters that stand once, in alphabetical order. Operands are joined from the left. Error as matmul. */
BP_API bp_status bp_einsum(bp_tensor *const *operands, uint32_t n_operands, const char *equation, bp_tensor **out, bp_error **err);
BP_API bp_status bp_einsum_into(bp_tensor *const *operands, uint32_t n_operands, const char *equation, bp_tensor *out, bp_error **err);

/* x weight^T + bias: [.., in] with a weight [out, in] and a bias [out] is [.., out]; activation is none or relu, of the sum. Equal dtypes. Error as matmul, and one rounding of the result for the bias. */
BP_API bp_status bp_linear(bp_tensor *x, bp_tensor *weight, bp_tensor *bias, const char *activation, bp_tensor **out, bp_error **err);
BP_API bp_status bp_linear_into(bp_tensor *x, bp_tensor *weight, bp_tensor *bias, const char *activation, bp_tensor *out, bp_error **err);

/* (input - target)^2. reduction: none, mean or sum. */
BP_API bp_status bp_mse_loss(bp_tensor *input, bp_tensor *target, const char *reduction, bp_tensor **out, bp_error **err);
BP_API bp_status bp_mse_loss_into(bp_tensor *input, bp_tensor *target, const char *reduction, bp_tensor *out, bp_error **err);

/* |input - target|. reduction: none, mean or sum. */
BP_API bp_status bp_l1_loss(bp_tensor *input, bp_tensor *target, const char *reduction, bp_tensor **out, bp_error **err);
BP_API bp_status bp_l1_loss_into(bp_tensor *input, bp_tensor *target, const char *reduction, bp_tensor *out, bp_error **err);

/* d^2 / 2 where d = |input - target| is below delta, else delta * (d - delta / 2). reduction: none, mean or sum. */
BP_API bp_status bp_huber_loss(bp_tensor *input, bp_tensor *target, const char *reduction, double delta, bp_tensor **out, bp_error **err);
BP_API bp_status bp_huber_loss_into(bp_tensor *input, bp_tensor *target, const char *reduction, double delta, bp_tensor *out, bp_error **err);

/* d^2 / (2 * beta) where d = |input - target| is below beta, else d - beta / 2. */
BP_API bp_status bp_smooth_l1_loss(bp_tensor *input, bp_tensor *target, const char *reduction, double beta, bp_tensor **out, bp_error **err);
BP_API bp_status bp_smooth_l1_loss_into(bp_tensor *input, bp_tensor *target, const char *reduction, double beta, bp_tensor *out, bp_error **err);

/* -(target * log(input) + (1 - target) * log(1 - input)), logarithms at least -100, times weight. */
BP_API bp_status bp_binary_cross_entropy(bp_tensor *input, bp_tensor *target, bp_tensor *weight, const char *reduction, bp_tensor **out, bp_error **err);
BP_API bp_status bp_binary_cross_entropy_into(bp_tensor *input, bp_tensor *target, bp_tensor *weight, const char *reduction, bp_tensor *out, bp_error **err);

/* binary_cross_entropy of sigmoid(input) without its overflow; pos_weight weighs positive targets. */
BP_API bp_status bp_binary_cross_entropy_with_logits(bp_tensor *input, bp_tensor *target, bp_tensor *weight, bp_tensor *pos_weight, const char *reduction, bp_tensor **out, bp_error **err);
BP_API bp_status bp_binary_cross_entropy_with_logits_into(bp_tensor *input, bp_tensor *target, bp_tensor *weight, bp_tensor *pos_weight, const char *reduction, bp_tensor *out, bp_error **err);

/* -weight[target] * input[.., target, ..] for input [N, C, ..] or [C]; 0 where target is ignore_index. The mean is that of weights. */
BP_API bp_status bp_nll_loss(bp_tensor *input, bp_tensor *target, bp_tensor *weight, int64_t ignore_index, const char *reduction, bp_tensor **out, bp_error **err);
BP_API bp_status bp_nll_loss_into(bp_tensor *input, bp_tensor *target, bp_tensor *weight, int64_t ignore_index, const char *reduction, bp_tensor *out, bp_error **err);

/* nll_loss of log_softmax(input); a floating target holds probabilities of classes. label_smoothing mixes in the uniform distribution. */
BP_API bp_status bp_cross_entropy(bp_tensor *input, bp_tensor *target, bp_tensor *weight, int64_t ignore_index, const char *reduction, double label_smoothing, bp_tensor **out, bp_error **err);
BP_API bp_status bp_cross_entropy_into(bp_tensor *input, bp_tensor *target, bp_tensor *weight, int64_t ignore_index, const char *reduction, double label_smoothing, bp_tensor *out, bp_error **err);

/* The running statistics after a batch x [N, C, ..] of batch_norm's training: (1 - momentum) * running + momentum * x's own, the variance with n - 1. Written in place by giving them as results. */
BP_API bp_status bp_batch_norm_running(bp_tensor *x, bp_tensor *running_mean, bp_tensor *running_var, double momentum, bp_tensor **mean, bp_tensor **var, bp_error **err);

/* (x - mean) / sqrt(var + eps) * weight + bias over the last dims, var without correction. The bound is relative to the largest term. */
BP_API bp_status bp_layer_norm(bp_tensor *x, bp_tensor *weight, bp_tensor *bias, const int64_t *normalized_shape, uint32_t n_normalized_shape, double eps, bp_tensor **out, bp_error **err);
BP_API bp_status bp_layer_norm_into(bp_tensor *x, bp_tensor *weight, bp_tensor *bias, const int64_t *normalized_shape, uint32_t n_normalized_shape, double eps, bp_tensor *out, bp_error **err);

/* x / sqrt(mean(x^2) + eps) * weight over the last dims; eps none: the dtype's epsilon (f32's for halves). */
BP_API bp_status bp_rms_norm(bp_tensor *x, bp_tensor *weight, const int64_t *normalized_shape, uint32_t n_normalized_shape, double eps, bp_tensor **out, bp_error **err);
BP_API bp_status bp_rms_norm_into(bp_tensor *x, bp_tensor *weight, const int64_t *normalized_shape, uint32_t n_normalized_shape, double eps, bp_tensor *out, bp_error **err);

/* x [N, C, ..] normalized for each channel by the running statistics, or in training by its own mean and variance; running statistics are not changed. The bound is relative to the largest term. */
BP_API bp_status bp_batch_norm(bp_tensor *x, bp_tensor *running_mean, bp_tensor *running_var, bp_tensor *weight, bp_tensor *bias, uint32_t training, double eps, bp_tensor **out, bp_error **err);
BP_API bp_status bp_batch_norm_into(bp_tensor *x, bp_tensor *running_mean, bp_tensor *running_var, bp_tensor *weight, bp_tensor *bias, uint32_t training, double eps, bp_tensor *out, bp_error **err);

/* x [N, C, ..] normalized over each of num_groups groups of channels. The bound is relative to the largest term. */
BP_API bp_status bp_group_norm(bp_tensor *x, bp_tensor *weight, bp_tensor *bias, int64_t num_groups, double eps, bp_tensor **out, bp_error **err);
BP_API bp_status bp_group_norm_into(bp_tensor *x, bp_tensor *weight, bp_tensor *bias, int64_t num_groups, double eps, bp_tensor *out, bp_error **err);

/* Row input[..] of weight for each index; indices as index_select. */
BP_API bp_status bp_embedding(bp_tensor *input, bp_tensor *weight, bp_tensor **out, bp_error **err);
BP_API bp_status bp_embedding_into(bp_tensor *input, bp_tensor *weight, bp_tensor *out, bp_error **err);

/* x / (1 - p) where bernoulli(1 - p) of the same seed and offset is 1, else 0. */
BP_API bp_status bp_dropout(bp_tensor *x, double p, int64_t seed, int64_t offset, bp_tensor **out, bp_error **err);
BP_API bp_status bp_dropout_into(bp_tensor *x, double p, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err);

/* softmax(query x key^T * scale + attn_mask) x value. scale none: 1 / sqrt(E). A bool mask is true where a key takes part (none: 0); is_causal: keys up to the query's own position. The bound is relative to the largest value. */
BP_API bp_status bp_scaled_dot_product_attention(bp_tensor *query, bp_tensor *key, bp_tensor *value, bp_tensor *attn_mask, uint32_t is_causal, double scale, bp_tensor **out, bp_error **err);
BP_API bp_status bp_scaled_dot_product_attention_into(bp_tensor *query, bp_tensor *key, bp_tensor *value, bp_tensor *attn_mask, uint32_t is_causal, double scale, bp_tensor *out, bp_error **err);

/* Rotary positions (Su et al., 2021): pairs (a, b) of the last dim's halves, or of neighbours when interleaved, become (a cos - b sin, b cos + a sin); cos and sin are of half its size. The bound is relative to the products. */
BP_API bp_status bp_rope(bp_tensor *x, bp_tensor *cos, bp_tensor *sin, uint32_t interleaved, bp_tensor **out, bp_error **err);
BP_API bp_status bp_rope_into(bp_tensor *x, bp_tensor *cos, bp_tensor *sin, uint32_t interleaved, bp_tensor *out, bp_error **err);

/* max_pool, and where in its channel's row-major elements each value is (i64): the first of equal ones. */
BP_API bp_status bp_max_pool2d_with_indices(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **values, bp_tensor **indices, bp_error **err);

/* max_pool, and where in its channel's row-major elements each value is (i64): the first of equal ones. */
BP_API bp_status bp_max_pool3d_with_indices(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **values, bp_tensor **indices, bp_error **err);

/* Convolution (without turning the kernel) of input [N, C, size] or [C, size] with weight [O, C / groups, kernel], plus bias. Lists have a number for each spatial dim or one for all. Error as matmul. */
BP_API bp_status bp_conv1d(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor **out, bp_error **err);
BP_API bp_status bp_conv1d_into(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor *out, bp_error **err);

/* Convolution (without turning the kernel) of input [N, C, size] or [C, size] with weight [O, C / groups, kernel], plus bias. Lists have a number for each spatial dim or one for all. Error as matmul. */
BP_API bp_status bp_conv2d(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor **out, bp_error **err);
BP_API bp_status bp_conv2d_into(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor *out, bp_error **err);

/* Convolution (without turning the kernel) of input [N, C, size] or [C, size] with weight [O, C / groups, kernel], plus bias. Lists have a number for each spatial dim or one for all. Error as matmul. */
BP_API bp_status bp_conv3d(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor **out, bp_error **err);
BP_API bp_status bp_conv3d_into(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor *out, bp_error **err);

/* The gradient of a convolution towards its input, plus bias; weight is [C, O / groups, kernel]. Error as matmul. */
BP_API bp_status bp_conv_transpose1d(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *output_padding, uint32_t n_output_padding, int64_t groups, const int64_t *dilation, uint32_t n_dilation, bp_tensor **out, bp_error **err);
BP_API bp_status bp_conv_transpose1d_into(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *output_padding, uint32_t n_output_padding, int64_t groups, const int64_t *dilation, uint32_t n_dilation, bp_tensor *out, bp_error **err);

/* The gradient of a convolution towards its input, plus bias; weight is [C, O / groups, kernel]. Error as matmul. */
BP_API bp_status bp_conv_transpose2d(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *output_padding, uint32_t n_output_padding, int64_t groups, const int64_t *dilation, uint32_t n_dilation, bp_tensor **out, bp_error **err);
BP_API bp_status bp_conv_transpose2d_into(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *output_padding, uint32_t n_output_padding, int64_t groups, const int64_t *dilation, uint32_t n_dilation, bp_tensor *out, bp_error **err);

/* The gradient of a convolution towards its input, plus bias; weight is [C, O / groups, kernel]. Error as matmul. */
BP_API bp_status bp_conv_transpose3d(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *output_padding, uint32_t n_output_padding, int64_t groups, const int64_t *dilation, uint32_t n_dilation, bp_tensor **out, bp_error **err);
BP_API bp_status bp_conv_transpose3d_into(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *output_padding, uint32_t n_output_padding, int64_t groups, const int64_t *dilation, uint32_t n_dilation, bp_tensor *out, bp_error **err);

/* The largest of each window; NaN when one is there. stride none: kernel_size. */
BP_API bp_status bp_max_pool1d(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **out, bp_error **err);
BP_API bp_status bp_max_pool1d_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor *out, bp_error **err);

/* The largest of each window; NaN when one is there. stride none: kernel_size. */
BP_API bp_status bp_max_pool2d(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **out, bp_error **err);
BP_API bp_status bp_max_pool2d_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor *out, bp_error **err);

/* The mean of each window, padding counted as zeros or, without count_include_pad, not at all. The bound is of sum's kind. */
BP_API bp_status bp_avg_pool1d(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, uint32_t ceil_mode, uint32_t count_include_pad, bp_tensor **out, bp_error **err);
BP_API bp_status bp_avg_pool1d_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, uint32_t ceil_mode, uint32_t count_include_pad, bp_tensor *out, bp_error **err);

/* The mean of each window, padding counted as zeros or, without count_include_pad, not at all. The bound is of sum's kind. */
BP_API bp_status bp_avg_pool2d(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, uint32_t ceil_mode, uint32_t count_include_pad, bp_tensor **out, bp_error **err);
BP_API bp_status bp_avg_pool2d_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, uint32_t ceil_mode, uint32_t count_include_pad, bp_tensor *out, bp_error **err);

/* The mean over output_size windows that share the input evenly. The bound is of sum's kind. */
BP_API bp_status bp_adaptive_avg_pool1d(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor **out, bp_error **err);
BP_API bp_status bp_adaptive_avg_pool1d_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor *out, bp_error **err);

/* The mean over output_size windows that share the input evenly. The bound is of sum's kind. */
BP_API bp_status bp_adaptive_avg_pool2d(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor **out, bp_error **err);
BP_API bp_status bp_adaptive_avg_pool2d_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor *out, bp_error **err);

/* input [N, C, sizes] at other sizes: nearest, nearest-exact, linear, bilinear, trilinear, bicubic, or area, the mean of what an element covers. The bound is relative to the largest term. */
BP_API bp_status bp_interpolate(bp_tensor *input, const int64_t *size, uint32_t n_size, const char *mode, uint32_t align_corners, bp_tensor **out, bp_error **err);
BP_API bp_status bp_interpolate_into(bp_tensor *input, const int64_t *size, uint32_t n_size, const char *mode, uint32_t align_corners, bp_tensor *out, bp_error **err);

/* The largest of each window; NaN when one is there. stride none: kernel_size. */
BP_API bp_status bp_max_pool3d(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **out, bp_error **err);
BP_API bp_status bp_max_pool3d_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor *out, bp_error **err);

/* The mean of each window, padding counted as zeros or, without count_include_pad, not at all. The bound is of sum's kind. */
BP_API bp_status bp_avg_pool3d(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, uint32_t ceil_mode, uint32_t count_include_pad, bp_tensor **out, bp_error **err);
BP_API bp_status bp_avg_pool3d_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, uint32_t ceil_mode, uint32_t count_include_pad, bp_tensor *out, bp_error **err);

/* The mean over output_size windows that share the input evenly. The bound is of sum's kind. */
BP_API bp_status bp_adaptive_avg_pool3d(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor **out, bp_error **err);
BP_API bp_status bp_adaptive_avg_pool3d_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor *out, bp_error **err);

/* The largest of output_size windows that share the input evenly; NaN when one is there. */
BP_API bp_status bp_adaptive_max_pool1d(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor **out, bp_error **err);
BP_API bp_status bp_adaptive_max_pool1d_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor *out, bp_error **err);

/* The largest of output_size windows that share the input evenly; NaN when one is there. */
BP_API bp_status bp_adaptive_max_pool2d(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor **out, bp_error **err);
BP_API bp_status bp_adaptive_max_pool2d_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor *out, bp_error **err);

/* The largest of output_size windows that share the input evenly; NaN when one is there. */
BP_API bp_status bp_adaptive_max_pool3d(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor **out, bp_error **err);
BP_API bp_status bp_adaptive_max_pool3d_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor *out, bp_error **err);

/* max_pool, and where in its channel's row-major elements each value is (i64): the first of equal ones. */
BP_API bp_status bp_max_pool1d_with_indices(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **values, bp_tensor **indices, bp_error **err);

/* The real parts, of c64 as f32 and of c128 as f64; real numbers as they are. A copy: bp_tensor_view_as_real gives views. */
BP_API bp_status bp_real(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_real_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* The imaginary parts of complex numbers, as real's. */
BP_API bp_status bp_imag(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_imag_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* The imaginary parts with the other sign; real numbers as they are. */
BP_API bp_status bp_conj(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_conj_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* atan2(imaginary, real), in [-pi, pi]; of real numbers pi below zero, else 0, and NaN of NaN. */
BP_API bp_status bp_angle(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_angle_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* Complex numbers of real and imaginary parts, which broadcast: c64 of f32, c128 of f64. */
BP_API bp_status bp_complex(bp_tensor *real, bp_tensor *imag, bp_tensor **out, bp_error **err);
BP_API bp_status bp_complex_into(bp_tensor *real, bp_tensor *imag, bp_tensor *out, bp_error **err);

/* abs * cos(angle) + abs * sin(angle) i; dtypes as complex's. */
BP_API bp_status bp_polar(bp_tensor *abs, bp_tensor *angle, bp_tensor **out, bp_error **err);
BP_API bp_status bp_polar_into(bp_tensor *abs, bp_tensor *angle, bp_tensor *out, bp_error **err);

/* interpolate, whose elements are 1 / scale apart in input where a scale of that dim (the last one's is scale_w) is above 0, as PyTorch's are after scale_factor; else as far as the sizes say. */
BP_API bp_status bp_interpolate_v2(bp_tensor *input, const int64_t *size, uint32_t n_size, const char *mode, uint32_t align_corners, double scale_d, double scale_h, double scale_w, bp_tensor **out, bp_error **err);
BP_API bp_status bp_interpolate_v2_into(bp_tensor *input, const int64_t *size, uint32_t n_size, const char *mode, uint32_t align_corners, double scale_d, double scale_h, double scale_w, bp_tensor *out, bp_error **err);

/* The windows of images [N, C, H, W] or [C, H, W], zeros around them, as columns [N, C * kernel, windows]: PyTorch's unfold. */
BP_API bp_status bp_im2col(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *dilation, uint32_t n_dilation, const int64_t *padding, uint32_t n_padding, const int64_t *stride, uint32_t n_stride, bp_tensor **out, bp_error **err);
BP_API bp_status bp_im2col_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *dilation, uint32_t n_dilation, const int64_t *padding, uint32_t n_padding, const int64_t *stride, uint32_t n_stride, bp_tensor *out, bp_error **err);

/* Columns as im2col's, added up where windows overlap, to images of output_size: PyTorch's fold. The bound is of sum's kind. */
BP_API bp_status bp_col2im(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *dilation, uint32_t n_dilation, const int64_t *padding, uint32_t n_padding, const int64_t *stride, uint32_t n_stride, bp_tensor **out, bp_error **err);
BP_API bp_status bp_col2im_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *dilation, uint32_t n_dilation, const int64_t *padding, uint32_t n_padding, const int64_t *stride, uint32_t n_stride, bp_tensor *out, bp_error **err);

/* The lower triangular L with L L^H = A of a Hermitian positive-definite A (upper: U with U^H U = A); one triangle of A is read. A that is not positive-definite is refused. Error: |L L^H - A| at most 4 n eps |A|. */
BP_API bp_status bp_cholesky(bp_tensor *a, uint32_t upper, bp_tensor **out, bp_error **err);
BP_API bp_status bp_cholesky_into(bp_tensor *a, uint32_t upper, bp_tensor *out, bp_error **err);

/* P L U = A with partial pivoting: L without its unit diagonal below U in one matrix; pivots (i32, from 1): row i was exchanged with row pivots[i]. A singular A has factors too. */
BP_API bp_status bp_lu_factor(bp_tensor *a, bp_tensor **lu, bp_tensor **pivots, bp_error **err);

/* X with A X = B (left false: X A = B) for a triangular A, of which only that triangle is read (unitriangular: without its diagonal); batches broadcast. A zero on the diagonal gives inf or NaN. */
BP_API bp_status bp_solve_triangular(bp_tensor *a, bp_tensor *b, uint32_t upper, uint32_t left, uint32_t unitriangular, bp_tensor **out, bp_error **err);
BP_API bp_status bp_solve_triangular_into(bp_tensor *a, bp_tensor *b, uint32_t upper, uint32_t left, uint32_t unitriangular, bp_tensor *out, bp_error **err);

/* X with A X = B for square A; a 1-D B is one vector, batches of matrices broadcast. A singular A is refused. Error: |A X - B| at most 8 n eps (|A| |X| + |B|). */
BP_API bp_status bp_solve(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
BP_API bp_status bp_solve_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);

/* The inverse of square matrices; a singular one is refused. */
BP_API bp_status bp_inv(bp_tensor *a, bp_tensor **out, bp_error **err);
BP_API bp_status bp_inv_into(bp_tensor *a, bp_tensor *out, bp_error **err);

/* Q R = A with Q's columns orthonormal, R upper triangular: min(m, n) columns, complete: all m. By Householder reflections, so that R's diagonal may be negative. */
BP_API bp_status bp_qr(bp_tensor *a, uint32_t complete, bp_tensor **q, bp_tensor **r, bp_error **err);

/* U diag(S) Vh = A with U and Vh unitary and S real, falling. full_matrices false: min(m, n) columns and rows. Error: |U diag(S) Vh - A| at most 16 max(m, n) eps |A|. */
BP_API bp_status bp_svd(bp_tensor *a, uint32_t full_matrices, bp_tensor **u, bp_tensor **s, bp_tensor **vh, bp_error **err);

/* The S of svd. */
BP_API bp_status bp_svdvals(bp_tensor *a, bp_tensor **out, bp_error **err);
BP_API bp_status bp_svdvals_into(bp_tensor *a, bp_tensor *out, bp_error **err);

/* A V = V diag(w) of a Hermitian A, of which the lower triangle is read (upper: that): w real, rising; V unitary. */
BP_API bp_status bp_eigh(bp_tensor *a, uint32_t upper, bp_tensor **eigenvalues, bp_tensor **eigenvectors, bp_error **err);

/* The eigenvalues of eigh. */
BP_API bp_status bp_eigvalsh(bp_tensor *a, uint32_t upper, bp_tensor **out, bp_error **err);
BP_API bp_status bp_eigvalsh_into(bp_tensor *a, uint32_t upper, bp_tensor *out, bp_error **err);

/* The determinants of square matrices, by lu_factor. */
BP_API bp_status bp_det(bp_tensor *a, bp_tensor **out, bp_error **err);
BP_API bp_status bp_det_into(bp_tensor *a, bp_tensor *out, bp_error **err);

/* Sign (of modulus 1, or 0) and logarithm of the modulus of det; -inf of a singular matrix. */
BP_API bp_status bp_slogdet(bp_tensor *a, bp_tensor **sign, bp_tensor **logabsdet, bp_error **err);

/* How many singular values (hermitian: moduli of eigenvalues) are above max(atol, rtol * the largest), in i64. Below 0 is not given: rtol is then max(m, n) * eps, or 0 where atol is above 0. */
BP_API bp_status bp_matrix_rank(bp_tensor *a, double atol, double rtol, uint32_t hermitian, bp_tensor **out, bp_error **err);
BP_API bp_status bp_matrix_rank_into(bp_tensor *a, double atol, double rtol, uint32_t hermitian, bp_tensor *out, bp_error **err);

/* The Moore-Penrose inverse, by svd; singular values that matrix_rank would not count are taken for 0. */
BP_API bp_status bp_pinv(bp_tensor *a, double atol, double rtol, bp_tensor **out, bp_error **err);
BP_API bp_status bp_pinv_into(bp_tensor *a, double atol, double rtol, bp_tensor *out, bp_error **err);

/* A multiplied n times with itself; the inverse's power for n below 0, the identity for 0. */
BP_API bp_status bp_matrix_power(bp_tensor *a, int64_t n, bp_tensor **out, bp_error **err);
BP_API bp_status bp_matrix_power_into(bp_tensor *a, int64_t n, bp_tensor *out, bp_error **err);

/* Of each matrix, by ord: 'fro', the root of the sum of squares; 'nuc', the sum of singular values; '2' and '-2', the largest and the least of them; '1' and '-1', of the columns' sums of moduli; 'inf' and '-inf', of the rows'. */
BP_API bp_status bp_matrix_norm(bp_tensor *a, const char *ord, uint32_t keepdims, bp_tensor **out, bp_error **err);
BP_API bp_status bp_matrix_norm_into(bp_tensor *a, const char *ord, uint32_t keepdims, bp_tensor *out, bp_error **err);

/* The shortest X for which |A X - B| is least, by svd: singular values up to rcond times the largest are taken for 0; below 0: max(m, n) * eps. */
BP_API bp_status bp_lstsq(bp_tensor *a, bp_tensor *b, double rcond, bp_tensor **solution, bp_tensor **rank, bp_tensor **singular_values, bp_error **err);

/* A V = V diag(w) of any square A: w and V complex, in no order, the columns of V of length 1. Their phases are free, so that a gradient is that of what does not depend on them. Infinities and NaN are refused. */
BP_API bp_status bp_eig(bp_tensor *a, bp_tensor **eigenvalues, bp_tensor **eigenvectors, bp_error **err);

/* The eigenvalues of eig. */
BP_API bp_status bp_eigvals(bp_tensor *a, bp_tensor **out, bp_error **err);
BP_API bp_status bp_eigvals_into(bp_tensor *a, bp_tensor *out, bp_error **err);

/* The p-norm of x1[.., i, :] - x2[.., j, :]; batches broadcast. Above 25 rows, for p = 2, the squares come from a product of matrices, with the error of |x1|^2 + |x2|^2, unless compute_mode is 'donot_use_mm_for_euclid_dist'. */
BP_API bp_status bp_cdist(bp_tensor *x1, bp_tensor *x2, double p, const char *compute_mode, bp_tensor **out, bp_error **err);
BP_API bp_status bp_cdist_into(bp_tensor *x1, bp_tensor *x2, double p, const char *compute_mode, bp_tensor *out, bp_error **err);

/* scale * sum over j of x[j] exp(-2 pi i j k / n) along axis (inverse: exp(+...)). Error of a line, in the 2-norm: at most 1e-7 log2(4 n) of the result's for c64, 2e-16 log2(4 n) for c128. */
BP_API bp_status bp_fft_c2c(bp_tensor *x, int64_t axis, uint32_t inverse, double scale, bp_tensor **out, bp_error **err);
BP_API bp_status bp_fft_c2c_into(bp_tensor *x, int64_t axis, uint32_t inverse, double scale, bp_tensor *out, bp_error **err);

/* fft_c2c of real numbers: its first n/2 + 1 results along axis, of which the others are conjugates (conj: the conjugates of these). */
BP_API bp_status bp_fft_r2c(bp_tensor *x, int64_t axis, double scale, uint32_t conj, bp_tensor **out, bp_error **err);
BP_API bp_status bp_fft_r2c_into(bp_tensor *x, int64_t axis, double scale, uint32_t conj, bp_tensor *out, bp_error **err);

/* The n real numbers along axis whose spectrum's first n/2 + 1 are x: fft_c2c's inverse of it. What must be real of x is taken for real. conj: x is taken for its conjugate. */
BP_API bp_status bp_fft_c2r(bp_tensor *x, int64_t axis, int64_t n, double scale, uint32_t conj, bp_tensor **out, bp_error **err);
BP_API bp_status bp_fft_c2r_into(bp_tensor *x, int64_t axis, int64_t n, double scale, uint32_t conj, bp_tensor *out, bp_error **err);

/* The discrete Fourier transform along axis, of n elements: x is cut, or followed by zeros; -1: as many as there are. norm: which direction is divided by n: 'backward', 'forward', or 'ortho', both by its square root. */
BP_API bp_status bp_fft(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor **out, bp_error **err);
BP_API bp_status bp_fft_into(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor *out, bp_error **err);

/* The inverse of fft. */
BP_API bp_status bp_ifft(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor **out, bp_error **err);
BP_API bp_status bp_ifft_into(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor *out, bp_error **err);

/* fft along each of axes (none given: the last as many as s has, or all), of s elements each. */
BP_API bp_status bp_fftn(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor **out, bp_error **err);
BP_API bp_status bp_fftn_into(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor *out, bp_error **err);

/* The inverse of fftn. */
BP_API bp_status bp_ifftn(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor **out, bp_error **err);
BP_API bp_status bp_ifftn_into(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor *out, bp_error **err);

/* The first n/2 + 1 results of fft of real numbers. */
BP_API bp_status bp_rfft(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor **out, bp_error **err);
BP_API bp_status bp_rfft_into(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor *out, bp_error **err);

/* The inverse of rfft: n real numbers (-1: 2 (m - 1), m the size of axis) of half a spectrum. */
BP_API bp_status bp_irfft(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor **out, bp_error **err);
BP_API bp_status bp_irfft_into(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor *out, bp_error **err);

/* rfft along the last of axes, fft along the others; see fftn. */
BP_API bp_status bp_rfftn(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor **out, bp_error **err);
BP_API bp_status bp_rfftn_into(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor *out, bp_error **err);

/* The inverse of rfftn; the last of s as irfft's n. */
BP_API bp_status bp_irfftn(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor **out, bp_error **err);
BP_API bp_status bp_irfftn_into(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor *out, bp_error **err);

/* The real fft of Hermitian numbers of which x is the first half; n as irfft's. */
BP_API bp_status bp_hfft(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor **out, bp_error **err);
BP_API bp_status bp_hfft_into(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor *out, bp_error **err);

/* The inverse of hfft. */
BP_API bp_status bp_ihfft(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor **out, bp_error **err);
BP_API bp_status bp_ihfft_into(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor *out, bp_error **err);

/* Where x is not zero, in row-major order: i64 [count, rank of x], an index in each row. Waits for the device. */
BP_API bp_status bp_nonzero(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_nonzero_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* The first `size` row-major positions at which mask is true, in order; -1 after the last. Waits for nobody. */
BP_API bp_status bp_flat_nonzero(bp_tensor *mask, int64_t size, bp_tensor **out, bp_error **err);
BP_API bp_status bp_flat_nonzero_into(bp_tensor *mask, int64_t size, bp_tensor *out, bp_error **err);

/* The elements of x at which mask is true, in row-major order, 1-D; x and mask broadcast. Waits for the device. */
BP_API bp_status bp_masked_select(bp_tensor *x, bp_tensor *mask, bp_tensor **out, bp_error **err);
BP_API bp_status bp_masked_select_into(bp_tensor *x, bp_tensor *mask, bp_tensor *out, bp_error **err);

/* The different values of x, ascending, 1-D; each NaN is one of its own. Waits for the device. */
BP_API bp_status bp_unique(bp_tensor *x, bp_tensor **out, bp_error **err);
BP_API bp_status bp_unique_into(bp_tensor *x, bp_tensor *out, bp_error **err);

/* unique, and for each value where it first occurs in flattened x and how often; inverse, of x's shape: which value each element is. Waits for the device. */
BP_API bp_status bp_unique_all(bp_tensor *x, bp_tensor **values, bp_tensor **indices, bp_tensor **inverse, bp_tensor **counts, bp_error **err);

/* x with slice j of source in place of slice index[j] along axis; of equal indices the last wins. Indices are 0 .. size - 1, else BP_INDEX_OUT_OF_RANGE on the cpu. */
BP_API bp_status bp_index_copy(bp_tensor *x, bp_tensor *index, bp_tensor *source, int64_t axis, bp_tensor **out, bp_error **err);
BP_API bp_status bp_index_copy_into(bp_tensor *x, bp_tensor *index, bp_tensor *source, int64_t axis, bp_tensor *out, bp_error **err);

/* How often each of 0, 1, .. max(x) is in x, a list of no negative integers, in i64; or the sums of their weights, in f64, of f32 in f32. At least minlength of them. The bound is of sum's kind. Waits for the device. */
BP_API bp_status bp_bincount(bp_tensor *x, bp_tensor *weights, int64_t minlength, bp_tensor **out, bp_error **err);
BP_API bp_status bp_bincount_into(bp_tensor *x, bp_tensor *weights, int64_t minlength, bp_tensor *out, bp_error **err);

/* Convolution of input [N, C, size] with weight [O, C / groups, kernel] over one to three dims. Error as matmul. */
BP_API bp_status bp_convolution(bp_tensor *input, bp_tensor *weight, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor **out, bp_error **err);
BP_API bp_status bp_convolution_into(bp_tensor *input, bp_tensor *weight, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor *out, bp_error **err);

/* convolution's gradient towards an input of the spatial size; grad is that of its result. Error as matmul. */
BP_API bp_status bp_convolution_input_grad(bp_tensor *grad, bp_tensor *weight, const int64_t *size, uint32_t n_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor **out, bp_error **err);
BP_API bp_status bp_convolution_input_grad_into(bp_tensor *grad, bp_tensor *weight, const int64_t *size, uint32_t n_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor *out, bp_error **err);

/* convolution's gradient towards a weight whose kernels have the size; grad is that of its result. Error as matmul. */
BP_API bp_status bp_convolution_weight_grad(bp_tensor *grad, bp_tensor *input, const int64_t *size, uint32_t n_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor **out, bp_error **err);
BP_API bp_status bp_convolution_weight_grad_into(bp_tensor *grad, bp_tensor *input, const int64_t *size, uint32_t n_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor *out, bp_error **err);

/* max_pool's gradient towards its input [N, C, size]: grad, that of its result, where each window's largest is, the first of equal ones. */
BP_API bp_status bp_max_pool_grad(bp_tensor *grad, bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **out, bp_error **err);
BP_API bp_status bp_max_pool_grad_into(bp_tensor *grad, bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor *out, bp_error **err);

/* layer_norm's gradients towards x, weight and bias: grad is that of its result. The bound is relative to the largest term. */
BP_API bp_status bp_layer_norm_grad(bp_tensor *grad, bp_tensor *x, bp_tensor *weight, const int64_t *normalized_shape, uint32_t n_normalized_shape, double eps, bp_tensor **x_grad, bp_tensor **weight_grad, bp_tensor **bias_grad, bp_error **err);

/* rms_norm's gradients towards x and weight: grad is that of its result. The bound is relative to the largest term. */
BP_API bp_status bp_rms_norm_grad(bp_tensor *grad, bp_tensor *x, bp_tensor *weight, const int64_t *normalized_shape, uint32_t n_normalized_shape, double eps, bp_tensor **x_grad, bp_tensor **weight_grad, bp_error **err);

/* batch_norm's gradients towards x, weight and bias: grad is that of its result. The bound is relative to the largest term. */
BP_API bp_status bp_batch_norm_grad(bp_tensor *grad, bp_tensor *x, bp_tensor *running_mean, bp_tensor *running_var, bp_tensor *weight, uint32_t training, double eps, bp_tensor **x_grad, bp_tensor **weight_grad, bp_tensor **bias_grad, bp_error **err);

/* group_norm's gradients towards x, weight and bias: grad is that of its result. The bound is relative to the largest term. */
BP_API bp_status bp_group_norm_grad(bp_tensor *grad, bp_tensor *x, bp_tensor *weight, int64_t num_groups, double eps, bp_tensor **x_grad, bp_tensor **weight_grad, bp_tensor **bias_grad, bp_error **err);

/* Sum of squares over axes; 0 of nothing. It is computed as sum is, and a square may leave the dtype's range, that of f32 for halves. */
BP_API bp_status bp_sum_square(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err);
BP_API bp_status bp_sum_square_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err);

/* A step of an LSTM: i, f, g, o [.., 4H] are sigmoid, sigmoid, tanh and sigmoid of input_gates + hidden_gates; next_cell = f * cell + i * g, h = o * tanh(next_cell). The bound is relative to the largest term. */
BP_API bp_status bp_lstm_gates(bp_tensor *input_gates, bp_tensor *hidden_gates, bp_tensor *cell, bp_tensor **h, bp_tensor **next_cell, bp_tensor **gates, bp_error **err);

/* lstm_gates' gradients towards both of its gates, which have the same one, and cell: gates is its result, the gradient of h the sum of grad_h and grad_h2. The bound is relative to the largest term. */
BP_API bp_status bp_lstm_gates_grad(bp_tensor *gates, bp_tensor *cell, bp_tensor *grad_h, bp_tensor *grad_h2, bp_tensor *grad_next_cell, bp_tensor **gates_grad, bp_tensor **cell_grad, bp_error **err);

/* A step of a GRU, x input_gates and y hidden_gates + hidden_bias, each r, z, n [.., 3H]: r and z are sigmoid of x + y, n = tanh(x + r * y), next_h = n + z * (h - n). gates [.., 4H] are r, z, n and y's n. The bound is relative to the largest term. */
BP_API bp_status bp_gru_gates(bp_tensor *input_gates, bp_tensor *hidden_gates, bp_tensor *h, bp_tensor *hidden_bias, bp_tensor **next_h, bp_tensor **gates, bp_error **err);

/* gru_gates' gradients towards input_gates, hidden_gates and h: gates is its result, the gradient of next_h the sum of grad, grad2 and grad3. The bound is relative to the largest term. */
BP_API bp_status bp_gru_gates_grad(bp_tensor *gates, bp_tensor *h, bp_tensor *grad, bp_tensor *grad2, bp_tensor *grad3, bp_tensor **input_grad, bp_tensor **hidden_grad, bp_tensor **h_grad, bp_error **err);

/* A step of an RNN: tanh, or relu, of input_gates + hidden_gates. The bound is relative to the largest term. */
BP_API bp_status bp_rnn_gates(bp_tensor *input_gates, bp_tensor *hidden_gates, uint32_t relu, bp_tensor **out, bp_error **err);
BP_API bp_status bp_rnn_gates_into(bp_tensor *input_gates, bp_tensor *hidden_gates, uint32_t relu, bp_tensor *out, bp_error **err);

/* rnn_gates' gradient towards both of its gates, which have the same one: h is its result, whose gradient is the sum of grad and grad2. The bound is relative to the largest term. */
BP_API bp_status bp_rnn_gates_grad(bp_tensor *h, bp_tensor *grad, bp_tensor *grad2, uint32_t relu, bp_tensor **out, bp_error **err);
BP_API bp_status bp_rnn_gates_grad_into(bp_tensor *h, bp_tensor *grad, bp_tensor *grad2, uint32_t relu, bp_tensor *out, bp_error **err);

#ifdef __cplusplus
}
#endif
#endif
