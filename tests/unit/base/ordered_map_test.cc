// SPDX-License-Identifier: Apache-2.0
#include "core/base/ordered_map.h"

#include <gtest/gtest.h>

namespace bp {
namespace {

using Names = std::vector<std::string_view>;

OrderedMap<int> abc() {
  OrderedMap<int> m;
  m.set("b", 1), m.set("a", 2), m.set("c", 3);
  return m;
}

TEST(OrderedMap, KeepsTheOrderInWhichNamesCame) {
  OrderedMap<int> m = abc();
  EXPECT_EQ(m.names(), (Names{"b", "a", "c"}));
  EXPECT_EQ(m.set("b", 9), 1) << "what stood there before";
  EXPECT_EQ(m.set("d", 4), std::nullopt);
  EXPECT_EQ(m.names(), (Names{"b", "a", "c", "d"}));
  EXPECT_EQ(m.at(0).value, 9);
}

TEST(OrderedMap, FindsEveryNameAfterOneIsGone) {
  OrderedMap<int> m = abc();
  EXPECT_EQ(m.remove("a"), 2);
  EXPECT_EQ(m.remove("a"), std::nullopt);
  EXPECT_EQ(m.find("a"), nullptr);
  EXPECT_EQ(*m.find("b"), 1);
  EXPECT_EQ(*m.find("c"), 3);
  m.set("a", 5);
  EXPECT_EQ(m.names(), (Names{"b", "c", "a"}));
  EXPECT_EQ(m.remove("b"), 1);
  EXPECT_EQ(*m.find("c"), 3);
  EXPECT_EQ(*m.find("a"), 5);
  EXPECT_EQ(m.size(), 2u);
}

}  // namespace
}  // namespace bp
