// SPDX-License-Identifier: Apache-2.0
// copies.cc: blocks of memory, and copies between them.
#include <cstring>

#include "runtime.h"

namespace cuda_machine {
namespace {

void allocate(Runtime& r, void** out, uint64_t bytes) {
  if (!out) refuse(cudaErrorInvalidValue, "no place for the address");
  *out = nullptr;
  if (r.strikes(r.allocations, r.options.fail_alloc))
    refuse(cudaErrorMemoryAllocation, "CUDA_MACHINE_FAIL_ALLOC");
  if (bytes == 0) return;
  const int device = Runtime::current_ordinal();
  const uint64_t address = r.memory->allocate(device, bytes);
  if (address == 0)
    refuse(cudaErrorMemoryAllocation, std::to_string(bytes) + " bytes, of " +
                                          std::to_string(r.memory->size()) + " of which " +
                                          std::to_string(r.memory->used(device)) + " are used");
  const std::lock_guard lock(r.mutex);
  r.current().blocks.insert(address);
  *out = reinterpret_cast<void*>(address);
}

void release(Runtime& r, uint64_t address, bool pinned) {
  const machine::Block* block = r.memory->find(address);
  if (!block || block->begin != address || (block->device == machine::kHost) != pinned)
    refuse(cudaErrorInvalidValue,
           "freeing " + hex(address) + ", " + r.memory->describe(address, 1));
  const int owner = block->device;
  r.drain_users(owner);
  if (!pinned) r.device(owner).check();
  r.hazards->forget(address, block->size);
  if (!r.memory->release(owner, address))
    refuse(cudaErrorInvalidValue, "two threads free " + hex(address));
  if (pinned) return;
  const std::lock_guard lock(r.mutex);
  r.device(owner).blocks.erase(address);
}

// One end of a copy: in a block, or in memory that the runtime does not know, which is the host's.
struct End {
  machine::Block* block = nullptr;
  uint64_t address = 0;
  std::byte* bytes() const {
    return block ? block->bytes + (address - block->begin) : reinterpret_cast<std::byte*>(address);
  }
  uint8_t* written() const { return block->written + (address - block->begin); }
  bool on_device() const { return block && block->device != machine::kHost; }
};

End find(Runtime& r, const void* p, uint64_t n, const char* what) {
  const auto address = reinterpret_cast<uint64_t>(p);
  End end{r.memory->find(address), address};
  const bool known = end.block || r.memory->device_of(address) != machine::kHost;
  if (!p || (known && (!end.block || !end.block->holds(address, n))))
    refuse(cudaErrorInvalidValue, std::string(what) + " of " + std::to_string(n) + " bytes at " +
                                      hex(address) + ", " + r.memory->describe(address, n));
  return end;
}

// Whether each end is where the kind of the copy says that it is.
void check_kind(cudaMemcpyKind kind, const End& to, const End& from) {
  if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
    refuse(cudaErrorInvalidMemcpyDirection, "");
  if (kind == cudaMemcpyDefault) return;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  // A kernel reaches pinned memory as well as a device's.
  if ((to_device ? !to.block : to.on_device()) || (from_device ? !from.block : from.on_device()))
    refuse(cudaErrorInvalidValue, "the memory is not where the kind of the copy says");
}

void move(Runtime& r, const Ticket& ticket, const End& to, const End& from, const std::byte* bytes,
          uint64_t n) {
  if (from.block) r.hazards->touch(*r.memory, ticket, from.address, n, /*writes=*/false);
  if (to.block) r.hazards->touch(*r.memory, ticket, to.address, n, /*writes=*/true);
  if (from.on_device() && !to.on_device())
    if (const void* hole = std::memchr(from.written(), 0, n)) {
      const uint64_t at =
          from.address + static_cast<uint64_t>(static_cast<const uint8_t*>(hole) - from.written());
      throw machine::Fault(machine::kLaunchFailure,
                           "copy of " + std::to_string(n) + " bytes at " + hex(from.address) +
                               " to the host reads what was never written, at " + hex(at) + ", " +
                               r.memory->describe(at, 1));
    }
  std::memmove(to.bytes(), bytes, n);
  if (!to.on_device()) return;
  if (from.on_device())
    std::memmove(to.written(), from.written(), n);
  else
    std::memset(to.written(), 1, n);
}

void copy(Runtime& r, void* dst, const void* src, uint64_t n, cudaMemcpyKind kind,
          cudaStream_t handle, bool waits) {
  const auto s = r.stream(handle);
  r.device(s->device).check();
  if (n == 0) return;
  const End to = find(r, dst, n, "writing"), from = find(r, src, n, "reading");
  check_kind(kind, to, from);
  if (r.strikes(r.copies, r.options.fail_copy))
    refuse(cudaErrorInvalidValue, "CUDA_MACHINE_FAIL_COPY");
  // A pageable source is staged: it may change when the call returns.
  const bool staged = !from.block && to.on_device() && !waits;
  std::vector<std::byte> kept(staged ? n : 0);
  if (staged) std::memcpy(kept.data(), src, n);
  r.enqueue(*s, "copy", n, [&r, to, from, n, kept = std::move(kept)](const Ticket& ticket) {
    move(r, ticket, to, from, kept.empty() ? from.bytes() : kept.data(), n);
  });
  if (waits || !to.block || (!to.on_device() && !from.on_device())) r.synchronize(*s);
}

void fill(Runtime& r, void* dst, int value, uint64_t n, cudaStream_t handle) {
  const auto s = r.stream(handle);
  r.device(s->device).check();
  if (n == 0) return;
  const End to = find(r, dst, n, "filling");
  if (!to.block) refuse(cudaErrorInvalidValue, "filling the host's memory");
  r.enqueue(*s, "memset", n, [&r, to, n, value](const Ticket& ticket) {
    r.hazards->touch(*r.memory, ticket, to.address, n, /*writes=*/true);
    std::memset(to.bytes(), value, n);
    std::memset(to.written(), 1, n);
  });
}

}  // namespace
}  // namespace cuda_machine

using namespace cuda_machine;

extern "C" {

cudaError_t cudaMalloc(void** out, size_t bytes) {
  return call(kDevice, [&](Runtime& r) { allocate(r, out, bytes); });
}
cudaError_t cudaFree(void* p) {
  return call(kDevice, [&](Runtime& r) {
    if (p) release(r, reinterpret_cast<uint64_t>(p), false);
  });
}
cudaError_t cudaHostAlloc(void** out, size_t bytes, unsigned flags) {
  return call(kDevice, [&](Runtime& r) {
    if (flags & ~(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
      refuse(cudaErrorInvalidValue, "unknown flags");
    *out = nullptr;
    if (r.strikes(r.pinned, r.options.fail_pinned))
      refuse(cudaErrorMemoryAllocation, "CUDA_MACHINE_FAIL_PINNED");
    if (bytes == 0) return;
    *out = reinterpret_cast<void*>(r.memory->allocate(machine::kHost, bytes));
    if (!*out) refuse(cudaErrorMemoryAllocation, std::to_string(bytes) + " bytes of pinned memory");
  });
}
cudaError_t cudaMallocHost(void** out, size_t bytes) {
  return cudaHostAlloc(out, bytes, cudaHostAllocDefault);
}
cudaError_t cudaFreeHost(void* p) {
  return call(kDevice, [&](Runtime& r) {
    if (p) release(r, reinterpret_cast<uint64_t>(p), true);
  });
}

cudaError_t cudaMemGetInfo(size_t* left, size_t* total) {
  return call(kDevice, [&](Runtime& r) {
    *total = r.memory->size();
    *left = *total - r.memory->used(Runtime::current_ordinal());
  });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* out, const void* p) {
  return call(kDevice, [&](Runtime& r) {
    *out = {};
    out->device = -2;  // as CUDA says of memory that it does not know: cudaInvalidDeviceId
    const machine::Block* block = r.memory->find(reinterpret_cast<uint64_t>(p));
    out->type = cudaMemoryTypeUnregistered;
    if (!block) {
      out->hostPointer = const_cast<void*>(p);
      return;
    }
    const bool pinned = block->device == machine::kHost;
    out->type = pinned ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
    out->device = pinned ? Runtime::current_ordinal() : block->device;
    out->devicePointer = const_cast<void*>(p);
    out->hostPointer = pinned ? const_cast<void*>(p) : nullptr;
  });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t n, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  return call(kRuntime, [&](Runtime& r) { copy(r, to, from, n, kind, stream, /*waits=*/false); });
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t n, cudaMemcpyKind kind) {
  return call(kDevice, [&](Runtime& r) {
    copy(r, to, from, n, kind, nullptr, /*waits=*/kind != cudaMemcpyDeviceToDevice);
  });
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device,
                                size_t n, cudaStream_t stream) {
  return call(kRuntime, [&](Runtime& r) {
    r.device(to_device), r.device(from_device);
    copy(r, to, from, n, cudaMemcpyDeviceToDevice, stream, /*waits=*/false);
  });
}
cudaError_t cudaMemsetAsync(void* p, int value, size_t n, cudaStream_t stream) {
  return call(kRuntime, [&](Runtime& r) { fill(r, p, value, n, stream); });
}
cudaError_t cudaMemset(void* p, int value, size_t n) {
  return cudaMemsetAsync(p, value, n, nullptr);
}
}
