/* SPDX-License-Identifier: Apache-2.0 */
/* draw.h: random words for each element of the output, in row-major order.
 *
 *   struct draw d;
 *   for (draw_begin(&d, launch); d.walk.left; draw_next(&d))
 *     *(float*)d.walk.at[0] = (float)(d.word[0] >> 8) * 0x1p-24f;
 */
#ifndef BACKPLANE_REFERENCE_DRAW_H
#define BACKPLANE_REFERENCE_DRAW_H

#include "walk.h"

struct draw {
  struct walk walk;
  uint64_t seed, counter;
  uint32_t word[4];
};

/* The seed and the offset, which is the first element's counter, are the last two attributes. */
void draw_begin(struct draw* d, const bp_launch* launch);
void draw_next(struct draw* d);

#endif
