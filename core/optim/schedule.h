// SPDX-License-Identifier: Apache-2.0
// schedule.h: learning rates that change with time. A schedule belongs to an optimiser and sets the
// "lr" of its groups: at once when it is made (epoch 0), and at each step. Formulas and the order
// of things are those of torch/optim/lr_scheduler.py, whose schedules compute a rate from the one
// before, so that several on one optimiser multiply. The C handle bp_schedule is this struct;
// bp::Schedule is another name for it. A Ref<Schedule> owns it, and it holds its optimiser. It may
// be used on any thread; calls of one optimiser's schedules come one after the other.
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
#include "core/value/attr_values.h"

namespace bp {

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
  // Called before the groups' rates are asked for at this epoch.
  virtual void begin(int64_t /*epoch*/) {}
  virtual double next(const RateCall& c) = 0;
  // The rate at epoch 0, whatever the rate is now.
  virtual double start(const RateCall& c) { return next(c); }
  // Sets what else depends on the epoch: one_cycle has momenta.
  virtual void also(Optimizer&, int64_t /*epoch*/) {}
  // Called before the first epoch; may set the groups' initial rates.
  virtual void prepare(Optimizer&) {}
  // What it remembers beyond epoch and rates, as numbers.
  virtual std::vector<double> saved() const { return {}; }
  virtual void restore(std::span<const double>) {}
};

struct ScheduleKind {
  const char* name;
  const char* doc;
  const AttrSpecs& attrs;
  std::unique_ptr<Rates> (*make)(const AttrReader& values);  // throws PyTorch's sentences
};
std::span<const ScheduleKind> schedule_kinds();
// BP_NOT_FOUND lists what there is.
const ScheduleKind& schedule_kind(std::string_view name);

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
  // Goes back to epoch 0 and the base rates. This is how a sequence enters its next part.
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
// The rate is the base times factor(epoch).
Ref<Schedule> new_lambda_schedule(Optimizer& optimizer, std::function<double(int64_t)> factor);
// Each step is a step of all parts, in order.
Ref<Schedule> new_chained_schedule(std::span<Schedule* const> parts);
// The parts come one after the other: part i + 1 from epoch milestones[i] on.
Ref<Schedule> new_sequential_schedule(std::span<Schedule* const> parts,
                                      std::span<const int64_t> milestones);
Schedule& checked(const bp_schedule* s, const char* what);

}  // namespace bp
