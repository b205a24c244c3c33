/* SPDX-License-Identifier: Apache-2.0 */
/* cumsum: each element of a row and all before it. f32 is added in f64 and rounded at each element;
 * after a NaN all are. Integers wrap. */
#include "kernels.h"

#define CUMSUM(function, type, result, wide, term)                 \
  bp_status function(const bp_launch* launch, bp_error** err) {    \
    const bp_arg *in = &launch->args[0], *out = &launch->args[1];  \
    struct walk w;                                                 \
    (void)err;                                                     \
    for (walk_rows(&w, launch); w.left; walk_next(&w)) {           \
      wide sum = 0;                                                \
      for (int64_t j = 0; j < row_size(in); ++j) {                 \
        const type x = *(const type*)(w.at[0] + j * row_step(in)); \
        sum += (wide)(term);                                       \
        *(result*)(w.at[1] + j * row_step(out)) = (result)sum;     \
      }                                                            \
    }                                                              \
    return BP_OK;                                                  \
  }
CUMSUM(cumsum_f32, float, float, double, x)
CUMSUM(cumsum_i64, int64_t, int64_t, uint64_t, x)
CUMSUM(cumsum_bool, uint8_t, int64_t, uint64_t, x != 0)
