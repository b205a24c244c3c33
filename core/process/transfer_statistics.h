// transfer.h: what crossed between devices, counted by every copy. Any thread.
#pragma once
#include "c_api.h"

namespace bp {

// waited: the caller stood still until a device was done.
void count_transfer(bp_device src, bp_device dst, uint64_t bytes, bool waited);
bp_transfer_stats transfer_stats(bp_device src, bp_device dst);
void reset_transfers() noexcept;  // at shutdown

}  // namespace bp
