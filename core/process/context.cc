// SPDX-License-Identifier: Apache-2.0
#include "core/process/context.h"

#include <atomic>
#include <memory>
#include <new>
#include <vector>

#include "core/base/error.h"
#include "core/base/thread_end.h"

namespace bp {
namespace {

enum class Sort : uint8_t { kDefault, kCurrent, kDevice, kStream, kFallback, kContext };

constexpr const char* pop_name(Sort sort) {
  switch (sort) {
    case Sort::kDefault: return "bp_default_pop";
    case Sort::kCurrent: return "bp_current_pop";
    case Sort::kDevice: return "bp_device_pop";
    case Sort::kStream: return "bp_stream_pop";
    case Sort::kFallback: return "bp_fallback_pop";
    case Sort::kContext: return "bp_context_leave";
  }
  return "";
}

struct Frame {
  uint64_t token;
  Sort sort;
  bp_kind kind;          // whose current index it changed; for kCurrent and kDevice
  bp_device device;      // whose current stream it changed; for kStream
  ThreadContext before;  // the state at the push
};

struct ThreadState {
  uint32_t born = generation();
  ThreadContext now;
  std::vector<Frame> frames;
};

constexpr bp_device kCpu =
    static_cast<bp_device>((uint64_t{BP_KIND_CPU} << 32) | uint64_t{0xffffffffu});

// It is trivial, so that reading it needs no guard. A thread that never pushes or sets has none.
constinit thread_local ThreadState* thread_state = nullptr;

// `born` is stored after `device`: whoever sees this generation sees a device of it.
std::atomic<bp_device> process_device{kCpu};
std::atomic<uint32_t> process_born{0};

const ThreadState* live_state() noexcept {
  const ThreadState* s = thread_state;
  return s && s->born == generation() ? s : nullptr;
}

// Returns this thread's state for writing, emptied if an older generation left it.
ThreadState& own_state() {
  if (!thread_state) {
    static const ThreadEnd at_end([](void* state) {
      thread_state = nullptr;
      delete static_cast<ThreadState*>(state);
    });
    auto made = std::make_unique<ThreadState>();
    if (!at_end.note(made.get())) throw std::bad_alloc();
    thread_state = made.release();
  }
  if (thread_state->born != generation()) *thread_state = ThreadState{};
  return *thread_state;
}

int32_t index_in(const ThreadContext& context, bp_kind kind) noexcept {
  for (const CurrentIndex& c : context.current)
    if (c.kind == kind) return c.index;
  return 0;
}

void set_index_in(ThreadContext& context, bp_kind kind, int32_t index) {
  for (CurrentIndex& c : context.current)
    if (c.kind == kind) {
      c.index = index;
      return;
    }
  if (index) context.current.push_back({kind, index});
}

bp_stream* stream_in(const ThreadContext& context, bp_device d) noexcept {
  for (const CurrentStream& c : context.streams)
    if (c.device == d) return c.stream.get();
  return nullptr;
}

void set_stream_in(ThreadContext& context, bp_device d, bp_stream* stream) {
  for (CurrentStream& c : context.streams)
    if (c.device == d) {
      c.stream = HeldStream(stream);
      return;
    }
  if (stream) context.streams.push_back({d, HeldStream(stream)});
}

uint64_t push_frame(ThreadState& s, Sort sort, bp_kind kind, bp_device device = 0) {
  static std::atomic<uint64_t> newest_token{0};  // one for all threads, so that no two share one
  const uint64_t token = newest_token.fetch_add(1, std::memory_order_relaxed) + 1;
  s.frames.push_back({token, sort, kind, device, s.now});
  return token;
}

void pop_frame(uint64_t token, Sort sort) {
  const ThreadState* live = live_state();
  if (!live || live->frames.empty())
    fail(BP_BAD_STATE, "{}: token {} is not this thread's: nothing is pushed here", pop_name(sort),
         token);
  ThreadState& s = *thread_state;
  const Frame& top = s.frames.back();
  if (top.token != token)
    fail(BP_BAD_STATE, "{}: token {} is not the newest of this thread, which is {}", pop_name(sort),
         token, top.token);
  if (top.sort != sort)
    fail(BP_BAD_STATE, "{}: token {} is to be given to {}", pop_name(sort), token,
         pop_name(top.sort));
  if (sort == Sort::kContext) {
    s.now = top.before;
  } else if (sort == Sort::kStream) {
    set_stream_in(s.now, top.device, stream_in(top.before, top.device));
  } else if (sort == Sort::kFallback) {
    s.now.fallback = top.before.fallback;
  } else {
    if (sort != Sort::kCurrent) s.now.default_device = top.before.default_device;
    if (sort != Sort::kDefault) set_index_in(s.now, top.kind, index_in(top.before, top.kind));
  }
  s.frames.pop_back();
}

}  // namespace

bp_device default_device() noexcept {
  const ThreadState* s = live_state();
  if (s && s->now.default_device) return s->now.default_device;
  if (process_born.load(std::memory_order_acquire) != generation()) return kCpu;
  return process_device.load(std::memory_order_relaxed);
}

int32_t current_index(bp_kind kind) noexcept {
  const ThreadState* s = live_state();
  return s ? index_in(s->now, kind) : 0;
}

bp_stream* context_stream(bp_device d) noexcept {
  const ThreadState* s = live_state();
  return s ? stream_in(s->now, d) : nullptr;
}

bp_fallback context_fallback() noexcept {
  const ThreadState* s = live_state();
  return s ? s->now.fallback : BP_FALLBACK_INHERIT;
}

void set_process_default(bp_device d) noexcept {
  process_device.store(d ? d : kCpu, std::memory_order_relaxed);
  process_born.store(generation(), std::memory_order_release);
}

void set_current_index(bp_kind kind, int32_t index) { set_index_in(own_state().now, kind, index); }

void set_context_stream(bp_device d, bp_stream* s) { set_stream_in(own_state().now, d, s); }

uint64_t push_stream(bp_device d, bp_stream* stream) {
  ThreadState& s = own_state();
  const uint64_t token = push_frame(s, Sort::kStream, BP_KIND_NONE, d);
  set_stream_in(s.now, d, stream);
  return token;
}
void pop_stream(uint64_t token) { pop_frame(token, Sort::kStream); }

uint64_t push_fallback(bp_fallback policy) {
  ThreadState& s = own_state();
  const uint64_t token = push_frame(s, Sort::kFallback, BP_KIND_NONE);
  s.now.fallback = policy;
  return token;
}
void pop_fallback(uint64_t token) { pop_frame(token, Sort::kFallback); }

uint64_t push_default(bp_device d) {
  ThreadState& s = own_state();
  const uint64_t token = push_frame(s, Sort::kDefault, BP_KIND_NONE);
  s.now.default_device = d;
  return token;
}
void pop_default(uint64_t token) { pop_frame(token, Sort::kDefault); }

uint64_t push_current(bp_kind kind, int32_t index) {
  ThreadState& s = own_state();
  const uint64_t token = push_frame(s, Sort::kCurrent, kind);
  set_index_in(s.now, kind, index);
  return token;
}
void pop_current(uint64_t token) { pop_frame(token, Sort::kCurrent); }

uint64_t push_device(bp_device d, int32_t index) {
  ThreadState& s = own_state();
  const auto kind = static_cast<bp_kind>(d >> 32);
  const uint64_t token = push_frame(s, Sort::kDevice, kind);
  s.now.default_device = d;
  set_index_in(s.now, kind, index);
  return token;
}
void pop_device(uint64_t token) { pop_frame(token, Sort::kDevice); }

ThreadContext capture_context() {
  const ThreadState* s = live_state();
  return s ? s->now : ThreadContext{};
}

uint64_t push_context(const ThreadContext& state) {
  ThreadState& s = own_state();
  const uint64_t token = push_frame(s, Sort::kContext, BP_KIND_NONE);
  s.now = state;
  return token;
}
void pop_context(uint64_t token) { pop_frame(token, Sort::kContext); }

}  // namespace bp
