// SPDX-License-Identifier: Apache-2.0
// backplane_stream.hpp: streams and events of a device; what they mean is in c_api.h. Include
// backplane.hpp.
#ifndef BACKPLANE_STREAM_HPP
#define BACKPLANE_STREAM_HPP

#include "backplane_base.hpp"
#include "backplane_tensor.hpp"

namespace backplane {

class Stream;

// A mark in a stream. Copies share it.
class Event {
 public:
  explicit Event(Device device) {
    bp_event* e = nullptr;
    detail::call([&](bp_error** err) { return bp_event_create(device.value(), &e, err); });
    handle_.reset(e);
  }
  bp_event* get() const noexcept { return handle_.get(); }
  void record(const Stream& s);
  // Returns true when the work before the mark is done, or when it was never recorded.
  bool query() const {
    return detail::call([&](bp_error** e) { return bp_event_query(get(), e); }) == BP_OK;
  }
  void synchronize() const {
    detail::call([&](bp_error** e) { return bp_event_synchronize(get(), e); });
  }
  // Waits for both events and returns the milliseconds from this one to the later one.
  double elapsed_to(const Event& later) const {
    double ms = 0;
    detail::call([&](bp_error** e) { return bp_event_elapsed(get(), later.get(), &ms, e); });
    return ms;
  }

 private:
  detail::Handle<bp_event, bp_event_retain, bp_event_release> handle_;
};

// A queue of a device. Copies share it.
class Stream {
 public:
  explicit Stream(Device device, std::int32_t priority = 0) {
    adopt([&](bp_stream** s, bp_error** e) {
      return bp_stream_create(device.value(), priority, s, e);
    });
  }
  static Stream current(Device device) {
    return Stream(
        [&](bp_stream** s, bp_error** e) { return bp_stream_get_current(device.value(), s, e); });
  }
  static Stream default_of(Device device) {
    return Stream(
        [&](bp_stream** s, bp_error** e) { return bp_stream_default(device.value(), s, e); });
  }
  bp_stream* get() const noexcept { return handle_.get(); }
  // Calls fn(user) when what is in the stream now is done. fn must not wait for a device.
  void host_func(void (*fn)(void* user), void* user) const {
    detail::call([&](bp_error** e) { return bp_stream_host_func(get(), fn, user, e); });
  }
  Device device() const { return Device::from_value(bp_stream_device(get())); }
  bool query() const {
    return detail::call([&](bp_error** e) { return bp_stream_query(get(), e); }) == BP_OK;
  }
  void synchronize() const {
    detail::call([&](bp_error** e) { return bp_stream_synchronize(get(), e); });
  }
  void wait(const Event& event) const {
    detail::call([&](bp_error** e) { return bp_stream_wait_event(get(), event.get(), e); });
  }
  // Returns an event that is recorded here.
  Event record() const {
    Event e(device());
    e.record(*this);
    return e;
  }
  // Says that this stream uses t, so that t's memory is not reused before the stream is done.
  void uses(const Tensor& t) const {
    detail::call([&](bp_error** e) { return bp_tensor_record_stream(t.get(), get(), e); });
  }

 private:
  template <class F, class = decltype(std::declval<F>()(nullptr, nullptr))>
  explicit Stream(F&& get) {
    adopt(get);
  }
  template <class F>
  void adopt(F&& get) {
    bp_stream* s = nullptr;
    detail::call([&](bp_error** e) { return get(&s, e); });
    handle_.reset(s);
  }
  detail::Handle<bp_stream, bp_stream_retain, bp_stream_release> handle_;
};

inline void Event::record(const Stream& s) {
  detail::call([&](bp_error** e) { return bp_event_record(get(), s.get(), e); });
}

// Makes a stream this thread's current one of its device. The caller keeps it while it is.
inline void set_current_stream(const Stream& s) {
  detail::call([&](bp_error** e) { return bp_stream_set_current(s.get(), e); });
}
// Makes a stream this thread's current one of its device until the end of the block.
class StreamGuard {
 public:
  explicit StreamGuard(Stream s) : stream_(std::move(s)) {
    detail::call([&](bp_error** e) { return bp_stream_push(stream_.get(), &token_, e); });
  }
  ~StreamGuard() { bp_stream_pop(token_, nullptr); }
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;

 private:
  Stream stream_;
  std::uint64_t token_ = 0;
};

}  // namespace backplane
#endif
