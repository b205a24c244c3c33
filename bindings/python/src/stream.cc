// SPDX-License-Identifier: Apache-2.0
// stream.cc: streams and events. The classes of backplane.Stream and backplane.Event derive from
// these.
#include <memory>
#include <vector>

#include "bind.h"
#include "device.h"

namespace bp_py {
namespace {

struct Stream {
  bp_stream* handle = nullptr;
  std::vector<uint64_t> tokens;  // what `with` pushed, newest last
  Stream() = default;
  explicit Stream(bp_stream* owned) : handle(owned) {}
  Stream(Stream&& o) noexcept : handle(std::exchange(o.handle, nullptr)) {}
  Stream(const Stream&) = delete;
  ~Stream() { bp_stream_release(handle); }
};

struct Event {
  bp_event* handle = nullptr;  // made at the first record, which says on which device
  bp_device device = 0;
  Event() = default;
  Event(Event&& o) noexcept : handle(std::exchange(o.handle, nullptr)), device(o.device) {}
  Event(const Event&) = delete;
  ~Event() { bp_event_release(handle); }
};

// Returns an owned stream.
bp_stream* current(bp_device d) {
  bp_stream* s = nullptr;
  call_unlocked([&](bp_error** err) { return bp_stream_get_current(d, &s, err); });
  return s;
}

void need(bp_device d) {
  if (!d) fail(PyExc_TypeError, "a device is needed, such as 'cuda:0'");
}

bool done(bp_status status) { return status != BP_NOT_READY; }

void record(Event& e, const Stream& s) {
  if (!e.handle) {
    e.device = bp_stream_device(s.handle);
    call_unlocked([&](bp_error** err) { return bp_event_create(e.device, &e.handle, err); });
  }
  call_unlocked([&](bp_error** err) { return bp_event_record(e.handle, s.handle, err); });
}

void bind_stream(nb::module_& m) {
  nb::class_<Stream>(
      m, "Stream", "A queue of a device: work in one runs in order, work in two at the same time.")
      .def_prop_ro(
          "device",
          [](const Stream& s) { return nb::steal(device_object(bp_stream_device(s.handle))); })
      .def(
          "query",
          [](const Stream& s) {
            return done(
                call_unlocked([&](bp_error** err) { return bp_stream_query(s.handle, err); }));
          },
          "True when all its work is done.")
      .def("synchronize",
           [](const Stream& s) {
             call_unlocked([&](bp_error** err) { return bp_stream_synchronize(s.handle, err); });
           })
      .def("_wait_event",
           [](const Stream& s, const Event& e) {
             if (!e.handle) return;  // an event that was never recorded holds nothing up
             call_unlocked(
                 [&](bp_error** err) { return bp_stream_wait_event(s.handle, e.handle, err); });
           })
      .def("_push",
           [](Stream& s) {
             uint64_t token = 0;
             call_unlocked([&](bp_error** err) { return bp_stream_push(s.handle, &token, err); });
             return token;
           })
      .def("_handle", [](const Stream& s) { return reinterpret_cast<uintptr_t>(s.handle); })
      .def(
          "__eq__",
          [](const Stream& s, nb::handle other) -> nb::object {
            if (!nb::isinstance<Stream>(other)) return nb::borrow(Py_NotImplemented);
            return nb::bool_(nb::cast<const Stream&>(other).handle == s.handle);
          },
          nb::arg("other").none())
      .def("__hash__", [](const Stream& s) { return reinterpret_cast<uintptr_t>(s.handle); });
  m.def(
      "stream_create",
      [](nb::handle device, int32_t priority) {
        const bp_device d = device_of(device);
        need(d);
        auto s = std::make_unique<Stream>();
        call_unlocked(
            [&](bp_error** err) { return bp_stream_create(d, priority, &s->handle, err); });
        return s.release();
      },
      nb::rv_policy::take_ownership);
  m.def(
      "stream_default",
      [](nb::handle device) {
        const bp_device d = device_of(device);
        need(d);
        auto s = std::make_unique<Stream>();
        call_unlocked([&](bp_error** err) { return bp_stream_default(d, &s->handle, err); });
        return s.release();
      },
      nb::rv_policy::take_ownership);
  m.def(
      "stream_current",
      [](nb::handle device) {
        const bp_device d = device_of(device);
        need(d);
        return new Stream(current(d));
      },
      nb::rv_policy::take_ownership);
  m.def("stream_set_current", [](const Stream& s) {
    call_unlocked([&](bp_error** err) { return bp_stream_set_current(s.handle, err); });
  });
  m.def("stream_pop",
        [](uint64_t token) { call([&](bp_error** err) { return bp_stream_pop(token, err); }); });
  m.def("record_stream", [](Tensor t, const Stream& s) {
    call_unlocked([&](bp_error** err) { return bp_tensor_record_stream(t, s.handle, err); });
  });
}

void bind_event(nb::module_& m) {
  nb::class_<Event>(m, "EventBase", "A mark in a stream.")
      .def(nb::init<>())
      .def("_record", record)
      .def(
          "query",
          [](const Event& e) {
            if (!e.handle) return true;
            return done(
                call_unlocked([&](bp_error** err) { return bp_event_query(e.handle, err); }));
          },
          "True when what was recorded is done.")
      .def("synchronize",
           [](const Event& e) {
             if (e.handle)
               call_unlocked([&](bp_error** err) { return bp_event_synchronize(e.handle, err); });
           })
      .def(
          "elapsed_time",
          [](const Event& from, const Event& to) {
            if (!from.handle || !to.handle)
              fail(PyExc_RuntimeError,
                   "Both events must be recorded before calculating elapsed time.");
            double ms = 0;
            call_unlocked(
                [&](bp_error** err) { return bp_event_elapsed(from.handle, to.handle, &ms, err); });
            return ms;
          },
          nb::arg("end_event"), "Milliseconds until another event of the device.");
}

}  // namespace

void bind_streams(nb::module_& m) {
  bind_event(m);
  bind_stream(m);
}

}  // namespace bp_py
