// SPDX-License-Identifier: Apache-2.0
// Schedules through the C API: rates against PyTorch's (optim_numbers.json), parts one after the
// other and together, callbacks, states.
#include <cmath>

#include "api/optim_numbers.h"
#include "kit/json_attrs.h"
#include "kit/tensors.h"

namespace bp_test {
namespace {

struct Sgd {
  T p = tensor<float>({1}, {0});
  bp_optimizer* o = nullptr;
  explicit Sgd(double momentum = 0) {
    bp_tensor* params[] = {p.get()};
    const bp_attr attrs[] = {attr("lr", 0.5), attr("momentum", momentum)};
    EXPECT_EQ(bp_optimizer_create("SGD", params, 1, attrs, 2, &o, nullptr), BP_OK);
  }
  ~Sgd() { bp_optimizer_release(o); }
  Sgd(const Sgd&) = delete;
  Sgd& operator=(const Sgd&) = delete;
  double get(const char* name) const {
    bp_attr a{};
    EXPECT_EQ(bp_optimizer_get_attr(o, 0, name, &a, nullptr), BP_OK);
    return a.value.f64;
  }
};

Answer create(const char* kind, const Sgd& o, const std::vector<bp_attr>& attrs, Schedule* out) {
  bp_schedule* s = nullptr;
  const Answer a =
      attempt(bp_schedule_create, kind, o.o, attrs.data(), static_cast<uint32_t>(attrs.size()), &s);
  const Schedule dropped(out ? nullptr : s);
  if (out) out->reset(s);
  return a;
}
Schedule schedule(const char* kind, const Sgd& o, const std::vector<bp_attr>& attrs) {
  Schedule s;
  const Answer r = create(kind, o, attrs, &s);
  EXPECT_EQ(r.status, BP_OK) << r.message;
  return s;
}
void step(const Schedule& s) {
  const Answer r = attempt(bp_schedule_step, s.get());
  ASSERT_EQ(r.status, BP_OK) << r.message;
}
void expect_rates(const Sgd& o, const Schedule& s, const Doubles& lr,
                  const Doubles& momentum = {}) {
  for (size_t e = 0; e < lr.size(); ++e) {
    if (e) step(s);
    EXPECT_NEAR(o.get("lr"), lr[e], 1e-14 * (1 + lr[e])) << "epoch " << e;
    double last = -1;
    ASSERT_EQ(bp_schedule_last_lr(s.get(), 0, &last, nullptr), BP_OK);
    EXPECT_EQ(last, o.get("lr")) << "epoch " << e;
    if (!momentum.empty()) {
      EXPECT_NEAR(o.get("momentum"), momentum[e], 1e-14) << "epoch " << e;
    }
  }
}

TEST(Schedule, GivesTheRatesThatPyTorchGives) {
  ASSERT_EQ(optim_numbers()["schedules"].size(), 11u);
  for (const Json& record : optim_numbers()["schedules"]) {
    SCOPED_TRACE(record["class"].get<std::string>() + record["options"].dump());
    const Sgd o(0.9);
    const JsonAttrs attrs(record["options"]);
    expect_rates(o, schedule(record["kind"].get<std::string>().c_str(), o, attrs.list()),
                 record["lr"].get<Doubles>(), record["momentum"].get<Doubles>());
  }
}

TEST(Schedule, OfACallbackIsTheFirstRateTimesItsFactor) {
  const Sgd o;
  int destroyed = 0;
  bp_schedule* made_one = nullptr;
  ASSERT_EQ(bp_schedule_create_lambda(
                o.o,
                [](void*, int64_t epoch, double* factor, bp_error**) {
                  *factor = std::pow(0.95, static_cast<double>(epoch));
                  return bp_status{BP_OK};
                },
                &destroyed, [](void* user) { ++*static_cast<int*>(user); }, &made_one, nullptr),
            BP_OK);
  Schedule s(made_one);
  expect_rates(o, s, optim_numbers()["composed"]["lambda"].get<Doubles>());
  s.reset();
  EXPECT_EQ(destroyed, 1);
}

TEST(Schedule, ACallbackThatFailsFailsTheStepAndChangesNothing) {
  const Sgd o;
  bp_schedule* made_one = nullptr;
  ASSERT_EQ(bp_schedule_create_lambda(
                o.o,
                [](void*, int64_t epoch, double* factor, bp_error** err) {
                  *factor = 0.5;
                  return epoch ? bp_error_set(err, BP_CALLBACK, "no more") : bp_status{BP_OK};
                },
                nullptr, nullptr, &made_one, nullptr),
            BP_OK);
  const Schedule s(made_one);
  const Answer r = attempt(bp_schedule_step, s.get());
  EXPECT_EQ(r.status, BP_CALLBACK);
  EXPECT_EQ(r.message, "no more");
  int64_t epoch = -1;
  ASSERT_EQ(bp_schedule_epoch(s.get(), &epoch, nullptr), BP_OK);
  EXPECT_EQ(epoch, 0);
  EXPECT_EQ(o.get("lr"), 0.25);
}

Schedule composed(const std::vector<const Schedule*>& parts, const std::vector<int64_t>* milestones,
                  Answer* said = nullptr) {
  std::vector<bp_schedule*> list;
  for (const Schedule* s : parts) list.push_back(s->get());
  bp_schedule* out = nullptr;
  bp_error* err = nullptr;
  const auto n = static_cast<uint32_t>(list.size());
  const bp_status status = milestones ? bp_schedule_create_sequential(
                                            list.data(), n, milestones->data(),
                                            static_cast<uint32_t>(milestones->size()), &out, &err)
                                      : bp_schedule_create_chained(list.data(), n, &out, &err);
  const Answer r = taken(status, err);
  if (said) {
    *said = r;
  } else {
    EXPECT_EQ(r.status, BP_OK) << r.message;
  }
  return Schedule(out);
}

TEST(Schedule, PartsMayWorkTogether) {
  const Sgd o;
  const Schedule a =
      schedule("constant", o, {attr("factor", 0.1), attr("total_iters", int64_t{2})});
  const Schedule b = schedule("exponential", o, {attr("gamma", 0.9)});
  expect_rates(o, composed({&a, &b}, nullptr),
               optim_numbers()["composed"]["chained"].get<Doubles>());
}

struct Sequence {
  Sgd o;
  Schedule a = schedule("linear", o, {attr("start_factor", 0.2), attr("total_iters", int64_t{4})});
  Schedule b = schedule("cosine", o, {attr("T_max", int64_t{6})});
  Schedule c = schedule("step", o, {attr("step_size", int64_t{2}), attr("gamma", 0.5)});
  std::vector<int64_t> milestones{4, 10};
  Schedule s = composed({&a, &b, &c}, &milestones);
};

TEST(Schedule, PartsMayFollowEachOther) {
  const Sequence q;
  expect_rates(q.o, q.s, optim_numbers()["composed"]["sequential"].get<Doubles>());
}

TEST(Schedule, AStateThatIsLoadedGoesOnWhereItWas) {
  const Doubles lr = optim_numbers()["composed"]["sequential"].get<Doubles>();
  const Sequence one, other;
  for (size_t e = 1; e <= 7; ++e) step(one.s);
  bp_dict *rates = nullptr, *groups = nullptr;
  ASSERT_EQ(bp_schedule_state_dict(one.s.get(), &rates, nullptr), BP_OK);
  ASSERT_EQ(bp_optimizer_state_dict(one.o.o, &groups, nullptr), BP_OK);
  EXPECT_EQ(attempt(bp_schedule_load_state_dict, other.s.get(), rates).message, "");
  EXPECT_EQ(attempt(bp_optimizer_load_state_dict, other.o.o, groups).message, "");
  EXPECT_EQ(attempt(bp_schedule_load_state_dict, other.a.get(), rates).message,
            "the state is of a schedule 'sequential', this one is 'linear'");
  bp_dict_release(rates);
  bp_dict_release(groups);
  for (size_t e = 8; e < lr.size(); ++e) {
    step(other.s);
    EXPECT_NEAR(other.o.get("lr"), lr[e], 1e-14) << "epoch " << e;
  }
}

TEST(Schedule, RefusesWithASentence) {
  const Sgd o, other;
  EXPECT_EQ(create("steps", o, {}, nullptr).status, BP_NOT_FOUND);
  EXPECT_EQ(create("step", o, {}, nullptr).message, "step: attribute 'step_size' must be given");
  EXPECT_EQ(create("step", o, {attr("size", 1.0)}, nullptr).message,
            "step has no attribute 'size'; it has step_size, gamma");
  EXPECT_EQ(create("linear", o, {attr("start_factor", 0.0)}, nullptr).message,
            "Starting multiplicative factor expected to be greater than 0 and less or equal to 1.");
  const Schedule s =
      schedule("one_cycle", o, {attr("max_lr", 1.0), attr("total_steps", int64_t{2})});
  step(s), step(s);
  EXPECT_EQ(attempt(bp_schedule_step, s.get()).message,
            "Tried to step 3 times. The specified number of total steps is 2");
  Answer said;
  const Schedule b = schedule("exponential", other, {attr("gamma", 0.9)});
  const std::vector<int64_t> none;
  composed({&s, &b}, nullptr, &said);
  EXPECT_EQ(said.status, BP_INVALID_ARGUMENT);
  composed({&s, &s}, &none, &said);
  EXPECT_EQ(said.status, BP_INVALID_ARGUMENT);
  composed({}, nullptr, &said);
  EXPECT_EQ(said.status, BP_INVALID_ARGUMENT);
  Sgd adagrad;
  bp_optimizer_release(adagrad.o);
  bp_tensor* params[] = {adagrad.p.get()};
  ASSERT_EQ(bp_optimizer_create("Adagrad", params, 1, nullptr, 0, &adagrad.o, nullptr), BP_OK);
  EXPECT_EQ(
      create("one_cycle", adagrad, {attr("max_lr", 1.0), attr("total_steps", int64_t{2})}, nullptr)
          .message,
      "optimizer must support momentum or beta1 with `cycle_momentum` option enabled");
}

}  // namespace
}  // namespace bp_test
