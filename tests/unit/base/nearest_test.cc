// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bp {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsAndSubstitutions) {
  const struct {
    const char *a, *b;
    size_t distance;
  } rows[] = {{"", "", 0},          {"", "abc", 3},           {"abc", "abc", 0},
              {"abc", "abd", 1},    {"abc", "ac", 1},         {"ac", "abc", 1},
              {"ab", "ba", 2},      {"kitten", "sitting", 3}, {"flaw", "lawn", 2},
              {"sin", "softmax", 6}};
  for (const auto& row : rows) {
    EXPECT_EQ(edit_distance(row.a, row.b), row.distance) << row.a << ", " << row.b;
    EXPECT_EQ(edit_distance(row.b, row.a), row.distance) << row.b << ", " << row.a;
  }
}

TEST(EditDistance, LooksAtTheFirst64Bytes) {
  const std::string a(64, 'a');
  EXPECT_EQ(edit_distance(a + "x", a + "yyyyy"), 0u);
  EXPECT_EQ(edit_distance(std::string(1 << 20, 'a'), std::string(1 << 20, 'b')), 64u);
}

TEST(Nearest, IsTheFirstOfTheNearestNames) {
  const std::vector<std::string_view> names = {"softplus", "softmax", "sin", "sum", "log_softmax"};
  EXPECT_EQ(nearest("sofmax", names), "softmax");
  EXPECT_EQ(nearest("sim", names), "sin") << "sum is as near, and comes later";
  EXPECT_EQ(nearest("", names), "sin");
  EXPECT_EQ(nearest("x", std::vector<std::string_view>{}), "");
}

}  // namespace
}  // namespace bp
