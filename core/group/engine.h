// SPDX-License-Identifier: Apache-2.0
// engine.h: the one thread that calls the plugins of groups. It begins with the first group, drives
// all memberships (driver.h), and sleeps while nothing is under way. Whoever waits for it waits
// with a limit, for the library beneath may not come back when a member is lost.
//
//   Engine::of_process().take(membership);   // the thread joins, and drives it until it is closed
#pragma once
#include <chrono>
#include <memory>

#include "core/group/membership.h"

namespace bp {

class Engine {
 public:
  // This process's; a forked child has another. Throws when its thread cannot be started.
  static Engine& of_process();
  void take(std::shared_ptr<Membership> m);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  struct State;

 private:
  Engine();
  friend void wake_engine() noexcept;
  friend std::chrono::steady_clock::duration engine_absent() noexcept;
  friend void end_groups(std::chrono::milliseconds most) noexcept;
  friend size_t n_groups(const Backend& b) noexcept;
  const std::shared_ptr<State> state_;
};

// Tells the thread that there is something new; does nothing where there is none.
void wake_engine() noexcept;
// How long the thread has not come back from the plugins that it calls.
std::chrono::steady_clock::duration engine_absent() noexcept;
// Leaves all groups, before a shutdown and when the process ends. Waits so long for exchanges under
// way, and some time for the thread.
void end_groups(std::chrono::milliseconds most) noexcept;
// How many groups of this backend are not left, and may still call its plugin.
size_t n_groups(const Backend& b) noexcept;
// A forked child is no member of its parent's groups.
void lose_groups_in_child() noexcept;

}  // namespace bp
