// SPDX-License-Identifier: Apache-2.0
#include "core/io/inflate.h"

#include "unit/thrown.h"

namespace bp {
namespace {

using bp_test::thrown;

TEST(Inflater, UnpacksAndSeesWhereThePackedBytesEnd) {
  // "aaaa...": 100 of them, packed by zlib into 6 bytes.
  const std::string packed("\x4b\x4c\xa4\x3d\x00\x00", 6), text(100, 'a');
  Inflater good(packed);
  std::string out(100, '\0');
  good.read(out.data(), 60);
  good.read(out.data() + 60, 40);
  EXPECT_EQ(out, text);
  EXPECT_TRUE(good.at_end());
  EXPECT_EQ(thrown([&] { Inflater(packed).read(std::string(101, '\0').data(), 101); }),
            "the packed bytes end too early");
  EXPECT_EQ(thrown([&] {
              Inflater({packed.data(), 2}).read(out.data(), 100);
            }),
            "the packed bytes end too early");
  EXPECT_EQ(thrown([&] { Inflater("\xff\xff\xff").read(out.data(), 100); }),
            "the packed bytes are damaged: invalid block type");
  Inflater rest(packed);
  rest.read(out.data(), 99);
  EXPECT_FALSE(rest.at_end());
  const std::string tail = packed + "x";
  Inflater followed(tail);
  followed.read(out.data(), 100);
  EXPECT_FALSE(followed.at_end());
}

}  // namespace
}  // namespace bp
