// SPDX-License-Identifier: Apache-2.0
// Optimisers and clipping through the C API: trajectories against PyTorch's (optim_numbers.json),
// what is refused and how, groups, state that follows its parameter, states saved and loaded,
// clipping over devices.
#include <cmath>
#include <limits>

#include "api/optim_numbers.h"
#include "kit/json_attrs.h"
#include "kit/tensors.h"

namespace bp_test {
namespace {

Answer create(const char* kind, const std::vector<bp_tensor*>& params,
              const std::vector<bp_attr>& attrs, Optimizer* out) {
  bp_optimizer* o = nullptr;
  const Answer a =
      attempt(bp_optimizer_create, kind, params.data(), static_cast<uint32_t>(params.size()),
              attrs.data(), static_cast<uint32_t>(attrs.size()), &o);
  const Optimizer dropped(out ? nullptr : o);
  if (out) out->reset(o);
  return a;
}
Optimizer optimizer(const char* kind, const std::vector<T>& params,
                    const std::vector<bp_attr>& attrs) {
  Optimizer o;
  const Answer r = create(kind, raw(params), attrs, &o);
  EXPECT_EQ(r.status, BP_OK) << r.message;
  return o;
}
T param(const Shape& shape, const Doubles& v, bp_device device = kCpu, bp_dtype dtype = BP_F64) {
  return leaf(made(bp_tensor_to, tensor<double>(shape, v).get(), device, dtype, 1u, 0u));
}
void set_grad(const T& p, const T& g) {
  const Answer r = attempt(bp_tensor_set_grad, p.get(), g.get());
  ASSERT_EQ(r.status, BP_OK) << r.message;
}
void step(const Optimizer& o) {
  const Answer r = attempt(bp_optimizer_step, o.get());
  ASSERT_EQ(r.status, BP_OK) << r.message;
}
std::vector<bp_device> devices() { return {kCpu, device("sim:1")}; }

// The task of optim_numbers.py.
struct Task {
  std::vector<T> params, a, c;
  Task(bp_device d, bp_dtype t) {
    const Shape shapes[] = {{3, 2}, {3}};
    for (size_t i = 0; i < 2; ++i) {
      params.push_back(param(shapes[i], optim_numbers()["p"][i].get<Doubles>(), d, t));
      a.push_back(to(tensor<double>(shapes[i], optim_numbers()["a"][i].get<Doubles>()), d, t));
      c.push_back(to(tensor<double>(shapes[i], optim_numbers()["c"][i].get<Doubles>()), d, t));
    }
  }
  void give_grads() const {
    for (size_t i = 0; i < params.size(); ++i) {
      const T apart = made(bp_tensor_detach, params[i].get());
      set_grad(params[i], made(bp_mul, a[i].get(), made(bp_sub, apart.get(), c[i].get()).get()));
    }
  }
};
void check_trajectory(const Json& record, bp_device device, bp_dtype dtype, double bound) {
  const Task task(device, dtype);
  const Optimizer o = optimizer(record["kind"].get<std::string>().c_str(), task.params,
                                JsonAttrs(record["options"]).list());
  for (int k = 1; k <= 20; ++k) {
    task.give_grads();
    step(o);
    const auto kept = record["params"].find(std::to_string(k));
    if (kept == record["params"].end()) continue;
    for (size_t i = 0; i < 2; ++i) {
      const Doubles got = doubles(task.params[i]), wanted = (*kept)[i].get<Doubles>();
      for (size_t e = 0; e < got.size(); ++e)
        ASSERT_NEAR(got[e], wanted[e], bound * (1 + std::fabs(wanted[e])))
            << "step " << k << ", parameter " << i;
    }
  }
}

TEST(Optimizer, TakesTheStepsThatPyTorchTakes) {
  ASSERT_EQ(optim_numbers()["optimizers"].size(), 24u);
  for (const Json& record : optim_numbers()["optimizers"])
    for (const bp_device d : devices()) {
      SCOPED_TRACE(record["kind"].get<std::string>() + record["options"].dump());
      check_trajectory(record, d, BP_F64, 1e-13);
      check_trajectory(record, d, BP_F32, 2e-5);
    }
}

TEST(Optimizer, ListsItsKindsAndTheirAttributes) {
  ASSERT_EQ(bp_optimizer_kind_count(), 5u);
  std::string all;
  for (uint32_t i = 0; i < 5; ++i) {
    const char *name = nullptr, *doc = nullptr;
    uint32_t n = 0;
    ASSERT_EQ(bp_optimizer_kind_at(i, &name, &doc, &n, nullptr), BP_OK);
    all += std::string(name) + "(";
    for (uint32_t k = 0; k < n; ++k) {
      bp_attr_info a{};
      a.struct_size = sizeof a;
      ASSERT_EQ(bp_optimizer_kind_attr(name, k, &a, nullptr), BP_OK);
      all += std::string(a.default_value.name) + (k + 1 < n ? " " : ")");
    }
    EXPECT_EQ(bp_optimizer_kind_attr(name, n, nullptr, nullptr), BP_INDEX_OUT_OF_RANGE);
  }
  EXPECT_EQ(
      all,
      "SGD(lr momentum dampening weight_decay nesterov maximize)Adam(lr beta1 beta2 eps weight_decay amsgrad maximize)"
      "AdamW(lr beta1 beta2 eps weight_decay amsgrad maximize)"
      "RMSprop(lr alpha eps weight_decay momentum centered maximize)"
      "Adagrad(lr lr_decay weight_decay initial_accumulator_value eps maximize)");
}

TEST(Optimizer, RefusesWithPyTorchsSentences) {
  const T p = param({2, 3}, Doubles(6, 1)), q = param({1}, {1});
  const auto said = [&](const char* kind, const std::vector<bp_attr>& attrs) {
    const Answer r = create(kind, {p.get()}, attrs, nullptr);
    EXPECT_LT(r.status, 0);
    return r.message;
  };
  EXPECT_EQ(said("SGD", {attr("lr", -1.0)}), "Invalid learning rate: -1.0");
  EXPECT_EQ(said("SGD", {attr("momentum", -0.5)}), "Invalid momentum value: -0.5");
  EXPECT_EQ(said("SGD", {flag("nesterov", true)}),
            "Nesterov momentum requires a momentum and zero dampening");
  EXPECT_EQ(said("Adam", {attr("beta1", 1.0)}), "Invalid beta parameter at index 0: 1.0");
  EXPECT_EQ(said("AdamW", {attr("beta2", -0.1)}), "Invalid beta parameter at index 1: -0.1");
  EXPECT_EQ(said("Adam", {attr("eps", -1e-8)}), "Invalid epsilon value: -1e-08");
  EXPECT_EQ(said("Adam", {attr("lr", std::nan(""))}), "Invalid learning rate: nan");
  EXPECT_EQ(said("RMSprop", {attr("alpha", -2.0)}), "Invalid alpha value: -2.0");
  EXPECT_EQ(said("Adagrad", {attr("lr_decay", -2.0)}), "Invalid lr_decay value: -2.0");
  EXPECT_EQ(said("Adagrad", {attr("weight_decay", -2.0)}), "Invalid weight_decay value: -2.0");
  EXPECT_EQ(
      said("SGD", {attr("rate", 1.0)}),
      "SGD has no attribute 'rate'; it has lr, momentum, dampening, weight_decay, nesterov, maximize");
  EXPECT_EQ(said("Sgd", {}),
            "no optimizer is called 'Sgd'; there are SGD, Adam, AdamW, RMSprop, Adagrad");

  EXPECT_EQ(create("SGD", {}, {}, nullptr).message, "optimizer got an empty parameter list");
  EXPECT_EQ(
      create("SGD", {q.get(), p.get(), p.get()}, {}, nullptr).message,
      "some parameters appear in more than one parameter group, or twice in one (parameter 2 of shape [2, 3])");
  const T made_of_p = made(bp_add, p.get(), p.get());
  EXPECT_EQ(create("SGD", {q.get(), made_of_p.get()}, {}, nullptr).message,
            "can't optimize a non-leaf Tensor (parameter 1 of shape [2, 3])");
  EXPECT_EQ(
      create("SGD", {counting<int64_t>({4}).get()}, {}, nullptr).message,
      "can't optimize a Tensor of int64: only floating and complex ones have gradients (parameter 0 of shape [4])");
}

TEST(Optimizer, GroupsHaveAttributesOfTheirOwn) {
  std::vector<T> first, second;
  first.push_back(param({1}, {1}));
  second.push_back(param({1}, {1}));
  const Optimizer o = optimizer("SGD", first, {attr("lr", 0.5)});
  const bp_attr slow = attr("lr", 0.25);
  auto more = raw(second);
  ASSERT_EQ(attempt(bp_optimizer_add_group, o.get(), more.data(), 1u, &slow, 1u).status, BP_OK);
  EXPECT_EQ(bp_optimizer_group_count(o.get()), 2u);
  for (const T* p : {&first[0], &second[0]}) set_grad(*p, tensor<double>({1}, {1}));
  step(o);
  EXPECT_EQ(doubles(first[0]), (Doubles{0.5}));
  EXPECT_EQ(doubles(second[0]), (Doubles{0.75}));
  const bp_attr faster = attr("lr", 0.125);
  ASSERT_EQ(attempt(bp_optimizer_set_attr, o.get(), 0u, &faster).status, BP_OK);
  bp_attr now{};
  ASSERT_EQ(bp_optimizer_get_attr(o.get(), 0, "lr", &now, nullptr), BP_OK);
  EXPECT_EQ(now.value.f64, 0.125);
  step(o);
  EXPECT_EQ(doubles(first[0]), (Doubles{0.375}));
  EXPECT_EQ(doubles(second[0]), (Doubles{0.5}));
  const bp_attr wrong = attr("lr", -1.0);
  EXPECT_EQ(attempt(bp_optimizer_set_attr, o.get(), 1u, &wrong).message,
            "Invalid learning rate: -1.0");
  EXPECT_EQ(attempt(bp_optimizer_set_attr, o.get(), 2u, &faster).status, BP_INDEX_OUT_OF_RANGE);
  EXPECT_EQ(attempt(bp_optimizer_add_group, o.get(), more.data(), 1u, &slow, 1u).status,
            BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_optimizer_group_count(o.get()), 2u);
}

TEST(Optimizer, PassesOverParametersWithoutAGradient) {
  std::vector<T> p;
  p.push_back(param({1}, {1}));
  p.push_back(param({1}, {1}));
  const Optimizer o = optimizer("Adam", p, {attr("lr", 0.1)});
  set_grad(p[0], tensor<double>({1}, {1}));
  step(o);
  EXPECT_NE(doubles(p[0]), (Doubles{1}));
  EXPECT_EQ(doubles(p[1]), (Doubles{1}));
  bp_tensor* state = reinterpret_cast<bp_tensor*>(8);
  ASSERT_EQ(bp_optimizer_state_at(o.get(), 0, 1, "exp_avg", &state, nullptr), BP_OK);
  EXPECT_EQ(state, nullptr);
  int64_t steps = -1;
  ASSERT_EQ(bp_optimizer_steps_at(o.get(), 0, 0, &steps, nullptr), BP_OK);
  EXPECT_EQ(steps, 1);
  // The second begins later: its own bias corrections, so that its first step is as large as the
  // first one's was.
  set_grad(p[1], tensor<double>({1}, {1}));
  step(o);
  EXPECT_NEAR(doubles(p[1])[0], 0.9, 1e-7);
}

TEST(Optimizer, ZeroGradFillsOrTakesAway) {
  std::vector<T> p;
  p.push_back(param({2}, {1, 2}));
  const Optimizer o = optimizer("SGD", p, {});
  set_grad(p[0], tensor<double>({2}, {1, 1}));
  ASSERT_EQ(attempt(bp_optimizer_zero_grad, o.get(), 0u).status, BP_OK);
  EXPECT_EQ(values<double>(grad_of(p[0])), (Doubles{0, 0}));
  ASSERT_EQ(attempt(bp_optimizer_zero_grad, o.get(), 1u).status, BP_OK);
  EXPECT_EQ(grad_of(p[0]), nullptr);
}

TEST(Optimizer, ReadsGradientsAndParametersInAnyLayout) {
  T stored = tensor<double>({2, 3}, {1, 2, 3, 4, 5, 6});
  T turned = made(bp_tensor_transpose, stored.get(), int64_t{0}, int64_t{1});
  std::vector<T> p;
  p.push_back(leaf(std::move(turned)));
  const Optimizer o = optimizer("SGD", p, {attr("lr", 1.0), attr("momentum", 0.5)});
  for (int i = 0; i < 2; ++i) {
    set_grad(p[0], tensor<double>({3, 2}, {1, 2, 3, 4, 5, 6}));
    step(o);
  }
  // [[1,4],[2,5],[3,6]] - g - 1.5 g
  EXPECT_EQ(doubles(p[0]), (Doubles{-1.5, -1, -5.5, -5, -9.5, -9}));
}

TEST(Optimizer, StepsHalvesInFloats) {
  for (const bp_dtype t : {BP_F16, BP_BF16})
    for (const bp_device d : devices()) {
      std::vector<T> p;
      p.push_back(param({3}, {1, 2, 3}, d, t));
      const Optimizer o = optimizer("Adam", p, {attr("lr", 0.5)});
      set_grad(p[0], to(tensor<double>({3}, {1, -1, 2}), d, t));
      step(o);
      EXPECT_EQ(doubles(p[0]), (Doubles{0.5, 2.5, 2.5}));
    }
}

TEST(Optimizer, ComplexParametersAreTheirParts) {
  const T z = leaf(to(tensor<double>({1}, {1}), kCpu, BP_C128));
  std::vector<T> p;
  p.push_back(made(bp_tensor_alias, z.get()));
  Optimizer o;
  ASSERT_EQ(create("SGD", {z.get()}, {attr("lr", 1.0)}, &o).status, BP_OK);
  const T g = tensor<std::complex<double>>({1}, {{0.5, 0.25}});
  set_grad(z, g);
  step(o);
  EXPECT_EQ(values<std::complex<double>>(made(bp_tensor_detach, z.get())),
            (std::vector<std::complex<double>>{{0.5, -0.25}}));
}

D state_dict(const Optimizer& o) { return made<D>(bp_optimizer_state_dict, o.get()); }

TEST(Optimizer, AResumedRunContinuesBitForBit) {
  for (const char* kind : {"SGD", "Adam", "AdamW", "RMSprop", "Adagrad"})
    for (const bp_device d : devices()) {
      const std::vector<bp_attr> attrs =
          std::string(kind) == "SGD" || std::string(kind) == "RMSprop"
              ? std::vector<bp_attr>{attr("lr", 0.1), attr("momentum", 0.9)}
              : std::vector<bp_attr>{attr("lr", 0.1)};
      const Task straight(d, BP_F32);
      const Optimizer one = optimizer(kind, straight.params, attrs);
      const Task resumed(d, BP_F32);
      for (int i = 0; i < 5; ++i) straight.give_grads(), step(one);
      const D kept = state_dict(one);
      const Optimizer other = optimizer(kind, resumed.params, {});
      for (size_t i = 0; i < 2; ++i) {
        const T to = made(bp_tensor_detach, resumed.params[i].get()),
                from = made(bp_tensor_detach, straight.params[i].get());
        ASSERT_EQ(attempt(bp_tensor_copy_, to.get(), from.get(), 0u).status, BP_OK);
      }
      const Answer r = attempt(bp_optimizer_load_state_dict, other.get(), kept.get());
      ASSERT_EQ(r.status, BP_OK) << r.message;
      for (int i = 0; i < 5; ++i) {
        straight.give_grads(), step(one);
        resumed.give_grads(), step(other);
      }
      for (size_t i = 0; i < 2; ++i)
        EXPECT_EQ(doubles(straight.params[i]), doubles(resumed.params[i])) << kind;
    }
}

TEST(Optimizer, AStateThatDoesNotFitChangesNothing) {
  const Task task(kCpu, BP_F64);
  const Optimizer o = optimizer("Adam", task.params, {attr("lr", 0.1)});
  task.give_grads();
  step(o);
  const D good = state_dict(o);
  std::vector<T> other;
  other.push_back(param({5}, Doubles(5, 1)));
  other.push_back(param({3}, Doubles(3, 1)));
  const Optimizer wrong = optimizer("Adam", other, {attr("lr", 0.5)});
  EXPECT_EQ(attempt(bp_optimizer_load_state_dict, wrong.get(), good.get()).message,
            "the state's 'state.0.exp_avg' has shape [3, 2], its parameter [5]");
  bp_attr lr{};
  ASSERT_EQ(bp_optimizer_get_attr(wrong.get(), 0, "lr", &lr, nullptr), BP_OK);
  EXPECT_EQ(lr.value.f64, 0.5);
  other.pop_back();
  const Optimizer fewer = optimizer("Adam", other, {});
  EXPECT_EQ(
      attempt(bp_optimizer_load_state_dict, fewer.get(), good.get()).message,
      "loaded state dict contains a parameter group that doesn't match the size of optimizer's group (group 0: 2, "
      "expected 1)");
  const Optimizer sgd = optimizer("SGD", task.params, {});
  EXPECT_EQ(attempt(bp_optimizer_load_state_dict, sgd.get(), good.get()).message,
            "the state is of Adam, the optimizer is SGD");
  ASSERT_EQ(bp_dict_set_meta(good.get(), "group.0.lr", "fast", nullptr), BP_OK);
  EXPECT_EQ(attempt(bp_optimizer_load_state_dict, o.get(), good.get()).message,
            "the state's 'group.0.lr' is 'fast', expected a number");
}

TEST(Optimizer, StateFollowsItsParameter) {
  for (const char* kind : {"SGD", "Adam", "RMSprop"}) {
    const std::vector<bp_attr> attrs =
        std::string(kind) == "Adam" ? std::vector<bp_attr>{attr("lr", 0.1)}
                                    : std::vector<bp_attr>{attr("lr", 0.1), attr("momentum", 0.9)};
    const Task here(kCpu, BP_F64), moves(kCpu, BP_F64);
    const Optimizer one = optimizer(kind, here.params, attrs),
                    other = optimizer(kind, moves.params, attrs);
    const auto both = [&](bp_device d) {
      here.give_grads(), step(one);
      for (size_t i = 0; i < 2; ++i) {
        const T apart = made(bp_tensor_detach, moves.params[i].get());
        const T c = to(moves.c[i], d);
        const T a = to(moves.a[i], d);
        set_grad(moves.params[i], made(bp_mul, a.get(), made(bp_sub, apart.get(), c.get()).get()));
      }
      step(other);
    };
    both(kCpu);
    const bp_device sim = devices()[1];
    for (size_t i = 0; i < 2; ++i) {
      ASSERT_EQ(bp_tensor_set_grad(moves.params[i].get(), nullptr, nullptr), BP_OK);
      const T there = to(made(bp_tensor_detach, moves.params[i].get()), sim);
      const Answer r = attempt(bp_tensor_set_data, moves.params[i].get(), there.get());
      ASSERT_EQ(r.status, BP_OK) << r.message;
    }
    both(sim);
    bp_tensor* state = nullptr;
    ASSERT_EQ(bp_optimizer_state_at(other.get(), 0, 0,
                                    std::string(kind) == "Adam" ? "exp_avg" : "momentum_buffer",
                                    &state, nullptr),
              BP_OK);
    EXPECT_EQ(bp_tensor_device(T(state).get()), sim) << kind;
    both(sim);
    for (size_t i = 0; i < 2; ++i) {
      const Doubles x = doubles(here.params[i]), y = doubles(moves.params[i]);
      for (size_t e = 0; e < x.size(); ++e)
        EXPECT_NEAR(x[e], y[e], 1e-14 * (1 + std::fabs(x[e]))) << kind;
    }
  }
}

TEST(Optimizer, SaysWhichGradientDoesNotFit) {
  std::vector<T> p;
  p.push_back(param({2}, {1, 2}));
  const Optimizer o = optimizer("SGD", p, {});
  EXPECT_EQ(attempt(bp_optimizer_step, static_cast<bp_optimizer*>(nullptr)).message,
            "optimizer must not be NULL");
  EXPECT_EQ(attempt(bp_optimizer_step, reinterpret_cast<bp_optimizer*>(p[0].get())).message,
            "optimizer is not an optimizer");
  EXPECT_EQ(bp_optimizer_group_count(nullptr), 0u);
}

// ---- clipping ----
T clipped(const std::vector<T>& params, double max_norm, double order = 2) {
  const auto list = raw(params);
  return made(bp_clip_grad_norm, list.data(), static_cast<uint32_t>(list.size()), max_norm, order,
              0u);
}

TEST(ClipGradNorm, ScalesAllGradientsByOneFactorOnAnyDevices) {
  for (const bp_device d : devices()) {
    std::vector<T> p;
    p.push_back(param({2}, {0, 0}));
    p.push_back(param({1}, {0}, d, BP_F32));
    p.push_back(param({1}, {0}));
    set_grad(p[0], tensor<double>({2}, {3, 4}));
    set_grad(p[1], to(tensor<double>({1}, {12}), d, BP_F32));
    EXPECT_EQ(values<double>(clipped(p, 26)), (Doubles{13}));
    EXPECT_EQ(doubles(grad_of(p[0])), (Doubles{3, 4}));
    const T total = clipped(p, 6.5);
    EXPECT_EQ(bp_tensor_device(total.get()), bp_tensor_device(p[0].get()));
    const double factor = 6.5 / (13 + 1e-6);
    EXPECT_NEAR(doubles(grad_of(p[0]))[1], 4 * factor, 1e-14);
    EXPECT_NEAR(doubles(grad_of(p[1]))[0], 12 * factor, 1e-6);
  }
}

TEST(ClipGradNorm, TakesOtherOrdersAndNoGradientsAtAll) {
  std::vector<T> p;
  p.push_back(param({2}, {0, 0}));
  EXPECT_EQ(doubles(clipped(p, 1)), (Doubles{0}));
  set_grad(p[0], tensor<double>({2}, {-3, 4}));
  EXPECT_EQ(doubles(clipped(p, 100, std::numeric_limits<double>::infinity())), (Doubles{4}));
  EXPECT_EQ(doubles(clipped(p, 100, 1)), (Doubles{7}));
}

TEST(ClipGradNorm, RefusesWhatIsNotFiniteWhenAsked) {
  std::vector<T> p;
  p.push_back(param({2}, {0, 0}));
  set_grad(p[0], tensor<double>({2}, {1, std::numeric_limits<double>::infinity()}));
  const auto list = raw(p);
  const Answer r =
      attempt(bp_clip_grad_norm, list.data(), 1u, 1.0, 2.0, 1u, static_cast<bp_tensor**>(nullptr));
  EXPECT_EQ(r.message.rfind(
                "The total norm of order 2.0 for gradients from `parameters` is non-finite", 0),
            0u)
      << r.message;
  EXPECT_EQ(doubles(grad_of(p[0]))[0], 1);
}

TEST(ClipGradValue, BoundsEveryElement) {
  for (const bp_device d : devices()) {
    std::vector<T> p;
    p.push_back(param({3}, {0, 0, 0}, d, BP_F32));
    set_grad(p[0], to(tensor<double>({3}, {-3, 0.25, 4}), d, BP_F32));
    const auto list = raw(p);
    ASSERT_EQ(attempt(bp_clip_grad_value, list.data(), 1u, 0.5).status, BP_OK);
    EXPECT_EQ(doubles(grad_of(p[0])), (Doubles{-0.5, 0.25, 0.5}));
  }
}

}  // namespace
}  // namespace bp_test
