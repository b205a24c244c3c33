// SPDX-License-Identifier: Apache-2.0
#include "plugin_calls/border.h"

#include <algorithm>

namespace bp_test {
namespace {

constexpr const char* kNames[] = {
    "plugin", "device",       "stream",       "event",
    "block",  "pinned block", "communicator", "member of several processes",
    "code"};

}  // namespace

void Border::start(long granted, long refused, bp_status status) {
  const std::lock_guard lock(mutex_);
  status_ = status;
  met_ = {};
  plan_.start(granted, refused);
}

Border::Refused Border::stop() {
  const std::lock_guard lock(mutex_);
  plan_.stop();
  return std::exchange(met_, {});
}

std::array<long, Border::kKinds> Border::open() const {
  const std::lock_guard lock(mutex_);
  std::array<long, kKinds> n{};
  for (const auto& [key, opened] : opened_) ++n[key.first];
  return n;
}

std::string Border::misuse() {
  const std::lock_guard lock(mutex_);
  return std::exchange(misuse_, "");
}

bool Border::is_wait(std::string_view slot) {
  return slot == "stream_sync" || slot == "event_sync" || slot == "sync";
}

std::string Border::name_of(size_t kind) { return kNames[kind]; }

bp_status Border::answer(const char* slot) {
  const std::lock_guard lock(mutex_);
  if (!plan_.counts()) return BP_OK;
  if (is_wait(slot)) met_.waited = true;
  if (!plan_.refuses()) return BP_OK;
  if (!is_wait(slot)) met_.waited = false;
  if (std::find(met_.slots.begin(), met_.slots.end(), slot) == met_.slots.end())
    met_.slots.emplace_back(slot);
  return status_;
}

void Border::opens(Kind kind, const void* handle, const void* owner, uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  opened_[{kind, handle}] = {owner, bytes};
}

// Blocks may be left to a device that closes; nothing else may outlive its owner.
void Border::closes(Kind kind, const void* handle, uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = opened_.find({kind, handle});
  if (found == opened_.end())
    return note(std::string("closes a ") + kNames[kind] + " that is not open");
  if (found->second.bytes != bytes)
    note(std::string("gives back a ") + kNames[kind] + " of " +
         std::to_string(found->second.bytes) + " bytes as one of " + std::to_string(bytes));
  opened_.erase(found);
  if (kind != kPlugin && kind != kDevice) return;
  for (auto o = opened_.begin(); o != opened_.end();) {
    const bool is_left = o->second.owner == handle;
    const Kind left = o->first.first;
    if (is_left && left != kBlock)
      note(std::string("closes a ") + kNames[kind] + " that still has a " + kNames[left]);
    o = is_left ? opened_.erase(o) : std::next(o);
  }
}

void Border::uses(Kind kind, const void* handle, const char* slot) {
  const std::lock_guard lock(mutex_);
  if (!opened_.count({kind, handle}))
    note(std::string("calls ") + slot + " with a " + kNames[kind] + " that is not open");
}

void Border::note(std::string what) {
  if (misuse_.empty()) misuse_ = "the core " + std::move(what);
}

// It is never destroyed, because plugins are called as the process ends.
Border& border() {
  static Border& b = *new Border;
  return b;
}

}  // namespace bp_test
