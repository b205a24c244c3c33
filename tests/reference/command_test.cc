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

// Of the ops of each command all are served, not only those that were found right.
TEST(Readme, CommandsAskForWhatIsServed) {
  for (const std::string& command : commands_of_readme()) {
    const std::string out = said_by(command + " --part records").out;
    std::smatch found;
    ASSERT_TRUE(std::regex_search(out, found, std::regex("([0-9]+) of ([0-9]+) ops are served")));
    EXPECT_EQ(found[1], found[2]) << command << "\n" << out;
  }
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

// A run of `backplane train digits`, and its net on the cpu.
struct Learned {
  double right = 0;  // of the held-out images, in percent
  std::string again;
};

Learned learned_on(const std::string& device) {
  const std::string file = testing::TempDir() + std::to_string(getpid()) + ".safetensors";
  const Said said =
      said_by("backplane train digits --quick --epochs 3 --device " + device + " --out " + file);
  EXPECT_EQ(said.code, 0) << said.out << said.err;
  const Said again = said_by("backplane eval " + file + " --device cpu");
  EXPECT_EQ(again.code, 0) << again.out << again.err;
  std::filesystem::remove(file);
  const std::regex figure("([0-9.]+) % of 355 held-out images right");
  std::smatch found;
  if (!std::regex_search(said.out, found, figure)) return {};
  return {std::stod(found[1]), found[0].str() + ": " + again.out};
}

// The same seed gives the same first weights, orders and distortions. What the last digits of sums
// decide about, early in a run, is a few of the 355 images.
TEST(Digits, AreLearnedOnItAsOnTheCpu) {
  const Learned here = learned_on("reference:0"), cpu = learned_on("cpu");
  EXPECT_GT(cpu.right, 95);
  EXPECT_GT(here.right, 95);
  EXPECT_LE(std::fabs(here.right - cpu.right), 5 * 100.0 / 355) << here.right << ", " << cpu.right;
  const std::string right = here.again.substr(0, here.again.find(':'));
  EXPECT_TRUE(has(here.again.substr(right.size()), right)) << here.again;
}

}  // namespace
