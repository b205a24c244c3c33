// SPDX-License-Identifier: Apache-2.0
// device.h: backends and their devices, as the rest of the core uses them. A Backend is a plugin
// that is ready; a Device is one of its visible devices, opened on first use. After a shutdown or a
// fork they and their streams are kept as shells whose alive() is false, so that a late release
// from any thread finds something to ask: as long as a handle refers to them (is_unused), and for
// some generations more, for threads that are on their way. Whoever keeps a Device* asks alive()
// before using its handle or streams; the device of a new tensor is alive. What may outlive a
// generation and uses a Device* in its destructor holds a stream, or counts itself (n_guests).
// backend/resolve.h finds devices.
//
//   void* p = current_stream(d).pool->allocate(1024);
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "c_plugin.h"
#include "c_plugin_foreign.h"
#include "c_plugin_fuse.h"
#include "core/base/object.h"
#include "core/device/pinned.h"
#include "core/device/stream.h"
#include "core/memory/pool.h"
#include "core/process/generator.h"
#include "core/value/op_def.h"

namespace bp {

struct Device;

// One physical device of a backend: what it is, and what the masks made of it.
struct Physical {
  bp_device_props props{};
  int32_t logical = -1;
  std::string reason;  // why it is hidden; "" when visible
};

struct EnvValue {
  std::string name;
  std::optional<std::string> value;
};

// What a plugin listed, copied: a call may read a record while its plugin is closed. Tables live
// for ever, and a plugin that is loaded again has the one that it had.
struct KernelTable {
  std::vector<bp_kernel> records;
  // A record or nullptr at [op * BP_DTYPE_COUNT + dtype].
  std::array<const bp_kernel*, kMaxBuiltinOp * BP_DTYPE_COUNT> at{};
};

struct Backend {
  bp_kind kind = 0;           // under which it is offered: an alias's kind when aliased
  std::string name;           // of that kind
  std::string version;        // the plugin's
  std::string plugin_kind;    // the plugin's own kind: differs from name when aliased
  std::string mask_variable;  // the variable that the driver itself applies; "" when there is none
  std::vector<Physical> physical;
  std::string mask_error;  // why a malformed mask hides everything; "" when no mask is malformed
  std::vector<EnvValue> masks_at_freeze;
  std::string late_change;  // a mask that changed after the freeze; "" when none did
  // Set when the first device is opened: from then on `devices` and `physical` never change. Until
  // then they follow the masks and belong to loader_mutex().
  std::atomic<bool> frozen{false};
  std::atomic<bool> lost_in_fork{false};
  std::shared_ptr<void> host_state;  // what host.self points to
  uint32_t flags = 0;                // BP_PLUGIN_FORK_SAFE ...
  bp_plugin* plugin = nullptr;
  bp_plugin_api api{};  // complete_table has filled every slot
  bp_host host{};
  std::vector<std::unique_ptr<Device>> devices;  // visible, in logical order; opened on first use
  const KernelTable* kernels = nullptr;          // set before the backend is published

  const bp_kernel* kernel(uint32_t op, bp_dtype dtype) const {
    return kernels->at[op * BP_DTYPE_COUNT + static_cast<uint32_t>(dtype)];
  }
};

struct Device final {
  Backend* backend = nullptr;
  bp_device value = 0;  // kind and logical index; the cpu's has no index
  int32_t index = 0;    // logical
  int32_t physical = 0;
  uint32_t flags = 0;  // BP_DEVICE_SIMULATED, BP_DEVICE_HOST_MEMORY
  bp_device_props props{};
  bp_pdev* handle = nullptr;  // set when opened
  MemoryTotal memory_total;   // of an accelerator's streams
  Streams streams;
  std::unique_ptr<PinnedMemory> pinned;  // nullptr when the backend has none
  const bp_peer_api* peers = nullptr;    // nullptr when no device of the backend reaches another
  // nullptr when the backend knows nothing of other libraries' memory
  const bp_foreign_api* foreign = nullptr;
  const bp_fuse_api* fuses = nullptr;  // nullptr when the backend runs launches one by one
  Ref<bp_generator> generator;
  std::string label;  // "cuda:0", "cpu"

  // The device was opened, not closed by a shutdown, and not lost in a fork.
  bool alive() const noexcept { return alive_.load(std::memory_order_acquire); }
  bool is_host() const { return flags & BP_DEVICE_HOST_MEMORY; }
  bool synchronous = false;  // each op waits for the device
  // Events, and storages without a block of a pool, that know the device; and blocks that were
  // released after it was closed.
  std::atomic<uint64_t> n_guests{0}, n_late{0};
  std::atomic<uint64_t> n_waits{0};  // how often a caller stood still until its work was done
  // The default stream, which is there from the first opening on.
  Stream& main() const { return *main_; }
  // For streams: allocates memory of the backend's. When that is exhausted, it first gives back
  // what other streams keep for reuse.
  void* allocate(uint64_t bytes, Stream& asks);
  // Gives a block back when the work of `owner` is done.
  void release(void* p, uint64_t bytes, Stream& owner) noexcept;
  // Figures of all streams together.
  bp_memory_stats memory_stats();
  void trim() noexcept;
  void set_cache_limit(uint64_t bytes) noexcept;  // of each stream
  void reset_peak() noexcept;
  // A stream stays as long as the device. Nothing is allocated, and `visit` may make streams.
  template <class F>
  void each_stream(F&& visit) {
    for (size_t i = 0;; ++i) {
      Stream* s = nullptr;
      {
        const std::lock_guard lock(streams.mutex);
        if (i >= streams.all.size()) return;
        s = streams.all[i].get();
      }
      visit(*s);
    }
  }

 private:
  friend struct DeviceDoor;  // opens, closes, keeps the first failure
  friend class DeviceCall;
  Stream* main_ = nullptr;
  std::atomic<bool> alive_{false};
  std::atomic<bool> admits_{false};  // calls of its backend: alive, and no shutdown is under way
  mutable std::atomic<uint32_t> n_inside_{0};  // calls of the backend that are under way
  mutable std::mutex failure_mutex_;
  mutable std::string failure_;  // the first report of the device's loss
  std::mutex backend_mutex_;     // keeps close() out while a block is on its way
  uint64_t n_blocks_ = 0;        // that the backend gave and has not back; backend_mutex_ guards it
};

// The devices that a thread is inside, as far as there is room.
struct DevicesInside {
  uint32_t n_calls = 0, n_listed = 0;
  const Device* listed[64] = {};

  bool has(const Device& d) const noexcept {
    return std::find(listed, listed + n_listed, &d) != listed + n_listed;
  }
  void add(const Device& d) noexcept {
    if (n_listed < std::size(listed)) listed[n_listed++] = &d;
    ++n_calls;
  }
  // Calls end in the reverse order most of the time, but not always.
  void remove(const Device& d) noexcept {
    --n_calls;
    for (uint32_t i = n_listed; i-- > 0;) {
      if (listed[i] != &d) continue;
      listed[i] = listed[--n_listed];
      return;
    }
  }
};

// Keeps a device open while its backend is called with what belongs to it, streams, events, memory.
// A shutdown waits for whoever is inside and refuses whoever comes meanwhile, except its own
// thread and what cannot fail: releases, and the waits before them, enter until the device closes.
// A host's device is closed only when nothing of it lives, so that nothing is counted for it.
//
//   const DeviceCall inside(d);   // while it lives, d.handle and the streams may be handed to the plugin
class DeviceCall {
 public:
  // Throws BP_BAD_STATE when the device is closed.
  [[gnu::always_inline]] explicit DeviceCall(const Device& d) {
    if (!(d.is_host() ? d.alive() : enter(d, /*may_fail=*/true))) [[unlikely]]
      refuse(d);
  }
  // For what cannot fail; the object says whether the device is open.
  DeviceCall(const Device& d, std::nothrow_t) noexcept
      : open_(d.is_host() ? d.alive() : enter(d, /*may_fail=*/false)) {}
  [[gnu::always_inline]] ~DeviceCall() {
    if (device_) leave();
  }
  DeviceCall(const DeviceCall&) = delete;
  DeviceCall& operator=(const DeviceCall&) = delete;
  explicit operator bool() const noexcept { return open_; }
  [[noreturn, gnu::cold]] static void refuse(const Device& d);
  // Whether the calling thread is inside a device, in a callback of a user op's kernel for example.
  static bool here() noexcept;

 private:
  bool enter(const Device& d, bool may_fail) noexcept;
  void leave() noexcept;
  const Device* device_ = nullptr;   // the one that counts this call
  DevicesInside* thread_ = nullptr;  // the list of the thread that made it, which ends it too
  bool open_ = true;
};

// The calling thread's current stream of the device. A host's is always its default stream.
Stream& current_stream_of_accelerator(Device& d) noexcept;
inline Stream& current_stream(Device& d) noexcept {
  return d.is_host() ? d.main() : current_stream_of_accelerator(d);
}
// Why a device of this generation is not alive: "opened before a fork" or "unloaded".
const char* why_closed(const Device& d) noexcept;
// Waits for all of the device's streams.
void synchronize(Device& d);
// For memory that changes hands at its release, which may come late: waits for the device's
// streams, or with `others` for whatever other libraries queued there. Whoever waits for the
// device next reports what it met. A closed device and a program that ends use nothing, so there
// is no wait.
void await_before_release(Device& d, bool others) noexcept;
// When status < 0, throws what a plugin left in err, marked FROM_PLUGIN and with the device's
// label. `err` is taken by reference because it is evaluated before the call that sets it. The
// first report of a lost device is kept, and later ones repeat it.
void check_plugin(const Device& d, bp_status status, bp_error* const& err, const char* what);

// ---- for those that load and end backends, under loader_mutex() ----
// Opens a device of a loaded backend, with its default stream and its memory. Throws what the
// plugin reports; the device then stays closed.
void open_device(Device& d);
// Gives pinned memory back. It comes before any device is closed, because blocks may wait for marks
// of other devices.
void close_pinned(Backend& b) noexcept;
// Closes the devices of a backend that has left the registry. Returns false when a host's device
// stays open for its live blocks; the plugin must then stay open too.
bool close_devices(Backend& b) noexcept;
// Whether no handle refers to a closed device or to a stream of it.
bool is_unused(Device& d) noexcept;
// Refuses the calls of other threads than a shutdown's, or admits them again when it gave up.
void refuse_calls(Device& d, bool refused) noexcept;
bool has_calls(const Device& d) noexcept;  // of any thread, under way
// Says, while it lives, that this thread shuts the runtime down.
class ShutdownThread {
 public:
  ShutdownThread() noexcept;
  ~ShutdownThread();
  ShutdownThread(const ShutdownThread&) = delete;
  ShutdownThread& operator=(const ShutdownThread&) = delete;
};
// Forgets the calls that other threads had under way, which a forked child does not have.
void forget_other_threads(Device& d) noexcept;
void lock_for_fork(Device& d) noexcept;
void unlock_after_fork(Device& d) noexcept;
void lose_in_fork(Backend& b) noexcept;

}  // namespace bp
