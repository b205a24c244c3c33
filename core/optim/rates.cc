// SPDX-License-Identifier: Apache-2.0
// rates.cc: the kinds of schedules and their formulas; declared in schedule.h. Each formula is that
// of the class of torch/optim/lr_scheduler.py that its comment names.
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/optim/schedule.h"

namespace bp {
namespace {

constexpr double kPi = 3.141592653589793;

ScheduleOption f64(const char* name, double v, const char* doc) {
  return {name, BP_ATTR_F64, v, false, nullptr, doc};
}
ScheduleOption i64(const char* name, double v, const char* doc) {
  return {name, BP_ATTR_I64, v, false, nullptr, doc};
}
ScheduleOption must_i64(const char* name, const char* doc) {
  return {name, BP_ATTR_I64, 0, true, nullptr, doc};
}
ScheduleOption must_f64(const char* name, const char* doc) {
  return {name, BP_ATTR_F64, 0, true, nullptr, doc};
}
ScheduleOption on(const char* name, bool v, const char* doc) {
  return {name, BP_ATTR_BOOL, v ? 1.0 : 0.0, false, nullptr, doc};
}

// StepLR
struct StepRates final : Rates {
  double size, gamma;
  explicit StepRates(const ScheduleOptions& o) : size(o.numbers[0]), gamma(o.numbers[1]) {
    if (size < 1)
      fail(BP_INVALID_ARGUMENT, "step_size must be at least 1, got {}", static_cast<int64_t>(size));
  }
  double next(const RateCall& c) override {
    return c.epoch == 0 || c.epoch % static_cast<int64_t>(size) ? c.rate : c.rate * gamma;
  }
  double start(const RateCall& c) override { return c.base; }
};
// MultiStepLR
struct MultiStepRates final : Rates {
  std::vector<int64_t> milestones;
  double gamma;
  explicit MultiStepRates(const ScheduleOptions& o) : milestones(o.ints), gamma(o.numbers[1]) {}
  double next(const RateCall& c) override {
    const auto times = std::count(milestones.begin(), milestones.end(), c.epoch);
    return times ? c.rate * std::pow(gamma, static_cast<double>(times)) : c.rate;
  }
  double start(const RateCall& c) override { return next({0, c.base, c.base, c.group}); }
};
// ExponentialLR
struct ExponentialRates final : Rates {
  double gamma;
  explicit ExponentialRates(const ScheduleOptions& o) : gamma(o.numbers[0]) {}
  double next(const RateCall& c) override { return c.epoch == 0 ? c.rate : c.rate * gamma; }
  double start(const RateCall& c) override { return c.base; }
};
// ConstantLR
struct ConstantRates final : Rates {
  double factor, total;
  explicit ConstantRates(const ScheduleOptions& o) : factor(o.numbers[0]), total(o.numbers[1]) {
    if (!(factor >= 0 && factor <= 1))
      fail(BP_INVALID_ARGUMENT, "Constant multiplicative factor expected to be between 0 and 1.");
  }
  double next(const RateCall& c) override {
    if (c.epoch == 0) return c.rate * factor;
    return static_cast<double>(c.epoch) == total ? c.rate * (1.0 / factor) : c.rate;
  }
  double start(const RateCall& c) override { return c.base * (total > 0 ? factor : 1); }
};
// LinearLR
struct LinearRates final : Rates {
  double from, to, total;
  explicit LinearRates(const ScheduleOptions& o)
      : from(o.numbers[0]), to(o.numbers[1]), total(o.numbers[2]) {
    if (!(from > 0 && from <= 1))
      fail(BP_INVALID_ARGUMENT,
           "Starting multiplicative factor expected to be greater than 0 and less or equal to 1.");
    if (!(to >= 0 && to <= 1))
      fail(BP_INVALID_ARGUMENT, "Ending multiplicative factor expected to be between 0 and 1.");
  }
  double next(const RateCall& c) override {
    if (c.epoch == 0) return c.rate * from;
    const auto e = static_cast<double>(c.epoch);
    if (e > total) return c.rate;
    return c.rate * (1. + (to - from) / (total * from + (e - 1) * (to - from)));
  }
  double start(const RateCall& c) override { return c.base * from; }
};
// PolynomialLR
struct PolynomialRates final : Rates {
  double total, power;
  explicit PolynomialRates(const ScheduleOptions& o) : total(o.numbers[0]), power(o.numbers[1]) {}
  double next(const RateCall& c) override {
    const auto e = static_cast<double>(c.epoch);
    if (c.epoch == 0 || e > total) return c.rate;
    return c.rate * std::pow((1.0 - e / total) / (1.0 - (e - 1) / total), power);
  }
  double start(const RateCall& c) override { return c.base; }
};
// CosineAnnealingLR (Loshchilov and Hutter 2017, without restarts)
struct CosineRates final : Rates {
  double half, low;
  explicit CosineRates(const ScheduleOptions& o) : half(o.numbers[0]), low(o.numbers[1]) {
    if (half < 1)
      fail(BP_INVALID_ARGUMENT, "T_max must be at least 1, got {}", static_cast<int64_t>(half));
  }
  double next(const RateCall& c) override {
    if (c.epoch == 0) return c.rate;
    const auto e = static_cast<double>(c.epoch);
    if (std::fmod(e - 1 - half, 2 * half) == 0)
      return c.rate + (c.base - low) * (1 - std::cos(kPi / half)) / 2;
    return (1 + std::cos(kPi * e / half)) / (1 + std::cos(kPi * (e - 1) / half)) * (c.rate - low) +
           low;
  }
  double start(const RateCall& c) override { return c.base; }
};
// CosineAnnealingWarmRestarts (SGDR)
struct RestartRates final : Rates {
  double first, grow, low, length, at = 0;
  explicit RestartRates(const ScheduleOptions& o)
      : first(o.numbers[0]), grow(o.numbers[1]), low(o.numbers[2]), length(first) {
    if (first < 1)
      fail(BP_INVALID_ARGUMENT, "Expected positive integer T_0, but got {}",
           static_cast<int64_t>(first));
    if (grow < 1)
      fail(BP_INVALID_ARGUMENT, "Expected integer T_mult >= 1, but got {}",
           static_cast<int64_t>(grow));
  }
  void begin(int64_t epoch) override {
    if (epoch == 0) {
      at = 0;
      length = first;
    } else if ((at += 1) >= length) {
      at -= length;
      length *= grow;
    }
  }
  double next(const RateCall& c) override {
    return low + (c.base - low) * (1 + std::cos(kPi * at / length)) / 2;
  }
  std::vector<double> saved() const override { return {at, length}; }
  void restore(std::span<const double> v) override {
    if (v.size() != 2)
      fail(BP_INVALID_ARGUMENT,
           "the state of a cosine_restarts schedule has {} numbers, expected 2", v.size());
    at = v[0];
    length = v[1];
  }
};
// OneCycleLR (Smith and Topin 2018)
struct OneCycleRates final : Rates {
  double top, total, rise, low_momentum, high_momentum, down, final_down;
  bool momenta, three, cosine;
  struct Phase {
    double end, rate_from, rate_to, momentum_from, momentum_to;
  };
  std::vector<Phase> phases;

  explicit OneCycleRates(const ScheduleOptions& o)
      : top(o.numbers[0]),
        total(o.numbers[1]),
        rise(o.numbers[2]),
        low_momentum(o.numbers[5]),
        high_momentum(o.numbers[6]),
        down(o.numbers[7]),
        final_down(o.numbers[8]),
        momenta(o.numbers[4] != 0),
        three(o.numbers[9] != 0),
        cosine(o.text == "cos") {
    if (total <= 0)
      fail(BP_INVALID_ARGUMENT, "Expected positive integer total_steps, but got {}",
           static_cast<int64_t>(total));
    if (!(rise >= 0 && rise <= 1))
      fail(BP_INVALID_ARGUMENT, "Expected float between 0 and 1 pct_start, but got {}",
           number_text(rise));
    if (!cosine && o.text != "linear")
      fail(BP_INVALID_ARGUMENT, "anneal_strategy must be one of 'cos' or 'linear', instead got {}",
           o.text);
    const double start = top / down, end = start / final_down;
    const double m = high_momentum, n = low_momentum;
    if (three)
      phases = {{rise * total - 1, start, top, m, n},
                {2 * rise * total - 2, top, start, n, m},
                {total - 1, start, end, m, m}};
    else
      phases = {{rise * total - 1, start, top, m, n}, {total - 1, top, end, n, m}};
  }
  static const char* momentum_of(const Optimizer& o) {
    return o.kind.find_option("beta1") >= 0      ? "beta1"
           : o.kind.find_option("momentum") >= 0 ? "momentum"
                                                 : nullptr;
  }
  void prepare(Optimizer& o) override {
    if (momenta && !momentum_of(o))
      fail(BP_INVALID_ARGUMENT,
           "optimizer must support momentum or beta1 with `cycle_momentum` option enabled");
    for (ParamGroup& g : o.groups) g.initial_lr = top / down;
  }
  double between(double from, double to, double share) const {
    return cosine ? to + (from - to) / 2.0 * (std::cos(kPi * share) + 1)
                  : (to - from) * share + from;
  }
  double at(int64_t epoch, bool momentum) const {
    const auto e = static_cast<double>(epoch);
    if (e > total)
      fail(BP_BAD_STATE, "Tried to step {} times. The specified number of total steps is {}", epoch,
           static_cast<int64_t>(total));
    double start = 0;
    for (size_t i = 0; i < phases.size(); ++i) {
      const Phase& p = phases[i];
      if (e <= p.end || i + 1 == phases.size()) {
        const double share = (e - start) / (p.end - start);
        return momentum ? between(p.momentum_from, p.momentum_to, share)
                        : between(p.rate_from, p.rate_to, share);
      }
      start = p.end;
    }
    return 0;
  }
  double next(const RateCall& c) override { return at(c.epoch, false); }
  void also(Optimizer& o, int64_t epoch) override {
    for (uint32_t i = 0; momenta && i < o.groups.size(); ++i)
      o.set(i, momentum_of(o), at(epoch, true));
  }
};

const ScheduleKind* kinds(size_t* n) {
  static const auto& all = *new std::vector<ScheduleKind>{
      {"step",
       "Times gamma every step_size epochs.",
       {{must_i64("step_size", "epochs between"),
         f64("gamma", 0.1, "what the rate is multiplied by")}}},
      {"multi_step",
       "Times gamma at each of milestones.",
       {{{"milestones", BP_ATTR_INTS, 0, true, nullptr, "epochs"},
         f64("gamma", 0.1, "what the rate is multiplied by")}}},
      {"exponential",
       "Times gamma every epoch.",
       {{must_f64("gamma", "what the rate is multiplied by")}}},
      {"constant",
       "Times factor until total_iters.",
       {{f64("factor", 1.0 / 3, "what the rate is multiplied by"),
         i64("total_iters", 5, "epochs")}}},
      {"linear",
       "From start_factor to end_factor of the rate in total_iters epochs: a warm-up.",
       {{f64("start_factor", 1.0 / 3, "at first"), f64("end_factor", 1, "in the end"),
         i64("total_iters", 5, "epochs")}}},
      {"polynomial",
       "Down to 0 in total_iters epochs, by a power.",
       {{i64("total_iters", 5, "epochs"), f64("power", 1, "of the polynomial")}}},
      {"cosine",
       "From the rate to eta_min along half a cosine of T_max epochs, and back.",
       {{must_i64("T_max", "epochs of half a period"), f64("eta_min", 0, "the lowest rate")}}},
      {"cosine_restarts",
       "Half a cosine down, then again from the top, each time T_mult as long (Loshchilov and Hutter 2017).",
       {{must_i64("T_0", "epochs of the first time"),
         i64("T_mult", 1, "how much longer the next one is"),
         f64("eta_min", 0, "the lowest rate")}}},
      {"one_cycle",
       "Up to max_lr and down far below the start, momentum the other way round (Smith and Topin 2018).",
       {{must_f64("max_lr", "the highest rate"),
         must_i64("total_steps", "steps of the whole cycle"),
         f64("pct_start", 0.3, "the part in which the rate rises"),
         {"anneal_strategy", BP_ATTR_STR, 0, false, "cos", "cos or linear"},
         on("cycle_momentum", true, "momentum too"),
         f64("base_momentum", 0.85, "the lowest momentum"),
         f64("max_momentum", 0.95, "the highest momentum"),
         f64("div_factor", 25, "max_lr over the first rate"),
         f64("final_div_factor", 1e4, "the first rate over the last"),
         on("three_phase", false, "down to the first rate, then on to the last")}}},
  };
  *n = all.size();
  return all.data();
}

}  // namespace

size_t ScheduleKind::n_options() const {
  size_t n = 0;
  while (n < options.size() && options[n].name) ++n;
  return n;
}
std::span<const ScheduleKind> schedule_kinds() {
  size_t n = 0;
  const ScheduleKind* all = kinds(&n);
  return {all, n};
}
const ScheduleKind& schedule_kind(std::string_view name) {
  std::string known;
  for (const ScheduleKind& k : schedule_kinds()) {
    if (name == k.name) return k;
    known += (known.empty() ? "" : ", ") + std::string(k.name);
  }
  fail(BP_NOT_FOUND, "no schedule is called '{}'; there are {}", name, known);
}

std::unique_ptr<Rates> new_rates(const ScheduleKind& kind, const ScheduleOptions& o) {
  const std::string_view name = kind.name;
  if (name == "step") return std::make_unique<StepRates>(o);
  if (name == "multi_step") return std::make_unique<MultiStepRates>(o);
  if (name == "exponential") return std::make_unique<ExponentialRates>(o);
  if (name == "constant") return std::make_unique<ConstantRates>(o);
  if (name == "linear") return std::make_unique<LinearRates>(o);
  if (name == "polynomial") return std::make_unique<PolynomialRates>(o);
  if (name == "cosine") return std::make_unique<CosineRates>(o);
  if (name == "cosine_restarts") return std::make_unique<RestartRates>(o);
  return std::make_unique<OneCycleRates>(o);
}

}  // namespace bp
