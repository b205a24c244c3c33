// SPDX-License-Identifier: Apache-2.0
// stream.cc: streams and events; declared in c_api.h.
#include "core/device/stream.h"

#include "core/base/guard.h"
#include "core/device/device.h"
#include "core/device/plugin_call.h"
#include "core/process/context.h"
#include "core/tensor/tape.h"
#include "core/tensor/tensor.h"

namespace bp {
namespace {

// Checks that the handle is of this generation and on a device that lives.
template <class T>
T& live(T* h, Tag tag, const char* what) {
  if (need(h, what)->tag != tag) fail(BP_INVALID_ARGUMENT, "{} is not such a handle", what);
  if (h->refs.load(std::memory_order_relaxed) == 0) fail(BP_BAD_STATE, "{} was released", what);
  if (h->born != generation())
    fail(BP_BAD_STATE, "{} was made before the runtime was shut down", what);
  if (!h->device->alive())
    fail(BP_BAD_STATE, "{} is of {}, which was {}", what, h->device->label, why_closed(*h->device));
  return *h;
}
Stream& stream_arg(bp_stream* s) { return live(s, Tag::kStream, "stream"); }
Event& event_arg(bp_event* e, const char* what = "event") { return live(e, Tag::kEvent, what); }

// Returns what ask() answers, BP_OK or BP_NOT_READY, or the status of what it throws.
template <class F>
bp_status answer(bp_error** err, F&& ask) {
  bp_status status = BP_OK;
  const bp_status failed = guard(err, [&] { status = ask(); });
  return failed ? failed : status;
}

}  // namespace
}  // namespace bp

using namespace bp;

extern "C" {

bp_status bp_stream_create(bp_device d, int32_t priority, bp_stream** out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    *out = create_stream(resolve_device(d), priority).release();
  });
}

bp_status bp_stream_default(bp_device d, bp_stream** out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    *out = Ref<Stream>::share(&resolve_device(d).main()).release();
  });
}

bp_stream* bp_stream_retain(bp_stream* s) {
  if (s && s->tag == Tag::kStream) s->refs.fetch_add(1, std::memory_order_relaxed);
  return s;
}

void bp_stream_release(bp_stream* s) {
  if (s && s->tag == Tag::kStream) Ref<Stream>::drop(s);
}

bp_device bp_stream_device(const bp_stream* s) {
  return s && s->tag == Tag::kStream ? s->device->value : 0;
}

bp_status bp_stream_get_current(bp_device d, bp_stream** out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    *out = Ref<Stream>::share(&current_stream(resolve_device(d))).release();
  });
}

bp_status bp_stream_set_current(bp_stream* s, bp_error** err) {
  return guard(err, [&] { set_context_stream(stream_arg(s).device->value, s); });
}

bp_status bp_stream_push(bp_stream* s, uint64_t* token, bp_error** err) {
  return guard(err, [&] {
    need(token, "token");
    *token = push_stream(stream_arg(s).device->value, s);
  });
}

bp_status bp_stream_pop(uint64_t token, bp_error** err) {
  return guard(err, [&] { pop_stream(token); });
}

bp_status bp_stream_query(bp_stream* s, bp_error** err) {
  return answer(err, [&] {
    Device& d = *stream_arg(s).device;
    const DeviceCall inside(d);
    bp_error* cause = nullptr;
    const bp_status status =
        call_plugin<&bp_plugin_api::stream_query>(d.backend->api, s->queue, &cause);
    check_plugin(d, status, cause, "asking a stream");
    return status;
  });
}

bp_status bp_stream_synchronize(bp_stream* s, bp_error** err) {
  return guard(err, [&] { synchronize(stream_arg(s)); });
}

bp_status bp_stream_host_func(bp_stream* s, void (*fn)(void* user), void* user, bp_error** err) {
  return guard(err, [&] {
    Stream& stream = stream_arg(s);
    if (!fn) fail(BP_INVALID_ARGUMENT, "fn must not be NULL");
    only_unrecorded("bp_stream_host_func", "a callback of the host is no call of the library");
    const DeviceCall inside(*stream.device);
    bp_error* said = nullptr;
    const bp_status status = call_plugin<&bp_plugin_api::host_func>(stream.device->backend->api,
                                                                    stream.queue, fn, user, &said);
    check_plugin(*stream.device, status, said, "queueing a callback");
  });
}

bp_status bp_stream_wait_event(bp_stream* s, bp_event* e, bp_error** err) {
  return guard(err, [&] {
    only_unrecorded("bp_stream_wait_event", "a program runs in one stream of each device");
    wait(stream_arg(s), event_arg(e));
  });
}

bp_status bp_event_create(bp_device d, bp_event** out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    *out = create_event(resolve_device(d)).release();
  });
}

bp_event* bp_event_retain(bp_event* e) {
  if (e && e->tag == Tag::kEvent) e->refs.fetch_add(1, std::memory_order_relaxed);
  return e;
}

void bp_event_release(bp_event* e) {
  if (e && e->tag == Tag::kEvent) Ref<Event>::drop(e);
}

bp_status bp_event_record(bp_event* e, bp_stream* s, bp_error** err) {
  return guard(err, [&] { record(event_arg(e), stream_arg(s)); });
}

bp_status bp_event_query(bp_event* e, bp_error** err) {
  return answer(err, [&] {
    Device& d = *event_arg(e).device;
    const DeviceCall inside(d);
    bp_error* cause = nullptr;
    const bp_status status =
        call_plugin<&bp_plugin_api::event_query>(d.backend->api, e->event, &cause);
    check_plugin(d, status, cause, "asking an event");
    return status;
  });
}

bp_status bp_event_synchronize(bp_event* e, bp_error** err) {
  return guard(err, [&] {
    Device& d = *event_arg(e).device;
    bp_error* cause = nullptr;
    check_plugin(d, await_event(*e, &cause), cause, "waiting for an event");
  });
}

bp_status bp_event_elapsed(bp_event* from, bp_event* to, double* ms, bp_error** err) {
  return guard(err, [&] {
    need(ms, "ms");
    Device& d = *event_arg(from, "from").device;
    if (event_arg(to, "to").device != &d)
      fail(BP_DEVICE_MISMATCH, "from is an event of {}, to is one of {}", d.label,
           to->device->label);
    const DeviceCall inside(d);
    bp_error* cause = nullptr;
    double n = 0;
    check_plugin(d,
                 call_plugin<&bp_plugin_api::event_elapsed>(d.backend->api, from->event, to->event,
                                                            &n, &cause),
                 cause, "timing events");
    *ms = n;
  });
}

bp_status bp_tensor_record_stream(bp_tensor* t, bp_stream* s, bp_error** err) {
  return guard(err, [&] { record_stream(checked(t, "t"), stream_arg(s)); });
}

}  // extern "C"
