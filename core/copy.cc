// Copies between any two tensors. On one device: the backend's copy kernel, or a plain byte copy where both sides are
// dense in the same order. Between devices: bytes through the plugin's copy, converted and arranged on the host.
#include <cstring>

#include "core/base/half.h"
#include "core/invoke.h"
#include "core/tensor.h"
#include "core/transfer.h"

namespace bp {
namespace {

// Every element once, no gaps: memory order is some permutation of the dims.
bool dense(const Tensor& t) {
  if (t.contiguous) return true;
  const Extent e = extent(t.shape, t.strides);
  return e.low == 0 && e.high == t.count && !overlaps_itself(t.shape, t.strides);
}

// The same memory order on both sides: the bytes can move as one run.
bool same_run(const Tensor& a, const Tensor& b) {
  if (a.dtype != b.dtype || a.shape != b.shape) return false;
  return (a.contiguous && b.contiguous) || (a.strides == b.strides && dense(a));
}

void move_bytes(Tensor& dst, Tensor& src) {
  const auto bytes = static_cast<uint64_t>(dst.count * dtype_bytes(dst.dtype));
  Device &to = dst.device(), &from = src.device();
  Device& runs = to.is_host() ? from : to;
  const int32_t direction = to.is_host()     ? BP_COPY_DEVICE_TO_HOST
                            : from.is_host() ? BP_COPY_HOST_TO_DEVICE
                                             : BP_COPY_DEVICE_TO_DEVICE;
  Stream& stream = current_stream(runs);
  bp_error* err = nullptr;
  bp_status status = runs.backend->api.copy(stream.queue, dst.data(), src.data(), bytes, direction, &err);
  check_plugin(runs, status, err, "copy");
  if (&to != &from) synchronize(stream);  // the host's side must not change before
  if (&to != &from) count_transfer(from.value, to.value, bytes);
  dst.storage->version.fetch_add(1, std::memory_order_relaxed);
}

// Devices of one backend of which the source's streams write the other's memory.
bool reaches(const Device& from, const Device& to) {
  if (from.backend != to.backend) return false;
  const auto* peers = static_cast<const bp_peer_api*>(from.backend->api.extension(from.backend->plugin, "bp.peer/1"));
  return peers && peers->struct_size >= sizeof(bp_peer_api) && peers->reaches(from.handle, to.handle);
}

// In the source's current stream, between what the destination's has queued so far and what comes later; nobody waits.
void move_between_peers(Tensor& dst, Tensor& src) {
  Device &to = dst.device(), &from = src.device();
  const auto bytes = static_cast<uint64_t>(dst.count * dtype_bytes(dst.dtype));
  Stream &runs = current_stream(from), &reads = current_stream(to);
  order(reads, runs);
  bp_error* err = nullptr;
  check_plugin(from, from.backend->api.copy(runs.queue, dst.data(), src.data(), bytes, BP_COPY_DEVICE_TO_DEVICE, &err),
               err, "copy");
  order(runs, reads);
  record_stream(src, runs);
  record_stream(dst, runs);
  count_transfer(from.value, to.value, bytes);
  dst.storage->version.fetch_add(1, std::memory_order_relaxed);
}

// A kernel that takes strides, so that any layout can be copied where it is.
bool copies_strided(const Device& d, bp_dtype dtype) {
  const bp_kernel* k = d.backend->kernel(BP_OP_COPY, dtype);
  return k && !(k->flags & BP_KERNEL_CONTIGUOUS);
}

void copy_on_device(Tensor& dst, Tensor& src) {
  if (same_run(dst, src) && !src.device().backend->kernel(BP_OP_COPY, src.dtype)) {
    check_overlap(dst, src);
    return move_bytes(dst, src);
  }
  Ref<Tensor> out = Ref<Tensor>::share(&dst);
  const bp_value in = tensor_value(src);
  invoke(*find_op(BP_OP_COPY), {&in, 1}, {}, {&out, 1});
}

// The bytes t reaches, lowest to highest, as a 1-D tensor over its storage.
Ref<Tensor> reached(const Tensor& t) {
  const Extent e = extent(t.shape, t.strides);
  return make_view(t, Dims{e.high - e.low}, Dims{1}, t.offset + e.low);
}

// t's elements in host memory, under t's own shape and strides.
Ref<Tensor> fetch(Tensor& t) {
  Ref<Tensor> run = reached(t);
  Ref<Tensor> host = new_tensor(run->shape, t.dtype, cpu_device());
  if (host->count) move_bytes(*host, *run);
  return make_view(*host, t.shape, t.strides, t.offset - run->offset);
}

Ref<Tensor> row_major_copy(Tensor& src, bp_dtype dtype, Device& device) {
  Ref<Tensor> out = new_tensor(src.shape, dtype, device);
  copy_into(*out, src, /*non_blocking=*/false);
  return out;
}

// Host tensor of dst's shape -> dst on a device.
void send(Tensor& dst, Tensor& host) {
  Ref<Tensor> ready = Ref<Tensor>::share(&host);
  if (!same_run(dst, host)) {
    if (dst.contiguous) {
      ready = row_major_copy(host, dst.dtype, cpu_device());
    } else if (copies_strided(dst.device(), dst.dtype)) {
      ready = row_major_copy(host, dst.dtype, cpu_device());
      Ref<Tensor> staged = new_tensor(dst.shape, dst.dtype, dst.device());
      move_bytes(*staged, *ready);
      return copy_on_device(dst, *staged);
    } else {  // read, change and write back the stretch that holds dst
      Ref<Tensor> image = fetch(dst);
      copy_into(*image, host, /*non_blocking=*/false);
      Ref<Tensor> from = reached(*image), into = reached(dst);
      return move_bytes(*into, *from);
    }
  }
  move_bytes(dst, *ready);
}

void copy_across(Tensor& dst, Tensor& src) {
  if (same_run(dst, src) && (dst.device().is_host() || src.device().is_host())) return move_bytes(dst, src);
  if (reaches(src.device(), dst.device())) {  // arranged and converted where it is, moved as one run
    Ref<Tensor> ready = Ref<Tensor>::share(&src);
    if (!same_run(dst, src)) ready = row_major_copy(src, dst.dtype, src.device());
    if (same_run(dst, *ready)) return move_between_peers(dst, *ready);
    Ref<Tensor> landed = new_tensor(dst.shape, dst.dtype, dst.device());
    move_between_peers(*landed, *ready);
    return copy_on_device(dst, *landed);
  }
  Ref<Tensor> host = src.device().is_host() ? Ref<Tensor>::share(&src) : fetch(src);
  if (dst.device().is_host()) return copy_on_device(dst, *host);
  send(dst, *host);
}

// A new tensor in t's memory order where t is dense (PyTorch's preserve_format), else row-major.
Ref<Tensor> new_in_order_of(const Tensor& t, bp_dtype dtype, Device& device) {
  if (t.contiguous || !dense(t)) return new_tensor(t.shape, dtype, device);
  Ref<Tensor> flat = new_tensor(Dims{t.count}, dtype, device);
  return make_view(*flat, t.shape, t.strides, 0);
}

bp_value integer_item(bp_dtype dtype, const char* p) {
  auto as = [p]<class T>(T v) {
    std::memcpy(&v, p, sizeof v);
    return number(static_cast<int64_t>(v));
  };
  switch (dtype) {
    case BP_U8: return as(uint8_t{});
    case BP_I8: return as(int8_t{});
    case BP_U16: return as(uint16_t{});
    case BP_I16: return as(int16_t{});
    case BP_U32: return as(uint32_t{});
    case BP_I32: return as(int32_t{});
    default: return as(int64_t{});
  }
}

}  // namespace

void copy_into(Tensor& dst, Tensor& src, bool /*non_blocking*/) {
  if (same_elements(dst, src)) return;
  check_writable(dst);
  Ref<Tensor> wide = src.shape == dst.shape ? Ref<Tensor>::share(&src) : expand(src, dst.shape);
  if (dst.count == 0) return;
  if (&dst.device() == &src.device()) return copy_on_device(dst, *wide);
  copy_across(dst, *wide);
}

Ref<Tensor> to(Tensor& t, bp_device device, bp_dtype dtype, bool copy, bool non_blocking) {
  if (dtype != BP_DTYPE_NONE) check_dtype(dtype, "to");
  Device& target = device ? resolve_device(device) : t.device();
  const bp_dtype wanted = dtype == BP_DTYPE_NONE ? t.dtype : dtype;
  if (&target == &t.device() && wanted == t.dtype && !copy) return Ref<Tensor>::share(&t);
  Ref<Tensor> out = new_in_order_of(t, wanted, target);
  copy_into(*out, t, non_blocking);
  return out;
}

Ref<Tensor> contiguous(Tensor& t) {
  return t.contiguous ? Ref<Tensor>::share(&t) : row_major_copy(t, t.dtype, t.device());
}

Ref<Tensor> clone(Tensor& t) { return to(t, 0, BP_DTYPE_NONE, /*copy=*/true, /*non_blocking=*/false); }

void read_host(Tensor& t, void* buffer, uint64_t bytes) {
  const auto wanted = static_cast<uint64_t>(t.count * dtype_bytes(t.dtype));
  if (bytes != wanted)
    fail(BP_INVALID_ARGUMENT, "read: the buffer has {} bytes, the tensor {} of {} has {}", bytes, format_shape(t.shape),
         dtype_name(t.dtype), wanted);
  if (!bytes) return;
  if (!buffer) fail(BP_INVALID_ARGUMENT, "buffer must not be NULL for {} bytes", bytes);
  if (t.contiguous && t.device().is_host()) {
    std::memcpy(buffer, t.data(), bytes);
    return;
  }
  Ref<Tensor> host = borrow_tensor(buffer, t.shape, nullptr, t.dtype, nullptr, nullptr);
  copy_into(*host, t, /*non_blocking=*/false);
}

void write_host(Tensor& t, const void* buffer, uint64_t bytes) {
  const auto wanted = static_cast<uint64_t>(t.count * dtype_bytes(t.dtype));
  if (bytes != wanted)
    fail(BP_INVALID_ARGUMENT, "write: the buffer has {} bytes, the tensor {} of {} has {}", bytes, format_shape(t.shape),
         dtype_name(t.dtype), wanted);
  if (!bytes) return;
  if (!buffer) fail(BP_INVALID_ARGUMENT, "buffer must not be NULL for {} bytes", bytes);
  Ref<Tensor> host = borrow_tensor(const_cast<void*>(buffer), t.shape, nullptr, t.dtype, nullptr, nullptr);
  copy_into(t, *host, /*non_blocking=*/false);
}

bp_value item(Tensor& t) {
  if (t.count != 1)
    fail(BP_INVALID_ARGUMENT, "a Tensor with {} elements cannot be converted to Scalar", t.count);
  if (is_complex(t.dtype)) fail(BP_UNSUPPORTED, "item: {} does not fit in a real number", dtype_name(t.dtype));
  char room[8] = {};
  read_host(t, room, static_cast<uint64_t>(dtype_bytes(t.dtype)));
  uint16_t half;
  float f32;
  double f64;
  std::memcpy(&half, room, sizeof half);
  std::memcpy(&f32, room, sizeof f32);
  std::memcpy(&f64, room, sizeof f64);
  switch (t.dtype) {
    case BP_F16: return number(static_cast<double>(f16_to_float(half)));
    case BP_BF16: return number(static_cast<double>(bf16_to_float(half)));
    case BP_F32: return number(static_cast<double>(f32));
    case BP_F64: return number(f64);
    default: break;
  }
  bp_value v = integer_item(t.dtype == BP_BOOL ? BP_U8 : t.dtype, room);
  if (t.dtype == BP_BOOL) v.kind = BP_VALUE_BOOL;
  return v;
}

}  // namespace bp
