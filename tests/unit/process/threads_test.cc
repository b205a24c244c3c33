// SPDX-License-Identifier: Apache-2.0
// Where the number of threads comes from: variables, the affinity mask, and quotas of cgroups as
// the kernel's files of both versions say them. The files are made up here; tests/cli asks real
// processes.
#include "core/process/threads.h"

#include <gtest/gtest.h>

#include <map>

namespace bp {
namespace {

using Files = std::map<std::string, std::string>;

std::optional<double> quota(const Files& files) {
  return cgroup_quota([&](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional<std::string>(found->second);
  });
}

constexpr const char* kVersion2 =
    "22 1 0:20 / /proc rw - proc proc rw\n"
    "36 35 0:31 / /sys/fs/cgroup rw,nosuid shared:4 master:1 - cgroup2 cgroup rw,nsdelegate\n";
constexpr const char* kVersion1 =
    "40 32 0:35 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
    "41 32 0:36 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n";

TEST(ThreadCount, IsAWholeNumberOrTheFirstOfAList) {
  for (const auto& [text, n] : std::map<const char*, int32_t>{
           {"1", 1}, {" 8 ", 8}, {"4,2", 4}, {"4, 2,1", 4}, {"4096", 4096}})
    EXPECT_EQ(parse_thread_count(text), n) << text;
  for (const char* text : {"", " ", "0", "-1", "4097", "99999999999999999999", "four", "4x", "4.5",
                           ",4", "0x4", "+4", "4 2"})
    EXPECT_EQ(parse_thread_count(text), std::nullopt) << text;
}

TEST(CgroupQuota, IsTheSmallestOfTheProcesssGroupAndThoseAboveIt) {
  Files files{{"/proc/self/cgroup", "0::/a.slice/b.service/c\n"},
              {"/proc/self/mountinfo", kVersion2}};
  EXPECT_EQ(quota(files), std::nullopt) << "no group has a file";
  files["/sys/fs/cgroup/a.slice/b.service/c/cpu.max"] = "max 100000\n";
  EXPECT_EQ(quota(files), std::nullopt);
  files["/sys/fs/cgroup/a.slice/cpu.max"] = "150000 100000\n";
  EXPECT_EQ(quota(files), 1.5) << "a group above has one";
  files["/sys/fs/cgroup/a.slice/b.service/c/cpu.max"] = "400000 100000\n";
  EXPECT_EQ(quota(files), 1.5) << "the group's own is larger";
  files["/sys/fs/cgroup/a.slice/b.service/cpu.max"] = "50000 100000\n";
  EXPECT_EQ(quota(files), 0.5);
  files["/sys/fs/cgroup/a.slice/other/cpu.max"] = "1000 100000\n";
  EXPECT_EQ(quota(files), 0.5) << "a group beside it does not count";
}

TEST(CgroupQuota, OfAContainerStandsAtTheRootOfTheMount) {
  Files files{{"/proc/self/cgroup", "0::/\n"},
              {"/proc/self/mountinfo", kVersion2},
              {"/sys/fs/cgroup/cpu.max", "200000 100000\n"}};
  EXPECT_EQ(quota(files), 2.0);
  // The path is the host's, while the mount shows the container's own group.
  files["/proc/self/cgroup"] = "0::/docker/abc\n";
  files["/proc/self/mountinfo"] = "36 35 0:31 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
  EXPECT_EQ(quota(files), 2.0);
  files["/proc/self/cgroup"] = "0::/docker/abc/inner\n";
  files["/sys/fs/cgroup/inner/cpu.max"] = "100000 100000\n";
  EXPECT_EQ(quota(files), 1.0);
  files["/proc/self/cgroup"] = "0::/docker/abcdef\n";
  EXPECT_EQ(quota(files), 2.0) << "a group whose name merely begins alike is not inside";
}

TEST(CgroupQuota, OfVersion1IsTheRatioOfTwoFiles) {
  const std::string group = "/sys/fs/cgroup/cpu,cpuacct/user";
  Files files{
      {"/proc/self/cgroup", "12:cpuset:/elsewhere\n3:cpu,cpuacct:/user/job\n0::/user/job\n"},
      {"/proc/self/mountinfo", kVersion1},
      {group + "/job/cpu.cfs_quota_us", "-1\n"},
      {group + "/job/cpu.cfs_period_us", "100000\n"}};
  EXPECT_EQ(quota(files), std::nullopt) << "-1 is no quota";
  files[group + "/cpu.cfs_quota_us"] = "25000\n";
  EXPECT_EQ(quota(files), std::nullopt) << "without its period";
  files[group + "/cpu.cfs_period_us"] = "10000\n";
  EXPECT_EQ(quota(files), 2.5);
}

TEST(CgroupQuota, IsNothingWhereFilesAreMissingOrMakeNoSense) {
  EXPECT_EQ(quota({}), std::nullopt);
  for (const char* groups : {"", "\n", "0", "0:", "0::", "0:cpu:/\n", "::::\n"})
    for (const char* mounts : {"", "-\n", "36 35 0:31 / /x rw -\n", "36 35 - cgroup2 a b c d\n"})
      EXPECT_EQ(quota({{"/proc/self/cgroup", groups}, {"/proc/self/mountinfo", mounts}}),
                std::nullopt);
  for (const char* text :
       {"", "max", "100000", "0 100000", "-5 100000", "100000 0", "a b", "1 2 3"})
    EXPECT_EQ(quota({{"/proc/self/cgroup", "0::/\n"},
                     {"/proc/self/mountinfo", kVersion2},
                     {"/sys/fs/cgroup/cpu.max", text}}),
              std::nullopt)
        << text;
}

TEST(Threads, ComeFromVariablesThenFromTheMaskTheQuotaAndTheLauncher) {
  const struct {
    std::map<std::string, std::string> set;
    int32_t cores, of;
    std::optional<double> quota;
    int32_t n;
    const char *source, *warning = "";
  } rows[] = {
      {{{"BACKPLANE_NUM_THREADS", "3"}, {"OMP_NUM_THREADS", "5"}},
       16,
       16,
       1.5,
       3,
       "BACKPLANE_NUM_THREADS=3"},
      {{{"OMP_NUM_THREADS", " 5,2 "}}, 16, 16, 1.5, 5, "OMP_NUM_THREADS=5,2"},
      {{{"BACKPLANE_NUM_THREADS", ""}}, 16, 16, {}, 16, "16 cores"},
      {{}, 1, 1, {}, 1, "1 core"},
      {{}, 2, 16, {}, 2, "2 of 16 cores by the affinity mask"},
      {{}, 2, 16, 4.0, 2, "2 of 16 cores by the affinity mask"},
      {{}, 16, 16, 1.5, 2, "a cgroup's quota of 1.5 cores"},
      {{}, 16, 16, 0.01, 1, "a cgroup's quota of 0.01 cores"},
      {{}, 2, 2, 1.5, 2, "2 cores"},
      {{{"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}},
       16,
       16,
       {},
       4,
       "16 cores for 4 processes, OMPI_COMM_WORLD_LOCAL_SIZE=4"},
      {{{"MPI_LOCALNRANKS", "3"}}, 2, 2, {}, 1, "2 cores for 3 processes, MPI_LOCALNRANKS=3"},
      {{{"LOCAL_WORLD_SIZE", "2"}}, 8, 8, 3.5, 2, "4 cores for 2 processes, LOCAL_WORLD_SIZE=2"},
      {{{"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}}, 4, 16, {}, 4, "4 of 16 cores by the affinity mask"},
      {{{"PMI_LOCAL_SIZE", "1"}}, 16, 16, {}, 16, "16 cores"},
      {{{"OMPI_COMM_WORLD_LOCAL_SIZE", "all"}}, 16, 16, {}, 16, "16 cores"},
      {{{"OMPI_COMM_WORLD_LOCAL_SIZE", "4"}, {"OMP_NUM_THREADS", "9"}},
       16,
       16,
       {},
       9,
       "OMP_NUM_THREADS=9"},
      {{{"BACKPLANE_NUM_THREADS", "many"}, {"OMP_NUM_THREADS", "4"}},
       16,
       16,
       {},
       4,
       "OMP_NUM_THREADS=4",
       "BACKPLANE_NUM_THREADS='many' is ignored: expected a number of threads from 1 to 4096"},
      {{{"OMP_NUM_THREADS", "0"}},
       16,
       16,
       {},
       16,
       "16 cores",
       "OMP_NUM_THREADS='0' is ignored: expected a number of threads from 1 to 4096"},
  };
  for (const auto& row : rows) {
    const ThreadChoice choice = choose_threads(
        [&](const char* name) -> std::optional<std::string> {
          const auto found = row.set.find(name);
          return found == row.set.end() ? std::nullopt : std::optional<std::string>(found->second);
        },
        row.cores, row.of, row.quota);
    EXPECT_EQ(choice.n, row.n) << row.source;
    EXPECT_EQ(choice.source, row.source);
    EXPECT_EQ(choice.warning, row.warning) << row.source;
  }
}

TEST(Threads, AreThoseThatTheProgramSetUntilTheyAreForgotten) {
  set_num_threads(7);
  EXPECT_EQ(num_threads(), 7);
  EXPECT_EQ(num_threads_source(), "bp_set_num_threads");
  forget_chosen_threads();
  EXPECT_EQ(num_threads(), 7) << "it was not chosen";
  use_one_thread_after_fork();
  EXPECT_EQ(num_threads(), 1);
  EXPECT_EQ(num_threads_source(), "a fork, whose child starts with one");
  forget_threads();
  EXPECT_GE(num_threads(), 1);
  EXPECT_NE(num_threads_source(), "bp_set_num_threads");
}

}  // namespace
}  // namespace bp
