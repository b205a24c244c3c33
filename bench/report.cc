// SPDX-License-Identifier: Apache-2.0
// report.cc: a table for people and JSON for programs. A ratio is the rival's time / our time:
// above 1 we are faster.
#include "report.h"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <thread>

#include "c_api.h"
#include "case.h"

namespace bench {
namespace {

std::string duration(double s) {
  if (s < 1e-6) return fmt::format("{:.1f} ns", s * 1e9);
  if (s < 1e-3) return fmt::format("{:.1f} us", s * 1e6);
  return fmt::format("{:.2f} ms", s * 1e3);
}

std::string rate(const Result& r, double s) {
  if (r.flops > 0)
    return fmt::format("{:.{}f} GFLOP/s", r.flops / s * 1e-9, r.flops / s < 1e10 ? 2 : 0);
  if (r.bytes > 0) return fmt::format("{:.1f} GB/s", r.bytes / s * 1e-9);
  return "";
}

}  // namespace

void print_header() {
  fmt::print("{:<14}{:<34}{:>12}{:>14}   rivals: time, and how many times ours\n", "subject",
             "case", "ours", "");
}

void print_row(const Result& r) {
  if (r.timings.empty()) return;
  const Timing& ours = r.timings[0];
  std::string line = fmt::format("{:<14}{:<34}{:>12}{:>14}  ", r.subject, r.name,
                                 duration(ours.seconds), rate(r, ours.seconds));
  for (size_t i = 1; i < r.timings.size(); ++i)
    line += fmt::format(" {} {} ({:.2f}x)", r.timings[i].name, duration(r.timings[i].seconds),
                        r.timings[i].seconds / ours.seconds);
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

nlohmann::json json_of(const Result& r) {
  nlohmann::json row = {{"subject", r.subject}, {"case", r.name}};
  if (r.bytes > 0) row["bytes"] = r.bytes;
  if (r.flops > 0) row["flops"] = r.flops;
  for (const Timing& t : r.timings)
    row["seconds"][t.name] = t.seconds, row["spread"][t.name] = t.spread,
    row["rival_over_ours"][t.name] = t.seconds / r.timings[0].seconds;
  return row;
}

void write_json(const std::vector<Result>& results, int threads, int rounds,
                const std::string& path) {
  bp_device_info info{};
  info.struct_size = sizeof info;
  bp_device_get_info(bp_device_make(BP_KIND_CPU, -1), &info, nullptr);
  nlohmann::json out;
  out["context"] = {{"version", bp_version()}, {"cpu", info.name},
                    {"driver", info.driver},   {"cores", std::thread::hardware_concurrency()},
                    {"threads", threads},      {"rounds", rounds}};
  for (const Result& r : results) out["results"].push_back(json_of(r));
  std::ofstream(path) << out.dump(1) << '\n';
}

}  // namespace bench
