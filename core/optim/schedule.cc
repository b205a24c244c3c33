// SPDX-License-Identifier: Apache-2.0
#include "core/optim/schedule.h"

#include <algorithm>

#include "core/base/error.h"

namespace bp {
namespace {

struct LambdaRates final : Rates {
  std::function<double(int64_t)> factor;
  explicit LambdaRates(std::function<double(int64_t)> f) : factor(std::move(f)) {}
  double next(const RateCall& c) override { return c.base * factor(c.epoch); }
};

double& rate_of(Optimizer& o, size_t group) {
  return o.groups[group].options[static_cast<size_t>(o.kind.attrs.find("lr"))];
}

// Begins a schedule of the optimiser's groups at epoch 0, with their first rates.
Ref<Schedule> begun(Optimizer& optimizer, std::string_view kind, std::unique_ptr<Rates> rates) {
  const std::lock_guard lock(optimizer.mutex);
  auto s = Ref<Schedule>::adopt(new Schedule);
  s->kind = kind;
  s->optimizer = Ref<Optimizer>::share(&optimizer);
  s->rates = std::move(rates);
  s->rates->prepare(optimizer);
  for (size_t i = 0; i < optimizer.groups.size(); ++i) {
    ParamGroup& g = optimizer.groups[i];
    if (!g.initial_lr) g.initial_lr = rate_of(optimizer, i);
    s->base.push_back(*g.initial_lr);
  }
  s->last.resize(s->base.size());
  s->step();
  return s;
}

Optimizer& common_optimizer(std::span<Schedule* const> parts, const char* what) {
  if (parts.empty())
    fail(BP_INVALID_ARGUMENT,
         "{} expects at least one scheduler to be chained, but got no scheduler.", what);
  for (size_t i = 1; i < parts.size(); ++i)
    if (parts[i]->optimizer.get() != parts[0]->optimizer.get())
      fail(
          BP_INVALID_ARGUMENT,
          "{} expects all schedulers to belong to the same optimizer, but got schedulers at index {} and {} to be different",
          what, 0, i);
  return *parts[0]->optimizer;
}

Ref<Schedule> made_of(std::span<Schedule* const> parts, Schedule::Form form, const char* kind) {
  auto s = Ref<Schedule>::adopt(new Schedule);
  s->form = form;
  s->kind = kind;
  s->optimizer = parts[0]->optimizer;
  s->epoch = 0;
  for (Schedule* p : parts) s->parts.push_back(Ref<Schedule>::share(p));
  return s;
}

}  // namespace

Ref<Schedule> new_schedule(std::string_view kind, Optimizer& optimizer,
                           std::span<const bp_attr> attrs) {
  const ScheduleKind& k = schedule_kind(kind);
  return begun(optimizer, k.name, k.make(AttrValues(k.name, k.attrs, attrs)));
}
Ref<Schedule> new_lambda_schedule(Optimizer& optimizer, std::function<double(int64_t)> factor) {
  return begun(optimizer, "lambda", std::make_unique<LambdaRates>(std::move(factor)));
}
Ref<Schedule> new_chained_schedule(std::span<Schedule* const> parts) {
  common_optimizer(parts, "ChainedScheduler");
  return made_of(parts, Schedule::Form::kChained, "chained");
}
Ref<Schedule> new_sequential_schedule(std::span<Schedule* const> parts,
                                      std::span<const int64_t> milestones) {
  Optimizer& o = common_optimizer(parts, "SequentialLR");
  if (milestones.size() + 1 != parts.size())
    fail(
        BP_INVALID_ARGUMENT,
        "Sequential Schedulers expects number of schedulers provided to be one more than the number of milestone points, but "
        "got number of schedulers {} and the number of milestones to be equal to {}",
        parts.size(), milestones.size());
  if (!std::is_sorted(milestones.begin(), milestones.end()))
    fail(BP_INVALID_ARGUMENT, "the milestones of a sequential schedule must not fall");
  const std::lock_guard lock(o.mutex);
  auto s = made_of(parts, Schedule::Form::kSequential, "sequential");
  s->milestones.assign(milestones.begin(), milestones.end());
  // Each part set the rates when it was made. This is undone, and the first part begins.
  for (size_t i = 0; i < o.groups.size(); ++i)
    if (o.groups[i].initial_lr) rate_of(o, i) = *o.groups[i].initial_lr;
  for (Schedule* p : parts) --p->epoch;
  parts[0]->step();
  return s;
}

Schedule& checked(const bp_schedule* s, const char* what) {
  if (!s) fail(BP_INVALID_ARGUMENT, "{} must not be NULL", what);
  if (s->tag != Tag::kSchedule) fail(BP_INVALID_ARGUMENT, "{} is not a schedule", what);
  if (s->born != generation()) fail(BP_BAD_STATE, "{} was made before bp_shutdown", what);
  return const_cast<Schedule&>(*s);
}

}  // namespace bp

using namespace bp;

void bp_schedule::apply(bool from_base) {
  rates->begin(epoch);
  std::vector<double> next;
  const size_t n = std::min(base.size(), optimizer->groups.size());
  for (size_t i = 0; i < n; ++i) {
    const RateCall c{epoch, rate_of(*optimizer, i), base[i], i};
    next.push_back(from_base ? rates->start(c) : rates->next(c));
  }
  rates->also(*optimizer, epoch);
  for (size_t i = 0; i < n; ++i) last[i] = rate_of(*optimizer, i) = next[i];
}

void bp_schedule::step() {
  const std::lock_guard lock(optimizer->mutex);
  if (form == Form::kChained) {
    for (const Ref<bp_schedule>& p : parts) p->step();
    ++epoch;
    return;
  }
  ++epoch;
  try {
    if (form == Form::kSingle) return apply(/*from_base=*/false);
    const auto at = static_cast<size_t>(
        std::upper_bound(milestones.begin(), milestones.end(), epoch) - milestones.begin());
    at > 0 && milestones[at - 1] == epoch ? parts[at]->restart() : parts[at]->step();
  } catch (...) {
    --epoch;
    throw;
  }
}

void bp_schedule::restart() {
  const std::lock_guard lock(optimizer->mutex);
  epoch = 0;
  if (form == Form::kSingle) return apply(/*from_base=*/true);
  for (const Ref<bp_schedule>& p : parts) {
    p->restart();
    if (form == Form::kSequential) return;
  }
}

std::vector<double> bp_schedule::last_rates() const {
  const std::lock_guard lock(optimizer->mutex);
  if (form == Form::kSingle) return last;
  if (form == Form::kChained) return parts.back()->last_rates();
  const auto at =
      std::upper_bound(milestones.begin(), milestones.end(), epoch) - milestones.begin();
  return parts[static_cast<size_t>(at)]->last_rates();
}

double bp_schedule::last_rate(uint32_t group) const {
  const std::vector<double> all = last_rates();
  if (group >= all.size())
    fail(BP_INDEX_OUT_OF_RANGE, "parameter group {} of {}", group, all.size());
  return all[group];
}
