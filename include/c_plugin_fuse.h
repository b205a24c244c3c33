/* SPDX-License-Identifier: Apache-2.0 */
/* c_plugin_fuse.h: an optional extension of a backend, "bp.fuse/1": kernels of the backend that run
 * one after the other over a block of their outermost dim at a time, or as one launch
 * (BP_FUSE_WHOLE), so that what one hands to the next stays in a cache or in registers. The host
 * makes such groups of a program's steps (bp_program_end); without the extension it launches the
 * steps one by one. The conventions of c_plugin.h hold. A plugin that has it answers in its
 * `extension`:
 *
 *   static const void *extension_of(bp_plugin *p, const char *id) {
 *     static const bp_fuse_api fuse = {sizeof(bp_fuse_api), 0, run, make, drop};
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
   * its first unit. Nobody beyond the group uses it. */
  const uint8_t *in_scratch;
  /* Of each argument: which memory it looks at, UINT32_MAX for a number. Arguments of a group share
   * bytes only where these are equal. Scratch memory counts as another one for each result. */
  const uint32_t *memory;
} bp_fused_launch;

/* What a plugin has made of a group, once, for all of its runs. */
typedef struct bp_fused_code bp_fused_code;

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
  const bp_fused_code *code; /* what make gave for this group, or NULL */
} bp_fused;

enum {
  /* The backend runs a group whole, as one launch of its own: accelerators, whose memory is worth
   * more than a cache. What launches hand on reaches memory unless they run together. So a group is
   * split until all of its launches run together; a block is then the group, there is no scratch
   * memory, and a launch that runs with no other is none of a group. */
  BP_FUSE_WHOLE = 1u
};
typedef struct bp_fuse_api {
  uint32_t struct_size;
  uint32_t flags; /* BP_FUSE_* */
  bp_status (*run)(const bp_fused *group, bp_error **err);
  /* make looks at a group before its first run, and may keep in *out, which is NULL before, what
   * makes runs faster. Numbers, shapes and strides are those of each run; data is
   * an offset in the argument's memory; there is no scratch memory, nor a block. together[k] is k
   * for each launch; where the plugin will run launches k to k + n element by element, or row by
   * row, it makes these numbers the same, and those of later launches may then skip some. Results
   * that only such launches use get no memory, and must not be written. drop gives *out back, while
   * the device is open; closing a device frees what is left. */
  bp_status (*make)(const bp_fused *group, uint32_t *together, bp_fused_code **out, bp_error **err);
  void (*drop)(bp_fused_code *code);
} bp_fuse_api;

#ifdef __cplusplus
}
#endif
#endif
