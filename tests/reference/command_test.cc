// SPDX-License-Identifier: Apache-2.0
// The reference backend as its README says that it is checked, and a net that learns on it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "kit/has.h"
#include "kit/process.h"

namespace {

const std::vector<std::string> kEnvironment{"BACKPLANE_PLUGIN_PATH=" BP_REFERENCE,
                                            "PATH=" BP_BINARIES ":/usr/bin:/bin",
                                            "OMP_WAIT_POLICY=passive"};

Said said_by(const std::string& line) { return run({"/bin/sh", "-c", line}, kEnvironment); }

// The lines of the README's blocks that are `backplane ...`, without the remarks behind them.
std::vector<std::string> commands_of_readme() {
  std::ifstream file(BP_REFERENCE_SOURCE "/README.md");
  std::vector<std::string> commands;
  for (std::string line; std::getline(file, line);)
    if (line.rfind("backplane ", 0) == 0) commands.push_back(line.substr(0, line.find("  #")));
  return commands;
}

TEST(Readme, CommandsPass) {
  const std::vector<std::string> commands = commands_of_readme();
  EXPECT_GE(commands.size(), 9U);
  for (const std::string& command : commands) {
    const Said said = said_by(command);
    EXPECT_EQ(said.code, 0) << command << "\n" << said.out << said.err;
    EXPECT_TRUE(has(said.out, "reference conforms: ")) << said.out;
  }
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Readme, ShowsAPageAsItIs) {
  const std::string page = text_of(BP_REFERENCE_SOURCE "/README.md");
  std::smatch block;
  ASSERT_TRUE(std::regex_search(page, block, std::regex("```c\n([^`]*)```")));
  EXPECT_TRUE(has(text_of(BP_REFERENCE_SOURCE "/kernels/where.c"), block[1].str())) << block[1];
}

TEST(Verify, PassesTheReferenceInEveryPart) {
  const Said said = said_by(
      "backplane verify reference --part copies,streams,events,threads,faults,memory,shutdown");
  EXPECT_EQ(said.code, 0) << said.out << said.err;
  EXPECT_TRUE(has(said.out, "reference conforms: ")) << said.out;
}

}  // namespace
