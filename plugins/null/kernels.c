/* SPDX-License-Identifier: Apache-2.0 */
/* kernels.c: three ops, to show what a kernel record is. A kernel trusts its caller: operands are
 * checked, dtypes are as registered, outputs are there, shapes are broadcast and coalesced. What no
 * record serves is composed of other ops by the core, or refused by it with a sentence. */
#include <stddef.h>
#include <string.h>

#include "null.h"

#define MASK(dtype) (UINT64_C(1) << (dtype))

static int64_t element_count(const bp_arg* a) {
  int64_t n = 1;
  int32_t i;
  for (i = 0; i < a->rank; ++i) n *= a->shape[i];
  return n;
}

/* ---- add: a + b into out; tensors are contiguous, because the record asks for that ---- */

static float f32_at(const bp_arg* a, int64_t i) {
  if (a->kind == BP_ARG_TENSOR) return ((const float*)a->data)[i];
  return a->kind == BP_ARG_SCALAR_I64 ? (float)a->i64 : (float)a->f64;
}

static int64_t i64_at(const bp_arg* a, int64_t i) {
  return a->kind == BP_ARG_TENSOR ? ((const int64_t*)a->data)[i] : a->i64;
}

static bp_status add(const bp_launch* launch, bp_error** err) {
  const bp_arg *a = &launch->args[0], *b = &launch->args[1], *out = &launch->args[2];
  const int64_t n = element_count(out);
  int64_t i;
  (void)err;
  if (out->dtype == BP_F32)
    for (i = 0; i < n; ++i) ((float*)out->data)[i] = f32_at(a, i) + f32_at(b, i);
  else /* unsigned: integers wrap */
    for (i = 0; i < n; ++i)
      ((int64_t*)out->data)[i] = (int64_t)((uint64_t)i64_at(a, i) + (uint64_t)i64_at(b, i));
  return BP_OK;
}

/* ---- fill: a number into every element of a contiguous output ---- */

static bp_status fill(const bp_launch* launch, bp_error** err) {
  const bp_arg *value = &launch->args[0], *out = &launch->args[1];
  const double f64 = value->kind == BP_ARG_SCALAR_I64 ? (double)value->i64 : value->f64;
  const int64_t i64 = value->kind == BP_ARG_SCALAR_I64 ? value->i64 : (int64_t)value->f64;
  const int64_t n = element_count(out);
  int64_t i;
  (void)err;
  switch (out->dtype) {
    case BP_F32:
      for (i = 0; i < n; ++i) ((float*)out->data)[i] = (float)f64;
      break;
    case BP_F64:
      for (i = 0; i < n; ++i) ((double*)out->data)[i] = f64;
      break;
    case BP_I64:
      for (i = 0; i < n; ++i) ((int64_t*)out->data)[i] = i64;
      break;
    default: /* BP_BOOL */ memset(out->data, f64 != 0, (size_t)n);
  }
  return BP_OK;
}

/* ---- copy: any layout to any layout, of one dtype ---- */

static size_t element_bytes(bp_dtype dtype) {
#define BYTES(name, value, text, brief, title, bytes, kind) bytes,
  static const unsigned char bytes_of[] = {BP_DTYPES(BYTES)};
  return bytes_of[dtype];
}

static bp_status copy(const bp_launch* launch, bp_error** err) {
  const bp_arg *in = &launch->args[0], *out = &launch->args[1];
  const size_t size = element_bytes(out->dtype);
  const int64_t n = element_count(out);
  int64_t at[BP_MAX_RANK] = {0}, from = 0, to = 0, i;
  if (in->dtype != out->dtype)
    return null_fail(launch->stream->device->host, err, BP_UNSUPPORTED,
                     "the null backend converts no dtypes");
  for (i = 0; i < n; ++i) {
    int32_t d;
    memcpy((char*)out->data + to * (int64_t)size, (const char*)in->data + from * (int64_t)size,
           size);
    for (d = out->rank - 1; d >= 0; --d) { /* the next position, last dimension first */
      from += in->strides[d];
      to += out->strides[d];
      if (++at[d] < out->shape[d]) break;
      from -= at[d] * in->strides[d];
      to -= at[d] * out->strides[d];
      at[d] = 0;
    }
  }
  return BP_OK;
}

static const bp_kernel kRecords[] = {
    {sizeof(bp_kernel), BP_OP_ADD, MASK(BP_F32) | MASK(BP_I64), BP_KERNEL_CONTIGUOUS, 0, add, NULL},
    {sizeof(bp_kernel), BP_OP_FILL, MASK(BP_F32) | MASK(BP_F64) | MASK(BP_I64) | MASK(BP_BOOL),
     BP_KERNEL_CONTIGUOUS, 0, fill, NULL},
    {sizeof(bp_kernel), BP_OP_COPY, MASK(BP_DTYPE_COUNT) - 1, BP_KERNEL_SAME_DTYPE, 0, copy, NULL},
};

bp_status null_kernels(bp_plugin* p, const bp_kernel** out, uint32_t* count, bp_error** err) {
  (void)p;
  (void)err;
  *out = kRecords;
  *count = sizeof kRecords / sizeof kRecords[0];
  return BP_OK;
}
