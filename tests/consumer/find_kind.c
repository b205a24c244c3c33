/* SPDX-License-Identifier: Apache-2.0 */
/* find_kind.c <kind>: 0 when the kind's plugin loads and has a device; else the load report's page
 * about it. */
#include <backplane/c_api.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  bp_device device = 0;
  bp_device_info info;
  bp_error *err = NULL;
  int32_t count = 0;
  memset(&info, 0, sizeof info);
  info.struct_size = sizeof info;
  if (argc != 2) return 2;
  if (bp_device_parse(argv[1], &device, &err) == BP_OK &&
      bp_kind_require(bp_device_kind(device), &count, &err) == BP_OK &&
      bp_device_get_info(device, &info, &err) == BP_OK) {
    printf("%s: %d devices, the first is '%s'\n", argv[1], count, info.name);
    return 0;
  }
  printf("%s\n", bp_error_message(err, NULL));
  bp_error_release(err);
  return 1;
}
