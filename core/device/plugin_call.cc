// SPDX-License-Identifier: Apache-2.0
#include "core/device/plugin_call.h"

#include <dlfcn.h>

#include <string>

#include "c_api.h"
#include "core/base/guard.h"
#include "core/process/runtime.h"

namespace bp {
namespace {

std::string file_of(const void* function) {
  Dl_info where = {};
  if (!::dladdr(function, &where) || !where.dli_fname) return "a plugin";
  const std::string path = where.dli_fname;
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

bp_status plugin_threw(const void* function, std::string_view name, bp_error** err) noexcept {
  bp_error* why = nullptr;
  bp_status status = report_exception(&why);
  const bp_status told = guard(err, [&] {
    fail(status, "'{}' of {} threw an exception: {}", name, file_of(function),
         bp_error_message(why, nullptr));
  });
  bp_error_release(why);
  return told;
}

void log_plugin_threw(const void* function, std::string_view name) noexcept {
  bp_error* why = nullptr;
  plugin_threw(function, name, &why);
  log_text(kLogError, bp_error_message(why, nullptr));
  bp_error_release(why);
}

}  // namespace bp
