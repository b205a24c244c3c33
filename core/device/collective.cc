// SPDX-License-Identifier: Apache-2.0
#include "core/device/collective.h"

#include <algorithm>
#include <array>
#include <list>
#include <new>

#include "core/base/error.h"
#include "core/device/device.h"
#include "core/device/plugin_call.h"
#include "core/device/stream.h"
#include "core/process/device_kind.h"
#include "core/process/runtime.h"

namespace bp {
namespace {

constexpr const char* kVariable = "BACKPLANE_COLLECTIVES";

// These are made when the library is loaded, so that no child is forked meanwhile.
std::array<Collectives, kMaxKinds>& slots = *new std::array<Collectives, kMaxKinds>;

std::string labels(std::span<Device* const> devices) {
  std::string text;
  for (const Device* d : devices) text += (text.empty() ? "" : ", ") + d->label;
  return text;
}

bool is_lost(const Device& d) noexcept {
  const DeviceCall inside(d, std::nothrow);
  return !inside ||
         call_plugin<&bp_plugin_api::stream_query>(d.backend->api, d.main().queue, nullptr) < 0;
}

std::string taken_text(bp_status status, bp_error* err) {
  std::string text = bp_error_message(err, nullptr);
  if (text.empty()) text = status_name(status);
  bp_error_release(err);
  return text;
}

}  // namespace

bool wants_ring() {
  const std::optional<std::string> value = read_env(kVariable);
  if (!value || value->empty() || *value == "auto") return false;
  if (*value != "ring")
    fail(BP_INVALID_ARGUMENT, "{} is \"{}\", expected auto or ring", kVariable, *value);
  return true;
}

Collectives& collectives(const Backend& b) noexcept {
  return slots[static_cast<size_t>(kind_slot(b.kind))];
}

// Another thread of the parent's may hold the locks of the old one, so nothing of it is touched.
void lose_collectives(const Backend& b) noexcept { new (&collectives(b)) Collectives; }

bool Collectives::offered(const Backend& b) {
  if (asked_) return api_ != nullptr;
  const bool ring = wants_ring();
  asked_ = true;
  if (ring) return false;
  const auto* api = static_cast<const bp_collective_api*>(
      call_plugin<&bp_plugin_api::extension>(b.api, b.plugin, BP_COLLECTIVE_ID));
  if (api && api->struct_size >= sizeof *api) api_ = api;
  return api_ != nullptr;
}

bp_pcommunicator* Collectives::open(Devices devices) {
  std::vector<bp_pdev*> handles;
  for (const Device* d : devices) handles.push_back(d->handle);
  bp_error* err = nullptr;
  bp_pcommunicator* made = nullptr;
  const bp_status status = call_plugin<&bp_collective_api::open>(
      *api_, handles.data(), static_cast<uint32_t>(handles.size()), &made, &err);
  if (status >= 0 && made) {
    bp_error_release(err);
    const char* name = call_plugin<&bp_collective_api::name>(*api_, made);
    log(kLogInfo, "{}: sums over {} go through {}", devices[0]->backend->name, labels(devices),
        name ? name : "a library without a name");
    return made;
  }
  const std::string why = taken_text(status < 0 ? status : BP_INTERNAL, err);
  const std::string note =
      fmt::format("sums over {} go around a ring of copies: {}", labels(devices), why);
  log(kLogWarning, "{}: {}", devices[0]->backend->name, note);
  const std::lock_guard lock(note_mutex_);
  if (note_.empty()) note_ = note;
  return nullptr;
}

Collectives::Communicator& Collectives::find_or_open(Devices devices) {
  for (Communicator& c : all_)
    if (std::equal(c.devices.begin(), c.devices.end(), devices.begin(), devices.end())) return c;
  all_.push_back({{devices.begin(), devices.end()}, nullptr});
  all_.back().handle = open(devices);
  return all_.back();
}

void Collectives::abort(Communicator& c) noexcept {
  if (bp_pcommunicator* handle = std::exchange(c.handle, nullptr))
    call_plugin<&bp_collective_api::abort>(*api_, handle);
}

// A lost device reports its loss itself, once with the origin, and its communicator is
// not made anew.
void Collectives::fail_exchange(Communicator& c, bp_status status, bp_error* err) {
  const std::vector<Device*> devices = c.devices;
  const std::string why = taken_text(status, err);
  abort(c);
  for (Device* d : devices) {
    bp_error* own = nullptr;
    const bp_status lost =
        call_plugin<&bp_plugin_api::stream_query>(d->backend->api, current_stream(*d).queue, &own);
    if (lost < 0) check_plugin(*d, lost, own, "all_reduce");
    bp_error_release(own);
  }
  std::erase_if(all_, [&](const Communicator& other) { return other.devices == devices; });
  throw Error(status,
              fmt::format("all_reduce over {}: {} ({}=ring sums by copies instead)",
                          labels(devices), why, kVariable),
              BP_ERROR_FROM_PLUGIN);
}

void Collectives::check(Communicator& c) {
  bp_error* err = nullptr;
  if (const bp_status status = call_plugin<&bp_collective_api::check>(*api_, c.handle, &err);
      status < 0)
    fail_exchange(c, status, err);
  bp_error_release(err);
}

Stream& Collectives::next_stream(Device& d) {
  Stream& now = current_stream(d);
  Stream*& last = last_[&d];
  if (last) order(*last, now);
  last = &now;
  return now;
}

bool Collectives::all_reduce(std::span<const Share> shares, int32_t operation, bp_dtype dtype,
                             int64_t count) {
  const std::lock_guard lock(mutex_);
  std::list<DeviceCall> inside;
  for (const Share& s : shares) inside.emplace_back(*s.device);
  if (!offered(*shares[0].device->backend)) return false;
  std::vector<Share> sorted(shares.begin(), shares.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const Share& a, const Share& b) { return a.device->index < b.device->index; });
  std::vector<Device*> devices;
  std::vector<void*> data;
  for (const Share& s : sorted) {
    devices.push_back(s.device);
    data.push_back(s.data);
  }
  Communicator& c = find_or_open(devices);
  if (!c.handle ||
      !(call_plugin<&bp_collective_api::dtypes>(*api_, c.handle, operation) >> dtype & 1))
    return false;
  check(c);
  std::vector<bp_pstream*> queues;
  for (Device* d : devices) queues.push_back(next_stream(*d).queue);
  bp_error* err = nullptr;
  const bp_status status = call_plugin<&bp_collective_api::all_reduce>(
      *api_, c.handle, operation, dtype, static_cast<uint64_t>(count), data.data(), queues.data(),
      &err);
  if (status < 0) fail_exchange(c, status, err);
  bp_error_release(err);
  for (Device* d : devices)
    if (d->synchronous) synchronize(current_stream(*d));
  return true;
}

bool Collectives::any() const {
  const std::lock_guard lock(mutex_);
  return std::any_of(all_.begin(), all_.end(),
                     [](const Communicator& c) { return c.handle != nullptr; });
}

void Collectives::drop_lost() noexcept {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;
  for (Communicator& c : all_)
    if (c.handle && std::any_of(c.devices.begin(), c.devices.end(),
                                [](const Device* d) { return is_lost(*d); }))
      abort(c);
}

void Collectives::forget(const Device& lost) noexcept {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock) return;
  for (Communicator& c : all_)
    if (std::find(c.devices.begin(), c.devices.end(), &lost) != c.devices.end()) abort(c);
}

void Collectives::close() noexcept {
  drop_lost();
  const std::lock_guard lock(mutex_);
  for (Communicator& c : all_) {
    if (!c.handle) continue;
    if (call_plugin<&bp_collective_api::check>(*api_, c.handle, nullptr) < 0)
      abort(c);
    else
      call_plugin<&bp_collective_api::close>(*api_, std::exchange(c.handle, nullptr));
  }
  all_.clear();
  last_.clear();
  asked_ = false;
  api_ = nullptr;
  const std::lock_guard hold(note_mutex_);
  note_.clear();
}

std::string Collectives::why_not() const {
  const std::lock_guard lock(note_mutex_);
  return note_;
}

}  // namespace bp
