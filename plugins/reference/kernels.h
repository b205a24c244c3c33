/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.h: the list of all kernels, in the order in which to write them. Row for row it says the
 * op, the dtypes of its key operand, and the function, which stands in kernels/<op>.c: the page of
 * that op, with its formula, where that is from, and what becomes of NaN, of -0 and of nothing. */
#ifndef BACKPLANE_REFERENCE_KERNELS_H
#define BACKPLANE_REFERENCE_KERNELS_H

#include "reference.h"
#include "walk.h"

/* Masks of dtypes. What only moves elements does so for all. */
enum {
  BOOL = 1 << BP_BOOL,
  I64 = 1 << BP_I64,
  F32 = 1 << BP_F32,
  C64 = 1 << BP_C64,
  ALL = (1 << BP_DTYPE_COUNT) - 1,
  REALS = ALL & ~(1 << BP_C64 | 1 << BP_C128)
};

/* clang-format off */
#define REFERENCE_KERNELS(X)                                                                      \
  /* tensors can be made, moved, converted and printed */                                         \
  X(COPY, ALL, copy_any) X(FILL, ALL, fill_any) X(ARANGE, REALS, arange_any)                      \
  /* arithmetic */                                                                                \
  X(ADD, F32, add_f32) X(ADD, I64, add_i64) X(ADD, BOOL, add_bool)                                \
  X(SUB, F32, sub_f32) X(SUB, I64, sub_i64)                                                       \
  X(MUL, F32, mul_f32) X(MUL, I64, mul_i64) X(MUL, BOOL, mul_bool)                                \
  X(DIV, F32, div_f32) X(NEG, F32, neg_f32) X(NEG, I64, neg_i64)                                  \
  X(ABS, F32, abs_f32) X(ABS, I64, abs_i64) X(ABS, BOOL, abs_bool)                                \
  /* choices */                                                                                   \
  X(EQ, F32, eq_f32) X(EQ, I64, eq_i64) X(EQ, BOOL, eq_bool)                                      \
  X(LT, F32, lt_f32) X(LT, I64, lt_i64) X(LT, BOOL, lt_bool) X(WHERE, ALL, where_any)             \
  X(MAXIMUM, F32, maximum_f32) X(MAXIMUM, I64, maximum_i64) X(MAXIMUM, BOOL, maximum_bool)        \
  X(MINIMUM, F32, minimum_f32) X(MINIMUM, I64, minimum_i64) X(MINIMUM, BOOL, minimum_bool)        \
  X(SIGNBIT, F32, signbit_f32) X(SIGNBIT, I64, signbit_i64) X(SIGNBIT, BOOL, signbit_bool)        \
  X(BITWISE_AND, I64, bitwise_and_i64) X(BITWISE_AND, BOOL, bitwise_and_bool)                     \
  /* functions */                                                                                 \
  X(SQRT, F32, sqrt_f32) X(EXP, F32, exp_f32) X(EXPM1, F32, expm1_f32) X(LOG, F32, log_f32)       \
  X(LOG1P, F32, log1p_f32) X(SIN, F32, sin_f32) X(COS, F32, cos_f32) X(TANH, F32, tanh_f32)       \
  X(ERF, F32, erf_f32) X(GELU, F32, gelu_f32) X(ATAN2, F32, atan2_f32)                            \
  X(FLOOR, F32, floor_f32) X(FLOOR, I64, floor_i64) X(POW, F32, pow_f32) X(POW, I64, pow_i64)     \
  X(FMOD, F32, fmod_f32) X(FMOD, I64, fmod_i64)                                                   \
  X(FLOOR_DIVIDE, F32, floor_divide_f32) X(FLOOR_DIVIDE, I64, floor_divide_i64)                   \
  /* many elements become one, or one row another */                                              \
  X(SUM, F32, sum_f32) X(SUM, I64, sum_i64) X(SUM, BOOL, sum_bool)                                 \
  X(MAX, F32, max_f32) X(MAX, I64, max_i64) X(MAX, BOOL, max_bool)                                \
  X(MATMUL, F32, matmul_f32) X(MATMUL, I64, matmul_i64) X(MATMUL, BOOL, matmul_bool)              \
  X(CUMSUM, F32, cumsum_f32) X(CUMSUM, I64, cumsum_i64) X(CUMSUM, BOOL, cumsum_bool)              \
  X(SORT, F32 | I64 | BOOL, sort_any)                                                             \
  /* elements by their places */                                                                  \
  X(GATHER, ALL, gather_any) X(SCATTER, ALL, scatter_any)                                         \
  X(SCATTER_ADD, F32, scatter_add_f32) X(SCATTER_ADD, I64, scatter_add_i64)                       \
  X(SCATTER_ADD, BOOL, scatter_add_bool)                                                          \
  /* chance */                                                                                    \
  X(UNIFORM, F32, uniform_f32) X(NORMAL, F32, normal_f32) X(RANDINT, REALS, randint_any)          \
  /* linear algebra */                                                                            \
  X(EIG, F32 | C64, eig_any)
/* clang-format on */

#define DECLARATION(op, dtypes, function) \
  bp_status function(const bp_launch* launch, bp_error** err);
REFERENCE_KERNELS(DECLARATION)
#undef DECLARATION

/* ---- what pages share ---- */

/* A kernel of one or two elementwise operands. `formula` is of x, or of a and b, whose elements are
 * of the type `in`; a result's is of the type `out`. */
#define UNARY(function, in, out, formula)                       \
  bp_status function(const bp_launch* launch, bp_error** err) { \
    struct walk w;                                              \
    (void)err;                                                  \
    for (walk_elements(&w, launch); w.left; walk_next(&w)) {    \
      const in x = *(const in*)w.at[0];                         \
      *(out*)w.at[1] = (out)(formula);                          \
    }                                                           \
    return BP_OK;                                               \
  }
#define BINARY(function, in, out, formula)                       \
  bp_status function(const bp_launch* launch, bp_error** err) {  \
    struct walk w;                                               \
    (void)err;                                                   \
    for (walk_elements(&w, launch); w.left; walk_next(&w)) {     \
      const in a = *(const in*)w.at[0], b = *(const in*)w.at[1]; \
      *(out*)w.at[2] = (out)(formula);                           \
    }                                                            \
    return BP_OK;                                                \
  }

/* Leaves launch's error as reference_fail does. */
bp_status fail_launch(const bp_launch* launch, bp_error** err, bp_status code, const char* text);
/* BP_OK where the index is within 0 .. size - 1. */
bp_status check_index(const bp_launch* launch, bp_error** err, int64_t index, int64_t axis,
                      int64_t size);

#endif
