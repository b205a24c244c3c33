// SPDX-License-Identifier: Apache-2.0
// tensor.cc: making tensors, asking them, viewing and copying them; declared in c_api.h.
#include "core/tensor/tensor.h"

#include "c_api.h"
#include "core/base/guard.h"
#include "core/c_api/run.h"
#include "core/call/invoke.h"
#include "core/grad/autograd.h"
#include "core/process/transfer_statistics.h"
#include "core/tensor/tape.h"
#include "core/value/dtype.h"

namespace bp {
namespace {

void fill(Tensor& t, const bp_value& value) {
  Ref<Tensor> out[1] = {Ref<Tensor>::share(&t)};
  const bp_attr attrs[] = {ints_value({}), dtype_value(BP_DTYPE_NONE)};
  invoke(*find_op(BP_OP_FILL), {&value, 1}, attrs, out);
}

std::string number_text(const bp_value& v) {
  if (v.kind == BP_VALUE_C128) return fmt::format("{}{:+}j", v.as.c128[0], v.as.c128[1]);
  return v.kind == BP_VALUE_F64 ? fmt::format("{}", v.as.f64) : fmt::format("{}", v.as.i64);
}

bp_value number_for(const bp_value* value, bp_dtype t) {
  need(value, "value");
  if (value->kind < BP_VALUE_I64 || value->kind > BP_VALUE_C128)
    fail(BP_INVALID_ARGUMENT, "value has kind {}, expected a number", value->kind);
  if (fits(t, *value)) return *value;
  fail(BP_INVALID_ARGUMENT, "value cannot be converted to type {} without overflow: {}",
       dtype_name(t), number_text(*value));
}

bp_dtype or_default(bp_dtype t, bp_dtype absent) {
  if (t == BP_DTYPE_NONE) return absent;
  check_dtype(t, "dtype");
  return t;
}

// The number is one that the dtype can hold.
void make_filled(Span shape, const bp_value& number, bp_dtype dtype, Device& device,
                 bp_tensor** out) {
  need(out, "out");
  Ref<Tensor> t = new_tensor(shape, dtype, device);
  fill(*t, number);
  *out = t.release();
}

Device& pinning_device(bp_device value) {
  Device& d = resolve_device(value);
  if (d.is_host())
    fail(BP_INVALID_ARGUMENT, "pinned memory is for an accelerator, got device {}", d.label);
  return d;
}

void make_empty(Span shape, bp_dtype dtype, Device& device, bp_tensor** out) {
  need(out, "out");
  *out = new_tensor(shape, dtype, device).release();
}

// Takes x's dtype and device where none is given.
struct Like {
  bp_dtype dtype;
  Device& device;
};
Like like(const Tensor& x, bp_dtype dtype, bp_device device) {
  return {or_default(dtype, x.dtype), device ? resolve_device(device) : x.device()};
}

bp_dtype number_default(const bp_value* v) {
  if (v && v->kind == BP_VALUE_I64) return BP_I64;
  if (v && v->kind == BP_VALUE_C128) return default_complex_dtype();
  return v && v->kind == BP_VALUE_BOOL ? BP_BOOL : default_dtype();
}

void give(bp_tensor** out, Ref<Tensor> t) {
  need(out, "out");
  *out = t.release();
}

const bp_value kZero = number(int64_t{0}), kOne = number(int64_t{1});

const Tensor* peek(const bp_tensor* t) { return is_tensor_handle(t) ? t : nullptr; }
// Whether t is a tensor, or a parameter of a lazy module, of which only dtype and device are known.
bool counted(const bp_tensor* t) { return t && (is_tensor_handle(t) || is_uninitialized(*t)); }

Span list(const int64_t* p, uint32_t n, const char* name) {
  if (n > BP_MAX_RANK)
    fail(BP_INVALID_ARGUMENT, "{} has {} values, at most {} are possible", name, n, +BP_MAX_RANK);
  if (n) need(p, name);
  return {p, n};
}

}  // namespace
}  // namespace bp

using namespace bp;

extern "C" {

// ---- making ----

bp_status bp_tensor_empty(int32_t rank, const int64_t* shape, bp_dtype dtype, bp_device device,
                          bp_tensor** out, bp_error** err) {
  return guard(err, [&] {
    make_empty(shape_span(rank, shape), or_default(dtype, default_dtype()), resolve_device(device),
               out);
  });
}

bp_status bp_tensor_zeros(int32_t rank, const int64_t* shape, bp_dtype dtype, bp_device device,
                          bp_tensor** out, bp_error** err) {
  return guard(err, [&] {
    make_filled(shape_span(rank, shape), kZero, or_default(dtype, default_dtype()),
                resolve_device(device), out);
  });
}

bp_status bp_tensor_ones(int32_t rank, const int64_t* shape, bp_dtype dtype, bp_device device,
                         bp_tensor** out, bp_error** err) {
  return guard(err, [&] {
    make_filled(shape_span(rank, shape), kOne, or_default(dtype, default_dtype()),
                resolve_device(device), out);
  });
}

bp_status bp_tensor_full(int32_t rank, const int64_t* shape, const bp_value* value, bp_dtype dtype,
                         bp_device device, bp_tensor** out, bp_error** err) {
  return guard(err, [&] {
    const bp_dtype d = or_default(dtype, number_default(value));
    make_filled(shape_span(rank, shape), number_for(value, d), d, resolve_device(device), out);
  });
}

bp_status bp_tensor_eye(int64_t n, int64_t m, bp_dtype dtype, bp_device device, bp_tensor** out,
                        bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    Ref<Tensor> t =
        new_tensor(Dims{n, m}, or_default(dtype, default_dtype()), resolve_device(device));
    fill(*t, kZero);
    if (t->count != 0) fill(*as_strided(*t, Dims{n < m ? n : m}, Dims{m + 1}, 0), kOne);
    *out = t.release();
  });
}

bp_status bp_tensor_empty_like(bp_tensor* x, bp_dtype dtype, bp_device device, bp_tensor** out,
                               bp_error** err) {
  return guard(err, [&] {
    const Tensor& t = checked(x, "x");
    const Like l = like(t, dtype, device);
    make_empty(t.shape, l.dtype, l.device, out);
  });
}

bp_status bp_tensor_zeros_like(bp_tensor* x, bp_dtype dtype, bp_device device, bp_tensor** out,
                               bp_error** err) {
  return bp_tensor_full_like(x, &kZero, dtype, device, out, err);
}

bp_status bp_tensor_ones_like(bp_tensor* x, bp_dtype dtype, bp_device device, bp_tensor** out,
                              bp_error** err) {
  return bp_tensor_full_like(x, &kOne, dtype, device, out, err);
}

bp_status bp_tensor_full_like(bp_tensor* x, const bp_value* value, bp_dtype dtype, bp_device device,
                              bp_tensor** out, bp_error** err) {
  return guard(err, [&] {
    const Tensor& t = checked(x, "x");
    const Like l = like(t, dtype, device);
    make_filled(t.shape, number_for(value, l.dtype), l.dtype, l.device, out);
  });
}

bp_status bp_tensor_new_empty(bp_tensor* x, int32_t rank, const int64_t* shape, bp_dtype dtype,
                              bp_device device, bp_tensor** out, bp_error** err) {
  return guard(err, [&] {
    const Like l = like(checked(x, "x"), dtype, device);
    make_empty(shape_span(rank, shape), l.dtype, l.device, out);
  });
}

bp_status bp_tensor_new_zeros(bp_tensor* x, int32_t rank, const int64_t* shape, bp_dtype dtype,
                              bp_device device, bp_tensor** out, bp_error** err) {
  return bp_tensor_new_full(x, rank, shape, &kZero, dtype, device, out, err);
}

bp_status bp_tensor_new_ones(bp_tensor* x, int32_t rank, const int64_t* shape, bp_dtype dtype,
                             bp_device device, bp_tensor** out, bp_error** err) {
  return bp_tensor_new_full(x, rank, shape, &kOne, dtype, device, out, err);
}

bp_status bp_tensor_new_full(bp_tensor* x, int32_t rank, const int64_t* shape,
                             const bp_value* value, bp_dtype dtype, bp_device device,
                             bp_tensor** out, bp_error** err) {
  return guard(err, [&] {
    const Like l = like(checked(x, "x"), dtype, device);
    make_filled(shape_span(rank, shape), number_for(value, l.dtype), l.dtype, l.device, out);
  });
}

bp_status bp_tensor_from_data(const void* data, int32_t rank, const int64_t* shape, bp_dtype dtype,
                              bp_device device, bp_tensor** out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    Ref<Tensor> t = new_tensor(shape_span(rank, shape), or_default(dtype, default_dtype()),
                               resolve_device(device));
    write_host(*t, data, static_cast<uint64_t>(t->count * dtype_bytes(t->dtype)));
    *out = t.release();
  });
}

bp_status bp_tensor_borrow(void* data, int32_t rank, const int64_t* shape, const int64_t* strides,
                           bp_dtype dtype, void (*deleter)(void* user), void* user, bp_tensor** out,
                           bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    *out = borrow_tensor(data, shape_span(rank, shape), strides, or_default(dtype, default_dtype()),
                         deleter, user)
               .release();
  });
}

bp_status bp_tensor_empty_pinned(int32_t rank, const int64_t* shape, bp_dtype dtype, bp_device d,
                                 bp_tensor** out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    *out =
        new_pinned(shape_span(rank, shape), or_default(dtype, default_dtype()), pinning_device(d))
            .release();
  });
}

bp_status bp_tensor_pin_memory(bp_tensor* t, bp_device d, bp_tensor** out, bp_error** err) {
  return guard(err, [&] {
    Tensor& x = checked(t, "t");
    give(out, pin_memory(x, pinning_device(d)));
  });
}

bp_tensor* bp_tensor_retain(bp_tensor* t) {
  if (counted(t)) t->refs.fetch_add(1, std::memory_order_relaxed);
  return t;
}

void bp_tensor_release(bp_tensor* t) {
  if (counted(t)) Ref<Tensor>::drop(t);
}

// ---- asking ----

bp_dtype bp_tensor_dtype(const bp_tensor* t) { return counted(t) ? t->dtype : BP_DTYPE_NONE; }
int32_t bp_tensor_rank(const bp_tensor* t) {
  return peek(t) ? static_cast<int32_t>(t->rank()) : -1;
}
const int64_t* bp_tensor_shape(const bp_tensor* t) { return peek(t) ? t->shape.data() : nullptr; }
const int64_t* bp_tensor_strides(const bp_tensor* t) {
  return peek(t) ? t->strides.data() : nullptr;
}
int64_t bp_tensor_offset(const bp_tensor* t) { return peek(t) ? t->offset : 0; }
int64_t bp_tensor_numel(const bp_tensor* t) { return peek(t) ? t->count : 0; }
bp_device bp_tensor_device(const bp_tensor* t) {
  return counted(t) && t->born == generation() ? t->device().value : 0;
}
uint32_t bp_tensor_is_contiguous(const bp_tensor* t) { return peek(t) && t->contiguous; }
uint32_t bp_tensor_is_pinned(const bp_tensor* t) { return peek(t) && t->storage->pinned_for; }
uint64_t bp_tensor_version(const bp_tensor* t) {
  return peek(t) ? t->storage->version.load(std::memory_order_relaxed) : 0;
}
uint32_t bp_tensor_same_storage(const bp_tensor* a, const bp_tensor* b) {
  return peek(a) && peek(b) && a->storage.get() == b->storage.get();
}

bp_status bp_tensor_data(bp_tensor* t, void** out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    Tensor& x = checked(t, "t");
    if (Tape::of_thread) Tape::of_thread->host_touches(x, "the address of a tensor's data");
    ready_to_write(x);
    synchronize(x.device());
    *out = x.storage->data ? x.data() : nullptr;
  });
}

bp_status bp_tensor_item(bp_tensor* t, bp_value* out, bp_error** err) {
  return guard(err, [&] {
    need(out, "out");
    *out = item(checked(t, "t"));
  });
}

bp_status bp_tensor_read(bp_tensor* t, void* buffer, uint64_t bytes, bp_error** err) {
  return guard(err, [&] { read_host(checked(t, "t"), buffer, bytes); });
}

bp_status bp_tensor_write(bp_tensor* t, const void* buffer, uint64_t bytes, bp_error** err) {
  return guard(err, [&] {
    Tensor& x = checked(t, "t");
    overwritten(x);
    write_host(x, buffer, bytes);
  });
}

// ---- viewing ----

bp_status bp_tensor_reshape(bp_tensor* t, int32_t rank, const int64_t* shape, bp_tensor** out,
                            bp_error** err) {
  return guard(err, [&] {
    Tensor& x = checked(t, "t");
    give(out, reshape(x, shape_span(rank, shape)));
  });
}

bp_status bp_tensor_view(bp_tensor* t, int32_t rank, const int64_t* shape, bp_tensor** out,
                         bp_error** err) {
  return guard(err, [&] {
    Tensor& x = checked(t, "t");
    give(out, view(x, shape_span(rank, shape)));
  });
}

bp_status bp_tensor_permute(bp_tensor* t, int32_t rank, const int64_t* dims, bp_tensor** out,
                            bp_error** err) {
  return guard(err, [&] {
    Tensor& x = checked(t, "t");
    give(out, permute(x, shape_span(rank, dims)));
  });
}

bp_status bp_tensor_transpose(bp_tensor* t, int64_t dim0, int64_t dim1, bp_tensor** out,
                              bp_error** err) {
  return guard(err, [&] { give(out, transpose(checked(t, "t"), dim0, dim1)); });
}

bp_status bp_tensor_slice(bp_tensor* t, int64_t dim, int64_t start, int64_t end, int64_t step,
                          bp_tensor** out, bp_error** err) {
  return guard(err, [&] { give(out, slice(checked(t, "t"), dim, start, end, step)); });
}

bp_status bp_tensor_narrow(bp_tensor* t, int64_t dim, int64_t start, int64_t length,
                           bp_tensor** out, bp_error** err) {
  return guard(err, [&] { give(out, narrow(checked(t, "t"), dim, start, length)); });
}

bp_status bp_tensor_select(bp_tensor* t, int64_t dim, int64_t index, bp_tensor** out,
                           bp_error** err) {
  return guard(err, [&] { give(out, select(checked(t, "t"), dim, index)); });
}

bp_status bp_tensor_expand(bp_tensor* t, int32_t rank, const int64_t* shape, bp_tensor** out,
                           bp_error** err) {
  return guard(err, [&] {
    Tensor& x = checked(t, "t");
    give(out, expand(x, shape_span(rank, shape)));
  });
}

bp_status bp_tensor_squeeze(bp_tensor* t, const int64_t* dims, uint32_t n_dims, bp_tensor** out,
                            bp_error** err) {
  return guard(err, [&] {
    Tensor& x = checked(t, "t");
    give(out, squeeze(x, list(dims, n_dims, "dims")));
  });
}

bp_status bp_tensor_unsqueeze(bp_tensor* t, int64_t dim, bp_tensor** out, bp_error** err) {
  return guard(err, [&] { give(out, unsqueeze(checked(t, "t"), dim)); });
}

bp_status bp_tensor_flatten(bp_tensor* t, int64_t first_dim, int64_t last_dim, bp_tensor** out,
                            bp_error** err) {
  return guard(err, [&] { give(out, flatten(checked(t, "t"), first_dim, last_dim)); });
}

bp_status bp_tensor_diagonal(bp_tensor* t, int64_t offset, int64_t dim1, int64_t dim2,
                             bp_tensor** out, bp_error** err) {
  return guard(err, [&] { give(out, diagonal(checked(t, "t"), offset, dim1, dim2)); });
}

bp_status bp_tensor_flip(bp_tensor* t, const int64_t* dims, uint32_t n_dims, bp_tensor** out,
                         bp_error** err) {
  return guard(err, [&] {
    Tensor& x = checked(t, "t");
    give(out, flip(x, list(dims, n_dims, "dims")));
  });
}

bp_status bp_tensor_as_strided(bp_tensor* t, int32_t rank, const int64_t* shape,
                               const int64_t* strides, int64_t offset, bp_tensor** out,
                               bp_error** err) {
  return guard(err, [&] {
    Tensor& x = checked(t, "t");
    const Span sizes = shape_span(rank, shape);
    if (rank) need(strides, "strides");
    give(out, as_strided(x, sizes, {strides, sizes.size()}, offset));
  });
}

bp_status bp_tensor_view_as_real(bp_tensor* t, bp_tensor** out, bp_error** err) {
  return guard(err, [&] { give(out, view_as_real(checked(t, "t"))); });
}

bp_status bp_tensor_view_as_complex(bp_tensor* t, bp_tensor** out, bp_error** err) {
  return guard(err, [&] { give(out, view_as_complex(checked(t, "t"))); });
}

bp_status bp_tensor_alias(bp_tensor* t, bp_tensor** out, bp_error** err) {
  return guard(err, [&] { give(out, alias(checked(t, "t"))); });
}

// ---- copying ----

bp_status bp_tensor_to(bp_tensor* t, bp_device device, bp_dtype dtype, uint32_t copy,
                       uint32_t non_blocking, bp_tensor** out, bp_error** err) {
  return guard(err, [&] { give(out, to(checked(t, "t"), device, dtype, copy, non_blocking)); });
}

bp_status bp_tensor_copy_(bp_tensor* dst, bp_tensor* src, uint32_t non_blocking, bp_error** err) {
  return guard(err, [&] { copy_recorded(checked(dst, "dst"), checked(src, "src"), non_blocking); });
}

bp_status bp_tensor_contiguous(bp_tensor* t, bp_tensor** out, bp_error** err) {
  return guard(err, [&] { give(out, contiguous(checked(t, "t"))); });
}

bp_status bp_tensor_clone(bp_tensor* t, bp_tensor** out, bp_error** err) {
  return guard(err, [&] { give(out, clone(checked(t, "t"))); });
}

bp_status bp_tensor_fill_(bp_tensor* t, const bp_value* value, bp_error** err) {
  return guard(err, [&] {
    Tensor& x = checked(t, "t");
    overwritten(x);
    fill(x, number_for(value, x.dtype));
  });
}

}  // extern "C"
