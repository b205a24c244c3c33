// SPDX-License-Identifier: Apache-2.0
// device_map.h: which of a loaded backend's physical devices the program sees. It gathers the masks
// (environment, bp_init, bp_set_visible_devices), asks process/visibility.h, and writes the answer
// into Backend::physical and Backend::devices. This is done anew at each look until the first
// device of the kind is opened. From then on the map is frozen, and a variable that changes later
// is noted once. The caller holds loader_mutex().
//
//   map_devices(*d.backend);   // d.backend->devices is now what the masks say
#pragma once
#include <optional>
#include <string>

#include "core/device/device.h"

namespace bp {

// Throws nothing for a malformed mask: the backend then shows no device and keeps the
// text in mask_error.
void map_devices(Backend& backend);
// Fixes the map, before the first device is opened, and remembers the masks as they are now.
void freeze_device_map(Backend& backend);
// Says why no device of the backend is visible; "" when one is.
std::string hidden_reason(const Backend& backend);
// What bp_set_visible_devices does; nullopt goes back to the environment's masks.
void set_visible_devices(std::optional<std::string> spec);

}  // namespace bp
