/* SPDX-License-Identifier: Apache-2.0 */
/* load_all.c: loads whatever this process loads by itself, every kind that was found; prints
 * "secure <0 or 1>" (AT_SECURE) and for each kind "<kind> <status>". */
#include <stdio.h>
#include <sys/auxv.h>

#include "c_api.h"

int main(void) {
  bp_report* report = NULL;
  bp_report_entry e;
  uint32_t i;
  printf("secure %d\n", getauxval(AT_SECURE) != 0);
  if (bp_report_create(&report, NULL) < 0) return 1;
  for (i = 0; i < bp_report_count(report); ++i) {
    bp_device d = 0;
    e.struct_size = sizeof e;
    if (bp_report_get(report, i, &e, NULL) < 0) return 1;
    if (e.stage != BP_STAGE_FOUND || bp_device_parse(e.kind, &d, NULL) < 0) continue;
    printf("%s %s\n", e.kind, bp_status_name(bp_kind_require(bp_device_kind(d), NULL, NULL)));
  }
  bp_report_release(report);
  return bp_shutdown(-1, NULL) < 0;
}
