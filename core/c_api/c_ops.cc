// Printed by `./dev print` from the op table (core/ops); do not edit.
#include "core/c_api/run.h"

using namespace bp;

extern "C" {

bp_status bp_neg(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_NEG, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_neg_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_NEG, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_abs(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_ABS, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_abs_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_ABS, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_sign(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_SIGN, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_sign_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_SIGN, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_sqrt(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_SQRT, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_sqrt_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_SQRT, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_rsqrt(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_RSQRT, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_rsqrt_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_RSQRT, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_square(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_SQUARE, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_square_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_SQUARE, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_reciprocal(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_RECIPROCAL, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_reciprocal_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_RECIPROCAL, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_exp(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_EXP, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_exp_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_EXP, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_expm1(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_EXPM1, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_expm1_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_EXPM1, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_log(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_LOG, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_log_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_LOG, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_log1p(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_LOG1P, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_log1p_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_LOG1P, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_sin(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_SIN, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_sin_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_SIN, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_cos(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_COS, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_cos_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_COS, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_tan(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_TAN, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_tan_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_TAN, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_tanh(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_TANH, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_tanh_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_TANH, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_sigmoid(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_SIGMOID, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_sigmoid_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_SIGMOID, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_relu(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_RELU, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_relu_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_RELU, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_gelu(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_GELU, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_gelu_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_GELU, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_silu(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_SILU, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_silu_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_SILU, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_erf(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_ERF, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_erf_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_ERF, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_floor(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_FLOOR, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_floor_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_FLOOR, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_ceil(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_CEIL, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_ceil_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_CEIL, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_round(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_ROUND, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_round_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_ROUND, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_trunc(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_TRUNC, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_trunc_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_TRUNC, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_isnan(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_ISNAN, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_isnan_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_ISNAN, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_isinf(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_ISINF, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_isinf_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_ISINF, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_logical_not(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_LOGICAL_NOT, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_logical_not_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_LOGICAL_NOT, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_add(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_ADD, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_add_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_ADD, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_add_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_ADD, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_sub(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_SUB, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_sub_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_SUB, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_sub_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_SUB, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_mul(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_MUL, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_mul_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_MUL, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_mul_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_MUL, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_div(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_DIV, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_div_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_DIV, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_div_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_DIV, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_floor_divide(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_FLOOR_DIVIDE, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_floor_divide_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_FLOOR_DIVIDE, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_floor_divide_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_FLOOR_DIVIDE, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_remainder(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_REMAINDER, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_remainder_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_REMAINDER, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_remainder_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_REMAINDER, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_pow(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_POW, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_pow_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_POW, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_pow_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_POW, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_maximum(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_MAXIMUM, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_maximum_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_MAXIMUM, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_maximum_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_MAXIMUM, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_minimum(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_MINIMUM, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_minimum_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_MINIMUM, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_minimum_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_MINIMUM, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_eq(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_EQ, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_eq_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_EQ, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_eq_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_EQ, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_ne(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_NE, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_ne_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_NE, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_ne_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_NE, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_lt(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_LT, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_lt_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_LT, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_lt_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_LT, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_le(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_LE, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_le_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_LE, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_le_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_LE, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_gt(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_GT, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_gt_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_GT, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_gt_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_GT, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_ge(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_GE, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_ge_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_GE, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_ge_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_GE, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_logical_and(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_LOGICAL_AND, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_logical_and_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_LOGICAL_AND, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_logical_and_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_LOGICAL_AND, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_logical_or(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_LOGICAL_OR, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_logical_or_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_LOGICAL_OR, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_logical_or_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_LOGICAL_OR, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_logical_xor(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_LOGICAL_XOR, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_logical_xor_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_LOGICAL_XOR, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_logical_xor_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_LOGICAL_XOR, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_bitwise_and(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_BITWISE_AND, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_bitwise_and_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_BITWISE_AND, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_bitwise_and_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_BITWISE_AND, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_bitwise_or(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_BITWISE_OR, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_bitwise_or_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_BITWISE_OR, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_bitwise_or_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_BITWISE_OR, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_bitwise_xor(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_BITWISE_XOR, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_bitwise_xor_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_BITWISE_XOR, inputs(tensor_arg(a, "a"), number_arg(b, "b")), attrs(), out); });
}

bp_status bp_bitwise_xor_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_BITWISE_XOR, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_where(bp_tensor *condition, bp_tensor *x, bp_tensor *y, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_WHERE, inputs(tensor_arg(condition, "condition"), tensor_arg(x, "x"), tensor_arg(y, "y")), attrs(), out); });
}

bp_status bp_where_into(bp_tensor *condition, bp_tensor *x, bp_tensor *y, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_WHERE, inputs(tensor_arg(condition, "condition"), tensor_arg(x, "x"), tensor_arg(y, "y")), attrs(), out); });
}

bp_status bp_cast(bp_tensor *x, bp_dtype dtype, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_CAST, inputs(tensor_arg(x, "x")), attrs(dtype_value(dtype)), out); });
}

bp_status bp_cast_into(bp_tensor *x, bp_dtype dtype, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_CAST, inputs(tensor_arg(x, "x")), attrs(dtype_value(dtype)), out); });
}

bp_status bp_copy(bp_tensor *x, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_COPY, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_copy_into(bp_tensor *x, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_COPY, inputs(tensor_arg(x, "x")), attrs(), out); });
}

bp_status bp_fill(const bp_value *value, int32_t rank, const int64_t *shape, bp_dtype dtype, bp_device device, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run_created(BP_OP_FILL, inputs(number_arg(value, "value")), attrs(shape_arg(rank, shape), dtype_value(dtype)), device, out); });
}

bp_status bp_fill_into(const bp_value *value, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_FILL, inputs(number_arg(value, "value")), attrs(ints_value({}), dtype_value(BP_DTYPE_NONE)), out); });
}

bp_status bp_sum(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_SUM, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), dtype_value(dtype)), out); });
}

bp_status bp_sum_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_SUM, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), dtype_value(dtype)), out); });
}

bp_status bp_mean(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_MEAN, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), dtype_value(dtype)), out); });
}

bp_status bp_mean_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_MEAN, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), dtype_value(dtype)), out); });
}

bp_status bp_prod(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_PROD, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), dtype_value(dtype)), out); });
}

bp_status bp_prod_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_PROD, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), dtype_value(dtype)), out); });
}

bp_status bp_max(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_MAX, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); });
}

bp_status bp_max_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_MAX, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); });
}

bp_status bp_min(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_MIN, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); });
}

bp_status bp_min_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_MIN, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); });
}

bp_status bp_argmax(bp_tensor *x, const int64_t *axis, uint32_t n_axis, uint32_t keepdims, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_ARGMAX, inputs(tensor_arg(x, "x")), attrs(ints_arg(axis, n_axis, "axis"), flag_value(keepdims != 0)), out); });
}

bp_status bp_argmax_into(bp_tensor *x, const int64_t *axis, uint32_t n_axis, uint32_t keepdims, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_ARGMAX, inputs(tensor_arg(x, "x")), attrs(ints_arg(axis, n_axis, "axis"), flag_value(keepdims != 0)), out); });
}

bp_status bp_argmin(bp_tensor *x, const int64_t *axis, uint32_t n_axis, uint32_t keepdims, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_ARGMIN, inputs(tensor_arg(x, "x")), attrs(ints_arg(axis, n_axis, "axis"), flag_value(keepdims != 0)), out); });
}

bp_status bp_argmin_into(bp_tensor *x, const int64_t *axis, uint32_t n_axis, uint32_t keepdims, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_ARGMIN, inputs(tensor_arg(x, "x")), attrs(ints_arg(axis, n_axis, "axis"), flag_value(keepdims != 0)), out); });
}

bp_status bp_any(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_ANY, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); });
}

bp_status bp_any_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_ANY, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); });
}

bp_status bp_all(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_ALL, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); });
}

bp_status bp_all_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_ALL, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0)), out); });
}

bp_status bp_var(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double correction, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_VAR, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), float_value(correction)), out); });
}

bp_status bp_var_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double correction, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_VAR, inputs(tensor_arg(x, "x")), attrs(ints_arg(axes, n_axes, "axes"), flag_value(keepdims != 0), float_value(correction)), out); });
}

bp_status bp_cumsum(bp_tensor *x, int64_t axis, bp_dtype dtype, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_CUMSUM, inputs(tensor_arg(x, "x")), attrs(int_value(axis), dtype_value(dtype)), out); });
}

bp_status bp_cumsum_into(bp_tensor *x, int64_t axis, bp_dtype dtype, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_CUMSUM, inputs(tensor_arg(x, "x")), attrs(int_value(axis), dtype_value(dtype)), out); });
}

bp_status bp_softmax(bp_tensor *x, int64_t axis, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_SOFTMAX, inputs(tensor_arg(x, "x")), attrs(int_value(axis)), out); });
}

bp_status bp_softmax_into(bp_tensor *x, int64_t axis, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_SOFTMAX, inputs(tensor_arg(x, "x")), attrs(int_value(axis)), out); });
}

bp_status bp_log_softmax(bp_tensor *x, int64_t axis, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_LOG_SOFTMAX, inputs(tensor_arg(x, "x")), attrs(int_value(axis)), out); });
}

bp_status bp_log_softmax_into(bp_tensor *x, int64_t axis, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_LOG_SOFTMAX, inputs(tensor_arg(x, "x")), attrs(int_value(axis)), out); });
}

bp_status bp_matmul(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_MATMUL, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_matmul_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_MATMUL, inputs(tensor_arg(a, "a"), tensor_arg(b, "b")), attrs(), out); });
}

bp_status bp_concat(bp_tensor *const *tensors, uint32_t n_tensors, int64_t axis, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_CONCAT, list_arg(tensors, n_tensors, "tensors"), attrs(int_value(axis)), out); });
}

bp_status bp_concat_into(bp_tensor *const *tensors, uint32_t n_tensors, int64_t axis, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_CONCAT, list_arg(tensors, n_tensors, "tensors"), attrs(int_value(axis)), out); });
}

bp_status bp_stack(bp_tensor *const *tensors, uint32_t n_tensors, int64_t axis, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_STACK, list_arg(tensors, n_tensors, "tensors"), attrs(int_value(axis)), out); });
}

bp_status bp_stack_into(bp_tensor *const *tensors, uint32_t n_tensors, int64_t axis, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_STACK, list_arg(tensors, n_tensors, "tensors"), attrs(int_value(axis)), out); });
}

bp_status bp_gather(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_GATHER, inputs(tensor_arg(x, "x"), tensor_arg(index, "index")), attrs(int_value(axis)), out); });
}

bp_status bp_gather_into(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_GATHER, inputs(tensor_arg(x, "x"), tensor_arg(index, "index")), attrs(int_value(axis)), out); });
}

bp_status bp_index_select(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_INDEX_SELECT, inputs(tensor_arg(x, "x"), tensor_arg(index, "index")), attrs(int_value(axis)), out); });
}

bp_status bp_index_select_into(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_INDEX_SELECT, inputs(tensor_arg(x, "x"), tensor_arg(index, "index")), attrs(int_value(axis)), out); });
}

bp_status bp_take_along(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_TAKE_ALONG, inputs(tensor_arg(x, "x"), tensor_arg(index, "index")), attrs(int_value(axis)), out); });
}

bp_status bp_take_along_into(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_TAKE_ALONG, inputs(tensor_arg(x, "x"), tensor_arg(index, "index")), attrs(int_value(axis)), out); });
}

bp_status bp_one_hot(bp_tensor *x, int64_t num_classes, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_ONE_HOT, inputs(tensor_arg(x, "x")), attrs(int_value(num_classes)), out); });
}

bp_status bp_one_hot_into(bp_tensor *x, int64_t num_classes, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_ONE_HOT, inputs(tensor_arg(x, "x")), attrs(int_value(num_classes)), out); });
}

bp_status bp_arange(const bp_value *start, const bp_value *end, const bp_value *step, bp_dtype dtype, bp_device device, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run_created(BP_OP_ARANGE, inputs(number_arg(start, "start"), number_arg(end, "end"), number_arg(step, "step")), attrs(dtype_value(dtype)), device, out); });
}

bp_status bp_arange_into(const bp_value *start, const bp_value *end, const bp_value *step, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_ARANGE, inputs(number_arg(start, "start"), number_arg(end, "end"), number_arg(step, "step")), attrs(dtype_value(BP_DTYPE_NONE)), out); });
}

bp_status bp_linspace(const bp_value *start, const bp_value *end, int64_t steps, bp_dtype dtype, bp_device device, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run_created(BP_OP_LINSPACE, inputs(number_arg(start, "start"), number_arg(end, "end")), attrs(int_value(steps), dtype_value(dtype)), device, out); });
}

bp_status bp_linspace_into(const bp_value *start, const bp_value *end, int64_t steps, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_LINSPACE, inputs(number_arg(start, "start"), number_arg(end, "end")), attrs(int_value(steps), dtype_value(BP_DTYPE_NONE)), out); });
}

bp_status bp_sort(bp_tensor *x, int64_t axis, uint32_t descending, bp_tensor **values, bp_tensor **indices, bp_error **err) {
  return guard(err, [&] { run_several(BP_OP_SORT, inputs(tensor_arg(x, "x")), attrs(int_value(axis), flag_value(descending != 0)), {values, indices}); });
}

bp_status bp_argsort(bp_tensor *x, int64_t axis, uint32_t descending, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run(BP_OP_ARGSORT, inputs(tensor_arg(x, "x")), attrs(int_value(axis), flag_value(descending != 0)), out); });
}

bp_status bp_argsort_into(bp_tensor *x, int64_t axis, uint32_t descending, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_ARGSORT, inputs(tensor_arg(x, "x")), attrs(int_value(axis), flag_value(descending != 0)), out); });
}

bp_status bp_topk(bp_tensor *x, int64_t k, int64_t axis, uint32_t largest, bp_tensor **values, bp_tensor **indices, bp_error **err) {
  return guard(err, [&] { run_several(BP_OP_TOPK, inputs(tensor_arg(x, "x")), attrs(int_value(k), int_value(axis), flag_value(largest != 0)), {values, indices}); });
}

bp_status bp_uniform(int32_t rank, const int64_t *shape, bp_dtype dtype, double low, double high, int64_t seed, int64_t offset, bp_device device, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run_created(BP_OP_UNIFORM, inputs(), attrs(shape_arg(rank, shape), dtype_value(dtype), float_value(low), float_value(high), int_value(seed), int_value(offset)), device, out); });
}

bp_status bp_uniform_into(double low, double high, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_UNIFORM, inputs(), attrs(ints_value({}), dtype_value(BP_DTYPE_NONE), float_value(low), float_value(high), int_value(seed), int_value(offset)), out); });
}

bp_status bp_normal(int32_t rank, const int64_t *shape, bp_dtype dtype, double mean, double std, int64_t seed, int64_t offset, bp_device device, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run_created(BP_OP_NORMAL, inputs(), attrs(shape_arg(rank, shape), dtype_value(dtype), float_value(mean), float_value(std), int_value(seed), int_value(offset)), device, out); });
}

bp_status bp_normal_into(double mean, double std, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_NORMAL, inputs(), attrs(ints_value({}), dtype_value(BP_DTYPE_NONE), float_value(mean), float_value(std), int_value(seed), int_value(offset)), out); });
}

bp_status bp_randint(int32_t rank, const int64_t *shape, bp_dtype dtype, int64_t low, int64_t high, int64_t seed, int64_t offset, bp_device device, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run_created(BP_OP_RANDINT, inputs(), attrs(shape_arg(rank, shape), dtype_value(dtype), int_value(low), int_value(high), int_value(seed), int_value(offset)), device, out); });
}

bp_status bp_randint_into(int64_t low, int64_t high, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_RANDINT, inputs(), attrs(ints_value({}), dtype_value(BP_DTYPE_NONE), int_value(low), int_value(high), int_value(seed), int_value(offset)), out); });
}

bp_status bp_bernoulli(int32_t rank, const int64_t *shape, bp_dtype dtype, double p, int64_t seed, int64_t offset, bp_device device, bp_tensor **out, bp_error **err) {
  return guard(err, [&] { run_created(BP_OP_BERNOULLI, inputs(), attrs(shape_arg(rank, shape), dtype_value(dtype), float_value(p), int_value(seed), int_value(offset)), device, out); });
}

bp_status bp_bernoulli_into(double p, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err) {
  return guard(err, [&] { run_into(BP_OP_BERNOULLI, inputs(), attrs(ints_value({}), dtype_value(BP_DTYPE_NONE), float_value(p), int_value(seed), int_value(offset)), out); });
}

}  // extern "C"
