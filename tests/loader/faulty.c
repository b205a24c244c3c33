/* SPDX-License-Identifier: Apache-2.0 */
/* faulty.c: a plugin of kind `broken` with one device, and with one fault that FAULT chooses.
 * Without a fault it conforms, so that each test sees the fault and nothing else. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "c_plugin.h"

enum {
  FAULT_none,
  FAULT_minimal, /* no fault: every optional slot is left out */
  FAULT_no_symbol,
  FAULT_undefined_symbol,
  FAULT_missing_library,
  FAULT_too_new,
  FAULT_says_no,
  FAULT_impossible_range,
  FAULT_wrong_status,
  FAULT_writes_past_info,
  FAULT_no_kind,
  FAULT_other_kind,
  FAULT_no_open,
  FAULT_older_headers,
  FAULT_absurd_headers,
  FAULT_chooses_other,
  FAULT_newer, /* no fault: all structs are longer than the host knows, as a later release's */
  FAULT_open_fails,
  FAULT_open_without_table,
  FAULT_short_table,
  FAULT_other_abi,
  FAULT_absurd_table,
  FAULT_missing_slot,
  FAULT_probe_fails,
  FAULT_no_devices,
  FAULT_absurd_count,
  FAULT_props_fail,
  FAULT_endless_name,
  FAULT_writes_past_props,
  FAULT_no_peer_function,
  FAULT_latin1_name,
  FAULT_absurd_kernels,
  FAULT_kernel_size,
  FAULT_kernel_op,
  FAULT_kernel_run,
  FAULT_device_fails,
  FAULT_throws,          /* in the function that the option broken.throws names: throwing.cc */
  FAULT_never_done,      /* no fault: its stream is always busy */
  FAULT_masked_by_driver /* no fault: the driver applies BROKEN_VISIBLE_DEVICES itself */
};
#define IS(fault) (FAULT == FAULT_##fault)

static const bp_host* host;
static int thing; /* what every handle points to */

#if defined(THROWS)
void throw_seven(void);
static void enter(const char* function) {
  const char* chosen = host->option(host->self, "throws");
  if (chosen && strcmp(chosen, function) == 0) throw_seven();
}
#else
static void enter(const char* function) { (void)function; }
#endif

static bp_status refuse(bp_error** err, const char* text) {
  return host->fail(host->self, err, BP_UNAVAILABLE, text, strlen(text));
}

static void close_plugin(bp_plugin* p) {
  (void)p;
  enter("close");
}

static bp_status probe(bp_plugin* p, uint32_t* n_devices, bp_error** err) {
  (void)p;
  enter("probe");
  if (IS(probe_fails)) return refuse(err, "libdriver.so.1 is not installed");
  *n_devices = IS(no_devices)                           ? 0
               : IS(absurd_count)                       ? 0xfffffff0u
               : IS(masked_by_driver) || IS(no_devices) ? 3
                                                        : 1;
  return BP_OK;
}

static bp_status device_props(bp_plugin* p, uint32_t physical, bp_device_props* out,
                              bp_error** err) {
  (void)p;
  (void)physical;
  enter("device_props");
  if (IS(props_fail)) return refuse(err, "the device fell off the bus");
  memset(out, 0, sizeof *out);
  out->struct_size = sizeof *out;
  out->flags = BP_PROP_SIMULATED;
  if (IS(latin1_name)) strcpy(out->name, "caf\xe9");
  if (IS(endless_name)) memset(out->name, 'x', sizeof out->name);
  if (IS(writes_past_props)) ((volatile char*)out)[sizeof *out + 3] = 1;
  return BP_OK;
}

static bp_status device_open(bp_plugin* p, uint32_t physical, uint64_t owner, bp_pdev** out,
                             bp_error** err) {
  (void)p;
  (void)physical;
  (void)owner;
  enter("device_open");
  if (IS(device_fails)) return refuse(err, "the device is in use by another process");
  *out = (bp_pdev*)&thing;
  return BP_OK;
}

static void device_close(bp_pdev* d) {
  (void)d;
  enter("device_close");
}

static bp_status memory_info(bp_pdev* d, uint64_t* free_bytes, uint64_t* total_bytes,
                             bp_error** err) {
  (void)d;
  (void)err;
  enter("memory_info");
  *free_bytes = *total_bytes = 1 << 20;
  return BP_OK;
}

static bp_status mem_alloc(bp_pdev* d, uint64_t bytes, void** out, bp_error** err) {
  (void)d;
  enter("mem_alloc");
  *out = host->alloc(host->self, bytes, 64);
  return *out ? BP_OK : refuse(err, "no memory");
}

static void mem_free(bp_pdev* d, void* ptr, uint64_t bytes) {
  (void)d;
  (void)bytes;
  host->free(host->self, ptr);
  enter("mem_free");
}

static bp_status stream_open(bp_pdev* d, int32_t priority, bp_pstream** out, bp_error** err) {
  (void)d;
  (void)priority;
  (void)err;
  enter("stream_open");
  *out = (bp_pstream*)&thing;
  return BP_OK;
}

static void stream_close(bp_pstream* s) {
  (void)s;
  enter("stream_close");
}

static bp_status stream_query(bp_pstream* s, bp_error** err) {
  (void)s;
  (void)err;
  enter("stream_query");
  return IS(never_done) ? BP_NOT_READY : BP_OK;
}

static bp_status stream_sync(bp_pstream* s, bp_error** err) {
  (void)s;
  (void)err;
  enter("stream_sync");
  return BP_OK;
}

static bp_status stream_wait(bp_pstream* s, bp_pevent* e, bp_error** err) {
  (void)s;
  (void)e;
  (void)err;
  enter("stream_wait");
  return BP_OK;
}

static bp_status event_open(bp_pdev* d, bp_pevent** out, bp_error** err) {
  (void)d;
  (void)err;
  enter("event_open");
  *out = (bp_pevent*)&thing;
  return BP_OK;
}

static void event_close(bp_pevent* e) {
  (void)e;
  enter("event_close");
}

static bp_status event_record(bp_pevent* e, bp_pstream* s, bp_error** err) {
  (void)e;
  (void)s;
  (void)err;
  enter("event_record");
  return BP_OK;
}

static bp_status event_query(bp_pevent* e, bp_error** err) {
  (void)e;
  (void)err;
  enter("event_query");
  return BP_OK;
}

static bp_status event_sync(bp_pevent* e, bp_error** err) {
  (void)e;
  (void)err;
  enter("event_sync");
  return BP_OK;
}

static bp_status event_elapsed(bp_pevent* from, bp_pevent* to, double* ms, bp_error** err) {
  (void)from;
  (void)to;
  (void)err;
  enter("event_elapsed");
  *ms = 0;
  return BP_OK;
}

static bp_status host_func(bp_pstream* s, void (*fn)(void* user), void* user, bp_error** err) {
  (void)s;
  (void)err;
  enter("host_func");
  fn(user);
  return BP_OK;
}

static bp_status copy(bp_pstream* s, void* dst, const void* src, uint64_t bytes, int32_t direction,
                      bp_error** err) {
  (void)s;
  (void)direction;
  (void)err;
  enter("copy");
  memcpy(dst, src, bytes);
  return BP_OK;
}

static bp_status run(const bp_launch* launch, bp_error** err) {
  enter("run");
  if (!IS(newer)) return refuse(err, "nothing runs here");
  *(float*)launch->args[launch->n_in].data = 7; /* the test's result has one element */
  return BP_OK;
}

static bp_status kernels(bp_plugin* p, const bp_kernel** records, uint32_t* count, bp_error** err) {
  static bp_kernel record;
  /* Records of a later release: one of an op, and one with a flag, that are not known today. */
  static struct {
    bp_kernel record;
    uint64_t later;
  } newer[] = {
      {{sizeof newer[0], 5000, 1, 0, 0, run, NULL}, 1},
      {{sizeof newer[0], BP_OP_ADD, UINT64_C(1) << BP_F64, 1u << 20, 0, run, NULL}, 1},
      {{sizeof newer[0], BP_OP_ADD, UINT64_C(1) << 40 | UINT64_C(1) << BP_F32, 0, 0, run, NULL},
       1}};
  (void)p;
  (void)err;
  enter("kernels");
  if (IS(newer)) {
    *records = &newer[0].record;
    *count = 3;
    return BP_OK;
  }
  record.struct_size = IS(kernel_size) ? 12 : sizeof record;
  record.op = IS(kernel_op) ? 100000 : BP_OP_ADD;
  record.dtypes = UINT64_C(1) << BP_F32;
  record.run = IS(kernel_run) ? NULL : run;
  *records = &record;
  *count = IS(absurd_kernels) ? 0x7fffffffu : 1;
  return BP_OK;
}

static const void* extension(bp_plugin* p, const char* id) {
  static const bp_peer_api without = {sizeof(bp_peer_api), 0, NULL};
  (void)p;
  enter("extension");
  return IS(no_peer_function) && strcmp(id, "bp.peer/1") == 0 ? &without : NULL;
}

static bp_status open_plugin(const bp_host* h, bp_plugin** out, const bp_plugin_api** api,
                             bp_error** err) {
  static struct {
    bp_plugin_api table;
    unsigned char tail[64];
  } longer;
  bp_plugin_api* t = &longer.table;
  host = h;
  enter("open");
  if (IS(open_fails)) return refuse(err, "the licence ran out");
  memset(&longer, 0, sizeof longer);
  t->struct_size = sizeof *t;
  t->abi = IS(other_abi) ? 2 : 1;
  t->close = close_plugin;
  t->probe = probe;
  t->device_props = device_props;
  t->device_open = device_open;
  t->device_close = device_close;
  if (!IS(minimal)) t->memory_info = memory_info;
  t->mem_alloc = mem_alloc;
  t->mem_free = mem_free;
  t->stream_open = stream_open;
  t->stream_close = stream_close;
  t->stream_query = stream_query;
  t->stream_sync = stream_sync;
  t->stream_wait = stream_wait;
  t->event_open = event_open;
  t->event_close = event_close;
  t->event_record = event_record;
  t->event_query = event_query;
  t->event_sync = event_sync;
  if (IS(throws)) t->event_elapsed = event_elapsed;
  t->copy = copy;
  if (IS(throws)) t->host_func = host_func;
  if (IS(no_peer_function) || IS(throws)) t->extension = extension;
  t->kernels = kernels;
  if (IS(short_table)) t->struct_size = offsetof(bp_plugin_api, kernels);
  if (IS(newer)) t->struct_size = sizeof longer;
  longer.tail[5] = 0x7f; /* a slot of tomorrow */
  if (IS(absurd_table)) t->struct_size = 0xdeadbeefu;
  if (IS(missing_slot)) t->stream_wait = NULL;
  *out = (bp_plugin*)&thing;
  if (!IS(open_without_table)) *api = t;
  return BP_OK;
}

#if defined(UNDEFINED_SYMBOL)
int loader_nobody_has_this(void);
#endif
#if defined(MISSING_LIBRARY)
int loader_gone(void);
#endif

#if defined(NO_SYMBOL)
#define bp_plugin_query some_other_name
#endif
BP_PLUGIN_EXPORT bp_status bp_plugin_query(uint32_t host_abi_min, uint32_t host_abi_max,
                                           bp_plugin_info* info) {
  const uint32_t size = info->struct_size;
  (void)host_abi_min;
  memset(info, 0, sizeof *info);
  info->struct_size = size;
  info->abi_min = IS(too_new) ? 7 : IS(impossible_range) ? 5 : BP_PLUGIN_ABI_MIN;
  info->abi_max = IS(too_new) ? 9 : BP_PLUGIN_ABI_MAX;
  info->abi_chosen = host_abi_max < info->abi_max ? host_abi_max : info->abi_max;
  info->api_size = sizeof(bp_plugin_api);
  info->kernel_size = sizeof(bp_kernel);
  info->launch_size = sizeof(bp_launch);
  info->host_size = sizeof(bp_host);
  if (IS(older_headers)) info->api_size -= 8;
  if (IS(absurd_headers)) info->host_size = 0xdeadbeefu;
  if (IS(chooses_other)) info->abi_chosen = 0;
  if (IS(newer))
    info->api_size += 64, info->kernel_size += 8, info->host_size += 8, info->launch_size += 8;
  info->kind = IS(no_kind) ? NULL : IS(other_kind) ? "whole" : "broken";
  info->version = IS(newer) ? "2.0.0" : "1.2.3";
  info->build = "test";
  info->mask_variable = IS(masked_by_driver) || IS(no_devices) ? "BROKEN_VISIBLE_DEVICES" : NULL;
  info->open = IS(no_open) ? NULL : open_plugin;
  if (IS(writes_past_info)) ((volatile char*)info)[sizeof *info + 9] = 1;
  if (IS(says_no)) info->reason = "it wants the library of last year";
#if defined(UNDEFINED_SYMBOL)
  info->flags = (uint32_t)loader_nobody_has_this();
#endif
#if defined(MISSING_LIBRARY)
  info->flags = (uint32_t)loader_gone();
#endif
  return IS(says_no) || IS(too_new) ? BP_INCOMPATIBLE : IS(wrong_status) ? 42 : BP_OK;
}
