// SPDX-License-Identifier: Apache-2.0
// streams.cc: streams, events and host functions. What CUDA allows across devices: CUDA C++
// Programming Guide 13.0, "Stream and Event Behavior" of multi-device systems.
#include <algorithm>

#include "runtime.h"

namespace cuda_machine {
namespace {

cudaError_t make_event(cudaEvent_t* out, unsigned flags) {
  return call(kDevice, [&](Runtime& r) {
    if (flags & ~(cudaEventBlockingSync | cudaEventDisableTiming))
      refuse(cudaErrorInvalidValue, "unknown flags");
    auto e = std::make_shared<Event>();
    e->device = Runtime::current_ordinal();
    e->timed = (flags & cudaEventDisableTiming) == 0;
    *out = r.add(std::move(e));
  });
}

std::shared_ptr<Mark> mark_of(Runtime& r, const Event& e) {
  const std::lock_guard lock(r.mutex);
  return e.mark;
}

}  // namespace
}  // namespace cuda_machine

using namespace cuda_machine;

extern "C" {

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* out, unsigned flags, int priority) {
  return call(kDevice, [&](Runtime& r) {
    if (flags != cudaStreamDefault && flags != cudaStreamNonBlocking)
      refuse(cudaErrorInvalidValue, "unknown flags");
    *out = r.add(r.open_stream(Runtime::current_ordinal(), flags == cudaStreamDefault,
                               std::clamp(priority, -5, 0)));
  });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* out, unsigned flags) {
  return cudaStreamCreateWithPriority(out, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t* out) {
  return cudaStreamCreateWithPriority(out, cudaStreamDefault, 0);
}

// What is queued still runs.
cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  return call(kRuntime, [&](Runtime& r) {
    const auto s = r.take(handle);
    s->close();
    r.device(s->device).check();
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* out) {
  return call(kRuntime, [&](Runtime& r) { *out = r.stream(handle)->priority; });
}
cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* out) {
  return call(kRuntime, [&](Runtime& r) {
    const auto s = r.stream(handle);
    *out = s->blocking || !handle ? cudaStreamDefault : cudaStreamNonBlocking;
  });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
  return call(kRuntime, [&](Runtime& r) {
    const auto s = r.stream(handle);
    r.device(s->device).check();
    if (!r.is_idle(*s)) refuse(cudaErrorNotReady, "");
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  return call(kRuntime, [&](Runtime& r) {
    const auto s = r.stream(handle);
    r.device(s->device).check();
    r.synchronize(*s);
  });
}

// The event may be another device's. One that was never recorded orders nothing; one that is
// recorded again later does not matter.
cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned flags) {
  return call(kRuntime, [&](Runtime& r) {
    const auto s = r.stream(handle);
    const auto e = r.event(event);
    r.device(s->device).check();
    if (flags != cudaEventWaitDefault)
      refuse(cudaErrorInvalidValue, "flags of a graph outside of one");
    if (auto m = mark_of(r, *e)) r.wait(*s, std::move(m));
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t fn, void* user) {
  return call(kRuntime, [&](Runtime& r) {
    const auto s = r.stream(handle);
    r.device(s->device).check();
    if (!fn) refuse(cudaErrorInvalidValue, "no function");
    r.host_func(*s, fn, user);
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* out) { return make_event(out, cudaEventDefault); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* out, unsigned flags) {
  return make_event(out, flags);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return call(kRuntime, [&](Runtime& r) { r.take(event); });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle) {
  return call(kRuntime, [&](Runtime& r) {
    const auto e = r.event(event);
    const auto s = r.stream(handle);
    r.device(s->device).check();
    if (e->device != s->device)
      refuse(cudaErrorInvalidResourceHandle, "an event of device " + std::to_string(e->device) +
                                                 " in a stream of device " +
                                                 std::to_string(s->device));
    auto m = r.mark(*s);
    const std::lock_guard lock(r.mutex);
    e->mark = std::move(m);
  });
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  return call(kRuntime, [&](Runtime& r) {
    const auto e = r.event(event);
    r.device(e->device).check();
    const auto m = mark_of(r, *e);
    if (m && !m->is_reached()) refuse(cudaErrorNotReady, "");
    if (m) r.hazards->host_waited(m->clock);
    r.device(e->device).check();
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return call(kRuntime, [&](Runtime& r) {
    const auto e = r.event(event);
    r.device(e->device).check();
    const auto m = mark_of(r, *e);
    if (m) m->wait();
    if (m) r.hazards->host_waited(m->clock);
    r.device(e->device).check();
  });
}

cudaError_t cudaEventElapsedTime(float* ms, cudaEvent_t from, cudaEvent_t to) {
  return call(kRuntime, [&](Runtime& r) {
    const auto a = r.event(from), b = r.event(to);
    r.device(a->device).check();
    const auto first = mark_of(r, *a), second = mark_of(r, *b);
    if (!first || !second)
      refuse(cudaErrorInvalidResourceHandle, "an event that was never recorded");
    if (!a->timed || !b->timed) refuse(cudaErrorInvalidResourceHandle, "an event without a time");
    if (a->device != b->device) refuse(cudaErrorInvalidResourceHandle, "events of two devices");
    if (!first->is_reached() || !second->is_reached()) refuse(cudaErrorNotReady, "");
    *ms = static_cast<float>(second->ms - first->ms);
  });
}
}
