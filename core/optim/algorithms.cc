// SPDX-License-Identifier: Apache-2.0
#include "core/optim/algorithms.h"

#include <fmt/format.h>

#include "c_op_ids.h"
#include "core/base/error.h"
#include "core/call/invoke.h"

namespace bp {
namespace {

void at_least_zero(double v, const char* what) {
  if (!(v >= 0)) fail(BP_INVALID_ARGUMENT, "Invalid {}: {}", what, number_text(v));
}
void below_one(double beta, int index) {
  if (!(beta >= 0 && beta < 1))
    fail(BP_INVALID_ARGUMENT, "Invalid beta parameter at index {}: {}", index, number_text(beta));
}
double zero(const Options&) { return 0; }

constexpr AttrSpec lr(double v) { return float_attr("lr", v, "learning rate"); }
constexpr AttrSpec eps(double v) { return float_attr("eps", v, "added to the denominator"); }
constexpr AttrSpec kMomentum = float_attr("momentum", 0, "momentum factor");
constexpr AttrSpec kDecay =
    float_attr("weight_decay", 0, "weight decay: adds this times the parameter to the gradient");
constexpr AttrSpec kMaximize = flag_attr("maximize", false, "goes up the gradient instead of down");

// ---- SGD ----
constexpr AttrSpecs kSgd{
    lr(1e-3),
    kMomentum,
    float_attr("dampening", 0, "what the momentum leaves out of a new gradient"),
    kDecay,
    flag_attr("nesterov", false, "Nesterov's momentum"),
    kMaximize};
void check_sgd(const Options& o) {
  at_least_zero(o[kSgd["lr"]], "learning rate");
  at_least_zero(o[kSgd["momentum"]], "momentum value");
  at_least_zero(o[kSgd["weight_decay"]], "weight_decay value");
  if (o[kSgd["nesterov"]] != 0 && (o[kSgd["momentum"]] <= 0 || o[kSgd["dampening"]] != 0))
    fail(BP_INVALID_ARGUMENT, "Nesterov momentum requires a momentum and zero dampening");
}
uint32_t sgd_uses(const Options& o) { return o[kSgd["momentum"]] != 0 ? 1u : 0u; }

// ---- Adam, AdamW ----
constexpr AttrSpecs adam_attrs(AttrSpec weight_decay) {
  return {lr(1e-3),
          float_attr("beta1", 0.9, "how slowly the average of gradients changes"),
          float_attr("beta2", 0.999, "how slowly the average of their squares changes"),
          eps(1e-8),
          weight_decay,
          flag_attr("amsgrad", false, "divides by the largest average of squares so far"),
          kMaximize};
}
constexpr AttrSpecs kAdam = adam_attrs(kDecay);
constexpr AttrSpecs kAdamW = adam_attrs(
    float_attr("weight_decay", 1e-2, "weight decay: takes lr times this off the parameter itself"));
constexpr std::array<const char*, kMaxStates> kAdamStates{"exp_avg", "exp_avg_sq",
                                                          "max_exp_avg_sq"};
void check_adam(const Options& o) {
  at_least_zero(o[kAdam["lr"]], "learning rate");
  at_least_zero(o[kAdam["eps"]], "epsilon value");
  below_one(o[kAdam["beta1"]], 0);
  below_one(o[kAdam["beta2"]], 1);
  at_least_zero(o[kAdam["weight_decay"]], "weight_decay value");
}
uint32_t adam_uses(const Options& o) { return o[kAdam["amsgrad"]] != 0 ? 7u : 3u; }

// ---- RMSprop ----
constexpr AttrSpecs kRmsprop{
    lr(1e-2),  float_attr("alpha", 0.99, "how slowly the average of squares changes"),
    eps(1e-8), kDecay,
    kMomentum, flag_attr("centered", false, "divides by the spread about the mean"),
    kMaximize};
void check_rmsprop(const Options& o) {
  at_least_zero(o[kRmsprop["lr"]], "learning rate");
  at_least_zero(o[kRmsprop["eps"]], "epsilon value");
  at_least_zero(o[kRmsprop["momentum"]], "momentum value");
  at_least_zero(o[kRmsprop["weight_decay"]], "weight_decay value");
  at_least_zero(o[kRmsprop["alpha"]], "alpha value");
}
uint32_t rmsprop_uses(const Options& o) {
  return 1u | (o[kRmsprop["centered"]] != 0 ? 2u : 0u) | (o[kRmsprop["momentum"]] != 0 ? 4u : 0u);
}

// ---- Adagrad ----
constexpr AttrSpecs kAdagrad{
    lr(1e-2),   float_attr("lr_decay", 0, "how fast the learning rate falls with steps"),
    kDecay,     float_attr("initial_accumulator_value", 0, "what the sums of squares start with"),
    eps(1e-10), kMaximize};
void check_adagrad(const Options& o) {
  at_least_zero(o[kAdagrad["lr"]], "learning rate");
  at_least_zero(o[kAdagrad["lr_decay"]], "lr_decay value");
  at_least_zero(o[kAdagrad["weight_decay"]], "weight_decay value");
  at_least_zero(o[kAdagrad["initial_accumulator_value"]], "initial_accumulator_value value");
  at_least_zero(o[kAdagrad["eps"]], "epsilon value");
}
uint32_t adagrad_uses(const Options&) { return 1; }
double adagrad_initial(const Options& o) { return o[kAdagrad["initial_accumulator_value"]]; }

// clang-format off
const OptimizerKind kOptimizerKinds[] = {
    {"SGD", "Stochastic gradient descent with momentum (Sutskever et al. 2013).", kSgd,
     {{"momentum_buffer"}}, BP_OP_FOREACH_SGD, check_sgd, sgd_uses, zero},
    {"Adam", "Adam (Kingma and Ba 2015).", kAdam,
     kAdamStates, BP_OP_FOREACH_ADAM, check_adam, adam_uses, zero},
    {"AdamW", "Adam with decoupled weight decay (Loshchilov and Hutter 2019).", kAdamW,
     kAdamStates, BP_OP_FOREACH_ADAMW, check_adam, adam_uses, zero},
    {"RMSprop", "RMSprop (Hinton 2012), centered as Graves 2013.", kRmsprop,
     {{"square_avg", "grad_avg", "momentum_buffer"}}, BP_OP_FOREACH_RMSPROP, check_rmsprop, rmsprop_uses, zero},
    {"Adagrad", "Adagrad (Duchi, Hazan and Singer 2011).", kAdagrad,
     {{"sum"}}, BP_OP_FOREACH_ADAGRAD, check_adagrad, adagrad_uses, adagrad_initial},
};
// clang-format on

}  // namespace

Options OptimizerKind::defaults() const {
  Options o{};
  for (size_t i = 0; i < attrs.size(); ++i) {
    const AttrSpec& a = attrs.at(i);
    o[i] = a.kind == BP_ATTR_BOOL ? static_cast<double>(a.value.i64) : a.value.f64;
  }
  return o;
}

bp_attr option_attr(const AttrSpec& spec, double value) {
  bp_attr a = spec.kind == BP_ATTR_BOOL ? flag_value(value != 0) : float_value(value);
  a.name = spec.name;
  return a;
}

std::span<const OptimizerKind> optimizer_kinds() { return kOptimizerKinds; }

const OptimizerKind& optimizer_kind(std::string_view name) {
  std::string known;
  for (const OptimizerKind& k : kOptimizerKinds) {
    if (name == k.name) return k;
    known += (known.empty() ? "" : ", ") + std::string(k.name);
  }
  fail(BP_NOT_FOUND, "no optimizer is called '{}'; there are {}", name, known);
}

std::string number_text(double v) {
  std::string text = fmt::format("{}", v);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

}  // namespace bp
