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
  return o.groups[group].options[static_cast<size_t>(o.kind.find_option("lr"))];
}

// Begins a schedule of the optimiser's groups: epoch 0 of their first rates.
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

const bp_attr* find_attr(std::span<const bp_attr> attrs, std::string_view name) {
  for (const bp_attr& a : attrs)
    if (name == a.name) return &a;
  return nullptr;
}

void take(const char* owner, const ScheduleOption& option, const bp_attr* given,
          ScheduleOptions* out) {
  out->numbers.push_back(option.value);
  if (!given && option.required)
    fail(BP_INVALID_ARGUMENT, "{}: attribute '{}' must be given", owner, option.name);
  if (!given) {
    if (option.text) out->text = option.text;
  } else if (option.kind == BP_ATTR_INTS) {
    if (given->kind != BP_ATTR_INTS || (given->count && !given->value.ints))
      fail(BP_INVALID_ARGUMENT, "{}: attribute '{}' must be a list of integers", owner,
           option.name);
    out->ints.assign(given->value.ints, given->value.ints + given->count);
  } else if (option.kind == BP_ATTR_STR) {
    if (given->kind != BP_ATTR_STR || !given->value.str)
      fail(BP_INVALID_ARGUMENT, "{}: attribute '{}' must be a text", owner, option.name);
    out->text.assign(given->value.str, given->count);
  } else {
    if (option.kind == BP_ATTR_I64 && given->kind != BP_ATTR_I64)
      fail(BP_INVALID_ARGUMENT, "{}: attribute '{}' must be an integer", owner, option.name);
    out->numbers.back() = number_of(*given, owner);
  }
}

}  // namespace

ScheduleOptions take_schedule_options(const ScheduleKind& kind, std::span<const bp_attr> attrs) {
  for (const bp_attr& a : attrs) {
    if (!a.name) fail(BP_INVALID_ARGUMENT, "{}: an attribute has no name", kind.name);
    const auto* end = kind.options.begin() + kind.n_options();
    if (std::none_of(kind.options.begin(), end,
                     [&](const ScheduleOption& o) { return std::string_view(a.name) == o.name; })) {
      std::string known;
      for (const auto* o = kind.options.begin(); o != end; ++o)
        known += (known.empty() ? "" : ", ") + std::string(o->name);
      fail(BP_NOT_FOUND, "{} has no attribute '{}'; it has {}", kind.name, a.name, known);
    }
  }
  ScheduleOptions out;
  for (size_t i = 0; i < kind.n_options(); ++i)
    take(kind.name, kind.options[i], find_attr(attrs, kind.options[i].name), &out);
  return out;
}

Ref<Schedule> new_schedule(std::string_view kind, Optimizer& optimizer,
                           std::span<const bp_attr> attrs) {
  const ScheduleKind& k = schedule_kind(kind);
  return begun(optimizer, k.name, new_rates(k, take_schedule_options(k, attrs)));
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
  // What the parts did when they were made is undone; the first begins.
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
