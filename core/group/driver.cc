// SPDX-License-Identifier: Apache-2.0
#include "core/group/driver.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "core/device/plugin_call.h"
#include "core/group/device_way.h"

namespace bp {
namespace {

using Deadline = GroupClock::time_point;

constexpr const char* kNoReason = "the group's library failed without saying why";
// How long whoever waits has to find out who is late.
constexpr auto kToFindOut = std::chrono::seconds(5);

}  // namespace

// Exchanges that were given up or failed: their memory may be read and written as long as the
// process lives.
std::list<GroupDriver::Kept>& GroupDriver::kept_for_ever = *new std::list<GroupDriver::Kept>;

Deadline deadline_after(int64_t timeout_ns) noexcept {
  constexpr int64_t kYear = int64_t{365} * 24 * 3600 * 1000000000;
  return GroupClock::now() + std::chrono::nanoseconds(std::clamp<int64_t>(timeout_ns, 0, kYear));
}

bool GroupDriver::advance() noexcept {
  bool moved = false;
  try {
    if (m_->works()) step(moved);
  } catch (const Error& e) {
    m_->break_off_here(e.status(), e.message(), e.flags());
  } catch (const std::bad_alloc&) {
    m_->break_off_here(BP_OUT_OF_HOST_MEMORY, "host memory exhausted");
  } catch (const std::exception& e) {
    m_->break_off_here(BP_INTERNAL, e.what());
  }
  if (m_->works()) return moved;
  const bool idle = is_idle();
  abandon();
  return moved || !idle;
}

void GroupDriver::step(bool& moved) {
  if (!m_->handle) join();
  if (!has_joined()) return;
  moved |= begin_messages();
  moved |= drive_messages();
  moved |= drive_queue();
  check_deadlines();
}

void GroupDriver::join() {
  bp_error* err = nullptr;
  bp_pgroup* handle = nullptr;
  const Membership::Start& s = m_->start;
  bp_pgroup* const of = s.of ? s.of->handle : nullptr;
  if (s.of && !of) fail(BP_UNAVAILABLE, "the group that is split was left");
  const bp_status status =
      of ? call_plugin<&bp_group_api::split>(*m_->api, of, s.color, s.key, &handle, &err)
         : call_plugin<&bp_group_api::join>(*m_->api, m_->backend->plugin, s.native, &handle, &err);
  if (status < 0) throw_taken(status, err, 0, kNoReason);
  bp_error_release(err);
  if (!handle) fail(BP_INTERNAL, "{}: join succeeded without a group", m_->about.kind);
  m_->handle = handle;
}

bool GroupDriver::has_joined() {
  if (m_->joined) return true;
  bp_error* err = nullptr;
  const bp_status status = call_plugin<&bp_group_api::ready>(*m_->api, m_->handle, &err);
  if (status == BP_NOT_READY) return false;
  if (status < 0) throw_taken(status, err, 0, kNoReason);
  bp_error_release(err);
  Membership::About about = m_->about;
  call_plugin<&bp_group_api::about>(*m_->api, m_->handle, &about.rank, &about.size);
  if (about.size && about.rank >= about.size)
    fail(BP_INTERNAL, "{}: rank {} of a group of {} members", about.kind, about.rank, about.size);
  about.native = call_plugin<&bp_group_api::native>(*m_->api, m_->handle);
  for (int32_t operation = 0; operation < 4; ++operation)
    about.dtypes[operation] = call_plugin<&bp_group_api::dtypes>(*m_->api, m_->handle, operation);
  const std::lock_guard lock(m_->mutex);
  m_->about = std::move(about);
  m_->joined = true;
  m_->changed.notify_all();
  return true;
}

bool GroupDriver::is_idle() const {
  const std::lock_guard lock(m_->mutex);
  return m_->queue.empty() && m_->messages.empty() && messages_.empty() &&
         (m_->joined || !m_->works());
}

bool GroupDriver::has_devices_at_rest() const {
  const auto way = m_->way();
  return !way || way->is_at_rest();
}

bool GroupDriver::may_leave() const {
  if (!is_idle() || !has_devices_at_rest()) return false;
  const std::lock_guard lock(m_->mutex);
  return m_->closing;
}

void GroupDriver::leave() noexcept {
  {
    const std::lock_guard lock(m_->mutex);  // nothing is posted afterwards
    m_->standing->leave();
  }
  abandon();
  if (const auto way = m_->way()) way->end();
  leave_roster(m_->secret);
  const bool broken = m_->standing->state() == Standing::kBroken;
  if (bp_pgroup* handle = std::exchange(m_->handle, nullptr))
    call_plugin<&bp_group_api::leave>(*m_->api, handle, broken ? 1u : 0u);
}

// Fails what is left. The plugin may write the memory of what it has begun from now on.
void GroupDriver::abandon() noexcept {
  give_up(first_);
  first_ = {};
  phase_ = Phase::kNone;
  std::list<Ref<Work>> queue, messages;
  {
    const std::lock_guard lock(m_->mutex);
    queue.swap(m_->queue);
    messages.swap(m_->messages);
    m_->changed.notify_all();
  }
  bp_status status = m_->failure();
  const uint32_t flags = m_->failure_flags();
  std::string why;
  try {
    why = m_->why_broken();
  } catch (const std::bad_alloc&) {
    status = BP_OUT_OF_HOST_MEMORY;
  }
  for (const Ref<Work>& w : queue) m_->settle(*w, Work::kFailed, status, why, flags);
  for (const Ref<Work>& w : messages) m_->settle(*w, Work::kFailed, status, why, flags);
  for (Begun& b : messages_) {
    give_up(b);
    m_->settle(*b.work, Work::kFailed, status, why, flags);
  }
  messages_.clear();
}

void GroupDriver::give_up(Begun& b) noexcept {
  if (b.work) b.span.end(*b.work, /*failed=*/true);
  if (b.handle) call_plugin<&bp_group_api::drop>(*m_->api, std::exchange(b.handle, nullptr));
  if (!b.touched) return;
  b.kept.front().claims.swap(claims_);
  kept_for_ever.splice(kept_for_ever.end(), b.kept);
}

GroupDriver::Begun GroupDriver::begun(Ref<Work> w) const {
  Begun b;
  b.deadline = deadline_after(w->timeout_ns ? w->timeout_ns : m_->timeout_ns.load());
  b.kept.push_back({w, {}});
  b.work = std::move(w);
  return b;
}

// Returns false while operands are on their way from a device.
bool GroupDriver::begin(Begun& b, const bp_exchange& what) {
  const Work& w = *b.work;
  if (w.from && !is_at_rest(*w.from, /*readers_too=*/false)) return false;
  if (w.to && !is_at_rest(*w.to, /*readers_too=*/true)) return false;
  hand_over(b, what);
  return true;
}

void GroupDriver::hand_over(Begun& b, const bp_exchange& what) {
  if (keeps_profile()) [[unlikely]]
    b.span.begin(b.work->claim.number ? 0 : free_lane());
  bp_error* err = nullptr;
  const bp_status status =
      call_plugin<&bp_group_api::begin>(*m_->api, m_->handle, &what, &b.handle, &err);
  if (status < 0) throw_taken(status, err, 0, kNoReason);
  bp_error_release(err);
  b.touched = true;
}

bool GroupDriver::is_over(Begun& b) {
  bp_error* err = nullptr;
  const bp_status status = call_plugin<&bp_group_api::test>(*m_->api, b.handle, &err);
  if (status == BP_NOT_READY) return false;
  b.handle = nullptr;
  if (status < 0) throw_taken(status, err, 0, kNoReason);
  bp_error_release(err);
  b.touched = false;
  return true;
}

// The first of the lanes for messages in which none is under way.
uint32_t GroupDriver::free_lane() const noexcept {
  const auto is_free = [&](uint32_t lane) {
    return std::none_of(messages_.begin(), messages_.end(),
                        [&](const Begun& b) { return b.span.lane() == lane; });
  };
  uint32_t lane = 1;
  while (!is_free(lane)) ++lane;
  return lane;
}

// In the order of their calls, because a message overtakes no other of its tag.
bool GroupDriver::begin_messages() {
  bool any = false;
  for (;;) {
    Ref<Work> w;
    {
      const std::lock_guard lock(m_->mutex);
      if (m_->messages.empty()) return any;
      w = m_->messages.front();
    }
    Begun b = begun(w);
    if (!begin(b, w->what)) return any;
    std::list<Begun> one;
    one.push_back(std::move(b));
    messages_.splice(messages_.end(), one);
    const std::lock_guard lock(m_->mutex);
    m_->messages.pop_front();
    any = true;
  }
}

bool GroupDriver::drive_messages() {
  bool moved = false;
  for (auto i = messages_.begin(); i != messages_.end();) {
    if (!is_over(*i)) {
      ++i;
      continue;
    }
    i->span.end(*i->work, /*failed=*/false);
    m_->settle(*i->work, Work::kOver, BP_OK, "");
    i = messages_.erase(i);
    moved = true;
  }
  return moved;
}

// Collective exchanges go one after the other, each behind the members' claims where they check.
bool GroupDriver::drive_queue() {
  for (bool moved = false;; moved = true) {
    if (!first_.work && !begin_next()) return moved;
    if (!first_.touched) {  // its operands were not there yet
      if (!begin(first_, first_.work->what)) return moved;
      phase_ = Phase::kExchange;
    }
    if (!is_over(first_)) return moved;
    if (phase_ == Phase::kExchange) {
      finish(Work::kOver, BP_OK, "");
      continue;
    }
    if (const std::string why = disagreement(claims_); !why.empty())
      finish(Work::kFailed, BP_INVALID_ARGUMENT, why);
  }
}

bool GroupDriver::begin_next() {
  Ref<Work> w;
  {
    const std::lock_guard lock(m_->mutex);
    if (m_->queue.empty()) return false;
    w = m_->queue.front();
  }
  first_ = begun(std::move(w));
  if (!m_->about.checks || first_.work->claim.is_unchecked) return true;
  claims_.assign(m_->about.size, Claim{});
  const bp_exchange what{sizeof what,         BP_EXCHANGE_ALL_GATHER, 0, BP_U8, 0, 0, sizeof(Claim),
                         &first_.work->claim, claims_.data()};
  hand_over(first_, what);
  phase_ = Phase::kClaims;
  return true;
}

void GroupDriver::finish(Work::State state, bp_status status, std::string_view sentence) {
  first_.span.end(*first_.work, state == Work::kFailed);  // whoever waits may stop the profile
  const Ref<Work> w = std::exchange(first_, {}).work;
  phase_ = Phase::kNone;
  {
    const std::lock_guard lock(m_->mutex);
    m_->queue.pop_front();
  }
  m_->settle(*w, state, status, sentence);
}

// Whoever waits asks the others who is late, which takes a while. Where nobody does, or does not
// come to an end, the group ends without their answers.
void GroupDriver::check_deadlines() {
  const Deadline now = GroupClock::now();
  const Begun* late = first_.work && first_.deadline <= now ? &first_ : nullptr;
  for (const Begun& b : messages_)
    if (b.deadline <= now) late = &b;
  if (!late) return;
  {
    const std::lock_guard lock(m_->mutex);
    if (m_->overdue.get() != late->work.get()) {
      m_->overdue = late->work;
      m_->changed.notify_all();
    }
  }
  if (now > late->deadline + kToFindOut) m_->break_off(m_->too_late_text(*late->work));
}

}  // namespace bp
