#include "error.h"

#include <cstdarg>
#include <cstdio>

#include "device.h"

namespace bp_cpu {
namespace {

struct Line {
  char text[1024];
  uint64_t length = 0;
  Line(const char* format, va_list args) {
    int n = std::vsnprintf(text, sizeof text, format, args);
    if (n > 0) length = static_cast<uint64_t>(n) < sizeof text ? n : sizeof text - 1;
  }
};

bp_status fail_line(const bp_host* host, bp_error** err, bp_status code, const Line& line) {
  return host->fail(host->self, err, code, line.text, line.length);
}

}  // namespace

bp_status fail(const bp_launch* launch, bp_error** err, bp_status code, const char* format, ...) {
  va_list args;
  va_start(args, format);
  Line line(format, args);
  va_end(args);
  return fail_line(launch->stream->device->plugin->host, err, code, line);
}

bp_status fail(const bp_host* host, bp_error** err, bp_status code, const char* format, ...) {
  va_list args;
  va_start(args, format);
  Line line(format, args);
  va_end(args);
  return fail_line(host, err, code, line);
}

void log(const bp_host* host, int32_t level, const char* format, ...) {
  va_list args;
  va_start(args, format);
  Line line(format, args);
  va_end(args);
  host->log(host->self, level, line.text, line.length);
}

}  // namespace bp_cpu
