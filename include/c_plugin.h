/* SPDX-License-Identifier: Apache-2.0 */
/* c_plugin.h: the ABI for backends. A plugin includes this, c_types.h and c_op_ids.h, links nothing
 * of ours, and exports exactly one symbol, bp_plugin_query. The backend of kind `k` is the file
 * libbackplane_k.so. plugins/null is a skeleton that compiles.
 *
 * The host makes these calls one after the other:
 *   query -> open -> probe -> device_open ... device_close -> close
 * - query is pure: it touches no driver, thread, file, environment or memory, and may be called any
 *   number of times.
 * - open hands over the host's table and gives the plugin's; it touches no driver either.
 * - probe is the first call that may touch a driver or open libraries. It says how many physical
 *   devices there are.
 *
 * Tables: every struct begins with its size and only ever grows at its end, so that plugin and host
 * may be of different releases (docs/abi.md). Whoever is handed a struct uses what lies within its
 * struct_size and nothing behind it; what this page declares at ABI 1 is always there. The host
 * copies the plugin's table and puts stubs that answer BP_UNSUPPORTED into the missing slots; a
 * slot may be NULL where this page calls it optional. Kernel records for ops, flags and dtypes
 * that the host does not know are left out.
 *
 * Errors: `return host->fail(host->self, err, code, text, length)`, which copies the text, accepts
 * an err that is NULL and returns the code. No exception and no longjmp crosses the border; nothing
 * prints or exits.
 *
 * Threads: every slot after device_open may be called from any thread, and for different streams at
 * the same time. One thread at a time uses a stream.
 */
#ifndef BACKPLANE_C_PLUGIN_H
#define BACKPLANE_C_PLUGIN_H

#include "c_op_ids.h"
#include "c_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The numbers of the ABI that this header declares. A number is raised only by what an older side
 * cannot do without, which docs/abi.md promises to avoid. */
enum { BP_PLUGIN_ABI_MIN = 1, BP_PLUGIN_ABI_MAX = 1 };

typedef struct bp_plugin bp_plugin; /* the plugin's own instance */
typedef struct bp_pdev bp_pdev;     /* an opened device */
typedef struct bp_pevent bp_pevent; /* an event of a device */

/* ---- host services: valid from open until close returns; any thread -------------------------- */
typedef struct bp_host {
  uint32_t struct_size, abi; /* abi: what the handshake chose */
  void *self;
  /* Puts an error of this code and text into *err and returns the code. */
  bp_status (*fail)(void *self, bp_error **err, bp_status code, const char *text, uint64_t length);
  /* Host memory; NULL when it is exhausted. */
  void *(*alloc)(void *self, uint64_t bytes, uint64_t alignment);
  void (*free)(void *self, void *p); /* p may be NULL */
  /* Hands a line to the application's log, if there is one. level: 0 debug, 1 info, 2 warning,
   * 3 error. */
  void (*log)(void *self, int32_t level, const char *text, uint64_t length);
  /* The value of the plugin's option `key`, borrowed until close: "<kind>.<key>" of bp_init's
   * options, or the environment variable <KIND>_<KEY> in capitals, unless the application forbade
   * the environment or has rights that its caller lacks (a set-user-id program). A key without
   * small letters is the name of a whole variable, "VIRTUAL_ENV". NULL: the option is not given. */
  const char *(*option)(void *self, const char *key);
  /* How many threads the CPU may use for one call, as bp_set_num_threads says; at least 1, and 1 in
   * a forked child. */
  int32_t (*num_threads)(void *self);
  /* The table of this id; NULL when the host has none. */
  const void *(*extension)(void *self, const char *id);
} bp_host;

/* ---- device properties: facts about one physical device; no context is made for them --------- */
enum {
  BP_PROP_SIMULATED = 1u,  /* no hardware of its own stands behind the device */
  BP_PROP_HOST_MEMORY = 2u /* the host may read and write the device's memory */
};
typedef struct bp_device_props {
  uint32_t struct_size;
  uint32_t flags;
  uint64_t memory_bytes;                /* all of it; 0 when not known */
  int32_t compute_major, compute_minor; /* the compute capability, as its vendor counts */
  int32_t n_units;                      /* multiprocessors or cores */
  int32_t reserved;
  char name[128];
  char uuid[64]; /* as the kind's mask variable spells it, "GPU-..."; "" when there is none */
  char pci[32];  /* "0000:01:00.0", or "" */
  char driver[64];
} bp_device_props;

/* ---- kernels --------------------------------------------------------------------------------- */
enum {
  /* Every tensor must be contiguous; the core copies operands that are not. */
  BP_KERNEL_CONTIGUOUS = 1u,
  /* Of a copy: it converts no dtypes. The core lets another device convert where one can. */
  BP_KERNEL_SAME_DTYPE = 2u,
  /* Operands that are optional may be absent, BP_ARG_NONE. Without this flag the core composes a
   * call that lacks one, wherever the op has a composition. */
  BP_KERNEL_TAKES_NONE = 4u
};
/* How to run an op for some dtypes. A kernel trusts its caller: inputs are checked, outputs
 * allocated, dimensions coalesced, and a stream is given. Each record of an array has the
 * struct_size that bp_plugin_info.kernel_size told. Of several for a dtype the first is taken. */
typedef struct bp_kernel {
  uint32_t struct_size;
  uint32_t op;
  /* Bit d is dtype d of the row's key operand. docs/ops.md says which operand that is, and which
   * dtypes the others then have. */
  uint64_t dtypes;
  uint32_t flags;
  uint32_t small; /* when no operand has more elements than this, no workspace is asked for */
  bp_status (*run)(const bp_launch *launch, bp_error **err);
  /* The size of the workspace that run needs. Optional: without it there is none. BP_UNSUPPORTED,
   * without an error: this kernel does not serve the call. The core composes the call then, where
   * the op has a composition. */
  bp_status (*workspace)(const bp_launch *launch, uint64_t *bytes, bp_error **err);
} bp_kernel;

/* ---- the plugin's table ---------------------------------------------------------------------- */
typedef struct bp_plugin_api {
  uint32_t struct_size, abi;   /* abi: what the handshake chose */
  void (*close)(bp_plugin *p); /* comes when every object is gone; joins the plugin's threads */
  bp_status (*probe)(bp_plugin *p, uint32_t *n_devices, bp_error **err);
  bp_status (*device_props)(bp_plugin *p, uint32_t physical, bp_device_props *out, bp_error **err);
  bp_status (*device_open)(bp_plugin *p, uint32_t physical, uint64_t owner, bp_pdev **out,
                           bp_error **err);
  /* Frees whatever the host left behind on the device: blocks of tensors may outlive a shutdown. */
  void (*device_close)(bp_pdev *d);
  /* Optional. */
  bp_status (*memory_info)(bp_pdev *d, uint64_t *free_bytes, uint64_t *total_bytes, bp_error **err);
  /* A block that is aligned to at least 64 bytes. */
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
  /* Optional. */
  bp_status (*event_elapsed)(bp_pevent *from, bp_pevent *to, double *ms, bp_error **err);
  /* Copies bytes in the order of the stream. direction, BP_COPY_*, says which side is host
   * memory. */
  bp_status (*copy)(bp_pstream *s, void *dst, const void *src, uint64_t bytes, int32_t direction,
                    bp_error **err);
  /* Optional. Queues a call of fn(user) in the stream, on a thread of the plugin's. A device that
   * has failed need not make it. */
  bp_status (*host_func)(bp_pstream *s, void (*fn)(void *user), void *user, bp_error **err);
  /* The records of all kernels; comes after probe. */
  bp_status (*kernels)(bp_plugin *p, const bp_kernel **records, uint32_t *count, bp_error **err);
  /* The table of this id, such as those below; NULL when the plugin has none. */
  const void *(*extension)(bp_plugin *p, const char *id);
} bp_plugin_api;
/* Extension "bp.peer/1": devices that reach each other's memory. Without it, and where the answer
 * is 0, the core copies through host memory. */
typedef struct bp_peer_api {
  uint32_t struct_size, reserved;
  /* 1 when copies in a stream of `a` may read and write memory of `b`. */
  uint32_t (*reaches)(bp_pdev *a, bp_pdev *b);
} bp_peer_api;
/* Extension "bp.pinned/1": host memory to and from which every device of the backend copies beside
 * the program's work. Without it, copies between host and device block, and the core counts
 * them. */
typedef struct bp_pinned_api {
  uint32_t struct_size, reserved;
  /* A block that is aligned to at least 64 bytes. */
  bp_status (*alloc)(bp_pdev *d, uint64_t bytes, void **out, bp_error **err);
  void (*free)(bp_pdev *d, void *ptr, uint64_t bytes);
} bp_pinned_api;
enum { BP_COPY_DEVICE_TO_DEVICE = 0, BP_COPY_HOST_TO_DEVICE = 1, BP_COPY_DEVICE_TO_HOST = 2 };

/* ---- the handshake --------------------------------------------------------------------------- */
enum {
  BP_PLUGIN_FORK_SAFE = 1u /* the backend goes on working in a forked child */
};
typedef struct bp_plugin_info {
  uint32_t struct_size; /* set by the host, the rest is zero; the plugin fills no more than this */
  uint32_t abi_min, abi_max;
  uint32_t abi_chosen; /* the lesser of both maxima when the ranges meet */
  uint32_t flags, reserved;
  /* The sizes of the structs with which the plugin was built. */
  uint32_t api_size, kernel_size, launch_size, host_size;
  const char *kind, *version, *build; /* static strings; build: compiler and sanitizer */
  const char *reason;                 /* with BP_INCOMPATIBLE: why not, in one line */
  /* The environment variable by which the driver itself hides devices, several separated by commas;
   * the core does not apply it a second time. NULL: there is none. */
  const char *mask_variable;
  bp_status (*open)(const bp_host *host, bp_plugin **out, const bp_plugin_api **api,
                    bp_error **err);
} bp_plugin_info;

#if defined(__GNUC__)
#define BP_PLUGIN_EXPORT __attribute__((visibility("default")))
#else
#define BP_PLUGIN_EXPORT
#endif
/* The one exported symbol, which fills *info. It returns BP_OK, or BP_INCOMPATIBLE with
 * info->reason. */
typedef bp_status (*bp_plugin_query_fn)(uint32_t host_abi_min, uint32_t host_abi_max,
                                        bp_plugin_info *info);
BP_PLUGIN_EXPORT bp_status bp_plugin_query(uint32_t host_abi_min, uint32_t host_abi_max,
                                           bp_plugin_info *info);

#ifdef __cplusplus
}
#endif
#endif
