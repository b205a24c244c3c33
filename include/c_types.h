/* SPDX-License-Identifier: Apache-2.0 */
/* c_types.h: the words that applications (c_api.h) and backends (c_plugin.h) share: status codes,
 * dtypes, device values, scalars, attributes and the operand that a kernel sees. There are no
 * functions here.
 *
 * Every enumeration is an int32_t typedef and an anonymous enum of constants. A value that a
 * library does not know may be passed and is refused with a status. Shapes and strides are int64_t,
 * and strides count elements; numbers of bytes are uint64_t. This header compiles alone as C99 to
 * C23 and as C++98 to C++20. */
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
  BP_NOT_READY = 1,             /* work is still under way */
  BP_TIMEOUT = 2,               /* the time was over before the work was done */
  BP_INVALID_ARGUMENT = -1,     /* the call is wrong: a value, a shape, a NULL */
  BP_NOT_FOUND = -2,            /* there is no op, attribute or option of that name */
  BP_UNSUPPORTED = -3,          /* the call is right, but this backend or dtype cannot serve it */
  BP_OUT_OF_HOST_MEMORY = -4,   /* host memory is exhausted, or the size cannot be addressed */
  BP_OUT_OF_DEVICE_MEMORY = -5, /* the device's memory is exhausted */
  BP_DEVICE_LOST = -6,          /* the device failed; every later call on it fails at once */
  BP_INCOMPATIBLE = -7,         /* a plugin and this library cannot work together */
  BP_UNAVAILABLE = -8,          /* a backend or device is not there; the message says why */
  /* The call is right at another time: it came after shutdown, after a fork, or out of order. */
  BP_BAD_STATE = -9,
  BP_CANCELLED = -10,
  BP_INTERNAL = -11,          /* a fault of this library or of a plugin */
  BP_CALLBACK = -12,          /* a callback of the caller's reported failure */
  BP_DEVICE_MISMATCH = -13,   /* operands are on different devices */
  BP_DTYPE_MISMATCH = -14,    /* operands or an output have a dtype that the op does not take */
  BP_INDEX_OUT_OF_RANGE = -15 /* a dimension, an index or a device index is beyond its bound */
};

/* An error object: a code, one line of text, flags and a cause. It is opaque; bp_error_* in c_api.h
 * read it. */
typedef struct bp_error bp_error;

/* ---- dtypes ---------------------------------------------------------------------------------- */
/* The list of all dtypes, X(name, value, text, brief, title, bytes, kind): the constant BP_<name>
 * has the value, `text` is the name that people read and write, `brief` the one where room is
 * short, `title` the one in PyTorch's messages, and BP_DTYPE_KIND_<kind> is the kind. The values
 * are frozen, and each is its place in the list, so that a table by dtype is made of the list:
 *
 *   #define BYTES(name, value, text, brief, title, bytes, kind) bytes,
 *   static const unsigned char bytes_of[] = {BP_DTYPES(BYTES)};
 *
 * A bool is one byte, 0 or 1; f16 is IEEE 754's binary16, bf16 the upper half of binary32; a
 * complex number is two floats, the real part first. */
#define BP_DTYPES(X)                                         \
  X(BOOL, 0, "bool", "bool", "Bool", 1, BOOL)                \
  X(U8, 1, "uint8", "u8", "Byte", 1, UNSIGNED)               \
  X(I8, 2, "int8", "i8", "Char", 1, SIGNED)                  \
  X(U16, 3, "uint16", "u16", "UInt16", 2, UNSIGNED)          \
  X(I16, 4, "int16", "i16", "Short", 2, SIGNED)              \
  X(U32, 5, "uint32", "u32", "UInt32", 4, UNSIGNED)          \
  X(I32, 6, "int32", "i32", "Int", 4, SIGNED)                \
  X(U64, 7, "uint64", "u64", "UInt64", 8, UNSIGNED)          \
  X(I64, 8, "int64", "i64", "Long", 8, SIGNED)               \
  X(F16, 9, "float16", "f16", "Half", 2, FLOAT)              \
  X(BF16, 10, "bfloat16", "bf16", "BFloat16", 2, FLOAT)      \
  X(F32, 11, "float32", "f32", "Float", 4, FLOAT)            \
  X(F64, 12, "float64", "f64", "Double", 8, FLOAT)           \
  X(C64, 13, "complex64", "c64", "ComplexFloat", 8, COMPLEX) \
  X(C128, 14, "complex128", "c128", "ComplexDouble", 16, COMPLEX)

typedef int32_t bp_dtype;
#define BP_DTYPE_CONSTANT(name, value, text, brief, title, bytes, kind) BP_##name = value,
enum {
  BP_DTYPES(BP_DTYPE_CONSTANT) /* BP_BOOL = 0, BP_U8 = 1, ... */
  BP_DTYPE_COUNT,
  BP_DTYPE_NONE = -1 /* "not given": the callee's default */
};
#undef BP_DTYPE_CONSTANT

enum {
  BP_DTYPE_KIND_NONE = 0, /* the value is no dtype */
  BP_DTYPE_KIND_BOOL = 1,
  BP_DTYPE_KIND_UNSIGNED = 2, /* an integer without a sign */
  BP_DTYPE_KIND_SIGNED = 3,   /* an integer with a sign */
  BP_DTYPE_KIND_FLOAT = 4,
  BP_DTYPE_KIND_COMPLEX = 5
};

/* ---- devices --------------------------------------------------------------------------------- */
/* A device is a value with its kind in the high 32 bits and its index in the low 32. Index -1 means
 * the current device of the kind; the value 0 means that no device is given, which is the default
 * device. */
typedef int64_t bp_device;
/* The numbers of known kinds are DLPack's (dlpack.h, DLDeviceType). Other kinds get numbers from
 * BP_KIND_DYNAMIC on at run time, so that a device is never written to a file as a number:
 * bp_device_format and bp_device_parse serve there. This table is the only place that names
 * kinds. */
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

/* Names of plugins that connect processes (c_plugin_group.h) and have no device. */
#define BP_KNOWN_GROUPS "mpi"

/* ---- limits ---------------------------------------------------------------------------------- */
enum {
  BP_MAX_RANK = 64,
  BP_MAX_INPUTS = 1048576, /* operands of one call; each tensor of a list counts */
  BP_MAX_OUTPUTS = 8,
  BP_MAX_ATTRS = 16
};

/* ---- attributes ------------------------------------------------------------------------------ */
typedef int32_t bp_attr_kind;
enum {
  BP_ATTR_I64 = 1,   /* value.i64 */
  BP_ATTR_F64 = 2,   /* value.f64 */
  BP_ATTR_BOOL = 3,  /* value.i64, 0 or 1 */
  BP_ATTR_INTS = 4,  /* value.ints, count of them; ints NULL with count 0: none are given */
  BP_ATTR_DTYPE = 5, /* value.i64, a bp_dtype or BP_DTYPE_NONE */
  BP_ATTR_STR = 6    /* value.str, count bytes of UTF-8 */
};
/* A named parameter of an op. Its layout of 32 bytes is frozen. */
typedef struct bp_attr {
  const char *name; /* NUL-terminated; kernels read by position, BP_ATTR_<OP>_<NAME> */
  bp_attr_kind kind;
  uint32_t count; /* the length of ints or str; 1 for the other kinds */
  union {
    int64_t i64;
    double f64;
    const int64_t *ints;
    const char *str;
  } value;
  uint64_t reserved; /* 0 */
} bp_attr;

/* ---- a value: an operand of bp_invoke -------------------------------------------------------- */
typedef struct bp_tensor bp_tensor; /* opaque; the functions of c_api.h take it */
enum {
  BP_VALUE_NONE = 0,
  BP_VALUE_TENSOR = 1,
  BP_VALUE_I64 = 2,
  BP_VALUE_F64 = 3,
  BP_VALUE_BOOL = 4,
  BP_VALUE_C128 = 5
};
/* A tensor, borrowed for the call, or a plain number, which joins promotion as PyTorch's wrapped
 * numbers do and makes no tensor. Its layout of 24 bytes is frozen; it is passed by pointer. */
typedef struct bp_value {
  int32_t kind;
  uint32_t reserved; /* 0 */
  union {
    bp_tensor *tensor;
    int64_t i64; /* of BOOL as well: 0 or 1 */
    double f64;
    double c128[2]; /* real, imaginary */
  } as;
} bp_value;

/* ---- what a kernel sees ---------------------------------------------------------------------- */
enum {
  BP_ARG_NONE = 0,
  BP_ARG_TENSOR = 1,
  BP_ARG_SCALAR_I64 = 2,
  BP_ARG_SCALAR_F64 = 3,
  BP_ARG_SCALAR_C128 = 4 /* only where the op computes in a complex dtype */
};
enum {
  BP_ARG_CONTIGUOUS = 1u /* a flag: the elements lie in row-major order without gaps */
};
/* One operand. Its layout of 64 bytes is frozen. Device pointers travel only here, never in
 * attributes or in a device's memory. */
typedef struct bp_arg {
  int32_t kind;
  bp_dtype dtype; /* of a scalar: the dtype in which the op computes */
  int32_t rank;
  uint32_t flags;
  void *data; /* the first element; the tensor's offset is applied */
  const int64_t *shape;
  const int64_t *strides; /* in elements: 0 where broadcast, negative where flipped */
  int64_t i64;    /* the value of SCALAR_I64; of SCALAR_C128 the bits of the imaginary double */
  double f64;     /* the value of SCALAR_F64; of SCALAR_C128 the real part */
  uint64_t owner; /* the bp_device that owns data */
} bp_arg;

typedef struct bp_pstream bp_pstream; /* a plugin's stream */

/* What a launch allows beyond the precision that its row promises. A kernel may ignore it. */
enum {
  BP_LAUNCH_TF32 = 1u, /* products of f32 may round their inputs to TF32 (11 significant bits) */
  BP_LAUNCH_BF16 = 2u  /* products of f32 may round their inputs to bf16 (8 significant bits) */
};

/* One launch of a kernel. */
typedef struct bp_launch {
  uint32_t struct_size;
  uint32_t op;        /* the stable id that c_op_ids.h gives it */
  const bp_arg *args; /* inputs and then outputs, in the order of the op's row */
  uint32_t n_in, n_out;
  const bp_attr *attrs; /* all of them, in the order of the row */
  uint32_t n_attr;
  uint32_t flags; /* BP_LAUNCH_* */
  bp_pstream *stream;
  void *workspace;
  uint64_t workspace_bytes;
} bp_launch;

/* ---- reductions over the members of a group (c_group.h, c_plugin_group.h) -------------------- */
typedef int32_t bp_reduce_op;
enum {
  BP_REDUCE_SUM = 0,
  BP_REDUCE_PRODUCT = 1,
  BP_REDUCE_MIN = 2, /* NaN where a member has one */
  BP_REDUCE_MAX = 3,
  BP_REDUCE_MEAN = 4 /* floating and complex dtypes */
};

#ifdef __cplusplus
}
#endif
#endif
