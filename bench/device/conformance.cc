// SPDX-License-Identifier: Apache-2.0
// conformance.cc: every op on the device, judged by the conformance suite, in as many processes as
// there are cores, and some of them again under the vendor's memory checker. A test that died with
// its process, or met a device that an earlier one had lost, is run again alone, so that one fault
// is not counted as many.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "part.h"
#include "process.h"

namespace gpu_check {
namespace {

// One op of each family, for a checker under which each takes long.
const std::vector<std::string> kFamilies{"add",    "where", "exp",    "copy",    "sum",    "var",
                                         "argmax", "any",   "cumsum", "softmax", "matmul", "concat",
                                         "gather", "sort",  "arange", "uniform"};

using Clock = std::chrono::steady_clock;

// Calls done(i) for each i < n, in several threads.
void in_parallel(size_t n, const Settings& settings, const std::function<void(size_t)>& done) {
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  std::atomic<size_t> next{0};
  std::vector<std::jthread> workers;
  for (int w = std::clamp(settings.processes, 1, std::max(cores, 1)); w > 0; --w)
    workers.emplace_back([&] {
      for (size_t i; (i = next++) < n;) done(i);
    });
}

struct Test {
  std::string verdict;  // passed, failed, skipped, crashed, not run
  std::string message;  // the first lines of a failure
  long cases = 0;       // on the device
  double ms = 0;        // that it took
  bool lost = false;    // it failed because the device had failed before
};
using Tests = std::map<std::string, Test>;

std::vector<std::string> environment(const Settings& settings) {
  std::vector<std::string> all{"BACKPLANE_VISIBLE_DEVICES=" + settings.kind + ":*",
                               "OMP_NUM_THREADS=1", "OMP_WAIT_POLICY=passive"};
  all.insert(all.end(), settings.shared_device.begin(), settings.shared_device.end());
  return all;
}

// NVIDIA's MPS, where the driver has brought it: without it a card serves one process after the
// other, a slice of time each, and small ops of a dozen processes take several times as long. What
// one process breaks is lost to all of them; tests that met that are run again alone.
class SharedCard {
 public:
  explicit SharedCard(Settings& settings) : settings_(settings) {
    char folder[] = "/tmp/gpu-check-mps-XXXXXX";
    if (settings.kind != "cuda" || !mkdtemp(folder)) return;
    folder_ = folder;
    settings.shared_device = {"CUDA_MPS_PIPE_DIRECTORY=" + folder_,
                              "CUDA_MPS_LOG_DIRECTORY=" + folder_};
    started_ = control("nvidia-cuda-mps-control -d");
    if (!started_) settings.shared_device.clear();
  }
  ~SharedCard() {
    if (started_) control("echo quit | nvidia-cuda-mps-control");
    settings_.shared_device.clear();
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  SharedCard(const SharedCard&) = delete;
  SharedCard& operator=(const SharedCard&) = delete;
  bool started() const { return started_; }

 private:
  bool control(const std::string& command) const {
    return run({.command = {"/bin/sh", "-c",
                            "PATH=$PATH:/usr/local/nvidia/bin; " + command + " >/dev/null 2>&1"},
                .environment = settings_.shared_device,
                .seconds = 20})
        .good();
  }
  Settings& settings_;
  std::string folder_;
  bool started_ = false;
};

// Parses "Suite." and indented names, with "  # GetParam() = ..." behind.
std::vector<std::string> list_tests(const Settings& settings) {
  const std::string filter = settings.brief ? "Ops.*/add:Ops.*/sum:Ops.*/matmul" : "*";
  const Ended e = run({.command = {settings.beside("conformance"), "--gtest_list_tests",
                                   "--gtest_filter=" + filter},
                       .environment = environment(settings)});
  if (!e.good())
    throw std::runtime_error("the conformance suite does not start: " + e.how() + ": " + e.output);
  std::vector<std::string> tests;
  std::string suite, line;
  for (std::istringstream lines(e.output); std::getline(lines, line);) {
    const size_t end = line.find("  #");
    if (end != std::string::npos) line.resize(end);
    if (line.rfind("  ", 0) == 0)
      tests.push_back(suite + line.substr(2));
    else
      suite = line;
  }
  return tests;
}

// Reads what the program printed while it ran, which is there even when it did not come to its end.
void read_output(const std::string& output, Tests& tests) {
  std::string line, running, text;
  for (std::istringstream lines(output); std::getline(lines, line);) {
    const auto starts = [&](const char* mark) { return line.rfind(mark, 0) == 0; };
    if (!starts("[ ") && !starts("[  ")) {
      if (!running.empty() && text.size() < 2000) text += line + "\n";
      continue;
    }
    const size_t name_at = line.find("] ");
    std::string name = name_at == std::string::npos ? "" : line.substr(name_at + 2);
    name = name.substr(0, name.find_first_of(" ,"));
    const auto found = tests.find(name);
    if (found == tests.end()) continue;
    Test& test = found->second;
    if (starts("[ RUN")) {
      running = name, text.clear();
      test.verdict = "crashed";  // until its end is read
      continue;
    }
    if (running != name) continue;  // it is in the list at the end
    running.clear();
    test.verdict = starts("[       OK") ? "passed" : starts("[  SKIPPED") ? "skipped" : "failed";
    if (const size_t time = line.rfind(" ("); time != std::string::npos)
      test.ms = std::atof(line.c_str() + time + 2);
    if (test.verdict == "failed") test.message = text;
    for (const char* word : {"BP_DEVICE_LOST", "Which is: -6\n", "failed earlier"})
      test.lost |= test.verdict == "failed" && text.find(word) != std::string::npos;
  }
  if (!running.empty()) tests[running].message = text;
}

void read_cases(const std::string& path, const std::string& kind, Tests& tests) {
  const auto page = nlohmann::json::parse(std::ifstream(path), nullptr, /*allow_exceptions=*/false);
  if (page.is_discarded()) return;
  for (const auto& suite : page["testsuites"])
    for (const auto& test : suite["testsuite"])
      if (test.contains("cases_" + kind)) {
        const std::string name =
            suite["name"].get<std::string>() + "." + test["name"].get<std::string>();
        tests[name].cases = std::stol(test["cases_" + kind].get<std::string>());
      }
}

// Runs these tests in one process.
Tests run_some(const std::vector<std::string>& names, const Settings& settings, double seconds) {
  static std::atomic<int> n{0};
  const auto file =
      std::filesystem::temp_directory_path() / fmt::format("gpu-check-{}-{}.json", getpid(), ++n);
  Tests tests;
  std::string filter;
  for (const std::string& name : names) {
    tests[name].verdict = "not run";
    filter += (filter.empty() ? "" : ":") + name;
  }
  const Ended e = run({.command = {settings.beside("conformance"), "--gtest_filter=" + filter,
                                   "--gtest_output=json:" + file.string()},
                       .environment = environment(settings),
                       .seconds = seconds});
  read_output(e.output, tests);
  read_cases(file, settings.kind, tests);
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  for (auto& [name, test] : tests)
    if (test.verdict == "crashed") test.message += "ended by " + e.how();
  return tests;
}

// Runs lists of tests, in several processes at a time, each for at most so many seconds.
Tests run_lists(const std::vector<std::vector<std::string>>& lists, const Settings& settings,
                double seconds, Clock::time_point end) {
  std::mutex mutex;
  Tests all;
  in_parallel(lists.size(), settings, [&](size_t i) {
    const double left = std::chrono::duration<double>(end - Clock::now()).count();
    Tests some = run_some(lists[i], settings, std::clamp(left, 0.1, seconds));
    const std::lock_guard lock(mutex);
    all.merge(some);
  });
  return all;
}

Tests run_all(const std::vector<std::string>& names, const Settings& settings) {
  // There are more lists than processes, dealt in turns, so that all take about as long.
  std::vector<std::vector<std::string>> lists(std::min<size_t>(names.size(), 48));
  for (size_t i = 0; i < names.size(); ++i) lists[i % lists.size()].push_back(names[i]);
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(settings.seconds - 10));
  Tests all = run_lists(lists, settings, settings.seconds, end);
  std::vector<std::vector<std::string>> again;
  for (const auto& [name, test] : all)
    if (test.verdict == "not run" || test.verdict == "crashed" || test.lost)
      again.push_back({name});
  if (!again.empty() && Clock::now() < end) {
    Tests alone = run_lists(again, settings, /*seconds=*/30, end);
    alone.merge(all);
    all = std::move(alone);
  }
  return all;
}

std::string first_lines(const std::string& text) {
  std::string out = text.substr(0, 500);
  std::replace(out.begin(), out.end(), '\n', ' ');
  return out;
}

void print_slowest(const Tests& tests, Report& report) {
  std::vector<std::pair<double, std::string>> times;
  for (const auto& [name, test] : tests) times.emplace_back(-test.ms, name);
  std::sort(times.begin(), times.end());
  std::string line = "slowest:";
  for (size_t i = 0; i < std::min<size_t>(times.size(), 8); ++i)
    line += fmt::format(" {} {:.1f} s,", times[i].second, -times[i].first / 1000);
  line.pop_back();
  report.say(line);
}

// Prints of each Ops.MatchesItsOracle/<op> the op and on how many cases it was judged.
void print_table(const Tests& tests, Report& report) {
  const std::string prefix = "Ops.MatchesItsOracle/";
  std::string line, unserved;
  nlohmann::json table = nlohmann::json::object();
  const auto flush = [&] {
    if (!line.empty()) report.say(line);
    line.clear();
  };
  for (const auto& [name, test] : tests) {
    const size_t at = name.find(prefix);
    if (at == std::string::npos) continue;
    const std::string op = name.substr(at + prefix.size());
    table[op] = {{"verdict", test.verdict}, {"cases", test.cases}};
    if (test.verdict == "passed" && test.cases == 0) {
      unserved += " " + op;
      continue;
    }
    line += fmt::format("{:<20}{:>5} ", op,
                        test.verdict == "passed" ? std::to_string(test.cases) : test.verdict);
    if (line.size() > 105) flush();
  }
  flush();
  if (!unserved.empty()) report.say("not served by this backend:" + unserved);
  report.set("ops", table);
}

}  // namespace

void run_conformance(const Settings& given, Report& report) {
  Settings settings = given;
  const SharedCard card(settings);
  if (card.started()) report.say("processes share the card by MPS");
  const std::vector<std::string> names = list_tests(settings);
  if (names.empty()) throw std::runtime_error("the conformance suite lists no test");
  const Tests tests = run_all(names, settings);
  print_table(tests, report);
  std::map<std::string, int> counts;
  long cases = 0;
  for (const auto& [name, test] : tests) {
    ++counts[test.verdict];
    cases += test.cases;
    if (test.verdict != "passed" && test.verdict != "skipped")
      report.fault(fmt::format("{} {}: {}", name, test.verdict, first_lines(test.message)));
  }
  report.set("tests", counts);
  report.set("cases", cases);
  std::string line =
      fmt::format("{} tests, {} cases of ops on {}:", tests.size(), cases, settings.kind);
  for (const auto& [verdict, n] : counts) line += fmt::format(" {} {}", n, verdict);
  report.say(line);
  print_slowest(tests, report);
  if (cases == 0) report.fault("no op was judged on " + settings.kind);
}

void run_memcheck(const Settings& settings, Report& report) {
  if (settings.simulated()) return report.skip("a simulated device has no compute-sanitizer");
  std::vector<std::string> places{"compute-sanitizer", "/usr/local/cuda/bin/compute-sanitizer",
                                  "/usr/local/cuda/compute-sanitizer/compute-sanitizer",
                                  "/opt/cuda/bin/compute-sanitizer"};
  const auto works = [](const std::string& tool) {
    return run({.command = {tool, "--version"}}).good();
  };
  const auto tool = std::find_if(places.begin(), places.end(), works);
  if (tool == places.end()) return report.skip("there is no compute-sanitizer");
  std::vector<Ended> ends(kFamilies.size());
  in_parallel(ends.size(), settings, [&](size_t i) {
    ends[i] = run({.command = {*tool, "--tool", "memcheck", "--error-exitcode", "86",
                               "--print-limit", "10", settings.beside("conformance"),
                               "--gtest_brief=1", "--gtest_filter=Ops.*/" + kFamilies[i]},
                   .environment = environment(settings),
                   .seconds = 80});
  });
  int n_good = 0;
  for (size_t i = 0; i < ends.size(); ++i) {
    const Ended& e = ends[i];
    const std::string& text = e.output;
    n_good += e.good();
    if (e.at_limit)
      report.say(fmt::format("{}: not done within {:.0f} s", kFamilies[i], e.seconds));
    else if (!e.good())
      report.fault(fmt::format("{} under memcheck: {}: {}", kFamilies[i], e.how(),
                               text.substr(text.size() - std::min<size_t>(text.size(), 800))));
  }
  report.say(fmt::format("compute-sanitizer memcheck: nothing to report on {} of {} ops", n_good,
                         ends.size()));
  if (n_good == 0) report.fault("no op ran to its end under compute-sanitizer");
}

}  // namespace gpu_check
