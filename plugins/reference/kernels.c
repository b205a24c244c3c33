/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels.h"

#include <stdio.h>

bp_status fail_launch(const bp_launch* launch, bp_error** err, bp_status code, const char* text) {
  return reference_fail(launch->stream->device->host, err, code, text);
}

bp_status check_index(const bp_launch* launch, bp_error** err, int64_t index, int64_t axis,
                      int64_t size) {
  char text[128];
  if (index >= 0 && index < size) return BP_OK;
  snprintf(text, sizeof text, "index %lld is out of bounds for dimension %lld with size %lld",
           (long long)index, (long long)axis, (long long)size);
  return fail_launch(launch, err, BP_INDEX_OUT_OF_RANGE, text);
}

bp_status reference_kernels(bp_plugin* p, const bp_kernel** out, uint32_t* count, bp_error** err) {
#define RECORD(op, dtypes, function) \
  {sizeof(bp_kernel), BP_OP_##op, (uint64_t)(dtypes), 0, 0, function, NULL},
  static const bp_kernel records[] = {REFERENCE_KERNELS(RECORD)};
  (void)p;
  (void)err;
  *out = records;
  *count = sizeof records / sizeof records[0];
  return BP_OK;
}
