// case.h: what a benchmark compares. A Case is one piece of work done in several ways, ours first; all ways of a case
// are measured in turns, round after round, so that the machine's drift meets them alike, and reported as a median each
// and ours as a ratio. Data is made when the case runs and freed after it.
//
//   cases.push_back({"dispatch", "add of 4", [=](Case& c) { c.add("ours", [=] { ... }); c.add("loop", [=] { ... }); }});
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bench {

struct Rival {
  std::string name;
  std::function<void()> run;
};

struct Case {
  double bytes = 0;  // moved by one run, 0: not reported
  double flops = 0;
  std::vector<Rival> rivals;
  void add(std::string name, std::function<void()> run) { rivals.push_back({std::move(name), std::move(run)}); }
};

struct CaseDef {
  std::string subject, name;
  std::function<void(Case&)> prepare;
};
using Cases = std::vector<CaseDef>;

void add_dispatch_cases(Cases& out);
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
Result measure(const CaseDef& def, int rounds, double min_seconds);

void print_header();
void print_row(const Result& r);
void write_json(const std::vector<Result>& results, int threads, int rounds, const std::string& path);

}  // namespace bench
