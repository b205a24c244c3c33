// SPDX-License-Identifier: Apache-2.0
// exchange_trace.h: an exchange in a profile, from the plugin's begin to its end. A group has a
// lane in which its exchanges follow each other, and further ones for messages, of which several
// may be under way at once. While no profile runs that costs a branch at each end. The engine's
// thread. An exchange between devices is as long as its stream is about it, which the device tells
// (queue_trace.h), in a lane of its own.
//
//   ExchangeSpan span;
//   if (keeps_profile()) span.begin(/*lane=*/0);   // the plugin is about to begin it
//   span.end(*work, /*failed=*/false);             // it is over
#pragma once
#include <cstdint>
#include <memory>

#include "core/device/queue_trace.h"
#include "core/group/membership.h"
#include "core/process/trace.h"

namespace bp {

class ExchangeSpan {
 public:
  // lane: 0 for the group's own, else which of those for messages, from 1. The members' claims come
  // before an exchange and belong to it: a second call changes nothing.
  void begin(uint32_t lane) noexcept {
    if (began_) return;
    began_ = trace_clock();
    lane_ = lane;
  }
  // Hands it in, once. The profile that runs has it, unless that began later than the exchange.
  void end(const Work& w, bool failed) noexcept {
    if (began_) [[unlikely]]
      hand_in(w, failed);
  }
  // 0 for what is no message, or began while no profile ran.
  uint32_t lane() const noexcept { return lane_; }

 private:
  void hand_in(const Work& w, bool failed) noexcept;

  int64_t began_ = 0;  // ns, of the monotonic clock; 0: nothing is to be handed in
  uint32_t lane_ = 0;
};

// What a profile says of an exchange of this device. Throws bad_alloc.
std::shared_ptr<QueueNote> note_of(const Work& w, const Device& d);

}  // namespace bp
