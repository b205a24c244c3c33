/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_plugin.h: what the files of this plugin know of each other. One thread of the host's calls
 * all of it; MPI itself is the process's, whoever initialised it. */
#ifndef BACKPLANE_MPI_PLUGIN_H
#define BACKPLANE_MPI_PLUGIN_H

#include <mpi.h>

#include "c_plugin_group.h"

struct bp_plugin {
  const bp_host *host;
};

struct bp_pgroup {
  const bp_host *host;
  MPI_Comm comm;       /* a copy, whose messages meet no others */
  int rank, size;      /* size 0: this member is in no part of what was split */
  MPI_Request pending; /* until all members have come; then MPI_REQUEST_NULL */
  int is_ready;
  /* of a split: the whole, what this member wants, and what all of it want, {color, key} each */
  MPI_Comm whole;
  int whole_size, whole_rank, wish[2], *wishes;
  MPI_Op min, max; /* of floating numbers: NaN where a member has one */
};

/* Puts an error of this text, in the manner of printf, into *err and returns the code. */
bp_status mpi_fail(const bp_host *host, bp_error **err, bp_status code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The same for an error of MPI's, with its own text; BP_OK for MPI_SUCCESS. */
bp_status mpi_check(const bp_host *host, bp_error **err, int error, const char *what);

/* group.c */
bp_status mpi_join(bp_plugin *p, const void *native, bp_pgroup **out, bp_error **err);
bp_status mpi_split(bp_pgroup *g, int32_t color, int32_t key, bp_pgroup **out, bp_error **err);
bp_status mpi_ready(bp_pgroup *g, bp_error **err);
void mpi_leave(bp_pgroup *g, uint32_t broken);
void mpi_about(bp_pgroup *g, uint32_t *rank, uint32_t *n_members);
const void *mpi_native(bp_pgroup *g);

/* exchange.c */
uint64_t mpi_dtypes(bp_pgroup *g, int32_t operation);
bp_status mpi_begin(bp_pgroup *g, const bp_exchange *what, bp_pexchange **out, bp_error **err);
bp_status mpi_test(bp_pexchange *x, bp_error **err);
void mpi_drop(bp_pexchange *x);
void mpi_make_operations(bp_pgroup *g);

#endif
