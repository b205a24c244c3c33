/* SPDX-License-Identifier: Apache-2.0 */
/* scatter: x with out[.., index[.., j, ..], ..] = src[.., j, ..]. Elements are moved by their size,
 * in row-major order, so that of equal indices the last wins. */
#include <string.h>

#include "kernels.h"
#include "scatter_with.h"

static void put(void* to, const void* from, size_t bytes) { memcpy(to, from, bytes); }

bp_status scatter_any(const bp_launch* launch, bp_error** err) {
  return scatter_with(launch, err, put);
}
