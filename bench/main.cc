// SPDX-License-Identifier: Apache-2.0
// bench_backplane: prints a table of our times and our rivals', writes JSON.
#include <fmt/format.h>
#include <omp.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "c_api.h"
#include "case.h"
#include "peer.h"

namespace {

int run(int argc, char** argv) {
  CLI::App app{
      "Benchmarks: every case in turns with its rivals, medians, ratio = rival's time / ours"};
  std::string filter, json;
  bool peers = false, list = false;
  int rounds = 7, threads = bp_get_num_threads();
  double min_seconds = 0.1;
  app.add_flag("--peers", peers, "also libtorch, in the same process");
  app.add_flag("--list", list, "print the cases' names");
  app.add_option("--filter", filter, "only cases whose 'subject: name' contains this");
  app.add_option("--json", json, "file to write");
  app.add_option("--rounds", rounds, "measurements of each rival")->check(CLI::Range(1, 1000));
  app.add_option("--min-time", min_seconds,
                 "seconds of one measurement, which is made in ten slices");
  app.add_option("--threads", threads, "for everybody")->check(CLI::Range(1, 4096));
  CLI11_PARSE(app, argc, argv);

  bp_set_num_threads(threads, nullptr);
  omp_set_num_threads(threads);
  if (std::string why = peers ? bench::open_peer(threads) : ""; !why.empty()) {
    fmt::print(stderr, "--peers: {}\n", why);
    return 1;
  }
  bench::Cases cases;
  bench::add_dispatch_cases(cases);
  bench::add_elementwise_cases(cases);
  bench::add_matmul_cases(cases, threads);

  std::vector<bench::Result> results;
  if (!list) bench::print_header();
  for (const auto& def : cases) {
    const std::string title = def.subject + ": " + def.name;
    if (title.find(filter) == std::string::npos) continue;
    if (list) {
      fmt::print("{}\n", title);
      continue;
    }
    results.push_back(bench::measure(def, rounds, min_seconds));
    bench::print_row(results.back());
  }
  if (!list && !json.empty()) bench::write_json(results, threads, rounds, json);
  return 0;
}

}  // namespace

int main(int argc, char** argv) try { return run(argc, argv); } catch (const std::exception& e) {
  fmt::print(stderr, "bench_backplane: {}\n", e.what());
  return 1;
}
