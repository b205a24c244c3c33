// SPDX-License-Identifier: Apache-2.0
// handshake.h: what is said between the core and one plugin before it counts as usable, and at its
// end: query, open, probe, device_props of each device, kernels, and in the end close. Every answer
// is checked; a wrong one becomes a LoadFault that names the file, what was wrong and what to do.
// Either side may be the newer one (docs/abi.md). The caller holds loader_mutex().
//
//   Backend b;
//   b.name = b.plugin_kind = "acme";
//   bp_plugin_query_fn query = nullptr;
//   auto fault = open_library("/opt/x/libbackplane_acme.so", &query);
//   if (!fault) fault = shake_hands(b, "/opt/x/libbackplane_acme.so", query);   // none: b is ready
#pragma once
#include <optional>
#include <string>

#include "core/device/device.h"

namespace bp {

struct LoadFault {
  int32_t stage = 0;  // BP_STAGE_*
  bp_status status = BP_OK;
  std::string cause, remedy;
  // The system did not answer (descriptor.h), or a device had no memory left: the next use tries
  // again.
  bool passing = false;
};

// Opens the file and finds its one symbol: stages FILE, DLOPEN and SYMBOL. The library stays
// loaded whatever follows.
std::optional<LoadFault> open_library(const std::string& path, bp_plugin_query_fn* query);

// Goes through the stages QUERY, OPEN, PROBE, and DEVICES when there is no physical device. On a
// fault the plugin is closed again.
std::optional<LoadFault> shake_hands(Backend& backend, const std::string& path,
                                     bp_plugin_query_fn query);

// Closes the plugin, once every device is closed.
void part_from(Backend& backend) noexcept;

// Fills in the host services that a plugin gets. host_state must outlive the plugin's close.
void fill_host(Backend& backend, uint32_t abi);
// Gives every empty optional slot a stub that answers BP_UNSUPPORTED. Returns the name of a
// required slot that is empty, or nullptr.
const char* complete_table(bp_plugin_api& api) noexcept;

}  // namespace bp
