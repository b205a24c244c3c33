/* SPDX-License-Identifier: Apache-2.0 */
/* fill: a number into every element, by the rules of number.h. */
#include "kernels.h"
#include "number.h"

bp_status fill_any(const bp_launch* launch, bp_error** err) {
  const bp_arg *value = &launch->args[0], *out = &launch->args[1];
  struct walk w;
  (void)err;
  for (walk_elements(&w, launch); w.left; walk_next(&w))
    write_number(number_of(value), out->dtype, w.at[1]);
  return BP_OK;
}
