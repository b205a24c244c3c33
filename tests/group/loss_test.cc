// SPDX-License-Identifier: Apache-2.0
// Members that get lost: killed, stopped, late, gone on their own. What runs is victim.cc, four
// times under mpirun, and member 2 is the one that is lost. All others must end in time, by
// themselves, and say who it was; nobody may be left over.
//
// BP_GROUP_KILLS=50 kills so often in each of the ways.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "c_api.h"
#include "kit/has.h"
#include "kit/process.h"

namespace {

namespace fs = std::filesystem;

constexpr int kMembers = 4, kLost = 2;

struct Heard {
  int status = 1;
  std::string sentence{};
};

class Job {
 public:
  // Four members, which must all have ended after so many seconds.
  Job(const std::string& way, int seconds) {
    std::string name = (fs::temp_directory_path() / "bp_group_XXXXXX").string();
    if (!mkdtemp(name.data())) throw fs::filesystem_error("mkdtemp", std::error_code());
    folder_ = name;
    // A shell keeps each member's exit code, and ends as it did.
    const std::string shell =
        "\"$0\" \"$@\"; code=$?; echo $code > \"$2/$OMPI_COMM_WORLD_RANK.code\"; "
        "[ $code -le 128 ] || kill -KILL $$; exit $code";
    const Said said = ::run({"/usr/bin/timeout", "-k", "2", std::to_string(seconds), MPIRUN, "-n",
                             std::to_string(kMembers), "/bin/sh", "-c", shell, VICTIM, way, name});
    EXPECT_NE(said.code, 124) << "it took longer than " << seconds << " s";
    err_ = said.err;
    for (int r = 0; r < kMembers; ++r) expect_that_it_ended(r);
  }
  ~Job() {
    if (testing::Test::HasFailure()) {
      std::printf("%s\n", err_.c_str());
      for (const auto& entry : fs::directory_iterator(folder_))
        std::printf("%s: %s\n", entry.path().filename().c_str(), content(entry.path()).c_str());
    }
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  int code(int rank) const {
    const std::string text = content(file(rank, ".code"));
    return text.empty() ? -1 : std::stoi(text);
  }
  std::vector<Heard> heard(int rank) const {
    std::ifstream in(file(rank, ".said"));
    std::vector<Heard> all;
    for (std::string line; std::getline(in, line);)
      all.push_back({std::stoi(line), line.substr(line.find(' ') + 1)});
    return all;
  }
  // What every other member heard last, which is the same for all.
  void expect_of_others(size_t n_heard, const std::string& sentence) const {
    for (const int r : {0, 1, 3}) {
      EXPECT_EQ(code(r), 0) << "rank " << r;
      const std::vector<Heard> all = heard(r);
      ASSERT_EQ(all.size(), n_heard) << "rank " << r;
      EXPECT_EQ(all.back().status, BP_UNAVAILABLE) << "rank " << r;
      EXPECT_TRUE(has(all.back().sentence, sentence))
          << "rank " << r << ": " << all.back().sentence;
    }
  }

 private:
  fs::path file(int rank, const char* what) const {
    return folder_ / (std::to_string(rank) + what);
  }
  static std::string content(const fs::path& p) {
    std::ifstream in(p);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void expect_that_it_ended(int rank) const {
    const std::string text = content(file(rank, ".pid"));
    ASSERT_FALSE(text.empty()) << "rank " << rank << " never began";
    const pid_t pid = std::stoi(text);
    for (int tries = 0; tries < 200 && lives(pid); ++tries)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(lives(pid)) << "rank " << rank << " is left over";
    if (lives(pid)) ::kill(pid, SIGKILL);
  }
  // Nobody may have waited for it yet.
  static bool lives(pid_t pid) {
    const std::string stat = content("/proc/" + std::to_string(pid) + "/stat");
    const size_t name_end = stat.rfind(") ");
    return name_end != std::string::npos && stat[name_end + 2] != 'Z';
  }

  fs::path folder_;
  std::string err_;
};

const std::string kGone = "rank 2 is gone: its process does not exist any more";

class Killed : public testing::TestWithParam<const char*> {};

TEST_P(Killed, MemberEndsTheOthersInTimeAndTheyNameIt) {
  const char* text = std::getenv("BP_GROUP_KILLS");
  const long wished = text ? std::strtol(text, nullptr, 10) : 2;
  const std::string way = GetParam();
  for (long i = 0; i < wished && !HasFailure(); ++i) {
    SCOPED_TRACE(way + ", run " + std::to_string(i));
    const Job job(way, 15);  // the groups' timeout is 20 s: nobody waits for that
    EXPECT_EQ(job.code(kLost), 128 + SIGKILL);
    job.expect_of_others(2, kGone);
    for (const int r : {0, 1, 3}) {
      if (HasFatalFailure()) return;
      const Heard first = job.heard(r)[0];
      if (way != "killed_in_half") {
        EXPECT_EQ(first.status, BP_UNAVAILABLE);
        EXPECT_TRUE(has(first.sentence, kGone)) << "rank " << r << ": " << first.sentence;
      } else if (r == 0) {
        EXPECT_EQ(first.status, BP_UNAVAILABLE);
        EXPECT_TRUE(has(first.sentence, "rank 1 is gone")) << "of its half: " << first.sentence;
      } else {
        EXPECT_EQ(first.status, BP_OK) << "the other half works: " << first.sentence;
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Loss, Killed,
                         testing::Values("killed", "killed_with_works", "killed_in_half",
                                         "killed_beside_messages", "killed_in_backward",
                                         // whoever waits for a device does not hang: the library
                                         // itself would wait for ever
                                         "killed_on_device", "killed_with_device_works"),
                         [](const auto& way) { return std::string(way.param); });

struct Lost {
  const char* way;
  const char* sentence;  // that the others hear
  int code;
  std::vector<int> heard;  // what the lost one hears itself
  friend void PrintTo(const Lost& l, std::ostream* out) { *out << l.way; }
};
class LostOtherwise : public testing::TestWithParam<Lost> {};

TEST_P(LostOtherwise, MemberIsNamedByTheOthersWithTheReason) {
  const Lost& lost = GetParam();
  const Job job(lost.way, 30);
  job.expect_of_others(1, lost.sentence);
  EXPECT_EQ(job.code(kLost), lost.code);
  std::vector<int> heard;
  for (const Heard& h : job.heard(kLost)) heard.push_back(h.status);
  EXPECT_EQ(heard, lost.heard);
}
INSTANTIATE_TEST_SUITE_P(
    Loss, LostOtherwise,
    testing::Values(
        Lost{"late",
             "all_reduce(sum) of float32 [10] (exchange 2) was not over within 2 s: rank 2 has not "
             "come to it",
             0,
             {BP_UNAVAILABLE}},  // it learns it when it comes
        Lost{"late_on_device",
             "all_reduce(sum) of float32 [10] on a device (exchange 5) was not over within 2 s: "
             "rank 2 has not come to it",
             0,
             {BP_UNAVAILABLE}},
        Lost{"left", "rank 2 has left the group after 1 exchanges, and this is number 2", 0, {}},
        Lost{"stopped",
             "all_reduce(sum) of float32 [10] (exchange 2) was not over within 2 s: rank 2 does "
             "not answer",
             128 + SIGKILL,
             {}},
        Lost{"gave_up",  // its program ended without a word
             "rank 2 has left the group after 1 exchanges, and this is number 2",
             3,
             {}},
        Lost{"cancelled",  // it ends within an exchange
             "rank 2: the runtime was shut down",
             0,
             {BP_CANCELLED}}),
    [](const auto& lost) { return std::string(lost.param.way); });

}  // namespace
