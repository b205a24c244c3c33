// SPDX-License-Identifier: Apache-2.0
// Printed by `./dev print` from the op table (core/ops); do not edit.
#include "core/c_api/run.h"

using namespace bp;

extern "C" {

bp_status bp_neg(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_NEG, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_neg_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_NEG, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_abs(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ABS, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_abs_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ABS, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_sign(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SIGN, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_sign_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SIGN, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_sqrt(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SQRT, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_sqrt_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SQRT, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_rsqrt(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_RSQRT, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_rsqrt_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_RSQRT, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_square(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SQUARE, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_square_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SQUARE, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_reciprocal(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_RECIPROCAL, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_reciprocal_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_RECIPROCAL, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_exp(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_EXP, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_exp_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_EXP, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_expm1(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_EXPM1, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_expm1_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_EXPM1, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_log(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LOG, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_log_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LOG, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_log1p(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LOG1P, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_log1p_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LOG1P, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_sin(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SIN, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_sin_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SIN, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_cos(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_COS, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_cos_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_COS, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_tan(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_TAN, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_tan_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_TAN, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_tanh(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_TANH, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_tanh_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_TANH, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_sigmoid(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SIGMOID, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_sigmoid_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SIGMOID, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_relu(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_RELU, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_relu_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_RELU, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_gelu(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_GELU, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_gelu_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_GELU, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_silu(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SILU, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_silu_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SILU, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_erf(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ERF, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_erf_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ERF, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_floor(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_FLOOR, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_floor_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_FLOOR, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_ceil(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CEIL, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_ceil_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CEIL, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_round(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ROUND, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_round_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ROUND, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_trunc(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_TRUNC, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_trunc_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_TRUNC, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_isnan(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ISNAN, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_isnan_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ISNAN, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_isinf(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ISINF, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_isinf_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ISINF, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_logical_not(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LOGICAL_NOT, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_logical_not_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LOGICAL_NOT, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_asin(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ASIN, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_asin_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ASIN, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_acos(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ACOS, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_acos_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ACOS, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_atan(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ATAN, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_atan_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ATAN, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_sinh(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SINH, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_sinh_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SINH, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_cosh(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_COSH, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_cosh_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_COSH, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_asinh(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ASINH, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_asinh_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ASINH, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_acosh(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ACOSH, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_acosh_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ACOSH, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_atanh(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ATANH, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_atanh_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ATANH, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_log2(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LOG2, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_log2_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LOG2, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_log10(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LOG10, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_log10_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LOG10, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_exp2(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_EXP2, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_exp2_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_EXP2, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_isfinite(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ISFINITE, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_isfinite_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ISFINITE, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_add(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ADD, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_add_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ADD, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_add_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ADD, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_sub(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SUB, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_sub_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SUB, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_sub_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SUB, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_mul(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MUL, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_mul_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MUL, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_mul_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_MUL, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_div(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_DIV, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_div_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_DIV, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_div_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_DIV, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_floor_divide(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_FLOOR_DIVIDE, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_floor_divide_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_FLOOR_DIVIDE, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_floor_divide_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_FLOOR_DIVIDE, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_remainder(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_REMAINDER, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_remainder_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_REMAINDER, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_remainder_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_REMAINDER, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_pow(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_POW, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_pow_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_POW, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_pow_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_POW, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_maximum(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MAXIMUM, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_maximum_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MAXIMUM, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_maximum_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_MAXIMUM, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_minimum(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MINIMUM, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_minimum_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MINIMUM, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_minimum_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_MINIMUM, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_eq(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_EQ, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_eq_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_EQ, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_eq_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_EQ, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_ne(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_NE, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_ne_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_NE, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_ne_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_NE, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_lt(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LT, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_lt_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LT, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_lt_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LT, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_le(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LE, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_le_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LE, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_le_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LE, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_gt(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_GT, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_gt_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_GT, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_gt_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_GT, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_ge(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_GE, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_ge_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_GE, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_ge_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_GE, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_logical_and(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LOGICAL_AND, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_logical_and_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LOGICAL_AND, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_logical_and_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LOGICAL_AND, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_logical_or(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LOGICAL_OR, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_logical_or_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LOGICAL_OR, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_logical_or_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LOGICAL_OR, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_logical_xor(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LOGICAL_XOR, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_logical_xor_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LOGICAL_XOR, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_logical_xor_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LOGICAL_XOR, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_bitwise_and(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_BITWISE_AND, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_bitwise_and_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_BITWISE_AND, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_bitwise_and_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_BITWISE_AND, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_bitwise_or(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_BITWISE_OR, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_bitwise_or_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_BITWISE_OR, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_bitwise_or_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_BITWISE_OR, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_bitwise_xor(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_BITWISE_XOR, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_bitwise_xor_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_BITWISE_XOR, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_bitwise_xor_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_BITWISE_XOR, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_atan2(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ATAN2, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_atan2_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ATAN2, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_atan2_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ATAN2, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_hypot(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_HYPOT, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_hypot_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_HYPOT, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_hypot_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_HYPOT, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_copysign(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_COPYSIGN, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_copysign_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_COPYSIGN, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_copysign_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_COPYSIGN, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_nextafter(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_NEXTAFTER, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_nextafter_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_NEXTAFTER, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_nextafter_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_NEXTAFTER, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_logaddexp(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LOGADDEXP, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_logaddexp_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LOGADDEXP, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_logaddexp_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LOGADDEXP, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_fmod(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_FMOD, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_fmod_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_FMOD, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_fmod_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_FMOD, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_bitwise_left_shift(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_BITWISE_LEFT_SHIFT, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_bitwise_left_shift_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_BITWISE_LEFT_SHIFT, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_bitwise_left_shift_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_BITWISE_LEFT_SHIFT, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_bitwise_right_shift(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_BITWISE_RIGHT_SHIFT, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_bitwise_right_shift_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_BITWISE_RIGHT_SHIFT, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); }); }
bp_status bp_bitwise_right_shift_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_BITWISE_RIGHT_SHIFT, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_where(bp_tensor *condition, bp_tensor *x, bp_tensor *y, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_WHERE, inputs(tensor_arg(condition, "condition"), tensor_arg(x, "x"), tensor_arg(y, "y")), attrs(), out); }); }
bp_status bp_where_into(bp_tensor *condition, bp_tensor *x, bp_tensor *y, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_WHERE, inputs(tensor_arg(condition, "condition"), tensor_arg(x, "x"), tensor_arg(y, "y")), attrs(), out); }); }

bp_status bp_cast(bp_tensor *x, bp_dtype dtype, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CAST, inputs(tensor_arg(x, "x")), attrs(dtype_value(dtype)), out); }); }
bp_status bp_cast_into(bp_tensor *x, bp_dtype dtype, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CAST, inputs(tensor_arg(x, "x")), attrs(dtype_value(dtype)), out); }); }

bp_status bp_copy(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_COPY, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_copy_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_COPY, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_fill(const bp_value *value, int32_t rank, const int64_t *shape, bp_dtype dtype, bp_device device, bp_tensor **out, bp_error **err) { return guard(err, [&] { run_created(BP_OP_FILL, inputs(number_arg(value, "value")), attrs(shape_arg(rank, shape), dtype_value(dtype)), device, out); }); }
bp_status bp_fill_into(const bp_value *value, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_FILL, inputs(number_arg(value, "value")), attrs(ints_value({}), dtype_value(BP_DTYPE_NONE)), out); }); }

bp_status bp_sum(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SUM, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), dtype_value(dtype)), out); }); }
bp_status bp_sum_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SUM, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), dtype_value(dtype)), out); }); }

bp_status bp_mean(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MEAN, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), dtype_value(dtype)), out); }); }
bp_status bp_mean_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_MEAN, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), dtype_value(dtype)), out); }); }

bp_status bp_prod(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_PROD, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), dtype_value(dtype)), out); }); }
bp_status bp_prod_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_PROD, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), dtype_value(dtype)), out); }); }

bp_status bp_max(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MAX, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); }); }
bp_status bp_max_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_MAX, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); }); }

bp_status bp_min(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MIN, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); }); }
bp_status bp_min_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_MIN, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); }); }

bp_status bp_argmax(bp_tensor *x, const int64_t *axis, uint32_t n_axis, uint32_t keepdims, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ARGMAX, inputs(tensor_arg(x, "x")), attrs(ints_arg(axis, n_axis, "axis"), flag_value(keepdims != 0)), out); }); }
bp_status bp_argmax_into(bp_tensor *x, const int64_t *axis, uint32_t n_axis, uint32_t keepdims, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ARGMAX, inputs(tensor_arg(x, "x")), attrs(ints_arg(axis, n_axis, "axis"), flag_value(keepdims != 0)), out); }); }

bp_status bp_argmin(bp_tensor *x, const int64_t *axis, uint32_t n_axis, uint32_t keepdims, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ARGMIN, inputs(tensor_arg(x, "x")), attrs(ints_arg(axis, n_axis, "axis"), flag_value(keepdims != 0)), out); }); }
bp_status bp_argmin_into(bp_tensor *x, const int64_t *axis, uint32_t n_axis, uint32_t keepdims, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ARGMIN, inputs(tensor_arg(x, "x")), attrs(ints_arg(axis, n_axis, "axis"), flag_value(keepdims != 0)), out); }); }

bp_status bp_any(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ANY, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); }); }
bp_status bp_any_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ANY, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); }); }

bp_status bp_all(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ALL, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); }); }
bp_status bp_all_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ALL, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); }); }

bp_status bp_var(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double correction, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_VAR, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), float_value(correction)), out); }); }
bp_status bp_var_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double correction, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_VAR, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), float_value(correction)), out); }); }

bp_status bp_cumsum(bp_tensor *x, int64_t axis, bp_dtype dtype, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CUMSUM, inputs(tensor_arg(x, "x")), attrs(int_value(axis), dtype_value(dtype)), out); }); }
bp_status bp_cumsum_into(bp_tensor *x, int64_t axis, bp_dtype dtype, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CUMSUM, inputs(tensor_arg(x, "x")), attrs(int_value(axis), dtype_value(dtype)), out); }); }

bp_status bp_softmax(bp_tensor *x, int64_t axis, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SOFTMAX, inputs(tensor_arg(x, "x")), attrs(int_value(axis)), out); }); }
bp_status bp_softmax_into(bp_tensor *x, int64_t axis, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SOFTMAX, inputs(tensor_arg(x, "x")), attrs(int_value(axis)), out); }); }

bp_status bp_log_softmax(bp_tensor *x, int64_t axis, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LOG_SOFTMAX, inputs(tensor_arg(x, "x")), attrs(int_value(axis)), out); }); }
bp_status bp_log_softmax_into(bp_tensor *x, int64_t axis, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LOG_SOFTMAX, inputs(tensor_arg(x, "x")), attrs(int_value(axis)), out); }); }

bp_status bp_cumprod(bp_tensor *x, int64_t axis, bp_dtype dtype, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CUMPROD, inputs(tensor_arg(x, "x")), attrs(int_value(axis), dtype_value(dtype)), out); }); }
bp_status bp_cumprod_into(bp_tensor *x, int64_t axis, bp_dtype dtype, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CUMPROD, inputs(tensor_arg(x, "x")), attrs(int_value(axis), dtype_value(dtype)), out); }); }

bp_status bp_matmul(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MATMUL, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_matmul_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_MATMUL, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_concat(bp_tensor *const *tensors, uint32_t n_tensors, int64_t axis, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CONCAT, list_arg(tensors, n_tensors, "tensors"), attrs(int_value(axis)), out); }); }
bp_status bp_concat_into(bp_tensor *const *tensors, uint32_t n_tensors, int64_t axis, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CONCAT, list_arg(tensors, n_tensors, "tensors"), attrs(int_value(axis)), out); }); }

bp_status bp_stack(bp_tensor *const *tensors, uint32_t n_tensors, int64_t axis, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_STACK, list_arg(tensors, n_tensors, "tensors"), attrs(int_value(axis)), out); }); }
bp_status bp_stack_into(bp_tensor *const *tensors, uint32_t n_tensors, int64_t axis, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_STACK, list_arg(tensors, n_tensors, "tensors"), attrs(int_value(axis)), out); }); }

bp_status bp_gather(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_GATHER, inputs(tensor_arg(x, "x"), tensor_arg(index, "index")), attrs(int_value(axis)), out); }); }
bp_status bp_gather_into(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_GATHER, inputs(tensor_arg(x, "x"), tensor_arg(index, "index")), attrs(int_value(axis)), out); }); }

bp_status bp_index_select(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_INDEX_SELECT, inputs(tensor_arg(x, "x"), tensor_arg(index, "index")), attrs(int_value(axis)), out); }); }
bp_status bp_index_select_into(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_INDEX_SELECT, inputs(tensor_arg(x, "x"), tensor_arg(index, "index")), attrs(int_value(axis)), out); }); }

bp_status bp_take_along(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_TAKE_ALONG, inputs(tensor_arg(x, "x"), tensor_arg(index, "index")), attrs(int_value(axis)), out); }); }
bp_status bp_take_along_into(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_TAKE_ALONG, inputs(tensor_arg(x, "x"), tensor_arg(index, "index")), attrs(int_value(axis)), out); }); }

bp_status bp_one_hot(bp_tensor *x, int64_t num_classes, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ONE_HOT, inputs(tensor_arg(x, "x")), attrs(int_value(num_classes)), out); }); }
bp_status bp_one_hot_into(bp_tensor *x, int64_t num_classes, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ONE_HOT, inputs(tensor_arg(x, "x")), attrs(int_value(num_classes)), out); }); }

bp_status bp_arange(const bp_value *start, const bp_value *end, const bp_value *step, bp_dtype dtype, bp_device device, bp_tensor **out, bp_error **err) { return guard(err, [&] { run_created(BP_OP_ARANGE, inputs(number_arg(start, "start"), number_arg(end, "end"), number_arg(step, "step")), attrs(dtype_value(dtype)), device, out); }); }
bp_status bp_arange_into(const bp_value *start, const bp_value *end, const bp_value *step, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ARANGE, inputs(number_arg(start, "start"), number_arg(end, "end"), number_arg(step, "step")), attrs(dtype_value(BP_DTYPE_NONE)), out); }); }

bp_status bp_linspace(const bp_value *start, const bp_value *end, int64_t steps, bp_dtype dtype, bp_device device, bp_tensor **out, bp_error **err) { return guard(err, [&] { run_created(BP_OP_LINSPACE, inputs(number_arg(start, "start"), number_arg(end, "end")), attrs(int_value(steps), dtype_value(dtype)), device, out); }); }
bp_status bp_linspace_into(const bp_value *start, const bp_value *end, int64_t steps, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LINSPACE, inputs(number_arg(start, "start"), number_arg(end, "end")), attrs(int_value(steps), dtype_value(BP_DTYPE_NONE)), out); }); }

bp_status bp_sort(bp_tensor *x, int64_t axis, uint32_t descending, bp_tensor **values, bp_tensor **indices, bp_error **err) { return guard(err, [&] { run_several(BP_OP_SORT, inputs(tensor_arg(x, "x")), attrs(int_value(axis), flag_value(descending != 0)), {values, indices}); }); }

bp_status bp_argsort(bp_tensor *x, int64_t axis, uint32_t descending, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ARGSORT, inputs(tensor_arg(x, "x")), attrs(int_value(axis), flag_value(descending != 0)), out); }); }
bp_status bp_argsort_into(bp_tensor *x, int64_t axis, uint32_t descending, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ARGSORT, inputs(tensor_arg(x, "x")), attrs(int_value(axis), flag_value(descending != 0)), out); }); }

bp_status bp_topk(bp_tensor *x, int64_t k, int64_t axis, uint32_t largest, bp_tensor **values, bp_tensor **indices, bp_error **err) { return guard(err, [&] { run_several(BP_OP_TOPK, inputs(tensor_arg(x, "x")), attrs(int_value(k), int_value(axis), flag_value(largest != 0)), {values, indices}); }); }

bp_status bp_uniform(int32_t rank, const int64_t *shape, bp_dtype dtype, double low, double high, int64_t seed, int64_t offset, bp_device device, bp_tensor **out, bp_error **err) { return guard(err, [&] { run_created(BP_OP_UNIFORM, inputs(), attrs(shape_arg(rank, shape), dtype_value(dtype), float_value(low), float_value(high), int_value(seed), int_value(offset)), device, out); }); }
bp_status bp_uniform_into(double low, double high, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_UNIFORM, inputs(), attrs(ints_value({}), dtype_value(BP_DTYPE_NONE), float_value(low), float_value(high), int_value(seed), int_value(offset)), out); }); }

bp_status bp_normal(int32_t rank, const int64_t *shape, bp_dtype dtype, double mean, double std, int64_t seed, int64_t offset, bp_device device, bp_tensor **out, bp_error **err) { return guard(err, [&] { run_created(BP_OP_NORMAL, inputs(), attrs(shape_arg(rank, shape), dtype_value(dtype), float_value(mean), float_value(std), int_value(seed), int_value(offset)), device, out); }); }
bp_status bp_normal_into(double mean, double std, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_NORMAL, inputs(), attrs(ints_value({}), dtype_value(BP_DTYPE_NONE), float_value(mean), float_value(std), int_value(seed), int_value(offset)), out); }); }

bp_status bp_randint(int32_t rank, const int64_t *shape, bp_dtype dtype, int64_t low, int64_t high, int64_t seed, int64_t offset, bp_device device, bp_tensor **out, bp_error **err) { return guard(err, [&] { run_created(BP_OP_RANDINT, inputs(), attrs(shape_arg(rank, shape), dtype_value(dtype), int_value(low), int_value(high), int_value(seed), int_value(offset)), device, out); }); }
bp_status bp_randint_into(int64_t low, int64_t high, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_RANDINT, inputs(), attrs(ints_value({}), dtype_value(BP_DTYPE_NONE), int_value(low), int_value(high), int_value(seed), int_value(offset)), out); }); }

bp_status bp_bernoulli(int32_t rank, const int64_t *shape, bp_dtype dtype, double p, int64_t seed, int64_t offset, bp_device device, bp_tensor **out, bp_error **err) { return guard(err, [&] { run_created(BP_OP_BERNOULLI, inputs(), attrs(shape_arg(rank, shape), dtype_value(dtype), float_value(p), int_value(seed), int_value(offset)), device, out); }); }
bp_status bp_bernoulli_into(double p, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_BERNOULLI, inputs(), attrs(ints_value({}), dtype_value(BP_DTYPE_NONE), float_value(p), int_value(seed), int_value(offset)), out); }); }

bp_status bp_signbit(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SIGNBIT, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_signbit_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SIGNBIT, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_bitwise_not(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_BITWISE_NOT, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_bitwise_not_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_BITWISE_NOT, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_softplus(bp_tensor *x, double beta, double threshold, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SOFTPLUS, inputs(tensor_arg(x, "x")), attrs(float_value(beta), float_value(threshold)), out); }); }
bp_status bp_softplus_into(bp_tensor *x, double beta, double threshold, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SOFTPLUS, inputs(tensor_arg(x, "x")), attrs(float_value(beta), float_value(threshold)), out); }); }

bp_status bp_elu(bp_tensor *x, double alpha, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ELU, inputs(tensor_arg(x, "x")), attrs(float_value(alpha)), out); }); }
bp_status bp_elu_into(bp_tensor *x, double alpha, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ELU, inputs(tensor_arg(x, "x")), attrs(float_value(alpha)), out); }); }

bp_status bp_leaky_relu(bp_tensor *x, double negative_slope, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LEAKY_RELU, inputs(tensor_arg(x, "x")), attrs(float_value(negative_slope)), out); }); }
bp_status bp_leaky_relu_into(bp_tensor *x, double negative_slope, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LEAKY_RELU, inputs(tensor_arg(x, "x")), attrs(float_value(negative_slope)), out); }); }

bp_status bp_hardswish(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_HARDSWISH, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_hardswish_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_HARDSWISH, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_hardsigmoid(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_HARDSIGMOID, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_hardsigmoid_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_HARDSIGMOID, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_mish(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MISH, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_mish_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_MISH, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_gelu_tanh(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_GELU_TANH, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_gelu_tanh_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_GELU_TANH, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_hardtanh(bp_tensor *x, double min_val, double max_val, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_HARDTANH, inputs(tensor_arg(x, "x")), attrs(float_value(min_val), float_value(max_val)), out); }); }
bp_status bp_hardtanh_into(bp_tensor *x, double min_val, double max_val, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_HARDTANH, inputs(tensor_arg(x, "x")), attrs(float_value(min_val), float_value(max_val)), out); }); }

bp_status bp_relu6(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_RELU6, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_relu6_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_RELU6, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_nan_to_num(bp_tensor *x, double nan, double posinf, double neginf, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_NAN_TO_NUM, inputs(tensor_arg(x, "x")), attrs(float_value(nan), float_value(posinf), float_value(neginf)), out); }); }
bp_status bp_nan_to_num_into(bp_tensor *x, double nan, double posinf, double neginf, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_NAN_TO_NUM, inputs(tensor_arg(x, "x")), attrs(float_value(nan), float_value(posinf), float_value(neginf)), out); }); }

bp_status bp_clip(bp_tensor *x, bp_tensor *min, bp_tensor *max, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CLIP, inputs(tensor_arg(x, "x"), optional_arg(min, "min"), optional_arg(max, "max")), attrs(), out); }); }
bp_status bp_clip_into(bp_tensor *x, bp_tensor *min, bp_tensor *max, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CLIP, inputs(tensor_arg(x, "x"), optional_arg(min, "min"), optional_arg(max, "max")), attrs(), out); }); }

bp_status bp_lerp(bp_tensor *start, bp_tensor *end, bp_tensor *weight, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LERP, inputs(tensor_arg(start, "start"), tensor_arg(end, "end"), tensor_arg(weight, "weight")), attrs(), out); }); }
bp_status bp_lerp_scalar(bp_tensor *start, bp_tensor *end, const bp_value *weight, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LERP, inputs(tensor_arg(start, "start"), tensor_arg(end, "end"), number_arg(weight, "weight")), attrs(), out); }); }
bp_status bp_lerp_into(bp_tensor *start, bp_tensor *end, bp_tensor *weight, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LERP, inputs(tensor_arg(start, "start"), tensor_arg(end, "end"), tensor_arg(weight, "weight")), attrs(), out); }); }

bp_status bp_lgamma(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LGAMMA, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_lgamma_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LGAMMA, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_digamma(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_DIGAMMA, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_digamma_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_DIGAMMA, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_addcmul(bp_tensor *x, bp_tensor *a, bp_tensor *b, double value, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ADDCMUL, inputs(tensor_arg(x, "x"), tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(float_value(value)), out); }); }
bp_status bp_addcmul_scalar(bp_tensor *x, bp_tensor *a, const bp_value *b, double value, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ADDCMUL, inputs(tensor_arg(x, "x"), tensor_arg(a, "a"), number_arg(b, "b")), attrs(float_value(value)), out); }); }
bp_status bp_addcmul_into(bp_tensor *x, bp_tensor *a, bp_tensor *b, double value, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ADDCMUL, inputs(tensor_arg(x, "x"), tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(float_value(value)), out); }); }

bp_status bp_addcdiv(bp_tensor *x, bp_tensor *a, bp_tensor *b, double value, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ADDCDIV, inputs(tensor_arg(x, "x"), tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(float_value(value)), out); }); }
bp_status bp_addcdiv_scalar(bp_tensor *x, bp_tensor *a, const bp_value *b, double value, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ADDCDIV, inputs(tensor_arg(x, "x"), tensor_arg(a, "a"), number_arg(b, "b")), attrs(float_value(value)), out); }); }
bp_status bp_addcdiv_into(bp_tensor *x, bp_tensor *a, bp_tensor *b, double value, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ADDCDIV, inputs(tensor_arg(x, "x"), tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(float_value(value)), out); }); }

bp_status bp_kthvalue(bp_tensor *x, int64_t k, int64_t axis, bp_tensor **values, bp_tensor **indices, bp_error **err) { return guard(err, [&] { run_several(BP_OP_KTHVALUE, inputs(tensor_arg(x, "x")), attrs(int_value(k), int_value(axis)), {values, indices}); }); }

bp_status bp_std(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double correction, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_STD, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), float_value(correction)), out); }); }
bp_status bp_std_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double correction, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_STD, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), float_value(correction)), out); }); }

bp_status bp_logsumexp(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LOGSUMEXP, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); }); }
bp_status bp_logsumexp_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LOGSUMEXP, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); }); }

bp_status bp_vector_norm(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double ord, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_VECTOR_NORM, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), float_value(ord)), out); }); }
bp_status bp_vector_norm_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double ord, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_VECTOR_NORM, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), float_value(ord)), out); }); }

bp_status bp_count_nonzero(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_COUNT_NONZERO, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); }); }
bp_status bp_count_nonzero_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_COUNT_NONZERO, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); }); }

bp_status bp_diff(bp_tensor *x, int64_t n, int64_t axis, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_DIFF, inputs(tensor_arg(x, "x")), attrs(int_value(n), int_value(axis)), out); }); }
bp_status bp_diff_into(bp_tensor *x, int64_t n, int64_t axis, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_DIFF, inputs(tensor_arg(x, "x")), attrs(int_value(n), int_value(axis)), out); }); }

bp_status bp_roll(bp_tensor *x, const int64_t *shift, uint32_t n_shift, const int64_t *axis, uint32_t n_axis, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ROLL, inputs(tensor_arg(x, "x")), attrs(ints_arg(shift, n_shift, "shift"), ints_arg(axis, n_axis, "axis")), out); }); }
bp_status bp_roll_into(bp_tensor *x, const int64_t *shift, uint32_t n_shift, const int64_t *axis, uint32_t n_axis, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ROLL, inputs(tensor_arg(x, "x")), attrs(ints_arg(shift, n_shift, "shift"), ints_arg(axis, n_axis, "axis")), out); }); }

bp_status bp_repeat(bp_tensor *x, int64_t repeats, const int64_t *axis, uint32_t n_axis, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_REPEAT, inputs(tensor_arg(x, "x")), attrs(int_value(repeats), ints_arg(axis, n_axis, "axis")), out); }); }
bp_status bp_repeat_into(bp_tensor *x, int64_t repeats, const int64_t *axis, uint32_t n_axis, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_REPEAT, inputs(tensor_arg(x, "x")), attrs(int_value(repeats), ints_arg(axis, n_axis, "axis")), out); }); }

bp_status bp_tile(bp_tensor *x, const int64_t *repetitions, uint32_t n_repetitions, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_TILE, inputs(tensor_arg(x, "x")), attrs(ints_arg(repetitions, n_repetitions, "repetitions")), out); }); }
bp_status bp_tile_into(bp_tensor *x, const int64_t *repetitions, uint32_t n_repetitions, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_TILE, inputs(tensor_arg(x, "x")), attrs(ints_arg(repetitions, n_repetitions, "repetitions")), out); }); }

bp_status bp_tril(bp_tensor *x, int64_t diagonal, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_TRIL, inputs(tensor_arg(x, "x")), attrs(int_value(diagonal)), out); }); }
bp_status bp_tril_into(bp_tensor *x, int64_t diagonal, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_TRIL, inputs(tensor_arg(x, "x")), attrs(int_value(diagonal)), out); }); }

bp_status bp_triu(bp_tensor *x, int64_t diagonal, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_TRIU, inputs(tensor_arg(x, "x")), attrs(int_value(diagonal)), out); }); }
bp_status bp_triu_into(bp_tensor *x, int64_t diagonal, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_TRIU, inputs(tensor_arg(x, "x")), attrs(int_value(diagonal)), out); }); }

bp_status bp_pad(bp_tensor *x, const int64_t *pad, uint32_t n_pad, const char *mode, double value, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_PAD, inputs(tensor_arg(x, "x")), attrs(ints_arg(pad, n_pad, "pad"), str_arg(mode, "mode"), float_value(value)), out); }); }
bp_status bp_pad_into(bp_tensor *x, const int64_t *pad, uint32_t n_pad, const char *mode, double value, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_PAD, inputs(tensor_arg(x, "x")), attrs(ints_arg(pad, n_pad, "pad"), str_arg(mode, "mode"), float_value(value)), out); }); }

bp_status bp_outer(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_OUTER, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_outer_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_OUTER, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_vecdot(bp_tensor *a, bp_tensor *b, int64_t axis, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_VECDOT, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(int_value(axis)), out); }); }
bp_status bp_vecdot_into(bp_tensor *a, bp_tensor *b, int64_t axis, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_VECDOT, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(int_value(axis)), out); }); }

bp_status bp_tensordot(bp_tensor *a, bp_tensor *b, const int64_t *axes_a, uint32_t n_axes_a, const int64_t *axes_b, uint32_t n_axes_b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_TENSORDOT, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(ints_arg(axes_a, n_axes_a, "axes_a"), ints_arg(axes_b, n_axes_b, "axes_b")), out); }); }
bp_status bp_tensordot_into(bp_tensor *a, bp_tensor *b, const int64_t *axes_a, uint32_t n_axes_a, const int64_t *axes_b, uint32_t n_axes_b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_TENSORDOT, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(ints_arg(axes_a, n_axes_a, "axes_a"), ints_arg(axes_b, n_axes_b, "axes_b")), out); }); }

bp_status bp_trace(bp_tensor *x, int64_t offset, bp_dtype dtype, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_TRACE, inputs(tensor_arg(x, "x")), attrs(int_value(offset), dtype_value(dtype)), out); }); }
bp_status bp_trace_into(bp_tensor *x, int64_t offset, bp_dtype dtype, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_TRACE, inputs(tensor_arg(x, "x")), attrs(int_value(offset), dtype_value(dtype)), out); }); }

bp_status bp_cross(bp_tensor *a, bp_tensor *b, int64_t axis, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CROSS, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(int_value(axis)), out); }); }
bp_status bp_cross_into(bp_tensor *a, bp_tensor *b, int64_t axis, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CROSS, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(int_value(axis)), out); }); }

bp_status bp_kron(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_KRON, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_kron_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_KRON, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_scatter(bp_tensor *x, bp_tensor *index, bp_tensor *src, int64_t axis, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SCATTER, inputs(tensor_arg(x, "x"), tensor_arg(index, "index"), tensor_arg(src, "src")), attrs(int_value(axis)), out); }); }
bp_status bp_scatter_into(bp_tensor *x, bp_tensor *index, bp_tensor *src, int64_t axis, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SCATTER, inputs(tensor_arg(x, "x"), tensor_arg(index, "index"), tensor_arg(src, "src")), attrs(int_value(axis)), out); }); }

bp_status bp_scatter_add(bp_tensor *x, bp_tensor *index, bp_tensor *src, int64_t axis, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SCATTER_ADD, inputs(tensor_arg(x, "x"), tensor_arg(index, "index"), tensor_arg(src, "src")), attrs(int_value(axis)), out); }); }
bp_status bp_scatter_add_into(bp_tensor *x, bp_tensor *index, bp_tensor *src, int64_t axis, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SCATTER_ADD, inputs(tensor_arg(x, "x"), tensor_arg(index, "index"), tensor_arg(src, "src")), attrs(int_value(axis)), out); }); }

bp_status bp_index_add(bp_tensor *x, bp_tensor *index, bp_tensor *source, int64_t axis, double alpha, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_INDEX_ADD, inputs(tensor_arg(x, "x"), tensor_arg(index, "index"), tensor_arg(source, "source")), attrs(int_value(axis), float_value(alpha)), out); }); }
bp_status bp_index_add_into(bp_tensor *x, bp_tensor *index, bp_tensor *source, int64_t axis, double alpha, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_INDEX_ADD, inputs(tensor_arg(x, "x"), tensor_arg(index, "index"), tensor_arg(source, "source")), attrs(int_value(axis), float_value(alpha)), out); }); }

bp_status bp_masked_fill(bp_tensor *x, bp_tensor *mask, bp_tensor *value, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MASKED_FILL, inputs(tensor_arg(x, "x"), tensor_arg(mask, "mask"), tensor_arg(value, "value")), attrs(), out); }); }
bp_status bp_masked_fill_scalar(bp_tensor *x, bp_tensor *mask, const bp_value *value, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MASKED_FILL, inputs(tensor_arg(x, "x"), tensor_arg(mask, "mask"), number_arg(value, "value")), attrs(), out); }); }
bp_status bp_masked_fill_into(bp_tensor *x, bp_tensor *mask, bp_tensor *value, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_MASKED_FILL, inputs(tensor_arg(x, "x"), tensor_arg(mask, "mask"), tensor_arg(value, "value")), attrs(), out); }); }

bp_status bp_searchsorted(bp_tensor *sorted_sequence, bp_tensor *values, uint32_t right, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SEARCHSORTED, inputs(tensor_arg(sorted_sequence, "sorted_sequence"), tensor_arg(values, "values")), attrs(flag_value(right != 0)), out); }); }
bp_status bp_searchsorted_into(bp_tensor *sorted_sequence, bp_tensor *values, uint32_t right, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SEARCHSORTED, inputs(tensor_arg(sorted_sequence, "sorted_sequence"), tensor_arg(values, "values")), attrs(flag_value(right != 0)), out); }); }

bp_status bp_einsum(bp_tensor *const *operands, uint32_t n_operands, const char *equation, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_EINSUM, list_arg(operands, n_operands, "operands"), attrs(str_arg(equation, "equation")), out); }); }
bp_status bp_einsum_into(bp_tensor *const *operands, uint32_t n_operands, const char *equation, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_EINSUM, list_arg(operands, n_operands, "operands"), attrs(str_arg(equation, "equation")), out); }); }

bp_status bp_linear(bp_tensor *x, bp_tensor *weight, bp_tensor *bias, const char *activation, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LINEAR, inputs(tensor_arg(x, "x"), tensor_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(str_arg(activation, "activation")), out); }); }
bp_status bp_linear_into(bp_tensor *x, bp_tensor *weight, bp_tensor *bias, const char *activation, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LINEAR, inputs(tensor_arg(x, "x"), tensor_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(str_arg(activation, "activation")), out); }); }

bp_status bp_mse_loss(bp_tensor *input, bp_tensor *target, const char *reduction, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MSE_LOSS, inputs(tensor_arg(input, "input"), tensor_arg(target, "target")), attrs(str_arg(reduction, "reduction")), out); }); }
bp_status bp_mse_loss_into(bp_tensor *input, bp_tensor *target, const char *reduction, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_MSE_LOSS, inputs(tensor_arg(input, "input"), tensor_arg(target, "target")), attrs(str_arg(reduction, "reduction")), out); }); }

bp_status bp_l1_loss(bp_tensor *input, bp_tensor *target, const char *reduction, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_L1_LOSS, inputs(tensor_arg(input, "input"), tensor_arg(target, "target")), attrs(str_arg(reduction, "reduction")), out); }); }
bp_status bp_l1_loss_into(bp_tensor *input, bp_tensor *target, const char *reduction, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_L1_LOSS, inputs(tensor_arg(input, "input"), tensor_arg(target, "target")), attrs(str_arg(reduction, "reduction")), out); }); }

bp_status bp_huber_loss(bp_tensor *input, bp_tensor *target, const char *reduction, double delta, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_HUBER_LOSS, inputs(tensor_arg(input, "input"), tensor_arg(target, "target")), attrs(str_arg(reduction, "reduction"), float_value(delta)), out); }); }
bp_status bp_huber_loss_into(bp_tensor *input, bp_tensor *target, const char *reduction, double delta, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_HUBER_LOSS, inputs(tensor_arg(input, "input"), tensor_arg(target, "target")), attrs(str_arg(reduction, "reduction"), float_value(delta)), out); }); }

bp_status bp_smooth_l1_loss(bp_tensor *input, bp_tensor *target, const char *reduction, double beta, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SMOOTH_L1_LOSS, inputs(tensor_arg(input, "input"), tensor_arg(target, "target")), attrs(str_arg(reduction, "reduction"), float_value(beta)), out); }); }
bp_status bp_smooth_l1_loss_into(bp_tensor *input, bp_tensor *target, const char *reduction, double beta, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SMOOTH_L1_LOSS, inputs(tensor_arg(input, "input"), tensor_arg(target, "target")), attrs(str_arg(reduction, "reduction"), float_value(beta)), out); }); }

bp_status bp_binary_cross_entropy(bp_tensor *input, bp_tensor *target, bp_tensor *weight, const char *reduction, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_BINARY_CROSS_ENTROPY, inputs(tensor_arg(input, "input"), tensor_arg(target, "target"), optional_arg(weight, "weight")), attrs(str_arg(reduction, "reduction")), out); }); }
bp_status bp_binary_cross_entropy_into(bp_tensor *input, bp_tensor *target, bp_tensor *weight, const char *reduction, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_BINARY_CROSS_ENTROPY, inputs(tensor_arg(input, "input"), tensor_arg(target, "target"), optional_arg(weight, "weight")), attrs(str_arg(reduction, "reduction")), out); }); }

bp_status bp_binary_cross_entropy_with_logits(bp_tensor *input, bp_tensor *target, bp_tensor *weight, bp_tensor *pos_weight, const char *reduction, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_BINARY_CROSS_ENTROPY_WITH_LOGITS, inputs(tensor_arg(input, "input"), tensor_arg(target, "target"), optional_arg(weight, "weight"), optional_arg(pos_weight, "pos_weight")), attrs(str_arg(reduction, "reduction")), out); }); }
bp_status bp_binary_cross_entropy_with_logits_into(bp_tensor *input, bp_tensor *target, bp_tensor *weight, bp_tensor *pos_weight, const char *reduction, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_BINARY_CROSS_ENTROPY_WITH_LOGITS, inputs(tensor_arg(input, "input"), tensor_arg(target, "target"), optional_arg(weight, "weight"), optional_arg(pos_weight, "pos_weight")), attrs(str_arg(reduction, "reduction")), out); }); }

bp_status bp_nll_loss(bp_tensor *input, bp_tensor *target, bp_tensor *weight, int64_t ignore_index, const char *reduction, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_NLL_LOSS, inputs(tensor_arg(input, "input"), tensor_arg(target, "target"), optional_arg(weight, "weight")), attrs(int_value(ignore_index), str_arg(reduction, "reduction")), out); }); }
bp_status bp_nll_loss_into(bp_tensor *input, bp_tensor *target, bp_tensor *weight, int64_t ignore_index, const char *reduction, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_NLL_LOSS, inputs(tensor_arg(input, "input"), tensor_arg(target, "target"), optional_arg(weight, "weight")), attrs(int_value(ignore_index), str_arg(reduction, "reduction")), out); }); }

bp_status bp_cross_entropy(bp_tensor *input, bp_tensor *target, bp_tensor *weight, int64_t ignore_index, const char *reduction, double label_smoothing, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CROSS_ENTROPY, inputs(tensor_arg(input, "input"), tensor_arg(target, "target"), optional_arg(weight, "weight")), attrs(int_value(ignore_index), str_arg(reduction, "reduction"), float_value(label_smoothing)), out); }); }
bp_status bp_cross_entropy_into(bp_tensor *input, bp_tensor *target, bp_tensor *weight, int64_t ignore_index, const char *reduction, double label_smoothing, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CROSS_ENTROPY, inputs(tensor_arg(input, "input"), tensor_arg(target, "target"), optional_arg(weight, "weight")), attrs(int_value(ignore_index), str_arg(reduction, "reduction"), float_value(label_smoothing)), out); }); }

bp_status bp_batch_norm_running(bp_tensor *x, bp_tensor *running_mean, bp_tensor *running_var, double momentum, bp_tensor **mean, bp_tensor **var, bp_error **err) { return guard(err, [&] { run_several(BP_OP_BATCH_NORM_RUNNING, inputs(tensor_arg(x, "x"), tensor_arg(running_mean, "running_mean"), tensor_arg(running_var, "running_var")), attrs(float_value(momentum)), {mean, var}); }); }

bp_status bp_layer_norm(bp_tensor *x, bp_tensor *weight, bp_tensor *bias, const int64_t *normalized_shape, uint32_t n_normalized_shape, double eps, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_LAYER_NORM, inputs(tensor_arg(x, "x"), optional_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(ints_arg(normalized_shape, n_normalized_shape, "normalized_shape"), float_value(eps)), out); }); }
bp_status bp_layer_norm_into(bp_tensor *x, bp_tensor *weight, bp_tensor *bias, const int64_t *normalized_shape, uint32_t n_normalized_shape, double eps, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_LAYER_NORM, inputs(tensor_arg(x, "x"), optional_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(ints_arg(normalized_shape, n_normalized_shape, "normalized_shape"), float_value(eps)), out); }); }

bp_status bp_rms_norm(bp_tensor *x, bp_tensor *weight, const int64_t *normalized_shape, uint32_t n_normalized_shape, double eps, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_RMS_NORM, inputs(tensor_arg(x, "x"), optional_arg(weight, "weight")), attrs(ints_arg(normalized_shape, n_normalized_shape, "normalized_shape"), float_value(eps)), out); }); }
bp_status bp_rms_norm_into(bp_tensor *x, bp_tensor *weight, const int64_t *normalized_shape, uint32_t n_normalized_shape, double eps, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_RMS_NORM, inputs(tensor_arg(x, "x"), optional_arg(weight, "weight")), attrs(ints_arg(normalized_shape, n_normalized_shape, "normalized_shape"), float_value(eps)), out); }); }

bp_status bp_batch_norm(bp_tensor *x, bp_tensor *running_mean, bp_tensor *running_var, bp_tensor *weight, bp_tensor *bias, uint32_t training, double eps, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_BATCH_NORM, inputs(tensor_arg(x, "x"), optional_arg(running_mean, "running_mean"), optional_arg(running_var, "running_var"), optional_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(flag_value(training != 0), float_value(eps)), out); }); }
bp_status bp_batch_norm_into(bp_tensor *x, bp_tensor *running_mean, bp_tensor *running_var, bp_tensor *weight, bp_tensor *bias, uint32_t training, double eps, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_BATCH_NORM, inputs(tensor_arg(x, "x"), optional_arg(running_mean, "running_mean"), optional_arg(running_var, "running_var"), optional_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(flag_value(training != 0), float_value(eps)), out); }); }

bp_status bp_group_norm(bp_tensor *x, bp_tensor *weight, bp_tensor *bias, int64_t num_groups, double eps, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_GROUP_NORM, inputs(tensor_arg(x, "x"), optional_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(int_value(num_groups), float_value(eps)), out); }); }
bp_status bp_group_norm_into(bp_tensor *x, bp_tensor *weight, bp_tensor *bias, int64_t num_groups, double eps, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_GROUP_NORM, inputs(tensor_arg(x, "x"), optional_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(int_value(num_groups), float_value(eps)), out); }); }

bp_status bp_embedding(bp_tensor *input, bp_tensor *weight, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_EMBEDDING, inputs(tensor_arg(input, "input"), tensor_arg(weight, "weight")), attrs(), out); }); }
bp_status bp_embedding_into(bp_tensor *input, bp_tensor *weight, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_EMBEDDING, inputs(tensor_arg(input, "input"), tensor_arg(weight, "weight")), attrs(), out); }); }

bp_status bp_dropout(bp_tensor *x, double p, int64_t seed, int64_t offset, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_DROPOUT, inputs(tensor_arg(x, "x")), attrs(float_value(p), int_value(seed), int_value(offset)), out); }); }
bp_status bp_dropout_into(bp_tensor *x, double p, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_DROPOUT, inputs(tensor_arg(x, "x")), attrs(float_value(p), int_value(seed), int_value(offset)), out); }); }

bp_status bp_scaled_dot_product_attention(bp_tensor *query, bp_tensor *key, bp_tensor *value, bp_tensor *attn_mask, uint32_t is_causal, double scale, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SCALED_DOT_PRODUCT_ATTENTION, inputs(tensor_arg(query, "query"), tensor_arg(key, "key"), tensor_arg(value, "value"), optional_arg(attn_mask, "attn_mask")), attrs(flag_value(is_causal != 0), float_value(scale)), out); }); }
bp_status bp_scaled_dot_product_attention_into(bp_tensor *query, bp_tensor *key, bp_tensor *value, bp_tensor *attn_mask, uint32_t is_causal, double scale, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SCALED_DOT_PRODUCT_ATTENTION, inputs(tensor_arg(query, "query"), tensor_arg(key, "key"), tensor_arg(value, "value"), optional_arg(attn_mask, "attn_mask")), attrs(flag_value(is_causal != 0), float_value(scale)), out); }); }

bp_status bp_rope(bp_tensor *x, bp_tensor *cos, bp_tensor *sin, uint32_t interleaved, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ROPE, inputs(tensor_arg(x, "x"), tensor_arg(cos, "cos"), tensor_arg(sin, "sin")), attrs(flag_value(interleaved != 0)), out); }); }
bp_status bp_rope_into(bp_tensor *x, bp_tensor *cos, bp_tensor *sin, uint32_t interleaved, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ROPE, inputs(tensor_arg(x, "x"), tensor_arg(cos, "cos"), tensor_arg(sin, "sin")), attrs(flag_value(interleaved != 0)), out); }); }

bp_status bp_max_pool2d_with_indices(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **values, bp_tensor **indices, bp_error **err) { return guard(err, [&] { run_several(BP_OP_MAX_POOL2D_WITH_INDICES, inputs(tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), flag_value(ceil_mode != 0)), {values, indices}); }); }

bp_status bp_max_pool3d_with_indices(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **values, bp_tensor **indices, bp_error **err) { return guard(err, [&] { run_several(BP_OP_MAX_POOL3D_WITH_INDICES, inputs(tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), flag_value(ceil_mode != 0)), {values, indices}); }); }

bp_status bp_conv1d(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CONV1D, inputs(tensor_arg(input, "input"), tensor_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), int_value(groups)), out); }); }
bp_status bp_conv1d_into(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CONV1D, inputs(tensor_arg(input, "input"), tensor_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), int_value(groups)), out); }); }

bp_status bp_conv2d(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CONV2D, inputs(tensor_arg(input, "input"), tensor_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), int_value(groups)), out); }); }
bp_status bp_conv2d_into(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CONV2D, inputs(tensor_arg(input, "input"), tensor_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), int_value(groups)), out); }); }

bp_status bp_conv3d(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CONV3D, inputs(tensor_arg(input, "input"), tensor_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), int_value(groups)), out); }); }
bp_status bp_conv3d_into(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CONV3D, inputs(tensor_arg(input, "input"), tensor_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), int_value(groups)), out); }); }

bp_status bp_conv_transpose1d(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *output_padding, uint32_t n_output_padding, int64_t groups, const int64_t *dilation, uint32_t n_dilation, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CONV_TRANSPOSE1D, inputs(tensor_arg(input, "input"), tensor_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(output_padding, n_output_padding, "output_padding"), int_value(groups), ints_arg(dilation, n_dilation, "dilation")), out); }); }
bp_status bp_conv_transpose1d_into(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *output_padding, uint32_t n_output_padding, int64_t groups, const int64_t *dilation, uint32_t n_dilation, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CONV_TRANSPOSE1D, inputs(tensor_arg(input, "input"), tensor_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(output_padding, n_output_padding, "output_padding"), int_value(groups), ints_arg(dilation, n_dilation, "dilation")), out); }); }

bp_status bp_conv_transpose2d(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *output_padding, uint32_t n_output_padding, int64_t groups, const int64_t *dilation, uint32_t n_dilation, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CONV_TRANSPOSE2D, inputs(tensor_arg(input, "input"), tensor_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(output_padding, n_output_padding, "output_padding"), int_value(groups), ints_arg(dilation, n_dilation, "dilation")), out); }); }
bp_status bp_conv_transpose2d_into(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *output_padding, uint32_t n_output_padding, int64_t groups, const int64_t *dilation, uint32_t n_dilation, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CONV_TRANSPOSE2D, inputs(tensor_arg(input, "input"), tensor_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(output_padding, n_output_padding, "output_padding"), int_value(groups), ints_arg(dilation, n_dilation, "dilation")), out); }); }

bp_status bp_conv_transpose3d(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *output_padding, uint32_t n_output_padding, int64_t groups, const int64_t *dilation, uint32_t n_dilation, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CONV_TRANSPOSE3D, inputs(tensor_arg(input, "input"), tensor_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(output_padding, n_output_padding, "output_padding"), int_value(groups), ints_arg(dilation, n_dilation, "dilation")), out); }); }
bp_status bp_conv_transpose3d_into(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *output_padding, uint32_t n_output_padding, int64_t groups, const int64_t *dilation, uint32_t n_dilation, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CONV_TRANSPOSE3D, inputs(tensor_arg(input, "input"), tensor_arg(weight, "weight"), optional_arg(bias, "bias")), attrs(ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(output_padding, n_output_padding, "output_padding"), int_value(groups), ints_arg(dilation, n_dilation, "dilation")), out); }); }

bp_status bp_max_pool1d(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MAX_POOL1D, inputs(tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), flag_value(ceil_mode != 0)), out); }); }
bp_status bp_max_pool1d_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_MAX_POOL1D, inputs(tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), flag_value(ceil_mode != 0)), out); }); }

bp_status bp_max_pool2d(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MAX_POOL2D, inputs(tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), flag_value(ceil_mode != 0)), out); }); }
bp_status bp_max_pool2d_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_MAX_POOL2D, inputs(tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), flag_value(ceil_mode != 0)), out); }); }

bp_status bp_avg_pool1d(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, uint32_t ceil_mode, uint32_t count_include_pad, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_AVG_POOL1D, inputs(tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), flag_value(ceil_mode != 0), flag_value(count_include_pad != 0)), out); }); }
bp_status bp_avg_pool1d_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, uint32_t ceil_mode, uint32_t count_include_pad, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_AVG_POOL1D, inputs(tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), flag_value(ceil_mode != 0), flag_value(count_include_pad != 0)), out); }); }

bp_status bp_avg_pool2d(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, uint32_t ceil_mode, uint32_t count_include_pad, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_AVG_POOL2D, inputs(tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), flag_value(ceil_mode != 0), flag_value(count_include_pad != 0)), out); }); }
bp_status bp_avg_pool2d_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, uint32_t ceil_mode, uint32_t count_include_pad, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_AVG_POOL2D, inputs(tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), flag_value(ceil_mode != 0), flag_value(count_include_pad != 0)), out); }); }

bp_status bp_adaptive_avg_pool1d(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ADAPTIVE_AVG_POOL1D, inputs(tensor_arg(input, "input")), attrs(ints_arg(output_size, n_output_size, "output_size")), out); }); }
bp_status bp_adaptive_avg_pool1d_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ADAPTIVE_AVG_POOL1D, inputs(tensor_arg(input, "input")), attrs(ints_arg(output_size, n_output_size, "output_size")), out); }); }

bp_status bp_adaptive_avg_pool2d(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ADAPTIVE_AVG_POOL2D, inputs(tensor_arg(input, "input")), attrs(ints_arg(output_size, n_output_size, "output_size")), out); }); }
bp_status bp_adaptive_avg_pool2d_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ADAPTIVE_AVG_POOL2D, inputs(tensor_arg(input, "input")), attrs(ints_arg(output_size, n_output_size, "output_size")), out); }); }

bp_status bp_interpolate(bp_tensor *input, const int64_t *size, uint32_t n_size, const char *mode, uint32_t align_corners, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_INTERPOLATE, inputs(tensor_arg(input, "input")), attrs(ints_arg(size, n_size, "size"), str_arg(mode, "mode"), flag_value(align_corners != 0)), out); }); }
bp_status bp_interpolate_into(bp_tensor *input, const int64_t *size, uint32_t n_size, const char *mode, uint32_t align_corners, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_INTERPOLATE, inputs(tensor_arg(input, "input")), attrs(ints_arg(size, n_size, "size"), str_arg(mode, "mode"), flag_value(align_corners != 0)), out); }); }

bp_status bp_max_pool3d(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MAX_POOL3D, inputs(tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), flag_value(ceil_mode != 0)), out); }); }
bp_status bp_max_pool3d_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_MAX_POOL3D, inputs(tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), flag_value(ceil_mode != 0)), out); }); }

bp_status bp_avg_pool3d(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, uint32_t ceil_mode, uint32_t count_include_pad, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_AVG_POOL3D, inputs(tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), flag_value(ceil_mode != 0), flag_value(count_include_pad != 0)), out); }); }
bp_status bp_avg_pool3d_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, uint32_t ceil_mode, uint32_t count_include_pad, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_AVG_POOL3D, inputs(tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), flag_value(ceil_mode != 0), flag_value(count_include_pad != 0)), out); }); }

bp_status bp_adaptive_avg_pool3d(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ADAPTIVE_AVG_POOL3D, inputs(tensor_arg(input, "input")), attrs(ints_arg(output_size, n_output_size, "output_size")), out); }); }
bp_status bp_adaptive_avg_pool3d_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ADAPTIVE_AVG_POOL3D, inputs(tensor_arg(input, "input")), attrs(ints_arg(output_size, n_output_size, "output_size")), out); }); }

bp_status bp_adaptive_max_pool1d(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ADAPTIVE_MAX_POOL1D, inputs(tensor_arg(input, "input")), attrs(ints_arg(output_size, n_output_size, "output_size")), out); }); }
bp_status bp_adaptive_max_pool1d_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ADAPTIVE_MAX_POOL1D, inputs(tensor_arg(input, "input")), attrs(ints_arg(output_size, n_output_size, "output_size")), out); }); }

bp_status bp_adaptive_max_pool2d(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ADAPTIVE_MAX_POOL2D, inputs(tensor_arg(input, "input")), attrs(ints_arg(output_size, n_output_size, "output_size")), out); }); }
bp_status bp_adaptive_max_pool2d_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ADAPTIVE_MAX_POOL2D, inputs(tensor_arg(input, "input")), attrs(ints_arg(output_size, n_output_size, "output_size")), out); }); }

bp_status bp_adaptive_max_pool3d(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ADAPTIVE_MAX_POOL3D, inputs(tensor_arg(input, "input")), attrs(ints_arg(output_size, n_output_size, "output_size")), out); }); }
bp_status bp_adaptive_max_pool3d_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ADAPTIVE_MAX_POOL3D, inputs(tensor_arg(input, "input")), attrs(ints_arg(output_size, n_output_size, "output_size")), out); }); }

bp_status bp_max_pool1d_with_indices(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **values, bp_tensor **indices, bp_error **err) { return guard(err, [&] { run_several(BP_OP_MAX_POOL1D_WITH_INDICES, inputs(tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), flag_value(ceil_mode != 0)), {values, indices}); }); }

bp_status bp_real(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_REAL, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_real_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_REAL, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_imag(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_IMAG, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_imag_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_IMAG, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_conj(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CONJ, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_conj_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CONJ, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_angle(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_ANGLE, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_angle_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_ANGLE, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_complex(bp_tensor *real, bp_tensor *imag, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_COMPLEX, inputs(tensor_arg(real, "real"), tensor_arg(imag, "imag")), attrs(), out); }); }
bp_status bp_complex_into(bp_tensor *real, bp_tensor *imag, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_COMPLEX, inputs(tensor_arg(real, "real"), tensor_arg(imag, "imag")), attrs(), out); }); }

bp_status bp_polar(bp_tensor *abs, bp_tensor *angle, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_POLAR, inputs(tensor_arg(abs, "abs"), tensor_arg(angle, "angle")), attrs(), out); }); }
bp_status bp_polar_into(bp_tensor *abs, bp_tensor *angle, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_POLAR, inputs(tensor_arg(abs, "abs"), tensor_arg(angle, "angle")), attrs(), out); }); }

bp_status bp_interpolate_v2(bp_tensor *input, const int64_t *size, uint32_t n_size, const char *mode, uint32_t align_corners, double scale_d, double scale_h, double scale_w, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_INTERPOLATE_V2, inputs(tensor_arg(input, "input")), attrs(ints_arg(size, n_size, "size"), str_arg(mode, "mode"), flag_value(align_corners != 0), float_value(scale_d), float_value(scale_h), float_value(scale_w)), out); }); }
bp_status bp_interpolate_v2_into(bp_tensor *input, const int64_t *size, uint32_t n_size, const char *mode, uint32_t align_corners, double scale_d, double scale_h, double scale_w, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_INTERPOLATE_V2, inputs(tensor_arg(input, "input")), attrs(ints_arg(size, n_size, "size"), str_arg(mode, "mode"), flag_value(align_corners != 0), float_value(scale_d), float_value(scale_h), float_value(scale_w)), out); }); }

bp_status bp_im2col(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *dilation, uint32_t n_dilation, const int64_t *padding, uint32_t n_padding, const int64_t *stride, uint32_t n_stride, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_IM2COL, inputs(tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(dilation, n_dilation, "dilation"), ints_arg(padding, n_padding, "padding"), ints_arg(stride, n_stride, "stride")), out); }); }
bp_status bp_im2col_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *dilation, uint32_t n_dilation, const int64_t *padding, uint32_t n_padding, const int64_t *stride, uint32_t n_stride, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_IM2COL, inputs(tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(dilation, n_dilation, "dilation"), ints_arg(padding, n_padding, "padding"), ints_arg(stride, n_stride, "stride")), out); }); }

bp_status bp_col2im(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *dilation, uint32_t n_dilation, const int64_t *padding, uint32_t n_padding, const int64_t *stride, uint32_t n_stride, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_COL2IM, inputs(tensor_arg(input, "input")), attrs(ints_arg(output_size, n_output_size, "output_size"), ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(dilation, n_dilation, "dilation"), ints_arg(padding, n_padding, "padding"), ints_arg(stride, n_stride, "stride")), out); }); }
bp_status bp_col2im_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *dilation, uint32_t n_dilation, const int64_t *padding, uint32_t n_padding, const int64_t *stride, uint32_t n_stride, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_COL2IM, inputs(tensor_arg(input, "input")), attrs(ints_arg(output_size, n_output_size, "output_size"), ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(dilation, n_dilation, "dilation"), ints_arg(padding, n_padding, "padding"), ints_arg(stride, n_stride, "stride")), out); }); }

bp_status bp_cholesky(bp_tensor *a, uint32_t upper, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CHOLESKY, inputs(tensor_arg(a, "a")), attrs(flag_value(upper != 0)), out); }); }
bp_status bp_cholesky_into(bp_tensor *a, uint32_t upper, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CHOLESKY, inputs(tensor_arg(a, "a")), attrs(flag_value(upper != 0)), out); }); }

bp_status bp_lu_factor(bp_tensor *a, bp_tensor **lu, bp_tensor **pivots, bp_error **err) { return guard(err, [&] { run_several(BP_OP_LU_FACTOR, inputs(tensor_arg(a, "a")), attrs(), {lu, pivots}); }); }

bp_status bp_solve_triangular(bp_tensor *a, bp_tensor *b, uint32_t upper, uint32_t left, uint32_t unitriangular, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SOLVE_TRIANGULAR, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(flag_value(upper != 0), flag_value(left != 0), flag_value(unitriangular != 0)), out); }); }
bp_status bp_solve_triangular_into(bp_tensor *a, bp_tensor *b, uint32_t upper, uint32_t left, uint32_t unitriangular, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SOLVE_TRIANGULAR, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(flag_value(upper != 0), flag_value(left != 0), flag_value(unitriangular != 0)), out); }); }

bp_status bp_solve(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SOLVE, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }
bp_status bp_solve_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SOLVE, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); }); }

bp_status bp_inv(bp_tensor *a, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_INV, inputs(tensor_arg(a, "a")), attrs(), out); }); }
bp_status bp_inv_into(bp_tensor *a, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_INV, inputs(tensor_arg(a, "a")), attrs(), out); }); }

bp_status bp_qr(bp_tensor *a, uint32_t complete, bp_tensor **q, bp_tensor **r, bp_error **err) { return guard(err, [&] { run_several(BP_OP_QR, inputs(tensor_arg(a, "a")), attrs(flag_value(complete != 0)), {q, r}); }); }

bp_status bp_svd(bp_tensor *a, uint32_t full_matrices, bp_tensor **u, bp_tensor **s, bp_tensor **vh, bp_error **err) { return guard(err, [&] { run_several(BP_OP_SVD, inputs(tensor_arg(a, "a")), attrs(flag_value(full_matrices != 0)), {u, s, vh}); }); }

bp_status bp_svdvals(bp_tensor *a, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SVDVALS, inputs(tensor_arg(a, "a")), attrs(), out); }); }
bp_status bp_svdvals_into(bp_tensor *a, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SVDVALS, inputs(tensor_arg(a, "a")), attrs(), out); }); }

bp_status bp_eigh(bp_tensor *a, uint32_t upper, bp_tensor **eigenvalues, bp_tensor **eigenvectors, bp_error **err) { return guard(err, [&] { run_several(BP_OP_EIGH, inputs(tensor_arg(a, "a")), attrs(flag_value(upper != 0)), {eigenvalues, eigenvectors}); }); }

bp_status bp_eigvalsh(bp_tensor *a, uint32_t upper, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_EIGVALSH, inputs(tensor_arg(a, "a")), attrs(flag_value(upper != 0)), out); }); }
bp_status bp_eigvalsh_into(bp_tensor *a, uint32_t upper, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_EIGVALSH, inputs(tensor_arg(a, "a")), attrs(flag_value(upper != 0)), out); }); }

bp_status bp_det(bp_tensor *a, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_DET, inputs(tensor_arg(a, "a")), attrs(), out); }); }
bp_status bp_det_into(bp_tensor *a, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_DET, inputs(tensor_arg(a, "a")), attrs(), out); }); }

bp_status bp_slogdet(bp_tensor *a, bp_tensor **sign, bp_tensor **logabsdet, bp_error **err) { return guard(err, [&] { run_several(BP_OP_SLOGDET, inputs(tensor_arg(a, "a")), attrs(), {sign, logabsdet}); }); }

bp_status bp_matrix_rank(bp_tensor *a, double atol, double rtol, uint32_t hermitian, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MATRIX_RANK, inputs(tensor_arg(a, "a")), attrs(float_value(atol), float_value(rtol), flag_value(hermitian != 0)), out); }); }
bp_status bp_matrix_rank_into(bp_tensor *a, double atol, double rtol, uint32_t hermitian, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_MATRIX_RANK, inputs(tensor_arg(a, "a")), attrs(float_value(atol), float_value(rtol), flag_value(hermitian != 0)), out); }); }

bp_status bp_pinv(bp_tensor *a, double atol, double rtol, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_PINV, inputs(tensor_arg(a, "a")), attrs(float_value(atol), float_value(rtol)), out); }); }
bp_status bp_pinv_into(bp_tensor *a, double atol, double rtol, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_PINV, inputs(tensor_arg(a, "a")), attrs(float_value(atol), float_value(rtol)), out); }); }

bp_status bp_matrix_power(bp_tensor *a, int64_t n, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MATRIX_POWER, inputs(tensor_arg(a, "a")), attrs(int_value(n)), out); }); }
bp_status bp_matrix_power_into(bp_tensor *a, int64_t n, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_MATRIX_POWER, inputs(tensor_arg(a, "a")), attrs(int_value(n)), out); }); }

bp_status bp_matrix_norm(bp_tensor *a, const char *ord, uint32_t keepdims, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MATRIX_NORM, inputs(tensor_arg(a, "a")), attrs(str_arg(ord, "ord"), flag_value(keepdims != 0)), out); }); }
bp_status bp_matrix_norm_into(bp_tensor *a, const char *ord, uint32_t keepdims, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_MATRIX_NORM, inputs(tensor_arg(a, "a")), attrs(str_arg(ord, "ord"), flag_value(keepdims != 0)), out); }); }

bp_status bp_lstsq(bp_tensor *a, bp_tensor *b, double rcond, bp_tensor **solution, bp_tensor **rank, bp_tensor **singular_values, bp_error **err) { return guard(err, [&] { run_several(BP_OP_LSTSQ, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(float_value(rcond)), {solution, rank, singular_values}); }); }

bp_status bp_eig(bp_tensor *a, bp_tensor **eigenvalues, bp_tensor **eigenvectors, bp_error **err) { return guard(err, [&] { run_several(BP_OP_EIG, inputs(tensor_arg(a, "a")), attrs(), {eigenvalues, eigenvectors}); }); }

bp_status bp_eigvals(bp_tensor *a, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_EIGVALS, inputs(tensor_arg(a, "a")), attrs(), out); }); }
bp_status bp_eigvals_into(bp_tensor *a, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_EIGVALS, inputs(tensor_arg(a, "a")), attrs(), out); }); }

bp_status bp_cdist(bp_tensor *x1, bp_tensor *x2, double p, const char *compute_mode, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CDIST, inputs(tensor_arg(x1, "x1"), tensor_arg(x2, "x2")), attrs(float_value(p), str_arg(compute_mode, "compute_mode")), out); }); }
bp_status bp_cdist_into(bp_tensor *x1, bp_tensor *x2, double p, const char *compute_mode, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CDIST, inputs(tensor_arg(x1, "x1"), tensor_arg(x2, "x2")), attrs(float_value(p), str_arg(compute_mode, "compute_mode")), out); }); }

bp_status bp_fft_c2c(bp_tensor *x, int64_t axis, uint32_t inverse, double scale, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_FFT_C2C, inputs(tensor_arg(x, "x")), attrs(int_value(axis), flag_value(inverse != 0), float_value(scale)), out); }); }
bp_status bp_fft_c2c_into(bp_tensor *x, int64_t axis, uint32_t inverse, double scale, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_FFT_C2C, inputs(tensor_arg(x, "x")), attrs(int_value(axis), flag_value(inverse != 0), float_value(scale)), out); }); }

bp_status bp_fft_r2c(bp_tensor *x, int64_t axis, double scale, uint32_t conj, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_FFT_R2C, inputs(tensor_arg(x, "x")), attrs(int_value(axis), float_value(scale), flag_value(conj != 0)), out); }); }
bp_status bp_fft_r2c_into(bp_tensor *x, int64_t axis, double scale, uint32_t conj, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_FFT_R2C, inputs(tensor_arg(x, "x")), attrs(int_value(axis), float_value(scale), flag_value(conj != 0)), out); }); }

bp_status bp_fft_c2r(bp_tensor *x, int64_t axis, int64_t n, double scale, uint32_t conj, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_FFT_C2R, inputs(tensor_arg(x, "x")), attrs(int_value(axis), int_value(n), float_value(scale), flag_value(conj != 0)), out); }); }
bp_status bp_fft_c2r_into(bp_tensor *x, int64_t axis, int64_t n, double scale, uint32_t conj, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_FFT_C2R, inputs(tensor_arg(x, "x")), attrs(int_value(axis), int_value(n), float_value(scale), flag_value(conj != 0)), out); }); }

bp_status bp_fft(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_FFT, inputs(tensor_arg(x, "x")), attrs(int_value(n), int_value(axis), str_arg(norm, "norm")), out); }); }
bp_status bp_fft_into(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_FFT, inputs(tensor_arg(x, "x")), attrs(int_value(n), int_value(axis), str_arg(norm, "norm")), out); }); }

bp_status bp_ifft(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_IFFT, inputs(tensor_arg(x, "x")), attrs(int_value(n), int_value(axis), str_arg(norm, "norm")), out); }); }
bp_status bp_ifft_into(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_IFFT, inputs(tensor_arg(x, "x")), attrs(int_value(n), int_value(axis), str_arg(norm, "norm")), out); }); }

bp_status bp_fftn(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_FFTN, inputs(tensor_arg(x, "x")), attrs(ints_arg(s, n_s, "s"), ints_arg(axes, n_axes, "axes"), str_arg(norm, "norm")), out); }); }
bp_status bp_fftn_into(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_FFTN, inputs(tensor_arg(x, "x")), attrs(ints_arg(s, n_s, "s"), ints_arg(axes, n_axes, "axes"), str_arg(norm, "norm")), out); }); }

bp_status bp_ifftn(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_IFFTN, inputs(tensor_arg(x, "x")), attrs(ints_arg(s, n_s, "s"), ints_arg(axes, n_axes, "axes"), str_arg(norm, "norm")), out); }); }
bp_status bp_ifftn_into(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_IFFTN, inputs(tensor_arg(x, "x")), attrs(ints_arg(s, n_s, "s"), ints_arg(axes, n_axes, "axes"), str_arg(norm, "norm")), out); }); }

bp_status bp_rfft(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_RFFT, inputs(tensor_arg(x, "x")), attrs(int_value(n), int_value(axis), str_arg(norm, "norm")), out); }); }
bp_status bp_rfft_into(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_RFFT, inputs(tensor_arg(x, "x")), attrs(int_value(n), int_value(axis), str_arg(norm, "norm")), out); }); }

bp_status bp_irfft(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_IRFFT, inputs(tensor_arg(x, "x")), attrs(int_value(n), int_value(axis), str_arg(norm, "norm")), out); }); }
bp_status bp_irfft_into(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_IRFFT, inputs(tensor_arg(x, "x")), attrs(int_value(n), int_value(axis), str_arg(norm, "norm")), out); }); }

bp_status bp_rfftn(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_RFFTN, inputs(tensor_arg(x, "x")), attrs(ints_arg(s, n_s, "s"), ints_arg(axes, n_axes, "axes"), str_arg(norm, "norm")), out); }); }
bp_status bp_rfftn_into(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_RFFTN, inputs(tensor_arg(x, "x")), attrs(ints_arg(s, n_s, "s"), ints_arg(axes, n_axes, "axes"), str_arg(norm, "norm")), out); }); }

bp_status bp_irfftn(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_IRFFTN, inputs(tensor_arg(x, "x")), attrs(ints_arg(s, n_s, "s"), ints_arg(axes, n_axes, "axes"), str_arg(norm, "norm")), out); }); }
bp_status bp_irfftn_into(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_IRFFTN, inputs(tensor_arg(x, "x")), attrs(ints_arg(s, n_s, "s"), ints_arg(axes, n_axes, "axes"), str_arg(norm, "norm")), out); }); }

bp_status bp_hfft(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_HFFT, inputs(tensor_arg(x, "x")), attrs(int_value(n), int_value(axis), str_arg(norm, "norm")), out); }); }
bp_status bp_hfft_into(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_HFFT, inputs(tensor_arg(x, "x")), attrs(int_value(n), int_value(axis), str_arg(norm, "norm")), out); }); }

bp_status bp_ihfft(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_IHFFT, inputs(tensor_arg(x, "x")), attrs(int_value(n), int_value(axis), str_arg(norm, "norm")), out); }); }
bp_status bp_ihfft_into(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_IHFFT, inputs(tensor_arg(x, "x")), attrs(int_value(n), int_value(axis), str_arg(norm, "norm")), out); }); }

bp_status bp_nonzero(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_NONZERO, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_nonzero_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_NONZERO, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_flat_nonzero(bp_tensor *mask, int64_t size, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_FLAT_NONZERO, inputs(tensor_arg(mask, "mask")), attrs(int_value(size)), out); }); }
bp_status bp_flat_nonzero_into(bp_tensor *mask, int64_t size, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_FLAT_NONZERO, inputs(tensor_arg(mask, "mask")), attrs(int_value(size)), out); }); }

bp_status bp_masked_select(bp_tensor *x, bp_tensor *mask, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MASKED_SELECT, inputs(tensor_arg(x, "x"), tensor_arg(mask, "mask")), attrs(), out); }); }
bp_status bp_masked_select_into(bp_tensor *x, bp_tensor *mask, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_MASKED_SELECT, inputs(tensor_arg(x, "x"), tensor_arg(mask, "mask")), attrs(), out); }); }

bp_status bp_unique(bp_tensor *x, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_UNIQUE, inputs(tensor_arg(x, "x")), attrs(), out); }); }
bp_status bp_unique_into(bp_tensor *x, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_UNIQUE, inputs(tensor_arg(x, "x")), attrs(), out); }); }

bp_status bp_unique_all(bp_tensor *x, bp_tensor **values, bp_tensor **indices, bp_tensor **inverse, bp_tensor **counts, bp_error **err) { return guard(err, [&] { run_several(BP_OP_UNIQUE_ALL, inputs(tensor_arg(x, "x")), attrs(), {values, indices, inverse, counts}); }); }

bp_status bp_index_copy(bp_tensor *x, bp_tensor *index, bp_tensor *source, int64_t axis, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_INDEX_COPY, inputs(tensor_arg(x, "x"), tensor_arg(index, "index"), tensor_arg(source, "source")), attrs(int_value(axis)), out); }); }
bp_status bp_index_copy_into(bp_tensor *x, bp_tensor *index, bp_tensor *source, int64_t axis, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_INDEX_COPY, inputs(tensor_arg(x, "x"), tensor_arg(index, "index"), tensor_arg(source, "source")), attrs(int_value(axis)), out); }); }

bp_status bp_bincount(bp_tensor *x, bp_tensor *weights, int64_t minlength, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_BINCOUNT, inputs(tensor_arg(x, "x"), optional_arg(weights, "weights")), attrs(int_value(minlength)), out); }); }
bp_status bp_bincount_into(bp_tensor *x, bp_tensor *weights, int64_t minlength, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_BINCOUNT, inputs(tensor_arg(x, "x"), optional_arg(weights, "weights")), attrs(int_value(minlength)), out); }); }

bp_status bp_convolution(bp_tensor *input, bp_tensor *weight, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CONVOLUTION, inputs(tensor_arg(input, "input"), tensor_arg(weight, "weight")), attrs(ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), int_value(groups)), out); }); }
bp_status bp_convolution_into(bp_tensor *input, bp_tensor *weight, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CONVOLUTION, inputs(tensor_arg(input, "input"), tensor_arg(weight, "weight")), attrs(ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), int_value(groups)), out); }); }

bp_status bp_convolution_input_grad(bp_tensor *grad, bp_tensor *weight, const int64_t *size, uint32_t n_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CONVOLUTION_INPUT_GRAD, inputs(tensor_arg(grad, "grad"), tensor_arg(weight, "weight")), attrs(ints_arg(size, n_size, "size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), int_value(groups)), out); }); }
bp_status bp_convolution_input_grad_into(bp_tensor *grad, bp_tensor *weight, const int64_t *size, uint32_t n_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CONVOLUTION_INPUT_GRAD, inputs(tensor_arg(grad, "grad"), tensor_arg(weight, "weight")), attrs(ints_arg(size, n_size, "size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), int_value(groups)), out); }); }

bp_status bp_convolution_weight_grad(bp_tensor *grad, bp_tensor *input, const int64_t *size, uint32_t n_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_CONVOLUTION_WEIGHT_GRAD, inputs(tensor_arg(grad, "grad"), tensor_arg(input, "input")), attrs(ints_arg(size, n_size, "size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), int_value(groups)), out); }); }
bp_status bp_convolution_weight_grad_into(bp_tensor *grad, bp_tensor *input, const int64_t *size, uint32_t n_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_CONVOLUTION_WEIGHT_GRAD, inputs(tensor_arg(grad, "grad"), tensor_arg(input, "input")), attrs(ints_arg(size, n_size, "size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), int_value(groups)), out); }); }

bp_status bp_max_pool_grad(bp_tensor *grad, bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_MAX_POOL_GRAD, inputs(tensor_arg(grad, "grad"), tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), flag_value(ceil_mode != 0)), out); }); }
bp_status bp_max_pool_grad_into(bp_tensor *grad, bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_MAX_POOL_GRAD, inputs(tensor_arg(grad, "grad"), tensor_arg(input, "input")), attrs(ints_arg(kernel_size, n_kernel_size, "kernel_size"), ints_arg(stride, n_stride, "stride"), ints_arg(padding, n_padding, "padding"), ints_arg(dilation, n_dilation, "dilation"), flag_value(ceil_mode != 0)), out); }); }

bp_status bp_layer_norm_grad(bp_tensor *grad, bp_tensor *x, bp_tensor *weight, const int64_t *normalized_shape, uint32_t n_normalized_shape, double eps, bp_tensor **x_grad, bp_tensor **weight_grad, bp_tensor **bias_grad, bp_error **err) { return guard(err, [&] { run_several(BP_OP_LAYER_NORM_GRAD, inputs(tensor_arg(grad, "grad"), tensor_arg(x, "x"), optional_arg(weight, "weight")), attrs(ints_arg(normalized_shape, n_normalized_shape, "normalized_shape"), float_value(eps)), {x_grad, weight_grad, bias_grad}); }); }

bp_status bp_rms_norm_grad(bp_tensor *grad, bp_tensor *x, bp_tensor *weight, const int64_t *normalized_shape, uint32_t n_normalized_shape, double eps, bp_tensor **x_grad, bp_tensor **weight_grad, bp_error **err) { return guard(err, [&] { run_several(BP_OP_RMS_NORM_GRAD, inputs(tensor_arg(grad, "grad"), tensor_arg(x, "x"), optional_arg(weight, "weight")), attrs(ints_arg(normalized_shape, n_normalized_shape, "normalized_shape"), float_value(eps)), {x_grad, weight_grad}); }); }

bp_status bp_batch_norm_grad(bp_tensor *grad, bp_tensor *x, bp_tensor *running_mean, bp_tensor *running_var, bp_tensor *weight, uint32_t training, double eps, bp_tensor **x_grad, bp_tensor **weight_grad, bp_tensor **bias_grad, bp_error **err) { return guard(err, [&] { run_several(BP_OP_BATCH_NORM_GRAD, inputs(tensor_arg(grad, "grad"), tensor_arg(x, "x"), optional_arg(running_mean, "running_mean"), optional_arg(running_var, "running_var"), optional_arg(weight, "weight")), attrs(flag_value(training != 0), float_value(eps)), {x_grad, weight_grad, bias_grad}); }); }

bp_status bp_group_norm_grad(bp_tensor *grad, bp_tensor *x, bp_tensor *weight, int64_t num_groups, double eps, bp_tensor **x_grad, bp_tensor **weight_grad, bp_tensor **bias_grad, bp_error **err) { return guard(err, [&] { run_several(BP_OP_GROUP_NORM_GRAD, inputs(tensor_arg(grad, "grad"), tensor_arg(x, "x"), optional_arg(weight, "weight")), attrs(int_value(num_groups), float_value(eps)), {x_grad, weight_grad, bias_grad}); }); }

bp_status bp_sum_square(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_SUM_SQUARE, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); }); }
bp_status bp_sum_square_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_SUM_SQUARE, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); }); }

bp_status bp_lstm_gates(bp_tensor *input_gates, bp_tensor *hidden_gates, bp_tensor *cell, bp_tensor **h, bp_tensor **next_cell, bp_tensor **gates, bp_error **err) { return guard(err, [&] { run_several(BP_OP_LSTM_GATES, inputs(tensor_arg(input_gates, "input_gates"), tensor_arg(hidden_gates, "hidden_gates"), tensor_arg(cell, "cell")), attrs(), {h, next_cell, gates}); }); }

bp_status bp_lstm_gates_grad(bp_tensor *gates, bp_tensor *cell, bp_tensor *grad_h, bp_tensor *grad_h2, bp_tensor *grad_next_cell, bp_tensor **gates_grad, bp_tensor **cell_grad, bp_error **err) { return guard(err, [&] { run_several(BP_OP_LSTM_GATES_GRAD, inputs(tensor_arg(gates, "gates"), tensor_arg(cell, "cell"), optional_arg(grad_h, "grad_h"), optional_arg(grad_h2, "grad_h2"), optional_arg(grad_next_cell, "grad_next_cell")), attrs(), {gates_grad, cell_grad}); }); }

bp_status bp_gru_gates(bp_tensor *input_gates, bp_tensor *hidden_gates, bp_tensor *h, bp_tensor *hidden_bias, bp_tensor **next_h, bp_tensor **gates, bp_error **err) { return guard(err, [&] { run_several(BP_OP_GRU_GATES, inputs(tensor_arg(input_gates, "input_gates"), tensor_arg(hidden_gates, "hidden_gates"), tensor_arg(h, "h"), optional_arg(hidden_bias, "hidden_bias")), attrs(), {next_h, gates}); }); }

bp_status bp_gru_gates_grad(bp_tensor *gates, bp_tensor *h, bp_tensor *grad, bp_tensor *grad2, bp_tensor *grad3, bp_tensor **input_grad, bp_tensor **hidden_grad, bp_tensor **h_grad, bp_error **err) { return guard(err, [&] { run_several(BP_OP_GRU_GATES_GRAD, inputs(tensor_arg(gates, "gates"), tensor_arg(h, "h"), optional_arg(grad, "grad"), optional_arg(grad2, "grad2"), optional_arg(grad3, "grad3")), attrs(), {input_grad, hidden_grad, h_grad}); }); }

bp_status bp_rnn_gates(bp_tensor *input_gates, bp_tensor *hidden_gates, uint32_t relu, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_RNN_GATES, inputs(tensor_arg(input_gates, "input_gates"), tensor_arg(hidden_gates, "hidden_gates")), attrs(flag_value(relu != 0)), out); }); }
bp_status bp_rnn_gates_into(bp_tensor *input_gates, bp_tensor *hidden_gates, uint32_t relu, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_RNN_GATES, inputs(tensor_arg(input_gates, "input_gates"), tensor_arg(hidden_gates, "hidden_gates")), attrs(flag_value(relu != 0)), out); }); }

bp_status bp_rnn_gates_grad(bp_tensor *h, bp_tensor *grad, bp_tensor *grad2, uint32_t relu, bp_tensor **out, bp_error **err) { return guard(err, [&] { run(BP_OP_RNN_GATES_GRAD, inputs(tensor_arg(h, "h"), optional_arg(grad, "grad"), optional_arg(grad2, "grad2")), attrs(flag_value(relu != 0)), out); }); }
bp_status bp_rnn_gates_grad_into(bp_tensor *h, bp_tensor *grad, bp_tensor *grad2, uint32_t relu, bp_tensor *out, bp_error **err) { return guard(err, [&] { run_into(BP_OP_RNN_GATES_GRAD, inputs(tensor_arg(h, "h"), optional_arg(grad, "grad"), optional_arg(grad2, "grad2")), attrs(flag_value(relu != 0)), out); }); }

}  // extern "C"
