// SPDX-License-Identifier: Apache-2.0
// use_device.h: the members of a group agree that their devices exchange by themselves, each with
// one device, by the library that its backend's "bp.wide/1" opens (device_way.h). They tell each
// other what they have (offer.h), open together, and all come to the same end.
//
//   if (const std::string why = use_device(g, device.value); !why.empty()) log(kLogInfo, "{}", why);
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "core/group/group.h"

namespace bp {

// Has the group use this device. All members call it. Returns why it cannot be, the same on all
// members, or "".
std::string use_device(ProcessGroup& g, bp_device device);

// For members that can go on without. Each puts into an exchange that they make anyway how it is
// with its device, so that those without such devices exchange nothing more.
enum class DeviceOffer : uint64_t {
  kNone,  // its backend has no "bp.wide/1", or it does not want this
  kCan,   // perhaps: use_device asks further
  kUses   // the group uses this member's device already
};
DeviceOffer device_offer(const ProcessGroup& g, const Device& d) noexcept;
// With what all members said, by rank: uses the device where all can. That it cannot be is no
// failure. Throws BP_BAD_STATE where some members use theirs already and others do not.
void try_device(ProcessGroup& g, const Device& d, std::span<const DeviceOffer> by_rank);

}  // namespace bp
