// SPDX-License-Identifier: Apache-2.0
#include "core/process/threads.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/process/runtime.h"

namespace bp {
namespace {

enum class Origin : uint8_t { kEnvironment, kCall, kFork };

// 0 until somebody sets or asks for it. What was set wins over what was chosen.
std::atomic<int32_t> threads{0};
std::atomic<Origin> origin{Origin::kEnvironment};
constinit thread_local int32_t steady = 0;  // what this thread gets meanwhile, or 0

// How many processes a launcher started on this machine: Open MPI, MPICH's Hydra, Cray's PALS,
// MVAPICH, torchrun.
constexpr const char* kLocalSizes[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                       "PMI_LOCAL_SIZE", "MV2_COMM_WORLD_LOCAL_SIZE",
                                       "LOCAL_WORLD_SIZE"};

std::string_view trimmed(std::string_view s) {
  const size_t first = s.find_first_not_of(" \t\n");
  if (first == s.npos) return {};
  return s.substr(first, s.find_last_not_of(" \t\n") - first + 1);
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (size_t at = 0; (at = line.find_first_not_of(' ', at)) != line.npos;) {
    const size_t end = std::min(line.find(' ', at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = end;
  }
  return fields;
}

template <class F>
void each_line(std::string_view text, F&& fn) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    fn(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Whether a list, "cpu,cpuacct", has an item.
bool lists(std::string_view list, std::string_view item) {
  while (!list.empty()) {
    const size_t end = std::min(list.find(','), list.size());
    if (list.substr(0, end) == item) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// Where a hierarchy of cgroups is mounted, and which of its folders is seen there.
struct Mount {
  std::string root, point;
};

// Reads /proc/self/mountinfo (proc(5)): "36 35 98:0 /root /point options ... - type source
// options".
Mount find_mount(const std::string& mountinfo, bool version2) {
  Mount mount;
  each_line(mountinfo, [&](std::string_view line) {
    const auto fields = fields_of(line);
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    if (fields.size() < 6 || fields.end() - dash < 4 || !mount.point.empty()) return;
    if (version2 ? dash[1] == "cgroup2" : dash[1] == "cgroup" && lists(dash[3], "cpu"))
      mount = {std::string(fields[3]), std::string(fields[4])};
  });
  return mount;
}

// Returns a quota over its period, and nothing for "max", -1 and what is no number.
std::optional<double> ratio(std::string_view quota, std::string_view period) {
  int64_t q = 0, p = 0;
  const auto number = [](std::string_view s, int64_t& out) {
    return std::from_chars(s.data(), s.data() + s.size(), out).ec == std::errc{};
  };
  if (!number(trimmed(quota), q) || !number(trimmed(period), p) || q <= 0 || p <= 0) return {};
  return static_cast<double>(q) / static_cast<double>(p);
}

std::optional<double> quota_of_folder(const ReadFile& read, const std::string& folder,
                                      bool version2) {
  if (version2) {
    const auto text = read(folder + "/cpu.max");
    const auto fields = text ? fields_of(trimmed(*text)) : std::vector<std::string_view>{};
    return fields.size() == 2 ? ratio(fields[0], fields[1]) : std::nullopt;
  }
  const auto quota = read(folder + "/cpu.cfs_quota_us"),
             period = read(folder + "/cpu.cfs_period_us");
  return quota && period ? ratio(*quota, *period) : std::nullopt;
}

// Returns the smallest quota from the cgroup up to the mount's own folder. A container sees its own
// cgroup as the root of the mount, while the path may still be the host's.
std::optional<double> smallest_quota(const ReadFile& read, const Mount& mount, std::string path,
                                     bool version2) {
  if (mount.point.empty()) return {};
  if (mount.root != "/") {
    const bool inside = path.rfind(mount.root, 0) == 0 &&
                        (path.size() == mount.root.size() || path[mount.root.size()] == '/');
    path = inside ? path.substr(mount.root.size()) : "";
  }
  std::optional<double> least;
  for (;;) {
    while (!path.empty() && path.back() == '/') path.pop_back();
    const auto quota = quota_of_folder(read, mount.point + path, version2);
    if (quota && (!least || *quota < *least)) least = quota;
    if (path.empty()) return least;
    path.resize(path.rfind('/') == path.npos ? 0 : path.rfind('/'));
  }
}

// Returns the number of cores in the process's affinity mask, which containers and taskset set. The
// kernel refuses a set that is shorter than its own.
int32_t usable_cores() noexcept {
  for (int room = CPU_SETSIZE; room <= (1 << 16); room *= 2) {
    cpu_set_t* set = CPU_ALLOC(room);
    if (!set) break;
    const size_t bytes = CPU_ALLOC_SIZE(room);
    CPU_ZERO_S(bytes, set);
    const bool known = sched_getaffinity(0, bytes, set) == 0;
    const bool longer = !known && errno == EINVAL;
    const int cores = known ? CPU_COUNT_S(bytes, set) : 0;
    CPU_FREE(set);
    if (cores > 0) return cores;
    if (!longer) break;
  }
  return 1;
}

// Files of /proc and /sys have no size, so this reads until the end.
std::optional<std::string> read_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::string text;
  char buffer[4096];
  ssize_t n = 0;
  while ((n = ::pread(file, buffer, sizeof buffer, static_cast<off_t>(text.size()))) > 0 ||
         (n < 0 && errno == EINTR))
    if (n > 0) text.append(buffer, static_cast<size_t>(n));
  ::close(file);
  if (n < 0) return {};
  return text;
}

ThreadChoice choose() {
  const int32_t cores = usable_cores();
  return choose_threads([](const char* name) { return read_env(name); }, cores,
                        std::max(cores, static_cast<int32_t>(sysconf(_SC_NPROCESSORS_ONLN))),
                        cgroup_quota(read_file));
}

}  // namespace

std::optional<int32_t> parse_thread_count(std::string_view value) {
  const std::string_view first = trimmed(value.substr(0, value.find(',')));
  int32_t n = 0;
  const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), n);
  if (error != std::errc{} || end != first.data() + first.size() || n < 1 || n > kMostThreads)
    return {};
  return n;
}

std::optional<double> cgroup_quota(const ReadFile& read) {
  const auto groups = read("/proc/self/cgroup"), mounts = read("/proc/self/mountinfo");
  if (!groups || !mounts) return {};
  std::optional<double> least;
  // A line is "hierarchy:controllers:path" (cgroups(7)); version 2 has "0::path".
  each_line(*groups, [&](std::string_view line) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) return;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const bool version2 = controllers.empty();
    if (!version2 && !lists(controllers, "cpu")) return;
    const auto quota = smallest_quota(read, find_mount(*mounts, version2),
                                      std::string(line.substr(second + 1)), version2);
    if (quota && (!least || *quota < *least)) least = quota;
  });
  return least;
}

ThreadChoice choose_threads(const ThreadVariable& variable, int32_t cores, int32_t of,
                            std::optional<double> quota) {
  ThreadChoice choice;
  for (const char* name : {"BACKPLANE_NUM_THREADS", "OMP_NUM_THREADS"}) {
    const auto value = variable(name);
    if (!value || trimmed(*value).empty()) continue;
    if (const auto n = parse_thread_count(*value)) {
      choice.n = *n;
      choice.source = fmt::format("{}={}", name, trimmed(*value));
      return choice;
    }
    choice.warning += fmt::format("{}{}='{}' is ignored: expected a number of threads from 1 to {}",
                                  choice.warning.empty() ? "" : "; ", name, *value, kMostThreads);
  }
  choice.n = std::max(cores, 1);
  choice.source = cores < of ? fmt::format("{} of {} cores by the affinity mask", cores, of)
                             : fmt::format("{} core{}", cores, cores == 1 ? "" : "s");
  int32_t all = std::max(of, 1);  // that processes of this machine share
  if (quota && std::ceil(*quota) < all) all = std::max(1, static_cast<int32_t>(std::ceil(*quota)));
  if (all < choice.n) {
    choice.n = all;
    choice.source =
        fmt::format("a cgroup's quota of {:.4g} core{}", *quota, *quota == 1 ? "" : "s");
  }
  for (const char* name : kLocalSizes) {
    const auto value = variable(name);
    const auto processes = value ? parse_thread_count(*value) : std::nullopt;
    if (!processes) continue;
    if (const int32_t share = std::max(1, all / *processes); share < choice.n) {
      choice.n = share;
      choice.source = fmt::format("{} core{} for {} processes, {}={}", all, all == 1 ? "" : "s",
                                  *processes, name, trimmed(*value));
    }
    break;
  }
  return choice;
}

SteadyThreads::SteadyThreads() noexcept : before_(std::exchange(steady, num_threads())) {}
SteadyThreads::~SteadyThreads() { steady = before_; }

int32_t num_threads() noexcept {
  if (steady) return steady;
  if (const int32_t n = threads.load(std::memory_order_relaxed)) return n;
  try {
    const ThreadChoice choice = choose();
    int32_t nothing = 0;
    if (!threads.compare_exchange_strong(nothing, choice.n)) return nothing;
    origin = Origin::kEnvironment;
    if (!choice.warning.empty()) log_text(kLogWarning, choice.warning);
    return choice.n;
  } catch (...) {  // without memory for the texts, the next question asks again
    return usable_cores();
  }
}

std::string num_threads_source() {
  num_threads();
  switch (origin.load()) {
    case Origin::kCall: return "bp_set_num_threads";
    case Origin::kFork: return "a fork, whose child starts with one";
    case Origin::kEnvironment: break;
  }
  const ThreadChoice now = choose();
  return now.n == num_threads() ? now.source : "the environment as it was at the first call";
}

void set_num_threads(int32_t n) {
  if (n < 1) fail(BP_INVALID_ARGUMENT, "number of threads is {}, expected at least 1", n);
  threads = n;
  origin = Origin::kCall;
}

void forget_chosen_threads() noexcept {
  if (origin == Origin::kEnvironment) threads = 0;
}

void forget_threads() noexcept {
  threads = 0;
  origin = Origin::kEnvironment;
}

// Parallel regions of libgomp hang in a forked child; the program may set more.
void use_one_thread_after_fork() noexcept {
  threads = 1;
  origin = Origin::kFork;
}

}  // namespace bp
