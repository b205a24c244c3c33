// SPDX-License-Identifier: Apache-2.0
// backplane bench: how fast a device does a few ops and copies, to see in a minute whether it works
// as it should. ./dev bench measures for claims.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli.h"

namespace cli {
namespace {

namespace bp = backplane;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

struct Measured {
  std::string name;
  double seconds = 0;  // of one call
  double amount = 0;   // bytes moved or operations done by one call; 0: only the time counts
  const char* unit = "";
};

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Returns the seconds of one call: the best of at most five rounds, which together take about
// `budget` seconds.
double time_of(bp::Device device, double budget, const std::function<void()>& call) {
  const auto round = [&](std::uint64_t n) {
    const auto start = Clock::now();
    for (std::uint64_t i = 0; i < n; ++i) call();
    bp::synchronize(device);
    return seconds_since(start);
  };
  round(1);  // loads, allocates
  std::uint64_t n = 1;
  double took = round(n), spent = took;
  while (took < budget / 10) took = round(n *= 2);
  double best = took / static_cast<double>(n);
  for (int i = 1; i < 5 && spent < budget; ++i) {
    took = round(n);
    spent += took;
    best = std::min(best, took / static_cast<double>(n));
  }
  return best;
}

std::vector<Measured> measure(bp::Device device, double budget, bool simulated) {
  std::vector<Measured> out;
  const auto add = [&](const std::string& name, double amount, const char* unit,
                       const std::function<void()>& call) {
    out.push_back({name, time_of(device, budget, call), amount, unit});
  };
  const bp::Tensor small = bp::ones({4}, BP_F32, device);
  add("add of 4 floats", 0, "", [&] { bp::add(small, small); });
  constexpr std::int64_t kMany = std::int64_t{1} << 22;
  const std::int64_t side = simulated ? 256 : 1024;  // a simulation multiplies slowly
  const bp::Tensor many = bp::ones({kMany}, BP_F32, device);
  add("add of 4 Mi floats", 12.0 * kMany, "GB/s", [&] { bp::add(many, many); });
  add("exp of 4 Mi floats", 8.0 * kMany, "GB/s", [&] { bp::exp(many); });
  add("sum of 4 Mi floats", 4.0 * kMany, "GB/s", [&] { bp::sum(many); });
  const bp::Tensor matrix = bp::ones({side, side}, BP_F32, device);
  add(fmt::format("matmul of {0} x {0} floats", side), 2.0 * std::pow(side, 3), "GFLOP/s",
      [&] { bp::matmul(matrix, matrix); });
  if (device.kind() == BP_KIND_CPU) return out;
  const bp::Tensor here = bp::ones({kMany}, BP_F32, "cpu");
  add("copy of 16 MiB to the device", 4.0 * kMany, "GB/s", [&] { here.to(device); });
  add("copy of 16 MiB from the device", 4.0 * kMany, "GB/s", [&] { many.to("cpu"); });
  return out;
}

int run_bench(const std::string& name, double budget, bool as_json) {
  const bp::Device device(name);
  const bp_device_info facts = bp::device_info(device);
  const auto rows = measure(device, budget, (facts.flags & BP_DEVICE_SIMULATED) != 0);
  if (as_json) {
    json page{{"version", bp_version()},
              {"device", device.str()},
              {"name", facts.name},
              {"threads", bp_get_num_threads()},
              {"results", json::array()}};
    for (const Measured& m : rows) {
      json row{{"name", m.name}, {"seconds", m.seconds}, {"rate", nullptr}, {"unit", m.unit}};
      if (m.amount > 0) row["rate"] = m.amount / m.seconds / 1e9;
      page["results"].push_back(row);
    }
    fmt::print("{}\n", page.dump(2));
    return 0;
  }
  fmt::print("{} {}, {} thread{} of the host\n", device.str(), facts.name, bp_get_num_threads(),
             bp_get_num_threads() == 1 ? "" : "s");
  std::vector<std::vector<std::string>> table{{"what", "time", "rate"}};
  for (const Measured& m : rows)
    table.push_back(
        {m.name, duration_text(m.seconds),
         m.amount > 0 ? fmt::format("{:.3g} {}", m.amount / m.seconds / 1e9, m.unit) : ""});
  fmt::print("{}", columns(table));
  return 0;
}

}  // namespace

Run bench(CLI::App& app) {
  auto device = std::make_shared<std::string>("cpu");
  auto seconds = std::make_shared<double>(0.5);
  auto as_json = std::make_shared<bool>(false);
  app.add_option("--device", *device, "Where: cpu, cuda:0, sim:1 ... (default: cpu)");
  app.add_option("--seconds", *seconds, "About how long each line is measured (default: 0.5)")
      ->check(CLI::Range(0.001, 60.0))
      ->check(kNoNan);
  app.add_flag("--json", *as_json, "Print JSON: version, device, name, threads, results");
  app.footer(
      "The best of five rounds counts. A rate counts the bytes that are read and written, or the "
      "additions and products.");
  return [=] { return run_bench(*device, *seconds, *as_json); };
}

}  // namespace cli
