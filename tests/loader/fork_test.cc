// SPDX-License-Identifier: Apache-2.0
// What a forked child may do: go on with the cpu on one thread, release anything; accelerators that
// were in use are BP_BAD_STATE there.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "kit/child.h"
#include "loader/faults.h"

namespace {

#define CHECK_CHILD(condition)                                                           \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      std::fprintf(stderr, "%s:%d: in the child: %s\n", __FILE__, __LINE__, #condition); \
      return false;                                                                      \
    }                                                                                    \
  } while (0)

bp_tensor* ones_on(const std::string& where, int64_t n = 4) {
  bp_tensor* t = nullptr;
  EXPECT_EQ(bp_tensor_ones(1, &n, BP_F32, device(where), &t, nullptr), BP_OK);
  return t;
}

bool adds_up(bp_tensor* t) {
  bp_tensor* sum = nullptr;
  if (bp_add(t, t, &sum, nullptr) != BP_OK) return false;
  float data[4] = {};
  const bool right =
      bp_tensor_read(sum, data, sizeof data, nullptr) == BP_OK && data[0] == 2 && data[3] == 2;
  bp_tensor_release(sum);
  return right;
}

TEST(Fork, TheCpuGoesOnOnOneThread) {
  Session session;
  bp_tensor* t = ones_on("cpu");
  expect_true_in_child([&] {
    CHECK_CHILD(bp_get_num_threads() == 1);
    CHECK_CHILD(adds_up(t));
    bp_tensor* big = ones_on("cpu", 1 << 21);  // large enough for several threads elsewhere
    bp_tensor* sum = nullptr;
    CHECK_CHILD(bp_add(big, big, &sum, nullptr) == BP_OK);
    CHECK_CHILD(bp_set_num_threads(2, nullptr) == BP_OK && bp_get_num_threads() == 2);
    bp_tensor_release(big);
    bp_tensor_release(sum);
    bp_tensor_release(t);
    return true;
  });
  EXPECT_TRUE(adds_up(t)) << "the parent is as it was";
  bp_tensor_release(t);
}

TEST(Fork, AnAcceleratorThatWasInUseIsBadState) {
  Session session;
  bp_tensor *t = ones_on("null:0"), *cpu = ones_on("cpu");
  expect_true_in_child([&] {
    const Answer f = synchronize("null:0");
    CHECK_CHILD(f.status == BP_BAD_STATE);
    CHECK_CHILD(has(f.message, "Cannot re-initialize null in forked subprocess"));
    CHECK_CHILD(require("null").status == BP_BAD_STATE);
    bp_tensor* sum = nullptr;
    CHECK_CHILD(bp_add(t, t, &sum, nullptr) == BP_BAD_STATE);
    CHECK_CHILD(bp_tensor_copy_(cpu, t, 0, nullptr) == BP_BAD_STATE);
    int64_t n = 1;
    CHECK_CHILD(bp_tensor_ones(1, &n, BP_F32, device("null:0"), &sum, nullptr) == BP_BAD_STATE);
    bp_tensor_release(t);
    CHECK_CHILD(adds_up(cpu));
    return true;
  });
  EXPECT_TRUE(adds_up(t));
  bp_tensor_release(t);
  bp_tensor_release(cpu);
}

TEST(Fork, AnAcceleratorThatWasNotInUseWorks) {
  Session session;
  expect_true_in_child([] {
    CHECK_CHILD(synchronize("null:0").status == BP_OK);
    return true;
  });
}

TEST(Fork, AfterAShutdownTheChildStartsAnew) {
  Session session;
  bp_tensor* t = ones_on("null:0");
  expect_true_in_child([&] {
    CHECK_CHILD(bp_shutdown(0, nullptr) == BP_OK);
    CHECK_CHILD(synchronize("null:0").status == BP_OK);
    CHECK_CHILD(synchronize("cpu").status == BP_OK);
    bp_tensor_release(t);
    CHECK_CHILD(bp_shutdown(0, nullptr) == BP_OK);
    return true;
  });
  bp_tensor_release(t);
}

TEST(Fork, OfAChildOfAChild) {
  Session session;
  bp_tensor* t = ones_on("cpu");
  expect_true_in_child([&] {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(adds_up(t) ? 0 : 1);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && adds_up(t);
  });
  bp_tensor_release(t);
}

TEST(Fork, WhileOtherThreadsAllocateLeavesNoLockBehind) {
#if defined(BP_ASAN)
  GTEST_SKIP() << "GCC 12's address sanitizer does not hold its allocator's locks across a fork";
#endif
  Session session;
  ASSERT_EQ(synchronize("null:0").status, BP_OK);
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      while (!stop) {
        bp_tensor_release(ones_on("cpu", 1 << 12));
        bp_tensor_release(ones_on("null:0"));
        count("null");
      }
    });
  for (int i = 0; i < 20; ++i)
    expect_true_in_child([] {
      bp_tensor* t = ones_on("cpu");
      const bool right = adds_up(t);
      bp_tensor_release(t);
      return right && synchronize("null:0").status == BP_BAD_STATE;
    });
  stop = true;
  for (std::thread& t : threads) t.join();
}

}  // namespace
