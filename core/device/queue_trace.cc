// SPDX-License-Identifier: Apache-2.0
#include "core/device/queue_trace.h"

#include <algorithm>
#include <chrono>
#include <list>
#include <mutex>
#include <new>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/base/locks.h"
#include "core/device/device.h"
#include "core/device/plugin_call.h"

namespace bp {
namespace {

// An event of a queue and the host's time at which it passed.
struct Anchor {
  Stream* stream;
  Ref<Event> event;
  int64_t at;
  std::string name;  // of the queue
  uint32_t lane;
};
struct Pending {
  Ref<Event> first, last;
  Stream* stream;
  TraceSort sort;
  std::string name;
  std::shared_ptr<const QueueNote> note;
};
// Guarded by a leaf mutex, but for what an anchor holds: the one thread that settles has that.
struct Queues {
  std::list<Pending> pending;
  std::list<Anchor> anchors;
  bool settles = false, closed = false;
  uint64_t epoch = 0;  // how many times they were forgotten
};
Queues& queues() {
  alignas(Queues) static unsigned char room[sizeof(Queues)];
  static Queues& all = *new (room) Queues;  // needs no memory
  return all;
}
std::mutex& queues_mutex() { return leaf_mutexes.of(&queues()); }

constexpr size_t kMostPending = 64;    // beyond, what has passed is handed in: events are few
constexpr size_t kMostWaiting = 4096;  // beyond, nothing more is seen until some has passed
constexpr double kFarMs = 1000;        // beyond, a driver's float loses digits: the anchor moves

// Returns false when the device is gone or does not tell.
bool elapsed(Event& from, Event& to, double* ms) noexcept {
  const DeviceCall inside(*from.device, std::nothrow);
  return inside && from.event && to.event &&
         call_plugin<&bp_plugin_api::event_elapsed>(from.device->backend->api, from.event, to.event,
                                                    ms, nullptr) == BP_OK;
}

int64_t ns(double ms) { return static_cast<int64_t>(ms * 1e6); }

// Ties the queue to the host's clock: an event passes between its recording and the end of a wait
// for it. Of some tries the shortest is the best. Throws when the device does not answer.
Anchor anchored(Stream& s) {
  const TraceMute unseen;
  synchronize(s);
  Ref<Event> best;
  int64_t at = 0, shortest = INT64_MAX;
  for (int i = 0; i < 5; ++i) {
    const int64_t before = trace_clock();
    Ref<Event> event = mark(s);
    synchronize(*event);
    const int64_t length = trace_clock() - before;
    if (length >= shortest) continue;
    shortest = length;
    at = before + length / 2;
    best = std::move(event);
  }
  size_t ordinal = 0;
  {
    const std::lock_guard lock(s.device->streams.mutex);
    const auto& all = s.device->streams.all;
    while (ordinal < all.size() && all[ordinal].get() != &s) ++ordinal;
  }
  std::string name = ordinal ? fmt::format("stream {}", ordinal) : "default stream";
  const uint32_t lane = trace_lane(s.device->label, name);
  return {&s, std::move(best), at, std::move(name), lane};
}

void hand_in(std::span<Anchor* const> anchors, Pending& p) {
  const auto found = std::find_if(anchors.begin(), anchors.end(),
                                  [&](const Anchor* a) { return a->stream == p.stream; });
  if (found == anchors.end()) return;
  Anchor* const a = *found;
  double begin = 0, length = 0;
  if (!elapsed(*a->event, *p.first, &begin) || !elapsed(*p.first, *p.last, &length)) return;
  TraceRecord record;
  record.lane = a->lane;
  record.sort = p.sort;
  record.begin = a->at + ns(begin);
  record.end = record.begin + ns(length);
  record.name = std::move(p.name);
  if (p.note) {
    record.lane = trace_lane("host", fmt::format("{}, {}", p.note->lane, a->name));
    record.says = p.note->says;
    record.failed = p.note->failed;
  }
  if (begin > kFarMs) {
    a->at = record.begin;
    a->event = std::move(p.first);
  }
  keep_record(std::move(record));
}

}  // namespace

// Meets the queue where that is new. Returns false where nothing is to be seen of it: another
// profile runs by now, or none.
bool QueueSpan::is_met(Stream& s, uint64_t* epoch) {
  if (s.device->is_host() || TraceMute::is_on()) return false;
  Queues& q = queues();
  {
    const std::lock_guard lock(queues_mutex());
    if (q.closed) return false;
    *epoch = q.epoch;
    for (const Anchor& a : q.anchors)
      if (a.stream == &s) return true;
  }
  std::list<Anchor> one;
  one.push_back(anchored(s));
  const std::lock_guard lock(queues_mutex());
  if (q.epoch != *epoch) return false;
  q.anchors.splice(q.anchors.end(), one);
  return true;
}

void QueueSpan::meet(Stream& s) noexcept {
  uint64_t epoch = 0;
  try {
    is_met(s, &epoch);
  } catch (...) {  // its spans are not seen
  }
}

// A device that cannot be asked has no lane.
void QueueSpan::begin(Stream& s, TraceSort sort, std::string_view name) noexcept {
  try {
    if (!is_met(s, &epoch_)) return;
    bool full = false;
    {
      const std::lock_guard lock(queues_mutex());
      full = queues().pending.size() >= kMostWaiting;
    }
    if (full) return count_dropped(/*spans=*/1, /*blocks=*/0);
    first_ = mark(s);
    stream_ = &s;
    sort_ = sort;
    name_ = name;
  } catch (...) {
    first_ = {};
  }
}

void QueueSpan::end() noexcept {
  size_t n = 0;
  try {
    std::list<Pending> one;
    one.push_back({std::move(first_), mark(*stream_), stream_, sort_, std::string(name_),
                   note_ ? *note_ : nullptr});
    const std::lock_guard lock(queues_mutex());
    if (!keeps_profile() || queues().epoch != epoch_) return;
    queues().pending.splice(queues().pending.end(), one);
    n = queues().pending.size();
  } catch (...) {
    return;
  }
  if (n > kMostPending) settle_queues(Settle::kPassed);
}

namespace {

// Makes this thread the one that settles, and takes what is pending. Returns false where another
// one settles and is not to be waited for.
bool begin_settling(bool wait, std::list<Pending>& mine, std::vector<Anchor*>& anchors) {
  for (;;) {
    {
      const std::lock_guard lock(queues_mutex());
      Queues& q = queues();
      if (!q.settles) {
        for (Anchor& a : q.anchors) anchors.push_back(&a);
        mine.swap(q.pending);
        return q.settles = true;
      }
    }
    if (!wait) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

// Returns whether it has passed.
bool passes(Event& e, Settle how, std::chrono::steady_clock::time_point deadline) noexcept {
  if (how == Settle::kAll) {
    await_event(e, nullptr);
    return true;
  }
  while (!has_passed(e)) {
    if (how == Settle::kPassed || std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return true;
}

}  // namespace

void settle_queues(Settle how) noexcept {
  std::list<Pending> mine;
  std::vector<Anchor*> anchors;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  try {
    if (!begin_settling(how != Settle::kPassed, mine, anchors)) return;
  } catch (const std::bad_alloc&) {
    return;
  }
  while (!mine.empty() && passes(*mine.front().last, how, deadline)) {
    try {
      hand_in(anchors, mine.front());
    } catch (const std::bad_alloc&) {
      // It is not seen.
    }
    mine.pop_front();
  }
  const std::lock_guard lock(queues_mutex());
  queues().pending.splice(queues().pending.begin(), mine);
  queues().settles = false;
}

void forget_queues() noexcept {
  std::list<Pending> pending;  // die after the lock is released
  std::list<Anchor> anchors;
  for (bool done = false; !done;) {
    {
      const std::lock_guard lock(queues_mutex());
      if (!queues().settles) {
        pending.swap(queues().pending);
        anchors.swap(queues().anchors);
        ++queues().epoch;
        done = true;
      }
    }
    if (!done) std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

void close_queues() noexcept {
  {
    const std::lock_guard lock(queues_mutex());
    queues().closed = true;
  }
  settle_queues(Settle::kSoon);
  forget_queues();
}

// Their events are of a driver that the child does not have, so that nobody looks at them again.
void forget_queues_in_child() noexcept {
  alignas(Queues) static unsigned char room[sizeof(Queues)];
  static Queues& of_parent = *new (room) Queues;
  of_parent.pending.splice(of_parent.pending.end(), queues().pending);
  of_parent.anchors.splice(of_parent.anchors.end(), queues().anchors);
  queues().settles = false;
}

}  // namespace bp
