// SPDX-License-Identifier: Apache-2.0
// driver.h: what drives one membership: it joins, begins exchanges in the order of their calls,
// asks the plugin whether they are over, and leaves. Only the engine's thread (engine.h) uses it,
// and it waits for nobody, but for the first join of a process, which may start the library
// beneath.
//
//   GroupDriver d(membership);
//   while (!d.may_leave()) d.advance();
//   d.leave();
#pragma once
#include <chrono>
#include <list>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/group/exchange_trace.h"
#include "core/group/membership.h"

namespace bp {

using GroupClock = std::chrono::steady_clock;
// A deadline so long from now; far ones would overflow the clock.
GroupClock::time_point deadline_after(int64_t timeout_ns) noexcept;

class GroupDriver {
 public:
  explicit GroupDriver(std::shared_ptr<Membership> m) : m_(std::move(m)) {}
  Membership& membership() const { return *m_; }

  // Goes one step on with all that is under way. Returns whether anything moved.
  bool advance() noexcept;
  bool is_idle() const;
  bool has_devices_at_rest() const;  // nothing is under way between devices
  bool may_leave() const;            // it is idle, and its handle is gone
  // Fails what is left, and leaves the group.
  void leave() noexcept;

 private:
  enum class Phase : uint32_t { kNone, kClaims, kExchange };
  // What an exchange reads and writes stays for as long as the library beneath may.
  struct Kept {
    Ref<Work> work;
    std::vector<Claim> claims;
  };
  struct Begun {
    Ref<Work> work;
    bp_pexchange* handle = nullptr;
    bool touched = false;  // the plugin has begun it, and it is not over
    GroupClock::time_point deadline;
    std::list<Kept> kept;  // one, made before there may be no memory for it
    ExchangeSpan span{};
  };

  void step(bool& moved);
  void join();
  bool has_joined();
  Begun begun(Ref<Work> w) const;
  bool begin(Begun& b, const bp_exchange& what);
  void hand_over(Begun& b, const bp_exchange& what);
  bool is_over(Begun& b);
  bool begin_messages();
  uint32_t free_lane() const noexcept;
  bool drive_messages();
  bool drive_queue();
  bool begin_next();
  void finish(Work::State state, bp_status status, std::string_view sentence);
  void check_deadlines();
  void abandon() noexcept;
  void give_up(Begun& b) noexcept;

  const std::shared_ptr<Membership> m_;
  Begun first_;  // of the queue
  Phase phase_ = Phase::kNone;
  std::vector<Claim> claims_;
  std::list<Begun> messages_;
  static std::list<Kept>& kept_for_ever;
};

}  // namespace bp
