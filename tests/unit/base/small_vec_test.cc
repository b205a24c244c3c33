// SPDX-License-Identifier: Apache-2.0
#include "core/base/small_vec.h"

#include <gtest/gtest.h>

#include <vector>

namespace bp {
namespace {

using Three = SmallVec<int64_t, 3>;
using Ints = std::vector<int64_t>;

Ints all(const Three& v) { return Ints(v.begin(), v.end()); }
// 0, 1, ... n - 1.
Three counted(uint32_t n) {
  Three v;
  for (uint32_t i = 0; i < n; ++i) v.push_back(i);
  return v;
}

TEST(SmallVec, KeepsItsValuesWhenItOutgrowsItself) {
  for (const uint32_t n : {0u, 1u, 3u, 4u, 7u, 100u}) {
    const Three v = counted(n);
    ASSERT_EQ(v.size(), n);
    EXPECT_EQ(v.empty(), n == 0);
    for (uint32_t i = 0; i < n; ++i) EXPECT_EQ(v[i], i);
  }
}

TEST(SmallVec, IsCopiedAndMovedFromAnyLengthToAnyLength) {
  for (const uint32_t from : {0u, 2u, 3u, 4u, 9u})
    for (const uint32_t into : {0u, 2u, 3u, 4u, 9u}) {
      const Three source = counted(from);
      Three copy(into, 77), moved(into, 77), given = source;
      copy = source;
      EXPECT_EQ(all(copy), all(source));
      moved = std::move(given);
      EXPECT_EQ(all(moved), all(source));
      EXPECT_TRUE(given.empty());  // NOLINT: what is left behind is empty
      given.push_back(5);
      EXPECT_EQ(all(given), Ints{5});
      copy.push_back(6);
      EXPECT_EQ(copy.back(), 6);
      EXPECT_EQ(source.size(), from);
    }
}

TEST(SmallVec, OfItselfStaysAsItIs) {
  Three v = counted(5);
  const Three& same = v;
  v = same;
  EXPECT_EQ(all(v), (Ints{0, 1, 2, 3, 4}));
}

TEST(SmallVec, InsertsErasesAndResizesInPlace) {
  Three v{1, 2, 3};
  v.insert(0, 0);
  v.insert(4, 4);
  v.insert(2, 9);
  EXPECT_EQ(all(v), (Ints{0, 1, 9, 2, 3, 4}));
  v.erase(2);
  v.erase(0);
  v.erase(3);
  EXPECT_EQ(all(v), (Ints{1, 2, 3}));
  v.resize(5, 8);
  EXPECT_EQ(all(v), (Ints{1, 2, 3, 8, 8}));
  v.resize(1);
  v.pop_back();
  EXPECT_TRUE(v.empty());
  v.assign(4, 7);
  EXPECT_EQ(all(v), (Ints{7, 7, 7, 7}));
}

TEST(SmallVec, IsEqualToWhatHasTheSameValues) {
  EXPECT_TRUE(counted(4) == counted(4));
  EXPECT_FALSE(counted(4) == counted(5));
  EXPECT_FALSE((Three{1, 2} == Three{1, 3}));
}

}  // namespace
}  // namespace bp
