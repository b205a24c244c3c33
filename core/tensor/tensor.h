// SPDX-License-Identifier: Apache-2.0
// tensor.h: a Tensor is a counted Storage with an offset, a shape and strides. A view shares the
// storage and its version counter. The C handle bp_tensor is this struct, and bp::Tensor is another
// name for it. Whoever holds a Ref<Tensor> owns it. Only set_data changes shape and strides after
// construction; data and version change.
//
//   Ref<Tensor> zeros = new_tensor(Dims{2, 3}, BP_F32, cpu_device());
//   Ref<Tensor> row = select(*zeros, 0, 1);   // no data moves
#pragma once
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "c_api.h"
#include "core/backend/resolve.h"
#include "core/base/error.h"
#include "core/base/locks.h"
#include "core/base/object.h"
#include "core/base/recycled.h"
#include "core/device/device.h"
#include "core/value/dtype.h"
#include "core/value/shape.h"

namespace bp {

// defined in grad/autograd.h
struct Trace;
struct TraceDelete {
  void operator()(Trace* t) const noexcept;
};

// Who else works with a storage's memory. Only few storages have it.
struct StorageUses {
  std::mutex& mutex = leaf_mutexes.of(this);
  // of an accelerator's memory: other streams that were said to use it, each of which is held
  std::vector<Ref<Stream>> streams;
  Ref<Event> written;            // of host memory: the copy under way that writes it,
  std::vector<Ref<Event>> read;  // and those that read it
  uint64_t block = 0;            // its number in memory/holders.h, or 0
};

struct Storage final : Object, Recycled<Storage, Shelves::kStorage> {
  void* data = nullptr;
  uint64_t bytes = 0;
  Device* device = nullptr;
  Stream* stream = nullptr;  // whose pool the memory is of; nullptr when it is borrowed or pinned
  std::atomic<uint64_t> version{0};
  // borrowed memory is in no pool: this is its owner's callback
  void (*deleter)(void* user) = nullptr;
  void* user = nullptr;
  bool borrowed = false;
  std::atomic<StorageUses*> uses{nullptr};
  Device* pinned_for = nullptr;  // whose pinned memory it is; `device` is then the cpu

  // Is of somebody else's memory, or with `pins` of that device's pinned memory.
  Storage(Device& d, Device* pins) noexcept;
  // Holds a block of the stream's pool, or none for 0 bytes.
  Storage(Stream& s, uint64_t n)
      : Object(Tag::kStorage), data(s.pool->allocate(n)), bytes(n), device(s.device), stream(&s) {
    if (!data) [[unlikely]]
      device->n_guests.fetch_add(1, std::memory_order_relaxed);
  }
  bool used() const noexcept { return uses.load(std::memory_order_relaxed); }
  static void destroy(Storage* s) noexcept;
};

}  // namespace bp

struct bp_tensor final : bp::Object, bp::Recycled<bp_tensor, bp::Shelves::kTensor> {
  bp::Ref<bp::Storage> storage;
  int64_t offset = 0;
  bp_dtype dtype = BP_F32;
  bool contiguous = true;
  int64_t count = 0;  // numel
  bp::Dims shape, strides;
  std::unique_ptr<bp::Trace, bp::TraceDelete> trace;  // with it the tag is kTracedTensor

  bp_tensor() : Object(bp::Tag::kTensor) {}
  // Dense, over all of the storage.
  bp_tensor(bp::Ref<bp::Storage> s, bp_dtype t, int64_t n, const bp::Dims& sizes,
            const bp::Dims& steps)
      : Object(bp::Tag::kTensor),
        storage(std::move(s)),
        dtype(t),
        count(n),
        shape(sizes),
        strides(steps) {}
  // Revives one that the thread's cache kept (cached_tensor.h), except for its shape and strides.
  void renew(bp_dtype t, int64_t n) noexcept {
    tag = bp::Tag::kTensor;
    refs.store(1, std::memory_order_relaxed);
    offset = 0;
    dtype = t;
    contiguous = true;
    count = n;
  }
  static void destroy(bp_tensor* t) noexcept;

  bp::Device& device() const { return *storage->device; }
  uint32_t rank() const { return shape.size(); }
  char* data() const { return static_cast<char*>(storage->data) + offset * bp::dtype_bytes(dtype); }
};

namespace bp {

using Tensor = bp_tensor;

// Makes an uninitialised, row-major tensor. Throws on bad shapes, byte overflow
// and exhausted memory.
Ref<Tensor> new_tensor(Span shape, bp_dtype dtype, Device& device);
// Makes an uninitialised tensor of t's shape on its device. t must be contiguous, so that nothing
// is left to compute. A call that feels nanoseconds asks cached_tensor.h first.
Ref<Tensor> new_like(const Tensor& t, bp_dtype dtype);
// Makes a cpu tensor in memory that d copies to and from beside the program's work. Throws
// BP_UNSUPPORTED when d has none.
Ref<Tensor> new_pinned(Span shape, bp_dtype dtype, Device& d);
// Returns t itself when it is pinned for d's backend, else a copy that is.
Ref<Tensor> pin_memory(Tensor& t, Device& d);
// Notes that s uses t's memory, so that its next owner waits for what s has queued when t is
// released. Throws when s is of another backend than t's device.
void record_stream(Tensor& t, Stream& s);

// ---- copies under way to and from host memory (storage_uses.cc) ----
// Note that a copy queued before `done` writes, or reads, the storage.
void note_write(Storage& s, Ref<Event> done);
void note_read(Storage& s, const Ref<Event>& done);
// Notes in a profile who holds the storage.
void note_holder(Storage& s) noexcept;
void await_copies(Storage& s, bool readers_too);
// Whether the host may read t's memory, or with readers_too write it, without waiting. Throws what
// the copy that writes it met.
bool is_at_rest(const Tensor& t, bool readers_too);
// Waits until the host may read t's memory. Throws what the copy that writes it met.
[[gnu::always_inline]] inline void ready_to_read(const Tensor& t) {
  if (t.storage->used()) [[unlikely]]
    await_copies(*t.storage, /*readers_too=*/false);
}
[[gnu::always_inline]] inline void ready_to_write(const Tensor& t) {
  if (t.storage->used()) [[unlikely]]
    await_copies(*t.storage, /*readers_too=*/true);
}
// Returns a tensor over t's storage; nothing is checked.
Ref<Tensor> make_view(const Tensor& t, Span shape, Span strides, int64_t offset);
// Returns a contiguous tensor over all elements of t, which is contiguous; the shape has as many.
Ref<Tensor> make_dense_view(const Tensor& t, Span shape);
// Returns a tensor over somebody else's memory, of the host or of that device. The deleter is
// called when the last tensor over it is gone.
Ref<Tensor> borrow_tensor(void* data, Span shape, const int64_t* strides, bp_dtype dtype,
                          void (*deleter)(void*), void* user, Device& device = cpu_device());

// Makes t another look at from's storage, with its shape, dtype and device. The handle stays, and
// so does what automatic differentiation knows of it; what was saved of t for backward counts as
// written. No other thread may use t meanwhile.
void set_data(Tensor& t, const Tensor& from);
// Makes a parameter that has a device and a dtype but no shape yet. Only modules and set_data
// may use it.
Ref<Tensor> new_uninitialized(bp_dtype dtype, Device& device);
inline bool is_uninitialized(const Tensor& t) noexcept {
  return t.tag == Tag::kUninitializedTensor;
}

// The handle checks at the border: throws BP_INVALID_ARGUMENT for NULL or another type, and
// BP_BAD_STATE for another generation.
[[noreturn, gnu::cold]] void fail_handle(const bp_tensor* t, const char* what);
inline bool is_tensor_handle(const bp_tensor* t) noexcept {
  return t && (t->tag == Tag::kTensor || t->tag == Tag::kTracedTensor);
}
inline Tensor& checked(const bp_tensor* t, const char* what) {
  if (!is_tensor_handle(t) || t->born != generation() || !t->storage->device->alive()) [[unlikely]]
    fail_handle(t, what);
  return const_cast<Tensor&>(*t);
}

// What checked() looks at, as one comparison and without the device: whether that is alive is asked
// once for a whole call. No handle has it while some thread records a program.
[[gnu::always_inline]] inline uint64_t live_head(Tag tag = Tag::kTensor) noexcept {
  const uint32_t now = unrecorded_generation.load(std::memory_order_relaxed);
  return static_cast<uint64_t>(tag) | static_cast<uint64_t>(now) << 32;
}
[[gnu::always_inline]] inline bool has_head(const bp_tensor* t, uint64_t head) noexcept {
  static_assert(std::endian::native == std::endian::little);
  uint64_t own = 0;
  if (t) __builtin_memcpy(&own, static_cast<const Object*>(t), sizeof own);
  return own == head;
}

// ---- views (view.cc); errors have PyTorch's wording ----
Ref<Tensor> view(const Tensor& t, Span shape);
Ref<Tensor> permute(const Tensor& t, Span dims);
Ref<Tensor> transpose(const Tensor& t, int64_t dim0, int64_t dim1);
Ref<Tensor> slice(const Tensor& t, int64_t dim, int64_t start, int64_t end, int64_t step);
Ref<Tensor> narrow(const Tensor& t, int64_t dim, int64_t start, int64_t length);
Ref<Tensor> select(const Tensor& t, int64_t dim, int64_t index);
Ref<Tensor> expand(const Tensor& t, Span shape);
Ref<Tensor> squeeze(const Tensor& t, Span dims);
Ref<Tensor> unsqueeze(const Tensor& t, int64_t dim);
Ref<Tensor> flatten(const Tensor& t, int64_t first, int64_t last);
Ref<Tensor> diagonal(const Tensor& t, int64_t offset, int64_t dim1, int64_t dim2);
Ref<Tensor> flip(const Tensor& t, Span dims);
Ref<Tensor> as_strided(const Tensor& t, Span shape, Span strides, int64_t offset);
// As as_strided, of elements that are known to lie inside.
Ref<Tensor> strided(const Tensor& t, Span shape, Span strides, int64_t offset);
Ref<Tensor> alias(const Tensor& t);
// A view [..., 2] of the real and the imaginary parts, and back.
Ref<Tensor> view_as_real(const Tensor& t);
Ref<Tensor> view_as_complex(const Tensor& t);

// ---- copies (call/copy.cc) ----
Ref<Tensor> to(Tensor& t, bp_device device, bp_dtype dtype, bool copy, bool non_blocking);
void copy_into(Tensor& dst, Tensor& src, bool non_blocking);
Ref<Tensor> contiguous(Tensor& t);
Ref<Tensor> clone(Tensor& t);
Ref<Tensor> reshape(Tensor& t, Span shape);
// Throws when dst, which an op writes while it reads src, overlaps src without being
// the same elements.
void check_overlap(const Tensor& dst, const Tensor& src);
// Throws when several elements of dst are one in memory.
void check_writable(const Tensor& dst);
bool same_elements(const Tensor& a, const Tensor& b);
// Whether both have one dtype and shape and are dense in the same memory order: each is one
// run of elements.
bool same_run(const Tensor& a, const Tensor& b);

// ---- host access (call/copy.cc) ----
// The values themselves, up to date, where they lie side by side on the host; else null.
const void* values_in_place(Tensor& t);
void read_host(Tensor& t, void* buffer, uint64_t bytes);
void write_host(Tensor& t, const void* buffer, uint64_t bytes);
bp_value item(Tensor& t);

}  // namespace bp
