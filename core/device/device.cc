// SPDX-License-Identifier: Apache-2.0
#include "core/device/device.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <thread>

#include "core/base/error.h"
#include "core/device/collective.h"
#include "core/device/plugin_call.h"
#include "core/device/queue_trace.h"
#include "core/device/thread_cache.h"
#include "core/process/context.h"
#include "core/process/runtime.h"

namespace bp {

// The one place that opens and closes devices.
struct DeviceDoor {
  static void open(Device& d);
  // Returns false when a host's device stays open, because blocks of it live.
  static bool close(Device& d) noexcept;
  // Returns the device's first report: this one, unless there was one before.
  static std::string first_failure(const Device& d, std::string report);
  static void lose(Device& d) noexcept {
    d.admits_.store(false);
    d.alive_.store(false, std::memory_order_release);
  }
  static std::mutex& backend_mutex(Device& d) noexcept { return d.backend_mutex_; }
  static void refuse_calls(Device& d, bool refused) noexcept { d.admits_.store(!refused); }
  static bool has_calls(const Device& d) noexcept { return d.n_inside_.load() != 0; }
  static void forget_other_threads(Device& d) noexcept { d.n_inside_.store(0); }
};

namespace {

// One variable, because each access to another costs a call of the dynamic linker's.
constinit thread_local DevicesInside inside_here;

thread_local bool shuts_down = false;

constexpr uint64_t kMostCached = uint64_t{4} << 30;
constexpr uint64_t kCachedWhenUnknown = uint64_t{1} << 30;

// Set at process exit: drivers may be gone, and the system takes their memory back anyhow.
std::atomic<bool> exiting{false};

// Registered after a plugin was opened, so it runs before that plugin's own exit handlers.
void watch_for_exit() {
  static const int registered = std::atexit([] {
    if (keeps_profile()) close_queues();  // while devices can still be asked
    exiting.store(true, std::memory_order_relaxed);
  });
  static_cast<void>(registered);
}

uint64_t cache_limit(const Device& d) {
  const uint64_t memory = d.props.memory_bytes;
  return memory ? std::min(memory / 4, kMostCached) : kCachedWhenUnknown;
}

// Threads keep small tensors for the one device on which a lock is felt.
void serve_threads(Device& d) noexcept {
  if (d.backend->kind != BP_KIND_CPU || d.index != 0) return;
  const bool may =
      !uses_debug_allocator() && d.main().pool->stats().limit_bytes >= ThreadCache::kMostInAll;
  serve_thread_caches(may ? &d.main() : nullptr);
}

template <class Api>
const Api* extension(const Backend& b, const char* id) {
  const auto* api =
      static_cast<const Api*>(call_plugin<&bp_plugin_api::extension>(b.api, b.plugin, id));
  return api && api->struct_size >= sizeof(Api) ? api : nullptr;
}

void read_extensions(Device& d) {
  const Backend& b = *d.backend;
  d.peers = extension<bp_peer_api>(b, "bp.peer/1");
  d.foreign = extension<bp_foreign_api>(b, BP_FOREIGN_ID);
  d.fuses = extension<bp_fuse_api>(b, BP_FUSE_ID);
  const auto* pinned = extension<bp_pinned_api>(b, "bp.pinned/1");
  if (pinned && !d.is_host()) d.pinned = std::make_unique<PinnedMemory>(d, *pinned);
}

}  // namespace

std::string DeviceDoor::first_failure(const Device& d, std::string report) {
  const std::lock_guard lock(d.failure_mutex_);
  if (!d.failure_.empty()) return fmt::format("{} failed earlier: {}", d.label, d.failure_);
  d.failure_ = report;
  return report;
}

// What needs memory comes first, so that no device is lost which the plugin has opened.
void DeviceDoor::open(Device& d) {
  Backend& b = *d.backend;
  if (!d.main_) {
    auto main = std::make_unique<Stream>(d);
    main->make_pool(cache_limit(d));
    const std::lock_guard lock(d.streams.mutex);
    d.streams.marks.reserve(kMostMarks);
    d.streams.all.push_back(std::move(main));
    d.main_ = d.streams.all.back().get();
  }
  if (!d.generator) d.generator = Ref<bp_generator>::adopt(new bp_generator(initial_seed()));
  d.synchronous = !d.is_host() && runs_synchronously();
  read_extensions(d);
  bp_error* err = nullptr;
  bp_pdev* handle = nullptr;
  bp_status status =
      call_plugin<&bp_plugin_api::device_open>(b.api, b.plugin, static_cast<uint32_t>(d.physical),
                                               static_cast<uint64_t>(d.value), &handle, &err);
  check_plugin(d, status, err, "opening the device");
  if (!handle) fail(BP_INTERNAL, "{}: device_open succeeded without a device", d.label);
  bp_pstream* queue = nullptr;
  err = nullptr;
  status = call_plugin<&bp_plugin_api::stream_open>(b.api, handle, /*priority=*/0, &queue, &err);
  if (status < 0 || !queue) {
    call_plugin<&bp_plugin_api::device_close>(b.api, handle);
    check_plugin(d, status < 0 ? status : BP_INTERNAL, err, "opening a stream");
  }
  bp_error_release(err);
  d.handle = handle;
  d.main_->queue = queue;
  watch_for_exit();
  d.alive_.store(true, std::memory_order_release);
  d.admits_.store(true);
  serve_threads(d);
  log(kLogDebug, "{}: opened", d.label);
}

// Handles stay as they are, because a thread that is refused may read them before.
bool DeviceDoor::close(Device& d) noexcept {
  // Late releases of a host's blocks go straight to the plugin.
  if (d.is_host()) d.each_stream([](Stream& s) { s.pool->set_limit(0); });
  d.trim();
  {
    const std::lock_guard lock(d.backend_mutex_);
    if (d.is_host() && d.n_blocks_ != 0) return false;
    d.alive_.store(false);
  }
  while (has_calls(d)) std::this_thread::sleep_for(std::chrono::microseconds(20));
  // From here on no thread is on its way to the plugin.
  while (bp_pevent* e = take_open_event(d.streams))
    call_plugin<&bp_plugin_api::event_close>(d.backend->api, e);
  std::vector<bp_pevent*> marks;
  {
    const std::lock_guard lock(d.streams.mutex);
    marks.swap(d.streams.marks);
  }
  for (bp_pevent* e : marks) call_plugin<&bp_plugin_api::event_close>(d.backend->api, e);
  d.each_stream(
      [&](Stream& s) { call_plugin<&bp_plugin_api::stream_close>(d.backend->api, s.queue); });
  call_plugin<&bp_plugin_api::device_close>(d.backend->api, d.handle);
  log(kLogDebug, "{}: closed", d.label);
  return true;
}

// The order of both sides makes sure that one sees the other: here the count, then the permission;
// in a shutdown the permission, then the count.
bool DeviceCall::enter(const Device& d, bool may_fail) noexcept {
  DevicesInside& here = inside_here;
  d.n_inside_.fetch_add(1);
  // A thread that is inside already ends what it began: what it queued may use memory of its own.
  if (!d.admits_.load() && !((shuts_down || !may_fail) && d.alive_.load()) && !here.has(d)) {
    d.n_inside_.fetch_sub(1);
    return false;
  }
  device_ = &d;
  thread_ = &here;
  here.add(d);
  return true;
}

void DeviceCall::leave() noexcept {
  thread_->remove(*device_);
  device_->n_inside_.fetch_sub(1, std::memory_order_release);
}

bool DeviceCall::here() noexcept { return inside_here.n_calls != 0; }

void DeviceCall::refuse(const Device& d) {
  fail(BP_BAD_STATE, "{} was {}", d.label, d.backend->lost_in_fork ? why_closed(d) : "closed");
}

const char* why_closed(const Device& d) noexcept {
  return d.backend->lost_in_fork ? "opened before a fork" : "unloaded";
}

void* Device::allocate(uint64_t bytes, Stream& asks) {
  for (bool again = false;; again = true) {
    bp_error* err = nullptr;
    void* p = nullptr;
    bp_status status;
    {
      const std::lock_guard lock(backend_mutex_);
      if (!alive()) fail(BP_BAD_STATE, "{} was closed", label);
      status = call_plugin<&bp_plugin_api::mem_alloc>(backend->api, handle, bytes, &p, &err);
      if (status >= 0 && !err && p) ++n_blocks_;
    }
    if (status >= 0 && !err && p) return p;
    const bool exhausted =
        status >= 0 || status == BP_OUT_OF_DEVICE_MEMORY || status == BP_OUT_OF_HOST_MEMORY;
    if (exhausted && !again) {
      bool kept = false;
      each_stream([&](Stream& s) {
        if (&s == &asks || s.pool->stats().cached_bytes == 0) return;
        kept = true;
        s.pool->trim();
      });
      if (kept) {
        bp_error_release(err);
        continue;
      }
    }
    if (!exhausted || is_host()) check_plugin(*this, status, err, "allocating memory");
    uint64_t left = 0, total = 0;
    const DeviceCall inside(*this, std::nothrow);
    const bool known = inside &&
                       call_plugin<&bp_plugin_api::memory_info>(backend->api, handle, &left, &total,
                                                                nullptr) == BP_OK &&
                       left <= total;
    const std::string room = known ? fmt::format("{} of {} bytes are free", left, total)
                                   : "how much is free is not known";
    const std::string said = bp_error_message(err, nullptr);
    bp_error_release(err);
    fail(is_host() ? BP_OUT_OF_HOST_MEMORY : BP_OUT_OF_DEVICE_MEMORY, "{}: {}{}{}", label, room,
         said.empty() ? "" : "; ", said);
  }
}

void Device::release(void* p, uint64_t bytes, Stream& owner) noexcept {
  if (!is_host() && exiting.load(std::memory_order_relaxed)) return;
  if (!alive()) return;
  const std::lock_guard lock(backend_mutex_);
  if (!alive()) return;
  // Whoever waits for the device next reports an error of it.
  if (!is_host()) {
    const TraceMute unseen;  // before a fork the profile's lock is taken before this one
    await_queue(owner, nullptr);
  }
  call_plugin<&bp_plugin_api::mem_free>(backend->api, handle, p, bytes);
  --n_blocks_;
}

namespace {

bp_memory_stats stats_of(const Stream& s) {
  const ThreadCacheStats threads = thread_cache_stats(s);
  bp_memory_stats stats = s.pool->stats();
  stats.allocated_bytes -= std::min(stats.allocated_bytes, threads.kept_bytes);
  stats.cached_bytes += threads.kept_bytes;
  stats.n_allocations += threads.n_taken;
  stats.n_frees += threads.n_taken + threads.n_kept;
  stats.n_live -= std::min(stats.n_live, threads.n_kept);
  if (s.segments) stats.reserved_bytes = s.segments->reserved_bytes();
  return stats;
}

}  // namespace

bp_memory_stats Device::memory_stats() {
  bp_memory_stats sum = stats_of(main());
  each_stream([&](Stream& s) {
    if (&s == &main()) return;
    const bp_memory_stats one = stats_of(s);
    sum.allocated_bytes += one.allocated_bytes;
    sum.reserved_bytes += one.reserved_bytes;
    sum.cached_bytes += one.cached_bytes;
    sum.limit_bytes += one.limit_bytes;
    sum.n_allocations += one.n_allocations;
    sum.n_frees += one.n_frees;
    sum.n_backend_allocations += one.n_backend_allocations;
    sum.n_backend_frees += one.n_backend_frees;
    sum.n_live += one.n_live;
    sum.n_guard_faults += one.n_guard_faults;
  });
  if (!is_host()) sum.peak_allocated_bytes = memory_total.peak.load(std::memory_order_relaxed);
  if (pinned) {
    const bp_memory_stats host = pinned->stats();
    sum.pinned_bytes = host.allocated_bytes;
    sum.pinned_cached_bytes = host.cached_bytes;
    sum.n_guard_faults += host.n_guard_faults;
  }
  return sum;
}

void Device::reset_peak() noexcept {
  empty_thread_cache();
  each_stream([](Stream& s) { s.pool->reset_peak(); });
  memory_total.reset_peak();
}

void Device::trim() noexcept {
  empty_thread_cache();
  each_stream([](Stream& s) { s.pool->trim(); });
  if (pinned) pinned->trim();
}

void Device::set_cache_limit(uint64_t bytes) noexcept {
  empty_thread_cache();
  each_stream([&](Stream& s) { s.pool->set_limit(bytes); });
  serve_threads(*this);
}

Stream& current_stream_of_accelerator(Device& d) noexcept {
  Stream* s = context_stream(d.value);
  return s && s->device == &d ? *s : d.main();
}

void synchronize(Device& d) {
  const DeviceCall inside(d);
  d.each_stream([](Stream& s) { synchronize(s); });
}

void await_before_release(Device& d, bool others) noexcept {
  if (d.is_host() || !d.alive() || exiting.load(std::memory_order_relaxed)) return;
  if (others) {
    await_others(d, nullptr);
    return;
  }
  try {
    d.each_stream([](Stream& s) { await_queue(s, nullptr); });
  } catch (const std::bad_alloc&) {  // the list of streams could not be made
    await_queue(d.main(), nullptr);
  }
}

void check_plugin(const Device& d, bp_status status, bp_error* const& err, const char* what) {
  if (status >= 0) return bp_error_release(err);
  const bool explained = *bp_error_message(err, nullptr) != 0;
  std::string text = fmt::format("{}: {}: {}", d.label, what,
                                 explained ? bp_error_message(err, nullptr) : status_name(status));
  uint32_t flags = bp_error_flags(err) | BP_ERROR_FROM_PLUGIN;
  if (status == BP_DEVICE_LOST) {
    if (!d.synchronous) flags |= BP_ERROR_ASYNC;
    text = DeviceDoor::first_failure(d, std::move(text));
    collectives(*d.backend).forget(d);
  }
  bp_error_release(err);
  throw Error(status, text, flags);
}

void close_pinned(Backend& b) noexcept {
  for (const auto& d : b.devices)
    if (d->alive() && d->pinned) d->pinned->close();
}

bool close_devices(Backend& b) noexcept {
  bool all = true;
  for (const auto& d : b.devices) {
    if (d->alive() && !DeviceDoor::close(*d)) all = false;
  }
  return all && !b.lost_in_fork;
}

bool is_unused(Device& d) noexcept {
  if (d.alive() || has_calls(d) || d.n_guests.load(std::memory_order_acquire)) return false;
  uint64_t n_blocks = 0;
  const std::lock_guard lock(d.streams.mutex);
  if (d.streams.all.empty()) return true;
  for (const auto& s : d.streams.all) n_blocks += s->pool->stats().n_live;
  return n_blocks == d.n_late.load(std::memory_order_acquire) && d.main().refs.load() == 1 &&
         d.streams.idle.size() == d.streams.all.size() - 1;
}

void lock_for_fork(Device& d) noexcept {
  d.streams.mutex.lock();
  if (d.pinned) d.pinned->before_fork();
  for (const auto& s : d.streams.all) {
    s->pool->before_fork();
    if (s->segments) s->segments->before_fork();
  }
  DeviceDoor::backend_mutex(d).lock();
}

void unlock_after_fork(Device& d) noexcept {
  DeviceDoor::backend_mutex(d).unlock();
  for (const auto& s : d.streams.all) {
    if (s->segments) s->segments->after_fork();
    s->pool->after_fork();
  }
  if (d.pinned) d.pinned->after_fork();
  d.streams.mutex.unlock();
}

void open_device(Device& d) { DeviceDoor::open(d); }

ShutdownThread::ShutdownThread() noexcept { shuts_down = true; }
ShutdownThread::~ShutdownThread() { shuts_down = false; }

void refuse_calls(Device& d, bool refused) noexcept { DeviceDoor::refuse_calls(d, refused); }

bool has_calls(const Device& d) noexcept { return DeviceDoor::has_calls(d); }

void forget_other_threads(Device& d) noexcept { DeviceDoor::forget_other_threads(d); }

void lose_in_fork(Backend& b) noexcept {
  b.lost_in_fork.store(true);
  for (const auto& d : b.devices) DeviceDoor::lose(*d);
}

}  // namespace bp
