// SPDX-License-Identifier: Apache-2.0
#include "core/device/stream.h"

#include <utility>

#include "core/base/error.h"
#include "core/base/guard.h"
#include "core/device/device.h"
#include "core/device/plugin_call.h"
#include "core/process/runtime.h"
#include "core/process/trace.h"

namespace bp {
namespace {

void enlist(Event& e) noexcept {
  const std::lock_guard lock(e.device->streams.mutex);
  Event*& first = e.device->streams.events;
  e.next = first;
  if (first) first->previous = &e;
  first = &e;
}

// Takes the event off the list and the backend's away from it. The caller holds Streams::mutex.
bp_pevent* unlisted(Event& e) noexcept {
  bp_pevent* const event = std::exchange(e.event, nullptr);
  if (!event) return nullptr;  // there was none, or it was closed with its device
  (e.previous ? e.previous->next : e.device->streams.events) = e.next;
  if (e.next) e.next->previous = e.previous;
  return event;
}

// Returns the backend's event of one that dies, if it is to be closed: one that serves again is
// kept, and that of a device which is about to close is left to that.
bp_pevent* taken_from(Event& e, bool open) noexcept {
  Streams& streams = e.device->streams;
  const std::lock_guard lock(streams.mutex);
  bp_pevent* const event = unlisted(e);
  if (!event || (open && !e.returns) || streams.marks.size() == kMostMarks) return event;
  streams.marks.push_back(event);  // room was made when the device was opened
  return nullptr;
}

void open_event(Event& e) {
  Device& d = *e.device;
  bp_error* err = nullptr;
  bp_pevent* made = nullptr;
  const bp_status status =
      call_plugin<&bp_plugin_api::event_open>(d.backend->api, d.handle, &made, &err);
  if (status < 0 || !made)
    check_plugin(d, status < 0 ? status : BP_INTERNAL, err, "making an event");
  bp_error_release(err);
  e.event = made;
}

}  // namespace

Ref<Stream> create_stream(Device& d, int32_t priority) {
  const DeviceCall inside(d);
  {
    const std::lock_guard lock(d.streams.mutex);
    for (size_t i = 0; i < d.streams.idle.size(); ++i) {
      Stream* s = d.streams.idle[i];
      if (s->priority != priority) continue;
      d.streams.idle.erase(d.streams.idle.begin() + static_cast<std::ptrdiff_t>(i));
      s->refs.store(1, std::memory_order_relaxed);
      return Ref<Stream>::adopt(s);
    }
  }
  auto made = std::make_unique<Stream>(d);
  made->priority = priority;
  made->make_pool(d.main().pool->stats().limit_bytes);
  bp_error* err = nullptr;
  const bp_status status = call_plugin<&bp_plugin_api::stream_open>(d.backend->api, d.handle,
                                                                    priority, &made->queue, &err);
  if (status < 0 || !made->queue)
    check_plugin(d, status < 0 ? status : BP_INTERNAL, err, "opening a stream");
  bp_error_release(err);
  Stream* s = made.get();
  try {
    const std::lock_guard lock(d.streams.mutex);
    d.streams.all.push_back(std::move(made));
  } catch (...) {
    call_plugin<&bp_plugin_api::stream_close>(d.backend->api, s->queue);
    throw;
  }
  return Ref<Stream>::adopt(s);
}

Ref<Event> create_event(Device& d) {
  const DeviceCall inside(d);
  auto e = Ref<Event>::adopt(new Event(d));
  open_event(*e);
  enlist(*e);
  return e;
}

bp_pevent* take_open_event(Streams& streams) noexcept {
  const std::lock_guard lock(streams.mutex);
  return streams.events ? unlisted(*streams.events) : nullptr;
}

Ref<Event> mark(Stream& s) {
  Device& d = *s.device;
  const DeviceCall inside(d);
  auto e = Ref<Event>::adopt(new Event(d));
  e->returns = true;
  {
    const std::lock_guard lock(d.streams.mutex);
    if (!d.streams.marks.empty()) {
      e->event = d.streams.marks.back();
      d.streams.marks.pop_back();
    }
  }
  if (!e->event) open_event(*e);
  enlist(*e);
  record(*e, s);
  return e;
}

void record(Event& e, Stream& s) {
  const DeviceCall inside(*s.device);
  if (e.device != s.device)
    fail(BP_DEVICE_MISMATCH, "an event of {} cannot be recorded in a stream of {}", e.device->label,
         s.device->label);
  bp_error* err = nullptr;
  check_plugin(
      *s.device,
      call_plugin<&bp_plugin_api::event_record>(s.device->backend->api, e.event, s.queue, &err),
      err, "recording an event");
}

void wait(Stream& s, Event& e) {
  const DeviceCall inside(*s.device), other(*e.device);
  if (e.device->backend != s.device->backend)
    fail(BP_DEVICE_MISMATCH,
         "a stream of {} cannot wait for an event of {}: another backend; synchronize with it "
         "first",
         s.device->label, e.device->label);
  bp_error* err = nullptr;
  check_plugin(
      *s.device,
      call_plugin<&bp_plugin_api::stream_wait>(s.device->backend->api, s.queue, e.event, &err), err,
      "waiting for an event");
}

void order(Stream& before, Stream& s) {
  if (&before == &s || before.device->is_host()) return;
  wait(s, *mark(before));
}

bp_status await_queue(Stream& s, bp_error** err) noexcept {
  const DeviceCall inside(*s.device, std::nothrow);
  if (!inside) return guard(err, [&] { DeviceCall::refuse(*s.device); });
  s.device->n_waits.fetch_add(1, std::memory_order_relaxed);
  const TraceSpan span(TraceSort::kWait, s.device->label);
  return call_plugin<&bp_plugin_api::stream_sync>(s.device->backend->api, s.queue, err);
}

bp_status await_event(Event& e, bp_error** err) noexcept {
  const DeviceCall inside(*e.device, std::nothrow);
  if (!inside) return guard(err, [&] { DeviceCall::refuse(*e.device); });
  e.device->n_waits.fetch_add(1, std::memory_order_relaxed);
  const TraceSpan span(TraceSort::kWait, e.device->label);
  return call_plugin<&bp_plugin_api::event_sync>(e.device->backend->api, e.event, err);
}

bp_status await_others(Device& d, bp_error** err) noexcept {
  if (!d.foreign) return BP_OK;
  const DeviceCall inside(d, std::nothrow);
  if (!inside) return guard(err, [&] { DeviceCall::refuse(d); });
  d.n_waits.fetch_add(1, std::memory_order_relaxed);
  const TraceSpan span(TraceSort::kWait, d.label);
  return call_plugin<&bp_foreign_api::sync>(*d.foreign, d.handle, err);
}

void synchronize(Stream& s) {
  Device& d = *s.device;
  const DeviceCall inside(d);
  bp_error* err = nullptr;
  check_plugin(d, await_queue(s, &err), err, "waiting for the device");
}

void synchronize(Event& e) {
  Device& d = *e.device;
  const DeviceCall inside(d);
  bp_error* err = nullptr;
  check_plugin(d, await_event(e, &err), err, "waiting for an event");
}

bool has_passed(Event& e) noexcept {
  const DeviceCall inside(*e.device, std::nothrow);
  if (!inside) return true;
  const bp_status status =
      call_plugin<&bp_plugin_api::event_query>(e.device->backend->api, e.event, nullptr);
  // Another failure does not say that the work before e is done.
  return status == BP_OK || status == BP_DEVICE_LOST;
}

bool is_pending(Event& e) noexcept {
  const DeviceCall inside(*e.device, std::nothrow);
  return inside && call_plugin<&bp_plugin_api::event_query>(e.device->backend->api, e.event,
                                                            nullptr) == BP_NOT_READY;
}

}  // namespace bp

using namespace bp;

void bp_stream::destroy(bp_stream* s) noexcept {
  const std::lock_guard lock(s->device->streams.mutex);
  s->refs.store(0, std::memory_order_relaxed);
  try {
    s->device->streams.idle.push_back(s);
  } catch (const std::bad_alloc&) {
    // The stream is not found again, and is closed with its device.
  }
}

// In debug mode each block has guards of its own around it, so blocks are not cut from segments.
void bp_stream::make_pool(uint64_t limit_bytes) {
  const bool debug = uses_debug_allocator();
  RawMemory* raw = this;
  if (!debug && !device->is_host()) {
    segments = std::make_unique<Segments>(*this, device->props.memory_bytes);
    raw = segments.get();
  }
  pool = std::make_unique<MemoryPool>(*raw, limit_bytes, debug,
                                      device->is_host() ? nullptr : &device->memory_total);
}

void* bp_stream::allocate(uint64_t bytes) { return device->allocate(bytes, *this); }

void bp_stream::release(void* p, uint64_t bytes) noexcept { device->release(p, bytes, *this); }

bool bp_stream::host_accessible() const { return device->is_host(); }

const char* bp_stream::name() const { return device->label.c_str(); }

// A device that failed copies nothing, and nobody has a use for what is there then.
void bp_stream::copy(void* to, const void* from, uint64_t bytes, int32_t direction) noexcept {
  if (device->is_host()) {
    std::memcpy(to, from, bytes);
  } else if (const DeviceCall inside(*device, std::nothrow); inside) {
    call_plugin<&bp_plugin_api::copy>(device->backend->api, queue, to, from, bytes, direction,
                                      nullptr);
    await_queue(*this, nullptr);
  }
}
void bp_stream::write(void* to, const void* from, uint64_t bytes) noexcept {
  copy(to, from, bytes, BP_COPY_HOST_TO_DEVICE);
}
void bp_stream::read(void* to, const void* from, uint64_t bytes) noexcept {
  copy(to, from, bytes, BP_COPY_DEVICE_TO_HOST);
}

bp_event::bp_event(Device& d) noexcept : Object(Tag::kEvent), device(&d) {
  d.n_guests.fetch_add(1, std::memory_order_relaxed);
}

bp_event::~bp_event() { device->n_guests.fetch_sub(1, std::memory_order_release); }

void bp_event::destroy(bp_event* e) noexcept {
  e->tag = Tag::kDead;
  {
    const DeviceCall inside(*e->device, std::nothrow);
    bp_pevent* const last = taken_from(*e, static_cast<bool>(inside));
    if (last && inside) call_plugin<&bp_plugin_api::event_close>(e->device->backend->api, last);
  }
  delete e;
}
