// SPDX-License-Identifier: Apache-2.0
#include "core/process/runtime.h"

#include <stdlib.h>

#include <atomic>
#include <cstddef>
#include <new>

#include "core/base/error.h"
#include "core/process/stderr_log.h"
#include "core/process/threads.h"
#include "core/process/trace.h"

namespace bp {

std::atomic<bp_precision> chosen_precision{BP_PRECISION_HIGHEST};

namespace {

struct State {
  std::recursive_mutex mutex;
  Settings settings;
  // These are read without the mutex, because any thread of a plugin may log.
  std::atomic<bp_log_fn> log{nullptr};
  std::atomic<void*> log_user{nullptr};
  std::atomic<bp_wait_fn> wait{nullptr};
  std::atomic<void*> wait_user{nullptr};
  std::atomic<uint32_t> flags{0};
  std::atomic<bool> running{false};
};

State& state() noexcept {
  // It is never destroyed, because releases and log lines may come at exit.
  alignas(State) static std::byte room[sizeof(State)];
  static State& s = *new (room) State;
  return s;
}

const char* text(const char* s) { return s ? s : ""; }

// What the environment asks for from the beginning on.
void begin_generation() {
  choose_stderr_log(read_env("BACKPLANE_LOG"));
  const std::string wrong = show_spans_to(read_secure_env("BACKPLANE_RANGES").value_or(""));
  if (!wrong.empty()) log(kLogWarning, "BACKPLANE_RANGES: {}", wrong);
  begin_wanted_profile();
}

// Parses "null.device_count=4;cpu.isa=avx2".
std::map<std::string, std::string> parse_options(std::string_view list) {
  std::map<std::string, std::string> options;
  while (!list.empty()) {
    const size_t end = list.find(';');
    const std::string_view item = list.substr(0, end);
    list = end == std::string_view::npos ? "" : list.substr(end + 1);
    if (item.empty()) continue;
    const size_t equals = item.find('=');
    const size_t dot = item.find('.');
    if (equals == std::string_view::npos || dot == std::string_view::npos || dot == 0 ||
        dot + 1 >= equals)
      fail(BP_INVALID_ARGUMENT, "options: '{}' is not of the form kind.key=value", item);
    options[std::string(item.substr(0, equals))] = item.substr(equals + 1);
  }
  return options;
}

}  // namespace

std::atomic<uint32_t> current_generation{1}, unrecorded_generation{1};

std::recursive_mutex& loader_mutex() noexcept { return state().mutex; }

Settings& settings() noexcept { return state().settings; }

bool uses_debug_allocator() noexcept {
#ifdef BP_DEBUG_ALLOCATOR
  return true;
#else
  return state().flags.load() & BP_INIT_DEBUG_ALLOCATOR;
#endif
}

bool runs_synchronously() {
  if (state().flags.load() & BP_INIT_SYNCHRONOUS) return true;
  const std::optional<std::string> value = read_env("BACKPLANE_SYNCHRONOUS");
  return value && !value->empty() && *value != "0";
}

bool is_running() noexcept { return state().running.load(std::memory_order_acquire); }

void start(const bp_init_desc& desc) {
  State& s = state();
  std::lock_guard lock(s.mutex);
  if (s.running.load())
    fail(BP_BAD_STATE,
         "the runtime already runs: call bp_init before any other call, or bp_shutdown first");
  if (const uint32_t unknown =
          desc.flags & ~(BP_INIT_NO_ENV | BP_INIT_DEBUG_ALLOCATOR | BP_INIT_SYNCHRONOUS))
    fail(BP_INVALID_ARGUMENT, "flags has unknown bits {:#x}", unknown);
  Settings fresh;
  fresh.flags = desc.flags;
  fresh.plugin_dirs = text(desc.plugin_dirs);
  fresh.allow = text(desc.allow);
  fresh.options = parse_options(text(desc.options));
  if (desc.visible_devices) fresh.visible_devices = desc.visible_devices;
  if (desc.alias) fresh.alias = desc.alias;
  s.settings = std::move(fresh);
  s.flags = desc.flags;
  forget_chosen_threads();
  s.log_user = desc.log_user;
  s.log = desc.log;
  s.running.store(true, std::memory_order_release);
  begin_generation();
}

void ensure_started() {
  State& s = state();
  if (s.running.load(std::memory_order_acquire)) return;
  std::lock_guard lock(s.mutex);
  if (s.running.exchange(true, std::memory_order_acq_rel)) return;
  begin_generation();
}

void end_generation() noexcept {
  State& s = state();
  std::lock_guard lock(s.mutex);
  current_generation.fetch_add(1);
  unrecorded_generation.fetch_add(1);
  s.flags = 0;
  forget_threads();
  chosen_precision = BP_PRECISION_HIGHEST;
  s.settings = Settings{};
  s.running.store(false, std::memory_order_release);
}

void end_log() noexcept {
  state().log = nullptr;
  state().log_user = nullptr;
}

void lock_runtime_for_fork() noexcept { state().mutex.lock(); }

void unlock_runtime_after_fork(bool in_child) noexcept {
  State& s = state();
  if (!in_child) return s.mutex.unlock();
  // The owner recorded in the mutex is the parent's thread; the child's only thread holds what
  // the mutex guards.
  new (&s.mutex) std::recursive_mutex;
  use_one_thread_after_fork();
}

std::optional<std::string> read_env(const char* name) {
  if (state().flags.load() & BP_INIT_NO_ENV) return {};
  const char* value = ::getenv(name);
  return value ? std::optional<std::string>(value) : std::nullopt;
}

std::optional<std::string> read_secure_env(const char* name) {
  if (state().flags.load() & BP_INIT_NO_ENV) return {};
  const char* value = ::secure_getenv(name);
  return value ? std::optional<std::string>(value) : std::nullopt;
}

void log_text(int32_t level, std::string_view text) noexcept {
  print_log(level, text);
  const bp_log_fn log = state().log.load();
  if (log) log(state().log_user.load(), level, text.data(), text.size());
}

void set_wait_callback(bp_wait_fn call, void* user) {
  state().wait = nullptr;
  state().wait_user = user;
  state().wait = call;
}

void call_while_waiting() {
  const bp_wait_fn call = state().wait.load();
  if (!call) return;
  bp_error* err = nullptr;
  const bp_status status = call(state().wait_user.load(), &err);
  if (status < 0) throw_taken(status, err, 0, "a wait was ended by its callback");
  bp_error_release(err);
}

void set_matmul_precision(bp_precision p) {
  if (p < BP_PRECISION_HIGHEST || p > BP_PRECISION_MEDIUM)
    fail(BP_INVALID_ARGUMENT,
         "precision {} is not known, expected BP_PRECISION_HIGHEST (0), HIGH (1) or MEDIUM (2)", p);
  chosen_precision = p;
}

const char* status_name(bp_status status) noexcept {
  switch (status) {
#define BP_NAME(s) \
  case s: return #s
    BP_NAME(BP_OK);
    BP_NAME(BP_NOT_READY);
    BP_NAME(BP_TIMEOUT);
    BP_NAME(BP_EPOCH_END);
    BP_NAME(BP_TRAINING_STOPPED);
    BP_NAME(BP_INVALID_ARGUMENT);
    BP_NAME(BP_NOT_FOUND);
    BP_NAME(BP_UNSUPPORTED);
    BP_NAME(BP_OUT_OF_HOST_MEMORY);
    BP_NAME(BP_OUT_OF_DEVICE_MEMORY);
    BP_NAME(BP_DEVICE_LOST);
    BP_NAME(BP_INCOMPATIBLE);
    BP_NAME(BP_UNAVAILABLE);
    BP_NAME(BP_BAD_STATE);
    BP_NAME(BP_CANCELLED);
    BP_NAME(BP_INTERNAL);
    BP_NAME(BP_CALLBACK);
    BP_NAME(BP_DEVICE_MISMATCH);
    BP_NAME(BP_DTYPE_MISMATCH);
    BP_NAME(BP_INDEX_OUT_OF_RANGE);
#undef BP_NAME
    default: return "BP_UNKNOWN_STATUS";
  }
}

}  // namespace bp
