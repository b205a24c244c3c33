// SPDX-License-Identifier: Apache-2.0
#include "core/base/shown.h"

#include <gtest/gtest.h>

namespace bp {
namespace {

TEST(Shown, IsTheTextItselfWhereThatIsReadable) {
  EXPECT_EQ(shown("weight"), "weight");
  EXPECT_EQ(shown("\xc3\xa4"), "\xc3\xa4");
  EXPECT_EQ(shown(""), "");
}

TEST(Shown, HasNoLineBreaksAndNoBytesThatAreNoText) {
  EXPECT_EQ(shown("a\nb\tc\x7f"), "a?b?c?");
  EXPECT_EQ(shown(std::string_view("a\0b", 3)), "a?b");
  EXPECT_EQ(shown("a\xff\xc3\xa4"), "a\\xff\xc3\xa4");
}

TEST(Shown, IsCutBetweenCharacters) {
  EXPECT_EQ(shown("abcdef", 6), "abcdef");
  EXPECT_EQ(shown("abcdef", 5), "abcde...");
  for (const size_t most : {1u, 2u, 3u})
    EXPECT_EQ(shown("a\xe2\x82\xac"
                    "b",
                    most),
              "a...")
        << most;
  EXPECT_EQ(shown(std::string(1 << 20, 'x')).size(), 123u);
}

}  // namespace
}  // namespace bp
