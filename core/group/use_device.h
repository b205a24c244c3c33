// SPDX-License-Identifier: Apache-2.0
// use_device.h: the members of a group agree that their devices exchange by themselves, each with
// one device, by the library that its backend's "bp.wide/1" opens (device_way.h). They tell each
// other what they have (offer.h), open together, and all come to the same end.
//
//   if (const std::string why = use_device(g, device.value); !why.empty()) log(kLogInfo, "{}", why);
#pragma once
#include <string>

#include "core/group/group.h"

namespace bp {

// Has the group use this device. All members call it. Returns why it cannot be, the same on all
// members, or "".
std::string use_device(ProcessGroup& g, bp_device device);
// The same for a group that may go on without: it keeps the device that it uses already, and that
// it can use none is no failure.
void try_device(ProcessGroup& g, bp_device device);

}  // namespace bp
