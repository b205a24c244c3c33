// SPDX-License-Identifier: Apache-2.0
#include "core/base/object.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace bp {
namespace {

struct Counted final : Object {
  int* n_destroyed;
  explicit Counted(int* n) : Object(Tag::kNode), n_destroyed(n) {}
  static void destroy(Counted* c) noexcept {
    ++*c->n_destroyed;
    delete c;
  }
};

TEST(Ref, DestroysOnceWithTheLastHolder) {
  int n = 0;
  {
    Ref<Counted> a = Ref<Counted>::adopt(new Counted(&n)), b = a, empty;
    EXPECT_EQ(a->refs, 2u);
    const Ref<Counted>& same = a;
    a = same;
    EXPECT_EQ(b->refs, 2u);
    a = empty;
    EXPECT_FALSE(a);
    EXPECT_EQ(n, 0);
    Ref<Counted> moved = std::move(b);
    EXPECT_EQ(moved->refs, 1u);
  }
  EXPECT_EQ(n, 1);
}

TEST(Ref, GivesItsCountAwayAndTakesItBack) {
  int n = 0;
  Counted* raw = Ref<Counted>::adopt(new Counted(&n)).release();
  EXPECT_EQ(n, 0);
  Ref<Counted> shared = Ref<Counted>::share(raw);
  EXPECT_EQ(raw->refs, 2u);
  Ref<Counted>::drop(raw);
  EXPECT_EQ(n, 0);
  shared = {};
  EXPECT_EQ(n, 1);
  Ref<Counted>::drop(nullptr);
  EXPECT_FALSE(Ref<Counted>::share(nullptr));
}

TEST(Ref, MayBeCopiedAndDroppedByManyThreads) {
  int n = 0;
  {
    const Ref<Counted> one = Ref<Counted>::adopt(new Counted(&n));
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([one] {
        for (int i = 0; i < 10000; ++i) Ref<Counted> copy = one;
      });
    for (std::thread& t : threads) t.join();
    threads.clear();
    EXPECT_EQ(one->refs, 1u);
  }
  EXPECT_EQ(n, 1);
}

}  // namespace
}  // namespace bp
