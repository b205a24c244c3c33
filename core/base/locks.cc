// SPDX-License-Identifier: Apache-2.0
#include "core/base/locks.h"

#include <chrono>
#include <thread>

#include "core/base/error.h"

namespace bp {

constinit MutexPool leaf_mutexes;
constinit MutexPool gradient_mutexes;
std::atomic<uint32_t> n_forks{0};

// Whoever has just got the lock has not yet said so, therefore a holder of before the fork is
// believed only when nobody says anything for a while.
void CallMutex::lock() {
  const uint32_t now = n_forks.load(std::memory_order_relaxed);
  bool got = mutex_.try_lock();
  for (int patience = 100; !got && held_since_.load() != now; got = mutex_.try_lock()) {
    if (patience-- == 0)
      fail(BP_BAD_STATE,
           "another thread of the parent process was using this when the process was forked; make "
           "another in the child");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (!got) mutex_.lock();
  held_since_.store(now);
}

}  // namespace bp
