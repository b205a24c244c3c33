// SPDX-License-Identifier: Apache-2.0
// device.cc: device values, kinds, visible and physical devices; declared in c_api.h.
#include "core/device/device.h"

#include "core/backend/device_map.h"
#include "core/backend/registry.h"
#include "core/backend/resolve.h"
#include "core/base/guard.h"
#include "core/base/utf8.h"
#include "core/process/device_kind.h"
#include "core/process/device_string.h"
#include "core/process/runtime.h"

using namespace bp;

namespace {

// Returns the backend, whose map is brought up to date. Callers hold loader_mutex().
Backend& mapped_backend(bp_kind kind) {
  Backend& b = require_backend(kind);
  map_devices(b);
  return b;
}

}  // namespace

extern "C" {

bp_device bp_device_make(bp_kind kind, int32_t index) {
  return static_cast<bp_device>(static_cast<uint64_t>(static_cast<uint32_t>(kind)) << 32 |
                                static_cast<uint32_t>(index));
}

bp_kind bp_device_kind(bp_device d) { return static_cast<bp_kind>(d >> 32); }

int32_t bp_device_index(bp_device d) {
  return static_cast<int32_t>(static_cast<uint64_t>(d) & 0xffffffffu);
}

bp_status bp_device_parse(const char* text, bp_device* out, bp_error** err) {
  return guard(err, [&] {
    need(text, "text");
    need(out, "out");
    *out = device_named(text);
  });
}

bp_status bp_device_format(bp_device d, char* buf, uint64_t capacity, uint64_t* needed,
                           bp_error** err) {
  return guard(err, [&] {
    const char* name = kind_name(bp_device_kind(d));
    if (!name) fail(BP_INVALID_ARGUMENT, "{:#x} is not a device", static_cast<uint64_t>(d));
    if (bp_device_index(d) < -1)
      fail(BP_INVALID_ARGUMENT, "Device index must not be negative, got {}", bp_device_index(d));
    put_text(format_device_string(name, bp_device_index(d)), buf, capacity, needed);
  });
}

bp_status bp_kind_count(uint32_t* out, bp_error** err) {
  return guard(err, [&] { *need(out, "out") = static_cast<uint32_t>(all_kinds().size()); });
}

bp_status bp_kind_at(uint32_t i, bp_kind* out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    const auto kinds = all_kinds();
    if (i >= kinds.size())
      fail(BP_INDEX_OUT_OF_RANGE, "kind {} is out of range: there are {}", i, kinds.size());
    *out = kinds[i];
  });
}

const char* bp_kind_name(bp_kind kind) {
  const char* name = kind_name(kind);
  return name ? name : "?";
}

bp_status bp_device_count(bp_kind kind, int32_t* out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    *out = count_devices(kind, /*required=*/false);
  });
}

bp_status bp_kind_require(bp_kind kind, int32_t* count, bp_error** err) {
  return guard(err, [&] {
    const int32_t n = count_devices(kind, /*required=*/true);
    if (count) *count = n;
  });
}

bp_status bp_device_get_info(bp_device d, bp_device_info* out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    put_struct(device_info(d), out, "out");
  });
}

bp_status bp_physical_count(bp_kind kind, uint32_t* out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    const std::lock_guard lock(loader_mutex());
    *out = static_cast<uint32_t>(require_backend(kind).physical.size());
  });
}

bp_status bp_physical_get(bp_kind kind, uint32_t i, bp_physical_info* out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    const std::lock_guard lock(loader_mutex());
    const Backend& b = mapped_backend(kind);
    if (i >= b.physical.size())
      fail(BP_INDEX_OUT_OF_RANGE, "physical device {} is out of range: {} has {}", i, b.name,
           b.physical.size());
    const Physical& p = b.physical[i];
    bp_physical_info info{};
    info.struct_size = sizeof info;
    info.physical = static_cast<int32_t>(i);
    info.logical = p.logical;
    put_utf8(info.name, p.props.name);
    put_utf8(info.uuid, p.props.uuid);
    put_utf8(info.pci, p.props.pci);
    put_utf8(info.reason, p.reason);
    put_struct(info, out, "out");
  });
}

bp_status bp_set_visible_devices(const char* spec, bp_error** err) {
  return guard(err, [&] {
    const std::lock_guard lock(loader_mutex());
    set_visible_devices(spec ? std::optional<std::string>(spec) : std::nullopt);
  });
}

bp_status bp_synchronize(bp_device d, bp_error** err) {
  return guard(err, [&] { synchronize(resolve_device(d)); });
}

}  // extern "C"
