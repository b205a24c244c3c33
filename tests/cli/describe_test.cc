// SPDX-License-Identifier: Apache-2.0
// What is printed of the commands: help, completion for three shells, the manual.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.h"
#include "kit/has.h"

namespace fs = std::filesystem;

namespace {

// A file that is there while the test runs.
struct Written {
  fs::path path;
  Written(const char* name, const std::string& text)
      : path(fs::path(testing::TempDir()) / (std::to_string(getpid()) + name)) {
    std::ofstream(path) << text;
  }
  ~Written() { fs::remove(path); }
};

// The commands, as the page of all lists them.
std::vector<std::string> commands() {
  std::istringstream page(backplane({"--help"}).out);
  std::vector<std::string> names;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line == "Subcommands:") {
      inside = true;
    } else if (inside && line.rfind("  ", 0) == 0 && line[2] != ' ') {
      names.push_back(line.substr(2, line.find(' ', 2) - 2));
    } else if (line.empty()) {
      inside = false;
    }
  }
  return names;
}

// What bash offers for a line, in order.
std::string offered(const fs::path& script, const std::string& line) {
  const std::string words =
      line.substr(0, line.rfind(' ') + 1) + "\"" + line.substr(line.rfind(' ') + 1) + "\"";
  const Said said =
      run({"/bin/bash", "-c",
           "source " + script.string() + "; COMP_WORDS=(" + words +
               "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); compopt() { :; }; _backplane; "
               "printf '%s\\n' \"${COMPREPLY[@]}\" | sort | tr '\\n' ' '"});
  EXPECT_EQ(said.err, "");
  return said.out;
}

TEST(Help, IsACommandTooAndSoIsVersion) {
  EXPECT_EQ(backplane({"help"}).out, backplane({"--help"}).out);
  EXPECT_EQ(backplane({"version"}).out, backplane({"--version"}).out);
  for (const std::string& name : commands()) {
    EXPECT_EQ(backplane({"help", name}).code, 0) << name;
    EXPECT_EQ(backplane({"help", name}).out, backplane({name, "--help"}).out) << name;
  }
  const Said wrong = backplane({"help", "devcies"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(has(wrong.err, "'devcies' is not a command; did you mean devices?")) << wrong.err;
}

TEST(Completion, OfBashOffersCommandsOptionsValuesAndFiles) {
  const Said said = backplane({"completion", "bash"});
  ASSERT_EQ(said.code, 0) << said.err;
  const Written script(".bash", said.out);
  EXPECT_EQ(run({"/bin/bash", "-n", script.path.string()}).err, "");
  EXPECT_EQ(offered(script.path, "backplane dev"), "devices ");
  EXPECT_EQ(offered(script.path, "backplane devices --"), "--all --help --json --open ");
  EXPECT_EQ(offered(script.path, "backplane train --devices "), "all ");
  EXPECT_EQ(offered(script.path, "backplane train d"), "digits ");
  EXPECT_EQ(offered(script.path, "backplane completion "), "bash fish zsh ");
  EXPECT_EQ(offered(script.path, "backplane eval " + script.path.string().substr(
                                                         0, script.path.string().size() - 3)),
            script.path.string() + " ");
  auto names = commands();
  names.insert(names.end(), {"--help", "--version", "-h"});
  std::sort(names.begin(), names.end());
  std::istringstream given(offered(script.path, "backplane "));
  std::vector<std::string> offers;
  for (std::string word; given >> word;) offers.push_back(word);
  std::sort(offers.begin(), offers.end());
  EXPECT_EQ(offers, names) << "every command is offered";
}

// The shells themselves are not everywhere; where one is, it reads its script.
TEST(Completion, OfZshAndFishNamesEachCommandAndReads) {
  for (const char* shell : {"zsh", "fish"}) {
    const Said said = backplane({"completion", shell});
    ASSERT_EQ(said.code, 0) << said.err;
    for (const std::string& name : commands()) EXPECT_TRUE(has(said.out, name)) << shell << name;
    EXPECT_TRUE(has(said.out, "standardize")) << shell;
    const std::string program = std::string("/usr/bin/") + shell;
    if (!fs::exists(program)) continue;
    const Written script(".script", said.out);
    EXPECT_EQ(run({program, "-n", script.path.string()}).err, "") << shell;
  }
}

TEST(Manual, HasEveryCommandAndOptionAndNoWarnings) {
  const Said said = backplane({"man"});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.out.rfind(".TH BACKPLANE 1 ", 0), 0U);
  for (const std::string& name : commands()) {
    std::string escaped;
    for (const char c : name) escaped += c == '-' ? "\\-" : std::string(1, c);
    EXPECT_TRUE(has(said.out, ".SS " + escaped + "\n")) << name;
  }
  for (const char* part : {".SH NAME", ".SH SYNOPSIS", ".SH EXIT STATUS", "\\-\\-standardize",
                           "BACKPLANE_NUM_THREADS"})
    EXPECT_TRUE(has(said.out, part)) << part;
  std::istringstream lines(said.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_TRUE(line.empty() || line[0] != '\'') << "a request that was none: " << line;
  if (!fs::exists("/usr/bin/groff")) GTEST_SKIP() << "groff, which reads manuals, is not installed";
  const Written page(".1", said.out);
  const Said read = run({"/usr/bin/groff", "-man", "-Tutf8", "-ww", "-z", page.path.string()});
  EXPECT_EQ(read.code, 0);
  EXPECT_EQ(read.err, "");
}

}  // namespace
