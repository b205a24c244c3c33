// SPDX-License-Identifier: Apache-2.0
// Files as memory, and files replaced as a whole. Modes, links and more faults:
// tests/api/safetensors_test.cc.
#include "core/io/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>
#include <vector>

#include "kit/child.h"
#include "unit/thrown.h"

namespace {
// What the two calls below do instead of what the system does.
bool links_nothing = false;  // as a file system without O_TMPFILE
bool killed_at_rename = false;
}  // namespace

extern "C" int linkat(int from, const char* path, int to, const char* name, int flags) noexcept {
  if (!links_nothing) return static_cast<int>(::syscall(SYS_linkat, from, path, to, name, flags));
  errno = EOPNOTSUPP;
  return -1;
}
extern "C" int rename(const char* from, const char* to) noexcept {
  if (killed_at_rename) ::raise(SIGKILL);
  return static_cast<int>(::syscall(SYS_rename, from, to));
}

namespace bp {
namespace {

struct Replacing : testing::Test {
  std::string path = testing::TempDir() + "file_test_" + std::to_string(::getpid());
  void TearDown() override { std::remove(path.c_str()); }
  std::string content() const {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void put(const std::string& text) const {
    replace_file(path, [&](Sink& out) { out.write(text.data(), text.size()); });
  }
};

TEST_F(Replacing, WritesWhatFillGivesInOrder) {
  replace_file(path, [](Sink& out) {
    out.write("ab", 2);
    out.write("", 0);
    out.write("c", 1);
  });
  EXPECT_EQ(content(), "abc");
  put("");
  EXPECT_EQ(content(), "");
}

TEST_F(Replacing, LeavesWhatWasThereWhenFillThrows) {
  put("before");
  EXPECT_THROW(replace_file(path,
                            [](Sink& out) {
                              out.write("half", 4);
                              throw 7;
                            }),
               int);
  EXPECT_EQ(content(), "before");
}

TEST_F(Replacing, LeavesAMappingOfTheOldFileAsItWas) {
  put("before");
  const auto mapped = Mapping::open(path);
  put("after it");
  EXPECT_EQ(std::string(mapped->bytes().begin(), mapped->bytes().end()), "before");
  EXPECT_EQ(content(), "after it");
}

TEST_F(Replacing, LeavesTheFileAloneWhenAMappingIsWritten) {
  put("before");
  const auto mapped = Mapping::open(path);
  mapped->bytes()[0] = 'B';
  EXPECT_EQ(content(), "before");
  EXPECT_EQ(Mapping::open(path)->bytes()[0], 'b');
}

TEST_F(Replacing, OfNothingMapsToNothing) {
  put("");
  EXPECT_EQ(Mapping::open(path)->bytes().size(), 0u);
}

// ---- what a killed process leaves ----

// A folder of its own, with the file `saved`. The parameter says whether the file system can give a
// name to a file that has none.
struct Killed : testing::TestWithParam<bool> {
  const std::filesystem::path folder =
      testing::TempDir() + "file_test_killed_" + std::to_string(::getpid());
  const std::string path = folder / "saved";
  void SetUp() override {
    links_nothing = !GetParam();
    std::filesystem::create_directory(folder);
    save('a');
  }
  void TearDown() override {
    links_nothing = false;
    std::filesystem::remove_all(folder);
  }

  // Saves the same letter, many times over, and calls `halfway` in between.
  void save(
      char letter, const std::function<void()>& halfway = [] {}) const {
    replace_file(path, [&](Sink& out) {
      const std::string half(1 << 18, letter);
      out.write(half.data(), half.size());
      halfway();
      out.write(half.data(), half.size());
    });
  }
  // The letter of a file that is whole; else 0.
  char letter() const {
    std::ifstream in(path, std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(in), {}};
    const bool whole = all.size() == size_t{2} << 18 && all == std::string(all.size(), all[0]);
    return whole ? all[0] : '\0';
  }
  size_t n_files() const {
    using Entries = std::filesystem::directory_iterator;
    return static_cast<size_t>(std::distance(Entries(folder), Entries()));
  }
  void expect_cleared_by_the_next_save() const {
    save('z');
    EXPECT_EQ(letter(), 'z');
    EXPECT_EQ(n_files(), 1u);
  }
};

TEST_P(Killed, WhileWritingLeavesTheOldFileAndNothingAfterTheNextSave) {
  for (int times = 0; times < 3; ++times) {
    const int status = bp_test::status_of_child([&] {
      save('b', [] { ::raise(SIGKILL); });
      return true;
    });
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    EXPECT_EQ(letter(), 'a');
  }
  expect_cleared_by_the_next_save();
}

TEST_P(Killed, BeforeItsRenameLeavesTheOldFileAndNothingAfterTheNextSave) {
  const int status = bp_test::status_of_child([&] {
    killed_at_rename = true;
    save('b');
    return true;
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  EXPECT_EQ(letter(), 'a');
  EXPECT_EQ(n_files(), 2u);
  expect_cleared_by_the_next_save();
}

// At whatever moment: the waits cover a few saves.
TEST_P(Killed, AtAnyMomentLeavesAWholeFileAndNothingAfterTheNextSave) {
  for (int times = 0; times < 40; ++times) {
    const pid_t child = ::fork();
    if (child == 0)
      for (char letter = 'b';; letter = letter == 'y' ? 'b' : static_cast<char>(letter + 1))
        save(letter);
    std::this_thread::sleep_for(std::chrono::microseconds(137 * times));
    ::kill(child, SIGKILL);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    EXPECT_NE(letter(), '\0');
  }
  expect_cleared_by_the_next_save();
}

TEST_P(Killed, IsNoOtherSaveOfTheSameFile) {
  save('b', [&] { save('c'); });
  EXPECT_EQ(letter(), 'b');
  EXPECT_EQ(n_files(), 1u);
}

TEST_P(Killed, LeavesFilesOfOthersAlone) {
  std::ofstream(folder / ".backplane-1-0.tmp") << "somebody's";
  std::ofstream(folder / "saved.tmp") << "somebody's";
  save('b');
  EXPECT_EQ(n_files(), 3u);
}

INSTANTIATE_TEST_SUITE_P(File, Killed, testing::Bool(), [](const auto& info) {
  return std::string(info.param ? "OfNoName" : "OfATemporaryName");
});

TEST(Mapping, OfWhatIsNoFileSaysWhatTheSystemSays) {
  EXPECT_EQ(bp_test::thrown([] { Mapping::open("/no/such/file"); }, BP_NOT_FOUND),
            "cannot open '/no/such/file': No such file or directory");
  EXPECT_NE(bp_test::thrown([] { Mapping::open("/"); }), "no error");
}

}  // namespace
}  // namespace bp
