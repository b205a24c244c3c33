// SPDX-License-Identifier: Apache-2.0
// measure.cc: one case's rivals, timed in turns.
//
// A machine that is shared, or that cools itself, changes its speed within seconds, by as much as
// twice. So a round is cut into short slices, and every rival has its turn in each of them: what
// one round says of the rivals was measured under the same conditions. Their order is shuffled, so
// that none always follows the same other. (Google Benchmark shuffles only whole repetitions.)
#include <algorithm>
#include <chrono>
#include <ctime>
#include <numeric>
#include <random>
#include <thread>

#include "case.h"

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int kSlices = 10;  // of a round

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double seconds_of_batch(const Case& c, const Rival& r) {
  if (r.timed) return r.timed(c.batch);
  const auto start = Clock::now();
  for (int i = 0; i < c.batch; ++i) r.run();
  if (c.drain_counts) c.drain();
  const double took = seconds_since(start);
  if (!c.drain_counts) c.drain();
  return took;
}

// Times so many runs, or so many batches where the case has them.
double seconds_of(const Case& c, const Rival& r, int64_t times) {
  double seconds = 0;
  if (c.batch) {
    for (int64_t i = 0; i < times; ++i) seconds += seconds_of_batch(c, r);
    return seconds;
  }
  const auto start = Clock::now();
  for (int64_t i = 0; i < times; ++i) r.run();
  return seconds_since(start);
}

void warm(const Case& c, const Rival& r) {
  if (!r.timed) r.run();  // touches memory, compiles code, opens libraries
  if (c.drain) c.drain();
}

// Measures by the clock on the wall, drains included, because there may be much more to do
// than to queue.
int64_t times_in(double seconds, const Case& c, const Rival& r) {
  warm(c, r);
  for (int64_t times = 1;; times *= 2) {
    const auto start = Clock::now();
    seconds_of(c, r, times);
    const double took = seconds_since(start);
    if (took >= seconds / 2)
      return std::max<int64_t>(1,
                               static_cast<int64_t>(seconds / took * static_cast<double>(times)));
  }
}

// Waits until the process stands still, but at most 0.2 s. Pools of threads spin for a while after
// their last work (OpenBLAS's for 27 ms) and would take the next rival's cores.
void settle() {
  for (int i = 0; i < 100; ++i) {
    const std::clock_t before = std::clock();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (std::clock() - before < CLOCKS_PER_SEC / 5000) return;
  }
}

}  // namespace

Result measure(const CaseDef& def, int rounds, double min_seconds) {
  Case c;
  def.prepare(c);
  const size_t n = c.rivals.size();
  std::vector<int64_t> times;
  for (const Rival& r : c.rivals) times.push_back(times_in(min_seconds / kSlices, c, r));

  std::vector<std::vector<double>> seconds(n, std::vector<double>(rounds));  // of a round's slices
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random;
  for (int slice = 0; slice < rounds * kSlices; ++slice) {
    std::shuffle(order.begin(), order.end(), random);
    for (size_t i : order) {
      settle();
      warm(c, c.rivals[i]);
      seconds[i][slice / kSlices] += seconds_of(c, c.rivals[i], times[i]);
    }
  }

  Result result{def.subject, def.name, c.bytes, c.flops, {}};
  for (size_t i = 0; i < n; ++i) {
    auto& s = seconds[i];
    std::sort(s.begin(), s.end());
    const double median = s[s.size() / 2];
    const double runs = static_cast<double>(times[i]) * kSlices * std::max(c.batch, 1);
    result.timings.push_back({c.rivals[i].name, median / runs, (s.back() - s.front()) / median});
  }
  return result;
}

}  // namespace bench
