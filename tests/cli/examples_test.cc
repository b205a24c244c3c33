// SPDX-License-Identifier: Apache-2.0
// The small examples, as a person runs them.
#include <gtest/gtest.h>

#include <string>

#include "kit/has.h"
#include "kit/process.h"

namespace {

TEST(Examples, HelloInCSaysWhatWasComputedAndWhatWentWrong) {
  const Said said = run({BP_HELLO_C});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(has(said.out, "tensor([[14., 32.],\n        [32., 77.]])\n")) << said.out;
  EXPECT_TRUE(has(said.out, "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)")) << said.out;
}

TEST(Examples, HelloInCppSaysTheSame) {
  const Said said = run({BP_HELLO_CPP});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(has(
      said.out,
      "tensor([[ 8.0000, 17.0000],\n        [17.0000, 39.5000]])\ntensor([25.0000, 56.5000])\n"))
      << said.out;
  EXPECT_TRUE(has(said.out, "BP_INVALID_ARGUMENT: ")) << said.out;
}

TEST(Examples, OverlapGivesTheSameOnEveryDevice) {
  for (const char* device : {"cpu", "sim:0", "sim:3"}) {
    const Said said = run({BP_OVERLAP, device});
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_EQ(said.out, "0 1 4 9 16 25\n") << device;
  }
  const Said wrong = run({BP_OVERLAP, "sim:4"});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_TRUE(has(wrong.err, "overlap: invalid device ordinal sim:4")) << wrong.err;
}

}  // namespace
