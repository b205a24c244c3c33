// SPDX-License-Identifier: Apache-2.0
// The blocks of docs/command.md, in order in one folder: ```json is the file that the line before
// it names, ```sh is run by a shell that finds `backplane`.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "kit/process.h"

namespace fs = std::filesystem;

namespace {

TEST(Page, OfTheCommandRunsAsItStands) {
  const fs::path folder = fs::path(testing::TempDir()) / ("cli-page-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ifstream page(BP_PAGE);
  std::string block, kind, before;
  int shells = 0, files = 0;
  for (std::string line; std::getline(page, line);) {
    if (kind.empty() && line.rfind("```", 0) == 0) {
      kind = line.substr(3);
      ASSERT_TRUE(kind == "sh" || kind == "json" || kind == "text") << line;
    } else if (line == "```") {
      if (kind == "json") {
        // The line before it ends in the file's name: "`net.json`:".
        const std::size_t close = before.rfind('`'), open = before.rfind('`', close - 1);
        ASSERT_LT(open, close) << before;
        std::ofstream(folder / before.substr(open + 1, close - open - 1)) << block;
        ++files;
      } else if (kind == "sh") {
        const Said said =
            run({"/bin/bash", "-euc",
                 "cd " + folder.string() + "; PATH=" + fs::path(BP_COMMAND).parent_path().string() +
                     ":$PATH\n" + block});
        EXPECT_EQ(said.code, 0) << block << said.out << said.err;
        ++shells;
      }
      kind.clear();
      block.clear();
    } else if (kind.empty()) {
      if (!line.empty()) before = line;
    } else {
      block += line + "\n";
    }
  }
  EXPECT_GE(shells, 2);
  EXPECT_GE(files, 1);
  fs::remove_all(folder);
}

}  // namespace
