// SPDX-License-Identifier: Apache-2.0
#include "core/group/engine.h"

#include <algorithm>
#include <system_error>
#include <thread>

#include "core/device/thread_cache.h"
#include "core/group/device_way.h"
#include "core/group/driver.h"
#include "core/group/quiet_thread.h"

namespace bp {
namespace {

using Clock = std::chrono::steady_clock;

std::atomic<Engine*> engine_of_process{nullptr};

// Rests between two looks at what is under way: shortly at first, and longer when nothing happens.
class Pace {
 public:
  void rest() noexcept {
    ++n_;
    if (n_ < 200)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(n_ < 2000 ? 20 : 200));
  }
  void moved() noexcept { n_ = 0; }

 private:
  uint32_t n_ = 0;
};

}  // namespace

struct Engine::State {
  std::mutex& mutex = leaf_mutexes.of(this);
  std::condition_variable changed;
  std::list<GroupDriver> taken;          // that the thread has not seen yet
  std::vector<const Backend*> backends;  // of all groups that are not left
  bool woken = false;
  bool ends = false;  // all groups are to be left, at once from `end` on
  Clock::time_point end;
  uint64_t n_ended = 0;  // how often that was done
  // When the thread began its round; 0 while it sleeps.
  std::atomic<Clock::duration> inside_since{};
  std::list<GroupDriver> drivers;  // the thread's own, which wants no memory for them

  void work() noexcept;

 private:
  bool take_news(bool waits) noexcept;
  void leave(std::list<GroupDriver>::iterator i) noexcept;
  bool leave_all() noexcept;
};

// Returns whether there is anything new.
bool Engine::State::take_news(bool waits) noexcept {
  std::unique_lock lock(mutex);
  if (waits) changed.wait(lock, [&] { return woken || ends || !taken.empty(); });
  const bool any = woken || !taken.empty();
  woken = false;
  drivers.splice(drivers.end(), taken);
  return any;
}

void Engine::State::leave(std::list<GroupDriver>::iterator i) noexcept {
  const Backend* const backend = i->membership().backend;
  i->leave();
  drivers.erase(i);
  const std::lock_guard lock(mutex);
  backends.erase(std::find(backends.begin(), backends.end(), backend));
}

// Returns false while there is time for what is under way.
bool Engine::State::leave_all() noexcept {
  bool now = false;
  {
    const std::lock_guard lock(mutex);
    if (!ends) return false;
    now = Clock::now() >= end;
  }
  if (!now && !std::all_of(drivers.begin(), drivers.end(), [](const GroupDriver& d) {
        return d.is_idle() && d.has_devices_at_rest();
      }))
    return false;
  while (!drivers.empty()) {
    GroupDriver& d = drivers.front();
    if (!d.is_idle() || !d.has_devices_at_rest())
      d.membership().break_off_here(BP_BAD_STATE, "the runtime was shut down");
    leave(drivers.begin());
  }
  empty_thread_cache();  // the cpu closes when none of its blocks is left
  const std::lock_guard lock(mutex);
  ends = false;
  ++n_ended;
  changed.notify_all();
  return true;
}

void Engine::State::work() noexcept {
  Pace pace;
  for (bool busy = false;;) {
    inside_since = Clock::duration::zero();
    bool moved = take_news(/*waits=*/!busy);
    inside_since = Clock::now().time_since_epoch();
    busy = false;
    for (auto d = drivers.begin(); d != drivers.end();) {
      moved |= d->advance();
      const auto now = d++;
      if (now->may_leave())
        leave(now);
      else
        busy |= !now->is_idle();
    }
    moved |= leave_all();
    {
      const std::lock_guard lock(mutex);
      busy |= ends;
    }
    if (moved)
      pace.moved();
    else if (busy)
      pace.rest();
  }
}

// Signals that are for the program go to its own threads.
Engine::Engine() : state_(std::make_shared<State>()) {
  const WithoutSignals here;
  try {
    std::thread([state = state_] { state->work(); }).detach();
  } catch (const std::system_error& e) {
    fail(BP_OUT_OF_HOST_MEMORY, "the thread of groups cannot be started: {}", e.code().message());
  }
}

Engine& Engine::of_process() {
  static std::mutex& mutex = leaf_mutexes.of(&engine_of_process);
  const std::lock_guard lock(mutex);
  if (!engine_of_process) engine_of_process = new Engine;
  return *engine_of_process;
}

void Engine::take(std::shared_ptr<Membership> m) {
  std::list<GroupDriver> one;
  const Backend* const backend = m->backend;
  one.emplace_back(std::move(m));
  const std::lock_guard lock(state_->mutex);
  state_->backends.push_back(backend);
  state_->taken.splice(state_->taken.end(), one);
  state_->changed.notify_all();
}

void wake_engine() noexcept {
  Engine* const engine = engine_of_process.load();
  if (!engine) return;
  const std::lock_guard lock(engine->state_->mutex);
  engine->state_->woken = true;
  engine->state_->changed.notify_all();
}

Clock::duration engine_absent() noexcept {
  Engine* const engine = engine_of_process.load();
  const auto since = engine ? engine->state_->inside_since.load() : Clock::duration::zero();
  return since == Clock::duration::zero() ? since : Clock::now().time_since_epoch() - since;
}

void end_groups(std::chrono::milliseconds most) noexcept {
  Engine* const engine = engine_of_process.load();
  if (!engine) return;
  Engine::State& s = *engine->state_;
  std::unique_lock lock(s.mutex);
  const uint64_t before = s.n_ended;
  s.ends = true;
  s.end = Clock::now() + most;
  s.changed.notify_all();
  s.changed.wait_for(lock, most + std::chrono::seconds(2), [&] { return s.n_ended != before; });
}

size_t n_groups(const Backend& b) noexcept {
  Engine* const engine = engine_of_process.load();
  if (!engine) return 0;
  const auto& all = engine->state_->backends;
  const std::lock_guard lock(engine->state_->mutex);
  return static_cast<size_t>(std::count(all.begin(), all.end(), &b));
}

void lose_groups_in_child() noexcept {
  engine_of_process.store(nullptr);
  close_roster_in_child();
  lose_device_ways_in_child();
}

}  // namespace bp
