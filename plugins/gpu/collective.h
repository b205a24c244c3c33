// SPDX-License-Identifier: Apache-2.0
// collective.h: the table "bp.collective/1" over a library with NCCL's interface, one text for
// cards and for sim.
#pragma once
#include "c_collective.h"
#include "gpu/collective_library.h"

namespace bp_gpu {

extern const bp_collective_api kCollectives;

// ---- what a vendor's table (card.cu, sim) defines for it ----

// The plugin's library, which the first call opens or finds missing. Throws std::bad_alloc only.
CollectiveLibrary& collective_library(bp_pdev* d);
const bp_host* host_of(const bp_pdev* d);
int ordinal(const bp_pdev* d);  // as the library counts devices
// Sets what the library takes for the stream, and for *data, which is memory of its device.
bp_status native(bp_pstream* s, void** stream, void** data, bp_error** err);

}  // namespace bp_gpu
