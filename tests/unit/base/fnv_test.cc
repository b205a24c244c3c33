// SPDX-License-Identifier: Apache-2.0
// FNV-1a beside the vectors of its authors (draft-eastlake-fnv, appendix C).
#include "core/base/fnv.h"

#include <gtest/gtest.h>

namespace bp {
namespace {

uint64_t of(std::string_view text) {
  Fnv f;
  f.add(text);
  return f.value;
}

TEST(Fnv, HashesAsItsAuthorsSay) {
  EXPECT_EQ(of(""), 0xcbf29ce484222325u);
  EXPECT_EQ(of("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(of("foobar"), 0x85944171f73967e8u);
  EXPECT_EQ(of("\xff"), 0xaf64724c8602eb6eu);  // bytes, whatever the sign of char
}

TEST(Fnv, OfPartsIsThatOfTheWhole) {
  Fnv f;
  f.add("foo"), f.add("bar");
  EXPECT_EQ(f.value, of("foobar"));
  Fnv word;
  word.add(uint64_t{'a'});
  EXPECT_EQ(word.value, of("a"));
  Fnv wide;
  wide.add(uint64_t{'a'} | uint64_t{1} << 40);
  EXPECT_NE(wide.value, of("a"));
}

}  // namespace
}  // namespace bp
