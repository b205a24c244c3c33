// SPDX-License-Identifier: Apache-2.0
// resolve.h: from a device's value to the device: what "cuda:1", a bare "cuda" or no device at all
// means to the calling thread. Devices are opened on first use. Any thread may call these.
//
//   Device& cpu = resolve_device(bp_device_make(BP_KIND_CPU, -1));
//   std::string text = format_device(cpu.value);   // "cpu"
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/device/device.h"

namespace bp {

// Returns an opened device: for value 0 the thread's default device, for index -1 the thread's
// current device of the kind. Throws BP_INDEX_OUT_OF_RANGE with the count. It is fast once the
// device is open (for the cpu one load and one compare).
Device& resolve_device(bp_device value);
Device& cpu_device();
// Returns what bp_device_parse gives: the value of "cuda:1". It opens nothing, and looks for plugin
// files only when the kind is none that is known.
bp_device device_named(std::string_view text);
// Returns the logical index of a device that is there, without opening it; for index -1 it is the
// thread's current one. Throws as resolve_device does.
int32_t existing_index(bp_device value);
// Returns the number of visible devices of a kind. Where the backend cannot be used it returns 0,
// or throws the reason if `required`; then it throws also when no device is visible. Throws
// BP_NOT_FOUND for a kind that nothing offers.
int32_t count_devices(bp_kind kind, bool required);
bp_device_info device_info(bp_device value);  // opens nothing
std::string format_device(bp_device value);   // "cuda:1", "cpu"
// Calls visit for every open device of this generation, under loader_mutex().
void each_open_device(const std::function<void(Device&)>& visit);
// Returns the value with its blanks filled in, without opening anything: 0 becomes the default
// device, a bare kind of accelerators gets its current index, and the cpu becomes "cpu".
bp_device canonical_device(bp_device value);

// Under loader_mutex(): the devices that were open, or those of one kind of accelerator, are no
// longer found.
void unpublish_devices() noexcept;
void unpublish_devices(bp_kind kind) noexcept;

}  // namespace bp
