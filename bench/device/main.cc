// SPDX-License-Identifier: Apache-2.0
// gpu_check: is this accelerator served rightly, and how fast? part.h says how it is made. It
// prints a table and writes JSON. The exit code is 0 when all is well, 1 when something failed, and
// 2 when the command line was wrong.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "part.h"
#include "process.h"

namespace gpu_check {
namespace {

using nlohmann::json;

constexpr Part kParts[] = {
    {"devices", "what is there", 60, run_devices},
    {"conformance", "every op, dtype and layout against its oracle", 300, run_conformance},
    {"launches", "the host's time for small ops", 80, run_launches},
    {"copies", "between host and device, and within it", 60, run_copies},
    {"bandwidth", "ops that memory bounds, next to a copy of as many bytes", 80, run_bandwidth},
    {"matmul", "square products", 100, run_matmul},
    {"sums", "over several devices", 60, run_sums},
    {"memcheck", "compute-sanitizer on one op of each family", 180, run_memcheck},
};

json read_json(const std::string& path) {
  json page = json::parse(std::ifstream(path), nullptr, /*allow_exceptions=*/false);
  return page.is_discarded() ? json::object() : page;
}

// Runs in the child.
int run_one(const std::string& name, const std::string& file, const Settings& settings) {
  Report report(file);
  for (const Part& part : kParts) {
    if (part.name != name) continue;
    try {
      part.run(settings, report);
    } catch (const std::exception& e) {
      report.fault(e.what());
    }
    return 0;
  }
  return 2;
}

// Runs in the parent. Returns the part's page, with its status: ok, failed or skipped.
json run_part(const Part& part, const Settings& settings, double seconds_left) {
  fmt::print("\n== {}: {}\n", part.name, part.about);
  std::fflush(stdout);
  const auto file = std::filesystem::temp_directory_path() /
                    fmt::format("gpu-check-{}-{}.json", getpid(), part.name);
  std::vector<std::string> command{settings.program, settings.kind, "--part",   part.name,
                                   "--json",         file.string(), "--python", settings.python};
  const double seconds = std::min<double>(part.seconds, seconds_left);
  for (const std::string& word : {std::string("--processes"), std::to_string(settings.processes),
                                  std::string("--seconds"), std::to_string(seconds)})
    command.push_back(word);
  if (settings.brief) command.push_back("--short");
  const Ended e =
      run({.command = command, .seconds = seconds, .keep_output = false, .own_group = true});
  json page = read_json(file);
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  page["seconds"] = e.seconds;
  if (!e.good()) {
    const std::string line = fmt::format("{} was ended by {}", part.name, e.how());
    fmt::print("FAILED: {}\n", line);
    page["faults"].push_back(line);
  }
  page["status"] = !page["faults"].empty() ? "failed" : page.contains("skipped") ? "skipped" : "ok";
  fmt::print("-- {}: {}, {:.1f} s\n", part.name, page["status"].get<std::string>(), e.seconds);
  std::fflush(stdout);
  return page;
}

int summary(const json& page) {
  int n_failed = 0;
  std::string line;
  for (const Part& part : kParts) {  // in their order
    if (!page["parts"].contains(part.name)) continue;
    const auto status = page["parts"][part.name]["status"].get<std::string>();
    n_failed += status == "failed";
    line += fmt::format(" {} {},", part.name, status);
  }
  line.back() = ';';
  fmt::print("\ngpu-check {}:{} {:.0f} s; {}\n", page["kind"].get<std::string>(), line,
             page["seconds"].get<double>(),
             n_failed ? fmt::format("{} part{} FAILED", n_failed, n_failed == 1 ? "" : "s")
                      : "all is well");
  return n_failed ? 1 : 0;
}

int run_parts(const Settings& settings, const std::vector<std::string>& only,
              const std::string& file, double limit) {
  const auto start = std::chrono::steady_clock::now();
  const auto passed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  fmt::print("Backplane {}: the check of {}{}\n", bp_version(), settings.kind,
             settings.brief ? ", in short" : "");
  json page{{"version", bp_version()},
            {"kind", settings.kind},
            {"short", settings.brief},
            {"parts", json::object()}};
  for (const Part& part : kParts) {
    if (!only.empty() && std::find(only.begin(), only.end(), part.name) == only.end()) continue;
    json& found = page["parts"][part.name];
    if (limit - passed() < 1)
      found = {{"status", "failed"}, {"seconds", 0}, {"faults", {"no time was left for it"}}};
    else
      found = run_part(part, settings, limit - passed());
    page["seconds"] = passed();
    std::ofstream(file) << page.dump(1) << '\n';
    if (part.name == std::string("devices") && found.value("count", 0) == 0)
      break;  // nothing to check
  }
  return summary(page);
}

void end_all(int) {
  if (const int group = running_group()) kill(-group, SIGKILL);
  _exit(130);
}

int command(int argc, char** argv) {
  Settings settings;
  std::string part, file = "gpu-check.json";
  std::vector<std::string> only;
  double limit = 460;
  CLI::App app{
      "Checks the devices of one kind: whether what they compute is right, and how fast they are"};
  app.add_option("kind", settings.kind, "cuda (default), sim ...");
  app.add_flag("--short", settings.brief,
               "small data and few rounds: shows that everything runs; times mean nothing");
  app.add_option("--only", only,
                 "these parts: devices, conformance, launches, copies, bandwidth, matmul, memcheck")
      ->delimiter(',');
  app.add_option("--json", file, "file to write (gpu-check.json)");
  app.add_option("--python", settings.python, "where PyTorch is, if anywhere (python3)");
  app.add_option("--processes", settings.processes,
                 "of the conformance suite at a time, at most (12)")
      ->check(CLI::PositiveNumber);
  app.add_option("--seconds", settings.seconds, "what the part has")->group("");
  app.add_option("--limit", limit, "seconds for everything (460)")->check(CLI::PositiveNumber);
  app.add_option("--part", part, "one part, in this process")->group("");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  if (!std::ofstream(file, std::ios::app)) {
    fmt::print(stderr, "gpu_check: {} cannot be written\n", file);
    return 2;
  }
  std::error_code no_proc;
  settings.program = std::filesystem::read_symlink("/proc/self/exe", no_proc);
  if (no_proc) settings.program = argv[0];
  if (!part.empty()) return run_one(part, file, settings);
  signal(SIGINT, end_all);
  signal(SIGTERM, end_all);
  return run_parts(settings, only, file, limit);
}

}  // namespace
}  // namespace gpu_check

int main(int argc, char** argv) try {
  return gpu_check::command(argc, argv);
} catch (const std::exception& e) {
  fmt::print(stderr, "gpu_check: {}\n", e.what());
  return 1;
}
