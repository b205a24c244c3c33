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

// Each takes a lock of its own for a moment, again and again.
struct Locked {
  const char* name;
  bool (*once)(bp_tensor* t);  // of a leaf on the cpu; whether it worked
};
void PrintTo(const Locked& l, std::ostream* out) { *out << l.name; }

bool copy_over(bp_tensor* t) {
  bp_tensor* copy = nullptr;
  const bool made = bp_tensor_clone(t, &copy, nullptr) == BP_OK;
  bp_tensor_release(copy);
  bp_transfer_stats s{};
  s.struct_size = sizeof s;
  return made && bp_transfer_get_stats(device("cpu"), device("cpu"), &s, nullptr) == BP_OK;
}
bool find_ops(bp_tensor*) {
  uint32_t op = 0;
  return bp_op_find("test.not_there", &op, nullptr) == BP_NOT_FOUND && bp_op_count() > 0;
}
bool draw(bp_tensor*) {
  static bp_generator* const g = [] {
    bp_generator* made = nullptr;
    bp_generator_create(1, &made, nullptr);
    return made;
  }();
  uint64_t seed = 0, offset = 0;
  return bp_generator_reserve(g, 4, &seed, &offset, nullptr) == BP_OK && seed == 1;
}
bool keep_in_dict(bp_tensor* t) {
  static bp_dict* const d = [] {
    bp_dict* made = nullptr;
    bp_dict_create(&made, nullptr);
    return made;
  }();
  return bp_dict_set(d, "t", t, nullptr) == BP_OK && bp_dict_set(d, "u", t, nullptr) == BP_OK;
}
bool learn(bp_tensor* t) {
  bp_tensor* sum = nullptr;
  bool right = bp_sum(t, nullptr, 0, 0, BP_DTYPE_NONE, &sum, nullptr) == BP_OK &&
               bp_backward(&sum, nullptr, 1, 0, nullptr) == BP_OK;
  bp_tensor_release(sum);
  bp_tensor* grad = nullptr;
  right = right && bp_tensor_grad(t, &grad, nullptr) == BP_OK && grad;
  bp_tensor_release(grad);
  return right;
}
bool load(bp_tensor* t) {
  bp_tensor* plain = nullptr;
  bp_dataset* rows = nullptr;
  bp_loader* loader = nullptr;
  bp_loader_desc desc{};
  desc.struct_size = sizeof desc;
  desc.batch_size = 2;
  desc.prefetch = 1;
  bp_tensor* batch[1] = {};
  const bool right = bp_tensor_detach(t, &plain, nullptr) == BP_OK &&
                     bp_dataset_from_tensors(&plain, 1, &rows, nullptr) == BP_OK &&
                     bp_loader_create(rows, &desc, &loader, nullptr) == BP_OK &&
                     bp_loader_next(loader, batch, 1, nullptr) == BP_OK;
  bp_tensor_release(batch[0]);
  bp_loader_release(loader);
  bp_dataset_release(rows);
  bp_tensor_release(plain);
  return right;
}

class ForkBeside : public testing::TestWithParam<Locked> {};

TEST_P(ForkBeside, LeavesNoLockBehind) {
#if defined(BP_ASAN)
  GTEST_SKIP() << "GCC 12's address sanitizer does not hold its allocator's locks across a fork";
#endif
  Session session;
  bp_tensor* t = ones_on("cpu");
  ASSERT_EQ(bp_tensor_set_requires_grad(t, 1, nullptr), BP_OK);
  ASSERT_TRUE(GetParam().once(t));
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] {
      while (!stop) EXPECT_TRUE(GetParam().once(t));
    });
  for (int i = 0; i < 60; ++i)
    expect_true_in_child([&] {
      CHECK_CHILD(GetParam().once(t));
      return bp_shutdown(0, nullptr) == BP_OK;
    });
  stop = true;
  for (std::thread& thread : threads) thread.join();
  bp_tensor_release(t);
}

INSTANTIATE_TEST_SUITE_P(All, ForkBeside,
                         testing::Values(Locked{"transfers", copy_over}, Locked{"ops", find_ops},
                                         Locked{"generators", draw}, Locked{"dicts", keep_in_dict},
                                         Locked{"gradients", learn}, Locked{"loaders", load}),
                         [](const auto& info) { return std::string(info.param.name); });

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
