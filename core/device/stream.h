// SPDX-License-Identifier: Apache-2.0
// stream.h: the streams of a device, and events, which mark places in them. bp_stream and bp_event
// are the C handles. A stream has a memory pool of its own: what is freed in it is reused in it at
// once, in stream order, and by no other. Streams live as long as their device: one whose last
// holder released it lies idle and serves the next request. Any thread may use them.
//
//   void* p = stream.pool->allocate(1024);
//   Ref<Event> done = mark(stream);
//   synchronize(*done);
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "c_plugin.h"
#include "core/base/object.h"
#include "core/memory/pool.h"
#include "core/memory/segments.h"

namespace bp {
struct Device;
}

struct bp_stream final : bp::Object, bp::RawMemory {
  bp::Device* device;
  bp_pstream* queue = nullptr;  // the backend's; NULL when the device is closed
  int32_t priority = 0;
  std::unique_ptr<bp::Segments> segments;  // nullptr when each block is the backend's own
  std::unique_ptr<bp::MemoryPool> pool;

  explicit bp_stream(bp::Device& d) : Object(bp::Tag::kStream), device(&d) {}
  void make_pool(uint64_t limit_bytes);
  // The last holder is gone: the stream lies idle until the next create_stream.
  static void destroy(bp_stream* s) noexcept;

  // RawMemory. A block goes back to the backend when the stream's work is done.
  void* allocate(uint64_t bytes) override;
  void release(void* p, uint64_t bytes) noexcept override;
  bool host_accessible() const override;
  const char* name() const override;
  void write(void* to, const void* from, uint64_t bytes) noexcept override;
  void read(void* to, const void* from, uint64_t bytes) noexcept override;

 private:
  void copy(void* to, const void* from, uint64_t bytes, int32_t direction) noexcept;
};

struct bp_event final : bp::Object {
  bp::Device* device;
  bp_pevent* event = nullptr;
  bool returns = false;  // a mark of the core's own: its pevent serves again
  // in the device's list of open events, which Streams::mutex guards
  bp_event *previous = nullptr, *next = nullptr;
  explicit bp_event(bp::Device& d) noexcept;
  ~bp_event();
  static void destroy(bp_event* e) noexcept;
};

namespace bp {

using Stream = bp_stream;
using Event = bp_event;

constexpr size_t kMostMarks = 256;

// The streams of a device; the first is its default stream and is never idle.
struct Streams {
  std::mutex mutex;
  std::vector<std::unique_ptr<Stream>> all;
  std::vector<Stream*> idle;
  std::vector<bp_pevent*> marks;  // events that serve again
  Event* events = nullptr;        // those that have one of the backend's
};

Ref<Stream> create_stream(Device& d, int32_t priority);
Ref<Event> create_event(Device& d);
// For a device that closes: takes the backend's event away from one that still lives. Returns
// nullptr when none does.
bp_pevent* take_open_event(Streams& streams) noexcept;
void record(Event& e, Stream& s);
// Marks what is in the stream now. This is cheaper than an event that a program keeps.
Ref<Event> mark(Stream& s);
void wait(Stream& s, Event& e);
// Waits until e has passed. Throws what its device met.
void synchronize(Event& e);
bool has_passed(Event& e) noexcept;  // true also when its device is lost or gone
bool is_pending(Event& e) noexcept;  // its device says so; false also when it fails
// From now on `s` waits for what is in `before`.
void order(Stream& before, Stream& s);
void synchronize(Stream& s);
// The plugin's own waits. Every wait of the library is one of these and is counted
// (Device::n_waits). await_others waits also for what other libraries queued on the device; it
// returns BP_OK at once where the backend does not know of them.
bp_status await_queue(Stream& s, bp_error** err) noexcept;
bp_status await_event(Event& e, bp_error** err) noexcept;
bp_status await_others(Device& d, bp_error** err) noexcept;

}  // namespace bp
