// resolve.h: from a device's value to the device: what "cuda:1", a bare "cuda" or no device at all
// means to the calling thread, opened on first use. Any thread.
//
//   Device& d = resolve_device(bp_device_make(BP_KIND_CPU, -1));
//   format_device(d.value);   // "cpu"
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "core/device/device.h"

namespace bp {

// An opened device. value 0: the thread's default device; index -1: the thread's current device of
// the kind. Throws BP_INDEX_OUT_OF_RANGE with the count. Fast once opened (the cpu: one load and
// one compare).
Device& resolve_device(bp_device value);
Device& cpu_device();
// The logical index of a device that is there, without opening it; index -1: the thread's current
// one. Throws as resolve_device does.
int32_t existing_index(bp_device value);
// Visible devices of a kind. A backend that cannot be used: 0, or with `required` an error with the
// reason, which is then also given when no device is visible. BP_NOT_FOUND for a kind that nothing
// offers.
int32_t count_devices(bp_kind kind, bool required);
bp_device_info device_info(bp_device value);  // opens nothing
std::string format_device(bp_device value);   // "cuda:1", "cpu"
// Calls visit for every open device of this generation, under loader_mutex().
void each_open_device(const std::function<void(Device&)>& visit);
// value 0 -> default device; bare accelerator kind -> its current index; cpu -> "cpu". Opens
// nothing.
bp_device canonical_device(bp_device value);

// At shutdown, under loader_mutex(): the devices that were open are found no more.
void unpublish_devices() noexcept;

}  // namespace bp
