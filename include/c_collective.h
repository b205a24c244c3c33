/* c_collective.h: extension "bp.collective/1" of a backend: sums over several of its devices at
 * once, by a library of their vendor's (NCCL, RCCL). A plugin that has it includes this page beside
 * c_plugin.h, whose conventions hold, and answers the id in its `extension`. Without it, and for
 * devices of which `open` makes no communicator, the core sums around a ring of copies: what is
 * lost is speed.
 *
 *   static const bp_collective_api kCollectives = {sizeof(bp_collective_api), 0, open, close,
 *                                                  abort, name, dtypes, ...};
 *   static const void *extension(bp_plugin *p, const char *id) {
 *     return strcmp(id, BP_COLLECTIVE_ID) == 0 ? &kCollectives : NULL;
 *   }
 *
 * Life: the host opens a communicator for a set of devices at the first sum over them and keeps it:
 *   open -> dtypes, all_reduce, check, in any order -> close or abort, in either case before any
 *   of its devices closes.
 * Threads: any; of all slots of this table the host has one call at a time for each bp_plugin.
 * Order: each device sees the exchanges of all communicators in the order of the calls; the host
 * makes streams wait where they change. An exchange may therefore hold its devices' streams until
 * it has begun on all of them. Broadcasts are copies ("bp.peer/1") and have no slot here. No slot
 * is optional. */
#ifndef BACKPLANE_C_COLLECTIVE_H
#define BACKPLANE_C_COLLECTIVE_H

#include "c_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BP_COLLECTIVE_ID "bp.collective/1"

typedef struct bp_pcommunicator bp_pcommunicator; /* the plugin's: devices that exchange */

enum { BP_COLLECTIVE_SUM = 0, BP_COLLECTIVE_MEAN = 1 };

typedef struct bp_collective_api {
  uint32_t struct_size, reserved;
  /* Two or more open devices, all different. May take seconds and open the library, which should
   * not happen before. On failure the host uses copies for these devices from then on, and shows
   * the sentence, which says what is missing (BP_UNAVAILABLE) or went wrong, to whoever asks why.
   */
  bp_status (*open)(bp_pdev *const *devices, uint32_t n_devices, bp_pcommunicator **out,
                    bp_error **err);
  /* Its exchanges have passed. */
  void (*close)(bp_pcommunicator *c);
  /* Its exchanges may be under way, or wait for ever for a device that is lost: the streams of its
   * other devices go on, and what those exchanges were to write is anything. Does not wait for a
   * device. */
  void (*abort)(bp_pcommunicator *c);
  /* The library and its version, "NCCL 2.21.5"; lives as long as c. */
  const char *(*name)(bp_pcommunicator *c);
  /* Bit d: all_reduce takes dtype d with this operation (BP_COLLECTIVE_*; 0 for one it does not
   * know). Never changes. */
  uint64_t (*dtypes)(bp_pcommunicator *c, int32_t operation);
  /* data[i]: count > 0 elements, dense, on the i-th device of open; each becomes the sum, or the
   * mean, of all, the same bits everywhere. Queued in streams[i] of that device, and returns. After
   * an error c is aborted and data is anything. */
  bp_status (*all_reduce)(bp_pcommunicator *c, int32_t operation, bp_dtype dtype, uint64_t count,
                          void *const *data, bp_pstream *const *streams, bp_error **err);
  /* BP_OK, or what an exchange met while it ran; c is then aborted. Never waits. */
  bp_status (*check)(bp_pcommunicator *c, bp_error **err);
} bp_collective_api;

#ifdef __cplusplus
}
#endif
#endif
