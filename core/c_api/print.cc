// SPDX-License-Identifier: Apache-2.0
// print.cc: tensors as text; declared in c_api.h.
#include "core/io/print.h"

#include "core/base/guard.h"

using namespace bp;

bp_status bp_tensor_format(bp_tensor* t, const bp_print_options* options, char* buf,
                           uint64_t capacity, uint64_t* needed, bp_error** err) {
  return guard(err, [&] {
    put_text(format_tensor(checked(t, "t"), checked_print_options(options)), buf, capacity, needed);
  });
}
