/* SPDX-License-Identifier: Apache-2.0 */
#include "walk.h"

#include "number.h"

size_t element_bytes(bp_dtype dtype) {
#define BYTES(name, value, text, brief, title, bytes, kind) bytes,
  static const unsigned char bytes_of[] = {BP_DTYPES(BYTES)};
  return bytes_of[dtype];
}

int64_t element_count(const bp_arg* a) {
  int64_t n = 1;
  for (int32_t d = 0; d < a->rank; ++d) n *= a->shape[d];
  return n;
}

static void begin(struct walk* w, const int64_t* shape, int32_t rank) {
  w->left = 1;
  w->n = 0;
  w->rank = rank;
  for (int32_t d = 0; d < rank; ++d) {
    w->shape[d] = shape[d];
    w->index[d] = 0;
    w->left *= shape[d];
  }
}

void walk_beside(struct walk* w, const bp_arg* a, int32_t first, void* data) {
  const int32_t i = w->n++;
  w->at[i] = data;
  if (a->kind != BP_ARG_TENSOR) {
    write_number(number_of(a), a->dtype, &w->number[i]);
    w->at[i] = (char*)&w->number[i];
  }
  for (int32_t d = 0; d < w->rank; ++d)
    w->step[i][d] =
        a->kind == BP_ARG_TENSOR ? a->strides[first + d] * (int64_t)element_bytes(a->dtype) : 0;
}

void walk_dims(struct walk* w, const bp_arg* a, int32_t first, int32_t rank, void* data) {
  begin(w, a->shape + first, rank);
  walk_beside(w, a, first, data);
}

static void walk_all(struct walk* w, const bp_launch* launch, int32_t n_last) {
  const bp_arg* out = &launch->args[launch->n_in];
  begin(w, out->shape, out->rank - n_last);
  for (uint32_t i = 0; i < launch->n_in + launch->n_out; ++i)
    walk_beside(w, &launch->args[i], 0, launch->args[i].data);
}
void walk_elements(struct walk* w, const bp_launch* launch) { walk_all(w, launch, 0); }
void walk_rows(struct walk* w, const bp_launch* launch) { walk_all(w, launch, 1); }

void walk_next(struct walk* w) {
  --w->left;
  for (int32_t d = w->rank - 1; d >= 0; --d) {
    ++w->index[d];
    for (int32_t i = 0; i < w->n; ++i) w->at[i] += w->step[i][d];
    if (w->index[d] < w->shape[d]) return;
    for (int32_t i = 0; i < w->n; ++i) w->at[i] -= w->index[d] * w->step[i][d];
    w->index[d] = 0;
  }
}
