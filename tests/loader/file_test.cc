// SPDX-License-Identifier: Apache-2.0
// What can be wrong with files and directories, before any code of a plugin runs.
#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "kit/child.h"
#include "loader/faults.h"

namespace fs = std::filesystem;

namespace {

// An empty directory of the test's own.
std::string scratch() {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const fs::path path = fs::path(LOADER_SCRATCH) / "scratch" /
                        (std::string(test->test_suite_name()) + "." + test->name());
  fs::remove_all(path);
  fs::create_directories(path);
  return path.string();
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string put_plugin(const std::string& directory, const std::string& bytes,
                       const std::string& name = "broken") {
  const std::string path = directory + "/libbackplane_" + name + ".so";
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

void expect_file_fault(const std::string& directory, const std::string& file,
                       const std::string& words) {
  Session session(Start{.plugin_dirs = directory});
  EXPECT_EQ(entry_of("broken").stage, BP_STAGE_FOUND);
  const Answer f = require("broken");
  EXPECT_EQ(f.status, BP_UNAVAILABLE);
  const Entry e = entry_of("broken");
  EXPECT_EQ(e.stage, BP_STAGE_FILE);
  EXPECT_EQ(e.status, BP_INCOMPATIBLE);
  EXPECT_TRUE(has(e.cause, file) && has(e.cause, words)) << e.cause;
  EXPECT_FALSE(e.remedy.empty());
  EXPECT_TRUE(has(f.message, e.cause) && has(f.message, e.remedy) && has(f.message, "stage file"))
      << f.message;
  expect_others_work();
}

void expect_bytes_refused(const std::string& bytes, const std::string& words) {
  const std::string directory = scratch();
  const std::string file = put_plugin(directory, bytes);
  expect_file_fault(directory, file, words);
}

std::string good_plugin() { return read_file(fault_file("none")); }

TEST(PluginFile, ThatIsNoElfIsRefused) {
  expect_bytes_refused("#!/bin/sh\necho hello\n", "is not an ELF file");
}

TEST(PluginFile, ThatIsEmptyIsRefused) { expect_bytes_refused("", "is empty"); }

TEST(PluginFile, ThatIsOnlyAHeadersStartIsRefused) {
  expect_bytes_refused(good_plugin().substr(0, 20), "cut short: it has 20 bytes");
}

TEST(PluginFile, ThatIsCutShortIsRefused) {
  const std::string bytes = good_plugin();
  expect_bytes_refused(bytes.substr(0, 2048), "is cut short: it has 2048 bytes");
}

TEST(PluginFile, OfAnotherMachineIsRefused) {
  std::string bytes = good_plugin();
  const bool here_is_arm = bytes[offsetof(Elf64_Ehdr, e_machine)] == static_cast<char>(EM_AARCH64);
  bytes[offsetof(Elf64_Ehdr, e_machine)] = static_cast<char>(here_is_arm ? EM_X86_64 : EM_AARCH64);
  bytes[offsetof(Elf64_Ehdr, e_machine) + 1] = 0;
  expect_bytes_refused(bytes, here_is_arm ? "was built for x86-64 and this machine is"
                                          : "was built for AArch64 and this machine is");
}

TEST(PluginFile, OfAnotherWordSizeIsRefused) {
  std::string bytes = good_plugin();
  bytes[EI_CLASS] = ELFCLASS32;
  expect_bytes_refused(bytes, "is a 32-bit library and this program is 64-bit");
}

TEST(PluginFile, ThatIsAnObjectFileIsRefused) {
  std::string bytes = good_plugin();
  bytes[offsetof(Elf64_Ehdr, e_type)] = ET_REL;
  expect_bytes_refused(bytes, "not a shared library");
}

TEST(PluginFile, ThatIsADirectoryIsRefused) {
  const std::string directory = scratch();
  fs::create_directories(directory + "/libbackplane_broken.so");
  expect_file_fault(directory, directory + "/libbackplane_broken.so", "is not a regular file");
}

TEST(PluginFile, ThatIsAPipeIsRefusedWithoutWaiting) {
  const std::string directory = scratch();
  ASSERT_EQ(::mkfifo((directory + "/libbackplane_broken.so").c_str(), 0600), 0);
  expect_file_fault(directory, directory + "/libbackplane_broken.so", "is not a regular file");
}

TEST(PluginFile, ThatIsABrokenLinkIsRefused) {
  const std::string directory = scratch();
  fs::create_symlink("/nowhere/at/all", directory + "/libbackplane_broken.so");
  expect_file_fault(directory, directory + "/libbackplane_broken.so",
                    "cannot be opened: No such file or directory");
}

TEST(PluginFile, ThatMayNotBeReadIsRefused) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read every file";
  const std::string directory = scratch();
  const std::string file = put_plugin(directory, good_plugin());
  ::chmod(file.c_str(), 0);
  expect_file_fault(directory, file, "cannot be opened: Permission denied");
}

TEST(PluginFile, WhoseNameCanBeNoKindIsReported) {
  const std::string directory = scratch();
  const std::string file = put_plugin(directory, good_plugin(), "x86");
  Session session(Start{.plugin_dirs = directory});
  const Entry e = entry_of("x86");
  EXPECT_EQ(e.stage, BP_STAGE_FILE);
  EXPECT_TRUE(has(e.cause, file)) << e.cause;
  expect_others_work();
}

TEST(PluginFile, OfAKindThatWasFoundBeforeIsShadowed) {
  const std::string first = fault_directory("none"), second = fault_directory("probe_fails");
  Session session(Start{.plugin_dirs = first + ":" + second});
  EXPECT_EQ(require("broken").status, BP_OK);
  EXPECT_EQ(entry_of("broken", fault_file("none")).stage, BP_STAGE_READY);
  const Entry e = entry_of("broken", fault_file("probe_fails"));
  EXPECT_EQ(e.stage, BP_STAGE_SHADOWED);
  EXPECT_EQ(e.status, BP_OK);
  EXPECT_TRUE(has(e.cause, fault_file("none"))) << e.cause;
}

TEST(PluginFile, TheFirstOneDecidesAlsoWhenItIsFaulty) {
  Session session(
      Start{.plugin_dirs = fault_directory("probe_fails") + ":" + fault_directory("none")});
  EXPECT_EQ(require("broken").status, BP_UNAVAILABLE);
  EXPECT_EQ(entry_of("broken", fault_file("none")).stage, BP_STAGE_SHADOWED);
}

TEST(PluginFile, OutsideTheAllowListIsSkipped) {
  Session session(Start{.plugin_dirs = fault_directory("none"), .allow = "cpu,null"});
  const Entry e = entry_of("broken");
  EXPECT_EQ(e.stage, BP_STAGE_SKIPPED);
  EXPECT_EQ(e.status, BP_OK);
  uint32_t n = 0;
  EXPECT_EQ(bp_kind_count(&n, nullptr), BP_OK);
  EXPECT_EQ(n, 2u) << "cpu and null";
  expect_others_work();
}

TEST(PluginFile, OfAKnownKindOutsideTheAllowListSaysSo) {
  Session session(Start{.allow = "null"});
  const Answer f = require("cpu");
  EXPECT_EQ(f.status, BP_UNAVAILABLE);
  EXPECT_TRUE(has(f.message, "the program allows only 'null'") &&
              has(f.message, "To fix it: add 'cpu'"))
      << f.message;
}

TEST(PluginFile, OfAKnownKindThatIsNowhereNamesTheDirectories) {
  Session session(Start{.plugin_dirs = fault_directory("none")});
  EXPECT_EQ(count("vulkan"), 0);
  const Answer f = require("vulkan");
  EXPECT_EQ(f.status, BP_UNAVAILABLE);
  EXPECT_TRUE(has(f.message, "there is no libbackplane_vulkan.so in " + fault_directory("none") +
                                 ", " LOADER_PLUGINS))
      << f.message;
}

TEST(PluginFile, OfAKindThatNobodyNamedIsNotFound) {
  Session session;
  int32_t n = 0;
  EXPECT_EQ(bp_device_count(5000, &n, nullptr), BP_NOT_FOUND);
  EXPECT_EQ(bp_kind_require(-3, &n, nullptr), BP_NOT_FOUND);
  EXPECT_STREQ(bp_kind_name(5000), "?");
}

// ---- directories ----

Entry directory_entry(const std::string& path) {
  for (Entry& e : report())
    if (e.path == path) return e;
  ADD_FAILURE() << "the report has no entry for " << path;
  return {};
}

void expect_directory_fault(const std::string& path, const std::string& words) {
  Session session(Start{.plugin_dirs = path + ":" + fault_directory("none")});
  const Entry e = directory_entry(path);
  EXPECT_EQ(e.stage, BP_STAGE_DIRECTORY);
  EXPECT_EQ(e.status, BP_UNAVAILABLE);
  EXPECT_TRUE(has(e.cause, path) && has(e.cause, words)) << e.cause;
  EXPECT_FALSE(e.remedy.empty());
  EXPECT_EQ(require("broken").status, BP_OK) << "the next directory is searched all the same";
  expect_others_work();
}

TEST(PluginDirectory, ThatIsNotThereIsReported) {
  expect_directory_fault(scratch() + "/missing", "cannot be read: No such file or directory");
}

TEST(PluginDirectory, ThatIsAFileIsReported) {
  expect_directory_fault(fault_file("minimal"), "cannot be read: Not a directory");
}

TEST(PluginDirectory, ThatIsALinkToItselfIsReported) {
  const std::string link = scratch() + "/loop";
  fs::create_symlink(link, link);
  expect_directory_fault(link, "cannot be read: Too many levels of symbolic links");
}

TEST(PluginDirectory, ThatMayNotBeReadIsReported) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read every directory";
  const std::string path = scratch() + "/closed";
  fs::create_directories(path);
  ::chmod(path.c_str(), 0);
  expect_directory_fault(path, "cannot be read: Permission denied");
  ::chmod(path.c_str(), 0700);
}

TEST(PluginDirectory, ThatOthersMayWriteIsReportedAndUsed) {
  const std::string folder = scratch();
  put_plugin(folder, good_plugin());
  ::chmod(folder.c_str(), 0777);
  Session session(Start{.plugin_dirs = folder});
  const Entry e = directory_entry(folder);
  EXPECT_EQ(e.stage, BP_STAGE_DIRECTORY);
  EXPECT_EQ(e.status, BP_OK);
  EXPECT_EQ(e.cause, folder +
                         " may be written by everybody (its mode is 777); whoever can do that "
                         "can run code in this process");
  EXPECT_FALSE(e.remedy.empty());
  EXPECT_EQ(require("broken").status, BP_OK);
}

TEST(PluginDirectory, BelowOneThatOthersMayWriteIsReported) {
  const std::string folder = scratch();
  fs::create_directories(folder + "/plugins");
  ::chmod(folder.c_str(), 0777);
  {
    Session session(Start{.plugin_dirs = folder + "/plugins"});
    EXPECT_TRUE(has(directory_entry(folder + "/plugins").cause, folder + " may be written by"));
  }
  ::chmod(folder.c_str(), 01777);  // sticky: nobody replaces what belongs to somebody else
  Session session(Start{.plugin_dirs = folder + "/plugins"});
  for (const Entry& e : report()) EXPECT_NE(e.path, folder + "/plugins") << e.cause;
}

TEST(PluginFiles, ThatOthersMayWriteAreReportedAndUsed) {
  const std::string folder = scratch();
  const std::string file = put_plugin(folder, good_plugin());
  ::chmod(file.c_str(), 0666);
  Session session(Start{.plugin_dirs = folder});
  bool reported = false;
  for (const Entry& e : report())
    reported |= e.stage == BP_STAGE_FILE && e.status == BP_OK && e.path == file &&
                has(e.cause, file + " may be written by everybody (its mode is 666)");
  EXPECT_TRUE(reported);
  EXPECT_EQ(require("broken").status, BP_OK);
}

TEST(PluginDirectory, ThatIsNotAbsoluteIsRefused) {
  expect_directory_fault("relative/path", "is not an absolute path");
}

TEST(PluginDirectory, TheWorkingDirectoryIsNeverSearched) {
  const fs::path before = fs::current_path();
  fs::current_path(fault_directory("none"));
  {
    Session session;
    for (const Entry& e : report()) EXPECT_TRUE(has(e.path, LOADER_PLUGINS)) << e.path;
  }
  fs::current_path(before);
}

TEST(PluginDirectory, OfTheEnvironmentComesAfterTheOptionsAndBeforeTheLibrarys) {
  ::setenv("BACKPLANE_PLUGIN_PATH", (fault_directory("none") + "::relative").c_str(), 1);
  {
    Session session(Start{.plugin_dirs = fault_directory("probe_fails"), .flags = 0});
    EXPECT_EQ(entry_of("broken", fault_file("probe_fails")).stage, BP_STAGE_FOUND);
    EXPECT_EQ(entry_of("broken", fault_file("none")).stage, BP_STAGE_SHADOWED);
    EXPECT_TRUE(has(directory_entry("relative").cause, "BACKPLANE_PLUGIN_PATH"));
  }
  {
    Session session(Start{.flags = BP_INIT_NO_ENV});
    for (const Entry& e : report()) EXPECT_NE(e.kind, "broken");
  }
  ::unsetenv("BACKPLANE_PLUGIN_PATH");
}

// Names of kinds stay for the life of a process, which is therefore another one.
TEST(PluginFiles, MoreThanThereAreNumbersForTakeNothingFromTheOthers) {
  const std::string directory = scratch();
  for (char a = 'a'; a <= 'h'; ++a)
    for (char b = 'a'; b <= 'z'; ++b)
      put_plugin(directory, good_plugin(), std::string("kind_") + a + b);
  expect_true_in_child([&] {
    Session session(Start{.plugin_dirs = directory});
    int refused = 0;
    for (const Entry& e : report())
      refused += e.stage == BP_STAGE_FILE && e.status == BP_UNSUPPORTED &&
                 has(e.cause, "no number is left for kind") && !e.remedy.empty();
    return refused > 0 && synchronize("cpu").status == BP_OK;
  });
}

}  // namespace
