/* SPDX-License-Identifier: Apache-2.0 */
/* sum: the sum over the reduced dimensions; 0 of nothing. f32 is added in row-major order in f64
 * and rounded once, so that an infinity and its opposite, and NaN, give NaN. Integers wrap; of
 * bools it is how many are true, in i64. */
#include "kernels.h"

#define SUM(function, type, result, wide, term)                              \
  bp_status function(const bp_launch* launch, bp_error** err) {              \
    const bp_arg *in = &launch->args[0], *out = &launch->args[1];            \
    struct walk kept, reduced;                                               \
    (void)err;                                                               \
    walk_dims(&kept, out, 0, out->rank, out->data);                          \
    for (walk_beside(&kept, in, 0, in->data); kept.left; walk_next(&kept)) { \
      wide sum = 0;                                                          \
      walk_dims(&reduced, in, out->rank, in->rank - out->rank, kept.at[1]);  \
      for (; reduced.left; walk_next(&reduced)) {                            \
        const type x = *(const type*)reduced.at[0];                          \
        sum += (wide)(term);                                                 \
      }                                                                      \
      *(result*)kept.at[0] = (result)sum;                                    \
    }                                                                        \
    return BP_OK;                                                            \
  }
SUM(sum_f32, float, float, double, x)
SUM(sum_i64, int64_t, int64_t, uint64_t, x)
SUM(sum_bool, uint8_t, int64_t, uint64_t, x != 0)
