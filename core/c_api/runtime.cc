// SPDX-License-Identifier: Apache-2.0
// runtime.cc: version, start, end, threads, precision of products; declared in c_api.h.
#include "core/process/runtime.h"

#include "core/backend/discovery.h"
#include "core/base/guard.h"
#include "core/c_api/lifecycle.h"
#include "core/call/user_op.h"
#include "core/process/threads.h"
#include "core/process/visibility.h"

using namespace bp;

extern "C" {

const char* bp_version(void) { return BP_VERSION; }

uint32_t bp_abi_version(void) { return 1; }

const char* bp_status_name(bp_status status) { return status_name(status); }

bp_status bp_init(const bp_init_desc* desc, bp_error** err) {
  return guard(err, [&] {
    bp_init_desc d{};
    if (desc) d = get_struct(desc, "desc");
    // What can be refused without looking for plugins is refused here, the rest where it is used.
    if (d.alias) parse_aliases(d.alias, "alias");
    if (d.visible_devices) check_visible_spec(d.visible_devices, "visible_devices", {}, {});
    start(d);
  });
}

bp_status bp_shutdown(int64_t timeout_ns, bp_error** err) {
  bool done = true;
  const bp_status status = guard(err, [&] {
    done = shutdown(timeout_ns);
    if (done) reset_user_ops();  // outside every lock: it calls the application's destroy callbacks
  });
  return status == BP_OK && !done ? BP_TIMEOUT : status;
}

bp_status bp_unload_kind(bp_kind kind, int64_t timeout_ns, bp_error** err) {
  bool done = true;
  const bp_status status = guard(err, [&] { done = unload(kind, timeout_ns); });
  return status == BP_OK && !done ? BP_TIMEOUT : status;
}

bp_status bp_set_wait_callback(bp_wait_fn call, void* user, bp_error** err) {
  return guard(err, [&] { set_wait_callback(call, user); });
}

bp_status bp_set_num_threads(int32_t n, bp_error** err) {
  return guard(err, [&] { set_num_threads(n); });
}

int32_t bp_get_num_threads(void) { return num_threads(); }

bp_status bp_get_num_threads_source(char* buf, uint64_t capacity, uint64_t* needed,
                                    bp_error** err) {
  return guard(err, [&] { put_text(num_threads_source(), buf, capacity, needed); });
}

bp_status bp_set_matmul_precision(bp_precision precision, bp_error** err) {
  return guard(err, [&] { set_matmul_precision(precision); });
}

bp_precision bp_get_matmul_precision(void) { return matmul_precision(); }

}  // extern "C"
