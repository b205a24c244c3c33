/* SPDX-License-Identifier: Apache-2.0 */
/* list_devices.c <kind> [physical]: "<count>: <physical ids in logical order>", e.g. "2: 1 0", or
 * "error <status>: <text>". With `physical`: one line "<physical> <logical> <reason>" each. */
#include <stdio.h>
#include <string.h>

#include "c_api.h"

static int failed(bp_status status, bp_error* err) {
  printf("error %s: %s\n", bp_status_name(status), bp_error_message(err, NULL));
  bp_error_release(err);
  return 0;
}

static int list_physical(bp_kind kind) {
  uint32_t n = 0, i;
  bp_error* err = NULL;
  bp_status status = bp_physical_count(kind, &n, &err);
  if (status < 0) return failed(status, err);
  for (i = 0; i < n; ++i) {
    bp_physical_info info;
    memset(&info, 0, sizeof info);
    info.struct_size = sizeof info;
    status = bp_physical_get(kind, i, &info, &err);
    if (status < 0) return failed(status, err);
    printf("%d %d %s\n", (int)info.physical, (int)info.logical, info.reason);
  }
  return 0;
}

int main(int argc, char** argv) {
  bp_device d = 0;
  int32_t n = 0, i;
  bp_error* err = NULL;
  bp_status status;
  if (argc < 2) return 2;
  status = bp_device_parse(argv[1], &d, &err);
  if (status < 0) return failed(status, err);
  if (argc > 2) return list_physical(bp_device_kind(d));
  status = bp_device_count(bp_device_kind(d), &n, &err);
  if (status < 0) return failed(status, err);
  printf("%d:", (int)n);
  for (i = 0; i < n; ++i) {
    bp_device_info info;
    memset(&info, 0, sizeof info);
    info.struct_size = sizeof info;
    status = bp_device_get_info(bp_device_make(bp_device_kind(d), i), &info, &err);
    if (status < 0) return failed(status, err);
    printf(" %d", (int)info.physical);
  }
  printf("\n");
  return 0;
}
