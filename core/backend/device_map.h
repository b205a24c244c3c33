// remap.h: which of a loaded backend's physical devices the program sees: gathers the masks
// (environment, bp_init, bp_set_visible_devices), asks visible.h, and writes the answer into
// Backend::physical and Backend::devices. Done anew at each look until the first device of the kind
// is opened; from then on the map is frozen, and a variable that changes later is noted once.
// Callers hold loader_mutex().
//
//   remap(backend);                                   // now backend.devices is what the masks say
//   int32_t driver = backend.devices[0]->physical;
#pragma once
#include <optional>
#include <string>

#include "core/device/device.h"

namespace bp {

// Throws nothing for a malformed mask: the backend then shows no device and keeps the text in
// mask_error.
void remap(Backend& backend);
// Before the first device is opened: remembers what the masks were.
void freeze_map(Backend& backend);
// Why no device of the backend is visible; "" when one is.
std::string hidden_reason(const Backend& backend);
// What bp_set_visible_devices does; nullopt: back to the environment's.
void set_visible_devices(std::optional<std::string> spec);

}  // namespace bp
