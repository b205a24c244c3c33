/* Printed by `./dev print` from c_api.h: what cffi, LuaJIT and their like read; do not edit. */
typedef int32_t bp_status;
enum {
  BP_OK = 0,
  BP_NOT_READY = 1,
  BP_TIMEOUT = 2,
  BP_INVALID_ARGUMENT = -1,
  BP_NOT_FOUND = -2,
  BP_UNSUPPORTED = -3,
  BP_OUT_OF_HOST_MEMORY = -4,
  BP_OUT_OF_DEVICE_MEMORY = -5,
  BP_DEVICE_LOST = -6,
  BP_INCOMPATIBLE = -7,
  BP_UNAVAILABLE = -8,
  BP_BAD_STATE = -9,
  BP_CANCELLED = -10,
  BP_INTERNAL = -11,
  BP_CALLBACK = -12,
  BP_DEVICE_MISMATCH = -13,
  BP_DTYPE_MISMATCH = -14,
  BP_INDEX_OUT_OF_RANGE = -15
};
typedef struct bp_error bp_error;
typedef int32_t bp_dtype;
enum {
  BP_BOOL = 0,
  BP_U8 = 1,
  BP_I8 = 2,
  BP_U16 = 3,
  BP_I16 = 4,
  BP_U32 = 5,
  BP_I32 = 6,
  BP_U64 = 7,
  BP_I64 = 8,
  BP_F16 = 9,
  BP_BF16 = 10,
  BP_F32 = 11,
  BP_F64 = 12,
  BP_C64 = 13,
  BP_C128 = 14,
  BP_DTYPE_COUNT = 15,
  BP_DTYPE_NONE = -1
};
typedef int64_t bp_device;
typedef int32_t bp_kind;
enum {
  BP_KIND_NONE = 0,
  BP_KIND_CPU = 1,
  BP_KIND_CUDA = 2,
  BP_KIND_OPENCL = 4,
  BP_KIND_VULKAN = 7,
  BP_KIND_METAL = 8,
  BP_KIND_HIP = 10,
  BP_KIND_ONEAPI = 14,
  BP_KIND_WEBGPU = 15,
  BP_KIND_HEXAGON = 16,
  BP_KIND_MAIA = 17,
  BP_KIND_TRN = 18,
  BP_KIND_DYNAMIC = 4096
};
enum {
  BP_MAX_RANK = 64,
  BP_MAX_INPUTS = 4096,
  BP_MAX_OUTPUTS = 8,
  BP_MAX_ATTRS = 16
};
typedef int32_t bp_attr_kind;
enum {
  BP_ATTR_I64 = 1,
  BP_ATTR_F64 = 2,
  BP_ATTR_BOOL = 3,
  BP_ATTR_INTS = 4,
  BP_ATTR_DTYPE = 5,
  BP_ATTR_STR = 6
};
typedef struct bp_attr {
  const char *name;
  bp_attr_kind kind;
  uint32_t count;
  union {
    int64_t i64;
    double f64;
    const int64_t *ints;
    const char *str;
  } value;
  uint64_t reserved;
} bp_attr;
typedef struct bp_tensor bp_tensor;
enum {
  BP_VALUE_NONE = 0,
  BP_VALUE_TENSOR = 1,
  BP_VALUE_I64 = 2,
  BP_VALUE_F64 = 3,
  BP_VALUE_BOOL = 4,
  BP_VALUE_C128 = 5
};
typedef struct bp_value {
  int32_t kind;
  uint32_t reserved;
  union {
    bp_tensor *tensor;
    int64_t i64;
    double f64;
    double c128[2];
  } as;
} bp_value;
enum {
  BP_ARG_NONE = 0,
  BP_ARG_TENSOR = 1,
  BP_ARG_SCALAR_I64 = 2,
  BP_ARG_SCALAR_F64 = 3,
  BP_ARG_SCALAR_C128 = 4
};
enum { BP_ARG_CONTIGUOUS = 1u };
typedef struct bp_arg {
  int32_t kind;
  bp_dtype dtype;
  int32_t rank;
  uint32_t flags;
  void *data;
  const int64_t *shape;
  const int64_t *strides;
  int64_t i64;
  double f64;
  uint64_t owner;
} bp_arg;
typedef struct bp_pstream bp_pstream;
enum {
  BP_LAUNCH_TF32 = 1u,
  BP_LAUNCH_BF16 = 2u
};
typedef struct bp_launch {
  uint32_t struct_size;
  uint32_t op;
  const bp_arg *args;
  uint32_t n_in, n_out;
  const bp_attr *attrs;
  uint32_t n_attr;
  uint32_t flags;
  bp_pstream *stream;
  void *workspace;
  uint64_t workspace_bytes;
} bp_launch;
extern const char *bp_version(void);
extern uint32_t bp_abi_version(void);
extern const char *bp_status_name(bp_status status);
enum {
  BP_ERROR_FROM_PLUGIN = 1u,
  BP_ERROR_ASYNC = 2u
};
extern bp_status bp_error_code(const bp_error *e);
extern const char *bp_error_message(const bp_error *e, uint64_t *length);
extern uint32_t bp_error_flags(const bp_error *e);
extern const bp_error *bp_error_cause(const bp_error *e);
extern bp_error *bp_error_retain(bp_error *e);
extern void bp_error_release(bp_error *e);
extern bp_status bp_error_set(bp_error **err, bp_status code, const char *text);
enum {
  BP_INIT_NO_ENV = 1u,
  BP_INIT_DEBUG_ALLOCATOR = 2u,
  BP_INIT_SYNCHRONOUS = 4u
};
typedef void (*bp_log_fn)(void *user, int32_t level, const char *text, uint64_t length);
typedef struct bp_init_desc {
  uint32_t struct_size;
  uint32_t flags;
  const char *plugin_dirs;
  const char *allow;
  const char *options;
  const char *visible_devices;
  const char *alias;
  bp_log_fn log;
  void *log_user;
} bp_init_desc;
extern bp_status bp_init(const bp_init_desc *desc, bp_error **err);
extern bp_status bp_shutdown(int64_t timeout_ns, bp_error **err);
extern bp_status bp_set_num_threads(int32_t n, bp_error **err);
extern int32_t bp_get_num_threads(void);
extern bp_status bp_set_default_dtype(bp_dtype dtype, bp_error **err);
extern bp_dtype bp_get_default_dtype(void);
typedef int32_t bp_precision;
enum {
  BP_PRECISION_HIGHEST = 0,
  BP_PRECISION_HIGH = 1,
  BP_PRECISION_MEDIUM = 2
};
extern bp_status bp_set_matmul_precision(bp_precision precision, bp_error **err);
extern bp_precision bp_get_matmul_precision(void);
typedef struct bp_report bp_report;
enum {
  BP_STAGE_FOUND = 0,
  BP_STAGE_DIRECTORY = 1,
  BP_STAGE_FILE = 2,
  BP_STAGE_DLOPEN = 3,
  BP_STAGE_SYMBOL = 4,
  BP_STAGE_QUERY = 5,
  BP_STAGE_OPEN = 6,
  BP_STAGE_PROBE = 7,
  BP_STAGE_DEVICES = 8,
  BP_STAGE_READY = 9,
  BP_STAGE_SHADOWED = 10,
  BP_STAGE_SKIPPED = 11
};
typedef struct bp_report_entry {
  uint32_t struct_size;
  int32_t stage;
  bp_status status;
  uint32_t n_devices;
  uint64_t nanoseconds;
  const char *kind, *path, *version;
  const char *cause;
  const char *remedy;
} bp_report_entry;
extern bp_status bp_report_create(bp_report **out, bp_error **err);
extern uint32_t bp_report_count(const bp_report *r);
extern bp_status bp_report_get(const bp_report *r, uint32_t i, bp_report_entry *out,
                               bp_error **err);
extern bp_report *bp_report_retain(bp_report *r);
extern void bp_report_release(bp_report *r);
extern bp_device bp_device_make(bp_kind kind, int32_t index);
extern bp_kind bp_device_kind(bp_device d);
extern int32_t bp_device_index(bp_device d);
extern bp_status bp_device_parse(const char *text, bp_device *out, bp_error **err);
extern bp_status bp_device_format(bp_device d, char *buf, uint64_t capacity, uint64_t *needed,
                                  bp_error **err);
extern bp_status bp_kind_count(uint32_t *out, bp_error **err);
extern bp_status bp_kind_at(uint32_t i, bp_kind *out, bp_error **err);
extern const char *bp_kind_name(bp_kind kind);
extern bp_status bp_device_count(bp_kind kind, int32_t *out, bp_error **err);
extern bp_status bp_kind_require(bp_kind kind, int32_t *count, bp_error **err);
enum { BP_DEVICE_SIMULATED = 1u, BP_DEVICE_HOST_MEMORY = 2u };
typedef struct bp_device_info {
  uint32_t struct_size;
  uint32_t flags;
  bp_device device;
  int32_t physical;
  int32_t n_units;
  uint64_t memory_total, memory_used;
  int32_t compute_major, compute_minor;
  char name[128];
  char uuid[64];
  char pci[32];
  char driver[64];
} bp_device_info;
extern bp_status bp_device_get_info(bp_device d, bp_device_info *out, bp_error **err);
typedef struct bp_physical_info {
  uint32_t struct_size;
  int32_t physical;
  int32_t logical;
  int32_t reserved;
  char name[128];
  char uuid[64];
  char pci[32];
  char reason[192];
} bp_physical_info;
extern bp_status bp_physical_count(bp_kind kind, uint32_t *out, bp_error **err);
extern bp_status bp_physical_get(bp_kind kind, uint32_t i, bp_physical_info *out, bp_error **err);
extern bp_status bp_set_visible_devices(const char *spec, bp_error **err);
extern bp_status bp_synchronize(bp_device d, bp_error **err);
typedef struct bp_stream bp_stream;
typedef struct bp_event bp_event;
extern bp_status bp_stream_create(bp_device d, int32_t priority, bp_stream **out, bp_error **err);
extern bp_status bp_stream_default(bp_device d, bp_stream **out, bp_error **err);
extern bp_stream *bp_stream_retain(bp_stream *s);
extern void bp_stream_release(bp_stream *s);
extern bp_device bp_stream_device(const bp_stream *s);
extern bp_status bp_stream_get_current(bp_device d, bp_stream **out, bp_error **err);
extern bp_status bp_stream_set_current(bp_stream *s, bp_error **err);
extern bp_status bp_stream_push(bp_stream *s, uint64_t *token, bp_error **err);
extern bp_status bp_stream_pop(uint64_t token, bp_error **err);
extern bp_status bp_stream_query(bp_stream *s, bp_error **err);
extern bp_status bp_stream_synchronize(bp_stream *s, bp_error **err);
extern bp_status bp_stream_wait_event(bp_stream *s, bp_event *e, bp_error **err);
extern bp_status bp_stream_host_func(bp_stream *s, void (*fn)(void *user), void *user,
                                     bp_error **err);
extern bp_status bp_event_create(bp_device d, bp_event **out, bp_error **err);
extern bp_event *bp_event_retain(bp_event *e);
extern void bp_event_release(bp_event *e);
extern bp_status bp_event_record(bp_event *e, bp_stream *s, bp_error **err);
extern bp_status bp_event_query(bp_event *e, bp_error **err);
extern bp_status bp_event_synchronize(bp_event *e, bp_error **err);
extern bp_status bp_event_elapsed(bp_event *from, bp_event *to, double *ms, bp_error **err);
extern bp_status bp_tensor_record_stream(bp_tensor *t, bp_stream *s, bp_error **err);
extern bp_status bp_default_push(bp_device d, uint64_t *token, bp_error **err);
extern bp_status bp_default_pop(uint64_t token, bp_error **err);
extern bp_status bp_default_get(bp_device *out, bp_error **err);
extern bp_status bp_set_default_device(bp_device d, bp_error **err);
extern bp_status bp_current_push(bp_device d, uint64_t *token, bp_error **err);
extern bp_status bp_current_pop(uint64_t token, bp_error **err);
extern bp_status bp_set_current(bp_device d, bp_error **err);
extern bp_status bp_current_get(bp_kind kind, bp_device *out, bp_error **err);
extern bp_status bp_device_push(bp_device d, uint64_t *token, bp_error **err);
extern bp_status bp_device_pop(uint64_t token, bp_error **err);
typedef struct bp_context bp_context;
extern bp_status bp_context_capture(bp_context **out, bp_error **err);
extern bp_status bp_context_enter(bp_context *c, uint64_t *token, bp_error **err);
extern bp_status bp_context_leave(uint64_t token, bp_error **err);
extern bp_context *bp_context_retain(bp_context *c);
extern void bp_context_release(bp_context *c);
typedef struct bp_memory_stats {
  uint32_t struct_size, reserved;
  uint64_t allocated_bytes, peak_allocated_bytes;
  uint64_t cached_bytes;
  uint64_t limit_bytes;
  uint64_t n_allocations, n_frees;
  uint64_t n_backend_allocations, n_backend_frees;
  uint64_t n_live;
  uint64_t n_guard_faults;
  uint64_t reserved_bytes;
  uint64_t pinned_bytes, pinned_cached_bytes;
} bp_memory_stats;
extern bp_status bp_memory_get_stats(bp_device d, bp_memory_stats *out, bp_error **err);
extern bp_status bp_memory_reset_peak(bp_device d, bp_error **err);
extern bp_status bp_memory_trim(bp_device d, bp_error **err);
extern bp_status bp_memory_set_limit(bp_device d, uint64_t bytes, bp_error **err);
typedef struct bp_transfer_stats {
  uint32_t struct_size, reserved;
  uint64_t bytes, n_copies;
  uint64_t n_waits;
} bp_transfer_stats;
extern bp_status bp_transfer_get_stats(bp_device src, bp_device dst, bp_transfer_stats *out,
                                       bp_error **err);
extern bp_status bp_device_get_waits(bp_device d, uint64_t *out, bp_error **err);
extern bp_status bp_tensor_empty(int32_t rank, const int64_t *shape, bp_dtype dtype,
                                 bp_device device, bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_zeros(int32_t rank, const int64_t *shape, bp_dtype dtype,
                                 bp_device device, bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_ones(int32_t rank, const int64_t *shape, bp_dtype dtype,
                                bp_device device, bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_full(int32_t rank, const int64_t *shape, const bp_value *value,
                                bp_dtype dtype, bp_device device, bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_eye(int64_t n, int64_t m, bp_dtype dtype, bp_device device,
                               bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_empty_like(bp_tensor *x, bp_dtype dtype, bp_device device,
                                      bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_zeros_like(bp_tensor *x, bp_dtype dtype, bp_device device,
                                      bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_ones_like(bp_tensor *x, bp_dtype dtype, bp_device device,
                                     bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_full_like(bp_tensor *x, const bp_value *value, bp_dtype dtype,
                                     bp_device device, bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_new_empty(bp_tensor *x, int32_t rank, const int64_t *shape,
                                     bp_dtype dtype, bp_device device, bp_tensor **out,
                                     bp_error **err);
extern bp_status bp_tensor_new_zeros(bp_tensor *x, int32_t rank, const int64_t *shape,
                                     bp_dtype dtype, bp_device device, bp_tensor **out,
                                     bp_error **err);
extern bp_status bp_tensor_new_ones(bp_tensor *x, int32_t rank, const int64_t *shape,
                                    bp_dtype dtype, bp_device device, bp_tensor **out,
                                    bp_error **err);
extern bp_status bp_tensor_new_full(bp_tensor *x, int32_t rank, const int64_t *shape,
                                    const bp_value *value, bp_dtype dtype, bp_device device,
                                    bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_from_data(const void *data, int32_t rank, const int64_t *shape,
                                     bp_dtype dtype, bp_device device, bp_tensor **out,
                                     bp_error **err);
extern bp_status bp_tensor_empty_pinned(int32_t rank, const int64_t *shape, bp_dtype dtype,
                                        bp_device d, bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_pin_memory(bp_tensor *t, bp_device d, bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_borrow(void *data, int32_t rank, const int64_t *shape,
                                  const int64_t *strides, bp_dtype dtype,
                                  void (*deleter)(void *user), void *user, bp_tensor **out,
                                  bp_error **err);
extern bp_tensor *bp_tensor_retain(bp_tensor *t);
extern void bp_tensor_release(bp_tensor *t);
extern bp_dtype bp_tensor_dtype(const bp_tensor *t);
extern int32_t bp_tensor_rank(const bp_tensor *t);
extern const int64_t *bp_tensor_shape(const bp_tensor *t);
extern const int64_t *bp_tensor_strides(const bp_tensor *t);
extern int64_t bp_tensor_offset(const bp_tensor *t);
extern int64_t bp_tensor_numel(const bp_tensor *t);
extern bp_device bp_tensor_device(const bp_tensor *t);
extern uint32_t bp_tensor_is_contiguous(const bp_tensor *t);
extern uint32_t bp_tensor_is_pinned(const bp_tensor *t);
extern uint64_t bp_tensor_version(const bp_tensor *t);
extern uint32_t bp_tensor_same_storage(const bp_tensor *a, const bp_tensor *b);
extern bp_status bp_tensor_data(bp_tensor *t, void **out, bp_error **err);
extern bp_status bp_tensor_item(bp_tensor *t, bp_value *out, bp_error **err);
extern bp_status bp_tensor_read(bp_tensor *t, void *buffer, uint64_t bytes, bp_error **err);
extern bp_status bp_tensor_write(bp_tensor *t, const void *buffer, uint64_t bytes, bp_error **err);
typedef struct bp_print_options {
  uint32_t struct_size;
  int32_t precision;
  int64_t threshold;
  int32_t edge_items;
  int32_t line_width;
  int32_t sci_mode;
  int32_t reserved;
} bp_print_options;
extern bp_status bp_tensor_format(bp_tensor *t, const bp_print_options *options, char *buf,
                                  uint64_t capacity, uint64_t *needed, bp_error **err);
extern bp_status bp_tensor_reshape(bp_tensor *t, int32_t rank, const int64_t *shape,
                                   bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_view(bp_tensor *t, int32_t rank, const int64_t *shape, bp_tensor **out,
                                bp_error **err);
extern bp_status bp_tensor_permute(bp_tensor *t, int32_t rank, const int64_t *dims, bp_tensor **out,
                                   bp_error **err);
extern bp_status bp_tensor_transpose(bp_tensor *t, int64_t dim0, int64_t dim1, bp_tensor **out,
                                     bp_error **err);
extern bp_status bp_tensor_slice(bp_tensor *t, int64_t dim, int64_t start, int64_t end,
                                 int64_t step, bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_narrow(bp_tensor *t, int64_t dim, int64_t start, int64_t length,
                                  bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_select(bp_tensor *t, int64_t dim, int64_t index, bp_tensor **out,
                                  bp_error **err);
extern bp_status bp_tensor_expand(bp_tensor *t, int32_t rank, const int64_t *shape, bp_tensor **out,
                                  bp_error **err);
extern bp_status bp_tensor_squeeze(bp_tensor *t, const int64_t *dims, uint32_t n_dims,
                                   bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_unsqueeze(bp_tensor *t, int64_t dim, bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_flatten(bp_tensor *t, int64_t first_dim, int64_t last_dim,
                                   bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_diagonal(bp_tensor *t, int64_t offset, int64_t dim1, int64_t dim2,
                                    bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_flip(bp_tensor *t, const int64_t *dims, uint32_t n_dims, bp_tensor **out,
                                bp_error **err);
extern bp_status bp_tensor_as_strided(bp_tensor *t, int32_t rank, const int64_t *shape,
                                      const int64_t *strides, int64_t offset, bp_tensor **out,
                                      bp_error **err);
extern bp_status bp_tensor_view_as_real(bp_tensor *t, bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_view_as_complex(bp_tensor *t, bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_alias(bp_tensor *t, bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_index(bp_tensor *x, bp_tensor *const *indices, uint32_t n_indices,
                                 bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_index_put(bp_tensor *x, bp_tensor *const *indices, uint32_t n_indices,
                                     bp_tensor *values, uint32_t accumulate, bp_error **err);
extern bp_status bp_tensor_to(bp_tensor *t, bp_device device, bp_dtype dtype, uint32_t copy,
                              uint32_t non_blocking, bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_copy_(bp_tensor *dst, bp_tensor *src, uint32_t non_blocking,
                                 bp_error **err);
extern bp_status bp_tensor_contiguous(bp_tensor *t, bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_clone(bp_tensor *t, bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_fill_(bp_tensor *t, const bp_value *value, bp_error **err);
typedef struct bp_generator bp_generator;
extern bp_status bp_manual_seed(uint64_t seed, bp_error **err);
extern bp_status bp_generator_create(uint64_t seed, bp_generator **out, bp_error **err);
extern bp_status bp_generator_default(bp_device d, bp_generator **out, bp_error **err);
extern bp_status bp_generator_seed(bp_generator *g, uint64_t seed, bp_error **err);
extern bp_status bp_generator_get_state(bp_generator *g, uint64_t *seed, uint64_t *offset,
                                        bp_error **err);
extern bp_status bp_generator_set_state(bp_generator *g, uint64_t seed, uint64_t offset,
                                        bp_error **err);
extern bp_status bp_generator_reserve(bp_generator *g, int64_t numel, uint64_t *seed,
                                      uint64_t *offset, bp_error **err);
extern bp_generator *bp_generator_retain(bp_generator *g);
extern void bp_generator_release(bp_generator *g);
extern bp_status bp_tensor_set_requires_grad(bp_tensor *t, uint32_t on, bp_error **err);
extern uint32_t bp_tensor_requires_grad(const bp_tensor *t);
extern uint32_t bp_tensor_is_leaf(const bp_tensor *t);
extern bp_status bp_tensor_grad(bp_tensor *t, bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_set_grad(bp_tensor *t, bp_tensor *grad, bp_error **err);
extern bp_status bp_tensor_retain_grad(bp_tensor *t, bp_error **err);
extern bp_status bp_tensor_detach(bp_tensor *t, bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_grad_fn(bp_tensor *t, char *buf, uint64_t capacity, uint64_t *needed,
                                   bp_error **err);
extern uint32_t bp_grad_enabled(void);
extern uint32_t bp_grad_set_enabled(uint32_t on);
enum {
  BP_GRAD_RETAIN_GRAPH = 1u,
  BP_GRAD_CREATE_GRAPH = 2u,
  BP_GRAD_ALLOW_UNUSED = 4u
};
typedef bp_status (*bp_grad_hook_fn)(void *user, bp_tensor *grad, bp_tensor **out, bp_error **err);
extern bp_status bp_tensor_register_hook(bp_tensor *t, bp_grad_hook_fn call, void *user,
                                         void (*destroy)(void *user), uint64_t *id, bp_error **err);
extern bp_status bp_tensor_register_accumulated_hook(bp_tensor *leaf, bp_grad_hook_fn call,
                                                     void *user, void (*destroy)(void *user),
                                                     uint64_t *id, bp_error **err);
extern bp_status bp_tensor_remove_hook(bp_tensor *t, uint64_t id, bp_error **err);
typedef struct bp_grad_function_desc {
  uint32_t struct_size, n_saved;
  const char *name;
  bp_status (*backward)(void *user, bp_tensor *const *saved, uint32_t n_saved,
                        bp_tensor *const *grads, uint32_t n_grads, bp_tensor **out, uint32_t n_out,
                        bp_error **err);
  bp_tensor *const *saved;
  void *user;
  void (*destroy)(void *user);
} bp_grad_function_desc;
extern bp_status bp_grad_function(const bp_grad_function_desc *desc, bp_tensor *const *inputs,
                                  uint32_t n_inputs, bp_tensor *const *outputs, uint32_t n_outputs,
                                  bp_error **err);
extern bp_status bp_backward(bp_tensor *const *roots, bp_tensor *const *grads, uint32_t n_roots,
                             uint32_t flags, bp_error **err);
extern bp_status bp_grad(bp_tensor *const *roots, bp_tensor *const *grads, uint32_t n_roots,
                         bp_tensor *const *inputs, uint32_t n_inputs, uint32_t flags,
                         bp_tensor **outs, bp_error **err);
extern bp_status bp_invoke(uint32_t op, const bp_value *inputs, uint32_t n_in, const bp_attr *attrs,
                           uint32_t n_attr, bp_tensor **outputs, uint32_t n_out, bp_error **err);
extern bp_status bp_op_find(const char *name, uint32_t *op, bp_error **err);
extern uint32_t bp_op_count(void);
extern bp_status bp_op_at(uint32_t i, uint32_t *op, bp_error **err);
typedef struct bp_op_info {
  uint32_t struct_size;
  uint32_t op;
  const char *name, *doc;
  uint32_t n_inputs, n_outputs, n_attrs;
  uint32_t flags;
  double max_ulp;
  double domain_low, domain_high;
  uint64_t optional_inputs;
} bp_op_info;
extern bp_status bp_op_get_info(uint32_t op, bp_op_info *out, bp_error **err);
extern bp_status bp_op_input_name(uint32_t op, uint32_t i, const char **out, bp_error **err);
extern bp_status bp_op_output_name(uint32_t op, uint32_t i, const char **out, bp_error **err);
extern bp_status bp_op_attr_info(uint32_t op, uint32_t i, bp_attr *default_value,
                                 uint32_t *required, bp_error **err);
extern bp_status bp_op_supported(uint32_t op, bp_dtype dtype, bp_kind kind, uint32_t *out,
                                 bp_error **err);
typedef struct bp_tensor_spec {
  bp_dtype dtype;
  int32_t rank;
  int64_t shape[BP_MAX_RANK];
} bp_tensor_spec;
typedef struct bp_op_desc {
  uint32_t struct_size, flags;
  const char *name, *doc;
  uint32_t n_inputs, n_outputs;
  bp_status (*infer)(void *user, const bp_tensor_spec *in, uint32_t n_in, const bp_attr *attrs,
                     uint32_t n_attr, bp_tensor_spec *out, uint32_t n_out, bp_error **err);
  bp_status (*compose)(void *user, bp_tensor *const *in, uint32_t n_in, const bp_attr *attrs,
                       uint32_t n_attr, bp_tensor **out, uint32_t n_out, bp_error **err);
  void *user;
  void (*destroy)(void *user);
} bp_op_desc;
extern bp_status bp_op_register(const bp_op_desc *desc, uint32_t *op, bp_error **err);
typedef bp_status (*bp_op_kernel_fn)(void *user, const bp_launch *launch, bp_error **err);
extern bp_status bp_op_register_kernel(uint32_t op, bp_kind kind, bp_op_kernel_fn run, void *user,
                                       bp_error **err);
typedef struct bp_dict bp_dict;
struct DLManagedTensor;
struct DLManagedTensorVersioned;
enum {
  BP_DLPACK_COPIED = 1u,
  BP_DLPACK_UNORDERED =
      2u
};
extern bp_status bp_tensor_dlpack_device(bp_tensor *t, int32_t *type, int32_t *id, bp_error **err);
extern bp_status bp_tensor_to_dlpack(bp_tensor *t, uint32_t flags,
                                     struct DLManagedTensorVersioned **out, bp_error **err);
extern bp_status bp_tensor_to_dlpack_unversioned(bp_tensor *t, uint32_t flags,
                                                 struct DLManagedTensor **out, bp_error **err);
extern bp_status bp_tensor_from_dlpack(struct DLManagedTensorVersioned *m, bp_tensor **out,
                                       bp_error **err);
extern bp_status bp_tensor_from_dlpack_unversioned(struct DLManagedTensor *m, bp_tensor **out,
                                                   bp_error **err);
extern void bp_dlpack_release(struct DLManagedTensorVersioned *m);
extern void bp_dlpack_release_unversioned(struct DLManagedTensor *m);
extern bp_status bp_dict_create(bp_dict **out, bp_error **err);
extern bp_dict *bp_dict_retain(bp_dict *d);
extern void bp_dict_release(bp_dict *d);
extern bp_status bp_dict_set(bp_dict *d, const char *name, bp_tensor *t, bp_error **err);
extern bp_status bp_dict_get(bp_dict *d, const char *name, bp_tensor **out, bp_error **err);
extern bp_status bp_dict_remove(bp_dict *d, const char *name, bp_error **err);
extern uint64_t bp_dict_size(const bp_dict *d);
extern bp_status bp_dict_at(bp_dict *d, uint64_t i, const char **name, bp_tensor **out,
                            bp_error **err);
extern bp_status bp_dict_set_meta(bp_dict *d, const char *key, const char *text, bp_error **err);
extern bp_status bp_dict_get_meta(bp_dict *d, const char *key, const char **out, bp_error **err);
extern uint64_t bp_dict_meta_size(const bp_dict *d);
extern bp_status bp_dict_meta_at(bp_dict *d, uint64_t i, const char **key, const char **text,
                                 bp_error **err);
extern bp_status bp_safetensors_save(bp_dict *d, const char *path, bp_error **err);
extern bp_status bp_safetensors_load(const char *path, bp_device device, bp_dict **out,
                                     bp_error **err);
extern bp_status bp_safetensors_parse(const void *bytes, uint64_t n, bp_device device,
                                      bp_dict **out, bp_error **err);
extern bp_status bp_safetensors_format(bp_dict *d, void *buffer, uint64_t capacity,
                                       uint64_t *needed, bp_error **err);
extern bp_status bp_npz_save(bp_dict *d, const char *path, bp_error **err);
extern bp_status bp_npz_load(const char *path, bp_device device, bp_dict **out, bp_error **err);
extern bp_status bp_npz_parse(const void *bytes, uint64_t n, bp_device device, bp_dict **out,
                              bp_error **err);
typedef struct bp_module bp_module;
enum { BP_ERROR_IN_MODULE = 4u };
typedef struct bp_module_kind_info {
  uint32_t struct_size;
  uint32_t n_attrs;
  const char *name, *title, *doc;
  uint32_t min_inputs, max_inputs;
  uint32_t n_outputs, reserved;
} bp_module_kind_info;
extern uint32_t bp_module_kind_count(void);
extern bp_status bp_module_kind_at(uint32_t i, bp_module_kind_info *out, bp_error **err);
extern bp_status bp_module_kind_find(const char *name, bp_module_kind_info *out, bp_error **err);
extern bp_status bp_module_kind_attr(const char *name, uint32_t i, bp_attr *default_value,
                                     uint32_t *required, const char **doc, bp_error **err);
extern bp_status bp_module_create(const char *kind, const bp_attr *attrs, uint32_t n_attr,
                                  bp_device device, bp_dtype dtype, bp_module **out,
                                  bp_error **err);
typedef bp_status (*bp_module_forward_fn)(void *user, bp_module *m, bp_tensor *const *inputs,
                                          uint32_t n_in, bp_tensor **outputs, uint32_t n_out,
                                          bp_error **err);
typedef struct bp_module_desc {
  uint32_t struct_size, flags;
  const char *title;
  bp_module_forward_fn forward;
  void *user;
  void (*destroy)(void *user);
} bp_module_desc;
extern bp_status bp_module_custom(const bp_module_desc *desc, bp_module **out, bp_error **err);
extern bp_status bp_module_set_forward(bp_module *m, bp_module_forward_fn forward, void *user,
                                       void (*destroy)(void *user), bp_error **err);
extern bp_module *bp_module_retain(bp_module *m);
extern void bp_module_release(bp_module *m);
extern bp_status bp_module_clone(bp_module *m, bp_module **out, bp_error **err);
extern const char *bp_module_kind(const bp_module *m);
extern const char *bp_module_title(const bp_module *m);
extern bp_status bp_module_set_name(bp_module *m, const char *name, bp_error **err);
extern bp_status bp_module_attr(bp_module *m, uint32_t i, bp_attr *out, bp_error **err);
extern bp_status bp_module_format(bp_module *m, char *buf, uint64_t capacity, uint64_t *needed,
                                  bp_error **err);
extern bp_status bp_module_extra(bp_module *m, char *buf, uint64_t capacity, uint64_t *needed,
                                 bp_error **err);
extern bp_status bp_module_summary(bp_module *m, bp_tensor *const *inputs, uint32_t n_in, char *buf,
                                   uint64_t capacity, uint64_t *needed, bp_error **err);
extern bp_status bp_module_set_parameter(bp_module *m, const char *name, bp_tensor *t,
                                         bp_error **err);
extern bp_status bp_module_set_buffer(bp_module *m, const char *name, bp_tensor *t,
                                      uint32_t persistent, bp_error **err);
extern bp_status bp_module_set_child(bp_module *m, const char *name, bp_module *child,
                                     bp_error **err);
extern bp_status bp_module_append(bp_module *m, bp_module *child, bp_error **err);
extern bp_status bp_module_remove(bp_module *m, const char *name, bp_error **err);
extern bp_status bp_module_get(bp_module *m, const char *path, bp_tensor **out, bp_error **err);
extern bp_status bp_module_get_child(bp_module *m, const char *path, bp_module **out,
                                     bp_error **err);
enum {
  BP_MODULE_RECURSE = 1u,
  BP_MODULE_DUPLICATES = 2u,
  BP_MODULE_EMPTY = 4u,
  BP_MODULE_PERSISTENT = 8u
};
extern bp_status bp_module_parameter_count(bp_module *m, uint32_t flags, uint32_t *out,
                                           bp_error **err);
extern bp_status bp_module_parameter_at(bp_module *m, uint32_t flags, uint32_t i, char *name,
                                        uint64_t capacity, uint64_t *needed, bp_tensor **out,
                                        bp_error **err);
extern bp_status bp_module_buffer_count(bp_module *m, uint32_t flags, uint32_t *out,
                                        bp_error **err);
extern bp_status bp_module_buffer_at(bp_module *m, uint32_t flags, uint32_t i, char *name,
                                     uint64_t capacity, uint64_t *needed, bp_tensor **out,
                                     bp_error **err);
extern bp_status bp_module_child_count(bp_module *m, uint32_t flags, uint32_t *out, bp_error **err);
extern bp_status bp_module_child_at(bp_module *m, uint32_t flags, uint32_t i, char *name,
                                    uint64_t capacity, uint64_t *needed, bp_module **out,
                                    bp_error **err);
typedef bp_status (*bp_module_visit_fn)(void *user, bp_module *m, bp_error **err);
extern bp_status bp_module_apply(bp_module *m, bp_module_visit_fn fn, void *user, bp_error **err);
extern bp_status bp_module_train(bp_module *m, uint32_t on, bp_error **err);
extern uint32_t bp_module_is_training(const bp_module *m);
extern bp_status bp_module_set_training(bp_module *m, uint32_t on, bp_error **err);
extern bp_status bp_module_requires_grad(bp_module *m, uint32_t on, bp_error **err);
extern bp_status bp_module_zero_grad(bp_module *m, uint32_t to_zeros, bp_error **err);
extern bp_status bp_module_to(bp_module *m, bp_device device, bp_dtype dtype, uint32_t non_blocking,
                              bp_error **err);
extern bp_status bp_module_move(bp_module *m, bp_device from, bp_dtype of, bp_device device,
                                bp_dtype dtype, uint32_t non_blocking, bp_error **err);
extern bp_status bp_module_forward(bp_module *m, bp_tensor *const *inputs, uint32_t n_in,
                                   bp_tensor **outputs, uint32_t n_out, bp_error **err);
extern bp_status bp_module_kind_forward(bp_module *m, bp_tensor *const *inputs, uint32_t n_in,
                                        bp_tensor **outputs, uint32_t n_out, bp_error **err);
typedef bp_status (*bp_module_hook_fn)(void *user, bp_module *m, bp_tensor *const *inputs,
                                       uint32_t n_in, bp_tensor **outputs, uint32_t n_out,
                                       bp_error **err);
extern bp_status bp_module_add_hook(bp_module *m, uint32_t before, bp_module_hook_fn hook,
                                    void *user, void (*destroy)(void *user), uint64_t *id,
                                    bp_error **err);
extern bp_status bp_module_remove_hook(bp_module *m, uint64_t id, bp_error **err);
extern bp_status bp_module_enter(bp_module *m, uint64_t *token, bp_error **err);
extern bp_status bp_module_leave(uint64_t token, bp_error **err);
extern bp_status bp_module_where(char *buf, uint64_t capacity, uint64_t *needed, bp_error **err);
extern bp_status bp_module_state_dict(bp_module *m, const char *prefix, bp_dict **out,
                                      bp_error **err);
enum {
  BP_LOAD_STRICT = 1u,
  BP_LOAD_ASSIGN = 2u
};
extern bp_status bp_module_load_state_dict(bp_module *m, bp_dict *from, uint32_t flags, char *buf,
                                           uint64_t capacity, uint64_t *needed, bp_error **err);
extern bp_status bp_init_uniform(bp_tensor *t, double low, double high, bp_error **err);
extern bp_status bp_init_normal(bp_tensor *t, double mean, double std, bp_error **err);
extern bp_status bp_init_trunc_normal(bp_tensor *t, double mean, double std, double low,
                                      double high, bp_error **err);
extern bp_status bp_init_constant(bp_tensor *t, const bp_value *value, bp_error **err);
extern bp_status bp_init_eye(bp_tensor *t, bp_error **err);
extern bp_status bp_init_xavier_uniform(bp_tensor *t, double gain, bp_error **err);
extern bp_status bp_init_xavier_normal(bp_tensor *t, double gain, bp_error **err);
extern bp_status bp_init_kaiming_uniform(bp_tensor *t, double a, const char *mode,
                                         const char *nonlinearity, bp_error **err);
extern bp_status bp_init_kaiming_normal(bp_tensor *t, double a, const char *mode,
                                        const char *nonlinearity, bp_error **err);
extern bp_status bp_init_orthogonal(bp_tensor *t, double gain, bp_error **err);
extern bp_status bp_init_gain(const char *nonlinearity, double a, double *out, bp_error **err);
extern bp_status bp_tensor_set_data(bp_tensor *t, bp_tensor *from, bp_error **err);
enum {
  BP_OP_NEG = 1,
  BP_OP_ABS = 2,
  BP_OP_SIGN = 3,
  BP_OP_SQRT = 4,
  BP_OP_RSQRT = 5,
  BP_OP_SQUARE = 6,
  BP_OP_RECIPROCAL = 7,
  BP_OP_EXP = 8,
  BP_OP_EXPM1 = 9,
  BP_OP_LOG = 10,
  BP_OP_LOG1P = 11,
  BP_OP_SIN = 12,
  BP_OP_COS = 13,
  BP_OP_TAN = 14,
  BP_OP_TANH = 15,
  BP_OP_SIGMOID = 16,
  BP_OP_RELU = 17,
  BP_OP_GELU = 18,
  BP_OP_SILU = 19,
  BP_OP_ERF = 20,
  BP_OP_FLOOR = 21,
  BP_OP_CEIL = 22,
  BP_OP_ROUND = 23,
  BP_OP_TRUNC = 24,
  BP_OP_ISNAN = 25,
  BP_OP_ISINF = 26,
  BP_OP_LOGICAL_NOT = 27,
  BP_OP_ASIN = 28,
  BP_OP_ACOS = 29,
  BP_OP_ATAN = 30,
  BP_OP_SINH = 31,
  BP_OP_COSH = 32,
  BP_OP_ASINH = 33,
  BP_OP_ACOSH = 34,
  BP_OP_ATANH = 35,
  BP_OP_LOG2 = 36,
  BP_OP_LOG10 = 37,
  BP_OP_EXP2 = 38,
  BP_OP_ISFINITE = 39,
  BP_OP_ADD = 40,
  BP_OP_SUB = 41,
  BP_OP_MUL = 42,
  BP_OP_DIV = 43,
  BP_OP_FLOOR_DIVIDE = 44,
  BP_OP_REMAINDER = 45,
  BP_OP_POW = 46,
  BP_OP_MAXIMUM = 47,
  BP_OP_MINIMUM = 48,
  BP_OP_EQ = 49,
  BP_OP_NE = 50,
  BP_OP_LT = 51,
  BP_OP_LE = 52,
  BP_OP_GT = 53,
  BP_OP_GE = 54,
  BP_OP_LOGICAL_AND = 55,
  BP_OP_LOGICAL_OR = 56,
  BP_OP_LOGICAL_XOR = 57,
  BP_OP_BITWISE_AND = 58,
  BP_OP_BITWISE_OR = 59,
  BP_OP_BITWISE_XOR = 60,
  BP_OP_ATAN2 = 61,
  BP_OP_HYPOT = 62,
  BP_OP_COPYSIGN = 63,
  BP_OP_NEXTAFTER = 64,
  BP_OP_LOGADDEXP = 65,
  BP_OP_FMOD = 66,
  BP_OP_BITWISE_LEFT_SHIFT = 67,
  BP_OP_BITWISE_RIGHT_SHIFT = 68,
  BP_OP_WHERE = 70,
  BP_OP_CAST = 71,
  BP_OP_COPY = 72,
  BP_OP_FILL = 73,
  BP_OP_SUM = 80,
  BP_OP_MEAN = 81,
  BP_OP_PROD = 82,
  BP_OP_MAX = 83,
  BP_OP_MIN = 84,
  BP_OP_ARGMAX = 85,
  BP_OP_ARGMIN = 86,
  BP_OP_ANY = 87,
  BP_OP_ALL = 88,
  BP_OP_VAR = 89,
  BP_OP_CUMSUM = 90,
  BP_OP_SOFTMAX = 91,
  BP_OP_LOG_SOFTMAX = 92,
  BP_OP_CUMPROD = 93,
  BP_OP_MATMUL = 100,
  BP_OP_CONCAT = 101,
  BP_OP_STACK = 102,
  BP_OP_GATHER = 103,
  BP_OP_INDEX_SELECT = 104,
  BP_OP_TAKE_ALONG = 105,
  BP_OP_ONE_HOT = 106,
  BP_OP_ARANGE = 107,
  BP_OP_LINSPACE = 108,
  BP_OP_SORT = 109,
  BP_OP_ARGSORT = 110,
  BP_OP_TOPK = 111,
  BP_OP_UNIFORM = 120,
  BP_OP_NORMAL = 121,
  BP_OP_RANDINT = 122,
  BP_OP_BERNOULLI = 123,
  BP_OP_SIGNBIT = 130,
  BP_OP_BITWISE_NOT = 131,
  BP_OP_SOFTPLUS = 132,
  BP_OP_ELU = 133,
  BP_OP_LEAKY_RELU = 134,
  BP_OP_HARDSWISH = 135,
  BP_OP_HARDSIGMOID = 136,
  BP_OP_MISH = 137,
  BP_OP_GELU_TANH = 138,
  BP_OP_HARDTANH = 139,
  BP_OP_RELU6 = 140,
  BP_OP_NAN_TO_NUM = 141,
  BP_OP_CLIP = 142,
  BP_OP_LERP = 143,
  BP_OP_STD = 170,
  BP_OP_LOGSUMEXP = 171,
  BP_OP_VECTOR_NORM = 172,
  BP_OP_COUNT_NONZERO = 173,
  BP_OP_DIFF = 174,
  BP_OP_ROLL = 180,
  BP_OP_REPEAT = 181,
  BP_OP_TILE = 182,
  BP_OP_TRIL = 183,
  BP_OP_TRIU = 184,
  BP_OP_PAD = 185,
  BP_OP_OUTER = 186,
  BP_OP_VECDOT = 187,
  BP_OP_TENSORDOT = 188,
  BP_OP_TRACE = 189,
  BP_OP_CROSS = 190,
  BP_OP_KRON = 191,
  BP_OP_SCATTER = 192,
  BP_OP_SCATTER_ADD = 193,
  BP_OP_INDEX_ADD = 194,
  BP_OP_MASKED_FILL = 195,
  BP_OP_SEARCHSORTED = 196,
  BP_OP_EINSUM = 197,
  BP_OP_MSE_LOSS = 200,
  BP_OP_L1_LOSS = 201,
  BP_OP_HUBER_LOSS = 202,
  BP_OP_SMOOTH_L1_LOSS = 203,
  BP_OP_BINARY_CROSS_ENTROPY = 204,
  BP_OP_BINARY_CROSS_ENTROPY_WITH_LOGITS = 205,
  BP_OP_NLL_LOSS = 206,
  BP_OP_CROSS_ENTROPY = 207,
  BP_OP_BATCH_NORM_RUNNING = 209,
  BP_OP_LAYER_NORM = 210,
  BP_OP_RMS_NORM = 211,
  BP_OP_BATCH_NORM = 212,
  BP_OP_GROUP_NORM = 213,
  BP_OP_EMBEDDING = 214,
  BP_OP_DROPOUT = 215,
  BP_OP_SCALED_DOT_PRODUCT_ATTENTION = 216,
  BP_OP_ROPE = 217,
  BP_OP_MAX_POOL2D_WITH_INDICES = 218,
  BP_OP_MAX_POOL3D_WITH_INDICES = 219,
  BP_OP_CONV1D = 220,
  BP_OP_CONV2D = 221,
  BP_OP_CONV3D = 222,
  BP_OP_CONV_TRANSPOSE1D = 223,
  BP_OP_CONV_TRANSPOSE2D = 224,
  BP_OP_CONV_TRANSPOSE3D = 225,
  BP_OP_MAX_POOL1D = 226,
  BP_OP_MAX_POOL2D = 227,
  BP_OP_AVG_POOL1D = 228,
  BP_OP_AVG_POOL2D = 229,
  BP_OP_ADAPTIVE_AVG_POOL1D = 230,
  BP_OP_ADAPTIVE_AVG_POOL2D = 231,
  BP_OP_INTERPOLATE = 232,
  BP_OP_MAX_POOL3D = 233,
  BP_OP_AVG_POOL3D = 234,
  BP_OP_ADAPTIVE_AVG_POOL3D = 235,
  BP_OP_ADAPTIVE_MAX_POOL1D = 236,
  BP_OP_ADAPTIVE_MAX_POOL2D = 237,
  BP_OP_ADAPTIVE_MAX_POOL3D = 238,
  BP_OP_MAX_POOL1D_WITH_INDICES = 239,
  BP_OP_REAL = 240,
  BP_OP_IMAG = 241,
  BP_OP_CONJ = 242,
  BP_OP_ANGLE = 243,
  BP_OP_COMPLEX = 244,
  BP_OP_POLAR = 245,
  BP_OP_CHOLESKY = 260,
  BP_OP_LU_FACTOR = 261,
  BP_OP_SOLVE_TRIANGULAR = 262,
  BP_OP_SOLVE = 263,
  BP_OP_INV = 264,
  BP_OP_QR = 265,
  BP_OP_SVD = 266,
  BP_OP_SVDVALS = 267,
  BP_OP_EIGH = 268,
  BP_OP_EIGVALSH = 269,
  BP_OP_DET = 270,
  BP_OP_SLOGDET = 271,
  BP_OP_MATRIX_RANK = 272,
  BP_OP_PINV = 273,
  BP_OP_MATRIX_POWER = 274,
  BP_OP_MATRIX_NORM = 275,
  BP_OP_LSTSQ = 277,
  BP_OP_FFT_C2C = 290,
  BP_OP_FFT_R2C = 291,
  BP_OP_FFT_C2R = 292,
  BP_OP_FFT = 293,
  BP_OP_IFFT = 294,
  BP_OP_FFTN = 295,
  BP_OP_IFFTN = 296,
  BP_OP_RFFT = 297,
  BP_OP_IRFFT = 298,
  BP_OP_RFFTN = 299,
  BP_OP_IRFFTN = 300,
  BP_OP_HFFT = 301,
  BP_OP_IHFFT = 302,
  BP_OP_NONZERO = 310,
  BP_OP_FLAT_NONZERO = 311,
  BP_OP_MASKED_SELECT = 312,
  BP_OP_UNIQUE = 313,
  BP_OP_UNIQUE_ALL = 314,
  BP_OP_INDEX_COPY = 315,
  BP_OP_MULTI_SGD = 330,
  BP_OP_MULTI_ADAM = 331,
  BP_OP_MULTI_ADAMW = 332,
  BP_OP_MULTI_RMSPROP = 333,
  BP_OP_MULTI_ADAGRAD = 334,
  BP_OP_MULTI_SCALE = 335,
  BP_OP_MULTI_CLAMP = 336,
  BP_OP_MULTI_NORM = 337,
  BP_OP_CONVOLUTION = 340,
  BP_OP_CONVOLUTION_INPUT_GRAD = 341,
  BP_OP_CONVOLUTION_WEIGHT_GRAD = 342,
  BP_OP_MAX_POOL_GRAD = 343
};
extern bp_status bp_neg(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_neg_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_abs(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_abs_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_sign(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_sign_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_sqrt(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_sqrt_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_rsqrt(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_rsqrt_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_square(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_square_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_reciprocal(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_reciprocal_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_exp(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_exp_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_expm1(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_expm1_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_log(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_log_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_log1p(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_log1p_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_sin(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_sin_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_cos(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_cos_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_tan(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_tan_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_tanh(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_tanh_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_sigmoid(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_sigmoid_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_relu(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_relu_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_gelu(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_gelu_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_silu(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_silu_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_erf(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_erf_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_floor(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_floor_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_ceil(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_ceil_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_round(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_round_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_trunc(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_trunc_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_isnan(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_isnan_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_isinf(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_isinf_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_logical_not(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_logical_not_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_asin(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_asin_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_acos(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_acos_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_atan(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_atan_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_sinh(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_sinh_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_cosh(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_cosh_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_asinh(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_asinh_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_acosh(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_acosh_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_atanh(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_atanh_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_log2(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_log2_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_log10(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_log10_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_exp2(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_exp2_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_isfinite(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_isfinite_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_add(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_add_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_add_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_sub(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_sub_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_sub_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_mul(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_mul_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_mul_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_div(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_div_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_div_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_floor_divide(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_floor_divide_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_floor_divide_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_remainder(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_remainder_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_remainder_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_pow(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_pow_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_pow_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_maximum(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_maximum_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_maximum_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_minimum(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_minimum_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_minimum_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_eq(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_eq_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_eq_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_ne(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_ne_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_ne_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_lt(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_lt_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_lt_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_le(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_le_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_le_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_gt(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_gt_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_gt_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_ge(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_ge_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_ge_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_logical_and(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_logical_and_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_logical_and_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_logical_or(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_logical_or_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_logical_or_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_logical_xor(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_logical_xor_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_logical_xor_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_bitwise_and(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_bitwise_and_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_bitwise_and_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_bitwise_or(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_bitwise_or_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_bitwise_or_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_bitwise_xor(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_bitwise_xor_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_bitwise_xor_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_atan2(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_atan2_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_atan2_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_hypot(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_hypot_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_hypot_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_copysign(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_copysign_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_copysign_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_nextafter(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_nextafter_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_nextafter_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_logaddexp(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_logaddexp_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_logaddexp_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_fmod(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_fmod_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_fmod_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_bitwise_left_shift(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_bitwise_left_shift_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_bitwise_left_shift_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_bitwise_right_shift(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_bitwise_right_shift_scalar(bp_tensor *a, const bp_value *b, bp_tensor **out, bp_error **err);
extern bp_status bp_bitwise_right_shift_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_where(bp_tensor *condition, bp_tensor *x, bp_tensor *y, bp_tensor **out, bp_error **err);
extern bp_status bp_where_into(bp_tensor *condition, bp_tensor *x, bp_tensor *y, bp_tensor *out, bp_error **err);
extern bp_status bp_cast(bp_tensor *x, bp_dtype dtype, bp_tensor **out, bp_error **err);
extern bp_status bp_cast_into(bp_tensor *x, bp_dtype dtype, bp_tensor *out, bp_error **err);
extern bp_status bp_copy(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_copy_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_fill(const bp_value *value, int32_t rank, const int64_t *shape, bp_dtype dtype, bp_device device, bp_tensor **out, bp_error **err);
extern bp_status bp_fill_into(const bp_value *value, bp_tensor *out, bp_error **err);
extern bp_status bp_sum(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor **out, bp_error **err);
extern bp_status bp_sum_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor *out, bp_error **err);
extern bp_status bp_mean(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor **out, bp_error **err);
extern bp_status bp_mean_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor *out, bp_error **err);
extern bp_status bp_prod(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor **out, bp_error **err);
extern bp_status bp_prod_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_dtype dtype, bp_tensor *out, bp_error **err);
extern bp_status bp_max(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err);
extern bp_status bp_max_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err);
extern bp_status bp_min(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err);
extern bp_status bp_min_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err);
extern bp_status bp_argmax(bp_tensor *x, const int64_t *axis, uint32_t n_axis, uint32_t keepdims, bp_tensor **out, bp_error **err);
extern bp_status bp_argmax_into(bp_tensor *x, const int64_t *axis, uint32_t n_axis, uint32_t keepdims, bp_tensor *out, bp_error **err);
extern bp_status bp_argmin(bp_tensor *x, const int64_t *axis, uint32_t n_axis, uint32_t keepdims, bp_tensor **out, bp_error **err);
extern bp_status bp_argmin_into(bp_tensor *x, const int64_t *axis, uint32_t n_axis, uint32_t keepdims, bp_tensor *out, bp_error **err);
extern bp_status bp_any(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err);
extern bp_status bp_any_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err);
extern bp_status bp_all(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err);
extern bp_status bp_all_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err);
extern bp_status bp_var(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double correction, bp_tensor **out, bp_error **err);
extern bp_status bp_var_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double correction, bp_tensor *out, bp_error **err);
extern bp_status bp_cumsum(bp_tensor *x, int64_t axis, bp_dtype dtype, bp_tensor **out, bp_error **err);
extern bp_status bp_cumsum_into(bp_tensor *x, int64_t axis, bp_dtype dtype, bp_tensor *out, bp_error **err);
extern bp_status bp_softmax(bp_tensor *x, int64_t axis, bp_tensor **out, bp_error **err);
extern bp_status bp_softmax_into(bp_tensor *x, int64_t axis, bp_tensor *out, bp_error **err);
extern bp_status bp_log_softmax(bp_tensor *x, int64_t axis, bp_tensor **out, bp_error **err);
extern bp_status bp_log_softmax_into(bp_tensor *x, int64_t axis, bp_tensor *out, bp_error **err);
extern bp_status bp_cumprod(bp_tensor *x, int64_t axis, bp_dtype dtype, bp_tensor **out, bp_error **err);
extern bp_status bp_cumprod_into(bp_tensor *x, int64_t axis, bp_dtype dtype, bp_tensor *out, bp_error **err);
extern bp_status bp_matmul(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_matmul_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_concat(bp_tensor *const *tensors, uint32_t n_tensors, int64_t axis, bp_tensor **out, bp_error **err);
extern bp_status bp_concat_into(bp_tensor *const *tensors, uint32_t n_tensors, int64_t axis, bp_tensor *out, bp_error **err);
extern bp_status bp_stack(bp_tensor *const *tensors, uint32_t n_tensors, int64_t axis, bp_tensor **out, bp_error **err);
extern bp_status bp_stack_into(bp_tensor *const *tensors, uint32_t n_tensors, int64_t axis, bp_tensor *out, bp_error **err);
extern bp_status bp_gather(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor **out, bp_error **err);
extern bp_status bp_gather_into(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor *out, bp_error **err);
extern bp_status bp_index_select(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor **out, bp_error **err);
extern bp_status bp_index_select_into(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor *out, bp_error **err);
extern bp_status bp_take_along(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor **out, bp_error **err);
extern bp_status bp_take_along_into(bp_tensor *x, bp_tensor *index, int64_t axis, bp_tensor *out, bp_error **err);
extern bp_status bp_one_hot(bp_tensor *x, int64_t num_classes, bp_tensor **out, bp_error **err);
extern bp_status bp_one_hot_into(bp_tensor *x, int64_t num_classes, bp_tensor *out, bp_error **err);
extern bp_status bp_arange(const bp_value *start, const bp_value *end, const bp_value *step, bp_dtype dtype, bp_device device, bp_tensor **out, bp_error **err);
extern bp_status bp_arange_into(const bp_value *start, const bp_value *end, const bp_value *step, bp_tensor *out, bp_error **err);
extern bp_status bp_linspace(const bp_value *start, const bp_value *end, int64_t steps, bp_dtype dtype, bp_device device, bp_tensor **out, bp_error **err);
extern bp_status bp_linspace_into(const bp_value *start, const bp_value *end, int64_t steps, bp_tensor *out, bp_error **err);
extern bp_status bp_sort(bp_tensor *x, int64_t axis, uint32_t descending, bp_tensor **values, bp_tensor **indices, bp_error **err);
extern bp_status bp_argsort(bp_tensor *x, int64_t axis, uint32_t descending, bp_tensor **out, bp_error **err);
extern bp_status bp_argsort_into(bp_tensor *x, int64_t axis, uint32_t descending, bp_tensor *out, bp_error **err);
extern bp_status bp_topk(bp_tensor *x, int64_t k, int64_t axis, uint32_t largest, bp_tensor **values, bp_tensor **indices, bp_error **err);
extern bp_status bp_uniform(int32_t rank, const int64_t *shape, bp_dtype dtype, double low, double high, int64_t seed, int64_t offset, bp_device device, bp_tensor **out, bp_error **err);
extern bp_status bp_uniform_into(double low, double high, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err);
extern bp_status bp_normal(int32_t rank, const int64_t *shape, bp_dtype dtype, double mean, double std, int64_t seed, int64_t offset, bp_device device, bp_tensor **out, bp_error **err);
extern bp_status bp_normal_into(double mean, double std, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err);
extern bp_status bp_randint(int32_t rank, const int64_t *shape, bp_dtype dtype, int64_t low, int64_t high, int64_t seed, int64_t offset, bp_device device, bp_tensor **out, bp_error **err);
extern bp_status bp_randint_into(int64_t low, int64_t high, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err);
extern bp_status bp_bernoulli(int32_t rank, const int64_t *shape, bp_dtype dtype, double p, int64_t seed, int64_t offset, bp_device device, bp_tensor **out, bp_error **err);
extern bp_status bp_bernoulli_into(double p, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err);
extern bp_status bp_signbit(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_signbit_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_bitwise_not(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_bitwise_not_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_softplus(bp_tensor *x, double beta, double threshold, bp_tensor **out, bp_error **err);
extern bp_status bp_softplus_into(bp_tensor *x, double beta, double threshold, bp_tensor *out, bp_error **err);
extern bp_status bp_elu(bp_tensor *x, double alpha, bp_tensor **out, bp_error **err);
extern bp_status bp_elu_into(bp_tensor *x, double alpha, bp_tensor *out, bp_error **err);
extern bp_status bp_leaky_relu(bp_tensor *x, double negative_slope, bp_tensor **out, bp_error **err);
extern bp_status bp_leaky_relu_into(bp_tensor *x, double negative_slope, bp_tensor *out, bp_error **err);
extern bp_status bp_hardswish(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_hardswish_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_hardsigmoid(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_hardsigmoid_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_mish(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_mish_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_gelu_tanh(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_gelu_tanh_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_hardtanh(bp_tensor *x, double min_val, double max_val, bp_tensor **out, bp_error **err);
extern bp_status bp_hardtanh_into(bp_tensor *x, double min_val, double max_val, bp_tensor *out, bp_error **err);
extern bp_status bp_relu6(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_relu6_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_nan_to_num(bp_tensor *x, double nan, double posinf, double neginf, bp_tensor **out, bp_error **err);
extern bp_status bp_nan_to_num_into(bp_tensor *x, double nan, double posinf, double neginf, bp_tensor *out, bp_error **err);
extern bp_status bp_clip(bp_tensor *x, bp_tensor *min, bp_tensor *max, bp_tensor **out, bp_error **err);
extern bp_status bp_clip_into(bp_tensor *x, bp_tensor *min, bp_tensor *max, bp_tensor *out, bp_error **err);
extern bp_status bp_lerp(bp_tensor *start, bp_tensor *end, bp_tensor *weight, bp_tensor **out, bp_error **err);
extern bp_status bp_lerp_scalar(bp_tensor *start, bp_tensor *end, const bp_value *weight, bp_tensor **out, bp_error **err);
extern bp_status bp_lerp_into(bp_tensor *start, bp_tensor *end, bp_tensor *weight, bp_tensor *out, bp_error **err);
extern bp_status bp_std(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double correction, bp_tensor **out, bp_error **err);
extern bp_status bp_std_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double correction, bp_tensor *out, bp_error **err);
extern bp_status bp_logsumexp(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err);
extern bp_status bp_logsumexp_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err);
extern bp_status bp_vector_norm(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double ord, bp_tensor **out, bp_error **err);
extern bp_status bp_vector_norm_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, double ord, bp_tensor *out, bp_error **err);
extern bp_status bp_count_nonzero(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor **out, bp_error **err);
extern bp_status bp_count_nonzero_into(bp_tensor *x, const int64_t *axes, uint32_t n_axes, uint32_t keepdims, bp_tensor *out, bp_error **err);
extern bp_status bp_diff(bp_tensor *x, int64_t n, int64_t axis, bp_tensor **out, bp_error **err);
extern bp_status bp_diff_into(bp_tensor *x, int64_t n, int64_t axis, bp_tensor *out, bp_error **err);
extern bp_status bp_roll(bp_tensor *x, const int64_t *shift, uint32_t n_shift, const int64_t *axis, uint32_t n_axis, bp_tensor **out, bp_error **err);
extern bp_status bp_roll_into(bp_tensor *x, const int64_t *shift, uint32_t n_shift, const int64_t *axis, uint32_t n_axis, bp_tensor *out, bp_error **err);
extern bp_status bp_repeat(bp_tensor *x, int64_t repeats, const int64_t *axis, uint32_t n_axis, bp_tensor **out, bp_error **err);
extern bp_status bp_repeat_into(bp_tensor *x, int64_t repeats, const int64_t *axis, uint32_t n_axis, bp_tensor *out, bp_error **err);
extern bp_status bp_tile(bp_tensor *x, const int64_t *repetitions, uint32_t n_repetitions, bp_tensor **out, bp_error **err);
extern bp_status bp_tile_into(bp_tensor *x, const int64_t *repetitions, uint32_t n_repetitions, bp_tensor *out, bp_error **err);
extern bp_status bp_tril(bp_tensor *x, int64_t diagonal, bp_tensor **out, bp_error **err);
extern bp_status bp_tril_into(bp_tensor *x, int64_t diagonal, bp_tensor *out, bp_error **err);
extern bp_status bp_triu(bp_tensor *x, int64_t diagonal, bp_tensor **out, bp_error **err);
extern bp_status bp_triu_into(bp_tensor *x, int64_t diagonal, bp_tensor *out, bp_error **err);
extern bp_status bp_pad(bp_tensor *x, const int64_t *pad, uint32_t n_pad, const char *mode, double value, bp_tensor **out, bp_error **err);
extern bp_status bp_pad_into(bp_tensor *x, const int64_t *pad, uint32_t n_pad, const char *mode, double value, bp_tensor *out, bp_error **err);
extern bp_status bp_outer(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_outer_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_vecdot(bp_tensor *a, bp_tensor *b, int64_t axis, bp_tensor **out, bp_error **err);
extern bp_status bp_vecdot_into(bp_tensor *a, bp_tensor *b, int64_t axis, bp_tensor *out, bp_error **err);
extern bp_status bp_tensordot(bp_tensor *a, bp_tensor *b, const int64_t *axes_a, uint32_t n_axes_a, const int64_t *axes_b, uint32_t n_axes_b, bp_tensor **out, bp_error **err);
extern bp_status bp_tensordot_into(bp_tensor *a, bp_tensor *b, const int64_t *axes_a, uint32_t n_axes_a, const int64_t *axes_b, uint32_t n_axes_b, bp_tensor *out, bp_error **err);
extern bp_status bp_trace(bp_tensor *x, int64_t offset, bp_dtype dtype, bp_tensor **out, bp_error **err);
extern bp_status bp_trace_into(bp_tensor *x, int64_t offset, bp_dtype dtype, bp_tensor *out, bp_error **err);
extern bp_status bp_cross(bp_tensor *a, bp_tensor *b, int64_t axis, bp_tensor **out, bp_error **err);
extern bp_status bp_cross_into(bp_tensor *a, bp_tensor *b, int64_t axis, bp_tensor *out, bp_error **err);
extern bp_status bp_kron(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_kron_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_scatter(bp_tensor *x, bp_tensor *index, bp_tensor *src, int64_t axis, bp_tensor **out, bp_error **err);
extern bp_status bp_scatter_into(bp_tensor *x, bp_tensor *index, bp_tensor *src, int64_t axis, bp_tensor *out, bp_error **err);
extern bp_status bp_scatter_add(bp_tensor *x, bp_tensor *index, bp_tensor *src, int64_t axis, bp_tensor **out, bp_error **err);
extern bp_status bp_scatter_add_into(bp_tensor *x, bp_tensor *index, bp_tensor *src, int64_t axis, bp_tensor *out, bp_error **err);
extern bp_status bp_index_add(bp_tensor *x, bp_tensor *index, bp_tensor *source, int64_t axis, double alpha, bp_tensor **out, bp_error **err);
extern bp_status bp_index_add_into(bp_tensor *x, bp_tensor *index, bp_tensor *source, int64_t axis, double alpha, bp_tensor *out, bp_error **err);
extern bp_status bp_masked_fill(bp_tensor *x, bp_tensor *mask, bp_tensor *value, bp_tensor **out, bp_error **err);
extern bp_status bp_masked_fill_scalar(bp_tensor *x, bp_tensor *mask, const bp_value *value, bp_tensor **out, bp_error **err);
extern bp_status bp_masked_fill_into(bp_tensor *x, bp_tensor *mask, bp_tensor *value, bp_tensor *out, bp_error **err);
extern bp_status bp_searchsorted(bp_tensor *sorted_sequence, bp_tensor *values, uint32_t right, bp_tensor **out, bp_error **err);
extern bp_status bp_searchsorted_into(bp_tensor *sorted_sequence, bp_tensor *values, uint32_t right, bp_tensor *out, bp_error **err);
extern bp_status bp_einsum(bp_tensor *const *operands, uint32_t n_operands, const char *equation, bp_tensor **out, bp_error **err);
extern bp_status bp_einsum_into(bp_tensor *const *operands, uint32_t n_operands, const char *equation, bp_tensor *out, bp_error **err);
extern bp_status bp_mse_loss(bp_tensor *input, bp_tensor *target, const char *reduction, bp_tensor **out, bp_error **err);
extern bp_status bp_mse_loss_into(bp_tensor *input, bp_tensor *target, const char *reduction, bp_tensor *out, bp_error **err);
extern bp_status bp_l1_loss(bp_tensor *input, bp_tensor *target, const char *reduction, bp_tensor **out, bp_error **err);
extern bp_status bp_l1_loss_into(bp_tensor *input, bp_tensor *target, const char *reduction, bp_tensor *out, bp_error **err);
extern bp_status bp_huber_loss(bp_tensor *input, bp_tensor *target, const char *reduction, double delta, bp_tensor **out, bp_error **err);
extern bp_status bp_huber_loss_into(bp_tensor *input, bp_tensor *target, const char *reduction, double delta, bp_tensor *out, bp_error **err);
extern bp_status bp_smooth_l1_loss(bp_tensor *input, bp_tensor *target, const char *reduction, double beta, bp_tensor **out, bp_error **err);
extern bp_status bp_smooth_l1_loss_into(bp_tensor *input, bp_tensor *target, const char *reduction, double beta, bp_tensor *out, bp_error **err);
extern bp_status bp_binary_cross_entropy(bp_tensor *input, bp_tensor *target, bp_tensor *weight, const char *reduction, bp_tensor **out, bp_error **err);
extern bp_status bp_binary_cross_entropy_into(bp_tensor *input, bp_tensor *target, bp_tensor *weight, const char *reduction, bp_tensor *out, bp_error **err);
extern bp_status bp_binary_cross_entropy_with_logits(bp_tensor *input, bp_tensor *target, bp_tensor *weight, bp_tensor *pos_weight, const char *reduction, bp_tensor **out, bp_error **err);
extern bp_status bp_binary_cross_entropy_with_logits_into(bp_tensor *input, bp_tensor *target, bp_tensor *weight, bp_tensor *pos_weight, const char *reduction, bp_tensor *out, bp_error **err);
extern bp_status bp_nll_loss(bp_tensor *input, bp_tensor *target, bp_tensor *weight, int64_t ignore_index, const char *reduction, bp_tensor **out, bp_error **err);
extern bp_status bp_nll_loss_into(bp_tensor *input, bp_tensor *target, bp_tensor *weight, int64_t ignore_index, const char *reduction, bp_tensor *out, bp_error **err);
extern bp_status bp_cross_entropy(bp_tensor *input, bp_tensor *target, bp_tensor *weight, int64_t ignore_index, const char *reduction, double label_smoothing, bp_tensor **out, bp_error **err);
extern bp_status bp_cross_entropy_into(bp_tensor *input, bp_tensor *target, bp_tensor *weight, int64_t ignore_index, const char *reduction, double label_smoothing, bp_tensor *out, bp_error **err);
extern bp_status bp_batch_norm_running(bp_tensor *x, bp_tensor *running_mean, bp_tensor *running_var, double momentum, bp_tensor **mean, bp_tensor **var, bp_error **err);
extern bp_status bp_layer_norm(bp_tensor *x, bp_tensor *weight, bp_tensor *bias, const int64_t *normalized_shape, uint32_t n_normalized_shape, double eps, bp_tensor **out, bp_error **err);
extern bp_status bp_layer_norm_into(bp_tensor *x, bp_tensor *weight, bp_tensor *bias, const int64_t *normalized_shape, uint32_t n_normalized_shape, double eps, bp_tensor *out, bp_error **err);
extern bp_status bp_rms_norm(bp_tensor *x, bp_tensor *weight, const int64_t *normalized_shape, uint32_t n_normalized_shape, double eps, bp_tensor **out, bp_error **err);
extern bp_status bp_rms_norm_into(bp_tensor *x, bp_tensor *weight, const int64_t *normalized_shape, uint32_t n_normalized_shape, double eps, bp_tensor *out, bp_error **err);
extern bp_status bp_batch_norm(bp_tensor *x, bp_tensor *running_mean, bp_tensor *running_var, bp_tensor *weight, bp_tensor *bias, uint32_t training, double eps, bp_tensor **out, bp_error **err);
extern bp_status bp_batch_norm_into(bp_tensor *x, bp_tensor *running_mean, bp_tensor *running_var, bp_tensor *weight, bp_tensor *bias, uint32_t training, double eps, bp_tensor *out, bp_error **err);
extern bp_status bp_group_norm(bp_tensor *x, bp_tensor *weight, bp_tensor *bias, int64_t num_groups, double eps, bp_tensor **out, bp_error **err);
extern bp_status bp_group_norm_into(bp_tensor *x, bp_tensor *weight, bp_tensor *bias, int64_t num_groups, double eps, bp_tensor *out, bp_error **err);
extern bp_status bp_embedding(bp_tensor *input, bp_tensor *weight, bp_tensor **out, bp_error **err);
extern bp_status bp_embedding_into(bp_tensor *input, bp_tensor *weight, bp_tensor *out, bp_error **err);
extern bp_status bp_dropout(bp_tensor *x, double p, int64_t seed, int64_t offset, bp_tensor **out, bp_error **err);
extern bp_status bp_dropout_into(bp_tensor *x, double p, int64_t seed, int64_t offset, bp_tensor *out, bp_error **err);
extern bp_status bp_scaled_dot_product_attention(bp_tensor *query, bp_tensor *key, bp_tensor *value, bp_tensor *attn_mask, uint32_t is_causal, double scale, bp_tensor **out, bp_error **err);
extern bp_status bp_scaled_dot_product_attention_into(bp_tensor *query, bp_tensor *key, bp_tensor *value, bp_tensor *attn_mask, uint32_t is_causal, double scale, bp_tensor *out, bp_error **err);
extern bp_status bp_rope(bp_tensor *x, bp_tensor *cos, bp_tensor *sin, uint32_t interleaved, bp_tensor **out, bp_error **err);
extern bp_status bp_rope_into(bp_tensor *x, bp_tensor *cos, bp_tensor *sin, uint32_t interleaved, bp_tensor *out, bp_error **err);
extern bp_status bp_max_pool2d_with_indices(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **values, bp_tensor **indices, bp_error **err);
extern bp_status bp_max_pool3d_with_indices(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **values, bp_tensor **indices, bp_error **err);
extern bp_status bp_conv1d(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor **out, bp_error **err);
extern bp_status bp_conv1d_into(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor *out, bp_error **err);
extern bp_status bp_conv2d(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor **out, bp_error **err);
extern bp_status bp_conv2d_into(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor *out, bp_error **err);
extern bp_status bp_conv3d(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor **out, bp_error **err);
extern bp_status bp_conv3d_into(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor *out, bp_error **err);
extern bp_status bp_conv_transpose1d(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *output_padding, uint32_t n_output_padding, int64_t groups, const int64_t *dilation, uint32_t n_dilation, bp_tensor **out, bp_error **err);
extern bp_status bp_conv_transpose1d_into(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *output_padding, uint32_t n_output_padding, int64_t groups, const int64_t *dilation, uint32_t n_dilation, bp_tensor *out, bp_error **err);
extern bp_status bp_conv_transpose2d(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *output_padding, uint32_t n_output_padding, int64_t groups, const int64_t *dilation, uint32_t n_dilation, bp_tensor **out, bp_error **err);
extern bp_status bp_conv_transpose2d_into(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *output_padding, uint32_t n_output_padding, int64_t groups, const int64_t *dilation, uint32_t n_dilation, bp_tensor *out, bp_error **err);
extern bp_status bp_conv_transpose3d(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *output_padding, uint32_t n_output_padding, int64_t groups, const int64_t *dilation, uint32_t n_dilation, bp_tensor **out, bp_error **err);
extern bp_status bp_conv_transpose3d_into(bp_tensor *input, bp_tensor *weight, bp_tensor *bias, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *output_padding, uint32_t n_output_padding, int64_t groups, const int64_t *dilation, uint32_t n_dilation, bp_tensor *out, bp_error **err);
extern bp_status bp_max_pool1d(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **out, bp_error **err);
extern bp_status bp_max_pool1d_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor *out, bp_error **err);
extern bp_status bp_max_pool2d(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **out, bp_error **err);
extern bp_status bp_max_pool2d_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor *out, bp_error **err);
extern bp_status bp_avg_pool1d(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, uint32_t ceil_mode, uint32_t count_include_pad, bp_tensor **out, bp_error **err);
extern bp_status bp_avg_pool1d_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, uint32_t ceil_mode, uint32_t count_include_pad, bp_tensor *out, bp_error **err);
extern bp_status bp_avg_pool2d(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, uint32_t ceil_mode, uint32_t count_include_pad, bp_tensor **out, bp_error **err);
extern bp_status bp_avg_pool2d_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, uint32_t ceil_mode, uint32_t count_include_pad, bp_tensor *out, bp_error **err);
extern bp_status bp_adaptive_avg_pool1d(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor **out, bp_error **err);
extern bp_status bp_adaptive_avg_pool1d_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor *out, bp_error **err);
extern bp_status bp_adaptive_avg_pool2d(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor **out, bp_error **err);
extern bp_status bp_adaptive_avg_pool2d_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor *out, bp_error **err);
extern bp_status bp_interpolate(bp_tensor *input, const int64_t *size, uint32_t n_size, const char *mode, uint32_t align_corners, bp_tensor **out, bp_error **err);
extern bp_status bp_interpolate_into(bp_tensor *input, const int64_t *size, uint32_t n_size, const char *mode, uint32_t align_corners, bp_tensor *out, bp_error **err);
extern bp_status bp_max_pool3d(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **out, bp_error **err);
extern bp_status bp_max_pool3d_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor *out, bp_error **err);
extern bp_status bp_avg_pool3d(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, uint32_t ceil_mode, uint32_t count_include_pad, bp_tensor **out, bp_error **err);
extern bp_status bp_avg_pool3d_into(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, uint32_t ceil_mode, uint32_t count_include_pad, bp_tensor *out, bp_error **err);
extern bp_status bp_adaptive_avg_pool3d(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor **out, bp_error **err);
extern bp_status bp_adaptive_avg_pool3d_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor *out, bp_error **err);
extern bp_status bp_adaptive_max_pool1d(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor **out, bp_error **err);
extern bp_status bp_adaptive_max_pool1d_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor *out, bp_error **err);
extern bp_status bp_adaptive_max_pool2d(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor **out, bp_error **err);
extern bp_status bp_adaptive_max_pool2d_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor *out, bp_error **err);
extern bp_status bp_adaptive_max_pool3d(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor **out, bp_error **err);
extern bp_status bp_adaptive_max_pool3d_into(bp_tensor *input, const int64_t *output_size, uint32_t n_output_size, bp_tensor *out, bp_error **err);
extern bp_status bp_max_pool1d_with_indices(bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **values, bp_tensor **indices, bp_error **err);
extern bp_status bp_real(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_real_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_imag(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_imag_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_conj(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_conj_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_angle(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_angle_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_complex(bp_tensor *real, bp_tensor *imag, bp_tensor **out, bp_error **err);
extern bp_status bp_complex_into(bp_tensor *real, bp_tensor *imag, bp_tensor *out, bp_error **err);
extern bp_status bp_polar(bp_tensor *abs, bp_tensor *angle, bp_tensor **out, bp_error **err);
extern bp_status bp_polar_into(bp_tensor *abs, bp_tensor *angle, bp_tensor *out, bp_error **err);
extern bp_status bp_cholesky(bp_tensor *a, uint32_t upper, bp_tensor **out, bp_error **err);
extern bp_status bp_cholesky_into(bp_tensor *a, uint32_t upper, bp_tensor *out, bp_error **err);
extern bp_status bp_lu_factor(bp_tensor *a, bp_tensor **lu, bp_tensor **pivots, bp_error **err);
extern bp_status bp_solve_triangular(bp_tensor *a, bp_tensor *b, uint32_t upper, uint32_t left, uint32_t unitriangular, bp_tensor **out, bp_error **err);
extern bp_status bp_solve_triangular_into(bp_tensor *a, bp_tensor *b, uint32_t upper, uint32_t left, uint32_t unitriangular, bp_tensor *out, bp_error **err);
extern bp_status bp_solve(bp_tensor *a, bp_tensor *b, bp_tensor **out, bp_error **err);
extern bp_status bp_solve_into(bp_tensor *a, bp_tensor *b, bp_tensor *out, bp_error **err);
extern bp_status bp_inv(bp_tensor *a, bp_tensor **out, bp_error **err);
extern bp_status bp_inv_into(bp_tensor *a, bp_tensor *out, bp_error **err);
extern bp_status bp_qr(bp_tensor *a, uint32_t complete, bp_tensor **q, bp_tensor **r, bp_error **err);
extern bp_status bp_svd(bp_tensor *a, uint32_t full_matrices, bp_tensor **u, bp_tensor **s, bp_tensor **vh, bp_error **err);
extern bp_status bp_svdvals(bp_tensor *a, bp_tensor **out, bp_error **err);
extern bp_status bp_svdvals_into(bp_tensor *a, bp_tensor *out, bp_error **err);
extern bp_status bp_eigh(bp_tensor *a, uint32_t upper, bp_tensor **eigenvalues, bp_tensor **eigenvectors, bp_error **err);
extern bp_status bp_eigvalsh(bp_tensor *a, uint32_t upper, bp_tensor **out, bp_error **err);
extern bp_status bp_eigvalsh_into(bp_tensor *a, uint32_t upper, bp_tensor *out, bp_error **err);
extern bp_status bp_det(bp_tensor *a, bp_tensor **out, bp_error **err);
extern bp_status bp_det_into(bp_tensor *a, bp_tensor *out, bp_error **err);
extern bp_status bp_slogdet(bp_tensor *a, bp_tensor **sign, bp_tensor **logabsdet, bp_error **err);
extern bp_status bp_matrix_rank(bp_tensor *a, double atol, double rtol, uint32_t hermitian, bp_tensor **out, bp_error **err);
extern bp_status bp_matrix_rank_into(bp_tensor *a, double atol, double rtol, uint32_t hermitian, bp_tensor *out, bp_error **err);
extern bp_status bp_pinv(bp_tensor *a, double atol, double rtol, bp_tensor **out, bp_error **err);
extern bp_status bp_pinv_into(bp_tensor *a, double atol, double rtol, bp_tensor *out, bp_error **err);
extern bp_status bp_matrix_power(bp_tensor *a, int64_t n, bp_tensor **out, bp_error **err);
extern bp_status bp_matrix_power_into(bp_tensor *a, int64_t n, bp_tensor *out, bp_error **err);
extern bp_status bp_matrix_norm(bp_tensor *a, const char *ord, uint32_t keepdims, bp_tensor **out, bp_error **err);
extern bp_status bp_matrix_norm_into(bp_tensor *a, const char *ord, uint32_t keepdims, bp_tensor *out, bp_error **err);
extern bp_status bp_lstsq(bp_tensor *a, bp_tensor *b, double rcond, bp_tensor **solution, bp_tensor **rank, bp_tensor **singular_values, bp_error **err);
extern bp_status bp_fft_c2c(bp_tensor *x, int64_t axis, uint32_t inverse, double scale, bp_tensor **out, bp_error **err);
extern bp_status bp_fft_c2c_into(bp_tensor *x, int64_t axis, uint32_t inverse, double scale, bp_tensor *out, bp_error **err);
extern bp_status bp_fft_r2c(bp_tensor *x, int64_t axis, double scale, uint32_t conj, bp_tensor **out, bp_error **err);
extern bp_status bp_fft_r2c_into(bp_tensor *x, int64_t axis, double scale, uint32_t conj, bp_tensor *out, bp_error **err);
extern bp_status bp_fft_c2r(bp_tensor *x, int64_t axis, int64_t n, double scale, uint32_t conj, bp_tensor **out, bp_error **err);
extern bp_status bp_fft_c2r_into(bp_tensor *x, int64_t axis, int64_t n, double scale, uint32_t conj, bp_tensor *out, bp_error **err);
extern bp_status bp_fft(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor **out, bp_error **err);
extern bp_status bp_fft_into(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor *out, bp_error **err);
extern bp_status bp_ifft(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor **out, bp_error **err);
extern bp_status bp_ifft_into(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor *out, bp_error **err);
extern bp_status bp_fftn(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor **out, bp_error **err);
extern bp_status bp_fftn_into(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor *out, bp_error **err);
extern bp_status bp_ifftn(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor **out, bp_error **err);
extern bp_status bp_ifftn_into(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor *out, bp_error **err);
extern bp_status bp_rfft(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor **out, bp_error **err);
extern bp_status bp_rfft_into(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor *out, bp_error **err);
extern bp_status bp_irfft(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor **out, bp_error **err);
extern bp_status bp_irfft_into(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor *out, bp_error **err);
extern bp_status bp_rfftn(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor **out, bp_error **err);
extern bp_status bp_rfftn_into(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor *out, bp_error **err);
extern bp_status bp_irfftn(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor **out, bp_error **err);
extern bp_status bp_irfftn_into(bp_tensor *x, const int64_t *s, uint32_t n_s, const int64_t *axes, uint32_t n_axes, const char *norm, bp_tensor *out, bp_error **err);
extern bp_status bp_hfft(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor **out, bp_error **err);
extern bp_status bp_hfft_into(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor *out, bp_error **err);
extern bp_status bp_ihfft(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor **out, bp_error **err);
extern bp_status bp_ihfft_into(bp_tensor *x, int64_t n, int64_t axis, const char *norm, bp_tensor *out, bp_error **err);
extern bp_status bp_nonzero(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_nonzero_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_flat_nonzero(bp_tensor *mask, int64_t size, bp_tensor **out, bp_error **err);
extern bp_status bp_flat_nonzero_into(bp_tensor *mask, int64_t size, bp_tensor *out, bp_error **err);
extern bp_status bp_masked_select(bp_tensor *x, bp_tensor *mask, bp_tensor **out, bp_error **err);
extern bp_status bp_masked_select_into(bp_tensor *x, bp_tensor *mask, bp_tensor *out, bp_error **err);
extern bp_status bp_unique(bp_tensor *x, bp_tensor **out, bp_error **err);
extern bp_status bp_unique_into(bp_tensor *x, bp_tensor *out, bp_error **err);
extern bp_status bp_unique_all(bp_tensor *x, bp_tensor **values, bp_tensor **indices, bp_tensor **inverse, bp_tensor **counts, bp_error **err);
extern bp_status bp_index_copy(bp_tensor *x, bp_tensor *index, bp_tensor *source, int64_t axis, bp_tensor **out, bp_error **err);
extern bp_status bp_index_copy_into(bp_tensor *x, bp_tensor *index, bp_tensor *source, int64_t axis, bp_tensor *out, bp_error **err);
extern bp_status bp_convolution(bp_tensor *input, bp_tensor *weight, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor **out, bp_error **err);
extern bp_status bp_convolution_into(bp_tensor *input, bp_tensor *weight, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor *out, bp_error **err);
extern bp_status bp_convolution_input_grad(bp_tensor *grad, bp_tensor *weight, const int64_t *size, uint32_t n_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor **out, bp_error **err);
extern bp_status bp_convolution_input_grad_into(bp_tensor *grad, bp_tensor *weight, const int64_t *size, uint32_t n_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor *out, bp_error **err);
extern bp_status bp_convolution_weight_grad(bp_tensor *grad, bp_tensor *input, const int64_t *size, uint32_t n_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor **out, bp_error **err);
extern bp_status bp_convolution_weight_grad_into(bp_tensor *grad, bp_tensor *input, const int64_t *size, uint32_t n_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, int64_t groups, bp_tensor *out, bp_error **err);
extern bp_status bp_max_pool_grad(bp_tensor *grad, bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor **out, bp_error **err);
extern bp_status bp_max_pool_grad_into(bp_tensor *grad, bp_tensor *input, const int64_t *kernel_size, uint32_t n_kernel_size, const int64_t *stride, uint32_t n_stride, const int64_t *padding, uint32_t n_padding, const int64_t *dilation, uint32_t n_dilation, uint32_t ceil_mode, bp_tensor *out, bp_error **err);
extern uint32_t bp_optimizer_kind_count(void);
extern bp_status bp_optimizer_kind_at(uint32_t i, const char **name, const char **doc,
                                      uint32_t *n_attrs, bp_error **err);
extern bp_status bp_optimizer_kind_attr(const char *kind, uint32_t i, bp_attr *default_value,
                                        const char **doc, bp_error **err);
extern bp_status bp_optimizer_kind_state(const char *kind, uint32_t i, const char **name,
                                         bp_error **err);
typedef struct bp_optimizer bp_optimizer;
extern bp_status bp_optimizer_create(const char *kind, bp_tensor *const *params, uint32_t n_params,
                                     const bp_attr *attrs, uint32_t n_attr, bp_optimizer **out,
                                     bp_error **err);
extern bp_optimizer *bp_optimizer_retain(bp_optimizer *o);
extern void bp_optimizer_release(bp_optimizer *o);
extern bp_status bp_optimizer_kind(bp_optimizer *o, const char **out, bp_error **err);
extern bp_status bp_optimizer_add_group(bp_optimizer *o, bp_tensor *const *params,
                                        uint32_t n_params, const bp_attr *attrs, uint32_t n_attr,
                                        bp_error **err);
extern bp_status bp_optimizer_step(bp_optimizer *o, bp_error **err);
extern bp_status bp_optimizer_zero_grad(bp_optimizer *o, uint32_t set_to_none, bp_error **err);
extern uint32_t bp_optimizer_group_count(bp_optimizer *o);
extern bp_status bp_optimizer_param_count(bp_optimizer *o, uint32_t group, uint32_t *out,
                                          bp_error **err);
extern bp_status bp_optimizer_param_at(bp_optimizer *o, uint32_t group, uint32_t i, bp_tensor **out,
                                       bp_error **err);
extern bp_status bp_optimizer_get_attr(bp_optimizer *o, uint32_t group, const char *name,
                                       bp_attr *out, bp_error **err);
extern bp_status bp_optimizer_set_attr(bp_optimizer *o, uint32_t group, const bp_attr *attr,
                                       bp_error **err);
extern bp_status bp_optimizer_state_at(bp_optimizer *o, uint32_t group, uint32_t i,
                                       const char *name, bp_tensor **out, bp_error **err);
extern bp_status bp_optimizer_steps_at(bp_optimizer *o, uint32_t group, uint32_t i, int64_t *out,
                                       bp_error **err);
extern bp_status bp_optimizer_state_dict(bp_optimizer *o, bp_dict **out, bp_error **err);
extern bp_status bp_optimizer_load_state_dict(bp_optimizer *o, bp_dict *state, bp_error **err);
extern bp_status bp_clip_grad_norm(bp_tensor *const *params, uint32_t n_params, double max_norm,
                                   double norm_type, uint32_t error_if_nonfinite, bp_tensor **total,
                                   bp_error **err);
extern bp_status bp_clip_grad_value(bp_tensor *const *params, uint32_t n_params, double limit,
                                    bp_error **err);
typedef struct bp_schedule bp_schedule;
extern uint32_t bp_schedule_kind_count(void);
extern bp_status bp_schedule_kind_at(uint32_t i, const char **name, const char **doc,
                                     uint32_t *n_attrs, bp_error **err);
extern bp_status bp_schedule_kind_attr(const char *kind, uint32_t i, bp_attr *default_value,
                                       uint32_t *required, const char **doc, bp_error **err);
extern bp_status bp_schedule_create(const char *kind, bp_optimizer *o, const bp_attr *attrs,
                                    uint32_t n_attr, bp_schedule **out, bp_error **err);
typedef bp_status (*bp_schedule_factor_fn)(void *user, int64_t epoch, double *factor,
                                           bp_error **err);
extern bp_status bp_schedule_create_lambda(bp_optimizer *o, bp_schedule_factor_fn factor,
                                           void *user, void (*destroy)(void *user),
                                           bp_schedule **out, bp_error **err);
extern bp_status bp_schedule_create_chained(bp_schedule *const *parts, uint32_t n_parts,
                                            bp_schedule **out, bp_error **err);
extern bp_status bp_schedule_create_sequential(bp_schedule *const *parts, uint32_t n_parts,
                                               const int64_t *milestones, uint32_t n_milestones,
                                               bp_schedule **out, bp_error **err);
extern bp_schedule *bp_schedule_retain(bp_schedule *s);
extern void bp_schedule_release(bp_schedule *s);
extern bp_status bp_schedule_step(bp_schedule *s, bp_error **err);
extern bp_status bp_schedule_epoch(bp_schedule *s, int64_t *out, bp_error **err);
extern bp_status bp_schedule_last_lr(bp_schedule *s, uint32_t group, double *out, bp_error **err);
extern bp_status bp_schedule_state_dict(bp_schedule *s, bp_dict **out, bp_error **err);
extern bp_status bp_schedule_load_state_dict(bp_schedule *s, bp_dict *state, bp_error **err);
extern bp_status bp_all_reduce(bp_tensor *const *tensors, uint32_t n_tensors, uint32_t mean,
                               bp_error **err);
extern bp_status bp_replicate(bp_tensor *const *params, uint32_t n_params, const bp_device *devices,
                              uint32_t n_devices, bp_tensor **outs, bp_error **err);
extern bp_status bp_scatter_batch(bp_tensor *batch, const bp_device *devices, uint32_t n_devices,
                                  bp_tensor **outs, bp_error **err);
typedef struct bp_replicas bp_replicas;
extern bp_status bp_replicas_create(bp_tensor *const *params, uint32_t n_params, uint32_t n_devices,
                                    uint64_t bucket_bytes, bp_replicas **out, bp_error **err);
extern bp_replicas *bp_replicas_retain(bp_replicas *r);
extern void bp_replicas_release(bp_replicas *r);
extern bp_status bp_replicas_finish(bp_replicas *r, bp_error **err);
enum { BP_EPOCH_END = 3 };
typedef struct bp_dataset bp_dataset;
extern bp_status bp_dataset_from_tensors(bp_tensor *const *tensors, uint32_t n_tensors,
                                         bp_dataset **out, bp_error **err);
typedef struct bp_dataset_desc {
  uint32_t struct_size;
  uint32_t n_tensors;
  int64_t length;
  bp_status (*get)(void *user, const int64_t *indices, uint64_t n, bp_tensor **outs,
                   uint32_t n_outs, bp_error **err);
  void *user;
  void (*destroy)(void *user);
} bp_dataset_desc;
extern bp_status bp_dataset_create(const bp_dataset_desc *desc, bp_dataset **out, bp_error **err);
extern bp_status bp_dataset_subset(bp_dataset *d, const int64_t *indices, uint64_t n,
                                   bp_dataset **out, bp_error **err);
extern bp_dataset *bp_dataset_retain(bp_dataset *d);
extern void bp_dataset_release(bp_dataset *d);
extern int64_t bp_dataset_length(const bp_dataset *d);
extern uint32_t bp_dataset_n_tensors(const bp_dataset *d);
extern bp_status bp_dataset_get(bp_dataset *d, const int64_t *indices, uint64_t n, bp_tensor **outs,
                                uint32_t n_outs, bp_error **err);
enum {
  BP_LOADER_SHUFFLE = 1u,
  BP_LOADER_DROP_LAST = 2u
};
typedef struct bp_loader_desc {
  uint32_t struct_size;
  uint32_t flags;
  int64_t batch_size;
  bp_device device;
  uint32_t prefetch;
  uint32_t reserved;
  uint64_t seed;
} bp_loader_desc;
typedef struct bp_loader bp_loader;
extern bp_status bp_loader_create(bp_dataset *dataset, const bp_loader_desc *desc, bp_loader **out,
                                  bp_error **err);
extern bp_loader *bp_loader_retain(bp_loader *l);
extern void bp_loader_release(bp_loader *l);
extern int64_t bp_loader_length(const bp_loader *l);
extern bp_status bp_loader_next(bp_loader *l, bp_tensor **outs, uint32_t n_outs, bp_error **err);
extern bp_status bp_loader_get_state(bp_loader *l, uint64_t *epoch, uint64_t *batch, uint64_t *seed,
                                     bp_error **err);
extern bp_status bp_loader_set_state(bp_loader *l, uint64_t epoch, uint64_t batch, uint64_t seed,
                                     bp_error **err);
typedef int32_t bp_metric_kind;
enum {
  BP_METRIC_MEAN = 0,
  BP_METRIC_ACCURACY = 1
};
typedef struct bp_metric bp_metric;
extern bp_status bp_metric_create(bp_metric_kind kind, bp_metric **out, bp_error **err);
extern bp_metric *bp_metric_retain(bp_metric *m);
extern void bp_metric_release(bp_metric *m);
extern bp_status bp_metric_add(bp_metric *m, bp_tensor *x, bp_tensor *target, double weight,
                               bp_error **err);
extern bp_status bp_metric_value(bp_metric *m, double *out, bp_error **err);
extern bp_status bp_metric_reset(bp_metric *m, bp_error **err);
enum {
  BP_TRAINING_STOPPED = 4
};
typedef struct bp_trainer bp_trainer;
typedef struct bp_train_figures {
  uint32_t struct_size, reserved;
  uint64_t epoch;
  uint64_t batch, n_batches;
  bp_tensor *loss;
  double train_loss, train_accuracy, val_loss,
      val_accuracy;
} bp_train_figures;
enum {
  BP_TRAINER_ACCURACY = 1u
};
typedef struct bp_trainer_desc {
  uint32_t struct_size, flags;
  uint32_t n_devices;
  uint32_t reserved;
  bp_module *const *modules;
  bp_optimizer *const *optimizers;
  bp_schedule *const *schedules;
  bp_module *loss;
  bp_loader *loader;
  bp_loader *val_loader;
  bp_status (*compute_loss)(void *user, bp_module *m, bp_tensor *const *batch, uint32_t n,
                            bp_tensor **loss, bp_tensor **output, bp_error **err);
  bp_status (*prepare_batch)(void *user, uint32_t training, bp_tensor **batch, uint32_t n,
                             bp_error **err);
  bp_status (*on_batch)(void *user, const bp_train_figures *figures, bp_error **err);
  bp_status (*on_epoch)(void *user, const bp_train_figures *figures, bp_error **err);
  void *user;
  void (*destroy)(void *user);
} bp_trainer_desc;
extern bp_status bp_trainer_create(const bp_trainer_desc *desc, bp_trainer **out, bp_error **err);
extern bp_trainer *bp_trainer_retain(bp_trainer *t);
extern void bp_trainer_release(bp_trainer *t);
typedef struct bp_fit_desc {
  uint32_t struct_size, reserved;
  uint64_t max_epochs;
  double gradient_clip_val;
  const char *checkpoint;
} bp_fit_desc;
extern bp_status bp_trainer_fit(bp_trainer *t, const bp_fit_desc *desc, bp_error **err);
extern void bp_trainer_stop(bp_trainer *t);
extern uint64_t bp_trainer_epoch(const bp_trainer *t);
extern bp_status bp_trainer_evaluate(bp_trainer *t, bp_loader *loader, double *loss,
                                     double *accuracy, bp_error **err);
extern bp_status bp_trainer_state_dict(bp_trainer *t, bp_dict **out, bp_error **err);
extern bp_status bp_trainer_load_state_dict(bp_trainer *t, bp_dict *state, bp_error **err);
