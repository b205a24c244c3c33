// SPDX-License-Identifier: Apache-2.0
// Rates against closed forms of the epoch, far beyond what the recorded runs of PyTorch cover
// (tests/api/schedule_test.cc). The schedules compute each rate from the one before.
#include <cmath>
#include <functional>

#include "kit/invoke.h"
#include "kit/tensors.h"

namespace bp_test {
namespace {

constexpr double kBase = 0.5;

struct Closed {
  const char* name;
  const char* kind;
  std::vector<bp_attr> attrs;
  std::function<double(int)> rate;  // of an epoch
};
void PrintTo(const Closed& c, std::ostream* out) { *out << c.name; }

double cosine(double low, double share) {
  return low + (kBase - low) * (1 + std::cos(M_PI * share)) / 2;
}

const Closed kClosed[] = {
    {"Step",
     "step",
     {attr("step_size", int64_t{7}), attr("gamma", 0.5)},
     [](int e) { return kBase * std::pow(0.5, e / 7); }},
    {"Exponential",
     "exponential",
     {attr("gamma", 0.9)},
     [](int e) { return kBase * std::pow(0.9, e); }},
    {"Constant",
     "constant",
     {attr("factor", 0.25), attr("total_iters", int64_t{6})},
     [](int e) { return e < 6 ? kBase / 4 : kBase; }},
    {"Linear",
     "linear",
     {attr("start_factor", 0.1), attr("end_factor", 0.75), attr("total_iters", int64_t{10})},
     [](int e) { return kBase * (0.1 + (0.75 - 0.1) * std::min(e, 10) / 10); }},
    {"Polynomial",
     "polynomial",
     {attr("total_iters", int64_t{20}), attr("power", 2.0)},
     [](int e) { return kBase * std::pow(1 - std::min(e, 20) / 20.0, 2); }},
    {"Cosine",
     "cosine",
     {attr("T_max", int64_t{8}), attr("eta_min", 0.05)},
     [](int e) { return cosine(0.05, e / 8.0); }},
    {"CosineOfOneEpoch", "cosine", {attr("T_max", int64_t{1})}, [](int e) { return cosine(0, e); }},
    {"Restarts",
     "cosine_restarts",
     {attr("T_0", int64_t{5}), attr("eta_min", 0.05)},
     [](int e) { return cosine(0.05, e % 5 / 5.0); }},
    {"GrowingRestarts",
     "cosine_restarts",
     {attr("T_0", int64_t{2}), attr("T_mult", int64_t{2})},
     [](int e) {
       int length = 2;
       while (e >= length) e -= length, length *= 2;
       return cosine(0, static_cast<double>(e) / length);
     }},
};

struct Scheduled {
  T p = leaf(tensor<float>({1}, {0}));
  Optimizer sgd;
  Schedule schedule;
  Scheduled(const char* kind, const std::vector<bp_attr>& attrs) {
    bp_tensor* const params[] = {p.get()};
    const bp_attr lr = attr("lr", kBase);
    sgd = made<Optimizer>(bp_optimizer_create, "SGD", params, 1u, &lr, 1u);
    schedule = made<Schedule>(bp_schedule_create, kind, sgd.get(), attrs.data(),
                              static_cast<uint32_t>(attrs.size()));
  }
  double rate() const {
    bp_attr lr{};
    EXPECT_EQ(bp_optimizer_get_attr(sgd.get(), 0, "lr", &lr, nullptr), BP_OK);
    return lr.value.f64;
  }
  double step() const {
    EXPECT_EQ(attempt(bp_schedule_step, schedule.get()).message, "");
    return rate();
  }
};

class Rates : public testing::TestWithParam<Closed> {};

TEST_P(Rates, FollowTheirClosedForm) {
  const Scheduled run(GetParam().kind, GetParam().attrs);
  EXPECT_NEAR(run.rate(), GetParam().rate(0), 1e-15);
  for (int epoch = 1; epoch <= 100; ++epoch)
    ASSERT_NEAR(run.step(), GetParam().rate(epoch), 1e-12) << "epoch " << epoch;
}

INSTANTIATE_TEST_SUITE_P(Of, Rates, testing::ValuesIn(kClosed),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(MultiStepRates, FallAtEachMilestoneAsOftenAsItIsListed) {
  const int64_t milestones[] = {3, 5, 5};
  const bp_attr list = {"milestones", BP_ATTR_INTS, 3, {.ints = milestones}, 0};
  const Scheduled run("multi_step", {list, attr("gamma", 0.5)});
  const double wanted[] = {0.5, 0.5, 0.25, 0.25, 0.0625, 0.0625};
  for (const double rate : wanted) EXPECT_DOUBLE_EQ(run.step(), rate);
}

// Smith's cycle: from max_lr / div_factor up to max_lr at pct_start of the steps, down to the end.
TEST(OneCycleRates, RiseToTheTopAndEndFarBelowTheStart) {
  const bp_attr no_momentum = flag("cycle_momentum", false);
  const std::vector<bp_attr> attrs = {
      attr("max_lr", 2.0),      attr("total_steps", int64_t{40}), attr("pct_start", 0.25),
      attr("div_factor", 10.0), attr("final_div_factor", 4.0),    no_momentum};
  const Scheduled run("one_cycle", attrs);
  std::vector<double> rates = {run.rate()};
  for (int epoch = 1; epoch < 40; ++epoch) rates.push_back(run.step());
  EXPECT_DOUBLE_EQ(rates[0], 0.2);
  EXPECT_DOUBLE_EQ(rates[9], 2.0) << "pct_start of the steps, counted from 0";
  EXPECT_NEAR(rates[39], 0.05, 1e-15);
  for (size_t e = 1; e <= 9; ++e) EXPECT_GT(rates[e], rates[e - 1]) << e;
  for (size_t e = 10; e < 40; ++e) EXPECT_LT(rates[e], rates[e - 1]) << e;
}

}  // namespace
}  // namespace bp_test
