// SPDX-License-Identifier: Apache-2.0
// error.h: how a kernel fails with a sentence. kit/error.h has more ways to fail.
//
//   return fail(launch, err, BP_INDEX_OUT_OF_RANGE, "index %lld is out of bounds for size %lld", ...);
#pragma once
#include "kit/error.h"

namespace bp_cpu {

using bp_kit::fail;
using bp_kit::log;
// Sets *err to one line in printf's format; returns code.
__attribute__((format(printf, 4, 5))) bp_status fail(const bp_launch* launch, bp_error** err,
                                                     bp_status code, const char* format, ...);

}  // namespace bp_cpu
