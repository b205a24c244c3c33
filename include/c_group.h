/* SPDX-License-Identifier: Apache-2.0 */
/* c_group.h: processes that exchange tensors, on one machine or on many. C99; included by c_api.h,
 * whose conventions hold.
 *
 * A plugin connects the processes: "mpi", whose launcher (mpirun, srun) starts them. Each process
 * is a member with a number, its rank. All members make the same calls of a group in the same
 * order:
 *
 *   bp_group_desc how = {sizeof how, 0, "mpi", 30000000000, NULL};
 *   bp_group *all = NULL;
 *   if (bp_group_join(&how, &all, &err) == BP_OK)
 *     status = bp_group_all_reduce(all, t, BP_REDUCE_MEAN, NULL, &err);
 *   bp_group_release(all);
 *
 * Tensors are of any layout and on any device; one of an accelerator goes through pinned memory,
 * which the transfer statistics count, or with bp_group_use_device from device to device. f16 and
 * bf16 are reduced in f32 and rounded once.
 *
 * Every exchange takes a place for work. NULL: the call returns when the exchange is over. Else the
 * call returns once it is begun, and *work must be waited for before results are read; tensors are
 * retained until then and must not be written. Messages are compared by their number of bytes
 * alone. Exchanges of one group happen one after the other in the order of the calls; those of
 * several groups do not wait for each other, and neither do bp_group_send and bp_group_receive.
 *
 * When a member is gone, does not answer or fails, an exchange ends on all others within the
 * group's timeout, with BP_UNAVAILABLE and a sentence that names who is gone or has not come. Every
 * later call of that group fails with the same sentence. Operands that are only read are unharmed;
 * results are undefined, and the library beneath may write them as long as the process lives. The
 * program goes on: it may save, end, or go on alone.
 *
 * With BACKPLANE_CHECK_GROUPS=1 or BP_GROUP_CHECK members tell each other what they are about to
 * exchange. Where calls do not agree (other shapes, dtypes, roots, another call), each member gets
 * BP_INVALID_ARGUMENT, which says who called what, and the group is as before. Without it such
 * calls end with the error of the library beneath, or by the timeout.
 *
 * Any thread may call; members agree on an order only when one thread at a time does. */
#include "c_api.h" /* before the guard: c_api.h includes its further pages in their order */

#ifndef BACKPLANE_C_GROUP_H
#define BACKPLANE_C_GROUP_H

#ifdef __cplusplus
extern "C" {
#endif

/* ---- groups ---------------------------------------------------------------------------------- */
typedef struct bp_group bp_group;
enum {
  BP_GROUP_CHECK = 1u,   /* members check that their calls agree, whatever the variable says */
  BP_GROUP_NO_CHECK = 2u /* they do not */
};
typedef struct bp_group_desc {
  uint32_t struct_size, flags; /* BP_GROUP_* */
  const char *kind;            /* the plugin, "mpi" */
  int64_t timeout_ns;          /* of each exchange; 0: 30 minutes */
  /* The processes of this handle of the plugin's library, for "mpi" a pointer to an MPI_Comm; NULL:
   * all that were started together. It must stay when the call fails: what was begun may read it
   * later. */
  const void *native;
} bp_group_desc;
/* Joins the other processes, for which it waits until the timeout. Joins and splits come in the
 * same order on all their members. For "mpi", MPI is initialised unless the program did that, with
 * MPI_THREAD_MULTIPLE; then the program also finalises it. Else it is finalised as the process
 * ends, which waits for the others to end, unless one of them is lost. BP_UNAVAILABLE: there is no
 * such plugin, or its library does not start. */
BP_API bp_status bp_group_join(const bp_group_desc *desc, bp_group **out, bp_error **err);
/* Makes groups of the members that give the same color >= 0, ordered by key and then by rank.
 * color -1: none for this member, *out is NULL. All members of g call it. */
BP_API bp_status bp_group_split(bp_group *g, int32_t color, int32_t key, bp_group **out,
                                bp_error **err);
/* Adds a reference to g, which it returns; gives one back. The last one leaves the group, once what
 * is under way is over; bp_shutdown leaves all. Whoever leaves while others wait for him counts as
 * gone. */
BP_API bp_group *bp_group_retain(bp_group *g);
BP_API void bp_group_release(bp_group *g);
typedef struct bp_group_info {
  uint32_t struct_size;
  uint32_t rank, size;             /* this member's number and how many there are */
  uint32_t local_rank, local_size; /* the same among the members on this machine */
  uint32_t checks;                 /* 1 when members check that their calls agree */
  int64_t timeout_ns;
  uint64_t n_exchanges;     /* how many were called for, in this group */
  uint64_t exchanged_bytes; /* of this member's operands */
  const void *native;       /* the library's own handle, borrowed */
  char kind[32];
  char device_library[64]; /* of bp_group_use_device, "NCCL 2.21.5"; "" without one */
} bp_group_info;
/* What g is, and what this member has exchanged in it. */
BP_API bp_status bp_group_get_info(bp_group *g, bp_group_info *out, bp_error **err);
/* Ends g because this member cannot go on with what the others wait for: they get BP_UNAVAILABLE,
 * "rank 2: " and this sentence. */
BP_API bp_status bp_group_abort(bp_group *g, const char *sentence, bp_error **err);
/* Sets the time in which each later exchange must be over; > 0. */
BP_API bp_status bp_group_set_timeout(bp_group *g, int64_t timeout_ns, bp_error **err);
/* From now on exchanges of tensors on this device go through a library of its vendor's (NCCL, RCCL)
 * and not through host memory. All members call it, each with a device of its own, of one kind. An
 * exchange goes this way when the tensor that all members have is there (the t of each call, out of
 * bp_group_scatter), on all members or on none. It is queued in the device's current stream, in the
 * order of the calls: a call without work returns before it is over, and bp_work_wait lets the
 * current stream wait instead of the caller. The tensors of exchanges that are over stay held until
 * the group's next one on the device, or its end. Messages, minima and maxima of floating elements
 * and products of complex ones go through the host as before. While members check that their calls
 * agree, a call waits for the others.
 * When a member is lost or the timeout is over, the streams go on, with undefined results, and the
 * group's later calls fail. BP_UNSUPPORTED, on all members alike: a plugin or its library does not
 * do this, two members have one device, or BACKPLANE_COLLECTIVES is "ring" on one of them; the
 * group goes on as before. BP_BAD_STATE: the group uses another device. */
BP_API bp_status bp_group_use_device(bp_group *g, bp_device device, bp_error **err);

/* ---- work: an exchange under way ------------------------------------------------------------- */
typedef struct bp_work bp_work;
/* BP_OK when it is over, BP_NOT_READY, or what it met. */
BP_API bp_status bp_work_query(bp_work *w, bp_error **err);
/* Waits until it is over, and lets what is queued next in the current streams of the operands'
 * devices see the results. For an exchange of bp_group_use_device the streams wait, not the caller.
 * Returns what it met, each time. */
BP_API bp_status bp_work_wait(bp_work *w, bp_error **err);
BP_API bp_work *bp_work_retain(bp_work *w);
/* Gives a reference back. An exchange goes on without its handle; its results are then undefined.
 */
BP_API void bp_work_release(bp_work *w);

/* ---- exchanges ------------------------------------------------------------------------------- */
/* Returns when all members have called it; timeout_ns 0: the group's. */
BP_API bp_status bp_group_barrier(bp_group *g, int64_t timeout_ns, bp_work **work, bp_error **err);
/* t of member root goes to t of all. */
BP_API bp_status bp_group_broadcast(bp_group *g, bp_tensor *t, uint32_t root, bp_work **work,
                                    bp_error **err);
/* Each member's t becomes the reduction of all, the same bits everywhere. Numbers of one dtype and
 * shape; bool by min (and), max (or). */
BP_API bp_status bp_group_all_reduce(bp_group *g, bp_tensor *t, bp_reduce_op operation,
                                     bp_work **work, bp_error **err);
/* The same for member root; the others keep what they have. */
BP_API bp_status bp_group_reduce(bp_group *g, bp_tensor *t, bp_reduce_op operation, uint32_t root,
                                 bp_work **work, bp_error **err);
/* out, of shape [size, ...], gets t of all members; t has the shape [...]. */
BP_API bp_status bp_group_all_gather(bp_group *g, bp_tensor *t, bp_tensor *out, bp_work **work,
                                     bp_error **err);
/* out, of shape [...], gets the reduction of the members' t[rank]; t has the shape [size, ...]. */
BP_API bp_status bp_group_reduce_scatter(bp_group *g, bp_tensor *t, bp_reduce_op operation,
                                         bp_tensor *out, bp_work **work, bp_error **err);
/* out[i] gets t[rank] of member i; both have the shape [size, ...]. */
BP_API bp_status bp_group_all_to_all(bp_group *g, bp_tensor *t, bp_tensor *out, bp_work **work,
                                     bp_error **err);
/* out of member root, of shape [size, ...], gets t of all; the others give NULL. */
BP_API bp_status bp_group_gather(bp_group *g, bp_tensor *t, uint32_t root, bp_tensor *out,
                                 bp_work **work, bp_error **err);
/* out gets t[rank] of member root, of shape [size, ...]; the others give NULL for t. */
BP_API bp_status bp_group_scatter(bp_group *g, bp_tensor *t, uint32_t root, bp_tensor *out,
                                  bp_work **work, bp_error **err);
/* A message of one member to another, of equal dtype and shape on both sides. Messages with one tag
 * arrive in the order in which they were sent; tag <= 32767. */
BP_API bp_status bp_group_send(bp_group *g, bp_tensor *t, uint32_t to, uint32_t tag, bp_work **work,
                               bp_error **err);
BP_API bp_status bp_group_receive(bp_group *g, bp_tensor *t, uint32_t from, uint32_t tag,
                                  bp_work **work, bp_error **err);
/* The same for bytes: those of member root go to all; `out` gets n_bytes of each, in their order.
 */
BP_API bp_status bp_group_broadcast_bytes(bp_group *g, void *bytes, uint64_t n_bytes, uint32_t root,
                                          bp_error **err);
BP_API bp_status bp_group_all_gather_bytes(bp_group *g, const void *bytes, uint64_t n_bytes,
                                           void *out, bp_error **err);

#ifdef __cplusplus
}
#endif
#endif
