// SPDX-License-Identifier: Apache-2.0
#include "core/train/order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "unit/thrown.h"

namespace bp {
namespace {

using Order = std::vector<int64_t>;

TEST(EpochOrder, IsThatOfTheExamplesUnlessItIsShuffled) {
  EXPECT_EQ(epoch_order(4, /*shuffled=*/false, 1, 2), (Order{0, 1, 2, 3}));
  EXPECT_TRUE(epoch_order(0, /*shuffled=*/true, 1, 2).empty());
  EXPECT_EQ(epoch_order(1, /*shuffled=*/true, 1, 2), Order{0});
}

TEST(EpochOrder, IsAPermutationThatSeedAndEpochDetermine) {
  for (int64_t n : {2, 3, 10, 1001}) {
    Order order = epoch_order(n, true, 7, 3);
    EXPECT_EQ(order, epoch_order(n, true, 7, 3));
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, epoch_order(n, false, 0, 0));
  }
  EXPECT_NE(epoch_order(100, true, 7, 3), epoch_order(100, true, 7, 4));
  EXPECT_NE(epoch_order(100, true, 7, 3), epoch_order(100, true, 8, 3));
}

TEST(EpochOrder, OfMoreExamplesThanMemoryHoldsIsRefused) {
  for (const bool shuffled : {false, true})
    EXPECT_EQ(bp_test::thrown([&] { epoch_order(int64_t{1} << 62, shuffled, 7, 3); },
                              BP_OUT_OF_HOST_MEMORY),
              "the order of 4611686018427387904 examples takes more bytes than memory can have");
}

// Resuming on another machine, or with another version, must find the same order. Computed by a
// program of its own.
TEST(EpochOrder, StaysWhatItWas) {
  EXPECT_EQ(epoch_order(10, true, 42, 0), (Order{3, 1, 8, 6, 7, 2, 4, 0, 9, 5}));
  EXPECT_EQ(epoch_order(10, true, 42, 1), (Order{5, 4, 3, 9, 1, 7, 6, 0, 8, 2}));
}

TEST(EpochOrder, GivesEachOrderEquallyOften) {
  std::array<int, 24> seen{};
  for (uint64_t epoch = 0; epoch < 24000; ++epoch) {
    const Order o = epoch_order(4, true, 1, epoch);
    Order sorted = epoch_order(4, false, 0, 0);
    size_t rank = 0;
    while (sorted != o) {
      std::next_permutation(sorted.begin(), sorted.end());
      ++rank;
    }
    ++seen[rank];
  }
  for (int n : seen) EXPECT_NEAR(n, 1000, 150);  // 5 standard deviations
}

}  // namespace
}  // namespace bp
