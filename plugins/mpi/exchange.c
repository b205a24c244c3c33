/* SPDX-License-Identifier: Apache-2.0 */
/* exchange.c: exchanges, as MPI's operations that do not wait. MPI counts in int: what is longer is
 * moved as one element of a type made for it, and reduced in several pieces. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "mpi_plugin.h"

struct bp_pexchange {
  bp_pgroup *group;
  uint64_t expected;  /* bytes of a message that is received; 0 of everything else */
  int error;          /* of a piece, while those before it are under way */
  MPI_Datatype large; /* MPI_DATATYPE_NULL when none was made */
  int n, n_room;
  MPI_Request requests[]; /* n of them */
};

/* ---- what is reduced ---- */

static MPI_Datatype type_of(bp_dtype dtype) {
  switch (dtype) {
    case BP_BOOL:
    case BP_U8: return MPI_UINT8_T;
    case BP_I8: return MPI_INT8_T;
    case BP_U16: return MPI_UINT16_T;
    case BP_I16: return MPI_INT16_T;
    case BP_U32: return MPI_UINT32_T;
    case BP_I32: return MPI_INT32_T;
    case BP_U64: return MPI_UINT64_T;
    case BP_I64: return MPI_INT64_T;
    case BP_F32: return MPI_FLOAT;
    case BP_F64: return MPI_DOUBLE;
    case BP_C64: return MPI_C_FLOAT_COMPLEX;
    case BP_C128: return MPI_C_DOUBLE_COMPLEX;
    default: return MPI_DATATYPE_NULL;
  }
}

static uint64_t size_of(bp_dtype dtype) {
#define BYTES(name, value, text, brief, title, bytes, kind) bytes,
  static const unsigned char bytes_of[] = {BP_DTYPES(BYTES)};
#undef BYTES
  return bytes_of[dtype];
}

uint64_t mpi_dtypes(bp_pgroup *g, int32_t operation) {
  uint64_t all = 0;
  bp_dtype d;
  (void)g;
  if (operation < BP_REDUCE_SUM || operation > BP_REDUCE_MAX) return 0;
  for (d = 0; d < BP_DTYPE_COUNT; ++d)
    if (type_of(d) != MPI_DATATYPE_NULL) all |= 1ull << d;
  return operation == BP_REDUCE_MIN || operation == BP_REDUCE_MAX
             ? all & ~(1ull << BP_C64 | 1ull << BP_C128)
             : all & ~(1ull << BP_BOOL);
}

/* MPI does not say what its own do with NaN (MPI 4.0, 6.9.2). The result is the same in whatever
 * order members are taken: -0 is below +0, and there is one NaN. */
#define ORDERED(first, a, b)                                      \
  ((a) != (a) || (b) != (b)                                 ? NAN \
   : first(a, b) || ((a) == (b) && first(sign(a), sign(b))) ? (a) \
                                                            : (b))
#define BELOW(a, b) ((a) < (b))
#define ABOVE(a, b) ((a) > (b))
static int sign(double x) { return signbit(x) ? -1 : 1; }
#define REDUCE(name, first)                                             \
  static void name(void *in, void *inout, int *n, MPI_Datatype *type) { \
    const float *a = in;                                                \
    float *b = inout;                                                   \
    const double *c = in;                                               \
    double *d = inout;                                                  \
    int i;                                                              \
    if (*type == MPI_FLOAT)                                             \
      for (i = 0; i < *n; ++i) b[i] = ORDERED(first, a[i], b[i]);       \
    else                                                                \
      for (i = 0; i < *n; ++i) d[i] = ORDERED(first, c[i], d[i]);       \
  }
REDUCE(min_of_floats, BELOW)
REDUCE(max_of_floats, ABOVE)
#undef REDUCE

void mpi_make_operations(bp_pgroup *g) {
  MPI_Op_create(min_of_floats, 1, &g->min);
  MPI_Op_create(max_of_floats, 1, &g->max);
}

static MPI_Op operation_of(const bp_pgroup *g, const bp_exchange *x) {
  const int is_float = x->dtype == BP_F32 || x->dtype == BP_F64;
  switch (x->operation) {
    case BP_REDUCE_SUM: return MPI_SUM;
    case BP_REDUCE_PRODUCT: return MPI_PROD;
    case BP_REDUCE_MIN: return is_float ? g->min : MPI_MIN;
    default: return is_float ? g->max : MPI_MAX;
  }
}

/* ---- begin ---- */

static bp_pexchange *new_exchange(bp_pgroup *g, uint64_t n_requests) {
  bp_pexchange *x =
      n_requests > INT_MAX
          ? NULL
          : g->host->alloc(g->host->self, sizeof *x + n_requests * sizeof x->requests[0], 16);
  if (!x) return NULL;
  x->group = g;
  x->large = MPI_DATATYPE_NULL;
  x->expected = 0;
  x->error = MPI_SUCCESS;
  x->n = 0;
  x->n_room = (int)n_requests;
  return x;
}

static void free_exchange(bp_pexchange *x) {
  if (x->large != MPI_DATATYPE_NULL) MPI_Type_free(&x->large);
  x->group->host->free(x->group->host->self, x);
}

/* How a part of so many bytes is counted: as bytes, or as one element of a type of its own. */
static int part_type(bp_pexchange *x, uint64_t bytes, int *count, MPI_Datatype *type) {
  enum { BLOCK = 1 << 30 };
  int error, lengths[2] = {0, 0};
  MPI_Aint places[2] = {0, 0};
  MPI_Datatype kinds[2] = {MPI_DATATYPE_NULL, MPI_BYTE}, blocks;
  *count = (int)bytes;
  *type = MPI_BYTE;
  if (bytes <= INT_MAX) return MPI_SUCCESS;
  error = MPI_Type_contiguous(BLOCK, MPI_BYTE, &blocks);
  if (error != MPI_SUCCESS) return error;
  kinds[0] = blocks;
  lengths[0] = (int)(bytes / BLOCK);
  lengths[1] = (int)(bytes % BLOCK);
  places[1] = (MPI_Aint)(bytes - bytes % BLOCK);
  error = MPI_Type_create_struct(2, lengths, places, kinds, &x->large);
  MPI_Type_free(&blocks);
  if (error == MPI_SUCCESS) error = MPI_Type_commit(&x->large);
  *count = 1;
  *type = x->large;
  return error;
}

static int move(bp_pexchange *x, const bp_exchange *e) {
  const MPI_Comm comm = x->group->comm;
  MPI_Request *r = &x->requests[0];
  MPI_Datatype type;
  int n, error = part_type(x, e->count * size_of(e->dtype), &n, &type);
  const int peer = (int)e->peer, tag = (int)e->tag;
  if (error != MPI_SUCCESS) return error;
  x->n = 1;
  if (e->kind == BP_EXCHANGE_RECEIVE) x->expected = e->count * size_of(e->dtype);
  switch (e->kind) {
    case BP_EXCHANGE_BARRIER: return MPI_Ibarrier(comm, r);
    case BP_EXCHANGE_BROADCAST: return MPI_Ibcast(e->to, n, type, peer, comm, r);
    case BP_EXCHANGE_ALL_GATHER: return MPI_Iallgather(e->from, n, type, e->to, n, type, comm, r);
    case BP_EXCHANGE_ALL_TO_ALL: return MPI_Ialltoall(e->from, n, type, e->to, n, type, comm, r);
    case BP_EXCHANGE_GATHER: return MPI_Igather(e->from, n, type, e->to, n, type, peer, comm, r);
    case BP_EXCHANGE_SCATTER: return MPI_Iscatter(e->from, n, type, e->to, n, type, peer, comm, r);
    case BP_EXCHANGE_SEND: return MPI_Isend(e->from, n, type, peer, tag, comm, r);
    case BP_EXCHANGE_RECEIVE: return MPI_Irecv(e->to, n, type, peer, tag, comm, r);
    default: x->n = 0; return MPI_ERR_ARG;
  }
}

static int reduce_piece(bp_pexchange *x, const bp_exchange *e, int root, const char *from, char *to,
                        int n) {
  const MPI_Comm comm = x->group->comm;
  const MPI_Datatype type = type_of(e->dtype);
  const MPI_Op operation = operation_of(x->group, e);
  MPI_Request *r = &x->requests[x->n++];
  if (e->kind == BP_EXCHANGE_ALL_REDUCE)
    return MPI_Iallreduce(MPI_IN_PLACE, to, n, type, operation, comm, r);
  if (x->group->rank == root && !from) from = MPI_IN_PLACE;
  return MPI_Ireduce(from, to, n, type, operation, root, comm, r);
}

/* Reduces `count` elements, in pieces that MPI can count. */
static int reduce_run(bp_pexchange *x, const bp_exchange *e, int root, const char *from, char *to) {
  uint64_t at = 0;
  do {
    const uint64_t left = e->count - at, n = left > INT_MAX ? INT_MAX : left;
    const uint64_t place = at * size_of(e->dtype);
    const int error =
        reduce_piece(x, e, root, from ? from + place : NULL, to ? to + place : NULL, (int)n);
    if (error != MPI_SUCCESS) return error;
    at += n;
  } while (at < e->count);
  return MPI_SUCCESS;
}

static int reduce_scatter(bp_pexchange *x, const bp_exchange *e) {
  const uint64_t part = e->count * size_of(e->dtype);
  int i;
  if (e->count <= INT_MAX / (uint64_t)x->group->size) { /* MPIs multiply the two as int */
    x->n = 1;
    return MPI_Ireduce_scatter_block(e->from, e->to, (int)e->count, type_of(e->dtype),
                                     operation_of(x->group, e), x->group->comm, &x->requests[0]);
  }
  for (i = 0; i < x->group->size; ++i) {
    const int error = reduce_run(x, e, i, (const char *)e->from + part * (uint64_t)i, e->to);
    if (error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

static int is_reduction(int32_t kind) {
  return kind == BP_EXCHANGE_ALL_REDUCE || kind == BP_EXCHANGE_REDUCE ||
         kind == BP_EXCHANGE_REDUCE_SCATTER;
}

bp_status mpi_begin(bp_pgroup *g, const bp_exchange *e, bp_pexchange **out, bp_error **err) {
  static char nothing; /* MPI wants an address also of no elements */
  const uint64_t pieces = e->count / INT_MAX + 1;
  bp_exchange filled = *e;
  bp_pexchange *x;
  bp_status status;
  int error;
  if (e->count > UINT64_MAX / 16 / (uint64_t)g->size)
    return mpi_fail(g->host, err, BP_INVALID_ARGUMENT, "an exchange of %llu elements",
                    (unsigned long long)e->count);
  x = new_exchange(g, is_reduction(e->kind) ? pieces * (uint64_t)g->size : 1);
  if (!x) return mpi_fail(g->host, err, BP_OUT_OF_HOST_MEMORY, "no memory for an exchange");
  if (e->count == 0) {
    if (!filled.from) filled.from = &nothing;
    if (!filled.to) filled.to = &nothing;
  }
  if (e->kind == BP_EXCHANGE_REDUCE) {
    /* the root reduces in place; what the others give is `to` as well, or `from` */
    const char *from = g->rank == (int)e->peer ? NULL : e->from ? e->from : e->to;
    error = reduce_run(x, &filled, (int)e->peer, e->count ? from : &nothing, filled.to);
  } else if (e->kind == BP_EXCHANGE_ALL_REDUCE) {
    error = reduce_run(x, &filled, 0, NULL, filled.to);
  } else if (e->kind == BP_EXCHANGE_REDUCE_SCATTER) {
    error = reduce_scatter(x, &filled);
  } else {
    error = move(x, &filled);
  }
  if (error != MPI_SUCCESS && x->n > 1) {
    x->error = error;
    error = MPI_SUCCESS;
  }
  status = mpi_check(g->host, err, error, "MPI");
  if (status != BP_OK)
    free_exchange(x);
  else
    *out = x;
  return status;
}

/* ---- and go on ---- */

/* A message that is too long is MPI's own error. */
static bp_status check_length(bp_pexchange *x, MPI_Status *told, bp_error **err) {
  MPI_Count n = 0;
  if (!x->expected || MPI_Get_elements_x(told, MPI_BYTE, &n) != MPI_SUCCESS ||
      (uint64_t)n == x->expected)
    return BP_OK;
  return mpi_fail(x->group->host, err, BP_INVALID_ARGUMENT,
                  "receive: a message of %lld bytes came from rank %d, expected %llu", (long long)n,
                  told->MPI_SOURCE, (unsigned long long)x->expected);
}

bp_status mpi_test(bp_pexchange *x, bp_error **err) {
  int done = 1, i, one;
  MPI_Status told;
  if (x->error != MPI_SUCCESS) {
    const bp_status status = mpi_check(x->group->host, err, x->error, "MPI");
    mpi_drop(x);
    return status;
  }
  for (i = 0; i < x->n; ++i) {
    const int was_over = x->requests[i] == MPI_REQUEST_NULL;
    const int error = MPI_Test(&x->requests[i], &one, &told);
    if (error == MPI_SUCCESS && one && !was_over) {
      const bp_status status = check_length(x, &told, err);
      if (status != BP_OK) {
        free_exchange(x);
        return status;
      }
    }
    if (error != MPI_SUCCESS) {
      const bp_status status = mpi_check(x->group->host, err, error, "MPI");
      free_exchange(x);
      return status;
    }
    done &= one;
  }
  if (!done) return BP_NOT_READY;
  free_exchange(x);
  return BP_OK;
}

/* The requests stay MPI's, and so does a type that they use. */
void mpi_drop(bp_pexchange *x) { x->group->host->free(x->group->host->self, x); }
