// SPDX-License-Identifier: Apache-2.0
// context.h: per thread, the default device, each kind's current device and current streams, and
// what happens to ops that a backend lacks (fallback.h). It is plain state: nothing here loads a
// backend or asks whether a device exists (c_api/context.cc does). The default device is where
// factories put data: that of this thread's newest push, else the process-wide one, else the cpu.
// The current device is what a bare kind ("cuda") means; its index is 0 at first. Each push returns
// a token. A pop must name the newest token of its thread, from the push of the same sort;
// otherwise it throws BP_BAD_STATE and changes nothing. A pop restores what its push replaced,
// whatever was set in between; what was set for other kinds stays. A new generation (after a
// shutdown) forgets everything, and a pop of an older token throws BP_BAD_STATE.
//
//   const uint64_t token = push_default(bp_device_make(BP_KIND_CPU, -1));
//   bp_device now = default_device();   // the cpu
//   pop_default(token);
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "c_api.h"
#include "core/base/object.h"
#include "core/base/small_vec.h"

namespace bp {

struct CurrentIndex {
  bp_kind kind;
  int32_t index;
};

// A stream that is held, so that it does not serve another request meanwhile.
class HeldStream {
 public:
  HeldStream() = default;
  explicit HeldStream(bp_stream* s) : stream_(bp_stream_retain(s)) {}
  HeldStream(const HeldStream& o) : HeldStream(o.stream_) {}
  HeldStream(HeldStream&& o) noexcept : stream_(std::exchange(o.stream_, nullptr)) {}
  HeldStream& operator=(HeldStream o) noexcept {
    std::swap(stream_, o.stream_);
    return *this;
  }
  ~HeldStream() { bp_stream_release(stream_); }
  bp_stream* get() const noexcept { return stream_; }

 private:
  bp_stream* stream_ = nullptr;
};

struct CurrentStream {
  bp_device device;  // with its index
  HeldStream stream;
};

// One thread's state as a value.
struct ThreadContext {
  bp_device default_device = 0;        // 0: the process-wide one
  SmallVec<CurrentIndex, 4> current;   // kinds that are not listed are at 0
  std::vector<CurrentStream> streams;  // devices that are not listed are at their default stream
  bp_fallback fallback = BP_FALLBACK_INHERIT;
};

}  // namespace bp

struct bp_context final : bp::Object {
  bp::ThreadContext state;
  bp_context() : Object(bp::Tag::kContext) {}
  static void destroy(bp_context* c) noexcept { delete c; }
};

namespace bp {

// Returns the device as it was given: it may be a bare kind and is never 0. Takes a few nanoseconds
// and allocates nothing.
bp_device default_device() noexcept;
// This thread's index for the kind; 0 when nothing was set.
int32_t current_index(bp_kind kind) noexcept;

// This thread's stream of the device, or nullptr for the device's default stream.
bp_stream* context_stream(bp_device d) noexcept;

// This thread's own policy, or BP_FALLBACK_INHERIT.
bp_fallback context_fallback() noexcept;

void set_process_default(bp_device d) noexcept;  // 0 goes back to the cpu
void set_current_index(bp_kind kind, int32_t index);
void set_context_stream(bp_device d, bp_stream* s);

uint64_t push_default(bp_device d);
void pop_default(uint64_t token);
uint64_t push_current(bp_kind kind, int32_t index);
void pop_current(uint64_t token);
// Pushes both: the default becomes d, and the current index of its kind becomes `index`.
uint64_t push_device(bp_device d, int32_t index);
void pop_device(uint64_t token);

uint64_t push_stream(bp_device d, bp_stream* s);
void pop_stream(uint64_t token);

uint64_t push_fallback(bp_fallback policy);
void pop_fallback(uint64_t token);

ThreadContext capture_context();
// Replaces the whole state of this thread until pop_context.
uint64_t push_context(const ThreadContext& state);
void pop_context(uint64_t token);

}  // namespace bp
