/* SPDX-License-Identifier: Apache-2.0 */
/* device.c: memory, streams, events, copies. All work is done before a call returns, so waiting has
 * nothing to do. */
#define _POSIX_C_SOURCE 200809L
#include <stddef.h>
#include <string.h>
#include <time.h>

#include "null.h"

/* ---- memory ---- */

/* Stands before what the core gets, and keeps its alignment. Blocks are listed, because
 * device_close gives back whatever the core left behind: tensors may outlive a shutdown. */
struct block {
  struct block *next, *previous;
  uint64_t bytes;
};
enum { ALIGNMENT = 64, HEAD = 64 };

static void lock(bp_pdev* d) {
  while (__atomic_exchange_n(&d->lock, 1u, __ATOMIC_ACQUIRE)) {
  }
}
static void unlock(bp_pdev* d) { __atomic_store_n(&d->lock, 0u, __ATOMIC_RELEASE); }

static bp_status mem_alloc(bp_pdev* d, uint64_t bytes, void** out, bp_error** err) {
  struct block* b = NULL;
  int full;
  lock(d);
  full = bytes > NULL_MEMORY_BYTES - d->used_bytes;
  if (!full) d->used_bytes += bytes;
  unlock(d);
  if (!full) b = d->host->alloc(d->host->self, bytes + HEAD, ALIGNMENT);
  if (!b) {
    if (!full) {
      lock(d);
      d->used_bytes -= bytes;
      unlock(d);
    }
    return null_fail(d->host, err, BP_OUT_OF_DEVICE_MEMORY,
                     "the null device's memory is exhausted");
  }
  b->bytes = bytes;
  b->previous = NULL;
  lock(d);
  b->next = d->blocks;
  if (b->next) b->next->previous = b;
  d->blocks = b;
  unlock(d);
  *out = (char*)b + HEAD;
  return BP_OK;
}

static void mem_free(bp_pdev* d, void* ptr, uint64_t bytes) {
  struct block* b = (struct block*)((char*)ptr - HEAD);
  (void)bytes;
  lock(d);
  d->used_bytes -= b->bytes;
  if (b->next) b->next->previous = b->previous;
  if (b->previous)
    b->previous->next = b->next;
  else
    d->blocks = b->next;
  unlock(d);
  d->host->free(d->host->self, b);
}

static bp_status memory_info(bp_pdev* d, uint64_t* free_bytes, uint64_t* total_bytes,
                             bp_error** err) {
  (void)err;
  lock(d);
  *free_bytes = NULL_MEMORY_BYTES - d->used_bytes;
  unlock(d);
  *total_bytes = NULL_MEMORY_BYTES;
  return BP_OK;
}

/* ---- devices ---- */

static bp_status device_open(bp_plugin* p, uint32_t physical, uint64_t owner, bp_pdev** out,
                             bp_error** err) {
  bp_pdev* d;
  (void)owner; /* what args[i].owner will say of this device's tensors */
  if (physical >= p->n_devices)
    return null_fail(p->host, err, BP_INDEX_OUT_OF_RANGE, "there is no such device");
  d = p->host->alloc(p->host->self, sizeof *d, 16);
  if (!d) return null_fail(p->host, err, BP_OUT_OF_HOST_MEMORY, "no memory for the device");
  memset(d, 0, sizeof *d);
  d->host = p->host;
  *out = d;
  return BP_OK;
}

static void device_close(bp_pdev* d) {
  while (d->blocks) mem_free(d, (char*)d->blocks + HEAD, d->blocks->bytes);
  d->host->free(d->host->self, d);
}

/* ---- streams ---- */

static bp_status stream_open(bp_pdev* d, int32_t priority, bp_pstream** out, bp_error** err) {
  bp_pstream* s = d->host->alloc(d->host->self, sizeof *s, 16);
  (void)priority;
  if (!s) return null_fail(d->host, err, BP_OUT_OF_HOST_MEMORY, "no memory for a stream");
  s->device = d;
  *out = s;
  return BP_OK;
}

static void stream_close(bp_pstream* s) { s->device->host->free(s->device->host->self, s); }

static bp_status stream_done(bp_pstream* s, bp_error** err) {
  (void)s;
  (void)err;
  return BP_OK;
}

static bp_status stream_wait(bp_pstream* s, bp_pevent* e, bp_error** err) {
  (void)s;
  (void)e;
  (void)err;
  return BP_OK;
}

static bp_status copy(bp_pstream* s, void* dst, const void* src, uint64_t bytes, int32_t direction,
                      bp_error** err) {
  (void)s;
  (void)direction; /* both sides are the same memory here */
  (void)err;
  memcpy(dst, src, bytes);
  return BP_OK;
}

static bp_status host_func(bp_pstream* s, void (*fn)(void* user), void* user, bp_error** err) {
  (void)s;
  (void)err;
  fn(user); /* everything before it is done */
  return BP_OK;
}

/* ---- events ---- */

static bp_status event_open(bp_pdev* d, bp_pevent** out, bp_error** err) {
  bp_pevent* e = d->host->alloc(d->host->self, sizeof *e, 16);
  if (!e) return null_fail(d->host, err, BP_OUT_OF_HOST_MEMORY, "no memory for an event");
  e->device = d;
  e->nanoseconds = 0;
  *out = e;
  return BP_OK;
}

static void event_close(bp_pevent* e) { e->device->host->free(e->device->host->self, e); }

static bp_status event_record(bp_pevent* e, bp_pstream* s, bp_error** err) {
  struct timespec now;
  (void)s;
  (void)err;
  clock_gettime(CLOCK_MONOTONIC, &now);
  e->nanoseconds = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
  return BP_OK;
}

static bp_status event_done(bp_pevent* e, bp_error** err) {
  (void)e;
  (void)err;
  return BP_OK;
}

static bp_status event_elapsed(bp_pevent* from, bp_pevent* to, double* ms, bp_error** err) {
  (void)err;
  *ms = (double)(to->nanoseconds - from->nanoseconds) * 1e-6;
  return BP_OK;
}

void null_fill_device_slots(bp_plugin_api* api) {
  api->device_open = device_open;
  api->device_close = device_close;
  api->memory_info = memory_info;
  api->mem_alloc = mem_alloc;
  api->mem_free = mem_free;
  api->stream_open = stream_open;
  api->stream_close = stream_close;
  api->stream_query = stream_done;
  api->stream_sync = stream_done;
  api->stream_wait = stream_wait;
  api->event_open = event_open;
  api->event_close = event_close;
  api->event_record = event_record;
  api->event_query = event_done;
  api->event_sync = event_done;
  api->event_elapsed = event_elapsed;
  api->copy = copy;
  api->host_func = host_func;
}
