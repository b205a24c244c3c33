// SPDX-License-Identifier: Apache-2.0
// How many threads real processes have, by variables and by taskset. Quotas of cgroups, which wants
// rights to make, are a unit test's: tests/unit/process/threads_test.cc.
#include <gtest/gtest.h>
#include <sched.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kit/has.h"
#include "kit/process.h"

using nlohmann::json;

namespace {

json threads(const std::vector<std::string>& environment,
             std::vector<std::string> command = {BP_COMMAND}) {
  command.insert(command.end(), {"info", "--json"});
  const Said said = run(command, environment);
  EXPECT_EQ(said.code, 0) << said.err;
  return json::parse(said.out)["threads"];
}

TEST(Threads, AreThoseOfTheVariables) {
  EXPECT_EQ(threads({"BACKPLANE_NUM_THREADS=3", "OMP_NUM_THREADS=5"}),
            json({{"count", 3}, {"source", "BACKPLANE_NUM_THREADS=3"}}));
  EXPECT_EQ(threads({"BACKPLANE_NUM_THREADS=", "OMP_NUM_THREADS=5,2"}),
            json({{"count", 5}, {"source", "OMP_NUM_THREADS=5,2"}}));
}

// The variables are empty, so that those of whoever runs the tests do not count.
const std::vector<std::string> kNone{"BACKPLANE_NUM_THREADS=", "OMP_NUM_THREADS="};

TEST(Threads, AreTheCoresOfTheAffinityMask) {
  cpu_set_t mine;
  ASSERT_EQ(sched_getaffinity(0, sizeof mine, &mine), 0);
  int core = 0;
  while (!CPU_ISSET(core, &mine)) ++core;
  const json one = threads(kNone, {"/usr/bin/taskset", "-c", std::to_string(core), BP_COMMAND});
  EXPECT_EQ(one["count"], 1);
  if (sysconf(_SC_NPROCESSORS_ONLN) > 1) {
    EXPECT_TRUE(has(one["source"].get<std::string>(), "1 of ")) << one;
    EXPECT_TRUE(has(one["source"].get<std::string>(), "by the affinity mask")) << one;
  }
  EXPECT_EQ(threads({"BACKPLANE_NUM_THREADS=3"},
                    {"/usr/bin/taskset", "-c", std::to_string(core), BP_COMMAND})["count"],
            3)
      << "who says a number gets it";
}

TEST(Threads, GoBackToTheMaskWhenAVariableIsNoNumber) {
  for (const char* bad :
       {"BACKPLANE_NUM_THREADS=many", "BACKPLANE_NUM_THREADS=0", "BACKPLANE_NUM_THREADS=1000000"})
    EXPECT_EQ(threads({bad, "OMP_NUM_THREADS="}), threads(kNone)) << bad;
  EXPECT_EQ(threads({"BACKPLANE_NUM_THREADS=x", "OMP_NUM_THREADS=4"})["count"], 4);
}

// The team is as large as the number, which the kernel's own list of threads shows. LLVM's OpenMP
// ends a program in which OMP_NUM_THREADS is empty, so the variable is taken away; and beside it
// the products' library has GNU's OpenMP, with a second team that shares the calling thread.
#ifdef __clang__
constexpr int kTeams = 2;
#else
constexpr int kTeams = 1;
#endif
TEST(Threads, ComputeInTheProcess) {
  for (const int n : {1, 2, 5}) {
    const Said said = run({"/usr/bin/env", "-u", "OMP_NUM_THREADS", BP_COUNT_THREADS},
                          {"BACKPLANE_NUM_THREADS=" + std::to_string(n)});
    const int running = 1 + kTeams * (n - 1);
    EXPECT_EQ(said.out, std::to_string(running) + " " + std::to_string(n) + "\n") << said.err;
  }
  EXPECT_EQ(run({BP_COUNT_THREADS}, {"BACKPLANE_NUM_THREADS=", "OMP_NUM_THREADS=1"}).out, "1 1\n");
}

}  // namespace
