// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/tensor.h"

#include <memory>

#include "core/memory/holders.h"
#include "core/process/trace.h"
#include "core/tensor/cached_tensor.h"
#include "core/tensor/tape.h"

namespace bp {
namespace {

// Puts what the named streams do now before anything that the memory's next owner does.
void await_streams(Storage& s, const StorageUses& uses) noexcept {
  for (const Ref<Stream>& user : uses.streams) {
    if (!s.device->alive() || !user->device->alive()) continue;
    try {
      order(*user, *s.stream);
    } catch (const std::exception&) {
      // A device that failed runs nothing any more. Where no event could be made, the caller waits.
      await_queue(*user, nullptr);
    }
  }
}

// Gives pinned memory back when the copies that use it are done.
void give_back_pinned(Storage& s, StorageUses* uses) noexcept {
  if (!s.pinned_for->alive() || !s.data) return;
  std::vector<Ref<Event>> marks;
  if (uses) {
    marks = std::move(uses->read);
    try {
      if (uses->written) marks.push_back(std::move(uses->written));
    } catch (const std::bad_alloc&) {
      await_event(*uses->written, nullptr);
    }
  }
  s.pinned_for->pinned->free_after(s.data, s.bytes, std::move(marks));
}

}  // namespace

namespace {

// A device that was closed, or lost in a fork, took its blocks along.
void give_to_pool(Storage& s) noexcept {
  if (!s.data)
    s.device->n_guests.fetch_sub(1, std::memory_order_release);
  else if (s.device->alive()) [[likely]]
    s.stream->pool->free(s.data, s.bytes);
  else
    s.device->n_late.fetch_add(1, std::memory_order_release);
}

// Gives back memory that is not the pool's, or that others use too.
[[gnu::noinline]] void give_back(Storage& s) noexcept {
  const std::unique_ptr<StorageUses> uses(s.uses.load(std::memory_order_acquire));
  if (uses && uses->block) end_block(uses->block);
  if (s.borrowed) {
    await_before_release(*s.device, /*others=*/false);  // the owner may reuse it at once
    if (s.deleter) s.deleter(s.user);
    s.device->n_guests.fetch_sub(1, std::memory_order_release);
  } else if (s.pinned_for) {
    give_back_pinned(s, uses.get());
    s.pinned_for->n_guests.fetch_sub(1, std::memory_order_release);
    s.device->n_guests.fetch_sub(1, std::memory_order_release);
  } else {
    if (s.data && s.device->alive()) await_streams(s, *uses);
    give_to_pool(s);
  }
}

}  // namespace

Storage::Storage(Device& d, Device* pins) noexcept
    : Object(Tag::kStorage), device(&d), borrowed(!pins), pinned_for(pins) {
  d.n_guests.fetch_add(1, std::memory_order_relaxed);
  if (pins) pins->n_guests.fetch_add(1, std::memory_order_relaxed);
}

void Storage::destroy(Storage* s) noexcept {
  if (s->borrowed || s->pinned_for || s->uses.load(std::memory_order_acquire)) [[unlikely]]
    give_back(*s);
  else
    give_to_pool(*s);
  s->tag = Tag::kDead;
  delete s;
}

namespace {

// Fills in sizes, strides and count in one pass. Returns true when the plain checks must look
// again, and say what is wrong if anything is.
bool fill_row_major(Tensor& t, Span shape) {
  const auto rank = static_cast<uint32_t>(shape.size());
  if (rank > BP_MAX_RANK) return true;
  t.shape.resize_for_overwrite(rank);
  t.strides.resize_for_overwrite(rank);
  int64_t step = 1;
  bool odd = false;
  for (uint32_t i = rank; i-- > 0;) {
    const int64_t size = shape[i];
    t.shape[i] = size;
    t.strides[i] = step;
    odd |= size <= 0 || __builtin_mul_overflow(step, size, &step);
  }
  t.count = step;
  return odd;
}

// The same for shapes that fill_row_major does not take.
void fill_plainly(Tensor& t, Span shape) {
  t.count = numel(shape);
  t.strides = contiguous_strides(shape);
}

// Returns 0 when there are no elements, or more bytes than a thread's cache takes.
uint64_t small_bytes(Span shape, bp_dtype dtype) {
  auto bytes = static_cast<uint64_t>(dtype_bytes(dtype));
  if (shape.size() > kInlineRank) return 0;
  for (const int64_t size : shape) {
    if (size < 0 || size > int64_t{ThreadCache::kMostBytes}) return 0;
    bytes *= static_cast<uint64_t>(size);
    if (bytes > ThreadCache::kMostBytes) return 0;
  }
  return bytes;
}

[[gnu::always_inline]] inline Ref<Storage> new_storage(int64_t count, bp_dtype dtype,
                                                       Device& device) {
  return Ref<Storage>::adopt(
      new Storage(current_stream(device), static_cast<uint64_t>(count * dtype_bytes(dtype))));
}

}  // namespace

thread_local constinit Tape* Tape::of_thread = nullptr;

namespace {
[[gnu::always_inline]] inline Ref<Tensor> announced(Ref<Tensor> t) {
  if (Tape::of_thread) [[unlikely]]
    Tape::of_thread->made(*t->storage);
  if (keeps_profile()) [[unlikely]]
    note_holder(*t->storage);
  return t;
}
}  // namespace

Ref<Tensor> new_tensor(Span shape, bp_dtype dtype, Device& device) {
  if (const uint64_t bytes = small_bytes(shape, dtype))
    if (Tensor* kept = take_cached(current_stream(device), bytes)) {
      fill_row_major(*kept, shape);
      kept->renew(dtype, kept->count);
      return announced(Ref<Tensor>::adopt(kept));
    }
  auto t = Ref<Tensor>::adopt(new Tensor);
  if (fill_row_major(*t, shape) || t->count >= int64_t{1} << 58) {
    checked_bytes(shape, dtype_bytes(dtype));
    fill_plainly(*t, shape);
  }
  t->dtype = dtype;
  t->storage = new_storage(t->count, dtype, device);
  return announced(std::move(t));
}

Ref<Tensor> new_pinned(Span shape, bp_dtype dtype, Device& d) {
  if (!d.pinned) fail(BP_UNSUPPORTED, "{} has no pinned memory", d.label);
  const uint64_t bytes = checked_bytes(shape, dtype_bytes(dtype));
  auto storage = Ref<Storage>::adopt(new Storage(cpu_device(), &d));
  storage->data = d.pinned->allocate_block(bytes);
  storage->bytes = bytes;
  auto t = Ref<Tensor>::adopt(new Tensor);
  t->shape = Dims(shape);
  fill_plainly(*t, shape);
  t->dtype = dtype;
  t->storage = std::move(storage);
  return announced(std::move(t));
}

Ref<Tensor> new_like(const Tensor& like, bp_dtype dtype) {
  Ref<Storage> storage = new_storage(like.count, dtype, like.device());
  return announced(Ref<Tensor>::adopt(
      new Tensor(std::move(storage), dtype, like.count, like.shape, like.strides)));
}

namespace {
// Its shape and strides are still to be set.
[[gnu::always_inline]] inline Ref<Tensor> new_view(const Tensor& t, int64_t offset) {
  auto v = Ref<Tensor>::adopt(new Tensor);
  v->storage = t.storage;
  v->born = t.born;
  v->offset = offset;
  v->dtype = t.dtype;
  return v;
}
}  // namespace

Ref<Tensor> make_view(const Tensor& t, Span shape, Span strides, int64_t offset) {
  Ref<Tensor> v = new_view(t, offset);
  v->count = numel(shape);
  v->contiguous = is_contiguous(shape, strides);
  v->shape.assign(shape);
  v->strides.assign(strides);
  return v;
}

Ref<Tensor> make_dense_view(const Tensor& t, Span shape) {
  Ref<Tensor> v = new_view(t, t.offset);
  if (fill_row_major(*v, shape)) fill_plainly(*v, shape);
  return v;
}

Ref<Tensor> borrow_tensor(void* data, Span shape, const int64_t* strides, bp_dtype dtype,
                          void (*deleter)(void*), void* user, Device& device) {
  const Dims steps = strides ? Dims(Span(strides, shape.size())) : contiguous_strides(shape);
  const Extent reach = checked_extent(shape, steps, dtype_bytes(dtype));
  if (!data && reach.high > reach.low)
    fail(BP_INVALID_ARGUMENT, "data must not be NULL for shape {}", format_shape(shape));
  auto storage = Ref<Storage>::adopt(new Storage(device, /*pins=*/nullptr));
  storage->data = static_cast<char*>(data) + reach.low * dtype_bytes(dtype);
  storage->bytes = static_cast<uint64_t>((reach.high - reach.low) * dtype_bytes(dtype));
  auto t = Ref<Tensor>::adopt(new Tensor);
  t->offset = -reach.low;
  t->dtype = dtype;
  t->count = numel(shape);
  t->contiguous = is_contiguous(shape, steps);
  t->shape = Dims(shape);
  t->strides = steps;
  storage->deleter = deleter;
  storage->user = user;
  t->storage = std::move(storage);
  return t;
}

Ref<Tensor> new_uninitialized(bp_dtype dtype, Device& device) {
  const int64_t nothing = 0;
  Ref<Tensor> t = new_tensor({&nothing, 1}, dtype, device);
  t->tag = Tag::kUninitializedTensor;
  return t;
}

void set_data(Tensor& t, const Tensor& from) {
  if (&t == &from) return;
  // It becomes higher than any version of t that was saved, so that backward notices.
  const uint64_t before = t.storage->version.load(std::memory_order_relaxed);
  std::atomic<uint64_t>& version = from.storage->version;
  if (t.storage.get() != from.storage.get() && version.load(std::memory_order_relaxed) <= before)
    version.store(before + 1, std::memory_order_relaxed);
  t.storage = from.storage;
  t.offset = from.offset;
  t.dtype = from.dtype;
  t.contiguous = from.contiguous;
  t.count = from.count;
  t.shape = from.shape;
  t.strides = from.strides;
  t.tag = t.trace ? Tag::kTracedTensor : Tag::kTensor;
}

void fail_handle(const bp_tensor* t, const char* what) {
  if (!t) fail(BP_INVALID_ARGUMENT, "{} must not be NULL", what);
  if (t->tag == Tag::kUninitializedTensor && t->born == generation())
    fail(BP_BAD_STATE,
         "Attempted to use an uninitialized parameter in {}. This error happens when you are "
         "using a LazyModule or explicitly manipulating uninitialized parameters. When using "
         "LazyModules call forward with a dummy batch to initialize the parameters before calling "
         "functions on them",
         what);
  if (!is_tensor_handle(t)) fail(BP_INVALID_ARGUMENT, "{} is not a tensor handle", what);
  if (t->born != generation())
    fail(BP_BAD_STATE, "{} was made before the runtime was shut down; it can only be released",
         what);
  const Device& d = *t->storage->device;
  fail(BP_BAD_STATE, "{} is on {}, which was {}; it can only be released", what, d.label,
       why_closed(d));
}

}  // namespace bp

// Flattened, so that the storage's end is inlined: both put what they were onto
// the thread's shelves.
[[gnu::flatten]] void bp_tensor::destroy(bp_tensor* t) noexcept {
  t->tag = bp::Tag::kDead;
  if (bp::put_cached(*t)) return;
  delete t;
}
