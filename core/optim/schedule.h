// SPDX-License-Identifier: Apache-2.0
// schedule.h: learning rates that change with time. A schedule belongs to an optimiser and sets the
// "lr" of its groups: at once when it is made (epoch 0), and at each step. Formulas and order of
// things: torch/optim/lr_scheduler.py, whose schedules compute a rate from the one before, so that
// several on one optimiser multiply. The C handle bp_schedule is this struct; bp::Schedule is
// another name for it. Owner: Ref<Schedule>; it holds its optimiser. Any thread; calls of one
// optimiser's schedules come one after the other.
//
//   const bp_attr every = {"step_size", BP_ATTR_I64, 1, {.i64 = 30}, 0};
//   Ref<Schedule> s = new_schedule("step", optimizer, {&every, 1});
//   s->step();
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/optim/optimizer.h"

namespace bp {

constexpr size_t kMaxScheduleOptions = 11;

struct ScheduleOption {
  const char* name = nullptr;
  bp_attr_kind kind = BP_ATTR_F64;  // F64, I64, BOOL, STR, INTS
  double value = 0;
  bool required = false;
  const char* text = nullptr;
  const char* doc = "";
};
struct ScheduleKind {
  const char* name;
  const char* doc;
  std::array<ScheduleOption, kMaxScheduleOptions> options;
  size_t n_options() const;
};
std::span<const ScheduleKind> schedule_kinds();
const ScheduleKind& schedule_kind(std::string_view name);

// Given attributes, checked and complete.
struct ScheduleOptions {
  std::vector<double> numbers;  // by the kind's order; flags are 0 or 1
  std::vector<int64_t> ints;    // of its one list
  std::string text;             // of its one text
};
ScheduleOptions take_schedule_options(const ScheduleKind& kind, std::span<const bp_attr> attrs);

// What the rates of a group are computed from.
struct RateCall {
  int64_t epoch;  // 0 at first
  double rate;    // now
  double base;    // the group's first
  size_t group;
};

// How rates go: one of these per kind.
struct Rates {
  virtual ~Rates() = default;
  // Before the groups' rates are asked for at this epoch.
  virtual void begin(int64_t /*epoch*/) {}
  virtual double next(const RateCall& c) = 0;
  // At epoch 0 whatever the rate is now.
  virtual double start(const RateCall& c) { return next(c); }
  // For one_cycle: also momenta.
  virtual void also(Optimizer&, int64_t /*epoch*/) {}
  // Before the first epoch; may set the groups' initial rates.
  virtual void prepare(Optimizer&) {}
  // What it knows beyond epoch and rates, as numbers.
  virtual std::vector<double> saved() const { return {}; }
  virtual void restore(std::span<const double>) {}
};
std::unique_ptr<Rates> new_rates(const ScheduleKind& kind, const ScheduleOptions& options);

}  // namespace bp

struct bp_schedule final : bp::Object {
  enum class Form { kSingle, kChained, kSequential };
  Form form = Form::kSingle;
  std::string kind;
  bp::Ref<bp::Optimizer> optimizer;
  std::unique_ptr<bp::Rates> rates;         // single
  std::vector<bp::Ref<bp_schedule>> parts;  // chained, sequential
  std::vector<int64_t> milestones;          // sequential
  int64_t epoch = -1;
  std::vector<double> base, last;  // per group

  bp_schedule() : Object(bp::Tag::kSchedule) {}
  static void destroy(bp_schedule* s) noexcept { delete s; }
  void step();
  // At epoch 0 again, from the base rates: how a sequence enters its next part.
  void restart();
  double last_rate(uint32_t group) const;
  std::vector<double> last_rates() const;

 private:
  void apply(bool from_base);
};

namespace bp {

using Schedule = bp_schedule;

Ref<Schedule> new_schedule(std::string_view kind, Optimizer& optimizer,
                           std::span<const bp_attr> attrs);
// The base times factor(epoch).
Ref<Schedule> new_lambda_schedule(Optimizer& optimizer, std::function<double(int64_t)> factor);
// All of them at each step, in order.
Ref<Schedule> new_chained_schedule(std::span<Schedule* const> parts);
// One after the other: part i + 1 from epoch milestones[i] on.
Ref<Schedule> new_sequential_schedule(std::span<Schedule* const> parts,
                                      std::span<const int64_t> milestones);
Schedule& checked(const bp_schedule* s, const char* what);

}  // namespace bp
