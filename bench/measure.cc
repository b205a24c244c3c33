// measure.cc: one case through Google Benchmark. Repetitions of all rivals are shuffled among each
// other.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <exception>
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
        seconds[r.run_name.function_name].push_back(r.real_accumulated_time /
                                                    static_cast<double>(r.iterations));
  }
};

using Clock = std::chrono::steady_clock;

double seconds_of_batch(const Case& c, const Rival& r) {
  if (r.timed) return r.timed(c.batch);
  const auto start = Clock::now();
  for (int i = 0; i < c.batch; ++i) r.run();
  if (c.drain_counts) c.drain();
  const std::chrono::duration<double> took = Clock::now() - start;
  if (!c.drain_counts) c.drain();
  return took.count();
}

// By the wall's time, drains included: there may be much more to do than to queue.
int64_t batches_in(double seconds, const Case& c, const Rival& r) {
  seconds_of_batch(c, r);
  const auto start = Clock::now();
  seconds_of_batch(c, r);
  const std::chrono::duration<double> took = Clock::now() - start;
  return static_cast<int64_t>(std::clamp(seconds / took.count(), 1.0, 10000.0));
}

// Pools of threads of other libraries spin for a while after their last work, and would take this
// one's cores.
void settle() { std::this_thread::sleep_for(std::chrono::milliseconds(25)); }

// The library bears no run that throws: what was thrown is kept, and nothing is run any more.
void run_rival(benchmark::State& state, const Case& c, const Rival& r, std::exception_ptr& thrown) {
  const auto guarded = [&](const auto& f) {
    try {
      if (!thrown) f();
    } catch (...) {
      thrown = std::current_exception();
    }
  };
  settle();
  guarded([&] {
    if (!r.timed) r.run();  // memory touched, code compiled, libraries opened
    if (c.drain) c.drain();
  });
  if (!c.batch) {
    for (auto _ : state) guarded(r.run);
    return;
  }
  for (auto _ : state) {
    double seconds = 1;
    guarded([&] { seconds = seconds_of_batch(c, r); });
    state.SetIterationTime(seconds);
  }
}

}  // namespace

Result measure(const CaseDef& def, int rounds, double min_seconds) {
  Case c;
  def.prepare(c);
  std::vector<int64_t> batches;  // before anything is registered, for it may throw
  for (const Rival& r : c.rivals) batches.push_back(c.batch ? batches_in(min_seconds, c, r) : 0);
  std::exception_ptr thrown;
  for (size_t i = 0; i < c.rivals.size(); ++i) {
    const Rival& r = c.rivals[i];
    auto* b = benchmark::RegisterBenchmark(
        r.name.c_str(), [&](benchmark::State& state) { run_rival(state, c, r, thrown); });
    b->Repetitions(rounds);
    if (c.batch)
      b->UseManualTime()->Iterations(batches[i]);
    else
      b->UseRealTime()->MinTime(min_seconds);
  }
  Collect collect;
  benchmark::RunSpecifiedBenchmarks(&collect);
  benchmark::ClearRegisteredBenchmarks();
  if (thrown) std::rethrow_exception(thrown);

  Result result{def.subject, def.name, c.bytes, c.flops, {}};
  for (const Rival& r : c.rivals) {
    auto& s = collect.seconds[r.name];
    if (s.empty()) continue;
    std::sort(s.begin(), s.end());
    const double median = s[s.size() / 2];
    result.timings.push_back(
        {r.name, median / std::max(c.batch, 1), (s.back() - s.front()) / median});
  }
  return result;
}

}  // namespace bench
