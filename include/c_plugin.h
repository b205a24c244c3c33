/* c_plugin.h: the ABI for backends. A plugin includes this, c_types.h and c_op_ids.h, links nothing
 * of ours, and exports exactly one symbol, bp_plugin_query. Kind `k` is the file libbackplane_k.so.
 *
 * Order of life, all serialised by the host:  query -> open -> probe -> device_open ...
 * device_close -> close.
 * - query: pure: no driver, thread, file, environment or allocation; may be called any number of
 *   times.
 * - open: gives the plugin's table and receives the host's; still no driver.
 * - probe: the first call that may touch a driver or open libraries; says how many physical devices
 *   there are.
 * The host copies the table into its own and fills missing slots with stubs that answer
 * BP_UNSUPPORTED; a slot may therefore be NULL wherever this page says "optional". Struct sizes
 * come first and tables only ever grow at the end.
 *
 * Errors: `return host->fail(host->self, err, code, text, length)`; it copies the text, accepts err
 * == NULL and returns the code. Exceptions and longjmp never cross. No printing, no exit. Threads:
 * every slot after device_open may be called from any thread, for different streams at the same
 * time; one stream is used by one thread at a time.
 *
 * ABI number 0 means: plugin and host must be built from the same headers (equal numbers AND equal
 * struct sizes). Skeleton that compiles: plugins/null. */
#ifndef BACKPLANE_C_PLUGIN_H
#define BACKPLANE_C_PLUGIN_H

#include "c_op_ids.h"
#include "c_types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BP_PLUGIN_ABI_MIN = 0, BP_PLUGIN_ABI_MAX = 0 };

typedef struct bp_plugin bp_plugin; /* the plugin's own instance */
typedef struct bp_pdev bp_pdev;     /* an opened device */
typedef struct bp_pevent bp_pevent;

/* ---- host services: valid from open until close returns; any thread -------------------------- */
typedef struct bp_host {
  uint32_t struct_size, abi;
  void *self;
  bp_status (*fail)(void *self, bp_error **err, bp_status code, const char *text, uint64_t length);
  void *(*alloc)(void *self, uint64_t bytes, uint64_t alignment); /* NULL when exhausted */
  void (*free)(void *self, void *p);                              /* NULL is fine */
  /* level: 0 debug, 1 info, 2 warning, 3 error. Goes to the application's log callback, or nowhere.
   */
  void (*log)(void *self, int32_t level, const char *text, uint64_t length);
  /* Value of the plugin's option `key`, or NULL: "<kind>.<key>" of bp_init's options, else the
   * environment variable <KIND>_<KEY> (upper case), unless the application forbade the environment.
   * A key without small letters is a whole variable's name: "VIRTUAL_ENV". Borrowed until close. */
  const char *(*option)(void *self, const char *key);
  /* Threads the CPU may use for one call, as bp_set_num_threads says; at least 1. 1 in a forked
   * child. */
  int32_t (*num_threads)(void *self);
  /* optional tables by id; NULL when absent */
  const void *(*extension)(void *self, const char *id);
} bp_host;

/* ---- facts about one physical device; no context is made to answer --------------------------- */
enum {
  BP_PROP_SIMULATED = 1u,
  BP_PROP_HOST_MEMORY = 2u /* its pointers may be read and written by the host */
};
typedef struct bp_device_props {
  uint32_t struct_size;
  uint32_t flags;
  uint64_t memory_bytes; /* total; 0 when not known */
  int32_t compute_major, compute_minor;
  int32_t n_units; /* multiprocessors or cores */
  int32_t reserved;
  char name[128];
  char uuid[64]; /* as the kind's mask variable spells it, "GPU-..."; "" when it has none */
  char pci[32];  /* "0000:01:00.0" or "" */
  char driver[64];
} bp_device_props;

/* ---- kernels --------------------------------------------------------------------------------- */
/* One record: how to run `op` for the dtypes in the mask (bit d is dtype d of the row's key
 * operand; docs/ops.md says which operand that is and what dtypes the others then have). A kernel
 * trusts its caller: inputs checked, outputs allocated, dimensions coalesced, stream given. An
 * array of records has the stride of its first record's struct_size. Of several records for one op
 * and dtype the first wins. */
enum {
  /* wants every tensor contiguous; the core copies operands that are not */
  BP_KERNEL_CONTIGUOUS = 1u,
  BP_KERNEL_SAME_DTYPE =
      2u /* copy: converts no dtypes; the core lets another device do it where it can */
};
typedef struct bp_kernel {
  uint32_t struct_size;
  uint32_t op;
  uint64_t dtypes;
  uint32_t flags;
  uint32_t small; /* no workspace is asked for when no operand has more elements than this */
  bp_status (*run)(const bp_launch *launch, bp_error **err);
  /* optional: none needed */
  bp_status (*workspace)(const bp_launch *launch, uint64_t *bytes, bp_error **err);
} bp_kernel;

/* ---- the plugin's table ---------------------------------------------------------------------- */
typedef struct bp_plugin_api {
  uint32_t struct_size, abi;
  void (*close)(bp_plugin *p); /* after every object is gone; joins the plugin's threads */
  bp_status (*probe)(bp_plugin *p, uint32_t *n_devices, bp_error **err);
  bp_status (*device_props)(bp_plugin *p, uint32_t physical, bp_device_props *out, bp_error **err);
  bp_status (*device_open)(bp_plugin *p, uint32_t physical, uint64_t owner, bp_pdev **out,
                           bp_error **err);
  /* Gives back whatever the host left behind on it: blocks of tensors may outlive a shutdown. */
  void (*device_close)(bp_pdev *d);
  /* optional */
  bp_status (*memory_info)(bp_pdev *d, uint64_t *free_bytes, uint64_t *total_bytes, bp_error **err);
  /* at least 64-byte aligned */
  bp_status (*mem_alloc)(bp_pdev *d, uint64_t bytes, void **out, bp_error **err);
  void (*mem_free)(bp_pdev *d, void *ptr, uint64_t bytes);
  bp_status (*stream_open)(bp_pdev *d, int32_t priority, bp_pstream **out, bp_error **err);
  void (*stream_close)(bp_pstream *s);
  bp_status (*stream_query)(bp_pstream *s, bp_error **err); /* BP_OK or BP_NOT_READY */
  bp_status (*stream_sync)(bp_pstream *s, bp_error **err);
  bp_status (*stream_wait)(bp_pstream *s, bp_pevent *e, bp_error **err);
  bp_status (*event_open)(bp_pdev *d, bp_pevent **out, bp_error **err);
  void (*event_close)(bp_pevent *e);
  bp_status (*event_record)(bp_pevent *e, bp_pstream *s, bp_error **err);
  bp_status (*event_query)(bp_pevent *e, bp_error **err); /* BP_OK or BP_NOT_READY */
  bp_status (*event_sync)(bp_pevent *e, bp_error **err);
  /* optional */
  bp_status (*event_elapsed)(bp_pevent *from, bp_pevent *to, double *ms, bp_error **err);
  /* Bytes in stream order. direction says which side is host memory. */
  bp_status (*copy)(bp_pstream *s, void *dst, const void *src, uint64_t bytes, int32_t direction,
                    bp_error **err);
  /* fn(user) in stream order, on a thread of the plugin's; a device that has failed need not call
   * it; optional. */
  bp_status (*host_func)(bp_pstream *s, void (*fn)(void *user), void *user, bp_error **err);
  /* after probe */
  bp_status (*kernels)(bp_plugin *p, const bp_kernel **records, uint32_t *count, bp_error **err);
  /* optional tables of the plugin's; NULL when absent */
  const void *(*extension)(bp_plugin *p, const char *id);
} bp_plugin_api;
/* Extension "bp.peer/1": devices that reach each other's memory. Without it, or where the answer is
 * 0, the core copies through host memory. */
typedef struct bp_peer_api {
  uint32_t struct_size, reserved;
  /* 1: copies in a stream of `a` may read and write memory of `b`. */
  uint32_t (*reaches)(bp_pdev *a, bp_pdev *b);
} bp_peer_api;
/* Extension "bp.pinned/1": host memory that every device of the backend copies to and from beside
 * the program's work. Without it copies between host and device block, and the core counts them. */
typedef struct bp_pinned_api {
  uint32_t struct_size, reserved;
  /* at least 64-byte aligned */
  bp_status (*alloc)(bp_pdev *d, uint64_t bytes, void **out, bp_error **err);
  void (*free)(bp_pdev *d, void *ptr, uint64_t bytes);
} bp_pinned_api;
enum { BP_COPY_DEVICE_TO_DEVICE = 0, BP_COPY_HOST_TO_DEVICE = 1, BP_COPY_DEVICE_TO_HOST = 2 };

/* ---- the handshake --------------------------------------------------------------------------- */
enum {
  BP_PLUGIN_FORK_SAFE = 1u /* goes on working in a forked child */
};
typedef struct bp_plugin_info {
  uint32_t struct_size; /* in: the host's; the plugin fills no more than this */
  uint32_t abi_min, abi_max;
  uint32_t abi_chosen; /* min of both maxima when the ranges meet */
  uint32_t flags, reserved;
  /* sizeof of what the plugin was built with */
  uint32_t api_size, kernel_size, launch_size, host_size;
  const char *kind, *version, *build; /* static strings; build: compiler and sanitizer */
  const char *reason;                 /* set with BP_INCOMPATIBLE: why not, in one line */
  const char *mask_variable; /* the environment variable by which the driver itself hides devices,
                                or NULL; the core then does not apply it a second time. Several are
                                separated by commas. */
  bp_status (*open)(const bp_host *host, bp_plugin **out, const bp_plugin_api **api,
                    bp_error **err);
} bp_plugin_info;

#if defined(__GNUC__)
#define BP_PLUGIN_EXPORT __attribute__((visibility("default")))
#else
#define BP_PLUGIN_EXPORT
#endif
/* The one exported symbol. BP_OK, or BP_INCOMPATIBLE with info->reason. */
typedef bp_status (*bp_plugin_query_fn)(uint32_t host_abi_min, uint32_t host_abi_max,
                                        bp_plugin_info *info);
BP_PLUGIN_EXPORT bp_status bp_plugin_query(uint32_t host_abi_min, uint32_t host_abi_max,
                                           bp_plugin_info *info);

#ifdef __cplusplus
}
#endif
#endif
