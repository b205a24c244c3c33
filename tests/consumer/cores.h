/* SPDX-License-Identifier: Apache-2.0 */
/* cores.h: what two_cores.c calls of the core that is inside guest.c and of its own, alike. */
#include <backplane/c_api.h>

#define CALLS(X)        \
  X(bp_init)            \
  X(bp_shutdown)        \
  X(bp_set_num_threads) \
  X(bp_get_num_threads) \
  X(bp_device_parse)    \
  X(bp_kind_require)    \
  X(bp_tensor_ones)     \
  X(bp_tensor_read) X(bp_tensor_release) X(bp_add) X(bp_exp) X(bp_error_message) X(bp_error_release)

struct core {
#define SLOT(call) __typeof__(&call) call;
  CALLS(SLOT)
#undef SLOT
};
#define ADDRESS(call) .call = call,
#define THIS_CORE \
  { CALLS(ADDRESS) }
