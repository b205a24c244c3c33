// SPDX-License-Identifier: Apache-2.0
// copy.cc: copies between any two tensors; declared in tensor/tensor.h. On one device it is the
// backend's copy kernel, or a plain byte copy where both sides are dense in the same order. Between
// devices one run of bytes goes over (tensor/transfer.h), arranged and converted on either side.
#include <cstring>

#include "core/call/invoke.h"
#include "core/process/trace.h"
#include "core/tensor/tape.h"
#include "core/tensor/tensor.h"
#include "core/tensor/traced.h"
#include "core/tensor/transfer.h"
#include "core/value/element.h"

namespace bp {
namespace {

// Whether t has every element once and no gaps: its memory order is some permutation of the dims.
bool dense(const Tensor& t) {
  if (t.contiguous) return true;
  const Extent e = extent(t.shape, t.strides);
  return e.low == 0 && e.high == t.count && !overlaps_itself(t.shape, t.strides);
}

}  // namespace

bool same_run(const Tensor& a, const Tensor& b) {
  if (a.dtype != b.dtype || a.shape != b.shape) return false;
  return (a.contiguous && b.contiguous) || (a.strides == b.strides && dense(a));
}

namespace {

// Whether the device's copy kernel takes strides, so that any layout can be copied where it is.
bool copies_strided(const Device& d, bp_dtype dtype) {
  const bp_kernel* k = d.backend->kernel(BP_OP_COPY, dtype);
  return k && !(k->flags & BP_KERNEL_CONTIGUOUS);
}

bool converts(const Device& d, bp_dtype from) {
  return copies_strided(d, from) &&
         !(d.backend->kernel(BP_OP_COPY, from)->flags & BP_KERNEL_SAME_DTYPE);
}

void copy_on_device(Tensor& dst, Tensor& src) {
  const Device& d = src.device();
  if (same_run(dst, src) && !(d.is_host() && d.backend->kernel(BP_OP_COPY, src.dtype))) {
    check_overlap(dst, src);
    ready_to_read(src);
    ready_to_write(dst);
    return transfer_run(dst, src, /*non_blocking=*/true);
  }
  Ref<Tensor> out = Ref<Tensor>::share(&dst);
  invoke(BP_OP_COPY, {src}, {}, {&out, 1});
}

// A new tensor in t's memory order where t is dense (PyTorch's preserve_format), else row-major.
Ref<Tensor> new_in_order_of(const Tensor& t, bp_dtype dtype, Device& device) {
  if (t.contiguous || !dense(t)) return new_tensor(t.shape, dtype, device);
  Ref<Tensor> flat = new_tensor(Dims{t.count}, dtype, device);
  return make_view(*flat, t.shape, t.strides, 0);
}

// Returns src's elements in another dtype, in the memory order of `order`, where src is.
Ref<Tensor> laid_out(Tensor& src, const Tensor& order, bp_dtype dtype) {
  Ref<Tensor> out = new_in_order_of(order, dtype, src.device());
  copy_on_device(*out, src);
  return out;
}

// Returns the bytes that t reaches, lowest to highest, as a 1-D tensor over its storage.
Ref<Tensor> reached(const Tensor& t) {
  const Extent e = extent(t.shape, t.strides);
  return make_view(t, Dims{e.high - e.low}, Dims{1}, t.offset + e.low);
}

// Returns t's elements in host memory, in its own layout, for devices that cannot arrange them.
Ref<Tensor> fetch(Tensor& t) {
  Ref<Tensor> run = reached(t);
  Ref<Tensor> host = new_tensor(run->shape, t.dtype, cpu_device());
  if (host->count) transfer_run(*host, *run, /*non_blocking=*/false);
  return make_view(*host, t.shape, t.strides, t.offset - run->offset);
}

// Copies src to dst on a device that cannot arrange: reads, changes and writes back the stretch
// that holds dst.
void patch(Tensor& dst, Tensor& src) {
  Ref<Tensor> image = fetch(dst);
  copy_into(*image, src, /*non_blocking=*/false);
  Ref<Tensor> from = reached(*image), into = reached(dst);
  transfer_run(*into, *from, /*non_blocking=*/false);
}

// What crosses is one run of the narrower dtype, arranged and converted by kernels on either side.
// Without blocking the source's device converts, so that nobody waits for it.
void copy_across(Tensor& dst, Tensor& src, bool non_blocking) {
  if (same_run(dst, src)) return transfer_run(dst, src, non_blocking);
  Device &to = dst.device(), &from = src.device();
  const bool here = converts(from, src.dtype), there = converts(to, src.dtype);
  if (&from != &cpu_device() &&
      !(copies_strided(from, src.dtype) && (here || there || src.dtype == dst.dtype)))
    return copy_into(dst, *fetch(src), non_blocking);  // the cpu does it for them
  const bool widens = dtype_bytes(dst.dtype) > dtype_bytes(src.dtype);
  const bool last = there && widens && !(non_blocking && to.is_host());
  const bp_dtype crossing = here && !last ? dst.dtype : src.dtype;
  Ref<Tensor> ready = Ref<Tensor>::share(&src);
  if (crossing != src.dtype || !dense(src) || (dense(dst) && dst.strides != src.strides))
    ready = laid_out(src, dst, crossing);
  if (same_run(dst, *ready)) return transfer_run(dst, *ready, non_blocking);
  if (!copies_strided(to, crossing)) return patch(dst, *ready);
  Ref<Tensor> landed = new_in_order_of(*ready, crossing, to);
  transfer_run(*landed, *ready, non_blocking && !to.is_host());
  copy_on_device(dst, *landed);
}

Ref<Tensor> pinned_if_there_is(Span shape, bp_dtype dtype, Device& d) {
  try {
    return new_pinned(shape, dtype, d);
  } catch (const Error& e) {
    if (e.status() != BP_OUT_OF_HOST_MEMORY) throw;
    return {};
  }
}

Ref<Tensor> row_major_copy(Tensor& src, bp_dtype dtype, Device& device) {
  Ref<Tensor> out = new_tensor(src.shape, dtype, device);
  copy_into(*out, src, /*non_blocking=*/false);
  return out;
}

}  // namespace

void copy_into(Tensor& dst, Tensor& given, bool non_blocking) {
  if (same_elements(dst, given)) return;
  // The caller sees to the way back.
  const Ref<Tensor> untraced = given.trace ? detach(given) : Ref<Tensor>{};
  Tensor& src = untraced ? *untraced : given;
  check_writable(dst);
  Ref<Tensor> wide = src.shape == dst.shape ? Ref<Tensor>::share(&src) : expand(src, dst.shape);
  if (dst.count == 0) return;
  Device& there = dst.device();
  if (&there == &src.device()) return copy_on_device(dst, *wide);
  const bool expands =
      src.dtype == dst.dtype ? copies_strided(there, src.dtype) : converts(there, src.dtype);
  if (src.count < dst.count && expands) {  // what is broadcast crosses once
    Ref<Tensor> narrow =
        to(src, there.value, BP_DTYPE_NONE, /*copy=*/false, non_blocking && !there.is_host());
    return copy_on_device(dst, *expand(*narrow, dst.shape));
  }
  copy_across(dst, *wide, non_blocking);
}

Ref<Tensor> to(Tensor& t, bp_device device, bp_dtype dtype, bool copy, bool non_blocking) {
  if (dtype != BP_DTYPE_NONE) check_dtype(dtype, "to");
  Device& target = device ? resolve_device(device) : t.device();
  const bp_dtype wanted = dtype == BP_DTYPE_NONE ? t.dtype : dtype;
  if (&target == &t.device() && wanted == t.dtype && !copy) return Ref<Tensor>::share(&t);
  // A copy to the host that may still be under way needs memory that the device writes by itself.
  Ref<Tensor> out;
  if (non_blocking && target.is_host() && t.device().pinned)
    out = pinned_if_there_is(t.shape, wanted, t.device());
  if (!out) out = new_in_order_of(t, wanted, target);
  copy_into(*out, t, non_blocking);
  return traced(
      t, std::move(out),
      copy && wanted == t.dtype && &target == &t.device() ? "CloneBackward0" : "ToCopyBackward0",
      // The gradient goes to where the operand is when it arrives.
      [](const Ref<Tensor>& g) { return g; });
}

Ref<Tensor> pin_memory(Tensor& t, Device& d) {
  const Device* has = t.storage->pinned_for;
  if (has && has->alive() && has->backend == d.backend) return Ref<Tensor>::share(&t);
  if (!t.device().is_host())
    fail(BP_INVALID_ARGUMENT, "cannot pin a tensor on {}, only dense CPU tensors can be pinned",
         t.device().label);
  Ref<Tensor> out = new_pinned(t.shape, t.dtype, d);
  copy_into(*out, t, /*non_blocking=*/false);
  return out;
}

Ref<Tensor> contiguous(Tensor& t) {
  if (t.contiguous) return Ref<Tensor>::share(&t);
  return traced(t, row_major_copy(t, t.dtype, t.device()), "CloneBackward0",
                [](const Ref<Tensor>& g) { return g; });
}

Ref<Tensor> clone(Tensor& t) {
  return to(t, 0, BP_DTYPE_NONE, /*copy=*/true, /*non_blocking=*/false);
}

namespace {
void only_read_unrecorded() {
  only_unrecorded("reading the values of a tensor",
                  "what they decide would be the same in each run");
}
}  // namespace

const void* values_in_place(Tensor& t) {
  if (!t.contiguous || !t.device().is_host()) return nullptr;
  ready_to_read(t);
  return t.data();
}

void read_host(Tensor& t, void* buffer, uint64_t bytes) {
  only_read_unrecorded();
  const auto wanted = static_cast<uint64_t>(t.count * dtype_bytes(t.dtype));
  if (bytes != wanted)
    fail(BP_INVALID_ARGUMENT, "read: the buffer has {} bytes, the tensor {} of {} has {}", bytes,
         format_shape(t.shape), dtype_name(t.dtype), wanted);
  if (!bytes) return;
  if (!buffer) fail(BP_INVALID_ARGUMENT, "buffer must not be NULL for {} bytes", bytes);
  if (const void* values = values_in_place(t)) {
    std::memcpy(buffer, values, bytes);
    return;
  }
  Ref<Tensor> host = borrow_tensor(buffer, t.shape, nullptr, t.dtype, nullptr, nullptr);
  copy_into(*host, t, /*non_blocking=*/false);
}

void write_host(Tensor& t, const void* buffer, uint64_t bytes) {
  const auto wanted = static_cast<uint64_t>(t.count * dtype_bytes(t.dtype));
  if (bytes != wanted)
    fail(BP_INVALID_ARGUMENT, "write: the buffer has {} bytes, the tensor {} of {} has {}", bytes,
         format_shape(t.shape), dtype_name(t.dtype), wanted);
  if (!bytes) return;
  if (!buffer) fail(BP_INVALID_ARGUMENT, "buffer must not be NULL for {} bytes", bytes);
  if (Tape::of_thread) Tape::of_thread->host_touches(t, "writing a tensor from host memory");
  const TapePause pause;
  Ref<Tensor> host =
      borrow_tensor(const_cast<void*>(buffer), t.shape, nullptr, t.dtype, nullptr, nullptr);
  copy_into(t, *host, /*non_blocking=*/false);
}

bp_value item(Tensor& t) {
  if (t.count != 1)
    fail(BP_INVALID_ARGUMENT, "a Tensor with {} elements cannot be converted to Scalar", t.count);
  const TraceSpan span(TraceSort::kCopy, "item");
  only_read_unrecorded();
  if (const void* value = values_in_place(t)) return read_element(t.dtype, value);
  char room[16] = {};
  read_host(t, room, static_cast<uint64_t>(dtype_bytes(t.dtype)));
  return read_element(t.dtype, room);
}

}  // namespace bp
