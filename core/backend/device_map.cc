// SPDX-License-Identifier: Apache-2.0
#include "core/backend/device_map.h"

#include <utility>

#include "core/backend/registry.h"
#include "core/base/error.h"
#include "core/process/device_kind.h"
#include "core/process/runtime.h"
#include "core/process/visibility.h"

namespace bp {
namespace {

constexpr const char* kVariable = "BACKPLANE_VISIBLE_DEVICES";

std::optional<std::string> look_up(const std::string& variable) {
  return read_env(variable.c_str());
}

std::vector<std::string> uuids_of(const Backend& backend) {
  std::vector<std::string> uuids;
  for (const Physical& p : backend.physical) uuids.emplace_back(p.props.uuid);
  return uuids;
}

// Returns "acme:0, acme:1": what a spec could name of the backend if there were no other mask.
std::string ids_of(const Backend& backend) {
  std::string ids;
  for (size_t i = 0; i < backend.physical.size(); ++i)
    ids += fmt::format("{}{}:{}", i ? ", " : "", backend.name, i);
  return ids;
}

// The ids of a kind that is loaded.
std::string ids_of_kind(std::string_view kind) {
  std::string ids;
  each_backend([&](Backend& b) {
    if (b.name == kind) ids = b.physical.empty() ? "none" : ids_of(b);
  });
  return ids;
}

Visibility look(const Backend& backend, const std::optional<std::string>& spec,
                const char* source) {
  const auto uuids = uuids_of(backend);
  VisibleQuery query;
  query.kind = backend.kind;
  query.name = backend.name;
  query.uuids = uuids;
  query.driver_masks = backend.mask_variable;
  query.env = look_up;
  query.spec = spec;
  query.spec_source = source;
  return resolve_visibility(query);
}

std::unique_ptr<Device> make_device(Backend& backend, int32_t logical, int32_t physical) {
  auto d = std::make_unique<Device>();
  d->backend = &backend;
  d->index = logical;
  d->physical = physical;
  d->props = backend.physical[static_cast<size_t>(physical)].props;
  if (d->props.flags & BP_PROP_SIMULATED) d->flags |= BP_DEVICE_SIMULATED;
  if (d->props.flags & BP_PROP_HOST_MEMORY) d->flags |= BP_DEVICE_HOST_MEMORY;
  const bool cpu = backend.kind == BP_KIND_CPU;
  d->value = bp_device_make(backend.kind, cpu ? -1 : logical);
  d->label = cpu ? backend.name : fmt::format("{}:{}", backend.name, logical);
  return d;
}

bool same_map(const Backend& backend, const Visibility& v) {
  if (backend.devices.size() != v.physical.size()) return false;
  for (size_t i = 0; i < v.physical.size(); ++i)
    if (backend.devices[i]->physical != v.physical[i]) return false;
  return true;
}

void apply(Backend& backend, Visibility v) {
  for (size_t p = 0; p < backend.physical.size(); ++p) {
    backend.physical[p].logical = v.fates[p].logical;
    backend.physical[p].reason = std::move(v.fates[p].reason);
  }
  if (same_map(backend, v)) return;
  backend.devices.clear();
  for (size_t i = 0; i < v.physical.size(); ++i)
    backend.devices.push_back(make_device(backend, static_cast<int32_t>(i), v.physical[i]));
}

void hide_all(Backend& backend, const std::string& why) {
  backend.mask_error = why;
  backend.devices.clear();
  for (Physical& p : backend.physical) {
    p.logical = -1;
    p.reason = why;
  }
}

// Returns the environment's masks that this kind listens to, as they are now.
std::vector<EnvValue> current_masks(const Backend& backend) {
  std::vector<EnvValue> values{{kVariable, look_up(kVariable)}};
  for (const auto& stage : mask_chain(backend.kind, backend.name))
    for (const std::string& variable : stage) values.push_back({variable, look_up(variable)});
  return values;
}

std::string value_text(const std::optional<std::string>& value) {
  return value ? "'" + *value + "'" : "unset";
}

void note_late_change(Backend& backend) {
  if (!backend.late_change.empty()) return;
  const auto now = current_masks(backend);
  for (size_t i = 0; i < now.size() && i < backend.masks_at_freeze.size(); ++i) {
    const EnvValue& then = backend.masks_at_freeze[i];
    if (now[i].value == then.value) continue;
    backend.late_change = fmt::format(
        "{} changed from {} to {} after a device of {} was opened: the change has no effect here",
        then.name, value_text(then.value), value_text(now[i].value), backend.name);
    return log_text(kLogWarning, backend.late_change);
  }
}

}  // namespace

void map_devices(Backend& backend) {
  if (backend.frozen.load()) return note_late_change(backend);
  const Settings& s = settings();
  const char* source = s.visible_devices ? s.visible_source : kVariable;
  auto spec = s.visible_devices ? s.visible_devices : read_env(kVariable);
  if (backend.kind == BP_KIND_CPU) spec.reset();  // it always stays, even under a malformed spec
  try {
    if (spec)
      check_visible_spec(*spec, source, kind_names(), [&](std::string_view kind) {
        return kind == backend.name ? ids_of(backend) : ids_of_kind(kind);
      });
    apply(backend, look(backend, spec, source));
    backend.mask_error.clear();
  } catch (const Error& e) {
    hide_all(backend, e.message());
  }
}

void freeze_device_map(Backend& backend) {
  if (backend.frozen.load()) return;
  backend.masks_at_freeze = current_masks(backend);
  backend.frozen.store(true, std::memory_order_release);
}

std::string hidden_reason(const Backend& backend) {
  if (!backend.mask_error.empty()) return backend.mask_error;
  if (!backend.devices.empty()) return "";
  if (backend.physical.empty()) return "it has no device";
  const size_t n = backend.physical.size();
  return fmt::format(
      "{} hidden: {}",
      n == 1 ? std::string("its one device is") : fmt::format("all {} devices are", n),
      backend.physical[0].reason);
}

void set_visible_devices(std::optional<std::string> spec) {
  constexpr const char* kSource = "bp_set_visible_devices";
  if (spec) {
    all_kinds();  // so that every kind that was found has its name
    check_visible_spec(*spec, kSource, kind_names(), ids_of_kind);
    for (const std::string& name : visible_spec_kinds(*spec)) {
      const bp_kind kind = find_kind(name);
      if (kind == BP_KIND_CPU) continue;
      Backend* backend = try_backend(kind);
      if (!backend) continue;
      if (backend->frozen.load())
        fail(BP_BAD_STATE,
             "the visible devices of {} cannot change any more: a device of it was opened before",
             name);
      look(*backend, spec, kSource);
    }
  }
  settings().visible_devices = std::move(spec);
  settings().visible_source = kSource;
}

}  // namespace bp
