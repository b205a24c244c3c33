// SPDX-License-Identifier: Apache-2.0
// memory.cc: figures and bounds of memory; counts of copies and waits; declared in c_api.h.
#include "core/backend/resolve.h"
#include "core/base/guard.h"
#include "core/device/device.h"
#include "core/memory/pool.h"
#include "core/process/transfer_statistics.h"

namespace bp {
namespace {

// Returns the device as the counts of copies know it: a kind and an index, the cpu without one.
bp_device counted(bp_device d, const char* what) {
  const bp_kind kind = bp_device_kind(d);
  const int32_t index = bp_device_index(d);
  if (kind == BP_KIND_NONE) fail(BP_INVALID_ARGUMENT, "{} must be given", what);
  if (kind == BP_KIND_CPU) return bp_device_make(BP_KIND_CPU, -1);
  if (index < 0)
    fail(BP_INVALID_ARGUMENT, "{}: expected a device with a specified index, but got:{}", what,
         format_device(d));
  return d;
}

}  // namespace
}  // namespace bp

using bp::guard;
using bp::need;
using bp::resolve_device;

extern "C" {

bp_status bp_memory_get_stats(bp_device d, bp_memory_stats* out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    bp::put_struct(resolve_device(d).memory_stats(), out, "out");
  });
}

bp_status bp_memory_reset_peak(bp_device d, bp_error** err) {
  return guard(err, [&] { resolve_device(d).reset_peak(); });
}

bp_status bp_memory_trim(bp_device d, bp_error** err) {
  return guard(err, [&] { resolve_device(d).trim(); });
}

bp_status bp_memory_set_limit(bp_device d, uint64_t bytes, bp_error** err) {
  return guard(err, [&] { resolve_device(d).set_cache_limit(bytes); });
}

bp_status bp_transfer_get_stats(bp_device src, bp_device dst, bp_transfer_stats* out,
                                bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    bp::put_struct(bp::transfer_stats(bp::counted(src, "src"), bp::counted(dst, "dst")), out,
                   "out");
  });
}

bp_status bp_device_get_waits(bp_device d, uint64_t* out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    *out = bp::resolve_device(d).n_waits.load(std::memory_order_relaxed);
  });
}

}  // extern "C"
