// SPDX-License-Identifier: Apache-2.0
// case.h: what a benchmark compares. A Case is one piece of work done in several ways, ours first.
// All ways of a case are measured in turns, round after round, so that the machine's drift meets
// them alike; each is reported as a median, and beside ours as a ratio. Data is made when the case
// runs and freed after it.
//
//   Case c;
//   c.add("ours", [] {});
//   c.add("a loop", [] {});
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "c_types.h"

namespace bench {

struct Rival {
  std::string name;
  std::function<void()> run;
  // Set when another process does the work: it returns the seconds that so many runs took.
  std::function<double(int runs)> timed{};
};

struct Case {
  double bytes = 0;  // moved by one run; 0 is not reported
  double flops = 0;
  // Set when a run only queues work. So many runs are then timed at a time, and `drain` is called
  // between, so that no queue grows without bound. With drain_counts the time is until the work is
  // done, else until it is queued.
  int batch = 0;
  bool drain_counts = false;
  std::function<void()> drain;
  std::vector<Rival> rivals;
  void add(std::string name, std::function<void()> run) {
    rivals.push_back({std::move(name), std::move(run)});
  }
};

struct CaseDef {
  std::string subject, name;
  std::function<void(Case&)> prepare;
};
using Cases = std::vector<CaseDef>;

void add_dispatch_cases(Cases& out);
// What it costs the host to queue a small op on a device of any kind; the same call on the cpu
// stands beside it. `extend` may add rivals: op is "add", "exp", "sum", "softmax" or "matmul", and
// n is the number of elements or the side of the matrices.
using Extend = std::function<void(Case& c, const std::string& op, int64_t n, bool given)>;
void add_queued_cases(Cases& out, const std::string& subject, bp_device device,
                      const Extend& extend = {});
void add_elementwise_cases(Cases& out);
void add_matmul_cases(Cases& out, int threads);

struct Timing {
  std::string name;
  double seconds;  // median of one run
  double spread;   // (max - min) / median
};
struct Result {
  std::string subject, name;
  double bytes, flops;
  std::vector<Timing> timings;
};
// Measures each rival in so many rounds of about so many seconds. Throws what a run threw.
Result measure(const CaseDef& def, int rounds, double min_seconds);

void print_header();
void print_row(const Result& r);
void write_json(const std::vector<Result>& results, int threads, int rounds,
                const std::string& path);

}  // namespace bench
