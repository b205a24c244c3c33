/* SPDX-License-Identifier: Apache-2.0 */
/* walk.h: the positions of a call's operands, one after the other, whatever their strides. Every
 * kernel here is a formula within this loop:
 *
 *   struct walk w;
 *   for (walk_elements(&w, launch); w.left; walk_next(&w))
 *     *(float*)w.at[1] = fabsf(*(const float*)w.at[0]);
 *
 * The last dimension is the fastest, so that positions come in row-major order. */
#ifndef BACKPLANE_REFERENCE_WALK_H
#define BACKPLANE_REFERENCE_WALK_H

#include <stddef.h>

#include "c_plugin.h"

enum { WALK_OPERANDS = 5 };

struct walk {
  int64_t left; /* how many positions there are from here on */
  int32_t n, rank;
  char* at[WALK_OPERANDS]; /* where each operand's element is */
  int64_t shape[BP_MAX_RANK], index[BP_MAX_RANK];
  int64_t step[WALK_OPERANDS][BP_MAX_RANK]; /* in bytes */
  /* What at[] points to where an operand is a number, in the dtype in which the op computes: as
   * many bytes as the largest dtype has. */
  double number[WALK_OPERANDS][2];
};

/* Of elementwise operands, which have one shape: each position is an element of every operand. A
 * number is an element that does not move. */
void walk_elements(struct walk* w, const bp_launch* launch);
/* Of operands [outer..., n]: each position is a row of every operand, at[] its first element. The
 * step from one element of operand i's row to the next is row_step(&launch->args[i]). */
void walk_rows(struct walk* w, const bp_launch* launch);
/* Of one tensor: `rank` of its dimensions from `first` on, beginning at `data`. */
void walk_dims(struct walk* w, const bp_arg* a, int32_t first, int32_t rank, void* data);
/* Lets another tensor be walked beside; its dimensions from `first` on have the sizes of the
 * walk's.
 */
void walk_beside(struct walk* w, const bp_arg* a, int32_t first, void* data);
void walk_next(struct walk* w);

/* The number of elements that a tensor has. */
int64_t element_count(const bp_arg* a);
size_t element_bytes(bp_dtype dtype);
/* The size of the last dimension, and the bytes from one of its elements to the next. */
static inline int64_t row_size(const bp_arg* a) { return a->shape[a->rank - 1]; }
static inline int64_t row_step(const bp_arg* a) {
  return a->strides[a->rank - 1] * (int64_t)element_bytes(a->dtype);
}

#endif
