// SPDX-License-Identifier: Apache-2.0
#include "device/error.h"

#include "device/device.h"

namespace bp_cpu {

bp_status fail(const bp_launch* launch, bp_error** err, bp_status code, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const bp_status status =
      bp_kit::vfail(launch->stream->device->plugin->host, err, code, format, args);
  va_end(args);
  return status;
}

}  // namespace bp_cpu
