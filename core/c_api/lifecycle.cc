// SPDX-License-Identifier: Apache-2.0
#include "core/c_api/lifecycle.h"

#include <pthread.h>

#include <chrono>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "core/backend/handshake.h"
#include "core/backend/registry.h"
#include "core/backend/resolve.h"
#include "core/base/error.h"
#include "core/base/locks.h"
#include "core/call/kept.h"
#include "core/call/launch.h"
#include "core/device/collective.h"
#include "core/device/device.h"
#include "core/device/plugin_call.h"
#include "core/device/queue_trace.h"
#include "core/device/thread_cache.h"
#include "core/group/device_way.h"
#include "core/group/engine.h"
#include "core/memory/holders.h"
#include "core/process/context.h"
#include "core/process/fallback.h"
#include "core/process/runtime.h"
#include "core/process/trace.h"
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

// The open devices that are to end: a backend's, or all of them when it is nullptr.
void each_ending(const Backend* only, const std::function<void(Device&)>& visit) {
  each_open_device([&](Device& d) {
    if (!only || d.backend == only) visit(d);
  });
}

void go_on(const Backend* only) {
  each_ending(only, [](Device& d) { refuse_calls(d, false); });
}

// From now on other threads' calls of the devices are refused. Returns whether those under way
// ended in time. It lets go of the lock while it waits, because what they call may want it.
bool calls_end(const Backend* only, std::unique_lock<std::recursive_mutex>& lock,
               Clock::time_point deadline) {
  for (;;) {
    bool any = false;
    each_ending(only, [&](Device& d) {
      refuse_calls(d, true);
      any |= has_calls(d);
    });
    if (!any) return true;
    each_ending(only, [](Device& d) { collectives(*d.backend).drop_lost(); });
    lock.unlock();
    const bool late = Clock::now() >= deadline;
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    lock.lock();
    if (late) return false;
  }
}

bool wait_for_devices(const Backend* only, bool for_ever, Clock::time_point deadline) {
  bool done = true;
  each_ending(only, [&](Device& d) {
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

// A backend that was closed, and the generation and the time since then.
struct Shell {
  std::unique_ptr<Backend> backend;
  uint32_t since;
  Clock::time_point closed;
};
// Guarded by loader_mutex(), never destroyed.
std::vector<Shell>& shells() {
  static auto& list = *new std::vector<Shell>;
  return list;
}

// A profile that goes on ties the queues that are left to its clock anew.
void let_go_of_queues() noexcept {
  if (!keeps_profile()) return;
  settle_queues(Settle::kPassed);
  forget_queues();
}

// A group whose handle is gone is left soon.
void refuse_groups_in_use(const Backend& b) {
  const Clock::time_point end = Clock::now() + std::chrono::seconds(1);
  while (n_groups(b) && Clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (const size_t n = n_groups(b))
    fail(BP_BAD_STATE, "{} cannot be unloaded: {} of it {} in use; release {} first", b.name,
         n == 1 ? "a group" : fmt::format("{} groups", n), n == 1 ? "is" : "are",
         n == 1 ? "it" : "them");
}

void refuse_within_call(const char* what) {
  if (DeviceCall::here()) fail(BP_BAD_STATE, "{} by what a device's kernel calls", what);
}

// Tensors of the cpu's may lie in pinned memory, and those of a kind that computes in the host's
// memory in its own. They cannot be told that it is gone.
void refuse_host_memory_in_use(const Backend& b) {
  uint64_t n = 0;
  for (const auto& d : b.devices) {
    if (!d->alive()) continue;
    d->trim();
    if (d->is_host()) n += d->memory_stats().n_live;
    if (d->pinned) n += d->pinned->stats().n_live;
  }
  if (n)
    fail(BP_BAD_STATE,
         "{} cannot be unloaded: {} of the host's memory that it gave {} in use; release the "
         "tensors there first",
         b.name, n == 1 ? "a block" : fmt::format("{} blocks", n), n == 1 ? "is" : "are");
}

// Ends the shells that no handle refers to, when so many generations and so much time have passed
// that threads which were on their way out of them have left. A host's device that stayed open for
// blocks of it is closed first when these are gone.
void end_unused_shells() noexcept {
  constexpr uint32_t kGenerations = 64;
  static constexpr auto kTime = std::chrono::milliseconds(250);
  std::erase_if(shells(), [](Shell& shell) {
    Backend& b = *shell.backend;
    if (b.lost_in_fork || generation() - shell.since < kGenerations ||
        Clock::now() - shell.closed < kTime)
      return false;
    if (b.plugin) {
      if (close_devices(b) && n_groups(b) == 0) {
        part_from(b);
        shell.since = generation();
        shell.closed = Clock::now();
      }
      return false;
    }
    for (const auto& d : b.devices)
      if (!is_unused(*d)) return false;
    for (const auto& d : b.devices) d->each_stream([](Stream& s) { forget_in_thread_caches(s); });
    return true;
  });
}

// What has left the registry must become shells: room for it is made before.
void make_room_for_shells() {
  size_t n = 0;
  each_backend([&](Backend&) { ++n; });
  shells().reserve(shells().size() + n);
}

// Closes what has left the registry and keeps it as shells. make_room_for_shells() came before.
void close_backends(std::vector<std::unique_ptr<Backend>> backends) noexcept {
  for (auto& b : backends) {
    if (b->lost_in_fork) continue;
    end_device_ways(*b);
    collectives(*b).close();
  }
  for (auto& b : backends) close_pinned(*b);
  for (auto& b : backends)  // a library that connects processes may not have come back
    if (close_devices(*b) && n_groups(*b) == 0) part_from(*b);
  end_unused_shells();
  for (auto& b : backends) shells().push_back({std::move(b), generation(), Clock::now()});
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
  forget_profile_in_child();
  lose_groups_in_child();
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
  refuse_within_call("the runtime cannot be shut down");
  for (const auto stop : stops().copy()) stop();
  forget_kept();
  let_go_of_queues();
  const ShutdownThread here;
  const Clock::time_point deadline = deadline_of(timeout_ns);
  std::unique_lock lock(loader_mutex());
  make_room_for_shells();
  std::vector<std::unique_ptr<Backend>> backends;
  try {
    if (!calls_end(nullptr, lock, deadline) ||
        !wait_for_devices(nullptr, timeout_ns < 0, deadline)) {
      go_on(nullptr);
      return false;
    }
    if (!is_running()) return true;
    backends = take_backends();
  } catch (...) {
    go_on(nullptr);
    throw;
  }
  unpublish_devices();
  end_generation();
  forget_profiles();
  static_cast<void>(followed_blocks());
  close_backends(std::move(backends));
  reset_transfers();
  set_process_fallback(BP_FALLBACK_INHERIT);
  set_process_default(0);
  set_default_dtype(BP_F32);
  end_log();
  return true;
}

bool unload(bp_kind kind, int64_t timeout_ns) {
  refuse_within_call("a kind cannot be unloaded");
  if (kind == BP_KIND_CPU)
    fail(BP_UNSUPPORTED,
         "the cpu cannot be unloaded: the library computes on it; bp_shutdown ends it");
  forget_kept();
  let_go_of_queues();
  const ShutdownThread here;
  const Clock::time_point deadline = deadline_of(timeout_ns);
  std::unique_lock lock(loader_mutex());
  Backend* b = loaded_backend(kind);
  if (b && b->lost_in_fork) require_backend(kind);  // throws
  make_room_for_shells();
  try {
    while (b) {
      if (!calls_end(b, lock, deadline) || !wait_for_devices(b, timeout_ns < 0, deadline)) {
        go_on(b);
        return false;
      }
      // Another thread may have ended it while the lock was let go.
      Backend* const now = loaded_backend(kind);
      if (now == b) break;
      b = now;
    }
    if (b) refuse_groups_in_use(*b);
    if (b) refuse_host_memory_in_use(*b);
    auto backends = take_backends(kind);
    unpublish_devices(kind);
    close_backends(std::move(backends));
  } catch (...) {
    if (b) go_on(b);
    throw;
  }
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
