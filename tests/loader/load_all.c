/* SPDX-License-Identifier: Apache-2.0 */
/* load_all.c [directories]: loads whatever this process loads by itself, every kind that was found,
 * there too; has the cpu do what it opens libraries for. Prints "secure <0 or 1>" (AT_SECURE),
 * "<kind> <status>" for each kind, and
 * "<stage> <status> <path>" for each directory and file that the report complains of. */
#include <stdio.h>
#include <sys/auxv.h>

#include "c_api.h"
#include "c_ops.h"

/* Products and an inverse; what becomes of them does not matter here. */
static void compute(bp_dtype dtype) {
  const int64_t shape[2] = {128, 128};
  bp_tensor *a = NULL, *product = NULL, *inverse = NULL;
  if (bp_tensor_ones(2, shape, dtype, bp_device_make(BP_KIND_CPU, -1), &a, NULL) == BP_OK) {
    (void)bp_matmul(a, a, &product, NULL);
    (void)bp_inv(a, &inverse, NULL);
  }
  bp_tensor_release(inverse);
  bp_tensor_release(product);
  bp_tensor_release(a);
}

static int complain(void) {
  bp_report *report = NULL;
  bp_report_entry e;
  uint32_t i;
  if (bp_report_create(&report, NULL) < 0) return 1;
  for (i = 0; i < bp_report_count(report); ++i) {
    e.struct_size = sizeof e;
    if (bp_report_get(report, i, &e, NULL) < 0) return 1;
    if (e.stage == BP_STAGE_DIRECTORY || e.stage == BP_STAGE_FILE)
      printf("%s %s %s\n", e.stage == BP_STAGE_FILE ? "file" : "directory",
             bp_status_name(e.status), e.path);
  }
  bp_report_release(report);
  return 0;
}

int main(int argc, char **argv) {
  static bp_init_desc desc;
  bp_report *report = NULL;
  bp_report_entry e;
  uint32_t i;
  printf("secure %d\n", getauxval(AT_SECURE) != 0);
  desc.struct_size = sizeof desc;
  desc.plugin_dirs = argc > 1 ? argv[1] : NULL;
  if (bp_init(&desc, NULL) < 0 || bp_report_create(&report, NULL) < 0) return 1;
  for (i = 0; i < bp_report_count(report); ++i) {
    bp_device d = 0;
    e.struct_size = sizeof e;
    if (bp_report_get(report, i, &e, NULL) < 0) return 1;
    if (e.stage != BP_STAGE_FOUND || bp_device_parse(e.kind, &d, NULL) < 0) continue;
    printf("%s %s\n", e.kind, bp_status_name(bp_kind_require(bp_device_kind(d), NULL, NULL)));
  }
  bp_report_release(report);
  compute(BP_F32);
  compute(BP_F64);
  return complain() || bp_shutdown(-1, NULL) < 0;
}
