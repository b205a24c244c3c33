// SPDX-License-Identifier: Apache-2.0
// host.cc: the services that a plugin may call (bp_host), and stubs for what it leaves out of its
// own table; declared in handshake.h.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <mutex>

#include "core/backend/handshake.h"
#include "core/base/error.h"
#include "core/process/runtime.h"
#include "core/process/threads.h"

namespace bp {
namespace {

// What host.self points to.
struct HostState {
  std::string kind;
  std::map<std::string, std::string> given;  // bp_init's options
  std::mutex mutex;
  std::map<std::string, std::optional<std::string>> answers;  // stay put: plugins borrow them
};

HostState& state_of(void* self) { return *static_cast<HostState*>(self); }

bp_status host_fail(void*, bp_error** err, bp_status code, const char* text, uint64_t length) {
  if (code >= 0) code = BP_INTERNAL;
  if (err) *err = make_error(code, text, length, BP_ERROR_FROM_PLUGIN);
  return code;
}

void* host_alloc(void*, uint64_t bytes, uint64_t alignment) {
  if (alignment < alignof(std::max_align_t)) alignment = alignof(std::max_align_t);
  if (alignment & (alignment - 1)) return nullptr;
  const uint64_t rounded = (bytes + alignment - 1) & ~(alignment - 1);
  if (rounded < bytes) return nullptr;
  return std::aligned_alloc(alignment, rounded ? rounded : alignment);
}

void host_free(void*, void* p) { std::free(p); }

void host_log(void* self, int32_t level, const char* text, uint64_t length) {
  if (!text) return;
  try {
    log(level, "{}: {}", state_of(self).kind, std::string_view(text, length));
  } catch (...) {  // a line that cannot be formatted is not worth more memory
  }
}

// A key in upper case is taken for a variable of somebody else's.
std::string variable_name(const std::string& kind, const std::string& key) {
  if (std::none_of(key.begin(), key.end(), [](char c) { return c >= 'a' && c <= 'z'; })) return key;
  std::string name = kind + "_" + key;
  for (char& c : name)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return name;
}

const char* host_option(void* self, const char* key) {
  if (!key) return nullptr;
  try {
    HostState& state = state_of(self);
    std::lock_guard lock(state.mutex);
    const auto known = state.answers.find(key);
    if (known != state.answers.end()) return known->second ? known->second->c_str() : nullptr;
    const auto given = state.given.find(state.kind + "." + key);
    auto& answer = state.answers[key];
    answer = given != state.given.end() ? given->second
                                        : read_secure_env(variable_name(state.kind, key).c_str());
    return answer ? answer->c_str() : nullptr;
  } catch (...) {
    return nullptr;
  }
}

int32_t host_num_threads(void*) { return num_threads(); }

const void* host_extension(void*, const char*) { return nullptr; }

bp_status unsupported(bp_error** err, const char* what) {
  if (err) {
    const std::string text = std::string("the backend offers no ") + what;
    *err = make_error(BP_UNSUPPORTED, text.data(), text.size(), 0);
  }
  return BP_UNSUPPORTED;
}

bp_status no_memory_info(bp_pdev*, uint64_t*, uint64_t*, bp_error** err) {
  return unsupported(err, "memory_info");
}
bp_status no_elapsed(bp_pevent*, bp_pevent*, double*, bp_error** err) {
  return unsupported(err, "event_elapsed");
}
bp_status no_host_func(bp_pstream*, void (*)(void*), void*, bp_error** err) {
  return unsupported(err, "host_func");
}
const void* no_extension(bp_plugin*, const char*) { return nullptr; }

}  // namespace

void fill_host(Backend& backend, uint32_t abi) {
  auto state = std::make_shared<HostState>();
  state->kind = backend.plugin_kind;
  state->given = settings().options;
  bp_host& h = backend.host;
  h.struct_size = sizeof h;
  h.abi = abi;
  h.self = state.get();
  h.fail = host_fail;
  h.alloc = host_alloc;
  h.free = host_free;
  h.log = host_log;
  h.option = host_option;
  h.num_threads = host_num_threads;
  h.extension = host_extension;
  backend.host_state = std::move(state);
}

const char* complete_table(bp_plugin_api& api) noexcept {
  if (!api.memory_info) api.memory_info = no_memory_info;
  if (!api.event_elapsed) api.event_elapsed = no_elapsed;
  if (!api.host_func) api.host_func = no_host_func;
  if (!api.extension) api.extension = no_extension;
#define BP_REQUIRED(slot) \
  if (!api.slot) return #slot
  BP_REQUIRED(close);
  BP_REQUIRED(probe);
  BP_REQUIRED(device_props);
  BP_REQUIRED(device_open);
  BP_REQUIRED(device_close);
  BP_REQUIRED(mem_alloc);
  BP_REQUIRED(mem_free);
  BP_REQUIRED(stream_open);
  BP_REQUIRED(stream_close);
  BP_REQUIRED(stream_query);
  BP_REQUIRED(stream_sync);
  BP_REQUIRED(stream_wait);
  BP_REQUIRED(event_open);
  BP_REQUIRED(event_close);
  BP_REQUIRED(event_record);
  BP_REQUIRED(event_query);
  BP_REQUIRED(event_sync);
  BP_REQUIRED(copy);
  BP_REQUIRED(kernels);
#undef BP_REQUIRED
  return nullptr;
}

}  // namespace bp
