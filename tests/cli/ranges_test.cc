// SPDX-License-Identifier: Apache-2.0
// BACKPLANE_RANGES: ops as ranges of vendors' tools, by a library that stands in for theirs.
#include <gtest/gtest.h>

#include <string>

#include "cli/command.h"
#include "kit/has.h"

namespace {

Said hello_with(const std::string& ranges, const std::string& folder) {
  return run({BP_HELLO_C},
             {"BACKPLANE_RANGES=" + ranges, "LD_LIBRARY_PATH=" + folder, "BACKPLANE_LOG=warning"});
}

TEST(Ranges, ShowOpsToATool) {
  const std::string plain = hello_with("", BP_RANGE_TOOLS).out;
  EXPECT_FALSE(has(plain, " 0 "));
  for (const std::string tool : {"nvtx", "roctx", "itt"}) {
    const Said said = hello_with(tool, BP_RANGE_TOOLS);
    EXPECT_EQ(said.code, 0);
    EXPECT_EQ(said.err, "");
    EXPECT_TRUE(has(said.out, tool + " 0 ")) << said.out;
    EXPECT_TRUE(has(said.out, plain.substr(plain.rfind('\n', plain.size() - 2) + 1))) << said.out;
  }
  const Said all = hello_with("nvtx,itt", BP_RANGE_TOOLS);
  EXPECT_TRUE(has(all.out, "nvtx ") && has(all.out, "itt ") && !has(all.out, "roctx ")) << all.out;
}

TEST(Ranges, SayWhichLibraryIsMissing) {
  const Said none = hello_with("nvtx", "/nowhere");
  EXPECT_EQ(none.code, 0);
  EXPECT_EQ(
      none.err,
      "backplane: warning: BACKPLANE_RANGES: the library of nvtx was not found, or is another one\n");
  EXPECT_EQ(hello_with("vtune", BP_RANGE_TOOLS).err,
            "backplane: warning: BACKPLANE_RANGES: 'vtune' is none of nvtx, roctx and itt\n");
}

}  // namespace
