// transfer.h: what crossed between devices, counted by every copy. Any thread.
#pragma once
#include <cstdint>

#include "c_types.h"

namespace bp {

void count_transfer(bp_device src, bp_device dst, uint64_t bytes);
uint64_t transfer_bytes(bp_device src, bp_device dst, uint64_t* copies);
void reset_transfers() noexcept;  // at shutdown

}  // namespace bp
