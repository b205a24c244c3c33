/* SPDX-License-Identifier: Apache-2.0 */
/* sum: the sum over the reduced dimensions; 0 of nothing. f32 is added in row-major order in f64
 * and rounded once, so that an infinity and its opposite, and NaN, give NaN. Integers wrap. */
#include "kernels.h"

#define SUM(function, type, wide)                                                           \
  bp_status function(const bp_launch* launch, bp_error** err) {                             \
    const bp_arg *in = &launch->args[0], *out = &launch->args[1];                           \
    struct walk kept, reduced;                                                              \
    (void)err;                                                                              \
    walk_dims(&kept, out, 0, out->rank, out->data);                                         \
    for (walk_beside(&kept, in, 0, in->data); kept.left; walk_next(&kept)) {                \
      wide sum = 0;                                                                         \
      walk_dims(&reduced, in, out->rank, in->rank - out->rank, kept.at[1]);                 \
      for (; reduced.left; walk_next(&reduced)) sum += (wide) * (const type*)reduced.at[0]; \
      *(type*)kept.at[0] = (type)sum;                                                       \
    }                                                                                       \
    return BP_OK;                                                                           \
  }
SUM(sum_f32, float, double)
SUM(sum_i64, int64_t, uint64_t)
