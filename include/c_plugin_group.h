/* SPDX-License-Identifier: Apache-2.0 */
/* c_plugin_group.h: extension "bp.group/1" of a plugin: processes that exchange host memory with
 * each other (MPI). The conventions of c_plugin.h hold. A plugin that has it may have no device at
 * all; it answers in its `extension`:
 *
 *   static const void *extension(bp_plugin *p, const char *id) {
 *     static const bp_group_api group = {
 *         sizeof(bp_group_api), 0, join, split, ready, leave, about, reductions, begin, test, give_up, native};
 *     return strcmp(id, BP_GROUP_ID) == 0 ? &group : NULL;
 *   }
 *
 * The host calls this table from one thread of its own, which it makes for this purpose, so that
 * the slots need no lock between each other. No slot waits for other members, except that the first
 * join of a process may wait until all have started. The host itself looks whether a member is gone
 * and whether the members' calls agree. No slot is optional. */
#ifndef BACKPLANE_C_PLUGIN_GROUP_H
#define BACKPLANE_C_PLUGIN_GROUP_H

#include "c_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BP_GROUP_ID "bp.group/1"

typedef struct bp_pgroup bp_pgroup;       /* the members, as one of them sees them */
typedef struct bp_pexchange bp_pexchange; /* an exchange that is under way */

/* What members exchange. A part is `count` elements; n is the number of members; a member's rank is
 * its number, from 0. */
enum {
  BP_EXCHANGE_BARRIER = 0,    /* nothing but that all have come */
  BP_EXCHANGE_BROADCAST = 1,  /* the part at `to` of member `peer` goes to `to` of all */
  BP_EXCHANGE_ALL_REDUCE = 2, /* `to` of each becomes the reduction of all members' `to` */
  BP_EXCHANGE_REDUCE = 3,     /* the same, for member `peer` alone; `to` of others is left alone */
  BP_EXCHANGE_ALL_GATHER = 4, /* n parts at `to`: part i is `from` of member i */
  BP_EXCHANGE_REDUCE_SCATTER =
      5,                      /* n parts at `from`; `to` of member i is the reduction of parts i */
  BP_EXCHANGE_ALL_TO_ALL = 6, /* n parts at each: part i at `to` is part [own rank] of member i */
  BP_EXCHANGE_GATHER = 7,     /* n parts at `to` of member `peer` alone: `from` of each */
  BP_EXCHANGE_SCATTER = 8,    /* n parts at `from` of member `peer` alone: part i to `to` of i */
  BP_EXCHANGE_SEND = 9,       /* `from` goes to member `peer` */
  BP_EXCHANGE_RECEIVE = 10    /* `to` comes from member `peer` */
};
typedef struct bp_exchange {
  uint32_t struct_size;
  int32_t kind;      /* BP_EXCHANGE_* */
  int32_t operation; /* of reductions: BP_REDUCE_SUM, _PRODUCT, _MIN or _MAX */
  bp_dtype dtype;
  uint32_t peer; /* the root, the receiver or the sender */
  uint32_t tag;  /* of SEND and RECEIVE, at most 32767: which of several messages */
  uint64_t count;
  /* Host memory that stays until the exchange is over; `from` and `to` never overlap. NULL where
   * this member has none. */
  const void *from;
  void *to;
} bp_exchange;

typedef struct bp_group_api {
  uint32_t struct_size, reserved;
  /* Begins to join the processes that were started together or, when native is not NULL, those of
   * the library's own handle (for MPI a pointer to an MPI_Comm), which stays the caller's. Messages
   * of the group never meet those of others. Nothing but ready and leave comes before ready has
   * said BP_OK. */
  bp_status (*join)(bp_plugin *p, const void *native, bp_pgroup **out, bp_error **err);
  /* The same for a part of g: comes on all members of g, in one order with their other splits of
   * it, when no exchange is under way there. Those of one color >= 0 become a group, ordered by key
   * and then by rank in g. What a member with a color < 0 gets is a group without members. */
  bp_status (*split)(bp_pgroup *g, int32_t color, int32_t key, bp_pgroup **out, bp_error **err);
  /* BP_OK when all members have come, BP_NOT_READY, or an error, after which leave comes. */
  bp_status (*ready)(bp_pgroup *g, bp_error **err);
  /* Comes when no exchange is under way, or with broken 1 when there may be some, whose memory may
   * then still be written. It waits for nobody. */
  void (*leave)(bp_pgroup *g, uint32_t broken);
  void (*about)(bp_pgroup *g, uint32_t *rank, uint32_t *n_members);
  /* Bit d is set when reductions by this operation, BP_REDUCE_*, take dtype d. The answer never
   * changes, and is 0 for an unknown operation. The host converts f16 and bf16 to f32, and does
   * without the others. */
  uint64_t (*dtypes)(bp_pgroup *g, int32_t operation);
  /* Begins an exchange. Members begin those of a group in the same order, except for messages
   * between two members. Several may be under way. After an error nothing of this one is, and the
   * group is broken. */
  bp_status (*begin)(bp_pgroup *g, const bp_exchange *what, bp_pexchange **out, bp_error **err);
  /* Drives the exchange on. BP_OK: it is over, and x is gone. BP_NOT_READY. An error: x is gone,
   * the group is broken, and the memory of x may still be written. */
  bp_status (*test)(bp_pexchange *x, bp_error **err);
  /* Gives up an exchange of a broken group: x is gone, but its memory may still be written. */
  void (*drop)(bp_pexchange *x);
  /* The library's own handle, borrowed (for MPI a pointer to an MPI_Comm). */
  const void *(*native)(bp_pgroup *g);
} bp_group_api;

#ifdef __cplusplus
}
#endif
#endif
