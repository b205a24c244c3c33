// SPDX-License-Identifier: Apache-2.0
#include "core/io/dlpack.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <type_traits>

#include "core/backend/device_map.h"
#include "core/backend/registry.h"
#include "core/device/plugin_call.h"
#include "core/grad/autograd.h"
#include "core/process/device_kind.h"
#include "core/process/runtime.h"
#include "core/tensor/tape.h"

namespace bp {
namespace {

using dlpack::Array;

static_assert(sizeof(Array) == 48 && sizeof(DLManagedTensor) == 64 &&
              sizeof(DLManagedTensorVersioned) == 80);
static_assert(offsetof(DLManagedTensorVersioned, array) == 32 &&
              offsetof(DLManagedTensorVersioned, flags) == 24);

template <class Managed>
constexpr bool kVersioned = std::is_same_v<Managed, DLManagedTensorVersioned>;

dlpack::Type type_of(bp_dtype t) {
  return {kDtypeCodes[t].dlpack, static_cast<uint8_t>(8 * dtype_bytes(t)), 1};
}

bp_dtype dtype_of(dlpack::Type wanted) {
  for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t) {
    const dlpack::Type d = type_of(t);
    if (d.code == wanted.code && d.bits == wanted.bits && wanted.lanes == 1) return t;
  }
  fail(BP_UNSUPPORTED, "from_dlpack: a DLPack type of code {}, {} bits and {} lanes is not known",
       +wanted.code, +wanted.bits, wanted.lanes);
}

// Whether the device's addresses mean nothing to other libraries.
bool is_extension(const Device& d) {
  return d.flags & BP_DEVICE_SIMULATED || bp_device_kind(d.value) >= BP_KIND_DYNAMIC;
}

dlpack::Device number_of(const Device& d) {
  if (bp_device_kind(d.value) == BP_KIND_CPU) return {dlpack::kCpu, 0};
  return {is_extension(d) ? +dlpack::kExtension : bp_device_kind(d.value), d.physical};
}

// ---- out ----

// The struct that goes out, over a handle of its own, so that nobody gives it other data.
template <class Managed>
struct Export {
  Managed managed{};
  Ref<Tensor> tensor;

  // Whoever had it may have queued work that uses the memory.
  static void destroy(Managed* m) {
    auto* e = static_cast<Export*>(m->owner);
    await_before_release(e->tensor->device(), /*others=*/true);
    delete e;
  }
};

// ---- in ----

template <class Managed>
void give_back(void* user) {
  auto* m = static_cast<Managed*>(user);
  if (m->deleter) m->deleter(m);
}

struct Memory {
  void* first;
  uint64_t bytes;
};

bool owns(const Device& d, const Memory& m) {
  const DeviceCall inside(d, std::nothrow);
  return inside && (m.bytes == 0 ||
                    call_plugin<&bp_foreign_api::owns>(*d.foreign, d.handle, m.first, m.bytes));
}

// Returns the open extension device whose memory it is; only an open one has any.
Device& extension_device(int32_t id, const Memory& m) {
  Device* found = nullptr;
  each_open_device([&](Device& d) {
    if (!found && is_extension(d) && d.physical == id && d.foreign && owns(d, m)) found = &d;
  });
  if (!found)
    fail(BP_INVALID_ARGUMENT,
         "from_dlpack: {} is no memory of an extension device (DLPack's device type {}) {} of "
         "this program",
         m.first, +dlpack::kExtension, id);
  return *found;
}

int32_t logical_index(bp_kind kind, int32_t physical) {
  const std::lock_guard lock(loader_mutex());
  Backend& b = require_backend(kind);
  map_devices(b);
  if (physical < 0 || static_cast<size_t>(physical) >= b.physical.size())
    fail(BP_UNAVAILABLE, "from_dlpack: the memory is on {} device {}, of which there are {} here",
         b.name, physical, b.physical.size());
  const Physical& p = b.physical[static_cast<size_t>(physical)];
  if (p.logical < 0)
    fail(BP_UNAVAILABLE, "from_dlpack: the memory is on {} device {}, which is hidden: {}", b.name,
         physical, p.reason);
  return p.logical;
}

Device& device_of(const Array& a, const Memory& m) {
  const int32_t type = a.device.type == dlpack::kCudaManaged ? +dlpack::kCuda : a.device.type;
  if (type == dlpack::kCpu || type == dlpack::kCudaHost || type == dlpack::kRocmHost)
    return cpu_device();
  if (type == dlpack::kExtension) return extension_device(a.device.id, m);
  if (type < 0 || type >= BP_KIND_DYNAMIC || !kind_name(type))
    fail(BP_UNSUPPORTED, "from_dlpack: memory of DLPack's device type {} cannot be taken over",
         type);
  Device& d = resolve_device(bp_device_make(type, logical_index(type, a.device.id)));
  if (!d.foreign)
    fail(BP_UNSUPPORTED, "from_dlpack: {} takes over no memory that another library allocated",
         d.label);
  if (!owns(d, m))
    fail(BP_INVALID_ARGUMENT, "from_dlpack: {} is no memory of {}", m.first, d.label);
  return d;
}

Ref<Tensor> borrowed(const Array& a, void (*deleter)(void*), void* user) {
  if (a.rank < 0 || a.rank > BP_MAX_RANK)
    fail(BP_UNSUPPORTED, "from_dlpack: {} dimensions, at most {} are possible", a.rank,
         +BP_MAX_RANK);
  const bp_dtype dtype = dtype_of(a.type);
  if (a.rank && !a.shape)
    fail(BP_INVALID_ARGUMENT, "from_dlpack: {} dimensions without a shape", a.rank);
  const Span shape(a.shape, static_cast<size_t>(a.rank));
  const Dims strides = a.strides ? Dims(Span(a.strides, shape.size())) : contiguous_strides(shape);
  const int64_t item = dtype_bytes(dtype);
  const Extent reach = checked_extent(shape, strides, item);
  const auto bytes = static_cast<uint64_t>((reach.high - reach.low) * item);
  if (bytes && !a.data)
    fail(BP_INVALID_ARGUMENT, "from_dlpack: data must not be NULL for shape {}",
         format_shape(shape));
  // this is the first element's address, which need not be the lowest
  const uintptr_t first = reinterpret_cast<uintptr_t>(a.data) + a.offset_bytes;
  auto* const data = reinterpret_cast<void*>(first);
  if (bytes && first % static_cast<uintptr_t>(alignment_of(dtype)))
    fail(BP_UNSUPPORTED, "from_dlpack: the memory at {} is not aligned to its elements, {}", data,
         dtype_name(dtype));
  Device& device = device_of(
      a, {reinterpret_cast<void*>(first + static_cast<uintptr_t>(reach.low * item)), bytes});
  bp_error* err = nullptr;
  check_plugin(device, await_others(device, &err), err, "from_dlpack");
  return borrow_tensor(data, shape, strides.data(), dtype, deleter, user, device);
}

}  // namespace

dlpack::Device dlpack_device(const Tensor& t) { return number_of(t.device()); }

template <class Managed>
Managed* to_dlpack(Tensor& t, uint32_t flags) {
  if (flags & ~(BP_DLPACK_COPIED | BP_DLPACK_UNORDERED))
    fail(BP_INVALID_ARGUMENT, "to_dlpack: flags {:#x} are not known", flags);
  if (wants_grad(t))
    fail(BP_INVALID_ARGUMENT, "Can't export tensors that require gradient, use tensor.detach()");
  if (Tape::of_thread) Tape::of_thread->host_touches(t, "handing a tensor to another library");
  ready_to_write(t);
  if (!(flags & BP_DLPACK_UNORDERED)) synchronize(t.device());
  auto e = std::make_unique<Export<Managed>>();
  e->tensor = alias(t);
  Tensor& own = *e->tensor;
  e->managed.owner = e.get();
  e->managed.deleter = Export<Managed>::destroy;
  e->managed.array = {own.storage->data ? own.data() : nullptr,
                      dlpack_device(t),
                      static_cast<int32_t>(own.rank()),
                      type_of(own.dtype),
                      own.shape.data(),
                      own.strides.data(),
                      0};
  if constexpr (kVersioned<Managed>) {
    e->managed.major = dlpack::kMajor, e->managed.minor = dlpack::kMinor;
    e->managed.flags = flags & BP_DLPACK_COPIED ? +dlpack::kCopied : 0;
  }
  return &e.release()->managed;
}

template <class Managed>
Ref<Tensor> from_dlpack(Managed& m) {
  if constexpr (kVersioned<Managed>) {
    if (m.major != dlpack::kMajor)
      fail(BP_UNSUPPORTED, "from_dlpack: DLPack version {}.{} is not known, {} is", m.major,
           m.minor, dlpack::kMajor);
    if (m.flags & dlpack::kReadOnly)
      fail(BP_UNSUPPORTED, "from_dlpack: the memory is read-only; ask for a copy");
  }
  if (m.deleter == Export<Managed>::destroy) {  // it is one of ours that comes back
    auto* e = static_cast<Export<Managed>*>(m.owner);
    Ref<Tensor> t = alias(checked(e->tensor.get(), "from_dlpack: the tensor"));
    delete e;
    return t;
  }
  return borrowed(m.array, give_back<Managed>, &m);
}

template DLManagedTensor* to_dlpack(Tensor&, uint32_t);
template DLManagedTensorVersioned* to_dlpack(Tensor&, uint32_t);
template Ref<Tensor> from_dlpack(DLManagedTensor&);
template Ref<Tensor> from_dlpack(DLManagedTensorVersioned&);

}  // namespace bp
