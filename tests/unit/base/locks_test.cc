// SPDX-License-Identifier: Apache-2.0
#include "core/base/locks.h"

#include <gtest/gtest.h>

#include <thread>

#include "core/base/error.h"
#include "kit/child.h"

namespace bp {
namespace {

TEST(MutexPool, GivesAnObjectTheSameMutexAlways) {
  static const int objects[2000] = {};
  for (const int& o : objects) EXPECT_EQ(&leaf_mutexes.of(&o), &leaf_mutexes.of(&o));
  EXPECT_NE(&leaf_mutexes.of(&objects[0]), &leaf_mutexes.of(&objects[1000]));
}

TEST(MutexPool, IsLockedAsAWhole) {
  static MutexPool pool;
  pool.lock_all();
  std::thread([&] { EXPECT_FALSE(pool.of(&pool).try_lock()); }).join();
  pool.unlock_all();
  EXPECT_TRUE(pool.of(&pool).try_lock());
  pool.of(&pool).unlock();
}

TEST(CallMutex, IsRecursiveAndKeepsOtherThreadsOut) {
  CallMutex m;
  int n = 0;
  std::thread threads[4];
  for (std::thread& t : threads)
    t = std::thread([&] {
      for (int i = 0; i < 1000; ++i) {
        const std::lock_guard lock(m), again(m);
        ++n;
      }
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(n, 4000);
}

// What the fork handlers do in a child.
bool in_child(bool (*body)(CallMutex&), CallMutex& m) {
  n_forks.fetch_add(1);
  return body(m);
}

TEST(CallMutex, OfAThreadThatAChildDoesNotHaveIsRefusedThere) {
  CallMutex m;
  std::atomic<int> step{0};
  std::thread holder([&] {
    const std::lock_guard lock(m);
    step = 1;
    while (step != 2) std::this_thread::yield();
  });
  while (step != 1) std::this_thread::yield();
  bp_test::expect_true_in_child([&] {
    return in_child(
        [](CallMutex& held) {
          try {
            const std::lock_guard lock(held);
          } catch (const Error& e) {
            return e.status() == BP_BAD_STATE;
          }
          return false;
        },
        m);
  });
  step = 2;
  holder.join();
  bp_test::expect_true_in_child([&] {
    return in_child(
        [](CallMutex& free_one) {
          const std::lock_guard lock(free_one), again(free_one);
          return true;
        },
        m);
  });
}

}  // namespace
}  // namespace bp
