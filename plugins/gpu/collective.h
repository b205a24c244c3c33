// SPDX-License-Identifier: Apache-2.0
// collective.h: the tables "bp.collective/1" and "bp.wide/1" (wide.cc) over a library with NCCL's
// interface, one text for cards and for sim.
#pragma once
#include <functional>

#include "c_collective.h"
#include "c_plugin_wide.h"
#include "gpu/collective_library.h"

namespace bp_gpu {

extern const bp_collective_api kCollectives;
extern const bp_wide_api kWide;

// ---- what a vendor's table (card.cu, sim) defines for it ----

// The plugin's library, which the first call opens or finds missing. Throws std::bad_alloc only.
CollectiveLibrary& collective_library(bp_pdev* d);
const bp_host* host_of(const bp_pdev* d);
int ordinal(const bp_pdev* d);  // as the library counts devices
// Calls `body` while d is the thread's current device.
void on_device(const bp_pdev* d, const std::function<void()>& body);
// Sets what the library takes for the stream, and for *data, which is memory of its device.
bp_status native(bp_pstream* s, void** stream, void** data, bp_error** err);

}  // namespace bp_gpu
