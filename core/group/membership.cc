// SPDX-License-Identifier: Apache-2.0
#include "core/group/membership.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/device/plugin_call.h"
#include "core/group/device_way.h"
#include "core/group/driver.h"
#include "core/group/engine.h"
#include "core/process/runtime.h"
#include "core/process/trace.h"

namespace bp {
namespace {

using Clock = GroupClock;
using std::chrono::milliseconds;

constexpr auto kFirstLook = milliseconds(250), kNextLook = milliseconds(500);
constexpr auto kPatience = milliseconds(300);          // with an answer
constexpr auto kIntroduced = milliseconds(1000);       // with the first one
constexpr auto kRoundOfAll = std::chrono::seconds(3);  // of asking everybody
constexpr auto kGrace = milliseconds(2000);  // what comes from the library when its thread is stuck
constexpr uint32_t kSmallGroup = 16;

// Whom a member looks after: everybody in a small group, else those at distances of powers of two.
// What one of these knows all know after as many looks as there are distances.
std::vector<uint32_t> neighbours(uint32_t rank, uint32_t size) {
  std::vector<uint32_t> out;
  for (uint32_t step = 1; step < size; step = size <= kSmallGroup ? step + 1 : 2 * step)
    for (const uint32_t r : {(rank + step) % size, (rank + size - step) % size})
      if (r != rank && std::find(out.begin(), out.end(), r) == out.end()) out.push_back(r);
  return out;
}

// What a member tells the others of itself when it joins.
struct Hello {
  uint64_t machine;
  uint32_t wants_checks, reserved;
};

const bp_group_api* table_of(const Backend& b) {
  const auto* api = static_cast<const bp_group_api*>(
      call_plugin<&bp_plugin_api::extension>(b.api, b.plugin, BP_GROUP_ID));
  if (!api || api->struct_size < sizeof *api)
    fail(BP_UNSUPPORTED, "the plugin of {} connects no processes: it has no \"{}\"", b.name,
         BP_GROUP_ID);
  return api;
}

int64_t left_until(Clock::time_point deadline) {
  return std::max<int64_t>(
      1, std::chrono::duration_cast<std::chrono::nanoseconds>(deadline - Clock::now()).count());
}

// Has the engine join and the members introduce each other. Where that fails, the engine leaves
// again as soon as it can.
void join_by(const std::shared_ptr<Membership>& m, bool wants_checks) {
  const Clock::time_point deadline = deadline_after(m->timeout_ns);
  const uint32_t born = generation();
  Engine::of_process().take(m);
  try {
    m->await_joined(deadline);
    if (m->about.size) m->introduce(wants_checks, deadline);
    if (generation() != born) fail(BP_BAD_STATE, "a group was joined while bp_shutdown ran");
  } catch (const Error& e) {
    m->break_off_here(e.status(), e.message(), e.flags());
    m->close();
    throw;
  } catch (...) {
    m->break_off_here(BP_CANCELLED, "did not wait for the others");
    m->close();
    throw;
  }
}

}  // namespace

std::shared_ptr<Membership> join_group(const Backend& backend, const JoinOptions& options) {
  static const int registered =
      (before_shutdown([]() noexcept { end_groups(milliseconds(5000)); }), 0);
  static_cast<void>(registered);
  auto m = std::make_shared<Membership>();
  m->start.native = options.native;
  m->api = table_of(backend);
  m->backend = &backend;
  m->about.kind = backend.name;
  m->timeout_ns = options.timeout_ns;
  m->n_forks_then = n_forks.load();
  join_by(m, options.checks);
  note_member(m->about.kind, m->about.rank, m->about.size);
  // Registered behind what the library beneath registered when it started, so that it comes first.
  static const int at_exit = std::atexit([] { end_groups(milliseconds(2000)); });
  static_cast<void>(at_exit);
  return m;
}

std::shared_ptr<Membership> split_group(const std::shared_ptr<Membership>& of, int32_t color,
                                        int32_t key) {
  // What was called before is over then, and all members are there.
  const auto all_come = Ref<Work>::adopt(new Work);
  all_come->member = of;
  all_come->claim.kind = kSplit;
  all_come->claim.operation = -1;
  all_come->what = {sizeof(bp_exchange), BP_EXCHANGE_BARRIER, 0, BP_U8, 0, 0, 0, nullptr, nullptr};
  of->post(all_come);
  of->await(*all_come);
  auto m = std::make_shared<Membership>();
  m->start = {nullptr, of, color, key};
  m->api = of->api;
  m->backend = of->backend;
  m->about.kind = of->about.kind;
  m->timeout_ns = of->timeout_ns.load();
  m->n_forks_then = of->n_forks_then;
  join_by(m, of->about.checks);
  m->start.of = {};
  if (color >= 0) return m;
  m->close();
  return nullptr;
}

// ---- joining ----

void Membership::await_joined(Time deadline) {
  std::unique_lock lock(mutex);
  while (!changed.wait_for(lock, kWaitStep, [&] { return joined || !works(); })) {
    lock.unlock();
    call_while_waiting();
    if (Clock::now() > deadline)
      fail(BP_UNAVAILABLE, "{}: not all members have come to join within {} s", about.kind,
           static_cast<double>(timeout_ns.load()) * 1e-9);
    lock.lock();
  }
  lock.unlock();
  if (!works()) fail_broken();
}

// What all members have of this, by rank.
template <class T>
std::vector<T> Membership::gathered(const T& mine, Time deadline) {
  const auto w = Ref<Work>::adopt(new Work);
  const int64_t one[] = {sizeof mine}, all[] = {about.size, sizeof mine};
  w->member = {std::shared_ptr<Membership>{}, this};  // for as long as this call waits
  w->from = new_tensor(one, BP_U8, cpu_device());
  w->to = new_tensor(all, BP_U8, cpu_device());
  std::memcpy(w->from->data(), &mine, sizeof mine);
  w->claim.kind = BP_EXCHANGE_ALL_GATHER;
  w->claim.operation = -1;
  w->claim.is_unchecked = 1;
  w->what = {sizeof(bp_exchange), BP_EXCHANGE_ALL_GATHER, 0, BP_U8, 0, 0, sizeof mine,
             w->from->data(),     w->to->data()};
  w->timeout_ns = left_until(deadline);
  post(w);
  await(*w);
  std::vector<T> out(about.size);
  std::memcpy(out.data(), w->to->data(), sizeof mine * about.size);
  return out;
}

void Membership::introduce(bool wants_checks, Time deadline) {
  const uint64_t machine = machine_of_process();
  const auto hellos = gathered(Hello{machine, wants_checks, 0}, deadline);
  bool far = false, checks = false;
  uint32_t local_rank = 0, local_size = 0;
  for (uint32_t r = 0; r < about.size; ++r) {
    const Hello& h = hellos[r];
    far |= h.machine != machine;
    checks |= h.wants_checks != 0;
    if (h.machine != machine) continue;
    if (r < about.rank) ++local_rank;
    ++local_size;
  }
  const auto cards = gathered(card_of_process(far), deadline);
  secret = gathered(draw_secret(), deadline)[0];
  enter_roster(secret, standing);
  gathered(char{}, deadline);  // from here on everybody answers
  std::vector<Peer> peers(about.size);
  for (uint32_t r = 0; r < about.size; ++r) peers[r].card = cards[r];
  {
    const std::lock_guard lock(peers_mutex_);
    peers_ = std::move(peers);
  }
  for (const uint32_t r : neighbours(about.rank, about.size))
    if (ask_peer(r, kIntroduced).kind != Answer::kIn)
      log(kLogWarning,
          "{}: rank {} of a group does not answer at its port; its loss would show by the timeout",
          about.kind, r);
  standing->n_called = 0;  // the members' own exchanges count from here
  n_exchanges = 0;
  const std::lock_guard lock(mutex);
  about.local_rank = local_rank;
  about.local_size = local_size;
  about.checks = checks;
}

// ---- posting and waiting ----

void Membership::check_process() const {
  if (n_forks_then != n_forks.load(std::memory_order_relaxed))
    fail(BP_BAD_STATE,
         "the group was joined before a fork(), and its connections are not in the child");
}

bp_status Membership::failure() const noexcept {
  return standing->state() == Standing::kLeft ? BP_BAD_STATE
                                              : failure_.load(std::memory_order_relaxed);
}

std::string Membership::why_broken() const {
  return standing->state() == Standing::kLeft ? "the group was left" : standing->sentence();
}

void Membership::fail_broken() const { throw Error(failure(), why_broken(), failure_flags()); }

void Membership::fail_as(const Work& w) { throw Error(w.status, w.sentence, w.flags); }

void Membership::post(Ref<Work> w) {
  check_process();
  {
    const std::lock_guard lock(mutex);
    if (!works() || closing) fail_broken();
    if (w->claim.kind == BP_EXCHANGE_SEND || w->claim.kind == BP_EXCHANGE_RECEIVE) {
      messages.push_back(std::move(w));
    } else {
      queue.push_back(w);
      w->claim.number = standing->n_called.fetch_add(1, std::memory_order_acq_rel) + 1;
    }
  }
  n_exchanges.fetch_add(1, std::memory_order_relaxed);
  wake_engine();
}

void Membership::count_call(Work& w) {
  check_process();
  const std::lock_guard lock(mutex);
  if (!works() || closing) fail_broken();
  w.claim.number = standing->n_called.fetch_add(1, std::memory_order_acq_rel) + 1;
  n_exchanges.fetch_add(1, std::memory_order_relaxed);
}

std::shared_ptr<DeviceWay> Membership::way() const {
  const std::lock_guard lock(mutex);
  return way_;
}

void Membership::set_way(std::shared_ptr<DeviceWay> way) {
  const std::lock_guard lock(mutex);
  way_ = std::move(way);
}

void Membership::settle(Work& w, Work::State state, bp_status status, std::string_view sentence,
                        uint32_t flags) noexcept {
  const std::lock_guard lock(mutex);
  if (w.state != Work::kUnderWay) return;
  try {
    w.sentence = sentence;
  } catch (const std::bad_alloc&) {
    status = BP_OUT_OF_HOST_MEMORY;
  }
  w.state = state;
  w.status = status;
  w.flags = flags;
  if (overdue.get() == &w) overdue = {};
  changed.notify_all();
}

void Membership::break_off(std::string sentence) noexcept {
  if (standing->give_up(std::move(sentence)))
    log(kLogWarning, "{}: {}", about.kind, standing->sentence());
  wake_engine();
  tell_neighbours();
}

void Membership::break_off_here(bp_status status, std::string_view what, uint32_t flags) noexcept {
  bp_status first = BP_UNAVAILABLE;
  if (works() && failure_.compare_exchange_strong(first, status)) flags_ = flags;
  try {
    bool is_member = false;  // before that it has no rank
    {
      const std::lock_guard lock(mutex);
      is_member = joined;
    }
    break_off(is_member ? fmt::format("rank {}: {}", about.rank, what) : std::string(what));
  } catch (const std::bad_alloc&) {
    break_off("no memory");  // fits into a string without any
  }
}

void Membership::close() noexcept {
  {
    const std::lock_guard lock(mutex);
    closing = true;
  }
  if (const auto between_devices = way()) between_devices->wake();
  wake_engine();
}

bool Membership::is_over(Work& w) {
  check_process();
  if (w.queued)
    if (const auto between_devices = way()) between_devices->settle_passed(w);
  const std::lock_guard lock(mutex);
  if (w.state == Work::kFailed) fail_as(w);
  return w.state == Work::kOver;
}

bool Membership::is_settled(const Work& w) {
  const std::lock_guard lock(mutex);
  return w.state != Work::kUnderWay;
}

void Membership::await(Work& w) {
  check_process();
  if (w.queued) return static_cast<void>(is_over(w));  // streams wait for it
  std::unique_lock lock(mutex);
  const auto over = [&] { return w.state != Work::kUnderWay; };
  if (!over()) {
    const TraceSpan span(TraceSort::kWait, about.kind);
    auto next_look = Clock::now() + kFirstLook;
    Time broken_since{};
    while (!changed.wait_for(lock, kWaitStep, [&] { return over() || overdue; }) || !over()) {
      const Ref<Work> late = overdue;
      lock.unlock();
      call_while_waiting();
      if (late) find_out_who_is_late(*late);
      if (Clock::now() >= next_look) {
        look_around(w);
        next_look = Clock::now() + kNextLook;
      }
      if (!works()) {  // a neighbour may have told; the engine settles the work, unless it is stuck
        wake_engine();
        if (broken_since == Time{}) broken_since = Clock::now();
        if (Clock::now() - broken_since > kGrace) fail_broken();
      }
      lock.lock();
    }
  }
  lock.unlock();
  tell_neighbours();
  if (w.state == Work::kFailed) fail_as(w);
}

// ---- who is there ----

Answer Membership::ask_peer(uint32_t rank, milliseconds most) {
  Card card;
  int way = -1;
  {
    const std::lock_guard lock(peers_mutex_);
    card = peers_[rank].card;
    way = peers_[rank].way;
  }
  Answer a = ask(card, way, secret, most);
  if (a.kind <= Answer::kLeft) {
    const std::lock_guard lock(peers_mutex_);
    peers_[rank].way = a.way;
    peers_[rank].n_refused = 0;
  }
  return a;
}

// A connection that is refused where the peer has answered before, and once more: nobody is there.
bool Membership::is_gone(uint32_t rank, const Answer& a) {
  if (a.kind != Answer::kRefused) return false;
  {
    const std::lock_guard lock(peers_mutex_);
    if (peers_[rank].way < 0) return false;
    if (++peers_[rank].n_refused > 1) return true;
  }
  return is_gone(rank, ask_peer(rank, kPatience));
}

// Asks the neighbours, or whom a message goes to or comes from. Who is gone, or has left before an
// exchange that needs him, breaks the group.
void Membership::look_around(Work& w) {
  std::vector<uint32_t> whom;
  {
    const std::lock_guard lock(peers_mutex_);
    if (peers_.empty()) return;
    for (const uint32_t r : neighbours(about.rank, about.size))
      if (peers_[r].way >= 0) whom.push_back(r);
  }
  const bool is_message = w.claim.number == 0;
  if (is_message) whom = {w.claim.peer};
  for (const uint32_t r : whom) {
    if (r == about.rank) continue;
    if (!works() || is_settled(w)) return;
    const Answer a = ask_peer(r, kPatience);
    if (is_gone(r, a))
      break_off(fmt::format("rank {} is gone: its process does not exist any more", r));
    if (a.kind == Answer::kBroken) break_off(a.sentence);
    if (a.kind != Answer::kLeft) continue;
    if (is_message) {  // what it sent before may still arrive
      const std::lock_guard lock(peers_mutex_);
      if (!std::exchange(peers_[r].is_leaving, true)) continue;
    } else if (a.n_called >= w.claim.number) {
      continue;
    }
    break_off(is_message ? fmt::format("rank {} has left the group", r)
                         : fmt::format("rank {} has left the group after {} exchanges, and this is "
                                       "number {}",
                                       r, a.n_called, w.claim.number));
  }
  const auto most = std::chrono::nanoseconds(timeout_ns.load()) + std::chrono::seconds(5);
  if (engine_absent() > most)
    break_off_here(BP_UNAVAILABLE, "the library beneath does not come back");
}

void Membership::look_after(Work& w, bool is_late) {
  if (is_late)
    find_out_who_is_late(w);
  else
    look_around(w);
}

bool Membership::is_overtaken(uint64_t n_called) {
  for (const uint32_t r : neighbours(about.rank, about.size)) {
    const Answer a = ask_peer(r, kPatience);
    if (a.kind == Answer::kIn && a.n_called > n_called) return true;
  }
  return false;
}

std::string Membership::too_late_text(const Work& w) const {
  const double seconds =
      static_cast<double>(w.timeout_ns ? w.timeout_ns : timeout_ns.load()) * 1e-9;
  if (w.claim.number)
    return fmt::format("{} (exchange {}) was not over within {:.3g} s", text_of(w.claim),
                       w.claim.number, seconds);
  return fmt::format("rank {}: {} {} rank {} was not over within {:.3g} s", about.rank,
                     text_of(w.claim), w.claim.kind == BP_EXCHANGE_SEND ? "to" : "from",
                     w.claim.peer, seconds);
}

// Asks everybody, and breaks the group with the answers.
void Membership::find_out_who_is_late(Work& w) {
  std::string text = too_late_text(w);
  std::vector<uint32_t> late, silent, gone, left;
  std::string told;
  const auto end = Clock::now() + kRoundOfAll;
  for (uint32_t r = 0; r < about.size && Clock::now() < end && w.claim.number; ++r) {
    if (r == about.rank || peers_.empty()) continue;
    const Answer a = ask_peer(r, kPatience);
    if (is_settled(w)) return;
    if (a.kind == Answer::kSilent) silent.push_back(r);
    if (a.kind == Answer::kRefused) (is_gone(r, a) ? gone : silent).push_back(r);
    if (a.kind == Answer::kIn && a.n_called < w.claim.number) late.push_back(r);
    if (a.kind == Answer::kLeft && a.n_called < w.claim.number) left.push_back(r);
    if (a.kind == Answer::kBroken && told.empty()) told = a.sentence;
  }
  if (!told.empty()) return break_off(told);  // it names the culprit
  const auto add = [&](const std::vector<uint32_t>& ranks, const char* one, const char* many) {
    if (!ranks.empty())
      text += fmt::format(": {} {}", ranks_text(ranks), ranks.size() == 1 ? one : many);
  };
  add(late, "has not come to it", "have not come to it");
  add(gone, "is gone", "are gone");
  add(left, "has left the group", "have left the group");
  add(silent, "does not answer", "do not answer");
  break_off(std::move(text));
}

// This process may be about to end: whoever asked it later would take it for the one that was lost.
void Membership::tell_neighbours() noexcept {
  if (standing->state() != Standing::kBroken || told_.exchange(true)) return;
  try {
    const std::string why = standing->sentence();
    const std::lock_guard lock(peers_mutex_);
    if (peers_.empty()) return;
    for (const uint32_t r : neighbours(about.rank, about.size))
      if (peers_[r].way >= 0) tell(peers_[r].card, peers_[r].way, secret, why, kPatience);
  } catch (const std::bad_alloc&) {  // they will ask
  }
}

}  // namespace bp
