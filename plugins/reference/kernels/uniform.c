/* SPDX-License-Identifier: Apache-2.0 */
/* uniform: low + (high - low) * u, where u is the first word's upper 24 bits over 2^24, in f64,
 * rounded once. */
#include "draw.h"
#include "kernels.h"

bp_status uniform_f32(const bp_launch* launch, bp_error** err) {
  const double low = launch->attrs[BP_ATTR_UNIFORM_LOW].value.f64,
               high = launch->attrs[BP_ATTR_UNIFORM_HIGH].value.f64;
  struct draw d;
  (void)err;
  for (draw_begin(&d, launch); d.walk.left; draw_next(&d))
    *(float*)d.walk.at[0] = (float)(low + (high - low) * ((double)(d.word[0] >> 8) * 0x1p-24));
  return BP_OK;
}
