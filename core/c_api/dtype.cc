// SPDX-License-Identifier: Apache-2.0
// dtype.cc: what is known of each dtype, and the default one.
#include "core/value/dtype.h"

#include "core/base/guard.h"

using namespace bp;

extern "C" {

const char* bp_dtype_name(bp_dtype dtype) { return dtype_name(dtype); }

uint32_t bp_dtype_bytes(bp_dtype dtype) {
  return valid_dtype(dtype) ? static_cast<uint32_t>(dtype_bytes(dtype)) : 0;
}

int32_t bp_dtype_kind(bp_dtype dtype) {
  return valid_dtype(dtype) ? dtype_kind(dtype) : BP_DTYPE_KIND_NONE;
}

bp_status bp_dtype_limits(bp_dtype dtype, double* epsilon, double* largest, double* smallest_normal,
                          bp_error** err) {
  return guard(err, [&] {
    need(epsilon, "epsilon"), need(largest, "largest"), need(smallest_normal, "smallest_normal");
    check_dtype(dtype, "dtype");
    if (!is_floating(dtype) && !is_complex(dtype))
      fail(BP_DTYPE_MISMATCH, "limits: expected a floating or complex dtype, got {}",
           dtype_name(dtype));
    const FloatFormat format = float_format(dtype);
    *epsilon = format.epsilon();
    *largest = format.largest;
    *smallest_normal = format.smallest_normal();
  });
}

bp_status bp_set_default_dtype(bp_dtype dtype, bp_error** err) {
  return guard(err, [&] { set_default_dtype(dtype); });
}

bp_dtype bp_get_default_dtype(void) { return default_dtype(); }

}  // extern "C"
