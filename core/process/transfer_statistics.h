// SPDX-License-Identifier: Apache-2.0
// transfer_statistics.h: what crossed between devices, counted by every copy. Any thread
// may call these.
#pragma once
#include "c_api.h"

namespace bp {

// Counts a copy; `waited` says that the caller stood still until a device was done.
void count_transfer(bp_device src, bp_device dst, uint64_t bytes, bool waited);
// Counts an op that runs on the cpu and not on the device. Returns whether it is the first of that
// name and kind of device.
bool count_fallback(const char* op, bp_device from);
bp_transfer_stats transfer_stats(bp_device src, bp_device dst);
void reset_transfers() noexcept;  // at shutdown

}  // namespace bp
