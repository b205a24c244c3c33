/* SPDX-License-Identifier: Apache-2.0 */
/* copy: x's elements, converted to the output's dtype by the rules of number.h; of one dtype bit
 * for bit. */
#include <string.h>

#include "kernels.h"
#include "number.h"

bp_status copy_any(const bp_launch* launch, bp_error** err) {
  const bp_arg *in = &launch->args[0], *out = &launch->args[1];
  const size_t bytes = element_bytes(out->dtype);
  struct walk w;
  (void)err;
  for (walk_elements(&w, launch); w.left; walk_next(&w))
    if (in->dtype == out->dtype)
      memcpy(w.at[1], w.at[0], bytes);
    else
      write_number(read_number(in->dtype, w.at[0]), out->dtype, w.at[1]);
  return BP_OK;
}
