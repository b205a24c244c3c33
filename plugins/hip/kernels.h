// SPDX-License-Identifier: Apache-2.0
// kernels.h: the kernels that hipcc embedded in this plugin, loaded card by card when first
// launched. The runtime's own registration, which hipcc's host code counts on, needs the runtime to
// be there when the plugin is opened, wants code for every card of the machine, and in ROCm 5
// aborts the process when there is none.
#pragma once
#include "vendor.h"

namespace bp_gpu {

// Makes room for the kernels of n cards; after open_runtime. False when host memory is exhausted.
bool prepare_cards(uint32_t n);

// "gfx90a:sramecc+:xnack-", or "" when the runtime does not say.
struct Architecture {
  char name[64];
};
Architecture architecture(int card);

// Whether there are kernels for the architecture. *built lists those that there are: "gfx90a,
// gfx1030".
bool has_kernels(const Architecture& a, char* built, size_t room);

}  // namespace bp_gpu
