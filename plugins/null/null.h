/* SPDX-License-Identifier: Apache-2.0 */
/* null.h: what the three files of this plugin share. A device here is a piece of host memory behind
 * a wall: the host may not touch it (BP_PROP_HOST_MEMORY is not set), so that the core treats it as
 * an accelerator's. Work is done at once, on the calling thread, so a stream is always finished. */
#ifndef BACKPLANE_NULL_H
#define BACKPLANE_NULL_H

#include "c_plugin.h"

struct bp_plugin {
  const bp_host* host;
  uint32_t n_devices;
};

struct block; /* device.c */

struct bp_pdev {
  const bp_host* host;
  struct block* blocks; /* what mem_free has not given back yet */
  uint64_t used_bytes;
  uint32_t lock; /* any thread may allocate */
};

struct bp_pstream {
  bp_pdev* device;
};

struct bp_pevent {
  bp_pdev* device;
  int64_t nanoseconds; /* when it was recorded */
};

enum { NULL_MEMORY_BYTES = 1 << 30 }; /* of each device */

/* Returns code, with text in *err: how every failure of a plugin leaves it. */
bp_status null_fail(const bp_host* host, bp_error** err, bp_status code, const char* text);

/* device.c: the slots that work on a device, its streams and events */
void null_fill_device_slots(bp_plugin_api* api);
/* kernels.c */
bp_status null_kernels(bp_plugin* p, const bp_kernel** records, uint32_t* count, bp_error** err);

#endif
