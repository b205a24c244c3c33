/* SPDX-License-Identifier: Apache-2.0 */
/* c_plugin_fuse.h: an optional extension of a backend, "bp.fuse/1": kernels of the backend that run
 * one after the other over a block of their outermost dim at a time, so that what one hands to the
 * next stays in a cache or in registers. The host makes such groups of a program's steps
 * (bp_program_end); without the extension it launches the steps one by one. The conventions of
 * c_plugin.h hold. A plugin that has it answers in its `extension`:
 *
 *   static const void *extension_of(bp_plugin *p, const char *id) {
 *     static const bp_fuse_api fuse = {sizeof(bp_fuse_api), 0, run};
 *     return strcmp(id, BP_FUSE_ID) == 0 ? &fuse : NULL;
 *   }
 */
#ifndef BACKPLANE_C_PLUGIN_FUSE_H
#define BACKPLANE_C_PLUGIN_FUSE_H

#include "c_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BP_FUSE_ID "bp.fuse/1"

/* One launch of a group. It is a launch as any other, over all of its operands, and has no
 * workspace. Dim 0 of every tensor has one size, units * dim_per_unit, and no negative stride. Its
 * part for `n` units from unit `u` on has dim 0 of n * dim_per_unit and data moved on by u *
 * unit_bytes[i]. */
typedef struct bp_fused_launch {
  bp_status (*run)(const bp_launch *launch, bp_error **err); /* of the kernel's record */
  const bp_launch *launch;
  int64_t dim_per_unit;
  const int64_t *unit_bytes; /* of each argument; 0 for a number */
  /* Of each argument: 1 when its data is an offset in the scratch memory, where a block begins at
   * its first unit. */
  const uint8_t *in_scratch;
} bp_fused_launch;

/* Launches that depend on each other within a unit alone. Blocks of units may run in any order and
 * at the same time, each with scratch memory of its own; within a block the launches run in their
 * order. */
typedef struct bp_fused {
  uint32_t struct_size, n_launches;
  const bp_fused_launch *launches;
  int64_t units;
  int64_t block; /* units in a block; the last may be shorter */
  /* Memory of the device for as many blocks at a time as it has threads of the host
   * (bp_host.num_threads), or for one; each has scratch_bytes, a multiple of 64. */
  void *scratch;
  uint64_t scratch_bytes;
} bp_fused;

typedef struct bp_fuse_api {
  uint32_t struct_size, reserved;
  bp_status (*run)(const bp_fused *group, bp_error **err);
} bp_fuse_api;

#ifdef __cplusplus
}
#endif
#endif
