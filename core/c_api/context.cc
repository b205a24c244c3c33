// SPDX-License-Identifier: Apache-2.0
// context.cc: default and current devices, fallback, and contexts; declared in c_api.h.
#include "core/process/context.h"

#include "core/backend/resolve.h"
#include "core/base/guard.h"
#include "core/device/device.h"
#include "core/process/device_kind.h"
#include "core/process/fallback.h"

namespace bp {
namespace {

// Checks that the value may be a device: its kind has a name, and it has an index or none. Whether
// the device exists is seen at its first use, as with torch.device.
bp_device well_formed(bp_device d) {
  const bp_kind kind = bp_device_kind(d);
  const int32_t index = bp_device_index(d);
  if (kind == BP_KIND_NONE) fail(BP_INVALID_ARGUMENT, "device must be given, got 0");
  if (!kind_name(kind)) fail(BP_INVALID_ARGUMENT, "device has kind {}, which nothing offers", kind);
  if (index < -1) fail(BP_INVALID_ARGUMENT, "Device index must not be negative, got {}", index);
  return d;
}

// Checks what current_push and set_current take, a device with an index, without opening it. The
// cpu is one device, whether it is called "cpu" or "cpu:0".
int32_t indexed(bp_device d) {
  const bp_kind kind = bp_device_kind(well_formed(d));
  if (kind != BP_KIND_CPU && bp_device_index(d) < 0)
    fail(BP_INVALID_ARGUMENT, "Expected a device with a specified index, but got:{}",
         format_device(d));
  return existing_index(d);
}

// device_push also takes a kind without an index, which leaves the kind's current index as it is.
int32_t indexed_or_current(bp_device d) { return existing_index(well_formed(d)); }

bp_fallback checked_fallback(bp_fallback policy) {
  if (policy < BP_FALLBACK_INHERIT || policy > BP_FALLBACK_CPU)
    fail(BP_INVALID_ARGUMENT,
         "fallback {} is not known, expected BP_FALLBACK_INHERIT (0), REFUSE (1) or CPU (2)",
         policy);
  return policy;
}

bp_context& checked_context(bp_context* c) {
  if (need(c, "context")->tag != Tag::kContext)
    fail(BP_INVALID_ARGUMENT, "context is not a context");
  if (c->born != generation()) fail(BP_BAD_STATE, "context was captured before bp_shutdown");
  return *c;
}

}  // namespace
}  // namespace bp

using bp::guard;
using bp::need;

extern "C" {

bp_status bp_default_push(bp_device d, uint64_t* token, bp_error** err) {
  return guard(err, [&] {
    need(token, "token");
    *token = bp::push_default(bp::well_formed(d));
  });
}

bp_status bp_default_pop(uint64_t token, bp_error** err) {
  return guard(err, [&] { bp::pop_default(token); });
}

bp_status bp_default_get(bp_device* out, bp_error** err) {
  return guard(err, [&] { *need(out, "out") = bp::default_device(); });
}

bp_status bp_set_default_device(bp_device d, bp_error** err) {
  return guard(err, [&] { bp::set_process_default(d ? bp::well_formed(d) : 0); });
}

bp_status bp_current_push(bp_device d, uint64_t* token, bp_error** err) {
  return guard(err, [&] {
    need(token, "token");
    const int32_t index = bp::indexed(d);
    *token = bp::push_current(bp_device_kind(d), index);
  });
}

bp_status bp_current_pop(uint64_t token, bp_error** err) {
  return guard(err, [&] { bp::pop_current(token); });
}

bp_status bp_set_current(bp_device d, bp_error** err) {
  return guard(err, [&] {
    const int32_t index = bp::indexed(d);
    bp::set_current_index(bp_device_kind(d), index);
  });
}

bp_status bp_current_get(bp_kind kind, bp_device* out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    bp::well_formed(bp_device_make(kind, -1));
    *out = bp_device_make(kind, kind == BP_KIND_CPU ? -1 : bp::current_index(kind));
  });
}

bp_status bp_device_push(bp_device d, uint64_t* token, bp_error** err) {
  return guard(err, [&] {
    need(token, "token");
    const int32_t index = bp::indexed_or_current(d);
    *token = bp::push_device(d, index);
  });
}

bp_status bp_device_pop(uint64_t token, bp_error** err) {
  return guard(err, [&] { bp::pop_device(token); });
}

bp_status bp_set_fallback(bp_fallback policy, bp_error** err) {
  return guard(err, [&] { bp::set_process_fallback(bp::checked_fallback(policy)); });
}

bp_status bp_fallback_push(bp_fallback policy, uint64_t* token, bp_error** err) {
  return guard(err, [&] {
    need(token, "token");
    *token = bp::push_fallback(bp::checked_fallback(policy));
  });
}

bp_status bp_fallback_pop(uint64_t token, bp_error** err) {
  return guard(err, [&] { bp::pop_fallback(token); });
}

bp_status bp_fallback_get(bp_fallback* out, bp_error** err) {
  return guard(err, [&] { *need(out, "out") = bp::fallback(); });
}

bp_status bp_context_capture(bp_context** out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    auto c = bp::Ref<bp_context>::adopt(new bp_context);
    c->state = bp::capture_context();
    *out = c.release();
  });
}

bp_status bp_context_enter(bp_context* c, uint64_t* token, bp_error** err) {
  return guard(err, [&] {
    bp_context& context = bp::checked_context(c);
    need(token, "token");
    *token = bp::push_context(context.state);
  });
}

bp_status bp_context_leave(uint64_t token, bp_error** err) {
  return guard(err, [&] { bp::pop_context(token); });
}

bp_context* bp_context_retain(bp_context* c) {
  if (c && c->tag == bp::Tag::kContext) c->refs.fetch_add(1, std::memory_order_relaxed);
  return c;
}

void bp_context_release(bp_context* c) {
  if (c && c->tag == bp::Tag::kContext) bp::Ref<bp_context>::drop(c);
}

}  // extern "C"
