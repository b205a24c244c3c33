// SPDX-License-Identifier: Apache-2.0
// What the log on stderr prints: levels, topics, controls in foreign text, and how many lines. What
// is not the log's own has its tests where it is logged, and tests/cli reads real processes.
#include "core/process/stderr_log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

namespace bp {
namespace {

// What is printed on stderr meanwhile, by lines.
template <class F>
std::vector<std::string> printed(F&& f) {
  std::FILE* const file = std::tmpfile();
  const int before = ::dup(STDERR_FILENO);
  ::dup2(::fileno(file), STDERR_FILENO);
  f();
  ::dup2(before, STDERR_FILENO);
  ::close(before);
  std::rewind(file);
  std::vector<std::string> lines(1);
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file))
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += static_cast<char>(c);
  EXPECT_EQ(lines.back(), "") << "the last line does not end";
  lines.pop_back();
  std::fclose(file);
  return lines;
}

struct Chosen {
  explicit Chosen(const std::optional<std::string>& wanted) { choose_stderr_log(wanted); }
  ~Chosen() { choose_stderr_log({}); }
};

using Lines = std::vector<std::string>;

TEST(StderrLog, PrintsWhatIsAsImportant) {
  const auto all = [] {
    for (int32_t level = -1; level <= 5; ++level) print_log(level, "cuda: text");
  };
  EXPECT_EQ(printed(all), Lines{});
  const Chosen chosen("warning");
  EXPECT_EQ(printed(all),
            (Lines{"backplane: warning: cuda: text", "backplane: error: cuda: text"}));
}

TEST(StderrLog, PrintsWhatATopicBegins) {
  const Chosen chosen("debug:cuda");
  EXPECT_EQ(printed([] {
              print_log(1, "cuda:1: text");
              print_log(1, "cpu: of cuda");
            }),
            Lines{"backplane: info: cuda:1: text"});
}

TEST(StderrLog, KeepsForeignTextInItsLine) {
  const Chosen chosen("debug");
  const std::string longest(5000, 'x');
  const Lines lines = printed([&] {
    print_log(3, "a\nb\x1b[31m");
    print_log(3, longest);
  });
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], "backplane: error: a b [31m");
  EXPECT_LE(lines[1].size(), 1024u);
}

// However long a second lasts here: what was left out is said.
TEST(StderrLog, LeavesOutWhatIsTooMuchAndSaysSo) {
  const Chosen chosen("debug");
  constexpr size_t kAll = 50 * kMostLinesInASecond;
  const Lines lines = printed([] {
    for (size_t i = 0; i < kAll; ++i) print_log(1, "again");
    ::sleep(1);
    print_log(1, "later");
  });
  EXPECT_LT(lines.size(), kAll);
  ASSERT_GE(lines.size(), kMostLinesInASecond + 2);
  EXPECT_EQ(lines.back(), "backplane: info: later");
  size_t again = 0, left_out = 0;
  for (const std::string& line : lines) {
    unsigned long n = 0;
    again += line == "backplane: info: again";
    if (std::sscanf(line.c_str(), "backplane: warning: %lu lines were left out", &n) == 1)
      left_out += n;
  }
  EXPECT_EQ(again + left_out, kAll);
}

TEST(StderrLog, RefusesWhatIsNoLevel) {
  for (const char* wanted : {"loud", "debug:a-topic-that-is-longer-than-those-that-are-kept"}) {
    const Lines lines = printed([&] { const Chosen chosen(wanted); });
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(lines[0].find("backplane: error: BACKPLANE_LOG is none of debug"), 0u) << lines[0];
  }
}

}  // namespace
}  // namespace bp
