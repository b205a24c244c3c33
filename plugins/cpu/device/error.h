// SPDX-License-Identifier: Apache-2.0
// error.h: failing with a sentence. More ways in kit/error.h.
//
//   return fail(launch, err, BP_INDEX_OUT_OF_RANGE, "index %lld is out of bounds for size %lld", ...);
#pragma once
#include "kit/error.h"

namespace bp_cpu {

using bp_kit::fail;
using bp_kit::log;
// printf's format, one line; returns code.
__attribute__((format(printf, 4, 5))) bp_status fail(const bp_launch* launch, bp_error** err,
                                                     bp_status code, const char* format, ...);

}  // namespace bp_cpu
