// device.h: backends and their devices, as the rest of the core uses them. A Backend is a plugin
// that is ready; a Device is one of its visible devices, opened on first use. Pointers to them, and
// to a device's streams, stay valid for ever: after a shutdown or a fork they are kept as shells
// whose alive() is false, so that a late release from any thread finds something to ask. Whoever
// keeps a Device* asks alive() before using its handle or streams; a new tensor's device is alive.
//
//   Device& d = resolve_device(bp_device_make(BP_KIND_CPU, -1));  // core/backend/resolve.h
//   void* p = current_stream(d).pool->allocate(1024);
#pragma once
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "c_plugin.h"
#include "c_plugin_foreign.h"
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

struct Backend {
  bp_kind kind = 0;           // under which it is offered (an alias's kind when aliased)
  std::string name;           // of that kind
  std::string version;        // the plugin's
  std::string plugin_kind;    // the plugin's own kind: differs from name when aliased
  std::string mask_variable;  // environment variable that the driver itself applies; "" when none
  std::vector<Physical> physical;
  std::string mask_error;  // a malformed mask: nothing is visible, and this says why
  std::vector<EnvValue> masks_at_freeze;
  std::string late_change;  // a mask that changed after the freeze; "" when none did
  // Set when the first device is opened: from then on `devices` and `physical` never change.
  // Before, they follow the masks and belong to loader_mutex().
  std::atomic<bool> frozen{false};
  std::atomic<bool> lost_in_fork{false};
  std::shared_ptr<void> host_state;  // what host.self points to
  uint32_t flags = 0;                // BP_PLUGIN_FORK_SAFE ...
  bp_plugin* plugin = nullptr;
  bp_plugin_api api{};  // padded: no slot is NULL
  bp_host host{};
  std::vector<std::unique_ptr<Device>> devices;  // visible ones, in logical order; opened lazily
  // [op * BP_DTYPE_COUNT + dtype] -> record or nullptr. Filled once, before the backend is
  // published.
  std::array<const bp_kernel*, kMaxBuiltinOp * BP_DTYPE_COUNT> kernels{};

  const bp_kernel* kernel(uint32_t op, bp_dtype dtype) const {
    return kernels[op * BP_DTYPE_COUNT + static_cast<uint32_t>(dtype)];
  }
};

struct Device final {
  Backend* backend = nullptr;
  bp_device value = 0;  // kind and logical index; the cpu's is "cpu", without one
  int32_t index = 0;    // logical
  int32_t physical = 0;
  uint32_t flags = 0;  // BP_DEVICE_SIMULATED, BP_DEVICE_HOST_MEMORY
  bp_device_props props{};
  bp_pdev* handle = nullptr;  // set when opened
  MemoryTotal memory_total;   // of an accelerator's streams
  Streams streams;
  std::unique_ptr<PinnedMemory> pinned;  // nullptr: the backend has none
  const bp_peer_api* peers = nullptr;    // nullptr: no device of the backend reaches another
  // nullptr: the backend knows nothing of other libraries' memory
  const bp_foreign_api* foreign = nullptr;
  Ref<bp_generator> generator;
  std::string label;  // "cuda:0", "cpu"

  // Opened, not closed by a shutdown, not lost in a fork.
  bool alive() const noexcept { return alive_.load(std::memory_order_acquire); }
  bool is_host() const { return flags & BP_DEVICE_HOST_MEMORY; }
  bool synchronous = false;          // each op waits for it
  std::atomic<uint64_t> n_waits{0};  // times that a caller stood still until its work was done
  // The default stream; there since the device was first opened.
  Stream& main() const { return *main_; }
  // For streams: memory of the backend's. When it is exhausted, what other streams keep for reuse
  // is given back first.
  void* allocate(uint64_t bytes, Stream& asks);
  // When the work of `owner` is done.
  void release(void* p, uint64_t bytes, Stream& owner) noexcept;
  // Of all streams.
  bp_memory_stats memory_stats();
  void trim() noexcept;
  void set_cache_limit(uint64_t bytes) noexcept;  // each stream's
  void reset_peak() noexcept;
  void each_stream(const std::function<void(Stream&)>& visit);

 private:
  friend struct DeviceDoor;  // device.cc: opens, closes, keeps the first failure
  Stream* main_ = nullptr;
  std::atomic<bool> alive_{false};
  mutable std::mutex failure_mutex_;
  mutable std::string failure_;  // the first report of a device that is lost
  std::mutex backend_mutex_;     // a block on its way to or from the plugin keeps close out
};

// The calling thread's current stream of the device; a host's is always its default stream.
Stream& current_stream_of_accelerator(Device& d) noexcept;
inline Stream& current_stream(Device& d) noexcept {
  return d.is_host() ? d.main() : current_stream_of_accelerator(d);
}
// Waits for all of the device's streams.
void synchronize(Device& d);
// Before memory changes hands at its release, which may come late: waits for the device's streams,
// or for whatever others queued there. What a device met is reported by whoever waits for it next;
// one that is closed, or a program that ends, uses nothing.
void await_before_release(Device& d, bool others) noexcept;
// Throws what a plugin left in err, marked FROM_PLUGIN and with the device's label, when status <
// 0. err by reference, so that it is read after the call among the arguments that sets it. Of a
// device that is lost the first report is kept: later ones say it again.
void check_plugin(const Device& d, bp_status status, bp_error* const& err, const char* what);

// ---- for those that load and end backends, under loader_mutex() ----
// Opens a device of a loaded backend, its default stream and its memory; throws what the plugin
// reports, and the device is then closed as before.
void open_device(Device& d);
// Gives pinned memory back, before any device is closed: its blocks may wait for marks of other
// devices.
void close_pinned(Backend& b) noexcept;
// Closes the devices of a backend that has left the registry. False when one of host memory stays
// open for its live blocks: the plugin must then stay open too.
bool close_devices(Backend& b) noexcept;
void hold_for_fork(Device& d) noexcept;
void free_after_fork(Device& d) noexcept;
void lose_in_fork(Backend& b) noexcept;

}  // namespace bp
