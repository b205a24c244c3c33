// SPDX-License-Identifier: Apache-2.0
#include "core/backend/resolve.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

#include "core/backend/device_map.h"
#include "core/backend/registry.h"
#include "core/base/error.h"
#include "core/device/plugin_call.h"
#include "core/device/thread_cache.h"
#include "core/process/context.h"
#include "core/process/device_kind.h"
#include "core/process/device_string.h"
#include "core/process/runtime.h"

namespace bp {
namespace {

// What resolve_device reads without a lock: the open cpu, and for each kind the backend whose
// map is frozen.
std::atomic<Device*> open_cpu{nullptr};
std::array<std::atomic<Backend*>, kMaxKinds> frozen_backends;
bp_kind kind_of(bp_device value) { return static_cast<bp_kind>(value >> 32); }
int32_t index_of(bp_device value) { return static_cast<int32_t>(value & 0xffffffff); }

[[noreturn]] void fail_index(const Backend& b, int32_t index) {
  const size_t n = b.devices.size();
  if (n == 0) fail(BP_UNAVAILABLE, "No {} devices are available: {}", b.name, hidden_reason(b));
  fail(BP_INDEX_OUT_OF_RANGE,
       "invalid device ordinal {}:{}: {} {} visible, valid indices are 0 to {}", b.name, index, n,
       n == 1 ? "device is" : "devices are", n - 1);
}

// Returns a device of a backend whose map is up to date. The caller holds loader_mutex().
Device& at_index(Backend& b, int32_t index) {
  if (index < 0) index = b.kind == BP_KIND_CPU ? 0 : current_index(b.kind);
  if (static_cast<size_t>(index) >= b.devices.size()) fail_index(b, index);
  return *b.devices[static_cast<size_t>(index)];
}

void check_value(bp_device value) {
  if (kind_of(value) <= 0)
    fail(BP_INVALID_ARGUMENT, "{:#x} is not a device", static_cast<uint64_t>(value));
  if (index_of(value) < -1)
    fail(BP_INVALID_ARGUMENT, "Device index must not be negative, got {}", index_of(value));
}

void publish(Device& d) {
  if (d.backend->kind == BP_KIND_CPU) {
    if (d.index == 0) open_cpu.store(&d, std::memory_order_release);
    return;
  }
  frozen_backends[static_cast<size_t>(kind_slot(d.backend->kind))].store(d.backend,
                                                                         std::memory_order_release);
}

Device& resolve_slowly(bp_device value) {
  check_value(value);
  std::lock_guard lock(loader_mutex());
  Backend& b = require_backend(kind_of(value));
  map_devices(b);
  Device& d = at_index(b, index_of(value));
  if (!d.alive()) {
    open_device(d);
    freeze_device_map(b);
    publish(d);
  }
  return d;
}

}  // namespace

Device& resolve_device(bp_device value) {
  if (value == 0) value = default_device();
  const bp_kind kind = kind_of(value);
  int32_t index = index_of(value);
  if (kind == BP_KIND_CPU) {
    Device* cpu = open_cpu.load(std::memory_order_acquire);
    if (cpu && (index == 0 || index == -1)) [[likely]]
      return *cpu;
  } else if (const int slot = kind_slot(kind); slot >= 0) {
    Backend* b = frozen_backends[static_cast<size_t>(slot)].load(std::memory_order_acquire);
    if (index == -1) index = current_index(kind);
    if (b && index >= 0 && static_cast<size_t>(index) < b->devices.size() &&
        b->devices[static_cast<size_t>(index)]->alive())
      return *b->devices[static_cast<size_t>(index)];
  }
  return resolve_slowly(value);
}

int32_t existing_index(bp_device value) {
  check_value(value);
  const int slot = kind_slot(kind_of(value));
  const int32_t index = index_of(value);
  if (slot >= 0 && index >= 0) {
    const Backend* b = frozen_backends[static_cast<size_t>(slot)].load(std::memory_order_acquire);
    if (b && static_cast<size_t>(index) < b->devices.size()) return index;
  }
  std::lock_guard lock(loader_mutex());
  Backend& b = require_backend(kind_of(value));
  map_devices(b);
  return at_index(b, index).index;
}

Device& cpu_device() { return resolve_device(bp_device_make(BP_KIND_CPU, -1)); }

int32_t count_devices(bp_kind kind, bool required) {
  std::lock_guard lock(loader_mutex());
  try {
    Backend& b = require_backend(kind);
    map_devices(b);
    if (!b.mask_error.empty()) fail(BP_INVALID_ARGUMENT, "{}", b.mask_error);
    if (required && b.devices.empty()) fail_index(b, 0);
    return static_cast<int32_t>(b.devices.size());
  } catch (const Error& e) {
    if (required || e.status() != BP_UNAVAILABLE) throw;
    return 0;
  }
}

bp_device_info device_info(bp_device value) {
  if (value == 0) value = default_device();
  check_value(value);
  std::lock_guard lock(loader_mutex());
  Backend& b = require_backend(kind_of(value));
  map_devices(b);
  const Device& d = at_index(b, index_of(value));
  bp_device_info info{};
  info.struct_size = sizeof info;
  info.flags = d.flags;
  info.device = bp_device_make(b.kind, d.index);
  info.physical = d.physical;
  info.n_units = d.props.n_units;
  info.memory_total = d.props.memory_bytes;
  info.compute_major = d.props.compute_major;
  info.compute_minor = d.props.compute_minor;
  static_assert(sizeof info.name == sizeof d.props.name &&
                sizeof info.uuid == sizeof d.props.uuid && sizeof info.pci == sizeof d.props.pci &&
                sizeof info.driver == sizeof d.props.driver);
  std::copy_n(d.props.name, sizeof info.name, info.name);
  std::copy_n(d.props.uuid, sizeof info.uuid, info.uuid);
  std::copy_n(d.props.pci, sizeof info.pci, info.pci);
  std::copy_n(d.props.driver, sizeof info.driver, info.driver);
  uint64_t free_bytes = 0, total_bytes = 0;
  if (const DeviceCall inside(d, std::nothrow);
      inside &&
      call_plugin<&bp_plugin_api::memory_info>(b.api, d.handle, &free_bytes, &total_bytes,
                                               nullptr) == BP_OK &&
      free_bytes <= total_bytes) {
    info.memory_total = total_bytes;
    info.memory_used = total_bytes - free_bytes;
  }
  return info;
}

std::string format_device(bp_device value) {
  const char* name = kind_name(kind_of(value));
  if (!name) return "?";
  return index_of(value) < 0 ? name : fmt::format("{}:{}", name, index_of(value));
}

namespace {
bp_kind kind_named(std::string_view name) {
  if (const bp_kind kind = find_kind(name)) return kind;
  const std::vector<bp_kind> there = all_kinds();
  if (const bp_kind kind = find_kind(name)) return kind;
  if (const std::string doubt = doubt_of_search(); !doubt.empty())
    fail(BP_UNAVAILABLE, "{} is not available: {}", name, doubt);
  std::string here;  // not the names of kinds that have no backend on this machine
  for (const bp_kind k : there) here += fmt::format("{}{}", here.empty() ? "" : ", ", kind_name(k));
  fail_unknown_kind(name, here);
}
}  // namespace

bp_device device_named(std::string_view text) {
  if (text == "cpu") return bp_device_make(BP_KIND_CPU, -1);  // the one that is named most
  const DeviceString d = parse_device_string(text);
  return bp_device_make(kind_named(d.kind), d.index);
}

bp_device canonical_device(bp_device value) {
  if (value == 0) value = default_device();
  check_value(value);
  const bp_kind kind = kind_of(value);
  const int32_t index = index_of(value);
  if (kind == BP_KIND_CPU) return index <= 0 ? bp_device_make(kind, -1) : value;
  return index < 0 ? bp_device_make(kind, current_index(kind)) : value;
}

void each_open_device(const std::function<void(Device&)>& visit) {
  each_backend([&](Backend& b) {
    for (const auto& d : b.devices)
      if (d->alive()) visit(*d);
  });
}

void unpublish_devices() noexcept {
  open_cpu.store(nullptr, std::memory_order_release);
  serve_thread_caches(nullptr);
  for (auto& slot : frozen_backends) slot.store(nullptr, std::memory_order_release);
}

void unpublish_devices(bp_kind kind) noexcept {
  if (const int slot = kind_slot(kind); slot >= 0)
    frozen_backends[static_cast<size_t>(slot)].store(nullptr, std::memory_order_release);
}

}  // namespace bp
