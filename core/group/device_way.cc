// SPDX-License-Identifier: Apache-2.0
#include "core/group/device_way.h"

#include <algorithm>
#include <system_error>
#include <thread>

#include "core/device/collective.h"
#include "core/device/plugin_call.h"
#include "core/device/thread_cache.h"
#include "core/group/driver.h"
#include "core/group/engine.h"
#include "core/group/exchange_trace.h"
#include "core/group/quiet_thread.h"
#include "core/process/runtime.h"

namespace bp {
namespace {

using std::chrono::milliseconds;

constexpr auto kPoll = milliseconds(10);  // of what is under way
constexpr auto kFirstLookAfter = milliseconds(1000), kNextLookAfter = milliseconds(500);
constexpr auto kOvertaken = milliseconds(5000);  // longer than opening takes behind the first
constexpr char kClosed[] = "the device of the exchange was closed";

// All ways of the process. Never destroyed.
struct Ways {
  std::mutex& mutex = leaf_mutexes.of(this);
  std::list<std::weak_ptr<DeviceWay>> all;
  std::list<std::weak_ptr<DeviceWay>> of_parent;  // in a forked child, where nobody looks at them
};
Ways& ways = *new Ways;

// Unlike has_passed, not of what a lost device had to do: check() hears of that, and it is aborted.
bool has_ended(Event& e) noexcept {
  const DeviceCall inside(*e.device, std::nothrow);
  return !inside || call_plugin<&bp_plugin_api::event_query>(e.device->backend->api, e.event,
                                                             nullptr) == BP_OK;
}

}  // namespace

// ---- opening ----

DeviceWay::DeviceWay(Membership& m, Device& d, const bp_wide_api& api, std::string library)
    : member_(m), api_(api), first_device_(&d), device_(&d), library_(std::move(library)) {}

DeviceWay::~DeviceWay() { end(); }

std::shared_ptr<DeviceWay> DeviceWay::make(Membership& m, Device& d, const bp_wide_api& api,
                                           std::string library) {
  auto way = std::make_shared<DeviceWay>(m, d, api, std::move(library));
  const std::lock_guard lock(ways.mutex);
  std::erase_if(ways.all, [](const std::weak_ptr<DeviceWay>& w) { return w.expired(); });
  ways.all.push_back(way);
  return way;
}

void DeviceWay::open(const bp_wide_id& id) {
  Device& d = *first_device_;
  const DeviceCall inside(d);
  bp_error* err = nullptr;
  bp_pwide* made = nullptr;
  bp_status status = BP_OK;
  collectives(*d.backend).take_turn([&] {
    status = call_plugin<&bp_wide_api::open>(api_, d.handle, &id, member_.about.rank,
                                             member_.about.size, &made, &err);
  });
  if (status < 0) throw_taken(status, err, 0, kWithoutReason);
  bp_error_release(err);
  if (!made) fail(BP_INTERNAL, "{}: open succeeded without a communicator", library_);
  {
    const std::lock_guard lock(life_mutex_);
    handle_ = made;
  }
  await_ready(made);
  for (bp_reduce_op o = 0; o < BP_REDUCE_MEAN; ++o)
    dtypes_[o] = call_plugin<&bp_wide_api::dtypes>(api_, made, o);
  is_open_ = true;
}

// A member that failed to open goes on to say so, and the others do not wait for it for ever.
void DeviceWay::await_ready(bp_pwide* handle) {
  const auto look = Ref<Work>::adopt(new Work);
  look->claim.kind = kUseDevice;
  look->claim.operation = -1;
  look->claim.number = member_.standing->n_called;
  const auto deadline = deadline_after(member_.timeout_ns);
  auto next_look = Clock::now() + kFirstLookAfter;
  Clock::time_point overtaken{};
  for (;;) {
    bp_error* err = nullptr;
    const bp_status status = call_plugin<&bp_wide_api::ready>(api_, handle, &err);
    if (status == BP_OK) return;
    if (status != BP_NOT_READY) throw_taken(status, err, 0, kWithoutReason);
    if (!member_.works()) member_.fail_broken();
    const auto now = Clock::now();
    if (now > deadline) fail(BP_UNAVAILABLE, "{} was not open in time", library_);
    if (overtaken != Clock::time_point{} && now > overtaken + kOvertaken)
      fail(BP_CANCELLED, "{} did not open with the others", library_);
    if (now >= next_look) {
      member_.look_after(*look, /*is_late=*/false);
      if (overtaken == Clock::time_point{} && member_.is_overtaken(look->claim.number))
        overtaken = now;
      next_look = Clock::now() + kNextLookAfter;
    }
    std::this_thread::sleep_for(milliseconds(1));
  }
}

void DeviceWay::watch(const std::shared_ptr<DeviceWay>& way, const std::shared_ptr<Membership>& m) {
  const WithoutSignals here;
  try {
    std::thread([way, m] { way->look_after_all(m); }).detach();
  } catch (const std::system_error& e) {
    fail(BP_OUT_OF_HOST_MEMORY, "the thread of a device's exchanges cannot be started: {}",
         e.code().message());
  }
}

// ---- exchanges ----

// Where members check each other, their claims go first, through the hosts, behind a barrier.
void DeviceWay::agree(Work& w) {
  const auto first = Ref<Work>::adopt(new Work);
  first->member = w.member;
  first->claim = w.claim;
  first->what = {sizeof(bp_exchange), BP_EXCHANGE_BARRIER, 0, BP_U8, 0, 0, 0, nullptr, nullptr};
  member_.post(first);
  member_.await(*first);
  w.claim.number = first->claim.number;
}

void DeviceWay::begin(const Ref<Work>& w) {
  if (member_.about.checks)
    agree(*w);
  else
    member_.count_call(*w);
  Device& d = *first_device_;
  const DeviceCall inside(d);
  check();
  drop_passed();
  release_passed();
  if (keeps_profile()) [[unlikely]] {
    QueueSpan::meet(current_stream(d));
    w->seen = note_of(*w, d);
  }
  collectives(*d.backend).take_turn(d, [&](Stream& s) { queue(w, s); });
  w->deliver();
  if (!d.synchronous) return;
  synchronize(current_stream(d));
  member_.is_over(*w);
}

// The work is listed first: the library may wait for the others before it queues anything. It stays
// listed when something fails, because an exchange may be under way whose end nobody can tell: who
// looks after them then aborts it.
void DeviceWay::queue(const Ref<Work>& w, Stream& s) {
  if (!member_.works()) member_.fail_broken();
  if (!handle_) fail(BP_BAD_STATE, kClosed);
  {
    const std::lock_guard lock(mutex_);
    if (pending_.empty()) first_since_ = Clock::now();
    pending_.push_back(w);
    woken_ = true;
    changed_.notify_all();
  }
  try {
    exchange(*w, s);
    Ref<Event> queued = mark(s);
    const std::lock_guard lock(mutex_);
    w->queued = std::move(queued);
    return;
  } catch (const Error& e) {
    member_.break_off_here(e.status(), e.message(), e.flags());
  } catch (const std::bad_alloc&) {
    member_.break_off_here(BP_OUT_OF_HOST_MEMORY, "host memory exhausted");
  }
  wake();
  member_.fail_broken();
}

void DeviceWay::exchange(const Work& w, Stream& s) {
  const QueueSpan span(w.seen ? &s : nullptr, TraceSort::kExchange, exchange_name(w.claim.kind),
                       &w.seen);
  if (!w.what.count) return;
  bp_error* err = nullptr;
  const bp_status status =
      call_plugin<&bp_wide_api::exchange>(api_, handle_, &w.what, s.queue, &err);
  if (status < 0) {
    if (w.seen) w.seen->failed = true;
    throw_taken(status, err, 0, kWithoutReason);
  }
  bp_error_release(err);
}

// The group's first failure counts: an exchange that was aborted has another sentence.
void DeviceWay::break_with(bp_status status, bp_error* err) noexcept {
  try {
    std::string text = bp_error_message(err, nullptr);
    if (text.empty()) text = kWithoutReason;
    member_.break_off_here(status, text, BP_ERROR_FROM_PLUGIN);
  } catch (const std::bad_alloc&) {
    member_.break_off_here(BP_OUT_OF_HOST_MEMORY, "no memory");
  }
  bp_error_release(err);
  wake();
}

// An exchange whose stream goes on after an abort is not over: fail_pending came before.
void DeviceWay::settle_passed(Work& w) noexcept {
  if (has_ended(*w.queued) && !aborted_) member_.settle(w, Work::kOver, BP_OK, "");
}

// Who looks after exchanges must not release them: to give memory back may wait for a stream, and
// this for an exchange that only he ends.
void DeviceWay::drop_passed() {
  const std::lock_guard lock(mutex_);
  while (!pending_.empty() && pending_.front()->queued && has_ended(*pending_.front()->queued)) {
    settle_passed(*pending_.front());
    passed_.splice(passed_.end(), pending_, pending_.begin());
    first_since_ = Clock::now();
  }
}

void DeviceWay::release_passed() {
  std::list<Ref<Work>> passed;  // ends behind the lock
  const std::lock_guard lock(mutex_);
  passed.swap(passed_);
}

void DeviceWay::fail_pending() noexcept {
  drop_passed();
  std::list<Ref<Work>> left;
  {
    const std::lock_guard lock(mutex_);
    left.swap(pending_);
  }
  for (const Ref<Work>& w : left) {
    if (w->seen) w->seen->failed = true;
    try {
      if (member_.works())
        member_.settle(*w, Work::kFailed, BP_BAD_STATE, kClosed);
      else
        member_.settle(*w, Work::kFailed, member_.failure(), member_.why_broken(),
                       member_.failure_flags());
    } catch (const std::bad_alloc&) {
      member_.settle(*w, Work::kFailed, BP_OUT_OF_HOST_MEMORY, "");
    }
  }
  const std::lock_guard lock(mutex_);
  passed_.splice(passed_.end(), left);
}

// ---- looking after them ----

bool DeviceWay::is_at_rest() noexcept {
  drop_passed();
  const std::lock_guard lock(mutex_);
  return ended_ || pending_.empty();
}

void DeviceWay::wake() noexcept {
  const std::lock_guard lock(mutex_);
  woken_ = true;
  changed_.notify_all();
}

void DeviceWay::look_after_all(const std::shared_ptr<Membership>& m) noexcept {
  for (bool closing = false;;) {
    {
      std::unique_lock lock(mutex_);
      const auto awake = [&] { return woken_ || ended_; };
      if (pending_.empty() && !closing)
        changed_.wait(lock, awake);
      else
        changed_.wait_for(lock, kPoll, awake);
      if (ended_) return;
      woken_ = false;
    }
    check();
    drop_passed();
    if (m->standing->state() == Standing::kBroken) {
      fail_pending();
      abort();
      release_passed();
    }
    look_after_first();
    {
      const std::lock_guard lock(m->mutex);
      closing = m->closing;
    }
    if (!closing || !is_at_rest()) continue;
    end();
    wake_engine();
    return;
  }
}

// Exchanges of a stream come one after the other, so that the first is the one that is late.
void DeviceWay::look_after_first() noexcept {
  Ref<Work> w;
  Clock::duration age{};
  {
    const std::lock_guard lock(mutex_);
    if (pending_.empty()) return;
    w = pending_.front();
    age = Clock::now() - first_since_;
  }
  const auto most = deadline_after(member_.timeout_ns) - Clock::now();
  if (age < kFirstLookAfter && age < most) return;
  if (Clock::now() < next_look_ && age < most) return;
  next_look_ = Clock::now() + kNextLookAfter;
  try {
    member_.look_after(*w, age >= most);
  } catch (const std::bad_alloc&) {
    member_.break_off_here(BP_OUT_OF_HOST_MEMORY, "host memory exhausted");
  }
}

// What went wrong in an exchange while it ran, or with the device.
void DeviceWay::check() noexcept {
  const DeviceCall inside(*first_device_, std::nothrow);
  bp_error* err = nullptr;
  bp_status status = BP_OK;
  {
    const std::lock_guard lock(life_mutex_);
    if (!inside || !handle_ || aborted_ || !member_.works()) return;
    status = call_plugin<&bp_wide_api::check>(api_, handle_, &err);
    if (status >= 0)
      status = call_plugin<&bp_plugin_api::stream_query>(first_device_->backend->api,
                                                         first_device_->main().queue, &err);
  }
  if (status < 0) return break_with(status, err);
  bp_error_release(err);
}

// ---- its end ----

void DeviceWay::abort() noexcept {
  const DeviceCall inside(*first_device_, std::nothrow);
  const std::lock_guard lock(life_mutex_);
  if (handle_ && !aborted_.exchange(true)) call_plugin<&bp_wide_api::abort>(api_, handle_);
}

void DeviceWay::end() noexcept {
  if (ends_.exchange(true)) {  // another thread is at it
    std::unique_lock lock(mutex_);
    return changed_.wait(lock, [&] { return ended_; });
  }
  const DeviceCall inside(*first_device_, std::nothrow);
  const bool at_rest = is_open_ && is_at_rest() && member_.standing->state() != Standing::kBroken;
  fail_pending();
  if (!at_rest) abort();
  if (inside)
    collectives(*first_device_->backend).take_turn([&]() noexcept {
      const std::lock_guard lock(life_mutex_);
      if (handle_) call_plugin<&bp_wide_api::close>(api_, std::exchange(handle_, nullptr));
    });
  release_passed();
  empty_thread_cache();  // as the engine does when the runtime ends
  device_ = nullptr;
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

void end_device_ways(const Backend& b) noexcept {
  for (;;) {
    std::shared_ptr<DeviceWay> one;
    {
      const std::lock_guard lock(ways.mutex);
      for (const std::weak_ptr<DeviceWay>& w : ways.all) {
        auto way = w.lock();
        const Device* const d = way ? way->device() : nullptr;
        if (d && d->backend == &b) one = std::move(way);
      }
    }
    if (!one) return;
    one->end();
  }
}

// Nothing of the parent's is freed, because a thread of it may have been at work there.
void lose_device_ways_in_child() noexcept { ways.of_parent.splice(ways.of_parent.end(), ways.all); }

}  // namespace bp
