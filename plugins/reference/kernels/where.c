/* SPDX-License-Identifier: Apache-2.0 */
/* where: x where the condition is true, else y. Elements are moved by their size, bit for bit. */
#include <string.h>

#include "kernels.h"

bp_status where_any(const bp_launch* launch, bp_error** err) {
  const size_t bytes = element_bytes(launch->args[3].dtype);
  struct walk w;
  (void)err;
  for (walk_elements(&w, launch); w.left; walk_next(&w))
    memcpy(w.at[3], *(const uint8_t*)w.at[0] ? w.at[1] : w.at[2], bytes);
  return BP_OK;
}
