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
 * - Where a doc says nothing else: BP_INVALID_ARGUMENT for NULL where a pointer is needed, for a
 *   handle of another type, for an unknown dtype, rank > 64, negative sizes; BP_OUT_OF_HOST_MEMORY
 *   / BP_OUT_OF_DEVICE_MEMORY when memory or the byte count overflows; BP_UNAVAILABLE when the
 *   backend of a device cannot be used, with the reason; BP_BAD_STATE for a handle made before
 *   bp_shutdown or before fork on an accelerator. Since 0.1 throughout.
 *
 *   bp_tensor *a = NULL, *b = NULL; bp_error *err = NULL; int64_t shape[2] = {2, 3};
 *   if (bp_tensor_ones(2, shape, BP_F32, bp_device_make(BP_KIND_CPU, -1), &a, &err) == BP_OK &&
 *       bp_add(a, a, &b, &err) == BP_OK) { ... }
 *   bp_tensor_release(a); bp_tensor_release(b); bp_error_release(err);
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
/* "0.1.0": the library's, not the header's. Static string. */
BP_API const char *bp_version(void);
/* The C ABI's number; 0 until it freezes. */
BP_API uint32_t bp_abi_version(void);
/* "BP_INVALID_ARGUMENT" ...; any value is accepted, never NULL. */
BP_API const char *bp_status_name(bp_status status);

enum {
  BP_ERROR_FROM_PLUGIN = 1u, /* a backend reported it */
  BP_ERROR_ASYNC = 2u        /* noticed at this call, caused by an earlier one */
};
/* NULL is accepted: BP_OK, "", 0, NULL. The message is one line, borrowed from e; *length (may be
 * NULL) is its size. */
BP_API bp_status bp_error_code(const bp_error *e);
BP_API const char *bp_error_message(const bp_error *e, uint64_t *length);
BP_API uint32_t bp_error_flags(const bp_error *e);
BP_API const bp_error *bp_error_cause(const bp_error *e); /* borrowed */
BP_API bp_error *bp_error_retain(bp_error *e);
BP_API void bp_error_release(bp_error *e);
/* For callbacks of the caller's: puts an error with this code (<0, else BP_CALLBACK) and text into
 * *err; returns the code. err NULL is fine. */
BP_API bp_status bp_error_set(bp_error **err, bp_status code, const char *text);

/* ---- the runtime ----------------------------------------------------------------------------- */
enum {
  BP_INIT_NO_ENV = 1u,          /* read no environment variable at all */
  BP_INIT_DEBUG_ALLOCATOR = 2u, /* no reuse, guard bytes checked at free, poisoned blocks */
  BP_INIT_SYNCHRONOUS = 4u /* each op waits for its device, so that an error is reported by the op
                              that caused it; BACKPLANE_SYNCHRONOUS=1 does the same */
};
typedef void (*bp_log_fn)(void *user, int32_t level, const char *text, uint64_t length);
typedef struct bp_init_desc {
  uint32_t struct_size;
  uint32_t flags;
  const char *plugin_dirs; /* ':'-separated absolute directories, searched first; NULL: none */
  const char *allow;       /* "cpu,cuda": only these kinds may load; NULL: all */
  const char *options;     /* "null.device_count=4;cpu.isa=avx2": handed to plugins; NULL: none */
  /* like BACKPLANE_VISIBLE_DEVICES, before it; NULL: the environment's */
  const char *visible_devices;
  const char *alias; /* like BACKPLANE_ALIAS, before it; NULL: the environment's */
  bp_log_fn log;     /* any thread; must not call back into the library; NULL: silence */
  void *log_user;
} bp_init_desc;
/* Starts the runtime with options. desc may be NULL. Without it the runtime starts by itself at the
 * first call that needs it. BP_BAD_STATE: it already runs. */
BP_API bp_status bp_init(const bp_init_desc *desc, bp_error **err);
/* The one ordered exit: waits for devices (at most timeout_ns; <0 for ever), closes devices and
 * plugins. Tensors that still live become BP_BAD_STATE and may still be released. The next call
 * starts a new generation and reads the environment again. BP_TIMEOUT: a device did not finish;
 * nothing was closed. BP_OK also when not running. */
BP_API bp_status bp_shutdown(int64_t timeout_ns, bp_error **err);
/* Threads the CPU may use for one call; n >= 1. Default: the cores this process may run on. */
BP_API bp_status bp_set_num_threads(int32_t n, bp_error **err);
BP_API int32_t bp_get_num_threads(void);
/* The dtype of floating results of integers and of numbers: BP_F32 (default), BP_F64, BP_F16 or
 * BP_BF16. */
BP_API bp_status bp_set_default_dtype(bp_dtype dtype, bp_error **err);
BP_API bp_dtype bp_get_default_dtype(void);
/* How much of its inputs' precision a matmul of f32 may give up for speed, as
 * torch.set_float32_matmul_precision; for the whole process, read at each call. A backend may use
 * less of it, or nothing: cpu does not. Sums stay in f32. */
typedef int32_t bp_precision;
enum {
  BP_PRECISION_HIGHEST = 0, /* none (default) */
  BP_PRECISION_HIGH = 1,    /* inputs may be rounded to TF32: 11 significant bits instead of 24 */
  BP_PRECISION_MEDIUM = 2   /* inputs may be rounded to bf16: 8 significant bits */
};
BP_API bp_status bp_set_matmul_precision(bp_precision precision, bp_error **err);
BP_API bp_precision bp_get_matmul_precision(void);

/* ---- the load report: every plugin file ever tried, as data ---------------------------------- */
typedef struct bp_report bp_report;
/* How far a candidate came. */
enum {
  BP_STAGE_FOUND = 0,     /* seen, not tried: nothing of its kind was asked for yet */
  BP_STAGE_DIRECTORY = 1, /* a directory could not be read */
  BP_STAGE_FILE = 2,      /* not a loadable file for this machine */
  BP_STAGE_DLOPEN = 3,    /* the loader refused it, often a missing dependency */
  BP_STAGE_SYMBOL = 4,    /* no bp_plugin_query in it */
  BP_STAGE_QUERY = 5,     /* versions do not meet, or nonsense was answered */
  BP_STAGE_OPEN = 6,
  BP_STAGE_PROBE = 7,   /* the driver or its libraries are missing */
  BP_STAGE_DEVICES = 8, /* no device, or none visible */
  BP_STAGE_READY = 9,
  BP_STAGE_SHADOWED = 10, /* another file of the same kind was found first; not a fault */
  BP_STAGE_SKIPPED = 11   /* hidden by the allow-list */
};
typedef struct bp_report_entry {
  uint32_t struct_size;
  int32_t stage;
  bp_status status;                  /* BP_OK for FOUND, READY, SHADOWED and SKIPPED */
  uint32_t n_devices;                /* visible */
  uint64_t nanoseconds;              /* spent in dlopen, open and probe */
  const char *kind, *path, *version; /* borrowed from the report; "" when not known */
  const char *cause;                 /* one sentence: what is wrong; "" when nothing */
  const char *remedy;                /* one sentence: what to do; "" when nothing */
} bp_report_entry;
/* A snapshot; loads nothing that was not asked for before. */
BP_API bp_status bp_report_create(bp_report **out, bp_error **err);
BP_API uint32_t bp_report_count(const bp_report *r);
BP_API bp_status bp_report_get(const bp_report *r, uint32_t i, bp_report_entry *out,
                               bp_error **err);
BP_API bp_report *bp_report_retain(bp_report *r);
BP_API void bp_report_release(bp_report *r);

/* ---- devices --------------------------------------------------------------------------------- */
/* Pure. kind and index are taken as they are; validity is checked where the value is used. */
BP_API bp_device bp_device_make(bp_kind kind, int32_t index);
BP_API bp_kind bp_device_kind(bp_device d);
BP_API int32_t bp_device_index(bp_device d);
/* "cuda:1", "cpu", "sim": grammar [a-zA-Z_]+(:(0|[1-9][0-9]*))?. A bare kind has index -1. Says
 * nothing about whether the device exists. BP_INVALID_ARGUMENT with PyTorch's texts; an unknown
 * kind's error lists the known ones. */
BP_API bp_status bp_device_parse(const char *text, bp_device *out, bp_error **err);
BP_API bp_status bp_device_format(bp_device d, char *buf, uint64_t capacity, uint64_t *needed,
                                  bp_error **err);
/* Kinds a plugin file was found for (and aliases), without loading any: index 0 is cpu. */
BP_API bp_status bp_kind_count(uint32_t *out, bp_error **err);
BP_API bp_status bp_kind_at(uint32_t i, bp_kind *out, bp_error **err);
/* Borrowed until shutdown; "?" for a number never given out. */
BP_API const char *bp_kind_name(bp_kind kind);
/* Number of visible devices of a kind; loads its plugin. A backend that cannot be used counts as 0
 * with BP_OK; bp_report says why. BP_NOT_FOUND: no plugin file of that kind and no such known kind.
 * BP_INVALID_ARGUMENT: a mask is malformed. BP_BAD_STATE: the kind was in use before fork. */
BP_API bp_status bp_device_count(bp_kind kind, int32_t *out, bp_error **err);
/* The same, but a backend that cannot be used is an error with its reason; loads the plugin. */
BP_API bp_status bp_kind_require(bp_kind kind, int32_t *count, bp_error **err);

enum { BP_DEVICE_SIMULATED = 1u, BP_DEVICE_HOST_MEMORY = 2u };
typedef struct bp_device_info {
  uint32_t struct_size;
  uint32_t flags;
  bp_device device; /* with its index */
  int32_t physical; /* ordinal before masks */
  int32_t n_units;
  uint64_t memory_total, memory_used; /* bytes; 0 when not known */
  int32_t compute_major, compute_minor;
  char name[128];
  char uuid[64];
  char pci[32];
  char driver[64];
} bp_device_info;
/* BP_INDEX_OUT_OF_RANGE with the count when the index does not exist. Index -1: the current device
 * of the kind. */
BP_API bp_status bp_device_get_info(bp_device d, bp_device_info *out, bp_error **err);
/* One physical device of a kind: its logical index, or -1 and why it was dropped. i < *count. */
typedef struct bp_physical_info {
  uint32_t struct_size;
  int32_t physical;
  int32_t logical;
  int32_t reserved;
  char name[128];
  char uuid[64];
  char pci[32];
  char reason[192]; /* "" when visible */
} bp_physical_info;
BP_API bp_status bp_physical_count(bp_kind kind, uint32_t *out, bp_error **err);
BP_API bp_status bp_physical_get(bp_kind kind, uint32_t i, bp_physical_info *out, bp_error **err);
/* Replaces BACKPLANE_VISIBLE_DEVICES for kinds of which no device was opened. "cuda:0,2;sim:*";
 * NULL: the environment's. BP_BAD_STATE: a device of a named kind is open already.
 * BP_INVALID_ARGUMENT lists the valid ids. */
BP_API bp_status bp_set_visible_devices(const char *spec, bp_error **err);
/* Waits until everything queued on the device, in any stream, is done; reports its asynchronous
 * errors. */
BP_API bp_status bp_synchronize(bp_device d, bp_error **err);

/* ---- streams and events ---------------------------------------------------------------------- */
/* A stream is a queue of a device: work in one runs in order, work in two at the same time. Ops,
 * factories and copies go into the calling thread's current stream of the device they run on, at
 * first the device's default stream. Nothing orders two streams but waits: a tensor that another
 * stream writes is ready after bp_stream_wait_event or a synchronize. On the cpu, work is done when
 * a call returns; its streams and events are there so that one program serves all devices. Memory:
 * a block belongs to the stream that was current when it was allocated, and is reused in that
 * stream at once. A tensor that another stream uses must outlive that use, or be told of it
 * (bp_tensor_record_stream). */
typedef struct bp_stream bp_stream;
typedef struct bp_event bp_event;
/* priority: 0 is ordinary, negative more urgent where the backend knows priorities. BP_BAD_STATE:
 * the device was closed. A released stream finishes its work; its queue is then used for a later
 * stream. */
BP_API bp_status bp_stream_create(bp_device d, int32_t priority, bp_stream **out, bp_error **err);
BP_API bp_status bp_stream_default(bp_device d, bp_stream **out, bp_error **err);
BP_API bp_stream *bp_stream_retain(bp_stream *s);
BP_API void bp_stream_release(bp_stream *s);
/* 0 for NULL. */
BP_API bp_device bp_stream_device(const bp_stream *s);
/* The calling thread's current stream of a device; get gives a reference. push returns a token for
 * pop, as with devices; set changes it for good. The stream must be kept while it is current. */
BP_API bp_status bp_stream_get_current(bp_device d, bp_stream **out, bp_error **err);
BP_API bp_status bp_stream_set_current(bp_stream *s, bp_error **err);
BP_API bp_status bp_stream_push(bp_stream *s, uint64_t *token, bp_error **err);
BP_API bp_status bp_stream_pop(uint64_t token, bp_error **err);
/* query: BP_OK when all its work is done, BP_NOT_READY when not. Both report asynchronous errors of
 * the device. */
BP_API bp_status bp_stream_query(bp_stream *s, bp_error **err);
BP_API bp_status bp_stream_synchronize(bp_stream *s, bp_error **err);
/* What comes into the stream from now on waits for what event e was recorded after; does not block.
 * An event that was never recorded holds nobody up. e may be of another device of the same backend.
 */
BP_API bp_status bp_stream_wait_event(bp_stream *s, bp_event *e, bp_error **err);
/* fn(user) when everything before it in the stream is done, on a thread of the backend's; what
 * comes later in the stream waits for it. It must not wait for any device, nor call anything that
 * does: callbacks of all streams may share a thread. On the cpu it runs before the call returns. A
 * device that has failed may not call it. BP_UNSUPPORTED: the backend has no such callbacks. */
BP_API bp_status bp_stream_host_func(bp_stream *s, void (*fn)(void *user), void *user,
                                     bp_error **err);
/* Events are of one device. record: e stands for what is in the stream now; the latest record
 * counts. */
BP_API bp_status bp_event_create(bp_device d, bp_event **out, bp_error **err);
BP_API bp_event *bp_event_retain(bp_event *e);
BP_API void bp_event_release(bp_event *e);
BP_API bp_status bp_event_record(bp_event *e, bp_stream *s, bp_error **err);
/* BP_OK: passed, or never recorded; BP_NOT_READY. */
BP_API bp_status bp_event_query(bp_event *e, bp_error **err);
BP_API bp_status bp_event_synchronize(bp_event *e, bp_error **err);
/* Milliseconds between two recorded events of one device; waits for both. BP_INVALID_ARGUMENT: one
 * was never recorded. */
BP_API bp_status bp_event_elapsed(bp_event *from, bp_event *to, double *ms, bp_error **err);
/* Stream s uses t's memory: after t's last release the memory is not reused before what is in s at
 * that time is done. */
BP_API bp_status bp_tensor_record_stream(bp_tensor *t, bp_stream *s, bp_error **err);

/* ---- default device and current device: per thread ------------------------------------------- */
/* The default device is where factories put data when none is given; it starts as the process-wide
 * one (cpu). The current device of a kind is what a bare kind ("cuda") means; it starts at 0 in
 * every thread. push returns a token; pop takes it and restores what was there at its push,
 * whatever was set inside. A pop that is not of the newest token of this thread is BP_BAD_STATE and
 * changes nothing. Explicit devices always win; ops run where their tensors are. Tokens are > 0.
 * default_push and set_default_device do not ask whether the device is there; the others do,
 * without opening it (BP_INDEX_OUT_OF_RANGE, BP_UNAVAILABLE), and want an explicit index. */
BP_API bp_status bp_default_push(bp_device d, uint64_t *token, bp_error **err);
BP_API bp_status bp_default_pop(uint64_t token, bp_error **err);
BP_API bp_status bp_default_get(bp_device *out, bp_error **err);
/* Process-wide default below every thread's stack; d 0: back to cpu. */
BP_API bp_status bp_set_default_device(bp_device d, bp_error **err);
BP_API bp_status bp_current_push(bp_device d, uint64_t *token, bp_error **err);
BP_API bp_status bp_current_pop(uint64_t token, bp_error **err);
BP_API bp_status bp_set_current(bp_device d, bp_error **err);
BP_API bp_status bp_current_get(bp_kind kind, bp_device *out, bp_error **err);
/* Both at once. A bare kind becomes the default and leaves the kind's current index as it is. */
BP_API bp_status bp_device_push(bp_device d, uint64_t *token, bp_error **err);
BP_API bp_status bp_device_pop(uint64_t token, bp_error **err);
/* A thread's state (default stack top, current devices) as a value to hand to a pool; enter pushes
 * it, leave pops. */
typedef struct bp_context bp_context;
BP_API bp_status bp_context_capture(bp_context **out, bp_error **err);
BP_API bp_status bp_context_enter(bp_context *c, uint64_t *token, bp_error **err);
BP_API bp_status bp_context_leave(uint64_t token, bp_error **err);
BP_API bp_context *bp_context_retain(bp_context *c);
BP_API void bp_context_release(bp_context *c);

/* ---- memory ---------------------------------------------------------------------------------- */
typedef struct bp_memory_stats {
  uint32_t struct_size, reserved;
  uint64_t allocated_bytes, peak_allocated_bytes;  /* handed out now, and the most there ever was */
  uint64_t cached_bytes;                           /* held for reuse */
  uint64_t limit_bytes;                            /* bound of cached_bytes */
  uint64_t n_allocations, n_frees;                 /* requests served and given back */
  uint64_t n_backend_allocations, n_backend_frees; /* of them, those that reached the backend */
  uint64_t n_live;                                 /* blocks handed out now */
  /* debug allocator: blocks whose guard bytes were overwritten */
  uint64_t n_guard_faults;
  /* got from the backend and not given back: handed out, cached, or between blocks of a segment */
  uint64_t reserved_bytes;
  /* of the device's pinned host memory: handed out, held for reuse */
  uint64_t pinned_bytes, pinned_cached_bytes;
} bp_memory_stats;
BP_API bp_status bp_memory_get_stats(bp_device d, bp_memory_stats *out, bp_error **err);
BP_API bp_status bp_memory_reset_peak(bp_device d, bp_error **err);
/* Gives cached blocks back to the backend. Of blocks of at most 1 KiB of the cpu each thread keeps
 * some, 68 KiB at most, until it ends or calls this itself; a limit below that turns it off. They
 * count as cached, in the peak as allocated. */
BP_API bp_status bp_memory_trim(bp_device d, bp_error **err);
/* Bound of the cache in bytes; 0: cache nothing. Default: a quarter of the device's memory, at most
 * 4 GiB. */
BP_API bp_status bp_memory_set_limit(bp_device d, uint64_t bytes, bp_error **err);
/* What crossed between two devices since the start. */
typedef struct bp_transfer_stats {
  uint32_t struct_size, reserved;
  uint64_t bytes, n_copies;
  /* of the copies: those for which the caller stood still until a device was done */
  uint64_t n_waits;
} bp_transfer_stats;
/* What left src for dst. Kinds and indices must be explicit. */
BP_API bp_status bp_transfer_get_stats(bp_device src, bp_device dst, bp_transfer_stats *out,
                                       bp_error **err);
/* How often a caller stood still until work of d was done, since d was opened: reading a value, a
 * copy that waits, synchronizing. A loop that never waits leaves it as it is. */
BP_API bp_status bp_device_get_waits(bp_device d, uint64_t *out, bp_error **err);

/* ---- making tensors -------------------------------------------------------------------------- */
/* dtype BP_DTYPE_NONE: the default dtype. device 0: the default device. shape: rank sizes >= 0;
 * NULL when rank is 0. */
BP_API bp_status bp_tensor_empty(int32_t rank, const int64_t *shape, bp_dtype dtype,
                                 bp_device device, bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_zeros(int32_t rank, const int64_t *shape, bp_dtype dtype,
                                 bp_device device, bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_ones(int32_t rank, const int64_t *shape, bp_dtype dtype,
                                bp_device device, bp_tensor **out, bp_error **err);
/* dtype BP_DTYPE_NONE: i64 for I64, bool for BOOL, the default dtype for F64, its complex twin for
 * C128. */
BP_API bp_status bp_tensor_full(int32_t rank, const int64_t *shape, const bp_value *value,
                                bp_dtype dtype, bp_device device, bp_tensor **out, bp_error **err);
/* n x m, ones on the main diagonal. */
BP_API bp_status bp_tensor_eye(int64_t n, int64_t m, bp_dtype dtype, bp_device device,
                               bp_tensor **out, bp_error **err);
/* x's shape; its dtype and device where not given. */
BP_API bp_status bp_tensor_empty_like(bp_tensor *x, bp_dtype dtype, bp_device device,
                                      bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_zeros_like(bp_tensor *x, bp_dtype dtype, bp_device device,
                                      bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_ones_like(bp_tensor *x, bp_dtype dtype, bp_device device,
                                     bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_full_like(bp_tensor *x, const bp_value *value, bp_dtype dtype,
                                     bp_device device, bp_tensor **out, bp_error **err);
/* Another shape; x's dtype and device where not given. The value does not choose the dtype. */
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
/* Copies row-major host data of exactly numel elements. Blocks until the data is no longer needed.
 */
BP_API bp_status bp_tensor_from_data(const void *data, int32_t rank, const int64_t *shape,
                                     bp_dtype dtype, bp_device device, bp_tensor **out,
                                     bp_error **err);
/* An uninitialised CPU tensor in pinned memory: host memory that d, an accelerator, and the others
 * of its backend copy to and from beside the program's work (non_blocking). It is scarce: for
 * staging, not for data at rest. BP_UNSUPPORTED: the backend has none. BP_INVALID_ARGUMENT: d is of
 * host memory. */
BP_API bp_status bp_tensor_empty_pinned(int32_t rank, const int64_t *shape, bp_dtype dtype,
                                        bp_device d, bp_tensor **out, bp_error **err);
/* t itself (retained) when it is pinned for d's backend, else a row-major copy that is. t must be
 * on the CPU. */
BP_API bp_status bp_tensor_pin_memory(bp_tensor *t, bp_device d, bp_tensor **out, bp_error **err);
/* A CPU tensor over the caller's memory. strides in elements, NULL for row-major; deleter(user)
 * runs once, when the last view is released (any thread), and never when this call fails. deleter
 * may be NULL. */
BP_API bp_status bp_tensor_borrow(void *data, int32_t rank, const int64_t *shape,
                                  const int64_t *strides, bp_dtype dtype,
                                  void (*deleter)(void *user), void *user, bp_tensor **out,
                                  bp_error **err);
BP_API bp_tensor *bp_tensor_retain(bp_tensor *t);
BP_API void bp_tensor_release(bp_tensor *t);

/* ---- asking a tensor ------------------------------------------------------------------------- */
/* NULL or a foreign handle: BP_DTYPE_NONE, -1, NULL, 0. Pointers are borrowed from t and live as
 * long as it. */
BP_API bp_dtype bp_tensor_dtype(const bp_tensor *t);
BP_API int32_t bp_tensor_rank(const bp_tensor *t);
BP_API const int64_t *bp_tensor_shape(const bp_tensor *t);
BP_API const int64_t *bp_tensor_strides(const bp_tensor *t);
BP_API int64_t bp_tensor_offset(const bp_tensor *t); /* elements from the storage's start */
BP_API int64_t bp_tensor_numel(const bp_tensor *t);
BP_API bp_device bp_tensor_device(const bp_tensor *t); /* cpu as "cpu", others with their index */
BP_API uint32_t bp_tensor_is_contiguous(const bp_tensor *t);
BP_API uint32_t bp_tensor_is_pinned(const bp_tensor *t);
/* writes so far, shared by all views of the storage */
BP_API uint64_t bp_tensor_version(const bp_tensor *t);
BP_API uint32_t bp_tensor_same_storage(const bp_tensor *a, const bp_tensor *b);
/* First element, in the device's own memory. Waits for pending writes; from then on the caller owns
 * the order. */
BP_API bp_status bp_tensor_data(bp_tensor *t, void **out, bp_error **err);
/* The one element, as I64, F64, BOOL or C128. BP_INVALID_ARGUMENT for another count. */
BP_API bp_status bp_tensor_item(bp_tensor *t, bp_value *out, bp_error **err);
/* Row-major host copy out of / into t; bytes must be numel * element size. Blocks. */
BP_API bp_status bp_tensor_read(bp_tensor *t, void *buffer, uint64_t bytes, bp_error **err);
BP_API bp_status bp_tensor_write(bp_tensor *t, const void *buffer, uint64_t bytes, bp_error **err);
/* Text equal to PyTorch's repr. */
typedef struct bp_print_options {
  uint32_t struct_size;
  int32_t precision;  /* 4 */
  int64_t threshold;  /* 1000: summarise beyond */
  int32_t edge_items; /* 3 */
  int32_t line_width; /* 80 */
  int32_t sci_mode;   /* -1 by the data, 0 never, 1 always */
  int32_t reserved;
} bp_print_options;
/* options NULL: the numbers above. */
BP_API bp_status bp_tensor_format(bp_tensor *t, const bp_print_options *options, char *buf,
                                  uint64_t capacity, uint64_t *needed, bp_error **err);

/* ---- views: no data moves -------------------------------------------------------------------- */
/* One size may be -1. reshape copies where no view can; view is BP_INVALID_ARGUMENT there. */
BP_API bp_status bp_tensor_reshape(bp_tensor *t, int32_t rank, const int64_t *shape,
                                   bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_view(bp_tensor *t, int32_t rank, const int64_t *shape, bp_tensor **out,
                                bp_error **err);
BP_API bp_status bp_tensor_permute(bp_tensor *t, int32_t rank, const int64_t *dims, bp_tensor **out,
                                   bp_error **err);
BP_API bp_status bp_tensor_transpose(bp_tensor *t, int64_t dim0, int64_t dim1, bp_tensor **out,
                                     bp_error **err);
/* Python's slice rules: negative counts from the end, bounds are clamped, step != 0 (negative: a
 * flipped view). BP_SLICE_NONE for start or end: not given. */
#define BP_SLICE_NONE INT64_MIN
BP_API bp_status bp_tensor_slice(bp_tensor *t, int64_t dim, int64_t start, int64_t end,
                                 int64_t step, bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_narrow(bp_tensor *t, int64_t dim, int64_t start, int64_t length,
                                  bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_select(bp_tensor *t, int64_t dim, int64_t index, bp_tensor **out,
                                  bp_error **err);
/* -1 keeps a size. */
BP_API bp_status bp_tensor_expand(bp_tensor *t, int32_t rank, const int64_t *shape, bp_tensor **out,
                                  bp_error **err);
/* n_dims 0: every dimension of size 1. A named dimension of another size stays. */
BP_API bp_status bp_tensor_squeeze(bp_tensor *t, const int64_t *dims, uint32_t n_dims,
                                   bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_unsqueeze(bp_tensor *t, int64_t dim, bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_flatten(bp_tensor *t, int64_t first_dim, int64_t last_dim,
                                   bp_tensor **out, bp_error **err);
/* The elements where dim2's index is dim1's plus offset, along a new last dimension in place of the
 * two. */
BP_API bp_status bp_tensor_diagonal(bp_tensor *t, int64_t offset, int64_t dim1, int64_t dim2,
                                    bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_flip(bp_tensor *t, const int64_t *dims, uint32_t n_dims, bp_tensor **out,
                                bp_error **err);
/* shape, strides (elements, any sign) and offset over t's storage; every element must lie inside
 * it. */
BP_API bp_status bp_tensor_as_strided(bp_tensor *t, int32_t rank, const int64_t *shape,
                                      const int64_t *strides, int64_t offset, bp_tensor **out,
                                      bp_error **err);
/* A complex t as reals with a last dimension of 2: real and imaginary part; and f32 or f64 with
 * such a dimension, of stride 1, as complex. The parts of a complex tensor are this and
 * bp_tensor_select(.., -1, 0 or 1). */
BP_API bp_status bp_tensor_view_as_real(bp_tensor *t, bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_view_as_complex(bp_tensor *t, bp_tensor **out, bp_error **err);
/* Same data, a handle of its own. */
BP_API bp_status bp_tensor_alias(bp_tensor *t, bp_tensor **out, bp_error **err);

/* ---- indexing by tensors --------------------------------------------------------------------- */
/* x[indices[0], indices[1], ...] as NumPy and PyTorch have it, a copy. indices[d] NULL: the whole
 * dimension. Integers pick (negative ones count from the end); a mask of bools stands for as many
 * dimensions as it has, each of their size or 0, and picks where it is true, for which the caller
 * waits. They broadcast; what they pick stands in their place when they are neighbours, else in
 * front. An index may lie on the CPU whatever x's device. Out of range: BP_INDEX_OUT_OF_RANGE when
 * the index is on the CPU; else zeros are read, and nothing is written. */
BP_API bp_status bp_tensor_index(bp_tensor *x, bp_tensor *const *indices, uint32_t n_indices,
                                 bp_tensor **out, bp_error **err);
/* x[indices...] = values, in place; values broadcasts to what bp_tensor_index would give and has
 * x's dtype. Of equal indices the last wins; accumulate: all are added, in order. */
BP_API bp_status bp_tensor_index_put(bp_tensor *x, bp_tensor *const *indices, uint32_t n_indices,
                                     bp_tensor *values, uint32_t accumulate, bp_error **err);

/* ---- copies ---------------------------------------------------------------------------------- */
/* t itself (retained) when dtype, device and copy ask for nothing new; else a new tensor. dtype
 * NONE, device 0: keep. A copy to the CPU ends before the call returns; one from the CPU has read t
 * when the call returns, and what comes later in the device's current stream sees its result.
 * non_blocking: neither is waited for when the host's side is pinned memory (bp_tensor_to makes
 * such a result); whatever then reads or writes that tensor through this API waits. */
BP_API bp_status bp_tensor_to(bp_tensor *t, bp_device device, bp_dtype dtype, uint32_t copy,
                              uint32_t non_blocking, bp_tensor **out, bp_error **err);
/* Broadcasts src to dst, converts, between any devices. dst keeps shape, dtype, device. dst == src:
 * nothing. */
BP_API bp_status bp_tensor_copy_(bp_tensor *dst, bp_tensor *src, uint32_t non_blocking,
                                 bp_error **err);
BP_API bp_status bp_tensor_contiguous(bp_tensor *t, bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_clone(bp_tensor *t, bp_tensor **out, bp_error **err);
/* Every element becomes value; BP_INVALID_ARGUMENT when an integer dtype, or a real one a complex
 * value, cannot hold it. */
BP_API bp_status bp_tensor_fill_(bp_tensor *t, const bp_value *value, bp_error **err);

/* ---- random numbers -------------------------------------------------------------------------- */
/* One default generator per device. Philox4x32-10 (Salmon et al., SC'11): element i of a call is
 * drawn from counter offset + i under the seed; a call advances the offset by numel rounded up
 * to 4. Same stream on every device. */
typedef struct bp_generator bp_generator;
/* every device's default generator, now and later */
BP_API bp_status bp_manual_seed(uint64_t seed, bp_error **err);
BP_API bp_status bp_generator_create(uint64_t seed, bp_generator **out, bp_error **err);
/* owned reference */
BP_API bp_status bp_generator_default(bp_device d, bp_generator **out, bp_error **err);
/* offset becomes 0 */
BP_API bp_status bp_generator_seed(bp_generator *g, uint64_t seed, bp_error **err);
BP_API bp_status bp_generator_get_state(bp_generator *g, uint64_t *seed, uint64_t *offset,
                                        bp_error **err);
BP_API bp_status bp_generator_set_state(bp_generator *g, uint64_t seed, uint64_t offset,
                                        bp_error **err);
/* Reserves numel draws: the seed and offset to hand to a random op's attributes. */
BP_API bp_status bp_generator_reserve(bp_generator *g, int64_t numel, uint64_t *seed,
                                      uint64_t *offset, bp_error **err);
BP_API bp_generator *bp_generator_retain(bp_generator *g);
BP_API void bp_generator_release(bp_generator *g);

/* ---- automatic differentiation --------------------------------------------------------------- */
/* As PyTorch's. What ops make of a tensor that requires a gradient knows where it came from, while
 * the thread records (it does at first); backward then adds to the gradients of the leaves it was
 * made of, on their devices, in their dtypes. Ops change a tensor that others saved for backward:
 * BP_BAD_STATE there, with both versions. A leaf that requires a gradient is not changed in place
 * while the thread records. One graph is walked back by one thread at a time. */
/* Float and complex dtypes. Off for leaves alone; detach the others. */
BP_API bp_status bp_tensor_set_requires_grad(bp_tensor *t, uint32_t on, bp_error **err);
BP_API uint32_t bp_tensor_requires_grad(const bp_tensor *t);
/* no op made it, or none that was recorded */
BP_API uint32_t bp_tensor_is_leaf(const bp_tensor *t);
/* *out NULL: none has arrived. The gradient is the tensor's own: backward adds into it. */
BP_API bp_status bp_tensor_grad(bp_tensor *t, bp_tensor **out, bp_error **err);
/* grad NULL: takes it away. Else of t's shape, dtype and device; retained. */
BP_API bp_status bp_tensor_set_grad(bp_tensor *t, bp_tensor *grad, bp_error **err);
/* A tensor that is no leaf keeps its gradient as well. */
BP_API bp_status bp_tensor_retain_grad(bp_tensor *t, bp_error **err);
/* The same data, of which no gradient goes back. */
BP_API bp_status bp_tensor_detach(bp_tensor *t, bp_tensor **out, bp_error **err);
/* "AddBackward0"; "" of a leaf. */
BP_API bp_status bp_tensor_grad_fn(bp_tensor *t, char *buf, uint64_t capacity, uint64_t *needed,
                                   bp_error **err);
BP_API uint32_t bp_grad_enabled(void);            /* this thread records */
BP_API uint32_t bp_grad_set_enabled(uint32_t on); /* gives what was before */
enum {
  BP_GRAD_RETAIN_GRAPH = 1u, /* what ops saved stays for another backward */
  BP_GRAD_CREATE_GRAPH = 2u, /* gradients have gradients; with RETAIN_GRAPH */
  BP_GRAD_ALLOW_UNUSED = 4u  /* bp_grad: outs[i] is NULL for an input that roots do not depend on,
                                instead of an error */
};
/* Called with a gradient on its way to t, on the thread that runs backward, which does not record
 * then; *out: another one of that shape and device in its place (taken over), or left NULL. A
 * negative status ends the backward. destroy may be NULL. */
typedef bp_status (*bp_grad_hook_fn)(void *user, bp_tensor *grad, bp_tensor **out, bp_error **err);
BP_API bp_status bp_tensor_register_hook(bp_tensor *t, bp_grad_hook_fn call, void *user,
                                         void (*destroy)(void *user), uint64_t *id, bp_error **err);
/* Of a leaf: called with it when a backward has added to its gradient; out is not read. */
BP_API bp_status bp_tensor_register_accumulated_hook(bp_tensor *leaf, bp_grad_hook_fn call,
                                                     void *user, void (*destroy)(void *user),
                                                     uint64_t *id, bp_error **err);
/* BP_NOT_FOUND: t has no such hook. */
BP_API bp_status bp_tensor_remove_hook(bp_tensor *t, uint64_t id, bp_error **err);

/* A function of your own: make its outputs while the thread does not record, then say how gradients
 * go back. backward gets what was saved (refused when it was changed since) and the gradients of
 * the outputs (NULL: none arrived there), and puts owned gradients, or NULL, into out, one for each
 * input. Nothing happens when no input wants a gradient. */
typedef struct bp_grad_function_desc {
  uint32_t struct_size, n_saved;
  const char *name; /* shown as grad_fn */
  bp_status (*backward)(void *user, bp_tensor *const *saved, uint32_t n_saved,
                        bp_tensor *const *grads, uint32_t n_grads, bp_tensor **out, uint32_t n_out,
                        bp_error **err);
  bp_tensor *const *saved; /* inputs, outputs or others */
  void *user;
  /* when the last output is gone, or at once where nothing is recorded; may be NULL */
  void (*destroy)(void *user);
} bp_grad_function_desc;
BP_API bp_status bp_grad_function(const bp_grad_function_desc *desc, bp_tensor *const *inputs,
                                  uint32_t n_inputs, bp_tensor *const *outputs, uint32_t n_outputs,
                                  bp_error **err);

/* grads[i]: the gradient of roots[i], of its shape; NULL: 1, for a root of one element. grads NULL:
 * all of them so. */
BP_API bp_status bp_backward(bp_tensor *const *roots, bp_tensor *const *grads, uint32_t n_roots,
                             uint32_t flags, bp_error **err);
/* The gradients of inputs, into outs; no tensor's own gradient changes. */
BP_API bp_status bp_grad(bp_tensor *const *roots, bp_tensor *const *grads, uint32_t n_roots,
                         bp_tensor *const *inputs, uint32_t n_inputs, uint32_t flags,
                         bp_tensor **outs, bp_error **err);

/* ---- attributes as data ---------------------------------------------------------------------- */
/* An attribute of an op or of a kind of modules, optimisers or schedules. Values of these are given
 * by name, in any order; those that are not given have their defaults. Integers and flags stand for
 * each other and for numbers, an integer for a list of one. BP_NOT_FOUND says what names there are;
 * BP_INVALID_ARGUMENT for a name given twice, a value of another kind, one that is missing. */
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
/* inputs: n_in values in the row's order (a list row takes any number). attrs: by name, any order,
 * missing ones take their defaults. outputs[i] NULL: allocated and given to the caller. Given:
 * written there; shape and device must match and the result's dtype must be castable; it may be
 * exactly one of the inputs (in place), partial overlap is BP_INVALID_ARGUMENT. BP_DEVICE_MISMATCH,
 * BP_DTYPE_MISMATCH, BP_UNSUPPORTED (no kernel: op, dtype and device named). */
BP_API bp_status bp_invoke(uint32_t op, const bp_value *inputs, uint32_t n_in, const bp_attr *attrs,
                           uint32_t n_attr, bp_tensor **outputs, uint32_t n_out, bp_error **err);
/* BP_NOT_FOUND names the nearest op. */
BP_API bp_status bp_op_find(const char *name, uint32_t *op, bp_error **err);
BP_API uint32_t bp_op_count(void);
/* Ids in increasing order, users' ops last. */
BP_API bp_status bp_op_at(uint32_t i, uint32_t *op, bp_error **err);
enum {
  BP_OP_FLAG_LIST = 1,        /* takes a list of tensors */
  BP_OP_FLAG_SCALAR = 2,      /* a number may be the last input */
  BP_OP_FLAG_COMPOSED = 4,    /* made of other ops where a backend has no kernel */
  BP_OP_FLAG_ELEMENTWISE = 8, /* a result's element is made of one element of each input */
  BP_OP_FLAG_CREATES = 16,    /* makes data without an operand, on the default device */
  BP_OP_FLAG_FOREACH = 32     /* over lists, most of which it changes; called by bp_invoke alone */
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
BP_API bp_status bp_op_get_info(uint32_t op, bp_op_info *out, bp_error **err);
BP_API bp_status bp_op_input_name(uint32_t op, uint32_t i, const char **out, bp_error **err);
BP_API bp_status bp_op_output_name(uint32_t op, uint32_t i, const char **out, bp_error **err);
BP_API bp_status bp_op_attr(uint32_t op, uint32_t i, bp_attr_info *out, bp_error **err);
/* 1 when a kernel or a composition serves the op for this key dtype on this kind; loads the plugin.
 */
BP_API bp_status bp_op_supported(uint32_t op, bp_dtype dtype, bp_kind kind, uint32_t *out,
                                 bp_error **err);

/* A user's own op. `infer` says the outputs' dtypes and shapes; a kernel per kind, or `compose`
 * from other ops. Callbacks may fail by bp_error_set and a negative status; they must not unwind.
 */
typedef struct bp_tensor_spec {
  bp_dtype dtype;
  int32_t rank;
  int64_t shape[BP_MAX_RANK];
} bp_tensor_spec;
typedef struct bp_op_desc {
  uint32_t struct_size, flags;  /* flags 0 */
  const char *name, *doc;       /* name: [a-z_][a-z0-9_.]*, not taken; doc may be NULL */
  uint32_t n_inputs, n_outputs; /* 1..8 each */
  bp_status (*infer)(void *user, const bp_tensor_spec *in, uint32_t n_in, const bp_attr *attrs,
                     uint32_t n_attr, bp_tensor_spec *out, uint32_t n_out, bp_error **err);
  /* NULL when only kernels serve it. Puts owned tensors into out. */
  bp_status (*compose)(void *user, bp_tensor *const *in, uint32_t n_in, const bp_attr *attrs,
                       uint32_t n_attr, bp_tensor **out, uint32_t n_out, bp_error **err);
  void *user;
  void (*destroy)(void *user); /* at shutdown; may be NULL */
} bp_op_desc;
BP_API bp_status bp_op_register(const bp_op_desc *desc, uint32_t *op, bp_error **err);
/* run sees every operand as the caller gave it, outputs allocated row-major on the operands'
 * device. */
typedef bp_status (*bp_op_kernel_fn)(void *user, const bp_launch *launch, bp_error **err);
BP_API bp_status bp_op_register_kernel(uint32_t op, bp_kind kind, bp_op_kernel_fn run, void *user,
                                       bp_error **err);

#ifdef __cplusplus
}
#endif

/* A handle that several of the headers below speak of, whichever is included first. */
typedef struct bp_dict bp_dict; /* c_io.h */

#include "c_dlpack.h"
#include "c_io.h"
#include "c_nn.h"
#include "c_ops.h"
#include "c_optim.h"
#include "c_parallel.h"
#include "c_train.h"
#include "c_trainer.h"
#endif
