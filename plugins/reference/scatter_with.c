/* SPDX-License-Identifier: Apache-2.0 */
#include "scatter_with.h"

#include <string.h>

#include "kernels.h"

bp_status scatter_with(const bp_launch* launch, bp_error** err,
                       void (*put)(void* to, const void* from, size_t bytes)) {
  const bp_arg *x = &launch->args[0], *index = &launch->args[1], *src = &launch->args[2],
               *out = &launch->args[3];
  const int64_t given = launch->attrs[BP_ATTR_SCATTER_AXIS].value.i64; /* scatter_add's as well */
  const int32_t axis = (int32_t)(given < 0 ? given + x->rank : given);
  const size_t bytes = element_bytes(x->dtype);
  struct walk w;
  for (walk_dims(&w, index, 0, index->rank, index->data); w.left; walk_next(&w)) {
    const bp_status found =
        check_index(launch, err, *(const int64_t*)w.at[0], axis, x->shape[axis]);
    if (found != BP_OK) return found;
  }
  walk_dims(&w, x, 0, x->rank, x->data);
  for (walk_beside(&w, out, 0, out->data); w.left && x->data != out->data; walk_next(&w))
    memcpy(w.at[1], w.at[0], bytes);
  walk_dims(&w, index, 0, index->rank, index->data);
  walk_beside(&w, src, 0, src->data);
  walk_beside(&w, out, 0, out->data);
  w.step[2][axis] = 0; /* along the axis the index says where to */
  for (; w.left; walk_next(&w))
    put(w.at[2] + *(const int64_t*)w.at[0] * out->strides[axis] * (int64_t)bytes, w.at[1], bytes);
  return BP_OK;
}
