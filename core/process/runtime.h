// SPDX-License-Identifier: Apache-2.0
// runtime.h: the state of the one runtime of this copy of the library: its options, the environment
// it may read, its log, its generation, its precision. It starts by itself when something needs it,
// or by start() with options. It ends by shutdown() (c_api/lifecycle.h), after which the next use
// starts anew and reads the environment again. Any thread may call these; whoever may load, open or
// close anything holds loader_mutex().
//
//   if (auto spec = read_env("BACKPLANE_ALIAS")) log(kLogInfo, "the aliases are {}", *spec);
#pragma once
#include <fmt/core.h>

#include <atomic>
#include <chrono>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "c_api.h"
#include "core/base/object.h"

namespace bp {

// What bp_init was given; empty strings and no values when the runtime started by itself.
struct Settings {
  uint32_t flags = 0;  // BP_INIT_*
  std::string plugin_dirs, allow;
  std::map<std::string, std::string> options;  // "kind.key" -> value
  std::optional<std::string> visible_devices, alias;
  const char* visible_source = "visible_devices of bp_init";  // what messages call it
};

// The one lock of loading, opening and closing. It is recursive, because a plugin may call back
// into its host's services.
std::recursive_mutex& loader_mutex() noexcept;

// Starts with options; throws BP_BAD_STATE when the runtime already runs. desc was
// checked (c_api/runtime.cc).
void start(const bp_init_desc& desc);
// Starts with the defaults unless the runtime already runs; cheap.
void ensure_started();
bool is_running() noexcept;
// Forgets options, threads and precision, and begins a new generation; then, when the plugins that
// still have something to say are closed, the log. Only shutdown() in c_api/lifecycle.cc calls
// these, under loader_mutex().
void end_generation() noexcept;
void end_log() noexcept;
// Only the fork handlers call these: the first before the fork, the second after it, on both sides.
void lock_runtime_for_fork() noexcept;
void unlock_runtime_after_fork(bool in_child) noexcept;

// Registers what shutdown() calls first, while everything still runs, to end threads that work with
// devices. This function and the next one are defined in c_api/lifecycle.cc.
void before_shutdown(void (*stop)() noexcept);
// Installs the fork handlers, once per process, before the first backend can be loaded.
void install_fork_handlers();
// Begins the profile that the environment asks for, if it does: defined in c_api/profile.cc, and
// called as a generation starts.
void begin_wanted_profile();

// The options of the running generation. The caller holds loader_mutex(), or reads `flags` only.
Settings& settings() noexcept;
bool uses_debug_allocator() noexcept;
bool runs_synchronously();  // BP_INIT_SYNCHRONOUS, or BACKPLANE_SYNCHRONOUS

// The one door to the environment. Returns nothing when the variable is not set or
// BP_INIT_NO_ENV was given.
std::optional<std::string> read_env(const char* name);
// The same for a variable that may name code to load, or a file to write: it returns nothing in a
// program that has rights that its caller lacks (secure_getenv(3)) either.
std::optional<std::string> read_secure_env(const char* name);

// What a thread calls while it waits for another one, about so often; it throws what ends the wait.
inline constexpr std::chrono::milliseconds kWaitStep{100};
void set_wait_callback(bp_wait_fn call, void* user);
void call_while_waiting();

enum : int32_t { kLogDebug = 0, kLogInfo = 1, kLogWarning = 2, kLogError = 3 };
// Hands the text to the application's callback, if there is one, and to stderr, if BACKPLANE_LOG
// asks for it.
void log_text(int32_t level, std::string_view text) noexcept;
// A line for which there is no memory is lost.
template <class... Args>
void log(int32_t level, fmt::format_string<Args...> text, Args&&... args) noexcept {
  try {
    log_text(level, fmt::format(text, std::forward<Args>(args)...));
  } catch (const std::bad_alloc&) {
  }
}

extern std::atomic<bp_precision> chosen_precision;
inline bp_precision matmul_precision() noexcept {
  return chosen_precision.load(std::memory_order_relaxed);
}
void set_matmul_precision(bp_precision p);
const char* status_name(bp_status status) noexcept;

}  // namespace bp
