// SPDX-License-Identifier: Apache-2.0
#include "kit/error.h"

#include <cstdio>

namespace bp_kit {
namespace {

struct Line {
  char text[1024];
  uint64_t length = 0;
  Line(const char* format, va_list args) {
    const int n = std::vsnprintf(text, sizeof text, format, args);
    if (n > 0)
      length = static_cast<uint64_t>(n) < sizeof text ? static_cast<uint64_t>(n) : sizeof text - 1;
  }
};

}  // namespace

bp_status vfail(const bp_host* host, bp_error** err, bp_status code, const char* format,
                va_list args) {
  const Line line(format, args);
  return host->fail(host->self, err, code, line.text, line.length);
}

bp_status fail(const bp_host* host, bp_error** err, bp_status code, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const bp_status status = vfail(host, err, code, format, args);
  va_end(args);
  return status;
}

void log(const bp_host* host, int32_t level, const char* format, ...) {
  va_list args;
  va_start(args, format);
  const Line line(format, args);
  va_end(args);
  host->log(host->self, level, line.text, line.length);
}

}  // namespace bp_kit
