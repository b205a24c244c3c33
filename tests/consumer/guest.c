/* SPDX-License-Identifier: Apache-2.0 */
/* guest.c: a library with a core inside, or over a core that it needs. */
#include "cores.h"

const struct core *guest_core(void);
const struct core *guest_core(void) {
  static const struct core core = THIS_CORE;
  return &core;
}
