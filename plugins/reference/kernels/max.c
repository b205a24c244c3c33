/* SPDX-License-Identifier: Apache-2.0 */
/* max: the largest over the reduced dimensions, of which none is empty; NaN when one is there. */
#include <math.h>

#include "kernels.h"

#define MAX(function, type, larger)                                          \
  bp_status function(const bp_launch* launch, bp_error** err) {              \
    const bp_arg *in = &launch->args[0], *out = &launch->args[1];            \
    struct walk kept, reduced;                                               \
    (void)err;                                                               \
    walk_dims(&kept, out, 0, out->rank, out->data);                          \
    for (walk_beside(&kept, in, 0, in->data); kept.left; walk_next(&kept)) { \
      type most = *(const type*)kept.at[1];                                  \
      walk_dims(&reduced, in, out->rank, in->rank - out->rank, kept.at[1]);  \
      for (; reduced.left; walk_next(&reduced)) {                            \
        const type x = *(const type*)reduced.at[0];                          \
        if (larger) most = x;                                                \
      }                                                                      \
      *(type*)kept.at[0] = most;                                             \
    }                                                                        \
    return BP_OK;                                                            \
  }
MAX(max_f32, float, x > most || isnan(x))
MAX(max_i64, int64_t, x > most)
MAX(max_bool, uint8_t, x && !most)
