/* SPDX-License-Identifier: Apache-2.0 */
/* randint: low + floor((w0 + w1 * 2^32) * (high - low) / 2^64): a random fraction of 64 bits of the
 * range. */
#include "draw.h"
#include "kernels.h"
#include "number.h"

/* The upper 64 bits of the product of 64 bits. */
static uint64_t upper_product(uint64_t a, uint64_t b) {
  const uint64_t a0 = a & UINT32_MAX, a1 = a >> 32, b0 = b & UINT32_MAX, b1 = b >> 32;
  const uint64_t middle = a1 * b0 + (a0 * b0 >> 32); /* at most (2^32 - 1) * 2^32 */
  return a1 * b1 + (middle >> 32) + ((a0 * b1 + (middle & UINT32_MAX)) >> 32);
}

bp_status randint_any(const bp_launch* launch, bp_error** err) {
  const uint64_t low = (uint64_t)launch->attrs[BP_ATTR_RANDINT_LOW].value.i64,
                 range = (uint64_t)launch->attrs[BP_ATTR_RANDINT_HIGH].value.i64 - low;
  struct number x = {WHOLE, 0, 0, 0};
  struct draw d;
  (void)err;
  for (draw_begin(&d, launch); d.walk.left; draw_next(&d)) {
    x.whole = (int64_t)(low + upper_product(d.word[0] | (uint64_t)d.word[1] << 32, range));
    write_number(x, launch->args[0].dtype, d.walk.at[0]);
  }
  return BP_OK;
}
