// SPDX-License-Identifier: Apache-2.0
// Several threads over one leaf and one graph: gradients add up, hooks come and go beside backward.
#include <atomic>
#include <thread>

#include "kit/session.h"
#include "kit/tensors.h"

namespace {

using namespace bp_test;

T leaf() {
  T w = counting({64});
  EXPECT_EQ(bp_tensor_set_requires_grad(w.get(), 1, nullptr), BP_OK);
  return w;
}
T summed(const T& x) { return made(bp_sum, x.get(), nullptr, 0u, 0, BP_DTYPE_NONE); }
bp_status back(const T& root, uint32_t flags = 0) {
  bp_tensor* const roots[] = {root.get()};
  return bp_backward(&roots[0], nullptr, 1, flags, nullptr);
}
// Runs each of them again and again until the first has run `n` times.
template <class First, class... Others>
void beside(int n, First first, Others... others) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  (threads.emplace_back([&stop, others] {
    while (!stop) others();
  }),
   ...);
  for (int i = 0; i < n; ++i) first();
  stop = true;
  for (std::thread& t : threads) t.join();
}

TEST(GradientThreads, OfOneLeafAddUp) {
  const T w = leaf();
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) EXPECT_EQ(back(summed(w)), BP_OK);
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(values<float>(grad_of(w)), std::vector<float>(64, 8000));
}

TEST(GradientThreads, MayTakeAGradientAwayBesideBackward) {
  const T w = leaf();
  beside(
      20000, [&] { EXPECT_EQ(back(summed(w)), BP_OK); },
      [&] { EXPECT_EQ(bp_tensor_set_grad(w.get(), nullptr, nullptr), BP_OK); },
      [&] {
        bp_tensor* g = nullptr;
        EXPECT_EQ(bp_tensor_grad(w.get(), &g, nullptr), BP_OK);
        bp_tensor_release(g);
      });
}

TEST(GradientThreads, MayAddAndRemoveHooksBesideBackward) {
  const T w = leaf();
  std::atomic<int> called{0};
  const auto hook = [](void* user, bp_tensor*, bp_tensor**, bp_error**) {
    ++*static_cast<std::atomic<int>*>(user);
    return bp_status{BP_OK};
  };
  const auto come_and_go = [&](auto add) {
    uint64_t id = 0;
    EXPECT_EQ(add(w.get(), hook, &called, nullptr, &id, nullptr), BP_OK);
    EXPECT_EQ(bp_tensor_remove_hook(w.get(), id, nullptr), BP_OK);
  };
  beside(
      20000, [&] { EXPECT_EQ(back(summed(w)), BP_OK); },
      [&] { come_and_go(bp_tensor_register_hook); },
      [&] { come_and_go(bp_tensor_register_accumulated_hook); });
}

TEST(GradientThreads, MayWalkOneGraphThatIsRetained) {
  const T w = leaf(), square = made(bp_mul, w.get(), w.get()), root = summed(square);
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) EXPECT_EQ(back(root, BP_GRAD_RETAIN_GRAPH), BP_OK);
    });
  for (std::thread& t : threads) t.join();
  const std::vector<float> g = values<float>(grad_of(w));
  for (size_t i = 0; i < g.size(); ++i) EXPECT_EQ(g[i], 200 * 2 * static_cast<float>(i));
}

TEST(GradientThreads, OfWhichOneLetsAGraphGoEitherFinishOrAreRefused) {
  for (int i = 0; i < 200; ++i) {
    const T w = leaf(), square = made(bp_mul, w.get(), w.get()), root = summed(square);
    std::thread other([&] {
      const bp_status s = back(root);
      EXPECT_TRUE(s == BP_OK || s == BP_BAD_STATE) << s;
    });
    const bp_status s = back(root);
    EXPECT_TRUE(s == BP_OK || s == BP_BAD_STATE) << s;
    other.join();
    EXPECT_EQ(back(root), BP_BAD_STATE);
  }
}

}  // namespace
