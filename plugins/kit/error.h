// SPDX-License-Identifier: Apache-2.0
// error.h: failing with a sentence, and saying one.
//
//   return fail(host, err, BP_INDEX_OUT_OF_RANGE, "index %lld is out of bounds for size %lld", i, n);
#pragma once
#include <cstdarg>

#include "c_plugin.h"

namespace bp_kit {

// Sets *err to one line in printf's format; returns code.
__attribute__((format(printf, 4, 5))) bp_status fail(const bp_host* host, bp_error** err,
                                                     bp_status code, const char* format, ...);
bp_status vfail(const bp_host* host, bp_error** err, bp_status code, const char* format,
                va_list args);
// `level` is as in bp_host::log.
__attribute__((format(printf, 3, 4))) void log(const bp_host* host, int32_t level,
                                               const char* format, ...);

}  // namespace bp_kit
