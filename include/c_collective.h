/* SPDX-License-Identifier: Apache-2.0 */
/* c_collective.h: extension "bp.collective/1" of a backend: sums over several of its devices by a
 * library of their vendor's (NCCL, RCCL). The conventions of c_plugin.h hold. Without the
 * extension, and for devices of which `open` makes no communicator, the core sums around a ring of
 * copies, which is slower. A plugin that has it answers in its `extension`:
 *
 *   static const void *extension(bp_plugin *p, const char *id) {
 *     static const bp_collective_api collective = {
 *         sizeof(bp_collective_api), 0, open, close, abort, name, dtypes, all_reduce, check};
 *     return strcmp(id, BP_COLLECTIVE_ID) == 0 ? &collective : NULL;
 *   }
 *
 * The host opens a communicator for a set of devices at the first sum over them and keeps it. It
 * calls dtypes, all_reduce and check in any order, and then close or abort, in either case before
 * one of the devices closes.
 *
 * Any thread may call, but for each bp_plugin the host makes one call of this table at a time. Each
 * device sees the exchanges of all communicators in the order of the calls; the host makes streams
 * wait where they change. An exchange may therefore hold its devices' streams until it has begun on
 * all of them. Broadcasts are copies ("bp.peer/1") and have no slot here. No slot is optional. */
#ifndef BACKPLANE_C_COLLECTIVE_H
#define BACKPLANE_C_COLLECTIVE_H

#include "c_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BP_COLLECTIVE_ID "bp.collective/1"

typedef struct bp_pcommunicator bp_pcommunicator; /* devices that exchange with each other */

enum { BP_COLLECTIVE_SUM = 0, BP_COLLECTIVE_MEAN = 1 };

typedef struct bp_collective_api {
  uint32_t struct_size, reserved;
  /* Makes a communicator of two or more open devices, all different. This may take seconds and
   * opens the library, which should not happen earlier. When it fails, the host uses copies for
   * these devices from then on, and shows whoever asks why the sentence, which says what is missing
   * (BP_UNAVAILABLE) or went wrong. */
  bp_status (*open)(bp_pdev *const *devices, uint32_t n_devices, bp_pcommunicator **out,
                    bp_error **err);
  /* Comes when all exchanges are done. */
  void (*close)(bp_pcommunicator *c);
  /* Comes when exchanges are under way, or wait for ever for a device that is lost: the streams of
   * the other devices go on, and the results of those exchanges are undefined. This does not wait
   * for a device. */
  void (*abort)(bp_pcommunicator *c);
  /* The library and its version, "NCCL 2.21.5"; the text lives as long as c. */
  const char *(*name)(bp_pcommunicator *c);
  /* Bit d is set when all_reduce takes dtype d with this operation, BP_COLLECTIVE_*. The answer
   * never changes, and is 0 for an unknown operation. */
  uint64_t (*dtypes)(bp_pcommunicator *c, int32_t operation);
  /* data[i] is count > 0 dense elements on the i-th device of open. Each becomes the sum, or the
   * mean, of all, the same bits everywhere. The exchange is queued in streams[i] of that device;
   * the call does not wait for it. After an error c is aborted, and data is undefined. */
  bp_status (*all_reduce)(bp_pcommunicator *c, int32_t operation, bp_dtype dtype, uint64_t count,
                          void *const *data, bp_pstream *const *streams, bp_error **err);
  /* BP_OK, or what went wrong in an exchange while it ran; c is then aborted. Never waits. */
  bp_status (*check)(bp_pcommunicator *c, bp_error **err);
} bp_collective_api;

#ifdef __cplusplus
}
#endif
#endif
