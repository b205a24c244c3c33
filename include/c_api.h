/* SPDX-License-Identifier: Apache-2.0 */
/* c_api.h: Backplane for applications: devices, tensors, copies, ops. C99; one libbackplane.
 *
 * Conventions, said once:
 * - Results leave through trailing `out` pointers; the last argument is `bp_error **err`, which may
 *   be NULL. A call returns a bp_status: <0 error, 0 done, >0 not an error. On an error `*out` is
 *   untouched and, when err is not NULL, `*err` receives an error object that the caller releases.
 *   Nothing is thread-local; nothing prints, aborts, exits.
 * - Every bp_* function may be called from any thread. A handle may be used by several threads at
 *   once as long as no two of them write the same tensor's data.
 * - Ownership: `create`, factories, ops and `retain` give the caller one reference; `release` gives
 *   it back, accepts NULL, never fails, never waits for a device, from any thread, after fork,
 *   after shutdown. `get` borrows.
 * - Text in and out is UTF-8. (buf, capacity, needed): at most capacity bytes are written, always
 *   NUL-terminated when capacity > 0; *needed (may be NULL) receives the length without the NUL; a
 *   short buffer is not an error.
 * - Structs that start with struct_size: set it to sizeof before the call. A shorter struct is
 *   filled as far as it goes; a longer one is accepted while its tail is zero.
 * - A comment is about the declaration below it and the functions that follow without an empty
 *   line. Where it says nothing else, a call returns BP_INVALID_ARGUMENT for NULL where a pointer
 *   is needed, for a handle of another type, an unknown dtype, a rank above 64 and negative sizes;
 *   BP_OUT_OF_HOST_MEMORY or BP_OUT_OF_DEVICE_MEMORY when memory is exhausted or the number of
 *   bytes overflows; BP_UNAVAILABLE, with the reason, when the backend of a device cannot be used;
 *   and BP_BAD_STATE for a handle that was made before bp_shutdown, or on an accelerator before a
 *   fork. Everything is there since 0.1.
 *
 *   bp_tensor *ones = NULL, *twos = NULL;
 *   int64_t shape[2] = {2, 3};
 *   if (bp_tensor_ones(2, shape, BP_F32, bp_device_make(BP_KIND_CPU, -1), &ones, &err) != BP_OK ||
 *       bp_add(ones, ones, &twos, &err) != BP_OK)
 *     fprintf(stderr, "%s\n", bp_error_message(err, NULL));
 *   bp_tensor_release(ones);
 *   bp_tensor_release(twos);
 *   bp_error_release(err);
 */
#ifndef BACKPLANE_C_API_H
#define BACKPLANE_C_API_H

#include "c_types.h"

#ifndef BP_API
#if defined(__GNUC__) && defined(BP_BUILDING)
#define BP_API __attribute__((visibility("default")))
#else
#define BP_API
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- version, status, errors ----------------------------------------------------------------- */
/* The version of the library, not of this header, as a static string: "0.1.0". */
BP_API const char *bp_version(void);
/* The number of the C ABI: 1, and the name of the file, libbackplane.so.1, says the same. A program
 * that was built with an older header of this number runs with this library (docs/abi.md). */
BP_API uint32_t bp_abi_version(void);
/* The name of a status, "BP_INVALID_ARGUMENT". Any value is accepted; the result is never NULL. */
BP_API const char *bp_status_name(bp_status status);

enum {
  BP_ERROR_FROM_PLUGIN = 1u, /* a backend reported the error */
  BP_ERROR_ASYNC = 2u        /* the error was noticed at this call and caused by an earlier one */
};
/* The status of an error; BP_OK for NULL. */
BP_API bp_status bp_error_code(const bp_error *e);
/* One line of text, borrowed from e; "" for NULL. *length (may be NULL) receives its size. */
BP_API const char *bp_error_message(const bp_error *e, uint64_t *length);
/* BP_ERROR_* bits; 0 for NULL. */
BP_API uint32_t bp_error_flags(const bp_error *e);
/* The error that led to this one, borrowed from e; NULL when there is none, and for NULL. */
BP_API const bp_error *bp_error_cause(const bp_error *e);
/* Adds a reference to e, which it returns; gives one back. */
BP_API bp_error *bp_error_retain(bp_error *e);
BP_API void bp_error_release(bp_error *e);
/* For the caller's own callbacks: makes an error of this text and code, puts it into *err, and
 * returns the code. A code that is not negative becomes BP_CALLBACK. err may be NULL. */
BP_API bp_status bp_error_set(bp_error **err, bp_status code, const char *text);

/* ---- the runtime ----------------------------------------------------------------------------- */
enum {
  BP_INIT_NO_ENV = 1u, /* no environment variable is read at all */
  /* Blocks of memory are not reused, are filled with a pattern, and have guard bytes around them,
   * which are checked when the block is given back. */
  BP_INIT_DEBUG_ALLOCATOR = 2u,
  /* Each op waits for its device, so that an error is reported by the op that caused it.
   * BACKPLANE_SYNCHRONOUS=1 does the same. */
  BP_INIT_SYNCHRONOUS = 4u
};
/* Receives a line of the log. level: 0 debug, 1 info, 2 warning, 3 error. It may be called on any
 * thread and must not call back into the library. */
typedef void (*bp_log_fn)(void *user, int32_t level, const char *text, uint64_t length);
typedef struct bp_init_desc {
  uint32_t struct_size;
  uint32_t flags;
  /* Absolute directories, separated by ':', in which plugins are searched first; NULL: none. */
  const char *plugin_dirs;
  const char *allow;   /* the only kinds that may be loaded, "cpu,cuda"; NULL: all */
  const char *options; /* handed to plugins, "null.device_count=4;cpu.isa=avx2"; NULL: none */
  /* What BACKPLANE_VISIBLE_DEVICES and BACKPLANE_ALIAS say, in place of them; NULL: what the
   * environment says. */
  const char *visible_devices;
  const char *alias;
  bp_log_fn log; /* NULL: the library is silent */
  void *log_user;
} bp_init_desc;
/* Starts the runtime with options; desc may be NULL. A program need not call this: the runtime
 * starts by itself at the first call that needs it. BP_BAD_STATE: it runs already. */
BP_API bp_status bp_init(const bp_init_desc *desc, bp_error **err);
/* The one ordered exit: waits for the devices and for other threads' calls of them that are under
 * way, at most timeout_ns or for ever when that is negative, and closes devices and plugins. Calls
 * that arrive meanwhile, and later ones with a tensor that still lives, return BP_BAD_STATE, except
 * that it may be released. The next call starts the runtime anew and reads the environment again.
 * BP_TIMEOUT: a device or a call did not finish, and nothing was closed. BP_BAD_STATE: called by a
 * user op's kernel for an accelerator. BP_OK also when the runtime does not run. */
BP_API bp_status bp_shutdown(int64_t timeout_ns, bp_error **err);
/* Ends one kind of accelerator while the others go on, so that another plugin file may serve it: as
 * bp_shutdown it waits for the kind's devices and for calls of them, and closes devices and plugin.
 * What lives on them may be released; every other use of it returns BP_BAD_STATE. The next use of
 * the kind searches the directories again. A file there that was replaced by renaming another into
 * its place is loaded anew; the old one stays mapped, once for each file that was ever loaded,
 * because threads and destructors of a library make unmapping it unsafe. BP_TIMEOUT: a device or a
 * call did not finish, and nothing was closed. BP_BAD_STATE: memory of the host's that the backend
 * gave, pinned tensors for example, is in use; the kind was in use before a fork; or as
 * bp_shutdown. BP_UNSUPPORTED: the cpu, which only bp_shutdown ends. BP_NOT_FOUND: the kind is not
 * known. BP_OK also when the kind was not loaded. */
BP_API bp_status bp_unload_kind(bp_kind kind, int64_t timeout_ns, bp_error **err);
/* Is called a few times a second on a thread that waits in this library for a loader's thread. It
 * may use this library; a negative status ends the wait, and is that of the call that waited. */
typedef bp_status (*bp_wait_fn)(void *user, bp_error **err);
/* Sets what is called while a thread waits; NULL: nothing. It stays beyond bp_shutdown. By it a
 * program hears of signals that its language keeps for later. */
BP_API bp_status bp_set_wait_callback(bp_wait_fn call, void *user, bp_error **err);
/* How many threads, n >= 1, the CPU may use for one call. At first these are as many as
 * BACKPLANE_NUM_THREADS says, else OMP_NUM_THREADS, else as there are cores on which this process
 * may run, or fewer by a cgroup's quota or by how many processes a launcher started on this
 * machine. A variable that is no number from 1 to 4096 is logged and ignored. */
BP_API bp_status bp_set_num_threads(int32_t n, bp_error **err);
BP_API int32_t bp_get_num_threads(void);
/* Where that number comes from, for people: "OMP_NUM_THREADS=2", "16 cores". */
BP_API bp_status bp_get_num_threads_source(char *buf, uint64_t capacity, uint64_t *needed,
                                           bp_error **err);
/* Returns a dtype's name, such as "float32", as a static string, and "?" for a value that is no
 * dtype of this library. This function and the next two may be called on any thread and at any
 * time, also before bp_init and after bp_shutdown. */
BP_API const char *bp_dtype_name(bp_dtype dtype);
/* Returns how many bytes one element has, and 0 for a value that is no dtype of this library. */
BP_API uint32_t bp_dtype_bytes(bp_dtype dtype);
/* Returns one of BP_DTYPE_KIND_*, which is BP_DTYPE_KIND_NONE for a value that is no dtype of this
 * library. */
BP_API int32_t bp_dtype_kind(bp_dtype dtype);
/* Gives the limits of a floating dtype, or of a complex one's parts: the distance from 1 to the
 * next number, the largest finite number, and the smallest positive number that has all its
 * significant bits. BP_DTYPE_MISMATCH: the dtype is of another kind. BP_INVALID_ARGUMENT: it is no
 * dtype. */
BP_API bp_status bp_dtype_limits(bp_dtype dtype, double *epsilon, double *largest,
                                 double *smallest_normal, bp_error **err);
/* The dtype of floating results that are made of integers and of numbers: BP_F32 (at first),
 * BP_F64, BP_F16 or BP_BF16. */
BP_API bp_status bp_set_default_dtype(bp_dtype dtype, bp_error **err);
BP_API bp_dtype bp_get_default_dtype(void);
/* How much of its inputs' precision a matmul or a convolution of f32 may give up for speed, as
 * torch.set_float32_matmul_precision has it. It holds for the whole process and is read at each
 * call. A backend may give up less, or nothing, as the cpu does. Sums stay in f32. */
typedef int32_t bp_precision;
enum {
  BP_PRECISION_HIGHEST = 0, /* nothing; so it is at first */
  BP_PRECISION_HIGH = 1,    /* inputs may be rounded to TF32: 11 significant bits instead of 24 */
  BP_PRECISION_MEDIUM = 2   /* inputs may be rounded to bf16: 8 significant bits */
};
/* The precision of matmul in this process. */
BP_API bp_status bp_set_matmul_precision(bp_precision precision, bp_error **err);
BP_API bp_precision bp_get_matmul_precision(void);

/* ---- the load report: every plugin file ever tried, as data ---------------------------------- */
typedef struct bp_report bp_report;
/* How far a file came: the stage at which it stopped. */
enum {
  BP_STAGE_FOUND = 0,     /* seen and not tried, because nothing asked for its kind yet */
  BP_STAGE_DIRECTORY = 1, /* the directory could not be read */
  BP_STAGE_FILE = 2,      /* the file cannot be loaded on this machine */
  BP_STAGE_DLOPEN = 3,    /* the dynamic loader refused it, often for a missing dependency */
  BP_STAGE_SYMBOL = 4,    /* there is no bp_plugin_query in it */
  BP_STAGE_QUERY = 5,     /* the versions do not meet, or the answer makes no sense */
  BP_STAGE_OPEN = 6,      /* the plugin did not open */
  BP_STAGE_PROBE = 7,     /* the driver or its libraries are missing */
  BP_STAGE_DEVICES = 8,   /* there is no device, or none is visible */
  BP_STAGE_READY = 9,     /* the backend can be used */
  BP_STAGE_SHADOWED = 10, /* another file of the same kind was found first; this is no fault */
  BP_STAGE_SKIPPED = 11   /* bp_init_desc.allow does not list the kind */
};
typedef struct bp_report_entry {
  uint32_t struct_size;
  int32_t stage;
  bp_status status;     /* BP_OK for FOUND, READY, SHADOWED and SKIPPED, and for a DIRECTORY or FILE
                         * that is used although others may write it */
  uint32_t n_devices;   /* those that are visible */
  uint64_t nanoseconds; /* spent in dlopen, open and probe */
  /* Borrowed from the report, as the texts below; "" when not known. */
  const char *kind, *path, *version;
  const char *cause;  /* one sentence that says what is wrong; "" when nothing is */
  const char *remedy; /* one sentence that says what to do; "" when nothing is to be done */
} bp_report_entry;
/* A snapshot of the report. This loads nothing that was not asked for before. */
BP_API bp_status bp_report_create(bp_report **out, bp_error **err);
/* How many entries the report has; 0 for NULL. */
BP_API uint32_t bp_report_count(const bp_report *r);
/* Entry i; BP_INDEX_OUT_OF_RANGE beyond the last. */
BP_API bp_status bp_report_get(const bp_report *r, uint32_t i, bp_report_entry *out,
                               bp_error **err);
/* Adds a reference to r, which it returns; gives one back. */
BP_API bp_report *bp_report_retain(bp_report *r);
BP_API void bp_report_release(bp_report *r);

/* ---- devices --------------------------------------------------------------------------------- */
/* Make a device of a kind and an index, and take it apart. These check nothing: whether there is
 * such a device is checked where the value is used. */
BP_API bp_device bp_device_make(bp_kind kind, int32_t index);
BP_API bp_kind bp_device_kind(bp_device d);
BP_API int32_t bp_device_index(bp_device d);
/* A device of its name: "cuda:1", "cpu" or "sim", by the grammar [a-zA-Z_]+(:(0|[1-9][0-9]*))?. A
 * bare kind has the index -1. The device need not exist. BP_INVALID_ARGUMENT for another text or
 * kind, in PyTorch's words, with the known kinds; BP_UNAVAILABLE: plugins cannot be looked for. */
BP_API bp_status bp_device_parse(const char *text, bp_device *out, bp_error **err);
/* The name of a device, as bp_device_parse reads it. BP_INVALID_ARGUMENT: no kind has its
 * number. */
BP_API bp_status bp_device_format(bp_device d, char *buf, uint64_t capacity, uint64_t *needed,
                                  bp_error **err);
/* The kinds of which a plugin file was found, and the aliases; nothing is loaded. Kind 0 is the
 * cpu. BP_INDEX_OUT_OF_RANGE beyond the last. */
BP_API bp_status bp_kind_count(uint32_t *out, bp_error **err);
BP_API bp_status bp_kind_at(uint32_t i, bp_kind *out, bp_error **err);
/* The name of a kind, borrowed until bp_shutdown; "?" for a number that no kind has. */
BP_API const char *bp_kind_name(bp_kind kind);
/* The number of visible devices of a kind; this loads its plugin. A backend that cannot be used has
 * 0, with BP_OK, and the load report says why. BP_NOT_FOUND: there is no plugin file of that kind,
 * and the kind is not a known one. BP_INVALID_ARGUMENT: a mask is malformed. BP_BAD_STATE: the kind
 * was in use before a fork. */
BP_API bp_status bp_device_count(bp_kind kind, int32_t *out, bp_error **err);
/* The same, but a backend that cannot be used is an error that says why. count may be NULL. */
BP_API bp_status bp_kind_require(bp_kind kind, int32_t *count, bp_error **err);

enum {
  BP_DEVICE_SIMULATED = 1u,  /* no hardware of its own stands behind the device */
  BP_DEVICE_HOST_MEMORY = 2u /* the host may read and write the device's memory */
};
typedef struct bp_device_info {
  uint32_t struct_size;
  uint32_t flags;
  bp_device device;                     /* with its index */
  int32_t physical;                     /* the ordinal before masks */
  int32_t n_units;                      /* multiprocessors or cores */
  uint64_t memory_total, memory_used;   /* bytes; 0 when not known */
  int32_t compute_major, compute_minor; /* the compute capability, as its vendor counts */
  char name[128];
  char uuid[64]; /* as the kind's mask variable spells it; "" when the device has none */
  char pci[32];  /* "0000:01:00.0", or "" */
  char driver[64];
} bp_device_info;
/* The facts about a device; index -1 is the current one of its kind. BP_INDEX_OUT_OF_RANGE, with
 * the count, when there is no such index. */
BP_API bp_status bp_device_get_info(bp_device d, bp_device_info *out, bp_error **err);
/* A physical device of a kind, and what the masks made of it. */
typedef struct bp_physical_info {
  uint32_t struct_size;
  int32_t physical; /* its ordinal */
  int32_t logical;  /* the index by which programs name it; -1 when it is hidden */
  int32_t reserved;
  char name[128];
  char uuid[64];
  char pci[32];
  char reason[192]; /* why it is hidden; "" when it is visible */
} bp_physical_info;
/* The physical devices of a kind, hidden ones included; this loads its plugin.
 * BP_INDEX_OUT_OF_RANGE beyond the last. */
BP_API bp_status bp_physical_count(bp_kind kind, uint32_t *out, bp_error **err);
BP_API bp_status bp_physical_get(bp_kind kind, uint32_t i, bp_physical_info *out, bp_error **err);
/* Takes the place of BACKPLANE_VISIBLE_DEVICES for kinds of which no device is open,
 * "cuda:0,2;sim:*"; NULL: what the environment says. BP_BAD_STATE: a device of a named kind is
 * open. BP_INVALID_ARGUMENT: the text is malformed or names no device; the message lists the valid
 * ids. */
BP_API bp_status bp_set_visible_devices(const char *spec, bp_error **err);
/* Waits until everything that is queued on the device, in any stream, is done, and reports the
 * device's asynchronous errors. */
BP_API bp_status bp_synchronize(bp_device d, bp_error **err);

/* ---- streams and events ---------------------------------------------------------------------- */
/* A stream is a queue of a device: work in one stream runs in order, work in two at the same time.
 * Ops, factories and copies go into the calling thread's current stream of the device on which they
 * run; at first that is the device's default stream. Nothing but a wait orders two streams: a
 * tensor that another stream writes is ready after bp_stream_wait_event or a synchronize. On the
 * cpu, work is done when a call returns; it has streams and events so that one program serves all
 * devices.
 *
 * A block of memory belongs to the stream that was current when it was allocated, and is reused in
 * that stream at once. A tensor that another stream uses must therefore outlive that use, or be
 * told of it by bp_tensor_record_stream. */

typedef struct bp_stream bp_stream;
/* A mark in a stream. */
typedef struct bp_event bp_event;
/* A new stream. priority 0 is ordinary, a negative one more urgent where the backend knows
 * priorities. A released stream finishes its work; its queue then serves a later stream.
 * BP_BAD_STATE: the device was closed. */
BP_API bp_status bp_stream_create(bp_device d, int32_t priority, bp_stream **out, bp_error **err);
/* The default stream of a device. */
BP_API bp_status bp_stream_default(bp_device d, bp_stream **out, bp_error **err);
/* Adds a reference to s, which it returns; gives one back. */
BP_API bp_stream *bp_stream_retain(bp_stream *s);
BP_API void bp_stream_release(bp_stream *s);
/* The device of a stream; 0 for NULL. */
BP_API bp_device bp_stream_device(const bp_stream *s);
/* The calling thread's current stream of a device. */
BP_API bp_status bp_stream_get_current(bp_device d, bp_stream **out, bp_error **err);
/* Makes s the calling thread's current stream of its device. The caller keeps s while it is
 * current. */
BP_API bp_status bp_stream_set_current(bp_stream *s, bp_error **err);
/* The same until the pop of this token, which restores what was current before, as with devices. */
BP_API bp_status bp_stream_push(bp_stream *s, uint64_t *token, bp_error **err);
BP_API bp_status bp_stream_pop(uint64_t token, bp_error **err);
/* BP_OK when all work of the stream is done, BP_NOT_READY when not. Reports asynchronous errors of
 * the device. */
BP_API bp_status bp_stream_query(bp_stream *s, bp_error **err);
/* Waits until all work of the stream is done, and reports asynchronous errors of the device. */
BP_API bp_status bp_stream_synchronize(bp_stream *s, bp_error **err);
/* Lets all work that is queued in the stream from now on wait for e; the caller does not wait. An
 * event that was never recorded holds nobody up. e may be of another device of the same backend. */
BP_API bp_status bp_stream_wait_event(bp_stream *s, bp_event *e, bp_error **err);
/* Queues a call of fn(user), on a thread of the backend's: it comes when everything before it in
 * the stream is done, and what comes later in the stream waits for it. fn must not wait for any
 * device, nor call anything that does, because callbacks of all streams may share a thread. On the
 * cpu it runs before this call returns. A device that has failed may never call it. BP_UNSUPPORTED:
 * the backend has no such callbacks. */
BP_API bp_status bp_stream_host_func(bp_stream *s, void (*fn)(void *user), void *user,
                                     bp_error **err);
/* An event of this device, which was never recorded. */
BP_API bp_status bp_event_create(bp_device d, bp_event **out, bp_error **err);
/* Adds a reference to e, which it returns; gives one back. */
BP_API bp_event *bp_event_retain(bp_event *e);
BP_API void bp_event_release(bp_event *e);
/* Makes e stand for all work that is in the stream now, and no longer for what it stood for. */
BP_API bp_status bp_event_record(bp_event *e, bp_stream *s, bp_error **err);
/* BP_OK when the work for which e stands is done, or e was never recorded; BP_NOT_READY
 * otherwise. */
BP_API bp_status bp_event_query(bp_event *e, bp_error **err);
/* Waits until the work for which e stands is done. */
BP_API bp_status bp_event_synchronize(bp_event *e, bp_error **err);
/* Milliseconds between two recorded events of one device; waits for both. BP_INVALID_ARGUMENT: one
 * was never recorded. BP_DEVICE_MISMATCH: they are of two devices. */
BP_API bp_status bp_event_elapsed(bp_event *from, bp_event *to, double *ms, bp_error **err);
/* Says that stream s uses t's memory. After t's last release the memory is not reused before the
 * work that is in s at that time is done. */
BP_API bp_status bp_tensor_record_stream(bp_tensor *t, bp_stream *s, bp_error **err);

/* ---- default device and current device: per thread ------------------------------------------- */
/* The default device is where factories put data when no device is given; it starts as that of the
 * process, which starts as the cpu. The current device of a kind is what a bare kind, "cuda",
 * means; it starts at 0 in every thread. A device that is given always wins, and ops run where
 * their tensors are.
 *
 * A push returns a token, which is > 0. The pop takes it and restores what was there at its push,
 * whatever was set in between. A pop of any but the thread's newest token is BP_BAD_STATE and
 * changes nothing. */

/* The calling thread's default device. A push does not ask whether the device is there. */
BP_API bp_status bp_default_push(bp_device d, uint64_t *token, bp_error **err);
BP_API bp_status bp_default_pop(uint64_t token, bp_error **err);
BP_API bp_status bp_default_get(bp_device *out, bp_error **err);
/* Sets the default device of the process, which holds in threads that have pushed none; 0: the cpu
 * again. This does not ask whether the device is there. */
BP_API bp_status bp_set_default_device(bp_device d, bp_error **err);
/* The calling thread's current device of d's kind; d has an index. The device must be there, though
 * it is not opened: BP_INDEX_OUT_OF_RANGE or BP_UNAVAILABLE otherwise. set holds until it is
 * changed again. */
BP_API bp_status bp_current_push(bp_device d, uint64_t *token, bp_error **err);
BP_API bp_status bp_current_pop(uint64_t token, bp_error **err);
BP_API bp_status bp_set_current(bp_device d, bp_error **err);
/* The calling thread's current device of a kind. */
BP_API bp_status bp_current_get(bp_kind kind, bp_device *out, bp_error **err);
/* Default and current device at once. A bare kind becomes the default device and leaves the kind's
 * current index as it is. The device must be there. */
BP_API bp_status bp_device_push(bp_device d, uint64_t *token, bp_error **err);
BP_API bp_status bp_device_pop(uint64_t token, bp_error **err);
/* What a call does whose op the backend of its device lacks for the dtype, as a kernel and as a
 * composition. */
typedef int32_t bp_fallback;
enum {
  BP_FALLBACK_INHERIT = 0, /* a thread does as the process, which does as BACKPLANE_FALLBACK says */
  BP_FALLBACK_REFUSE = 1,  /* BP_UNSUPPORTED; so it is where nobody says otherwise */
  /* The operands are copied to the cpu, the op runs there, and its results are copied back. The
   * call waits for all of it. bp_transfer_stats counts it; the log names each op once per kind. */
  BP_FALLBACK_CPU = 2
};
/* Sets what holds in threads that have pushed nothing. BP_INVALID_ARGUMENT: policy is none of the
 * three. */
BP_API bp_status bp_set_fallback(bp_fallback policy, bp_error **err);
/* The calling thread's own policy, until the pop. */
BP_API bp_status bp_fallback_push(bp_fallback policy, uint64_t *token, bp_error **err);
BP_API bp_status bp_fallback_pop(uint64_t token, bp_error **err);
/* What the calling thread's next call does: BP_FALLBACK_REFUSE or BP_FALLBACK_CPU.
 * BP_INVALID_ARGUMENT: nobody set a policy, and BACKPLANE_FALLBACK is neither "refuse" nor "cpu".
 */
BP_API bp_status bp_fallback_get(bp_fallback *out, bp_error **err);
/* What a thread has as default and current devices, streams and fallback, as a value that can be
 * handed to a pool of threads. */
typedef struct bp_context bp_context;
/* The calling thread's context. */
BP_API bp_status bp_context_capture(bp_context **out, bp_error **err);
/* Puts the calling thread into context c, and back where it was. */
BP_API bp_status bp_context_enter(bp_context *c, uint64_t *token, bp_error **err);
BP_API bp_status bp_context_leave(uint64_t token, bp_error **err);
/* Adds a reference to c, which it returns; gives one back. */
BP_API bp_context *bp_context_retain(bp_context *c);
BP_API void bp_context_release(bp_context *c);

/* ---- memory ---------------------------------------------------------------------------------- */
typedef struct bp_memory_stats {
  uint32_t struct_size, reserved;
  uint64_t allocated_bytes, peak_allocated_bytes;  /* handed out now, and at most */
  uint64_t cached_bytes;                           /* held for reuse */
  uint64_t limit_bytes;                            /* the bound of cached_bytes */
  uint64_t n_allocations, n_frees;                 /* requests that were served and given back */
  uint64_t n_backend_allocations, n_backend_frees; /* those of them that reached the backend */
  uint64_t n_live;                                 /* blocks that are handed out now */
  uint64_t n_guard_faults; /* blocks whose guard bytes the debug allocator found overwritten */
  /* What was taken from the backend and not given back: what is handed out, what is cached, and
   * what lies between the blocks of a segment. */
  uint64_t reserved_bytes;
  uint64_t pinned_bytes, pinned_cached_bytes; /* pinned host memory: handed out, held for reuse */
} bp_memory_stats;
/* The figures of a device's memory: sums over its streams. */
BP_API bp_status bp_memory_get_stats(bp_device d, bp_memory_stats *out, bp_error **err);
/* Makes what is handed out now the peak. */
BP_API bp_status bp_memory_reset_peak(bp_device d, bp_error **err);
/* Gives cached blocks back to the backend. Each thread keeps some cpu blocks of at most 1 KiB, 68
 * KiB in all, until it ends or calls this itself; a limit below 68 KiB turns that off. These blocks
 * count as cached, though in the peak as allocated. */
BP_API bp_status bp_memory_trim(bp_device d, bp_error **err);
/* Bounds the cache to this many bytes; 0: nothing is cached. At first it is a quarter of the
 * device's memory, and at most 4 GiB. */
BP_API bp_status bp_memory_set_limit(bp_device d, uint64_t bytes, bp_error **err);
/* What was copied from one device to another since the runtime started. */
typedef struct bp_transfer_stats {
  uint32_t struct_size, reserved;
  uint64_t bytes, n_copies;
  uint64_t n_waits;     /* copies for which the caller waited until a device was done */
  uint64_t n_fallbacks; /* ops that ran on dst, the cpu, because src's backend lacks them */
} bp_transfer_stats;
/* The copies from src to dst, both with kind and index. */
BP_API bp_status bp_transfer_get_stats(bp_device src, bp_device dst, bp_transfer_stats *out,
                                       bp_error **err);
/* How often, since d was opened, a caller has waited for work of d: to read a value, for a copy
 * that waits, to synchronize. A loop that never waits leaves the number as it is. */
BP_API bp_status bp_device_get_waits(bp_device d, uint64_t *out, bp_error **err);

/* ---- making tensors -------------------------------------------------------------------------- */
/* Row-major tensors. shape has rank sizes, each >= 0; it may be NULL when rank is 0. dtype
 * BP_DTYPE_NONE is the default dtype, device 0 the default device. The elements of empty have no
 * particular values. */
BP_API bp_status bp_tensor_empty(int32_t rank, const int64_t *shape, bp_dtype dtype,
                                 bp_device device, bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_zeros(int32_t rank, const int64_t *shape, bp_dtype dtype,
                                 bp_device device, bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_ones(int32_t rank, const int64_t *shape, bp_dtype dtype,
                                bp_device device, bp_tensor **out, bp_error **err);
/* A tensor whose elements are all value, a number. dtype BP_DTYPE_NONE is i64 for I64, bool for
 * BOOL, the default dtype for F64, and the complex dtype of that precision for C128.
 * BP_INVALID_ARGUMENT: the dtype cannot hold the value. */
BP_API bp_status bp_tensor_full(int32_t rank, const int64_t *shape, const bp_value *value,
                                bp_dtype dtype, bp_device device, bp_tensor **out, bp_error **err);
/* An n x m matrix of zeros with ones on its main diagonal. */
BP_API bp_status bp_tensor_eye(int64_t n, int64_t m, bp_dtype dtype, bp_device device,
                               bp_tensor **out, bp_error **err);
/* Tensors of x's shape, and of its dtype and device where none is given. */
BP_API bp_status bp_tensor_empty_like(bp_tensor *x, bp_dtype dtype, bp_device device,
                                      bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_zeros_like(bp_tensor *x, bp_dtype dtype, bp_device device,
                                      bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_ones_like(bp_tensor *x, bp_dtype dtype, bp_device device,
                                     bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_full_like(bp_tensor *x, const bp_value *value, bp_dtype dtype,
                                     bp_device device, bp_tensor **out, bp_error **err);
/* Tensors of another shape, and of x's dtype and device where none is given. The value does not
 * choose the dtype. */
BP_API bp_status bp_tensor_new_empty(bp_tensor *x, int32_t rank, const int64_t *shape,
                                     bp_dtype dtype, bp_device device, bp_tensor **out,
                                     bp_error **err);
BP_API bp_status bp_tensor_new_zeros(bp_tensor *x, int32_t rank, const int64_t *shape,
                                     bp_dtype dtype, bp_device device, bp_tensor **out,
                                     bp_error **err);
BP_API bp_status bp_tensor_new_ones(bp_tensor *x, int32_t rank, const int64_t *shape,
                                    bp_dtype dtype, bp_device device, bp_tensor **out,
                                    bp_error **err);
BP_API bp_status bp_tensor_new_full(bp_tensor *x, int32_t rank, const int64_t *shape,
                                    const bp_value *value, bp_dtype dtype, bp_device device,
                                    bp_tensor **out, bp_error **err);
/* A tensor with a copy of data, host memory with as many elements of this dtype as the shape has,
 * in row-major order. The caller may change data when the call returns. */
BP_API bp_status bp_tensor_from_data(const void *data, int32_t rank, const int64_t *shape,
                                     bp_dtype dtype, bp_device device, bp_tensor **out,
                                     bp_error **err);
/* An uninitialised CPU tensor in pinned memory: host memory to and from which d, an accelerator,
 * and the other devices of its backend copy beside the program's work (non_blocking). Pinned memory
 * is scarce; it is for staging, not for data at rest. BP_UNSUPPORTED: the backend has none.
 * BP_INVALID_ARGUMENT: d's memory is host memory. */
BP_API bp_status bp_tensor_empty_pinned(int32_t rank, const int64_t *shape, bp_dtype dtype,
                                        bp_device d, bp_tensor **out, bp_error **err);
/* t itself, retained, when it is pinned for d's backend; a row-major copy that is, otherwise. t is
 * a CPU tensor. */
BP_API bp_status bp_tensor_pin_memory(bp_tensor *t, bp_device d, bp_tensor **out, bp_error **err);
/* A CPU tensor over the caller's memory. strides count elements; NULL is row-major. deleter, which
 * may be NULL, is called once with user, on any thread, when the last tensor over the memory is
 * released, and never when this call fails. */
BP_API bp_status bp_tensor_borrow(void *data, int32_t rank, const int64_t *shape,
                                  const int64_t *strides, bp_dtype dtype,
                                  void (*deleter)(void *user), void *user, bp_tensor **out,
                                  bp_error **err);
/* Adds a reference to t, which it returns; gives one back. */
BP_API bp_tensor *bp_tensor_retain(bp_tensor *t);
BP_API void bp_tensor_release(bp_tensor *t);

/* ---- asking a tensor ------------------------------------------------------------------------- */
/* For NULL, and for a handle that is no tensor, these return BP_DTYPE_NONE, -1, NULL or 0. */

/* The dtype of the elements. */
BP_API bp_dtype bp_tensor_dtype(const bp_tensor *t);
/* The number of dimensions. */
BP_API int32_t bp_tensor_rank(const bp_tensor *t);
/* Sizes and strides, in elements, of the dimensions; borrowed from t. */
BP_API const int64_t *bp_tensor_shape(const bp_tensor *t);
BP_API const int64_t *bp_tensor_strides(const bp_tensor *t);
/* The distance of the first element from the start of the storage, in elements. */
BP_API int64_t bp_tensor_offset(const bp_tensor *t);
/* The number of elements. */
BP_API int64_t bp_tensor_numel(const bp_tensor *t);
/* The device of the storage: the cpu without an index, others with theirs. */
BP_API bp_device bp_tensor_device(const bp_tensor *t);
/* 1 when the elements lie in row-major order without gaps. */
BP_API uint32_t bp_tensor_is_contiguous(const bp_tensor *t);
/* 1 when the storage is pinned host memory. */
BP_API uint32_t bp_tensor_is_pinned(const bp_tensor *t);
/* How often the storage was written so far, through any of its views. */
BP_API uint64_t bp_tensor_version(const bp_tensor *t);
/* 1 when both are views of one storage. */
BP_API uint32_t bp_tensor_same_storage(const bp_tensor *a, const bp_tensor *b);
/* The address of the first element, in the device's own memory. Waits for pending writes; from then
 * on it is the caller who orders reads and writes. */
BP_API bp_status bp_tensor_data(bp_tensor *t, void **out, bp_error **err);
/* The value of the one element, as I64, F64, BOOL or C128; waits for it. BP_INVALID_ARGUMENT: t has
 * no element or several. */
BP_API bp_status bp_tensor_item(bp_tensor *t, bp_value *out, bp_error **err);
/* Copies the elements in row-major order from t to the host's buffer, or from it to t. bytes is
 * numel times the size of an element. The copy is done when the call returns. */
BP_API bp_status bp_tensor_read(bp_tensor *t, void *buffer, uint64_t bytes, bp_error **err);
BP_API bp_status bp_tensor_write(bp_tensor *t, const void *buffer, uint64_t bytes, bp_error **err);
/* How a tensor becomes text, as torch.set_printoptions has it. The defaults stand in brackets. */
typedef struct bp_print_options {
  uint32_t struct_size;
  int32_t precision;  /* digits behind the point (4) */
  int64_t threshold;  /* a tensor of more elements is summarised (1000) */
  int32_t edge_items; /* elements at each end of a summarised dimension (3) */
  int32_t line_width; /* characters (80) */
  int32_t sci_mode;   /* scientific notation: -1 as the data asks for it, 0 never, 1 always (-1) */
  int32_t reserved;
} bp_print_options;
/* The text that PyTorch's repr gives. options NULL: the defaults. */
BP_API bp_status bp_tensor_format(bp_tensor *t, const bp_print_options *options, char *buf,
                                  uint64_t capacity, uint64_t *needed, bp_error **err);

/* ---- views: no data moves -------------------------------------------------------------------- */
/* The elements in another shape, of which one size may be -1. Where no view has that shape, reshape
 * copies and view is BP_INVALID_ARGUMENT. */
BP_API bp_status bp_tensor_reshape(bp_tensor *t, int32_t rank, const int64_t *shape,
                                   bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_view(bp_tensor *t, int32_t rank, const int64_t *shape, bp_tensor **out,
                                bp_error **err);
/* Dimension i of the result is dimension dims[i] of t; rank is t's. */
BP_API bp_status bp_tensor_permute(bp_tensor *t, int32_t rank, const int64_t *dims, bp_tensor **out,
                                   bp_error **err);
/* Swaps two dimensions. */
BP_API bp_status bp_tensor_transpose(bp_tensor *t, int64_t dim0, int64_t dim1, bp_tensor **out,
                                     bp_error **err);
/* A start or an end that is not given. */
#define BP_SLICE_NONE INT64_MIN
/* Part of a dimension by Python's rules: negative bounds count from the end, bounds are clamped,
 * and step is not 0. A negative step gives a flipped view. */
BP_API bp_status bp_tensor_slice(bp_tensor *t, int64_t dim, int64_t start, int64_t end,
                                 int64_t step, bp_tensor **out, bp_error **err);
/* length elements of a dimension from start on; a negative start counts from the end.
 * BP_INDEX_OUT_OF_RANGE: the dimension does not reach start. BP_INVALID_ARGUMENT: it ends before
 * the last of them. */
BP_API bp_status bp_tensor_narrow(bp_tensor *t, int64_t dim, int64_t start, int64_t length,
                                  bp_tensor **out, bp_error **err);
/* One index of a dimension, which the result does not have; a negative one counts from the end. */
BP_API bp_status bp_tensor_select(bp_tensor *t, int64_t dim, int64_t index, bp_tensor **out,
                                  bp_error **err);
/* Dimensions of size 1 become larger, and new ones come in front, by strides of 0. -1 keeps a
 * size. */
BP_API bp_status bp_tensor_expand(bp_tensor *t, int32_t rank, const int64_t *shape, bp_tensor **out,
                                  bp_error **err);
/* Without the named dimensions of size 1; a named dimension of another size stays. n_dims 0:
 * without any dimension of size 1. */
BP_API bp_status bp_tensor_squeeze(bp_tensor *t, const int64_t *dims, uint32_t n_dims,
                                   bp_tensor **out, bp_error **err);
/* With a new dimension of size 1 at dim. */
BP_API bp_status bp_tensor_unsqueeze(bp_tensor *t, int64_t dim, bp_tensor **out, bp_error **err);
/* The dimensions from first_dim to last_dim as one. Copies where no view can. */
BP_API bp_status bp_tensor_flatten(bp_tensor *t, int64_t first_dim, int64_t last_dim,
                                   bp_tensor **out, bp_error **err);
/* The elements whose index in dim2 is that in dim1 plus offset, along a new last dimension that
 * takes the place of the two. */
BP_API bp_status bp_tensor_diagonal(bp_tensor *t, int64_t offset, int64_t dim1, int64_t dim2,
                                    bp_tensor **out, bp_error **err);
/* The named dimensions backwards. */
BP_API bp_status bp_tensor_flip(bp_tensor *t, const int64_t *dims, uint32_t n_dims, bp_tensor **out,
                                bp_error **err);
/* Any view of t's storage: strides and offset count elements, and strides may be negative or 0.
 * BP_INVALID_ARGUMENT: an element would lie outside of the storage. */
BP_API bp_status bp_tensor_as_strided(bp_tensor *t, int32_t rank, const int64_t *shape,
                                      const int64_t *strides, int64_t offset, bp_tensor **out,
                                      bp_error **err);
/* A complex tensor as a real one with a new last dimension of 2: the real and the imaginary part,
 * each of which bp_tensor_select gives. */
BP_API bp_status bp_tensor_view_as_real(bp_tensor *t, bp_tensor **out, bp_error **err);
/* The way back: f32 or f64 with a last dimension of size 2 and stride 1, as a complex tensor. */
BP_API bp_status bp_tensor_view_as_complex(bp_tensor *t, bp_tensor **out, bp_error **err);
/* A view of everything: the same data, a handle of its own. */
BP_API bp_status bp_tensor_alias(bp_tensor *t, bp_tensor **out, bp_error **err);

/* ---- indexing by tensors --------------------------------------------------------------------- */
/* x[indices[0], indices[1], ...] as NumPy and PyTorch have it: a copy. An index that is NULL takes
 * its whole dimension. Integers pick; negative ones count from the end. A mask of bools stands for
 * as many dimensions as it has, each of their size or 0, and picks where it is true, for which the
 * caller waits. Indices broadcast; what they pick stands in their place when they are neighbours,
 * else in front. An index may be on the CPU whatever x's device is. An integer out of range is
 * BP_INDEX_OUT_OF_RANGE when the index is on the CPU; elsewhere zeros are read and nothing is
 * written. */
BP_API bp_status bp_tensor_index(bp_tensor *x, bp_tensor *const *indices, uint32_t n_indices,
                                 bp_tensor **out, bp_error **err);
/* x[indices...] = values, in place. values has x's dtype and broadcasts to the shape that
 * bp_tensor_index gives. Of equal indices the last wins; with accumulate, all are added, in
 * order. */
BP_API bp_status bp_tensor_index_put(bp_tensor *x, bp_tensor *const *indices, uint32_t n_indices,
                                     bp_tensor *values, uint32_t accumulate, bp_error **err);

/* ---- copies ---------------------------------------------------------------------------------- */
/* t on this device and in this dtype: t itself, retained, when that is nothing new and copy is 0; a
 * new tensor otherwise. device 0 and dtype BP_DTYPE_NONE are t's own. A copy to the CPU is done
 * when the call returns. A copy from the CPU has read t by then, and what is queued later in the
 * device's current stream sees the result. With non_blocking neither is waited for, if the host's
 * side is pinned memory, which a result on the CPU then is; whatever reads or writes that tensor
 * through this API waits for the copy. */
BP_API bp_status bp_tensor_to(bp_tensor *t, bp_device device, bp_dtype dtype, uint32_t copy,
                              uint32_t non_blocking, bp_tensor **out, bp_error **err);
/* Copies src's elements into dst, which keeps its shape, dtype and device: src is broadcast and
 * converted, and the devices may be any. When dst is src nothing happens. */
BP_API bp_status bp_tensor_copy_(bp_tensor *dst, bp_tensor *src, uint32_t non_blocking,
                                 bp_error **err);
/* t itself, retained, when it is contiguous; a row-major copy otherwise. */
BP_API bp_status bp_tensor_contiguous(bp_tensor *t, bp_tensor **out, bp_error **err);
/* A copy of t on its device. */
BP_API bp_status bp_tensor_clone(bp_tensor *t, bp_tensor **out, bp_error **err);
/* Makes every element value, a number. BP_INVALID_ARGUMENT: an integer dtype is too small for it,
 * or it is complex and the dtype is not. */
BP_API bp_status bp_tensor_fill_(bp_tensor *t, const bp_value *value, bp_error **err);

/* ---- random numbers -------------------------------------------------------------------------- */
/* Each device has a default generator. The numbers are those of Philox4x32-10 (Salmon et al.,
 * SC'11): element i of a call is drawn from the counter offset + i under the seed, and a call
 * advances the offset by its number of elements, rounded up to 4. All devices draw the same
 * numbers. */

typedef struct bp_generator bp_generator;
/* Seeds the default generator of every device, also of those that are opened later. */
BP_API bp_status bp_manual_seed(uint64_t seed, bp_error **err);
/* A generator of the caller's own. */
BP_API bp_status bp_generator_create(uint64_t seed, bp_generator **out, bp_error **err);
/* The default generator of a device. */
BP_API bp_status bp_generator_default(bp_device d, bp_generator **out, bp_error **err);
/* Sets the seed, and the offset to 0. */
BP_API bp_status bp_generator_seed(bp_generator *g, uint64_t seed, bp_error **err);
/* Seed and offset, which are all the state there is. */
BP_API bp_status bp_generator_get_state(bp_generator *g, uint64_t *seed, uint64_t *offset,
                                        bp_error **err);
BP_API bp_status bp_generator_set_state(bp_generator *g, uint64_t seed, uint64_t offset,
                                        bp_error **err);
/* Reserves numel draws, and gives the seed and the offset that a random op takes as attributes. */
BP_API bp_status bp_generator_reserve(bp_generator *g, int64_t numel, uint64_t *seed,
                                      uint64_t *offset, bp_error **err);
/* Adds a reference to g, which it returns; gives one back. */
BP_API bp_generator *bp_generator_retain(bp_generator *g);
BP_API void bp_generator_release(bp_generator *g);

/* ---- automatic differentiation --------------------------------------------------------------- */
/* As PyTorch's. While a thread records, as it does at first, the result of an op on a tensor that
 * requires a gradient knows where it came from. backward then adds to the gradients of the leaves
 * of which it was made, on their devices and in their dtypes. It is BP_BAD_STATE, with both
 * versions, when a tensor that was saved for backward has been changed since. A leaf that requires
 * a gradient cannot be changed in place while the thread records. One thread at a time walks a
 * graph back. */

/* Whether t requires a gradient, which floating and complex dtypes may. It can be turned off for a
 * leaf alone; detach serves the others. */
BP_API bp_status bp_tensor_set_requires_grad(bp_tensor *t, uint32_t on, bp_error **err);
BP_API uint32_t bp_tensor_requires_grad(const bp_tensor *t);
/* 1 when no op made t, or none that was recorded. */
BP_API uint32_t bp_tensor_is_leaf(const bp_tensor *t);
/* t's gradient, into which backward adds; *out is NULL while none has arrived. */
BP_API bp_status bp_tensor_grad(bp_tensor *t, bp_tensor **out, bp_error **err);
/* Makes grad, of t's shape, dtype and device, t's gradient; it is retained. NULL takes the gradient
 * away. */
BP_API bp_status bp_tensor_set_grad(bp_tensor *t, bp_tensor *grad, bp_error **err);
/* Lets a tensor that is no leaf keep its gradient as well. */
BP_API bp_status bp_tensor_retain_grad(bp_tensor *t, bp_error **err);
/* A tensor with t's data through which no gradient goes back. */
BP_API bp_status bp_tensor_detach(bp_tensor *t, bp_tensor **out, bp_error **err);
/* The name of what made t, "AddBackward0"; "" for a leaf. */
BP_API bp_status bp_tensor_grad_fn(bp_tensor *t, char *buf, uint64_t capacity, uint64_t *needed,
                                   bp_error **err);
/* Whether this thread records. set returns what it was before. */
BP_API uint32_t bp_grad_enabled(void);
BP_API uint32_t bp_grad_set_enabled(uint32_t on);
enum {
  BP_GRAD_RETAIN_GRAPH = 1u, /* what ops saved is kept for another backward */
  BP_GRAD_CREATE_GRAPH = 2u, /* gradients have gradients; this retains the graph as well */
  /* For bp_grad: outs[i] is NULL, which is no error, for an input on which the roots do not
   * depend. */
  BP_GRAD_ALLOW_UNUSED = 4u
};
/* Is called with a gradient on its way to a tensor, on the thread that runs backward, which does
 * not record meanwhile. It may put another gradient of that shape and device into *out, which is
 * taken over; NULL leaves it as it is. A negative status ends the backward. */
typedef bp_status (*bp_grad_hook_fn)(void *user, bp_tensor *grad, bp_tensor **out, bp_error **err);
/* Adds a hook to t. destroy, which may be NULL, is called when the hook is removed or t is gone. */
BP_API bp_status bp_tensor_register_hook(bp_tensor *t, bp_grad_hook_fn call, void *user,
                                         void (*destroy)(void *user), uint64_t *id, bp_error **err);
/* Adds a hook to a leaf that is called with the leaf itself when a backward has added to its
 * gradient; its out is not read. */
BP_API bp_status bp_tensor_register_accumulated_hook(bp_tensor *leaf, bp_grad_hook_fn call,
                                                     void *user, void (*destroy)(void *user),
                                                     uint64_t *id, bp_error **err);
/* Removes a hook of t. BP_NOT_FOUND: t has none of this id. */
BP_API bp_status bp_tensor_remove_hook(bp_tensor *t, uint64_t id, bp_error **err);
/* Gets a user pointer that the library keeps, the function that will destroy it, and `arg`. It must
 * not call the library. */
typedef void (*bp_context_visit_fn)(void *user, void (*destroy)(void *user), void *arg);
/* Visits what the caller's reference to t alone keeps alive: the user pointers of t's hooks, and of
 * the hooks and the bp_grad_function of what made t. There are none while anybody else holds t. A
 * binding to a language that collects cycles tells its collector of them. No other thread may use t
 * meanwhile. */
BP_API bp_status bp_tensor_visit_contexts(bp_tensor *t, bp_context_visit_fn visit, void *arg,
                                          bp_error **err);

/* A function of the caller's own. Its outputs are made while the thread does not record;
 * bp_grad_function then says how gradients go back. */
typedef struct bp_grad_function_desc {
  uint32_t struct_size, n_saved;
  const char *name; /* what bp_tensor_grad_fn shows */
  /* Gets what was saved, all of it unchanged since, and the gradients of the outputs, NULL where
   * none arrived. Puts an owned gradient, or NULL, into out for each input. */
  bp_status (*backward)(void *user, bp_tensor *const *saved, uint32_t n_saved,
                        bp_tensor *const *grads, uint32_t n_grads, bp_tensor **out, uint32_t n_out,
                        bp_error **err);
  bp_tensor *const *saved; /* inputs, outputs or others; retained */
  void *user;
  /* Is called when the last output is gone, or at once when nothing is recorded; may be NULL. */
  void (*destroy)(void *user);
} bp_grad_function_desc;
/* Makes outputs, all of them leaves so far, results of the function of inputs. Nothing is recorded
 * when no input requires a gradient. */
BP_API bp_status bp_grad_function(const bp_grad_function_desc *desc, bp_tensor *const *inputs,
                                  uint32_t n_inputs, bp_tensor *const *outputs, uint32_t n_outputs,
                                  bp_error **err);

/* Adds to the gradients of the leaves of which the roots were made. grads[i] is the gradient of
 * roots[i], of its shape; NULL is 1, for a root of one element, and grads NULL is that for all. */
BP_API bp_status bp_backward(bp_tensor *const *roots, bp_tensor *const *grads, uint32_t n_roots,
                             uint32_t flags, bp_error **err);
/* The gradients of the roots' sum with respect to inputs, into outs, which the caller owns; no
 * tensor's own gradient changes. BP_INVALID_ARGUMENT: the roots do not depend on an input, and
 * flags do not allow that. */
BP_API bp_status bp_grad(bp_tensor *const *roots, bp_tensor *const *grads, uint32_t n_roots,
                         bp_tensor *const *inputs, uint32_t n_inputs, uint32_t flags,
                         bp_tensor **outs, bp_error **err);
/* Takes away the gradients that hold the tensors which hold them, where nobody else does: one that
 * BP_GRAD_CREATE_GRAPH made keeps its graph, which leads back to its leaf. *n_taken, which may be
 * NULL, is how many there were. No other thread may record or differentiate meanwhile. */
BP_API bp_status bp_grad_collect(uint64_t *n_taken, bp_error **err);

/* ---- attributes as data ---------------------------------------------------------------------- */
/* Ops, and kinds of modules, optimisers and schedules, have named attributes. A call gives values
 * by name, in any order; what it leaves out has its default. An integer or a flag may stand for the
 * other and for a number, and an integer for a list of one. A call returns BP_NOT_FOUND, with the
 * names there are, for a name that is not among them, and BP_INVALID_ARGUMENT for a name that comes
 * twice, a value of another kind, and a required attribute that is missing. */
enum {
  BP_ATTR_FLAG_REQUIRED = 1,  /* must be given: there is no default */
  BP_ATTR_FLAG_OR_TEXT = 2,   /* of a list: a text may stand for it */
  BP_ATTR_FLAG_ANY_LENGTH = 4 /* of a list: it may be longer than BP_MAX_RANK */
};
typedef struct bp_attr_info {
  uint32_t struct_size;
  uint32_t flags;        /* BP_ATTR_FLAG_* */
  const char *doc;       /* one line, "" where there is none; static */
  bp_attr default_value; /* its name, kind and default; a list of count 0 is "none given"; static */
} bp_attr_info;

/* ---- ops: the generic door, reflection, your own --------------------------------------------- */
/* Runs an op. inputs are in the order of the op's row; a row that takes a list takes any number of
 * them. attrs go by name, in any order; those that are missing have their defaults. An output that
 * is NULL is allocated and given to the caller. One that is not is written: its shape and device
 * are the result's, and the result's dtype can be cast to its own. It may be exactly one of the
 * inputs, in place; if it overlaps one in another way, this is BP_INVALID_ARGUMENT.
 * BP_DEVICE_MISMATCH: the operands are on several devices. BP_DTYPE_MISMATCH: the op does not take
 * a dtype, or an output cannot hold the result. BP_UNSUPPORTED: there is no kernel; the message
 * names op, dtype and device. */
BP_API bp_status bp_invoke(uint32_t op, const bp_value *inputs, uint32_t n_in, const bp_attr *attrs,
                           uint32_t n_attr, bp_tensor **outputs, uint32_t n_out, bp_error **err);
/* The id of an op by its name. BP_NOT_FOUND names the nearest one. */
BP_API bp_status bp_op_find(const char *name, uint32_t *op, bp_error **err);
/* All ops in the order of their ids, the caller's own last. BP_INDEX_OUT_OF_RANGE beyond the
 * last. */
BP_API uint32_t bp_op_count(void);
BP_API bp_status bp_op_at(uint32_t i, uint32_t *op, bp_error **err);
enum {
  BP_OP_FLAG_LIST = 1,        /* takes a list of tensors */
  BP_OP_FLAG_SCALAR = 2,      /* a number may be the last input */
  BP_OP_FLAG_COMPOSED = 4,    /* made of other ops where a backend has no kernel */
  BP_OP_FLAG_ELEMENTWISE = 8, /* a result's element is made of one element of each input */
  BP_OP_FLAG_CREATES = 16,    /* makes data without an operand, on the default device */
  BP_OP_FLAG_FOREACH = 32,    /* over lists, most of which it changes; called by bp_invoke alone */
  BP_OP_FLAG_PRIMITIVE = 64   /* one of the few that all others can be composed of */
};
typedef struct bp_op_info {
  uint32_t struct_size;
  uint32_t op;
  const char *name, *doc; /* static, or the user op's own */
  uint32_t n_inputs, n_outputs, n_attrs;
  uint32_t flags; /* BP_OP_FLAG_* */
  double max_ulp; /* error bound of f32 and f64 results inside the domain */
  double domain_low, domain_high;
  uint64_t optional_inputs; /* bit i: input i may be BP_VALUE_NONE */
} bp_op_info;
/* What is known of an op, and of its i-th input, output or attribute. BP_NOT_FOUND: there is no
 * such op. BP_INDEX_OUT_OF_RANGE: it has no i-th one. BP_UNSUPPORTED: the inputs and outputs of the
 * caller's own ops have no names. */
BP_API bp_status bp_op_get_info(uint32_t op, bp_op_info *out, bp_error **err);
BP_API bp_status bp_op_input_name(uint32_t op, uint32_t i, const char **out, bp_error **err);
BP_API bp_status bp_op_output_name(uint32_t op, uint32_t i, const char **out, bp_error **err);
BP_API bp_status bp_op_attr(uint32_t op, uint32_t i, bp_attr_info *out, bp_error **err);
/* 1 when a call with operands of this dtype finds what it needs on devices of this kind: a kernel,
 * or one for each op of which it is composed. Indices and masks beside other operands have their
 * own dtypes, attributes their defaults. Loads the plugin. What the cpu would run instead
 * (BP_FALLBACK_CPU) does not count. */
BP_API bp_status bp_op_supported(uint32_t op, bp_dtype dtype, bp_kind kind, uint32_t *out,
                                 bp_error **err);

/* What is known of an operand of the caller's own op before it runs. */
typedef struct bp_tensor_spec {
  bp_dtype dtype;
  int32_t rank;
  int64_t shape[BP_MAX_RANK];
} bp_tensor_spec;
/* An op of the caller's own: kernels for some kinds, or a composition of other ops, which serves
 * all kinds. Callbacks fail by bp_error_set and a negative status, and must not unwind. */
typedef struct bp_op_desc {
  uint32_t struct_size, flags;  /* flags is 0 */
  const char *name, *doc;       /* name: [a-z_][a-z0-9_.]*, and not taken; doc may be NULL */
  uint32_t n_inputs, n_outputs; /* 1 to 8 each */
  /* Says the dtypes and shapes of the outputs. */
  bp_status (*infer)(void *user, const bp_tensor_spec *in, uint32_t n_in, const bp_attr *attrs,
                     uint32_t n_attr, bp_tensor_spec *out, uint32_t n_out, bp_error **err);
  /* Puts owned tensors into out. NULL: kernels alone serve the op. */
  bp_status (*compose)(void *user, bp_tensor *const *in, uint32_t n_in, const bp_attr *attrs,
                       uint32_t n_attr, bp_tensor **out, uint32_t n_out, bp_error **err);
  void *user;
  void (*destroy)(void *user); /* is called by bp_shutdown; may be NULL */
} bp_op_desc;
/* Registers an op until bp_shutdown; *op is its id. BP_INVALID_ARGUMENT: the name is malformed or
 * taken, or a count is out of range. */
BP_API bp_status bp_op_register(const bp_op_desc *desc, uint32_t *op, bp_error **err);
/* A kernel of such an op. It sees every operand as the caller gave it; outputs are row-major, on
 * the operands' device. */
typedef bp_status (*bp_op_kernel_fn)(void *user, const bp_launch *launch, bp_error **err);
/* Registers the kernel of an op for a kind. BP_INVALID_ARGUMENT: the op is a built-in one. */
BP_API bp_status bp_op_register_kernel(uint32_t op, bp_kind kind, bp_op_kernel_fn run, void *user,
                                       bp_error **err);

#ifdef __cplusplus
}
#endif

/* The headers below name this handle, whichever of them is included first. */
typedef struct bp_dict bp_dict; /* c_io.h */

#include "c_dlpack.h"
#include "c_group.h"
#include "c_io.h"
#include "c_nn.h"
#include "c_ops.h"
#include "c_optim.h"
#include "c_parallel.h"
#include "c_profile.h"
#include "c_program.h"
#include "c_train.h"
#include "c_trainer.h"
#endif
