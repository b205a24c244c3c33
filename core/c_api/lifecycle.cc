// SPDX-License-Identifier: Apache-2.0
#include "core/c_api/lifecycle.h"

#include <pthread.h>

#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "core/backend/handshake.h"
#include "core/backend/registry.h"
#include "core/base/locks.h"
#include "core/call/launch.h"
#include "core/device/collective.h"
#include "core/device/device.h"
#include "core/device/plugin_call.h"
#include "core/device/thread_cache.h"
#include "core/process/context.h"
#include "core/process/runtime.h"
#include "core/process/transfer_statistics.h"
#include "core/value/dtype.h"

namespace bp {
namespace {

using Clock = std::chrono::steady_clock;

// Polls, because a stream can only be waited for without a limit. A device that reports an error is
// done, and those that exchange data with it must not wait for it.
bool finishes_by(Device& d, Clock::time_point deadline) {
  bool done = true;
  d.each_stream([&](Stream& s) {
    while (done) {
      bp_error* err = nullptr;
      const bp_status status =
          call_plugin<&bp_plugin_api::stream_query>(d.backend->api, s.queue, &err);
      bp_error_release(err);
      if (status != BP_NOT_READY) return;
      collectives(*d.backend).drop_lost();
      done = Clock::now() < deadline;
      if (done) std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  });
  return done;
}

// Far deadlines would overflow the clock.
Clock::time_point deadline_of(int64_t timeout_ns) {
  constexpr int64_t kYear = int64_t{365} * 24 * 3600 * 1000000000;
  return Clock::now() +
         std::chrono::nanoseconds(timeout_ns >= 0 && timeout_ns < kYear ? timeout_ns : kYear);
}

// From now on other threads' calls of devices are refused. Returns whether those under way ended
// in time. It lets go of the lock while it waits, because what they call may want it.
bool calls_end(std::unique_lock<std::recursive_mutex>& lock, Clock::time_point deadline) {
  for (;;) {
    bool any = false;
    each_open_device([&](Device& d) {
      refuse_calls(d, true);
      any |= has_calls(d);
    });
    if (!any) return true;
    each_open_device([](Device& d) { collectives(*d.backend).drop_lost(); });
    lock.unlock();
    const bool late = Clock::now() >= deadline;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    lock.lock();
    if (late) return false;
  }
}

bool wait_for_devices(bool for_ever, Clock::time_point deadline) {
  bool done = true;
  each_open_device([&](Device& d) {
    if (!done) return;
    if (!for_ever || collectives(*d.backend).any()) {
      done = finishes_by(d, deadline);
      return;
    }
    d.each_stream([&](Stream& s) {
      bp_error* err = nullptr;
      call_plugin<&bp_plugin_api::stream_sync>(d.backend->api, s.queue, &err);
      bp_error_release(err);
    });
  });
  return done;
}

struct Stops {
  std::mutex& mutex = leaf_mutexes.of(this);
  std::vector<void (*)() noexcept> all;
  std::vector<void (*)() noexcept> copy() {
    const std::lock_guard lock(mutex);
    return all;
  }
};
Stops& stops() {
  static auto& list = *new Stops;
  return list;
}

// A backend of an earlier generation, and the generation that began when it ended.
struct Shell {
  std::unique_ptr<Backend> backend;
  uint32_t since;
};
// Guarded by loader_mutex(), never destroyed.
std::vector<Shell>& shells() {
  static auto& list = *new std::vector<Shell>;
  return list;
}

// Ends the shells that no handle refers to, when several generations have passed in which threads
// that were on their way out of them could leave. A host's device that stayed open for blocks of it
// is closed first when these are gone.
void end_unused_shells() noexcept {
  constexpr uint32_t kGenerations = 4;
  std::erase_if(shells(), [](Shell& shell) {
    Backend& b = *shell.backend;
    if (b.lost_in_fork || generation() - shell.since < kGenerations) return false;
    if (b.plugin) {
      if (close_devices(b)) {
        part_from(b);
        shell.since = generation();
      }
      return false;
    }
    for (const auto& d : b.devices)
      if (!is_unused(*d)) return false;
    for (const auto& d : b.devices) d->each_stream([](Stream& s) { forget_in_thread_caches(s); });
    return true;
  });
}

void each_device_with_locks(void (*visit)(Device&) noexcept) {
  each_open_device(visit);
  for (const Shell& shell : shells())
    for (const auto& d : shell.backend->devices)
      if (d->alive()) visit(*d);
}

// Gradients come first, because ops run within their locks.
void before_fork() {
  gradient_mutexes.lock_all();
  lock_runtime_for_fork();
  leaf_mutexes.lock_all();
  lock_thread_caches();
  each_device_with_locks(lock_for_fork);
}

void after_fork_in_parent() {
  each_device_with_locks(unlock_after_fork);
  unlock_thread_caches();
  leaf_mutexes.unlock_all();
  unlock_runtime_after_fork(/*in_child=*/false);
  gradient_mutexes.unlock_all();
}

void after_fork_in_child() {
  // The mutex comes first: its recorded owner is a thread of the parent's.
  unlock_runtime_after_fork(/*in_child=*/true);
  n_forks.fetch_add(1);
  leaf_mutexes.unlock_all();
  gradient_mutexes.unlock_all();
  unlock_thread_caches();
  each_device_with_locks(unlock_after_fork);
  each_device_with_locks(forget_other_threads);
  each_backend([](Backend& b) {
    if (b.flags & BP_PLUGIN_FORK_SAFE) return;
    lose_in_fork(b);
    lose_collectives(b);
  });
}

}  // namespace

void before_shutdown(void (*stop)() noexcept) {
  const std::lock_guard lock(stops().mutex);
  stops().all.push_back(stop);
}

bool shutdown(int64_t timeout_ns) {
  if (DeviceCall::here())
    fail(BP_BAD_STATE, "the runtime cannot be shut down by what a device's kernel calls");
  for (const auto stop : stops().copy()) stop();
  const ShutdownThread here;
  const Clock::time_point deadline = deadline_of(timeout_ns);
  std::unique_lock lock(loader_mutex());
  if (!calls_end(lock, deadline) || !wait_for_devices(timeout_ns < 0, deadline)) {
    each_open_device([](Device& d) { refuse_calls(d, false); });
    return false;
  }
  if (!is_running()) return true;
  auto backends = take_backends();
  unpublish_devices();
  end_generation();
  for (auto& b : backends)
    if (!b->lost_in_fork) collectives(*b).close();
  for (auto& b : backends) close_pinned(*b);
  for (auto& b : backends)
    if (close_devices(*b)) part_from(*b);
  end_unused_shells();
  for (auto& b : backends) shells().push_back({std::move(b), generation()});
  reset_transfers();
  set_process_default(0);
  set_default_dtype(BP_F32);
  end_log();
  return true;
}

void install_fork_handlers() {
  static const int installed = [] {
    // What the first call of a function makes and every call reads is made now: a child that is
    // forked while another thread makes it would wait for that thread for ever.
    op_table();
    prepare_short_path();
    reset_transfers();
    return ::pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  }();
  static_cast<void>(installed);
}

}  // namespace bp
