/* c_types.h: the words that applications (c_api.h) and backends (c_plugin.h) share: status codes,
 * dtypes, device values, scalars, attributes and the operand a kernel sees. No functions.
 *
 * Every enumeration is an int32_t typedef plus an anonymous enum of constants; a value that a
 * library does not know is legal to pass and is refused with a status. Sizes: shapes and strides
 * are int64_t (strides count elements), byte counts are uint64_t. Compiles alone as C99..C23 and
 * C++98..C++20. */
#ifndef BACKPLANE_C_TYPES_H
#define BACKPLANE_C_TYPES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- status: negative is an error, 0 is done, positive is not an error ----------------------- */
typedef int32_t bp_status;
enum {
  BP_OK = 0,
  BP_NOT_READY = 1,
  BP_TIMEOUT = 2,
  BP_INVALID_ARGUMENT = -1,     /* the call is wrong: a value, a shape, a NULL */
  BP_NOT_FOUND = -2,            /* no op, attribute or option of that name */
  BP_UNSUPPORTED = -3,          /* right call, but this backend or dtype cannot do it */
  BP_OUT_OF_HOST_MEMORY = -4,   /* host memory is exhausted or the size cannot be addressed */
  BP_OUT_OF_DEVICE_MEMORY = -5, /* the device's memory is exhausted */
  BP_DEVICE_LOST = -6,          /* the device failed; every later call on it fails at once */
  BP_INCOMPATIBLE = -7,         /* a plugin and this library cannot work together */
  BP_UNAVAILABLE = -8,          /* a backend or device is not there; the message says why */
  /* right call at the wrong time: after shutdown, after fork, out of order */
  BP_BAD_STATE = -9,
  BP_CANCELLED = -10,
  BP_INTERNAL = -11,          /* a fault of this library or of a plugin */
  BP_CALLBACK = -12,          /* a callback of the caller's reported failure */
  BP_DEVICE_MISMATCH = -13,   /* operands live on different devices */
  BP_DTYPE_MISMATCH = -14,    /* operands or an output have a dtype that the op does not take */
  BP_INDEX_OUT_OF_RANGE = -15 /* a dimension, an index or a device index beyond its bound */
};

/* An error object: code, one line of text, flags, cause. Opaque; see bp_error_* in c_api.h. */
typedef struct bp_error bp_error;

/* ---- dtypes ---------------------------------------------------------------------------------- */
typedef int32_t bp_dtype;
enum {
  BP_BOOL = 0, /* one byte, 0 or 1 */
  BP_U8 = 1,
  BP_I8 = 2,
  BP_U16 = 3,
  BP_I16 = 4,
  BP_U32 = 5,
  BP_I32 = 6,
  BP_U64 = 7,
  BP_I64 = 8,
  BP_F16 = 9,   /* IEEE 754 binary16 */
  BP_BF16 = 10, /* the upper half of binary32 */
  BP_F32 = 11,
  BP_F64 = 12,
  BP_C64 = 13,  /* two f32: real, imaginary */
  BP_C128 = 14, /* two f64 */
  BP_DTYPE_COUNT = 15,
  BP_DTYPE_NONE = -1 /* "not given": the callee's default */
};

/* ---- devices --------------------------------------------------------------------------------- */
/* A device is a value: kind in the high 32 bits, index in the low 32. Index -1 is "the current one
 * of its kind". 0 is "not given": the default device. Kind numbers of known kinds are DLPack's
 * (dlpack.h, DLDeviceType); other kinds get numbers from BP_KIND_DYNAMIC at run time, so a value is
 * never written to a file: use bp_device_format and bp_device_parse. This table is the only place
 * that names kinds. */
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
#define BP_KNOWN_KINDS                                                                      \
  {BP_KIND_CPU, "cpu"}, {BP_KIND_CUDA, "cuda"}, {BP_KIND_OPENCL, "opencl"},                 \
      {BP_KIND_VULKAN, "vulkan"}, {BP_KIND_METAL, "metal"}, {BP_KIND_HIP, "hip"},           \
      {BP_KIND_ONEAPI, "oneapi"}, {BP_KIND_WEBGPU, "webgpu"}, {BP_KIND_HEXAGON, "hexagon"}, \
      {BP_KIND_MAIA, "maia"}, {                                                             \
    BP_KIND_TRN, "trn"                                                                      \
  }

/* ---- limits ---------------------------------------------------------------------------------- */
enum {
  BP_MAX_RANK = 64,
  BP_MAX_INPUTS = 4096, /* operands of one call; lists (concat, stack) count each tensor */
  BP_MAX_OUTPUTS = 8,
  BP_MAX_ATTRS = 16
};

/* ---- attributes ------------------------------------------------------------------------------ */
/* A named parameter of an op. Frozen layout, 32 bytes. `count` is the length of ints and str,
 * else 1. */
typedef int32_t bp_attr_kind;
enum {
  BP_ATTR_I64 = 1,   /* value.i64 */
  BP_ATTR_F64 = 2,   /* value.f64 */
  BP_ATTR_BOOL = 3,  /* value.i64, 0 or 1 */
  BP_ATTR_INTS = 4,  /* value.ints, count of them; count 0 with ints NULL is "none given" */
  BP_ATTR_DTYPE = 5, /* value.i64, a bp_dtype or BP_DTYPE_NONE */
  BP_ATTR_STR = 6    /* value.str, count bytes, UTF-8 */
};
typedef struct bp_attr {
  const char *name; /* NUL-terminated; kernels read by position, BP_ATTR_<OP>_<NAME> */
  bp_attr_kind kind;
  uint32_t count;
  union {
    int64_t i64;
    double f64;
    const int64_t *ints;
    const char *str;
  } value;
  uint64_t reserved; /* 0 */
} bp_attr;

/* ---- a value: an operand of bp_invoke -------------------------------------------------------- */
typedef struct bp_tensor bp_tensor; /* opaque; see c_api.h */
/* A tensor or a plain number; 24 bytes, frozen, passed by pointer. A number joins promotion as
 * PyTorch's wrapped numbers do and makes no tensor. The tensor is borrowed for the call. */
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
  uint32_t reserved; /* 0 */
  union {
    bp_tensor *tensor;
    int64_t i64; /* also BOOL: 0 or 1 */
    double f64;
    double c128[2]; /* real, imaginary */
  } as;
} bp_value;

/* ---- what a kernel sees ---------------------------------------------------------------------- */
/* One operand. 64 bytes, frozen. Device pointers travel only here, never in attributes or device
 * memory. */
enum {
  BP_ARG_NONE = 0,
  BP_ARG_TENSOR = 1,
  BP_ARG_SCALAR_I64 = 2,
  BP_ARG_SCALAR_F64 = 3,
  BP_ARG_SCALAR_C128 = 4 /* only where the op computes in a complex dtype */
};
enum { BP_ARG_CONTIGUOUS = 1u }; /* flags: row-major, no gaps, as shape says */
typedef struct bp_arg {
  int32_t kind;
  bp_dtype dtype; /* of a scalar: the dtype the op computes in */
  int32_t rank;
  uint32_t flags;
  void *data; /* first element, offset applied */
  const int64_t *shape;
  const int64_t *strides; /* in elements; 0 where broadcast, negative where flipped */
  /* payload of SCALAR_I64, also 0/1 of a bool; of SCALAR_C128 the bits of the imaginary double */
  int64_t i64;
  double f64;     /* payload of SCALAR_F64; of SCALAR_C128 the real part */
  uint64_t owner; /* bp_device that owns data */
} bp_arg;

typedef struct bp_pstream bp_pstream; /* a plugin's stream */

/* What a launch allows beyond its row's promise; a kernel may ignore it. */
enum {
  BP_LAUNCH_TF32 = 1u, /* matmul of f32 may round its inputs to TF32 (11 significant bits) */
  BP_LAUNCH_BF16 = 2u  /* matmul of f32 may round its inputs to bf16 (8 significant bits) */
};

/* One launch: inputs first, then outputs, in the order of the op's row; attributes all present, in
 * row order. */
typedef struct bp_launch {
  uint32_t struct_size;
  uint32_t op; /* stable id, see c_op_ids.h */
  const bp_arg *args;
  uint32_t n_in, n_out;
  const bp_attr *attrs;
  uint32_t n_attr;
  uint32_t flags; /* BP_LAUNCH_* */
  bp_pstream *stream;
  void *workspace;
  uint64_t workspace_bytes;
} bp_launch;

#ifdef __cplusplus
}
#endif
#endif
