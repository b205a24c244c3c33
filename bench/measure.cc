// measure.cc: one case through Google Benchmark. Repetitions of all rivals are shuffled among each other.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "case.h"

namespace bench {
namespace {

struct Collect : benchmark::BenchmarkReporter {
  std::map<std::string, std::vector<double>> seconds;
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& r : runs)
      if (r.run_type == Run::RT_Iteration)
        seconds[r.run_name.function_name].push_back(r.real_accumulated_time / static_cast<double>(r.iterations));
  }
};

// Pools of threads of other libraries spin for a while after their last work, and would take this one's cores.
void settle() { std::this_thread::sleep_for(std::chrono::milliseconds(25)); }

}  // namespace

Result measure(const CaseDef& def, int rounds, double min_seconds) {
  Case c;
  def.prepare(c);
  for (const Rival& r : c.rivals) {
    r.run();  // memory touched, code compiled, libraries opened
    benchmark::RegisterBenchmark(r.name.c_str(), [&r](benchmark::State& state) {
      settle();
      r.run();
      for (auto _ : state) r.run();
    })->Repetitions(rounds)->UseRealTime()->MinTime(min_seconds);
  }
  Collect collect;
  benchmark::RunSpecifiedBenchmarks(&collect);
  benchmark::ClearRegisteredBenchmarks();

  Result result{def.subject, def.name, c.bytes, c.flops, {}};
  for (const Rival& r : c.rivals) {
    auto& s = collect.seconds[r.name];
    if (s.empty()) continue;
    std::sort(s.begin(), s.end());
    const double median = s[s.size() / 2];
    result.timings.push_back({r.name, median, (s.back() - s.front()) / median});
  }
  return result;
}

}  // namespace bench
