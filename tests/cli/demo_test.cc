// The digits job and the small examples, as a person runs them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "kit/has.h"
#include "kit/process.h"

namespace fs = std::filesystem;

namespace {

TEST(Demo, IsRightOn98PercentOfTheDigitsAndNamesWhomItSkips) {
  const Said said = run({BP_COMMAND, "demo"});
  EXPECT_EQ(said.code, 0) << said.out << said.err;
  EXPECT_TRUE(has(said.out, "1797 images")) << said.out;
  const std::size_t at = said.out.find("\ncpu ");
  ASSERT_NE(at, std::string::npos) << said.out;
  EXPECT_GE(std::stod(said.out.substr(at + 5)), 98.0) << said.out;
  EXPECT_LE(std::stod(said.out.substr(at + 5)), 100.0) << said.out;
  EXPECT_TRUE(has(said.out, "null:0     skipped: its backend lacks ")) << said.out;
  EXPECT_TRUE(has(said.out, "null:1     skipped: ")) << said.out;
}

// The cpu backend a second time under another kind's name, with memory that counts as a device's.
TEST(Demo, ComparesTheAnswersOfAllDevices) {
  const Said said = run({BP_COMMAND, "demo", "--device", "cpu", "--device", "cuda:0"},
                        {"BACKPLANE_ALIAS=cuda=cpu"});
  EXPECT_EQ(said.code, 0) << said.out << said.err;
  EXPECT_TRUE(has(said.out, "\ncuda:0 ")) << said.out;
  EXPECT_TRUE(has(said.out, "126 KiB to the device")) << "1,797 x (64 + 8) bytes\n" << said.out;
  EXPECT_TRUE(has(said.out, "All 2 devices give the same 1797 answers.")) << said.out;
}

TEST(Demo, WritesPlainLinesWhereThereIsNoTerminal) {
  const Said said = run({BP_COMMAND, "demo", "--device", "cpu"});
  EXPECT_EQ(said.code, 0) << said.out << said.err;
  EXPECT_FALSE(has(said.out, "\r")) << said.out;
  EXPECT_FALSE(has(said.out, "null")) << said.out;
}

TEST(Demo, DrawsABarOnATerminal) {
  const Said said = run_on_terminal({BP_COMMAND, "demo", "--device", "cpu"});
  EXPECT_EQ(said.code, 0);
  EXPECT_TRUE(has(said.out, "[########################################] 100%")) << said.out;
  EXPECT_TRUE(has(said.out, "% right")) << said.out;
}

TEST(Demo, SaysWhichLineOfTheDataIsWrong) {
  const fs::path file =
      fs::path(testing::TempDir()) / ("cli-digits-" + std::to_string(getpid()) + ".csv");
  std::ofstream(file) << "1,2,3\n";
  const Said said = run({BP_COMMAND, "demo", "--data", file.string()});
  fs::remove(file);
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(has(said.err, file.string() + ", line 1: expected 64 pixels of 0 to 16 and a label"))
      << said.err;
}

TEST(Demo, FailsWhenNoDeviceCanRunIt) {
  const Said said = run({BP_COMMAND, "demo", "--device", "null:0"});
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(has(said.out, "No device could run it.")) << said.out;
}

TEST(Demo, FailsForADeviceThatIsNotThere) {
  const Said said = run({BP_COMMAND, "demo", "--device", "null:7"});
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(has(said.err, "7")) << said.err;
}

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

TEST(Readme, ExamplesRunAndPrintWhatThePageSays) {
  EXPECT_EQ(run({BP_README_C}).out, "tensor([[2., 2., 2.],\n        [2., 2., 2.]])\n");
  EXPECT_EQ(run({BP_README_CPP}).out, "tensor([[ 8., 11.],\n        [16., 23.]])\n");
}

}  // namespace
