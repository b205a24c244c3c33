// SPDX-License-Identifier: Apache-2.0
// `backplane new-plugin`: what it writes, and what it refuses. tests/consumer/template.sh builds
// what it writes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "kit/has.h"
#include "kit/process.h"

namespace fs = std::filesystem;
using testing::Test;

namespace {

class NewPlugin : public Test {
 protected:
  NewPlugin() : folder_(fs::path(testing::TempDir()) / ("cli-new-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
  }
  ~NewPlugin() override { fs::remove_all(folder_); }
  Said make(const std::string& name, const fs::path& folder) const {
    return run({BP_COMMAND, "new-plugin", name, folder.string()});
  }
  static std::string text_of(const fs::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  fs::path folder_;
};

TEST_F(NewPlugin, WritesTheTemplateUnderItsName) {
  const Said said = make("my_Chip", folder_ / "a" / "b");
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.err, "");
  EXPECT_TRUE(has(said.out, "README.md")) << said.out;
  EXPECT_TRUE(has(said.out, "backplane verify build/libbackplane_my_Chip.so")) << said.out;
  const std::vector<std::string> names{"CMakeLists.txt", "README.md", "device.c",
                                       "kernels.c",      "my_Chip.h", "plugin.c"};
  ASSERT_EQ(names_in(folder_ / "a" / "b"), names);
  for (const std::string& name : names) {
    const std::string text = text_of(folder_ / "a" / "b" / name);
    EXPECT_GT(text.size(), 100U) << name;
    for (const char* old : {"null", "Null", "NULL_", "NULL-"})
      EXPECT_FALSE(has(text, old)) << name << " says " << old;
  }
  const std::string plugin = text_of(folder_ / "a" / "b" / "plugin.c");
  for (const char* word : {"info->kind = \"my_Chip\"", "#include \"my_Chip.h\"",
                           "MY_CHIP_MEMORY_BYTES", "My_Chip device", "#include <stddef.h>"})
    EXPECT_TRUE(has(plugin, word)) << word;
  EXPECT_TRUE(has(text_of(folder_ / "a" / "b" / "device.c"), "= NULL;")) << "C's own word";
}

TEST_F(NewPlugin, TakesAnEmptyFolderAndNeverWritesOverAFile) {
  fs::create_directory(folder_ / "empty");
  EXPECT_EQ(make("acme", folder_ / "empty").code, 0);
  std::ofstream(folder_ / "empty" / "plugin.c") << "mine\n";
  const Said again = make("acme", folder_ / "empty");
  EXPECT_EQ(again.code, 1);
  EXPECT_EQ(again.out, "");
  EXPECT_EQ(again.err, "backplane: the folder " + (folder_ / "empty").string() +
                           " is not empty, and nothing is written over\n");
  EXPECT_EQ(text_of(folder_ / "empty" / "plugin.c"), "mine\n");
}

TEST_F(NewPlugin, RefusesWhatCanBeNoNameOfAKind) {
  for (const std::string name : {"", "acme1", "ac-me", "../acme", "a b", "\xc3\xa4"}) {
    const Said said = make(name, folder_ / "new");
    EXPECT_EQ(said.code, 2) << name;
    EXPECT_TRUE(has(said.err, "'" + name + "' can be no kind of device: 1 to 31 letters and '_'"))
        << said.err;
  }
  EXPECT_EQ(make(std::string(32, 'a'), folder_ / "new").code, 2);
  EXPECT_EQ(make(std::string(31, 'a'), folder_ / "long").code, 0);
  for (const std::string name : {"cpu", "cuda", "hip", "null", "sim"}) {
    const Said said = make(name, folder_ / "new");
    EXPECT_EQ(said.code, 2) << name;
    EXPECT_TRUE(has(said.err, "'" + name + "' is a backend of Backplane's own")) << said.err;
  }
  const Said header = make("c_plugin", folder_ / "new");
  EXPECT_EQ(header.code, 2);
  EXPECT_TRUE(has(header.err, "c_plugin.h is a header of Backplane's own")) << header.err;
  EXPECT_FALSE(fs::exists(folder_ / "new"));
}

TEST_F(NewPlugin, SaysWhichFolderCannotBeMade) {
  std::ofstream(folder_ / "file") << "\n";
  const Said file = make("acme", folder_ / "file"), below = make("acme", folder_ / "file" / "x"),
             system = make("acme", "/proc/acme");
  EXPECT_EQ(file.code, 1);
  EXPECT_TRUE(has(file.err, "file is there and is no folder")) << file.err;
  EXPECT_EQ(below.code, 1);
  EXPECT_TRUE(has(below.err, "file/x cannot be made: Not a directory")) << below.err;
  EXPECT_EQ(system.code, 1);
  EXPECT_TRUE(has(system.err, "the folder /proc/acme cannot be made: ")) << system.err;
  const Said none = run({BP_COMMAND, "new-plugin", "acme"});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(has(none.err, "DIR")) << none.err;
}

TEST_F(NewPlugin, LeavesNothingWhenTheDiskIsFull) {
  const Said said = run({"/bin/sh", "-c",
                         "trap '' XFSZ; ulimit -f 1; exec " BP_COMMAND " new-plugin acme " +
                             (folder_ / "new").string()});
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(has(said.err, " cannot be written: File too large")) << said.err;
  EXPECT_TRUE(fs::is_empty(folder_ / "new"));
}

}  // namespace
