/* SPDX-License-Identifier: Apache-2.0 */
/* group.c: communicators, and who initialises and finalises MPI. A program that initialised MPI
 * finalises it. Else the first join does the former and the end of the process the latter, when all
 * members come to it: where one of this machine is lost, the others end without. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "mpi_plugin.h"

enum { MOST_SECONDS = 1800, NAME_BYTES = 64 };

/* A process, as the others know it. */
struct neighbour {
  char machine[NAME_BYTES];
  int process;
};

static struct {
  int ours;      /* this plugin initialised MPI */
  pid_t process; /* whose MPI it is; a forked child has none */
  MPI_Comm last; /* in which processes tell each other that they end */
  struct neighbour self, *all;
  int n;
} mpi;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int one_is_lost(void) {
  int i;
  for (i = 0; i < mpi.n; ++i)
    if (memcmp(mpi.all[i].machine, mpi.self.machine, NAME_BYTES) == 0 &&
        kill((pid_t)mpi.all[i].process, 0) != 0 && errno == ESRCH)
      return 1;
  return 0;
}

/* Comes at the end of the process. */
static void finalise(void) {
  MPI_Request all_here;
  int done = 0, finalised = 0;
  const struct timespec rest = {0, 200000};
  const double end = now() + MOST_SECONDS;
  double look = now() + 1;
  if (!mpi.ours || mpi.process != getpid()) return;
  if (MPI_Finalized(&finalised) != MPI_SUCCESS || finalised) return;
  if (MPI_Ibarrier(mpi.last, &all_here) != MPI_SUCCESS) return;
  while (!done) {
    if (MPI_Test(&all_here, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return;
    if (now() > look) {
      if (now() > end || one_is_lost()) return;
      look = now() + 1;
    }
    nanosleep(&rest, NULL);
  }
  MPI_Finalize();
}

static const char *level_name(int level) {
  return level == MPI_THREAD_SINGLE     ? "MPI_THREAD_SINGLE"
         : level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED"
                                        : "MPI_THREAD_SERIALIZED";
}

/* Initialises MPI, and learns who the others are. */
static bp_status initialise(const bp_host *host, bp_error **err) {
  int level = MPI_THREAD_SINGLE;
  bp_status status = mpi_check(host, err, MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level),
                               "MPI_Init_thread");
  if (status != BP_OK) return status;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (level < MPI_THREAD_SERIALIZED)
    return mpi_fail(host, err, BP_UNSUPPORTED,
                    "this MPI gives %s, and exchanges are made by a thread of their own",
                    level_name(level));
  status = mpi_check(host, err, MPI_Comm_dup(MPI_COMM_WORLD, &mpi.last), "MPI_Comm_dup");
  if (status != BP_OK) return status;
  MPI_Comm_set_errhandler(mpi.last, MPI_ERRORS_RETURN);
  MPI_Comm_size(mpi.last, &mpi.n);
  gethostname(mpi.self.machine, NAME_BYTES - 1);
  mpi.self.process = (int)getpid();
  mpi.all = calloc((size_t)mpi.n, sizeof *mpi.all); /* for as long as the process lives */
  if (!mpi.all) mpi.n = 0;
  if (mpi.all)
    MPI_Allgather(&mpi.self, sizeof mpi.self, MPI_BYTE, mpi.all, sizeof mpi.self, MPI_BYTE,
                  mpi.last);
  mpi.ours = 1;
  atexit(finalise);
  return BP_OK;
}

static bp_status start(const bp_host *host, bp_error **err) {
  int initialised = 0, finalised = 0, level = MPI_THREAD_SINGLE;
  bp_status status;
  if (mpi.process && mpi.process != getpid())
    return mpi_fail(host, err, BP_BAD_STATE,
                    "MPI was in use before fork(), and a child has no part in it");
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  if (finalised)
    return mpi_fail(host, err, BP_BAD_STATE, "MPI was finalised, and cannot be initialised again");
  mpi.process = getpid();
  if (!initialised) return initialise(host, err);
  status = mpi_check(host, err, MPI_Query_thread(&level), "MPI_Query_thread");
  if (status == BP_OK && level < (mpi.ours ? MPI_THREAD_SERIALIZED : MPI_THREAD_MULTIPLE))
    return mpi_fail(host, err, BP_BAD_STATE,
                    "MPI was initialised with %s, and exchanges are made by a thread of their "
                    "own: initialise it by MPI_Init_thread with MPI_THREAD_MULTIPLE",
                    level_name(level));
  return status;
}

static bp_pgroup *new_group(const bp_host *host) {
  bp_pgroup *g = host->alloc(host->self, sizeof *g, 16);
  if (!g) return NULL;
  memset(g, 0, sizeof *g);
  g->host = host;
  g->comm = MPI_COMM_NULL;
  g->pending = MPI_REQUEST_NULL;
  g->min = g->max = MPI_OP_NULL;
  return g;
}

bp_status mpi_join(bp_plugin *p, const void *native, bp_pgroup **out, bp_error **err) {
  MPI_Comm of = MPI_COMM_WORLD;
  int between = 0;
  bp_pgroup *g;
  bp_status status = start(p->host, err);
  if (status != BP_OK) return status;
  if (native) memcpy(&of, native, sizeof of);
  if (of == MPI_COMM_NULL)
    return mpi_fail(p->host, err, BP_INVALID_ARGUMENT, "the communicator is MPI_COMM_NULL");
  status = mpi_check(p->host, err, MPI_Comm_test_inter(of, &between), "MPI_Comm_test_inter");
  if (status != BP_OK) return status;
  if (between)
    return mpi_fail(p->host, err, BP_UNSUPPORTED,
                    "the communicator connects two groups of processes, expected one");
  g = new_group(p->host);
  if (!g) return mpi_fail(p->host, err, BP_OUT_OF_HOST_MEMORY, "no memory for a group");
  status = mpi_check(p->host, err, MPI_Comm_idup(of, &g->comm, &g->pending), "MPI_Comm_idup");
  if (status == BP_OK)
    *out = g;
  else
    p->host->free(p->host->self, g);
  return status;
}

/* MPI has no split that does not wait: members tell each other their colors, and those of one make
 * a communicator when all of them have come. */
bp_status mpi_split(bp_pgroup *of, int32_t color, int32_t key, bp_pgroup **out, bp_error **err) {
  const bp_host *host = of->host;
  bp_status status;
  bp_pgroup *g = new_group(host);
  if (g) g->wishes = host->alloc(host->self, (uint64_t)of->size * 2 * sizeof *g->wishes, 16);
  if (!g || !g->wishes) {
    if (g) host->free(host->self, g);
    return mpi_fail(host, err, BP_OUT_OF_HOST_MEMORY, "no memory for a group");
  }
  g->whole = of->comm;
  g->whole_size = of->size;
  g->whole_rank = of->rank;
  g->wish[0] = color < 0 ? -1 : color;
  g->wish[1] = key;
  status = mpi_check(
      host, err, MPI_Iallgather(g->wish, 2, MPI_INT, g->wishes, 2, MPI_INT, of->comm, &g->pending),
      "MPI_Iallgather");
  if (status == BP_OK) {
    *out = g;
    return BP_OK;
  }
  host->free(host->self, g->wishes);
  host->free(host->self, g);
  return status;
}

/* Writes the ranks in the whole of those of this member's color, ordered by key and then by rank,
 * and returns their number. */
static int ranks_of_color(const bp_pgroup *g, int *ranks) {
  int n = 0, i, k;
  for (i = 0; i < g->whole_size; ++i) {
    if (g->wishes[2 * i] != g->wish[0]) continue;
    for (k = n++; k > 0 && g->wishes[2 * ranks[k - 1] + 1] > g->wishes[2 * i + 1]; --k)
      ranks[k] = ranks[k - 1];
    ranks[k] = i;
  }
  return n;
}

static bp_status make_part(bp_pgroup *g, bp_error **err) {
  MPI_Group whole = MPI_GROUP_NULL, part = MPI_GROUP_NULL;
  bp_status status;
  int n, *ranks = g->host->alloc(g->host->self, (uint64_t)g->whole_size * sizeof *ranks, 16);
  if (!ranks) return mpi_fail(g->host, err, BP_OUT_OF_HOST_MEMORY, "no memory for a group");
  n = ranks_of_color(g, ranks);
  status = mpi_check(g->host, err, MPI_Comm_group(g->whole, &whole), "MPI_Comm_group");
  if (status == BP_OK)
    status = mpi_check(g->host, err, MPI_Group_incl(whole, n, ranks, &part), "MPI_Group_incl");
  if (status == BP_OK) /* waits for members that have come */
    status = mpi_check(g->host, err, MPI_Comm_create_group(g->whole, part, 0, &g->comm),
                       "MPI_Comm_create_group");
  if (part != MPI_GROUP_NULL) MPI_Group_free(&part);
  if (whole != MPI_GROUP_NULL) MPI_Group_free(&whole);
  g->host->free(g->host->self, ranks);
  return status;
}

bp_status mpi_ready(bp_pgroup *g, bp_error **err) {
  int done = 0;
  bp_status status =
      mpi_check(g->host, err, MPI_Test(&g->pending, &done, MPI_STATUS_IGNORE), "MPI");
  if (status != BP_OK || g->is_ready) return status;
  if (!done) return BP_NOT_READY;
  if (g->wishes && g->wish[0] >= 0) status = make_part(g, err);
  if (status != BP_OK) return status;
  g->is_ready = 1;
  if (g->comm == MPI_COMM_NULL) return BP_OK;
  MPI_Comm_set_errhandler(g->comm, MPI_ERRORS_RETURN);
  status = mpi_check(g->host, err, MPI_Comm_rank(g->comm, &g->rank), "MPI_Comm_rank");
  if (status == BP_OK)
    status = mpi_check(g->host, err, MPI_Comm_size(g->comm, &g->size), "MPI_Comm_size");
  mpi_make_operations(g);
  return status;
}

/* What members of a broken group may still use stays MPI's. */
void mpi_leave(bp_pgroup *g, uint32_t broken) {
  int finalised = 0;
  const int in_use = broken || g->pending != MPI_REQUEST_NULL;
  if (!in_use && g->comm != MPI_COMM_NULL && MPI_Finalized(&finalised) == MPI_SUCCESS &&
      !finalised) {
    MPI_Op_free(&g->min);
    MPI_Op_free(&g->max);
    MPI_Comm_free(&g->comm);
  }
  if (in_use) return; /* the requests point into it */
  if (g->wishes) g->host->free(g->host->self, g->wishes);
  g->host->free(g->host->self, g);
}

void mpi_about(bp_pgroup *g, uint32_t *rank, uint32_t *n_members) {
  *rank = (uint32_t)g->rank;
  *n_members = (uint32_t)g->size;
}

const void *mpi_native(bp_pgroup *g) { return &g->comm; }
