// SPDX-License-Identifier: Apache-2.0
// storage_uses.cc: who else works with a storage; declared in tensor.h. For an accelerator's memory
// these are other streams, of which its next owner must know. For host memory they are copies under
// way: what reads it through the library waits for the copy that writes it, and what writes it
// waits for those that read it too. Only pinned memory is used so, because other host memory is
// copied while the caller waits.
#include <algorithm>

#include "core/base/error.h"
#include "core/device/device.h"
#include "core/memory/holders.h"
#include "core/tensor/tensor.h"

namespace bp {
namespace {

StorageUses& uses_of(Storage& s) {
  StorageUses* uses = s.uses.load(std::memory_order_acquire);
  if (uses) return *uses;
  auto fresh = std::make_unique<StorageUses>();
  if (s.uses.compare_exchange_strong(uses, fresh.get(), std::memory_order_acq_rel))
    uses = fresh.release();
  return *uses;
}

}  // namespace

// Where there is no memory for a note, the copy is waited for instead, which was queued already.
void note_write(Storage& s, Ref<Event> done) {
  try {
    StorageUses& uses = uses_of(s);
    const std::lock_guard lock(uses.mutex);
    std::swap(uses.written, done);
  } catch (const std::bad_alloc&) {
    synchronize(*done);
  }
}

void note_read(Storage& s, const Ref<Event>& done) {
  try {
    StorageUses& uses = uses_of(s);
    const std::lock_guard lock(uses.mutex);
    std::erase_if(uses.read, [](const Ref<Event>& e) { return has_passed(*e); });
    uses.read.push_back(done);
  } catch (const std::bad_alloc&) {
    synchronize(*done);
  }
}

void note_holder(Storage& s) noexcept {
  if (!s.bytes || TraceMute::is_on()) return;
  const uint64_t block = begin_block(s.device->label, s.bytes);
  if (!block) return;
  try {
    uses_of(s).block = block;
  } catch (const std::bad_alloc&) {
    end_block(block);
  }
}

void await_copies(Storage& s, bool readers_too) {
  if (!s.device->is_host()) return;
  StorageUses& uses = *s.uses.load(std::memory_order_acquire);
  Ref<Event> written;
  std::vector<Ref<Event>> read;
  {
    const std::lock_guard lock(uses.mutex);
    written = uses.written;
    if (readers_too) read.swap(uses.read);
  }
  for (const Ref<Event>& e : read)  // a device that failed reads nothing any more
    if (e->device->alive()) await_event(*e, nullptr);
  if (!written) return;
  synchronize(*written);  // stays noted when this fails: what should be there never came
  const std::lock_guard lock(uses.mutex);
  if (uses.written.get() == written.get()) uses.written = {};
}

bool is_at_rest(const Tensor& t, bool readers_too) {
  Storage& s = *t.storage;
  if (!s.used() || !s.device->is_host()) return true;
  {
    StorageUses& uses = *s.uses.load(std::memory_order_acquire);
    const std::lock_guard lock(uses.mutex);
    if (uses.written && is_pending(*uses.written)) return false;
    if (readers_too)
      for (const Ref<Event>& e : uses.read)
        if (is_pending(*e)) return false;
  }
  await_copies(s, readers_too);  // waits for nobody now
  return true;
}

void record_stream(Tensor& t, Stream& s) {
  Storage& storage = *t.storage;
  if (s.device->backend != storage.device->backend)
    fail(BP_DEVICE_MISMATCH, "a tensor on {} cannot be used by a stream of {}",
         storage.device->label, s.device->label);
  if (storage.borrowed || &s == storage.stream) return;
  StorageUses& uses = uses_of(storage);
  const std::lock_guard lock(uses.mutex);
  for (const Ref<Stream>& known : uses.streams)
    if (known.get() == &s) return;
  uses.streams.push_back(Ref<Stream>::share(&s));
}

}  // namespace bp
