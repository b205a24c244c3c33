/* c_ops.h: one function per op. Printed by `./dev print` from the op table (core/ops); do not edit.
 * bp_<op>          makes its result: *out is written, never read.
 * bp_<op>_scalar   the last operand is a number; no tensor is made of it.
 * bp_<op>_into     writes into `out`, which the caller made: its shape and device must fit, its dtype must be
 *                  castable; it may be one of the inputs (in place). Creating ops take shape and dtype from it.
 * Lists of axes: n 0 means none given. dtype BP_DTYPE_NONE: the op's own choice. seed and offset -1: drawn from the
 * device's generator. Tensors are borrowed. Errors as bp_invoke. Any thread. Stream-ordered on the operands' device. */
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

/* |x|. The most negative integer stays itself. */
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

/* x where condition is true, else y; all broadcast. */
BP_API bp_status bp_where(bp_tensor *condition, bp_tensor *x, bp_tensor *y, bp_tensor **out, bp_error **err);
BP_API bp_status bp_where_into(bp_tensor *condition, bp_tensor *x, bp_tensor *y, bp_tensor *out, bp_error **err);

/* x in another dtype. Float to integer truncates towards zero, NaN gives 0 and values out of range saturate, on every device; integers wrap; to bool: is not zero; complex to real drops the imaginary part. */
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

/* Variance over axes: sum of squared distances from the mean over (n - correction), at least 0. Two passes. */
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

#ifdef __cplusplus
}
#endif
#endif
