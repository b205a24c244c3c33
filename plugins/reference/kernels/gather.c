/* SPDX-License-Identifier: Apache-2.0 */
/* gather: out[j] = x[index[j]] within each row. Elements are moved by their size. An index that is
 * not 0 .. size - 1 is an error, and what was written before it stays. */
#include <string.h>

#include "kernels.h"

bp_status gather_any(const bp_launch* launch, bp_error** err) {
  const bp_arg *x = &launch->args[0], *index = &launch->args[1], *out = &launch->args[2];
  const int64_t axis = launch->attrs[BP_ATTR_GATHER_AXIS].value.i64;
  struct walk w;
  for (walk_rows(&w, launch); w.left; walk_next(&w))
    for (int64_t j = 0; j < row_size(index); ++j) {
      const int64_t i = *(const int64_t*)(w.at[1] + j * row_step(index));
      const bp_status found = check_index(launch, err, i, axis, row_size(x));
      if (found != BP_OK) return found;
      memcpy(w.at[2] + j * row_step(out), w.at[0] + i * row_step(x), element_bytes(x->dtype));
    }
  return BP_OK;
}
