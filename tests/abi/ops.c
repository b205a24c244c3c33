/* SPDX-License-Identifier: Apache-2.0 */
/* ops.c: prints "<id> <name>" for each built-in op, through the public API; with --dtypes
 * "<number> <name> <kind> <bytes>" for each dtype. */
#include <stdio.h>
#include <string.h>

#include "c_api.h"

static int print_dtypes(void) {
  for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t)
    printf("%d %s %d %u\n", t, bp_dtype_name(t), bp_dtype_kind(t), bp_dtype_bytes(t));
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "--dtypes")) return print_dtypes();
  for (uint32_t i = 0; i < bp_op_count(); ++i) {
    bp_op_info info = {sizeof(bp_op_info), 0, NULL, NULL, 0, 0, 0, 0, 0, 0, 0, 0};
    uint32_t op = 0;
    if (bp_op_at(i, &op, NULL) != BP_OK || bp_op_get_info(op, &info, NULL) != BP_OK) return 1;
    printf("%u %s\n", op, info.name);
  }
  return 0;
}
