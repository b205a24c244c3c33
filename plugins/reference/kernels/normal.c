/* SPDX-License-Identifier: Apache-2.0 */
/* normal: mean + std * sqrt(-2 ln((w0 + 1) / 2^32)) * cos(2 pi w1 / 2^32) (Box and Muller, 1958),
 * in f64, rounded once. w0 + 1 is not 0, so that no result is infinite. */
#include <math.h>

#include "draw.h"
#include "kernels.h"

bp_status normal_f32(const bp_launch* launch, bp_error** err) {
  const double mean = launch->attrs[BP_ATTR_NORMAL_MEAN].value.f64,
               deviation = launch->attrs[BP_ATTR_NORMAL_STD].value.f64;
  struct draw d;
  (void)err;
  for (draw_begin(&d, launch); d.walk.left; draw_next(&d)) {
    const double radius = sqrt(-2 * log(((double)d.word[0] + 1) * 0x1p-32));
    const double angle = 6.283185307179586 * ((double)d.word[1] * 0x1p-32);
    *(float*)d.walk.at[0] = (float)(mean + deviation * radius * cos(angle));
  }
  return BP_OK;
}
