/* SPDX-License-Identifier: Apache-2.0 */
/* find_kind.c <kind>: 0 when the kind's plugin loads and has a device; else why not. Then what is
 * wrong with the directories. */
#include <backplane/c_api.h>
#include <stdio.h>
#include <string.h>

static void print_directories(void) {
  bp_report *report = NULL;
  bp_report_entry entry;
  uint32_t i;
  bp_report_create(&report, NULL);
  for (i = 0; i < bp_report_count(report); ++i) {
    memset(&entry, 0, sizeof entry);
    entry.struct_size = sizeof entry;
    if (bp_report_get(report, i, &entry, NULL) == BP_OK && entry.stage == BP_STAGE_DIRECTORY)
      printf("%s\n", entry.cause);
  }
  bp_report_release(report);
}

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
    print_directories();
    return 0;
  }
  printf("%s\n", bp_error_message(err, NULL));
  bp_error_release(err);
  print_directories();
  return 1;
}
