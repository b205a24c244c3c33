// SPDX-License-Identifier: Apache-2.0
// backplane train and eval, as a person runs them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "kit/has.h"
#include "kit/process.h"

namespace fs = std::filesystem;

namespace {

// A folder for a test's files.
struct Folder {
  fs::path path = fs::path(testing::TempDir()) / ("cli-train-" + std::to_string(getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const char* name) const { return (path / name).string(); }
};

std::string bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

using Words = std::vector<std::string>;
Words train(const Words& more) {
  Words words{BP_COMMAND, "train", "digits", "--quick"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}
double percent(const std::string& text, const std::string& behind) {
  const std::size_t at = text.find(behind);
  return at == std::string::npos ? -1 : std::stod(text.substr(text.rfind('\n', at) + 1));
}

TEST(Train, LearnsTheDigitsAndAnotherBackendAgrees) {
  const Folder folder;
  const std::string file = folder / "digits.safetensors";
  const Said said = run(train({"--device", "cpu", "--out", file}));
  ASSERT_EQ(said.code, 0) << said.out << said.err;
  // What instruction sets differ in, the last digits of sums, decides about an image or two of the
  // 355.
  EXPECT_GE(percent(said.out, "% of 355 held-out images right"), 98.5) << said.out;
  EXPECT_TRUE(has(said.out, "o learned, * held out")) << said.out;
  // On a linear axis 26 of the 30 epochs lie in the lowest line.
  std::size_t most = 0, marks = 0;
  std::istringstream lines(said.out.substr(said.out.find("o learned, * held out")));
  for (std::string line; std::getline(lines, line);) {
    if (!has(line, " |")) continue;
    const auto n = static_cast<std::size_t>(std::count(line.begin(), line.end(), '*'));
    most = std::max(most, n);
    marks += n;
  }
  EXPECT_EQ(marks, 30U) << said.out;
  EXPECT_LE(most, 15U) << said.out;
  EXPECT_FALSE(has(said.out, "\r")) << "no terminal, no bar";
  for (const char* device : {"cpu", "sim:1"}) {
    const Said again = run({BP_COMMAND, "eval", file, "--device", device});
    EXPECT_EQ(again.code, 0) << again.out << again.err;
    EXPECT_TRUE(has(again.out, "355 of 355 predictions agree with those of cpu")) << again.out;
    EXPECT_TRUE(has(again.out, std::string("held-out images right on ") + device)) << again.out;
  }
}

TEST(Train, AResumedRunWritesTheSameFile) {
  const Folder folder;
  const std::string whole = folder / "whole", part = folder / "part", rest = folder / "rest";
  EXPECT_EQ(run(train({"--device", "cpu", "--epochs", "2", "--seed", "5", "--out", whole})).code,
            0);
  EXPECT_EQ(run(train({"--device", "cpu", "--epochs", "1", "--seed", "5", "--out", part})).code, 0);
  const Said said =
      run(train({"--device", "cpu", "--epochs", "2", "--resume", part, "--out", rest}));
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_FALSE(has(said.out, "epoch  1/2")) << said.out;
  EXPECT_NE(bytes(whole), bytes(part));
  EXPECT_EQ(bytes(whole), bytes(rest));
  EXPECT_TRUE(has(said.out, "It goes on behind epoch 1, as " + part + " has it.")) << said.out;
  // Without --out it is the file itself that grows.
  EXPECT_EQ(run(train({"--device", "cpu", "--epochs", "2", "--resume", part})).code, 0);
  EXPECT_EQ(bytes(whole), bytes(part));
  const Said again = run(train({"--device", "cpu", "--epochs", "2", "--resume", part}));
  EXPECT_EQ(again.code, 2);
  EXPECT_TRUE(has(again.err, part + " has learned 2 epochs already; --epochs counts them in"))
      << again.err;
  EXPECT_EQ(run(train({"--device", "cpu", "--epochs", "3", "--resume", part, "--seed", "6"})).code,
            2)
      << "it has its own seed";
}

TEST(Train, CtrlCLeavesAFileToGoOnFrom) {
  const Folder folder;
  const std::string file = folder / "stopped";
  Words words = train({"--device", "cpu", "--epochs", "100000", "--out", file});
  // Without --foreground it signals its whole group as well: a second Ctrl-C, which ends the
  // command at once.
  words.insert(words.begin(),
               {"/usr/bin/timeout", "--foreground", "--preserve-status", "-s", "INT", "3"});
  const Said said = run(words);
  EXPECT_EQ(said.code, 1) << said.out << said.err;
  EXPECT_TRUE(has(said.err, "go on with: backplane train digits --resume " + file)) << said.err;
  const Said told = run({BP_COMMAND, "eval", file, "--device", "cpu"});
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_TRUE(has(told.out, "holds no predictions")) << told.out;
}

// What they learn is what one device learns: unit tests. A few images, as sim is no fast device.
TEST(Train, AllDevicesOfAKindLearnTogether) {
  const Folder folder;
  const std::string file = folder / "together", few = folder / "few.csv";
  std::ifstream all(BP_DIGITS);
  std::ofstream some(few);
  std::string line;
  for (int i = 0; i < 300 && std::getline(all, line); ++i) some << line << '\n';
  some.close();
  const Said said = run(
      train({"--device", "sim", "--devices", "all", "--epochs", "2", "--data", few, "--out", file}),
      {"BACKPLANE_VISIBLE_DEVICES=sim:0,1"});
  EXPECT_EQ(said.code, 0) << said.out << said.err;
  EXPECT_TRUE(has(said.out, "images on sim:0, sim:1, seed 42.")) << said.out;
  const Said again = run({BP_COMMAND, "eval", file, "--device", "cpu", "--data", few});
  EXPECT_EQ(again.code, 0) << again.out << again.err;
  EXPECT_TRUE(has(again.out, "predictions agree with those of sim:0, sim:1")) << again.out;
}

TEST(Train, SaysWhichLineOfTheDataIsWrong) {
  const Folder folder;
  const std::string data = folder / "wrong.csv";
  std::ofstream(data) << "1,2,3\n";
  const Said said = run(train({"--data", data, "--out", folder / "none"}));
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(has(said.err, data + ", line 1: expected 64 pixels of 0 to 16 and a label"))
      << said.err;
}

TEST(Train, DrawsABarOnATerminal) {
  const Folder folder;
  const Said said =
      run_on_terminal(train({"--device", "cpu", "--epochs", "1", "--out", folder / "bar"}));
  EXPECT_EQ(said.code, 0) << said.out;
  EXPECT_TRUE(has(said.out, "images/s")) << said.out;
  EXPECT_TRUE(has(said.out, "##]")) << said.out;
}

TEST(Train, SaysWhatIsWrong) {
  const Folder folder;
  const std::string junk = folder / "junk";
  std::ofstream(junk) << "no tensors";
  const struct {
    Words words;
    int code;
    std::string part;
  } cases[] = {
      {{"train"}, 2, "JOB or --data is missing"},
      {{"train", "digits", "--lr", "1"}, 2, "--lr does not go with digits, which has its own"},
      {{"train", "letters"}, 2, "letters"},
      {{"train", "digits", "--device", "toaster:0:1"}, 2, "toaster"},
      {{"train", "digits", "--device", "cuda:0"}, 1, "cuda"},
      {{"train", "digits", "--device", "sim:9"}, 1, "sim:9"},
      {{"train", "digits", "--devices", "all", "--device", "cpu"}, 2, "cpu is one device"},
      {{"train", "digits", "--devices", "some"}, 2, "some"},
      {{"train", "digits", "--epochs", "0"}, 2, "epochs"},
      {{"train", "digits", "--resume", "/nowhere"}, 2, "/nowhere"},
      {{"train", "digits", "--resume", junk}, 1, junk},
      {{"train", "digits", "--out", "/nowhere/at/all"},
       2,
       "--out: cannot write all into /nowhere/at: No such file or directory"},
      {{"train", "digits", "--out", folder / ""}, 2, "is a folder, expected a file's name"},
      {{"eval"}, 2, "FILE"},
      {{"eval", junk}, 1, junk},
  };
  for (const auto& c : cases) {
    Words words{BP_COMMAND};
    words.insert(words.end(), c.words.begin(), c.words.end());
    const Said said = run(words);
    EXPECT_EQ(said.code, c.code) << c.words.back() << ": " << said.err;
    EXPECT_TRUE(has(said.err, c.part)) << c.part << ": " << said.err;
    EXPECT_EQ(std::count(said.err.begin(), said.err.end(), '\n'), c.code == 2 ? 2 : 1) << said.err;
  }
  EXPECT_TRUE(has(run({BP_COMMAND, "train", "letters"}).err,
                  "Run `backplane train --help` to see what there is."));
  EXPECT_TRUE(has(run({BP_COMMAND, "train", "--help"}).out, "--resume"));
}

// The same small program in C and in C++.
TEST(Examples, LearnDigitsAndGiveTheSameOnAnotherBackend) {
  const Folder folder;
  const std::string file = folder / "digits.safetensors";
  for (const char* program : {BP_TRAIN_DIGITS_C, BP_TRAIN_DIGITS_CPP})
    for (const char* device : {"sim:1", "cpu"}) {
      const Said said = run({program, device, BP_DIGITS, file});
      EXPECT_EQ(said.code, 0) << program << ' ' << said.out << said.err;
      const std::size_t last = said.out.find("epoch 10   learned ");
      ASSERT_NE(last, std::string::npos) << said.out;
      EXPECT_GE(std::stod(said.out.substr(said.out.find("held out ", last) + 9)), 97.5) << said.out;
      EXPECT_TRUE(fs::exists(file)) << program;
      fs::remove(file);
    }
}

TEST(Examples, LearnDigitsSayWhatIsWrong) {
  const Folder folder;
  const std::string junk = folder / "junk";
  std::ofstream(junk) << "1,2,3\n";
  for (const char* program : {BP_TRAIN_DIGITS_C, BP_TRAIN_DIGITS_CPP}) {
    const struct {
      Words words;
      std::string part;
    } cases[] = {{{program, "sim:9", BP_DIGITS}, "invalid device ordinal sim:9"},
                 {{program, "cpu", "/nowhere"}, "/nowhere"},
                 {{program, "cpu", junk}, "64 pixels and a label"},
                 {{program, "cpu", BP_DIGITS, "/nowhere/at/all"}, "/nowhere/at/all"}};
    for (const auto& c : cases) {
      const Said said = run(c.words);
      EXPECT_EQ(said.code, 1) << said.out;
      EXPECT_TRUE(has(said.err, "train_digits: ") && has(said.err, c.part)) << said.err;
    }
  }
}

}  // namespace
