// SPDX-License-Identifier: Apache-2.0
// rates.cc: the kinds of schedules (schedule.h) and their formulas, each from the class of
// torch/optim/lr_scheduler.py that its comment names.
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/optim/schedule.h"

namespace bp {
namespace {

constexpr double kPi = 3.141592653589793;

constexpr AttrSpec kGamma = float_attr("gamma", 0.1, "what the rate is multiplied by");
constexpr AttrSpec kTotalIters = int_attr("total_iters", 5, "epochs");
constexpr AttrSpec kEtaMin = float_attr("eta_min", 0, "the lowest rate");

// StepLR
constexpr AttrSpecs kStep{required_int_attr("step_size", "epochs between"), kGamma};
struct StepRates final : Rates {
  int64_t size;
  double gamma;
  explicit StepRates(const AttrReader& v)
      : size(v.i64(kStep["step_size"])), gamma(v.f64(kStep["gamma"])) {
    if (size < 1) fail(BP_INVALID_ARGUMENT, "step_size must be at least 1, got {}", size);
  }
  double next(const RateCall& c) override {
    return c.epoch == 0 || c.epoch % size ? c.rate : c.rate * gamma;
  }
  double start(const RateCall& c) override { return c.base; }
};
// MultiStepLR
constexpr AttrSpecs kMultiStep{any_length(required_ints_attr("milestones", "epochs")), kGamma};
struct MultiStepRates final : Rates {
  std::vector<int64_t> milestones;
  double gamma;
  explicit MultiStepRates(const AttrReader& v) : gamma(v.f64(kMultiStep["gamma"])) {
    const auto given = v.ints(kMultiStep["milestones"]);
    milestones.assign(given.begin(), given.end());
  }
  double next(const RateCall& c) override {
    const auto times = std::count(milestones.begin(), milestones.end(), c.epoch);
    return times ? c.rate * std::pow(gamma, static_cast<double>(times)) : c.rate;
  }
  double start(const RateCall& c) override { return next({0, c.base, c.base, c.group}); }
};
// ExponentialLR
constexpr AttrSpecs kExponential{required(kGamma)};
struct ExponentialRates final : Rates {
  double gamma;
  explicit ExponentialRates(const AttrReader& v) : gamma(v.f64(kExponential["gamma"])) {}
  double next(const RateCall& c) override { return c.epoch == 0 ? c.rate : c.rate * gamma; }
  double start(const RateCall& c) override { return c.base; }
};
// ConstantLR
constexpr AttrSpecs kConstant{float_attr("factor", 1.0 / 3, "what the rate is multiplied by"),
                              kTotalIters};
struct ConstantRates final : Rates {
  double factor;
  int64_t total;
  explicit ConstantRates(const AttrReader& v)
      : factor(v.f64(kConstant["factor"])), total(v.i64(kConstant["total_iters"])) {
    if (!(factor >= 0 && factor <= 1))
      fail(BP_INVALID_ARGUMENT, "Constant multiplicative factor expected to be between 0 and 1.");
  }
  double next(const RateCall& c) override {
    if (c.epoch == 0) return c.rate * factor;
    return c.epoch == total ? c.rate * (1.0 / factor) : c.rate;
  }
  double start(const RateCall& c) override { return c.base * (total > 0 ? factor : 1); }
};
// LinearLR
constexpr AttrSpecs kLinear{float_attr("start_factor", 1.0 / 3, "at first"),
                            float_attr("end_factor", 1, "in the end"), kTotalIters};
struct LinearRates final : Rates {
  double from, to, total;
  explicit LinearRates(const AttrReader& v)
      : from(v.f64(kLinear["start_factor"])),
        to(v.f64(kLinear["end_factor"])),
        total(static_cast<double>(v.i64(kLinear["total_iters"]))) {
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
constexpr AttrSpecs kPolynomial{kTotalIters, float_attr("power", 1, "of the polynomial")};
struct PolynomialRates final : Rates {
  double total, power;
  explicit PolynomialRates(const AttrReader& v)
      : total(static_cast<double>(v.i64(kPolynomial["total_iters"]))),
        power(v.f64(kPolynomial["power"])) {}
  double next(const RateCall& c) override {
    const auto e = static_cast<double>(c.epoch);
    if (c.epoch == 0 || e > total) return c.rate;
    return c.rate * std::pow((1.0 - e / total) / (1.0 - (e - 1) / total), power);
  }
  double start(const RateCall& c) override { return c.base; }
};
// CosineAnnealingLR (Loshchilov and Hutter 2017, without restarts)
constexpr AttrSpecs kCosine{required_int_attr("T_max", "epochs of half a period"), kEtaMin};
struct CosineRates final : Rates {
  double half, low;
  explicit CosineRates(const AttrReader& v)
      : half(static_cast<double>(v.i64(kCosine["T_max"]))), low(v.f64(kCosine["eta_min"])) {
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
constexpr AttrSpecs kRestarts{required_int_attr("T_0", "epochs of the first time"),
                              int_attr("T_mult", 1, "how much longer the next one is"), kEtaMin};
struct RestartRates final : Rates {
  double first, grow, low, length, at = 0;
  explicit RestartRates(const AttrReader& v)
      : first(static_cast<double>(v.i64(kRestarts["T_0"]))),
        grow(static_cast<double>(v.i64(kRestarts["T_mult"]))),
        low(v.f64(kRestarts["eta_min"])),
        length(first) {
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
constexpr AttrSpecs kOneCycle{
    required_float_attr("max_lr", "the highest rate"),
    required_int_attr("total_steps", "steps of the whole cycle"),
    float_attr("pct_start", 0.3, "the part in which the rate rises"),
    str_attr("anneal_strategy", "cos", "cos or linear"),
    flag_attr("cycle_momentum", true, "momentum too"),
    float_attr("base_momentum", 0.85, "the lowest momentum"),
    float_attr("max_momentum", 0.95, "the highest momentum"),
    float_attr("div_factor", 25, "max_lr over the first rate"),
    float_attr("final_div_factor", 1e4, "the first rate over the last"),
    flag_attr("three_phase", false, "down to the first rate, then on to the last")};
struct OneCycleRates final : Rates {
  double top, total, down;
  bool momenta, cosine;
  struct Phase {
    double end, rate_from, rate_to, momentum_from, momentum_to;
  };
  std::vector<Phase> phases;

  explicit OneCycleRates(const AttrReader& v)
      : top(v.f64(kOneCycle["max_lr"])),
        total(static_cast<double>(v.i64(kOneCycle["total_steps"]))),
        down(v.f64(kOneCycle["div_factor"])),
        momenta(v.flag(kOneCycle["cycle_momentum"])),
        cosine(v.str(kOneCycle["anneal_strategy"]) == "cos") {
    const double rise = v.f64(kOneCycle["pct_start"]);
    const std::string_view strategy = v.str(kOneCycle["anneal_strategy"]);
    if (total <= 0)
      fail(BP_INVALID_ARGUMENT, "Expected positive integer total_steps, but got {}",
           static_cast<int64_t>(total));
    if (!(rise >= 0 && rise <= 1))
      fail(BP_INVALID_ARGUMENT, "Expected float between 0 and 1 pct_start, but got {}",
           number_text(rise));
    if (!cosine && strategy != "linear")
      fail(BP_INVALID_ARGUMENT, "anneal_strategy must be one of 'cos' or 'linear', instead got {}",
           strategy);
    const double start = top / down, end = start / v.f64(kOneCycle["final_div_factor"]);
    const double m = v.f64(kOneCycle["max_momentum"]), n = v.f64(kOneCycle["base_momentum"]);
    if (v.flag(kOneCycle["three_phase"]))
      phases = {{rise * total - 1, start, top, m, n},
                {2 * rise * total - 2, top, start, n, m},
                {total - 1, start, end, m, m}};
    else
      phases = {{rise * total - 1, start, top, m, n}, {total - 1, top, end, n, m}};
  }
  static const char* momentum_of(const Optimizer& o) {
    return o.kind.attrs.find("beta1") >= 0      ? "beta1"
           : o.kind.attrs.find("momentum") >= 0 ? "momentum"
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
      o.set(i, {momentum_of(o), BP_ATTR_F64, 1, {.f64 = at(epoch, true)}, 0});
  }
};

template <class R>
std::unique_ptr<Rates> make(const AttrReader& values) {
  return std::make_unique<R>(values);
}

// clang-format off
constexpr ScheduleKind kScheduleKinds[] = {
    {"step", "Times gamma every step_size epochs.", kStep, make<StepRates>},
    {"multi_step", "Times gamma at each of milestones.", kMultiStep, make<MultiStepRates>},
    {"exponential", "Times gamma every epoch.", kExponential, make<ExponentialRates>},
    {"constant", "Times factor until total_iters.", kConstant, make<ConstantRates>},
    {"linear", "From start_factor to end_factor of the rate in total_iters epochs: a warm-up.", kLinear, make<LinearRates>},
    {"polynomial", "Down to 0 in total_iters epochs, by a power.", kPolynomial, make<PolynomialRates>},
    {"cosine", "From the rate to eta_min along half a cosine of T_max epochs, and back.", kCosine, make<CosineRates>},
    {"cosine_restarts",
     "Half a cosine down, then again from the top, each time T_mult as long (Loshchilov and Hutter 2017).",
     kRestarts, make<RestartRates>},
    {"one_cycle",
     "Up to max_lr and down far below the start, momentum the other way round (Smith and Topin 2018).",
     kOneCycle, make<OneCycleRates>},
};
// clang-format on

}  // namespace

std::span<const ScheduleKind> schedule_kinds() { return kScheduleKinds; }

const ScheduleKind& schedule_kind(std::string_view name) {
  std::string known;
  for (const ScheduleKind& k : schedule_kinds()) {
    if (name == k.name) return k;
    known += (known.empty() ? "" : ", ") + std::string(k.name);
  }
  fail(BP_NOT_FOUND, "no schedule is called '{}'; there are {}", name, known);
}

}  // namespace bp
