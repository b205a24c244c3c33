/* SPDX-License-Identifier: Apache-2.0 */
/* ops.c: prints "<id> <name>" for each built-in op, through the public API. */
#include <stdio.h>

#include "c_api.h"

int main(void) {
  for (uint32_t i = 0; i < bp_op_count(); ++i) {
    bp_op_info info = {sizeof(bp_op_info), 0, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0};
    uint32_t op = 0;
    if (bp_op_at(i, &op, NULL) != BP_OK || bp_op_get_info(op, &info, NULL) != BP_OK) return 1;
    printf("%u %s\n", op, info.name);
  }
  return 0;
}
