// SPDX-License-Identifier: Apache-2.0
#include "core/tensor/transfer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "core/base/error.h"
#include "core/device/plugin_call.h"
#include "core/device/queue_trace.h"
#include "core/process/transfer_statistics.h"
#include "core/tensor/tape.h"

namespace bp {
namespace {

// A piece of pinned memory holds so many bytes of a run.
constexpr uint64_t kPiece = uint64_t{4} << 20;
constexpr size_t kUnderWay = 2;  // pieces of a run at once

const char* name_of_copy(int32_t direction) {
  return direction == BP_COPY_HOST_TO_DEVICE   ? "copy from the host"
         : direction == BP_COPY_DEVICE_TO_HOST ? "copy to the host"
                                               : "copy";
}

// A label has no character that JSON escapes.
std::string quoted_label(const Device& d) { return '"' + d.label + '"'; }

struct Run {
  char *dst, *src;
  uint64_t bytes;
};

void queue(Stream& s, void* dst, const void* src, uint64_t bytes, int32_t direction) {
  const DeviceCall inside(*s.device);
  const QueueSpan span(&s, TraceSort::kCopy, name_of_copy(direction));
  bp_error* err = nullptr;
  const bp_status status = call_plugin<&bp_plugin_api::copy>(s.device->backend->api, s.queue, dst,
                                                             src, bytes, direction, &err);
  check_plugin(*s.device, status, err, "copy");
}

// Marks what was just queued. When no mark can be had it waits, so that the memory may go
// when it throws.
Ref<Event> seal(Stream& s) {
  try {
    return mark(s);
  } catch (...) {
    await_queue(s, nullptr);
    throw;
  }
}

// A piece of pinned memory, given back when the copies that use it are done.
class Piece {
 public:
  Piece(PinnedMemory& memory, uint64_t bytes) : memory_(memory), bytes_(bytes) {
    marks_.reserve(2);  // for the copies of a relay; what is under way must not go unmarked
    p_ = memory.allocate_block(bytes);
  }
  ~Piece() { memory_.free_after(p_, bytes_, std::move(marks_)); }
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;
  void* get() const { return p_; }
  // Notes that work queued in s uses the piece.
  void used_by(Stream& s) { marks_.push_back(seal(s)); }
  const Ref<Event>& last() const { return marks_.back(); }

 private:
  PinnedMemory& memory_;
  uint64_t bytes_;
  void* p_ = nullptr;
  std::vector<Ref<Event>> marks_;
};

bool pinned_for(const Tensor& t, const Device& d) {
  const Device* owner = t.storage->pinned_for;
  return owner && owner->backend == d.backend && owner->alive();
}

// Returns false when there was not enough pinned memory; what had been copied is then copied again.
template <class F>
bool unless_exhausted(F&& moves) {
  try {
    moves();
    return true;
  } catch (const Error& e) {
    if (e.status() != BP_OUT_OF_HOST_MEMORY) throw;
    return false;
  }
}

// Copies through pinned memory. The bytes have left src when this returns.
void send_staged(Stream& s, const Run& run) {
  std::array<Ref<Event>, kUnderWay> under_way;
  for (uint64_t at = 0, i = 0; at < run.bytes; at += kPiece, ++i) {
    const uint64_t n = std::min(kPiece, run.bytes - at);
    Ref<Event>& earlier = under_way[i % kUnderWay];
    // so that a long run takes no more memory than its pieces under way
    if (earlier) synchronize(*earlier);
    Piece piece(*s.device->pinned, n);
    std::memcpy(piece.get(), run.src + at, n);
    queue(s, run.dst + at, piece.get(), n, BP_COPY_HOST_TO_DEVICE);
    piece.used_by(s);
    earlier = piece.last();
  }
}

// Returns whether the caller waited for the device.
bool send(Tensor& dst, Tensor& src, const Run& run, bool non_blocking) {
  Stream& s = current_stream(dst.device());
  ready_to_read(src);
  if (pinned_for(src, dst.device())) {
    queue(s, run.dst, run.src, run.bytes, BP_COPY_HOST_TO_DEVICE);
    const Ref<Event> done = seal(s);
    note_read(*src.storage, done);
    if (!non_blocking) synchronize(*done);
    return !non_blocking;
  }
  if (dst.device().pinned && unless_exhausted([&] { send_staged(s, run); })) return false;
  queue(s, run.dst, run.src, run.bytes, BP_COPY_HOST_TO_DEVICE);
  synchronize(s);
  return true;
}

bool receive(Tensor& dst, Tensor& src, const Run& run, bool non_blocking) {
  Stream& s = current_stream(src.device());
  ready_to_write(dst);
  const bool waits = !non_blocking || !pinned_for(dst, src.device());
  if (!waits) record_stream(src, s);
  queue(s, run.dst, run.src, run.bytes, BP_COPY_DEVICE_TO_HOST);
  if (waits)
    synchronize(s);
  else
    note_write(*dst.storage, seal(s));
  return waits;
}

// Queues the copy in the source's current stream, after what the destination's has queued so far
// and before what comes later. Nobody waits. The tensors know of the stream before the copy is
// queued, so that their memory waits for it also when what follows fails.
void transfer_between_peers(Tensor& dst, Tensor& src, const Run& run) {
  Stream &runs = current_stream(src.device()), &reads = current_stream(dst.device());
  record_stream(src, runs);
  record_stream(dst, runs);
  order(reads, runs);
  queue(runs, run.dst, run.src, run.bytes, BP_COPY_DEVICE_TO_DEVICE);
  order(runs, reads);
}

// Copies down in pieces; while one is on its way down, the one before goes up.
void relay(Tensor& dst, Tensor& src, const Run& run) {
  Stream &down = current_stream(src.device()), &up = current_stream(dst.device());
  PinnedMemory& memory = *src.device().pinned;
  // devices of one backend share pinned memory
  const bool both = src.device().backend == dst.device().backend;
  std::unique_ptr<Piece> under_way;
  uint64_t sent = 0;
  const auto send_up = [&] {
    const uint64_t n = std::min(kPiece, run.bytes - sent);
    synchronize(*under_way->last());
    if (both) {
      queue(up, run.dst + sent, under_way->get(), n, BP_COPY_HOST_TO_DEVICE);
      under_way->used_by(up);
    } else {
      send_staged(up, {run.dst + sent, static_cast<char*>(under_way->get()), n});
    }
    under_way.reset();
    sent += n;
  };
  for (uint64_t at = 0; at < run.bytes; at += kPiece) {
    const uint64_t n = std::min(kPiece, run.bytes - at);
    auto piece = std::make_unique<Piece>(memory, n);
    queue(down, piece->get(), run.src + at, n, BP_COPY_DEVICE_TO_HOST);
    piece->used_by(down);
    if (under_way) send_up();
    under_way = std::move(piece);
  }
  send_up();
}

bool reaches(const Device& from, const Device& to) {
  if (from.backend != to.backend || !from.peers) return false;
  const DeviceCall inside(from), other(to);
  return call_plugin<&bp_peer_api::reaches>(*from.peers, from.handle, to.handle);
}

// Copies through ordinary host memory, which the caller holds while it waits.
void transfer_through_host(Tensor& dst, Tensor& src, const Run& run) {
  const Ref<Tensor> host = new_tensor(src.shape, src.dtype, cpu_device());
  receive(*host, src, {host->data(), run.src, run.bytes}, /*non_blocking=*/false);
  send(dst, *host, {run.dst, host->data(), run.bytes}, /*non_blocking=*/false);
}

// Returns whether the caller waited for a device.
bool transfer_between(Tensor& dst, Tensor& src, const Run& run, bool non_blocking) {
  Device &to = dst.device(), &from = src.device();
  if (from.is_host() && to.is_host()) {
    ready_to_read(src);
    ready_to_write(dst);
    std::memcpy(run.dst, run.src, run.bytes);
    return false;
  }
  if (from.is_host()) return send(dst, src, run, non_blocking);
  if (to.is_host()) return receive(dst, src, run, non_blocking);
  if (reaches(from, to)) {
    transfer_between_peers(dst, src, run);
    return false;
  }
  if (!from.pinned || !unless_exhausted([&] { relay(dst, src, run); }))
    transfer_through_host(dst, src, run);
  return true;
}

}  // namespace

void transfer_run(Tensor& dst, Tensor& src, bool non_blocking) {
  const DeviceCall reads(src.device()), writes(dst.device());  // until the waits for it are done
  const Run run{dst.data(), src.data(), static_cast<uint64_t>(dst.count * dtype_bytes(dst.dtype))};
  Device &to = dst.device(), &from = src.device();
  TraceSpan span(TraceSort::kCopy, "copy");
  if (span) {
    span.say("from", quoted_label(from));
    span.say("to", quoted_label(to));
    span.say("bytes", std::to_string(run.bytes));
  }
  if (!calls_act()) [[unlikely]] {
    // It is only recorded.
  } else if (&to == &from) {
    queue(current_stream(to), run.dst, run.src, run.bytes, BP_COPY_DEVICE_TO_DEVICE);
  } else {
    const bool waited = transfer_between(dst, src, run, non_blocking);
    count_transfer(from.value, to.value, run.bytes, waited);
  }
  dst.storage->version.fetch_add(1, std::memory_order_relaxed);
  if (Tape::of_thread) [[unlikely]]
    Tape::of_thread->transferred(dst, src);
}

}  // namespace bp
