/* SPDX-License-Identifier: Apache-2.0 */
/* c_plugin_wide.h: extension "bp.wide/1" of a backend: exchanges between its devices in several
 * processes by a library of their vendor's (NCCL, RCCL). The conventions of c_plugin.h hold. The
 * exchanges are those of c_plugin_group.h, in the memory of a device and in its streams. Without
 * the extension tensors of a device pass through the host. A plugin that has it answers in its
 * `extension`:
 *
 *   static const void *extension(bp_plugin *p, const char *id) {
 *     static const bp_wide_api wide = {sizeof(bp_wide_api), 0, wide_library, wide_id, wide_open,
 *                                      wide_ready, wide_dtypes, wide_exchange, wide_check,
 *                                      wide_abort, wide_close};
 *     return strcmp(id, BP_WIDE_ID) == 0 ? &wide : NULL;
 *   }
 *
 * Each member brings one device. Member 0 makes an id, which the host carries to the others; then
 * all of them open. Exchanges of one member come in the order of the others'.
 *
 * Any thread may call, but for each bp_plugin the host makes one call of this table and of
 * "bp.collective/1" at a time, except for ready, check and abort, which may come while another
 * thread is inside exchange. An exchange may hold its stream until it has begun on all members. No
 * slot is optional. */
#ifndef BACKPLANE_C_PLUGIN_WIDE_H
#define BACKPLANE_C_PLUGIN_WIDE_H

#include "c_plugin_group.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BP_WIDE_ID "bp.wide/1"

typedef struct bp_pwide bp_pwide; /* a member's device among those of the others */
typedef struct bp_wide_id {
  char bytes[128];
} bp_wide_id;

typedef struct bp_wide_api {
  uint32_t struct_size, reserved;
  /* Opens the library. Sets *name to it and its version, "NCCL 2.21.5", which lives as long as the
   * device. BP_UNAVAILABLE: it is missing, or too old; the sentence says so. */
  bp_status (*library)(bp_pdev *d, const char **name, bp_error **err);
  bp_status (*make_id)(bp_pdev *d, bp_wide_id *out, bp_error **err);
  /* Begins to open, as member `rank`. It waits for no other member. */
  bp_status (*open)(bp_pdev *d, const bp_wide_id *id, uint32_t rank, uint32_t n_members,
                    bp_pwide **out, bp_error **err);
  /* BP_OK when all members have opened, BP_NOT_READY, or an error. Nothing but abort and close
   * comes before BP_OK. */
  bp_status (*ready)(bp_pwide *w, bp_error **err);
  /* Bit d is set when reductions by this operation, BP_REDUCE_*, take dtype d and are what
   * c_group.h says: a minimum is NaN where a member has one. The answer never changes, and is 0 for
   * an unknown operation. */
  uint64_t (*dtypes)(bp_pwide *w, int32_t operation);
  /* Queues an exchange in a stream of the device, and does not wait for it; it may wait for the
   * others to begin. `from` and `to` are memory of the device, count > 0. Kinds are all but
   * BARRIER, SEND and RECEIVE. After an error w is aborted. */
  bp_status (*exchange)(bp_pwide *w, const bp_exchange *what, bp_pstream *s, bp_error **err);
  /* BP_OK, or what went wrong in an exchange while it ran; w is then aborted. Never waits. */
  bp_status (*check)(bp_pwide *w, bp_error **err);
  /* Exchanges that are under way or wait for a lost member end, on this device: its streams go on,
   * and their results are undefined. A call of exchange returns with an error. Nothing but close
   * comes afterwards. */
  void (*abort)(bp_pwide *w);
  /* Ends w, before its device closes. It comes when all exchanges are done, or after abort. */
  void (*close)(bp_pwide *w);
} bp_wide_api;

#ifdef __cplusplus
}
#endif
#endif
