// SPDX-License-Identifier: Apache-2.0
// threads.h: how many threads the cpu may use for one call, and where that number comes from. In
// this order: set_num_threads(); BACKPLANE_NUM_THREADS; OMP_NUM_THREADS; and else the cores of the
// process's affinity mask, or fewer when a cgroup of its own or above it has a smaller quota, or
// when a launcher says how many processes of this machine share its cores. A variable of these two
// whose value is no number of 1 to kMostThreads is logged, as a warning with the value, and
// ignored. The environment is read once for each generation, at the first question.
//
//   set_num_threads(4);
//   num_threads();           // 4
//   num_threads_source();    // "bp_set_num_threads"
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace bp {

constexpr int32_t kMostThreads = 4096;  // of what a variable may ask for

int32_t num_threads() noexcept;
// Returns where the number comes from: "bp_set_num_threads", "a fork", "BACKPLANE_NUM_THREADS=4",
// "2 of 16 cores by the affinity mask", "a cgroup's quota of 1.5 cores", "16 cores for 4 processes,
// OMPI_COMM_WORLD_LOCAL_SIZE=4".
std::string num_threads_source();
void set_num_threads(int32_t n);
// While it lives the calling thread gets one number, whatever other threads set.
class SteadyThreads {
 public:
  SteadyThreads() noexcept;
  ~SteadyThreads();
  SteadyThreads(const SteadyThreads&) = delete;
  SteadyThreads& operator=(const SteadyThreads&) = delete;

 private:
  int32_t before_;
};
// Only the runtime calls these: when it starts, which may forbid the environment, what was chosen
// by it is forgotten; when a generation ends, everything; a forked child has one.
void forget_chosen_threads() noexcept;
void forget_threads() noexcept;
void use_one_thread_after_fork() noexcept;

// ---- the parts, for tests ----
// Returns the number that a variable's value begins with, "4" or, as OpenMP has it for nested
// regions, "4,2"; nothing when it is no number of 1 to kMostThreads.
std::optional<int32_t> parse_thread_count(std::string_view value);

// Returns a file's contents, or nothing when it cannot be read.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;
// Returns the smallest quota, in cores, of the process's cgroup and those above it that are
// mounted, or nothing when none has one: "cpu.max" of version 2, "cpu.cfs_quota_us" over
// "cpu.cfs_period_us" of version 1 (cgroups(7), sched-bwc of the kernel's documentation).
std::optional<double> cgroup_quota(const ReadFile& read);

struct ThreadChoice {
  int32_t n = 1;
  std::string source, warning;  // the warning is "" when there is nothing to say
};
using ThreadVariable = std::function<std::optional<std::string>(const char* name)>;
// `cores` are those of the affinity mask, `of` those of the machine.
ThreadChoice choose_threads(const ThreadVariable& variable, int32_t cores, int32_t of,
                            std::optional<double> quota);

}  // namespace bp
