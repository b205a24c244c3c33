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
bp_attr flag(double v) { return flag_value(v != 0); }

constexpr OptionSpec number_option(const char* name, double value, const char* doc) {
  return {name, BP_ATTR_F64, value, doc};
}
constexpr OptionSpec flag_option(const char* name, const char* doc) {
  return {name, BP_ATTR_BOOL, 0, doc};
}
constexpr const char* kLrDoc = "learning rate";
constexpr const char* kDecayDoc = "weight decay: adds this times the parameter to the gradient";
constexpr const char* kEpsDoc = "added to the denominator";
constexpr OptionSpec kMaximize = flag_option("maximize", "goes up the gradient instead of down");

// ---- SGD ----
enum { kSgdLr, kSgdMomentum, kSgdDampening, kSgdDecay, kSgdNesterov, kSgdMaximize };
void check_sgd(const Options& o) {
  at_least_zero(o[kSgdLr], "learning rate");
  at_least_zero(o[kSgdMomentum], "momentum value");
  at_least_zero(o[kSgdDecay], "weight_decay value");
  if (o[kSgdNesterov] != 0 && (o[kSgdMomentum] <= 0 || o[kSgdDampening] != 0))
    fail(BP_INVALID_ARGUMENT, "Nesterov momentum requires a momentum and zero dampening");
}
StepAttrs sgd_attrs(const Options& o, int64_t count, int64_t, bool first) {
  return {int_value(count),
          float_value(o[kSgdLr]),
          float_value(o[kSgdMomentum]),
          float_value(o[kSgdDampening]),
          float_value(o[kSgdDecay]),
          flag(o[kSgdNesterov]),
          flag(o[kSgdMaximize]),
          flag_value(first)};
}

// ---- Adam, AdamW ----
enum { kAdamLr, kAdamBeta1, kAdamBeta2, kAdamEps, kAdamDecay, kAdamLargest, kAdamMaximize };
void check_adam(const Options& o) {
  at_least_zero(o[kAdamLr], "learning rate");
  at_least_zero(o[kAdamEps], "epsilon value");
  below_one(o[kAdamBeta1], 0);
  below_one(o[kAdamBeta2], 1);
  at_least_zero(o[kAdamDecay], "weight_decay value");
}
StepAttrs adam_attrs(const Options& o, int64_t count, int64_t step, bool) {
  return {int_value(count),
          float_value(o[kAdamLr]),
          float_value(o[kAdamBeta1]),
          float_value(o[kAdamBeta2]),
          float_value(o[kAdamEps]),
          float_value(o[kAdamDecay]),
          int_value(step),
          flag(o[kAdamMaximize])};
}
constexpr OptionSpec kBeta1 =
    number_option("beta1", 0.9, "how slowly the average of gradients changes");
constexpr OptionSpec kBeta2 =
    number_option("beta2", 0.999, "how slowly the average of their squares changes");
constexpr OptionSpec kLargest =
    flag_option("amsgrad", "divides by the largest average of squares so far");
constexpr std::array<const char*, kMaxStates> kAdamStates{"exp_avg", "exp_avg_sq",
                                                          "max_exp_avg_sq"};
uint32_t adam_uses(const Options& o) { return o[kAdamLargest] != 0 ? 7u : 3u; }

// ---- RMSprop ----
enum { kRmsLr, kRmsAlpha, kRmsEps, kRmsDecay, kRmsMomentum, kRmsCentered, kRmsMaximize };
void check_rmsprop(const Options& o) {
  at_least_zero(o[kRmsLr], "learning rate");
  at_least_zero(o[kRmsEps], "epsilon value");
  at_least_zero(o[kRmsMomentum], "momentum value");
  at_least_zero(o[kRmsDecay], "weight_decay value");
  at_least_zero(o[kRmsAlpha], "alpha value");
}
StepAttrs rmsprop_attrs(const Options& o, int64_t count, int64_t, bool) {
  return {int_value(count),        float_value(o[kRmsLr]),    float_value(o[kRmsAlpha]),
          float_value(o[kRmsEps]), float_value(o[kRmsDecay]), float_value(o[kRmsMomentum]),
          flag(o[kRmsCentered]),   flag(o[kRmsMaximize])};
}

// ---- Adagrad ----
enum { kAdaLr, kAdaLrDecay, kAdaDecay, kAdaInitial, kAdaEps, kAdaMaximize };
void check_adagrad(const Options& o) {
  at_least_zero(o[kAdaLr], "learning rate");
  at_least_zero(o[kAdaLrDecay], "lr_decay value");
  at_least_zero(o[kAdaDecay], "weight_decay value");
  at_least_zero(o[kAdaInitial], "initial_accumulator_value value");
  at_least_zero(o[kAdaEps], "epsilon value");
}
StepAttrs adagrad_attrs(const Options& o, int64_t count, int64_t step, bool) {
  return {int_value(count),          float_value(o[kAdaLr]),  float_value(o[kAdaLrDecay]),
          float_value(o[kAdaDecay]), float_value(o[kAdaEps]), int_value(step),
          flag(o[kAdaMaximize])};
}

// clang-format off
const OptimizerKind kKinds[] = {
    {"SGD", "Stochastic gradient descent with momentum (Sutskever et al. 2013).",
     {{number_option("lr", 1e-3, kLrDoc), number_option("momentum", 0, "momentum factor"),
       number_option("dampening", 0, "what the momentum leaves out of a new gradient"),
       number_option("weight_decay", 0, kDecayDoc), flag_option("nesterov", "Nesterov's momentum"), kMaximize}},
     {{"momentum_buffer"}}, BP_OP_FOREACH_SGD, false, check_sgd, [](const Options& o) { return o[kSgdMomentum] != 0 ? 1u : 0u; },
     sgd_attrs, zero},
    {"Adam", "Adam (Kingma and Ba 2015).",
     {{number_option("lr", 1e-3, kLrDoc), kBeta1, kBeta2, number_option("eps", 1e-8, kEpsDoc),
       number_option("weight_decay", 0, kDecayDoc), kLargest, kMaximize}},
     kAdamStates, BP_OP_FOREACH_ADAM, true, check_adam, adam_uses, adam_attrs, zero},
    {"AdamW", "Adam with decoupled weight decay (Loshchilov and Hutter 2019).",
     {{number_option("lr", 1e-3, kLrDoc), kBeta1, kBeta2, number_option("eps", 1e-8, kEpsDoc),
       number_option("weight_decay", 1e-2, "weight decay: takes lr times this off the parameter itself"), kLargest, kMaximize}},
     kAdamStates, BP_OP_FOREACH_ADAMW, true, check_adam, adam_uses, adam_attrs, zero},
    {"RMSprop", "RMSprop (Hinton 2012), centered as Graves 2013.",
     {{number_option("lr", 1e-2, kLrDoc), number_option("alpha", 0.99, "how slowly the average of squares changes"),
       number_option("eps", 1e-8, kEpsDoc), number_option("weight_decay", 0, kDecayDoc),
       number_option("momentum", 0, "momentum factor"), flag_option("centered", "divides by the spread about the mean"),
       kMaximize}},
     {{"square_avg", "grad_avg", "momentum_buffer"}}, BP_OP_FOREACH_RMSPROP, false, check_rmsprop,
     [](const Options& o) { return 1u | (o[kRmsCentered] != 0 ? 2u : 0u) | (o[kRmsMomentum] != 0 ? 4u : 0u); },
     rmsprop_attrs, zero},
    {"Adagrad", "Adagrad (Duchi, Hazan and Singer 2011).",
     {{number_option("lr", 1e-2, kLrDoc), number_option("lr_decay", 0, "how fast the learning rate falls with steps"),
       number_option("weight_decay", 0, kDecayDoc),
       number_option("initial_accumulator_value", 0, "what the sums of squares start with"),
       number_option("eps", 1e-10, kEpsDoc), kMaximize}},
     {{"sum"}}, BP_OP_FOREACH_ADAGRAD, true, check_adagrad, [](const Options&) { return 1u; }, adagrad_attrs,
     [](const Options& o) { return o[kAdaInitial]; }},
};
// clang-format on

}  // namespace

size_t OptimizerKind::n_options() const {
  size_t n = 0;
  while (n < options.size() && options[n].name) ++n;
  return n;
}
int OptimizerKind::find_option(std::string_view wanted) const {
  for (size_t i = 0; i < n_options(); ++i)
    if (wanted == options[i].name) return static_cast<int>(i);
  return -1;
}
Options OptimizerKind::defaults() const {
  Options o{};
  for (size_t i = 0; i < n_options(); ++i) o[i] = options[i].value;
  return o;
}

std::span<const OptimizerKind> optimizer_kinds() { return kKinds; }

const OptimizerKind& optimizer_kind(std::string_view name) {
  std::string known;
  for (const OptimizerKind& k : kKinds) {
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
