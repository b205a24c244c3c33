// SPDX-License-Identifier: Apache-2.0
// queue_trace.h: what an accelerator's queues do, in a profile: an event before and one after what
// is queued, whose distance the device tells. When a profile first meets a queue it waits for it,
// to tie its lane to the host's clock, and may be wrong by half of what such a wait takes. Any
// thread.
//
//   const QueueSpan span(&stream, TraceSort::kCopy, "copy");   // what is queued in this scope
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <string_view>

#include "core/device/stream.h"
#include "core/process/trace.h"

namespace bp {

// What is known beside the times of something that a queue does. It then stands in a lane of the
// host, "<lane>, stream 1", and not in the queue's.
struct QueueNote {
  std::string lane, says;           // `says`: members of a JSON object
  std::atomic<bool> failed{false};  // set before the queue goes on
};

class QueueSpan {
 public:
  // Of no stream it is none. What `note` points to lives as long as the span.
  QueueSpan(Stream* s, TraceSort sort, std::string_view name,
            const std::shared_ptr<QueueNote>* note = nullptr) noexcept {
    if (keeps_profile() && s) [[unlikely]] {
      note_ = note;
      begin(*s, sort, name);
    }
  }
  ~QueueSpan() {
    if (first_) [[unlikely]]
      end();
  }
  QueueSpan(const QueueSpan&) = delete;
  QueueSpan& operator=(const QueueSpan&) = delete;
  // Has the profile meet the queue here, for whoever may not wait for it where the span begins.
  static void meet(Stream& s) noexcept;

 private:
  static bool is_met(Stream& s, uint64_t* epoch);
  void begin(Stream& s, TraceSort sort, std::string_view name) noexcept;
  void end() noexcept;

  Stream* stream_ = nullptr;
  uint64_t epoch_ = 0;  // of the queues' books
  TraceSort sort_{};
  std::string_view name_;  // lives as long as the span
  const std::shared_ptr<QueueNote>* note_ = nullptr;
  Ref<Event> first_;
};

// Hands in what queues have done and the profile has not yet: what has passed; that and, for at
// most two seconds, what is about to; or all, which waits as long as it takes.
enum class Settle : uint8_t { kPassed, kSoon, kAll };
void settle_queues(Settle how) noexcept;
// Lets go of whatever is not handed in, and of the queues: their devices are about to close.
void forget_queues() noexcept;
// The process ends, and devices are not asked any more.
void close_queues() noexcept;
// A forked child has nothing to hand in.
void forget_queues_in_child() noexcept;

}  // namespace bp
