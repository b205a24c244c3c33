// SPDX-License-Identifier: Apache-2.0
#include "core/base/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace bp {
namespace {

// The first and the last code point of each row of Unicode's table 3-7, and what lies just outside.
TEST(Utf8, IsWhatUnicodesTableAllows) {
  for (const std::string good :
       {"", "a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xe0\xbf\xbf", "\xe1\x80\x80",
        "\xec\xbf\xbf", "\xed\x80\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbf",
        "\xf0\x90\x80\x80", "\xf0\xbf\xbf\xbf", "\xf1\x80\x80\x80", "\xf3\xbf\xbf\xbf",
        "\xf4\x80\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(is_utf8(good)) << testing::PrintToString(good);
    EXPECT_TRUE(is_utf8("x" + good + "y")) << testing::PrintToString(good);
  }
  for (const std::string bad :
       {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2", "\xc2\x7f", "\xc2\xc0", "\xe0\x9f\xbf",
        "\xe0\xa0", "\xe1\x80\x7f", "\xed\xa0\x80", "\xed\xbf\xbf", "\xf0\x8f\xbf\xbf",
        "\xf0\x90\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
    EXPECT_FALSE(is_utf8(bad)) << testing::PrintToString(bad);
    EXPECT_FALSE(is_utf8("x" + bad)) << testing::PrintToString(bad);
    EXPECT_FALSE(is_utf8(bad + "y")) << testing::PrintToString(bad);
  }
}

TEST(Utf8, IsMadeOfAnyBytes) {
  EXPECT_EQ(as_utf8("caf\xc3\xa9"), "caf\xc3\xa9");
  EXPECT_EQ(as_utf8("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(as_utf8("\xe2\x82"), "\\xe2\\x82") << "a character that was cut";
  EXPECT_EQ(as_utf8("\xed\xb3\xbf"), "\\xed\\xb3\\xbf") << "a surrogate";
  for (int byte = 0; byte < 256; ++byte)
    EXPECT_TRUE(is_utf8(as_utf8(std::string(2, static_cast<char>(byte))))) << byte;
}

TEST(Utf8, IsCutBetweenCharacters) {
  const std::string text = "a\xe2\x82\xac\xc3\xa9";
  const size_t whole[] = {0, 1, 1, 1, 4, 4, 6, 6};
  for (size_t most = 0; most < 8; ++most)
    EXPECT_EQ(first_characters(text, most), text.substr(0, whole[most])) << most;
}

TEST(Utf8, MayHoldAZeroByte) { EXPECT_TRUE(is_utf8(std::string_view("a\0b", 3))); }

}  // namespace
}  // namespace bp
