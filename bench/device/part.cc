// SPDX-License-Identifier: Apache-2.0
#include "part.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>

#include "libraries.h"
#include "report.h"

namespace gpu_check {

Report::Report(std::string path) : path_(std::move(path)) {
  page_ = {{"rows", nlohmann::json::array()},
           {"notes", nlohmann::json::array()},
           {"faults", nlohmann::json::array()}};
  save();
}

void Report::save() const { std::ofstream(path_) << page_.dump(1) << '\n'; }

void Report::measured(const bench::Result& result) {
  bench::print_row(result);
  page_["rows"].push_back(bench::json_of(result));
  save();
}

void Report::say(const std::string& line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
  page_["notes"].push_back(line);
  save();
}

void Report::fault(const std::string& line) {
  fmt::print("FAILED: {}\n", line);
  std::fflush(stdout);
  page_["faults"].push_back(line);
  save();
}

void Report::skip(const std::string& why) {
  fmt::print("skipped: {}\n", why);
  std::fflush(stdout);
  page_["skipped"] = why;
  save();
}

void Report::set(const std::string& key, nlohmann::json value) {
  page_[key] = std::move(value);
  save();
}

void measure_all(const bench::Cases& cases, const Settings& settings, Report& report) {
  bench::print_header();
  for (const bench::CaseDef& def : cases) try {
      const int rounds = settings.brief ? 3 : 7;
      report.measured(bench::measure(def, rounds, settings.brief ? 0.002 : 0.03));
    } catch (const std::exception& e) {
      report.fault(def.subject + ": " + def.name + ": " + e.what());
    }
}

int runs_per_batch(const std::function<void()>& run, const std::function<void()>& drain,
                   const Settings& settings) {
  using Clock = std::chrono::steady_clock;
  run();
  drain();
  const auto start = Clock::now();
  run();
  drain();
  const double took = std::chrono::duration<double>(Clock::now() - start).count();
  return static_cast<int>(std::clamp((settings.brief ? 0.0005 : 0.005) / took, 1.0, 100.0));
}

void time_until_done(bench::Case& c, const Settings& settings) {
  const auto wait = [device = settings.device()] { backplane::synchronize(device); };
  c.drain = c.drain ? std::function<void()>([also = c.drain, wait] { wait(), also(); }) : wait;
  c.drain_counts = true;
  c.batch = runs_per_batch(c.rivals.at(0).run, c.drain, settings);
}

std::shared_ptr<Driver> open_driver(const Settings& settings, Report& report) try {
  if (settings.simulated()) return nullptr;
  return std::make_shared<Driver>(backplane::device_info(settings.device()).physical);
} catch (const std::exception& e) {
  report.say(std::string("the driver, called directly: not used: ") + e.what());
  return nullptr;
}

void* address(const backplane::Tensor& t) {
  void* p = nullptr;
  call([&](bp_error** e) { return bp_tensor_data(t.get(), &p, e); });
  return p;
}

}  // namespace gpu_check
