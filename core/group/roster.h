// SPDX-License-Identifier: Apache-2.0
// roster.h: who is still there. A process answers at a port of its own how far it is in each of its
// groups, so that the others (asking.h) learn within a second when it is gone (the system refuses
// the connection), has left, or has given up, and can say at a timeout who has not come. Only those
// who know a group's secret get an answer: it is drawn by one member and goes to the others through
// the group itself. While all members are on one machine the port listens on the loopback address.
// One thread answers, which begins with the first group.
//
//   const Card mine = card_of_process(/*far=*/false);
//   const Secret secret = draw_secret();
//   enter_roster(secret, std::make_shared<Standing>());
//   const Answer a = ask(mine, /*way=*/-1, secret, std::chrono::seconds(1));   // kIn
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/base/locks.h"

namespace bp {

// Where a process answers. Members send each other their cards as bytes.
struct Card {
  struct Address {
    uint8_t bytes[16];  // an IPv6 address, or an IPv4 one mapped into it
    uint32_t scope;     // the interface of a link-local one
  };
  uint64_t machine;  // equal for processes that share a loopback interface
  uint32_t process;  // its number on that machine
  uint16_t port;     // 0: it does not answer
  uint16_t n_addresses;
  Address addresses[4];
};
static_assert(std::is_trivially_copyable_v<Card>);

// One half shows that who asks is a member, the other one that who answers is.
struct Secret {
  std::array<uint8_t, 16> asks, answers;
  bool operator==(const Secret&) const = default;
};
static_assert(std::is_trivially_copyable_v<Secret>);

// How far this process is in a group.
class Standing {
 public:
  enum State : uint32_t { kIn, kBroken, kLeft };
  std::atomic<uint64_t> n_called{0};  // exchanges that every member calls

  State state() const noexcept { return state_.load(std::memory_order_acquire); }
  // Only the first of these counts. The sentence says why the group is broken.
  bool give_up(std::string sentence) noexcept;
  void leave() noexcept;
  std::string sentence() const;

 private:
  std::atomic<State> state_{kIn};
  std::string sentence_;
  std::mutex& mutex_ = leaf_mutexes.of(this);
};

// Equal for the processes that share this machine and its loopback interface.
uint64_t machine_of_process();
// This process's, which answers from now on; with `far` also to other machines. Throws
// BP_UNAVAILABLE where the system gives it no port.
Card card_of_process(bool far);
Secret draw_secret();
// What is asked about this group is answered from `standing`, and after its member has left by what
// that said last, until many others have left as well.
void enter_roster(const Secret& secret, std::shared_ptr<Standing> standing);
void leave_roster(const Secret& secret) noexcept;
// A forked child does not answer for its parent.
void close_roster_in_child() noexcept;

}  // namespace bp
