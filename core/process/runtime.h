// runtime.h: the state of the one runtime of this copy of the library: its options, the environment
// it may read, its log, its generation, its threads, its precision. Starts by itself when something
// needs it, or by start() with options; ends by shutdown() (lifecycle.h), after which the next use
// starts anew and reads the environment again. Any thread. What may load, open or close anything
// holds loader_mutex().
//
//   if (auto spec = read_env("BACKPLANE_ALIAS")) ...
//   log(kLogWarning, "the plugin says {}", text);
#pragma once
#include <fmt/core.h>

#include <atomic>
#include <map>
#include <mutex>
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
  const char* visible_source = "visible_devices of bp_init";  // how messages call the former
};

// The one lock of loading, opening and closing. Recursive, because a plugin may call back into its
// host services.
std::recursive_mutex& loader_mutex() noexcept;

// Starts with options; BP_BAD_STATE when it runs already. desc is valid (see c_api/runtime.cc).
void start(const bp_init_desc& desc);
// Starts with the defaults unless it runs; cheap.
void ensure_started();
bool is_running() noexcept;
// Forgets options, log, threads and precision, and begins a new generation. Only lifecycle.cc calls
// this.
void end_generation() noexcept;
// Only the fork handlers call these, in this order around the fork.
void lock_runtime_for_fork() noexcept;
void unlock_runtime_after_fork(bool in_child) noexcept;

// Registers what shutdown calls first, while everything still runs: it ends threads that work with
// devices. Defined in core/c_api/lifecycle.cc, like the next one.
void before_shutdown(void (*stop)() noexcept);
// Once per process, before the first backend can be loaded.
void install_fork_handlers();

// Options of the running generation. Callers hold loader_mutex(), or read `flags` only.
Settings& settings() noexcept;
bool uses_debug_allocator() noexcept;
bool runs_synchronously();  // BP_INIT_SYNCHRONOUS, or BACKPLANE_SYNCHRONOUS

// THE door to the environment: nothing when the variable is unset or BP_INIT_NO_ENV was given.
std::optional<std::string> read_env(const char* name);
// The same for what names code to load: also nothing in a set-user-id program.
std::optional<std::string> read_secure_env(const char* name);

enum : int32_t { kLogDebug = 0, kLogInfo = 1, kLogWarning = 2, kLogError = 3 };
// To the application's callback, or nowhere.
void log_text(int32_t level, std::string_view text) noexcept;
template <class... Args>
void log(int32_t level, fmt::format_string<Args...> text, Args&&... args) {
  log_text(level, fmt::format(text, std::forward<Args>(args)...));
}

int32_t num_threads() noexcept;
void set_num_threads(int32_t n);
extern std::atomic<bp_precision> chosen_precision;
inline bp_precision matmul_precision() noexcept {
  return chosen_precision.load(std::memory_order_relaxed);
}
void set_matmul_precision(bp_precision p);
const char* status_name(bp_status status) noexcept;

}  // namespace bp
