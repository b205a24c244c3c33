/* SPDX-License-Identifier: Apache-2.0 */
#include "draw.h"

/* Philox4x32-10 (Salmon et al., SC'11, section 3): ten rounds of two products each. */
static void draw_words(struct draw* d) {
  uint32_t* x = d->word;
  uint32_t key[2] = {(uint32_t)d->seed, (uint32_t)(d->seed >> 32)};
  x[0] = (uint32_t)d->counter;
  x[1] = (uint32_t)(d->counter >> 32);
  x[2] = x[3] = 0;
  for (int round = 0; round < 10; ++round) {
    const uint64_t p = UINT64_C(0xD2511F53) * x[0], q = UINT64_C(0xCD9E8D57) * x[2];
    x[0] = (uint32_t)(q >> 32) ^ x[1] ^ key[0];
    x[2] = (uint32_t)(p >> 32) ^ x[3] ^ key[1];
    x[1] = (uint32_t)q;
    x[3] = (uint32_t)p;
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
}

void draw_begin(struct draw* d, const bp_launch* launch) {
  const bp_arg* out = &launch->args[0];
  walk_dims(&d->walk, out, 0, out->rank, out->data);
  d->seed = (uint64_t)launch->attrs[launch->n_attr - 2].value.i64;
  d->counter = (uint64_t)launch->attrs[launch->n_attr - 1].value.i64;
  draw_words(d);
}

void draw_next(struct draw* d) {
  walk_next(&d->walk);
  ++d->counter;
  draw_words(d);
}
