// SPDX-License-Identifier: Apache-2.0
#include "core/device/pinned.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/device/device.h"
#include "core/device/plugin_call.h"
#include "core/process/runtime.h"

namespace bp {
namespace {

constexpr uint64_t kMostPinnedCached = uint64_t{1} << 30;
constexpr int kMostAsked = 4;  // marks that have not passed

bool all_passed(const std::vector<Ref<Event>>& marks) {
  return std::all_of(marks.begin(), marks.end(),
                     [](const Ref<Event>& m) { return has_passed(*m); });
}

}  // namespace

PinnedMemory::PinnedMemory(Device& d, const bp_pinned_api& api)
    : device_(d),
      api_(api),
      name_("pinned memory of " + d.label),
      pool_(*this, kMostPinnedCached, uses_debug_allocator()) {}

void* PinnedMemory::allocate_block(uint64_t bytes) {
  collect();
  return pool_.allocate(bytes);
}

void PinnedMemory::free_after(void* p, uint64_t bytes, std::vector<Ref<Event>> marks) noexcept {
  if (!all_passed(marks)) try {
      const std::lock_guard lock(mutex_);
      parked_.push_back({p, bytes, std::move(marks)});
      return;
    } catch (const std::bad_alloc&) {
      for (const Ref<Event>& m : marks)
        if (m->device->alive()) await_event(*m, nullptr);
    }
  pool_.free(p, bytes);
}

// Takes the oldest first. A few blocks that are still in use end the search, so that a device that
// is far behind costs no more.
void PinnedMemory::collect() noexcept {
  std::list<Parked> passed;
  {
    const std::lock_guard lock(mutex_);
    int in_use = 0;
    for (auto b = parked_.begin(); b != parked_.end() && in_use < kMostAsked;) {
      const auto next = std::next(b);
      if (all_passed(b->marks))
        passed.splice(passed.end(), parked_, b);
      else
        ++in_use;
      b = next;
    }
  }
  for (const Parked& b : passed) pool_.free(b.p, b.bytes);
}

void PinnedMemory::trim() noexcept {
  collect();
  pool_.trim();
}

void PinnedMemory::close() noexcept {
  {
    const std::lock_guard lock(mutex_);
    parked_.clear();
  }
  pool_.trim();
  for (const auto& [p, bytes] : std::exchange(blocks_, {}))
    call_plugin<&bp_pinned_api::free>(api_, device_.handle, p, bytes);
}

void* PinnedMemory::allocate(uint64_t bytes) {
  const DeviceCall inside(device_);
  void* p = nullptr;
  bp_error* err = nullptr;
  const bp_status status =
      call_plugin<&bp_pinned_api::alloc>(api_, device_.handle, bytes, &p, &err);
  check_plugin(device_, status, err, "allocating pinned memory");
  if (!p) fail(BP_OUT_OF_HOST_MEMORY, "{}: the backend gave no pinned memory", device_.label);
  try {
    const std::lock_guard lock(mutex_);
    blocks_.emplace(p, bytes);
  } catch (...) {
    call_plugin<&bp_pinned_api::free>(api_, device_.handle, p, bytes);
    throw;
  }
  return p;
}

void PinnedMemory::release(void* p, uint64_t bytes) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (!blocks_.erase(p)) return;  // the device was closed and took it along
  }
  if (const DeviceCall inside(device_, std::nothrow); inside)
    call_plugin<&bp_pinned_api::free>(api_, device_.handle, p, bytes);
}

}  // namespace bp
