// SPDX-License-Identifier: Apache-2.0
// fallback.h: what happens to an op that a device's backend lacks: the call is refused, or the op
// runs on the cpu. A thread says so (context.h), or the process, or the variable
// BACKPLANE_FALLBACK; without any the call is refused. Any thread may call these.
//
//   if (fallback() == BP_FALLBACK_CPU) note_fallback(row.name, device.value);
#pragma once
#include "c_api.h"

namespace bp {

// The calling thread's policy: BP_FALLBACK_REFUSE or BP_FALLBACK_CPU. Throws BP_INVALID_ARGUMENT
// when it is the variable's and no policy.
bp_fallback fallback();
void set_process_fallback(bp_fallback policy) noexcept;
// Counts an op of the device that runs on the cpu; logs an op's first one for each kind.
void note_fallback(const char* op, bp_device from);

}  // namespace bp
