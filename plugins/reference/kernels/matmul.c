/* SPDX-License-Identifier: Apache-2.0 */
/* matmul: out[i, j] is the sum of a[i, k] * b[k, j] over k, for each matrix of the batch; 0 of
 * nothing. f32 is multiplied and added in f64, where each product is exact, and rounded once.
 * Integers wrap; of bools it is any(a and b). */
#include "kernels.h"

#define MATMUL(function, type, wide, plus)                                                \
  bp_status function(const bp_launch* launch, bp_error** err) {                           \
    const bp_arg *a = &launch->args[0], *b = &launch->args[1], *out = &launch->args[2];   \
    const int32_t row = out->rank - 2, column = out->rank - 1;                            \
    struct walk w;                                                                        \
    (void)err;                                                                            \
    walk_dims(&w, out, 0, row, out->data);                                                \
    walk_beside(&w, a, 0, a->data);                                                       \
    for (walk_beside(&w, b, 0, b->data); w.left; walk_next(&w))                           \
      for (int64_t i = 0; i < out->shape[row]; ++i)                                       \
        for (int64_t j = 0; j < out->shape[column]; ++j) {                                \
          const type* x = (const type*)w.at[1] + i * a->strides[row];                     \
          const type* y = (const type*)w.at[2] + j * b->strides[column];                  \
          wide sum = 0;                                                                   \
          for (int64_t k = 0; k < a->shape[column]; ++k)                                  \
            sum plus(wide) x[k * a->strides[column]] * (wide)y[k * b->strides[row]];      \
          ((type*)w.at[0])[i * out->strides[row] + j * out->strides[column]] = (type)sum; \
        }                                                                                 \
    return BP_OK;                                                                         \
  }
MATMUL(matmul_f32, float, double, +=)
MATMUL(matmul_i64, int64_t, uint64_t, +=)
MATMUL(matmul_bool, uint8_t, _Bool, |=)
