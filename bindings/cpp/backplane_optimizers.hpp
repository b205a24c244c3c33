// SPDX-License-Identifier: Apache-2.0
// backplane_optimizers.hpp: a class for each kind of optimiser and of schedule, as
// optim::Adam(params, {.lr = 1e-3}); included by backplane.hpp. Printed by `./dev print` from the tables of kinds; do not edit.
#ifndef BACKPLANE_OPTIMIZERS_HPP
#define BACKPLANE_OPTIMIZERS_HPP

#include "backplane_optim.hpp"

namespace backplane {
namespace optim {

struct SGDOptions {
  double lr = 0.001;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
  bool maximize = false;
};
// Stochastic gradient descent with momentum (Sutskever et al. 2013).
//   lr: learning rate
//   momentum: momentum factor
//   dampening: what the momentum leaves out of a new gradient
//   weight_decay: weight decay: adds this times the parameter to the gradient
//   nesterov: Nesterov's momentum
//   maximize: goes up the gradient instead of down
class SGD : public Optimizer {
 public:
  using Options = SGDOptions;
  SGD(const std::vector<Tensor>& params, const SGDOptions& o = {})
      : Optimizer("SGD", params, {{"lr", o.lr}, {"momentum", o.momentum}, {"dampening", o.dampening}, {"weight_decay", o.weight_decay}, {"nesterov", o.nesterov}, {"maximize", o.maximize}}) {}
  SGD(const std::vector<Tensor>& params, double lr) : SGD(params, with(lr)) {}

 private:
  static Options with(double lr) {
    Options o;
    o.lr = lr;
    return o;
  }
};

struct AdamOptions {
  double lr = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-08;
  double weight_decay = 0;
  bool amsgrad = false;
  bool maximize = false;
};
// Adam (Kingma and Ba 2015).
//   lr: learning rate
//   beta1: how slowly the average of gradients changes
//   beta2: how slowly the average of their squares changes
//   eps: added to the denominator
//   weight_decay: weight decay: adds this times the parameter to the gradient
//   amsgrad: divides by the largest average of squares so far
//   maximize: goes up the gradient instead of down
class Adam : public Optimizer {
 public:
  using Options = AdamOptions;
  Adam(const std::vector<Tensor>& params, const AdamOptions& o = {})
      : Optimizer("Adam", params, {{"lr", o.lr}, {"beta1", o.beta1}, {"beta2", o.beta2}, {"eps", o.eps}, {"weight_decay", o.weight_decay}, {"amsgrad", o.amsgrad}, {"maximize", o.maximize}}) {}
  Adam(const std::vector<Tensor>& params, double lr) : Adam(params, with(lr)) {}

 private:
  static Options with(double lr) {
    Options o;
    o.lr = lr;
    return o;
  }
};

struct AdamWOptions {
  double lr = 0.001;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-08;
  double weight_decay = 0.01;
  bool amsgrad = false;
  bool maximize = false;
};
// Adam with decoupled weight decay (Loshchilov and Hutter 2019).
//   lr: learning rate
//   beta1: how slowly the average of gradients changes
//   beta2: how slowly the average of their squares changes
//   eps: added to the denominator
//   weight_decay: weight decay: takes lr times this off the parameter itself
//   amsgrad: divides by the largest average of squares so far
//   maximize: goes up the gradient instead of down
class AdamW : public Optimizer {
 public:
  using Options = AdamWOptions;
  AdamW(const std::vector<Tensor>& params, const AdamWOptions& o = {})
      : Optimizer("AdamW", params, {{"lr", o.lr}, {"beta1", o.beta1}, {"beta2", o.beta2}, {"eps", o.eps}, {"weight_decay", o.weight_decay}, {"amsgrad", o.amsgrad}, {"maximize", o.maximize}}) {}
  AdamW(const std::vector<Tensor>& params, double lr) : AdamW(params, with(lr)) {}

 private:
  static Options with(double lr) {
    Options o;
    o.lr = lr;
    return o;
  }
};

struct RMSpropOptions {
  double lr = 0.01;
  double alpha = 0.99;
  double eps = 1e-08;
  double weight_decay = 0;
  double momentum = 0;
  bool centered = false;
  bool maximize = false;
};
// RMSprop (Hinton 2012), centered as Graves 2013.
//   lr: learning rate
//   alpha: how slowly the average of squares changes
//   eps: added to the denominator
//   weight_decay: weight decay: adds this times the parameter to the gradient
//   momentum: momentum factor
//   centered: divides by the spread about the mean
//   maximize: goes up the gradient instead of down
class RMSprop : public Optimizer {
 public:
  using Options = RMSpropOptions;
  RMSprop(const std::vector<Tensor>& params, const RMSpropOptions& o = {})
      : Optimizer("RMSprop", params, {{"lr", o.lr}, {"alpha", o.alpha}, {"eps", o.eps}, {"weight_decay", o.weight_decay}, {"momentum", o.momentum}, {"centered", o.centered}, {"maximize", o.maximize}}) {}
  RMSprop(const std::vector<Tensor>& params, double lr) : RMSprop(params, with(lr)) {}

 private:
  static Options with(double lr) {
    Options o;
    o.lr = lr;
    return o;
  }
};

struct AdagradOptions {
  double lr = 0.01;
  double lr_decay = 0;
  double weight_decay = 0;
  double initial_accumulator_value = 0;
  double eps = 1e-10;
  bool maximize = false;
};
// Adagrad (Duchi, Hazan and Singer 2011).
//   lr: learning rate
//   lr_decay: how fast the learning rate falls with steps
//   weight_decay: weight decay: adds this times the parameter to the gradient
//   initial_accumulator_value: what the sums of squares start with
//   eps: added to the denominator
//   maximize: goes up the gradient instead of down
class Adagrad : public Optimizer {
 public:
  using Options = AdagradOptions;
  Adagrad(const std::vector<Tensor>& params, const AdagradOptions& o = {})
      : Optimizer("Adagrad", params, {{"lr", o.lr}, {"lr_decay", o.lr_decay}, {"weight_decay", o.weight_decay}, {"initial_accumulator_value", o.initial_accumulator_value}, {"eps", o.eps}, {"maximize", o.maximize}}) {}
  Adagrad(const std::vector<Tensor>& params, double lr) : Adagrad(params, with(lr)) {}

 private:
  static Options with(double lr) {
    Options o;
    o.lr = lr;
    return o;
  }
};

struct StepLROptions {
  double gamma = 0.1;
};
// Times gamma every step_size epochs.
//   step_size: epochs between
//   gamma: what the rate is multiplied by
class StepLR : public Schedule {
 public:
  using Options = StepLROptions;
  StepLR(const Optimizer& optimizer, std::int64_t step_size, const StepLROptions& o = {})
      : Schedule("step", optimizer, {{"step_size", step_size}, {"gamma", o.gamma}}) {}
};

struct MultiStepLROptions {
  double gamma = 0.1;
};
// Times gamma at each of milestones.
//   milestones: epochs
//   gamma: what the rate is multiplied by
class MultiStepLR : public Schedule {
 public:
  using Options = MultiStepLROptions;
  MultiStepLR(const Optimizer& optimizer, const Sizes& milestones, const MultiStepLROptions& o = {})
      : Schedule("multi_step", optimizer, {{"milestones", milestones}, {"gamma", o.gamma}}) {}
};

// Times gamma every epoch.
//   gamma: what the rate is multiplied by
class ExponentialLR : public Schedule {
 public:
  ExponentialLR(const Optimizer& optimizer, double gamma)
      : Schedule("exponential", optimizer, {{"gamma", gamma}}) {}
};

struct ConstantLROptions {
  double factor = 0.3333333333333333;
  std::int64_t total_iters = 5;
};
// Times factor until total_iters.
//   factor: what the rate is multiplied by
//   total_iters: epochs
class ConstantLR : public Schedule {
 public:
  using Options = ConstantLROptions;
  ConstantLR(const Optimizer& optimizer, const ConstantLROptions& o = {})
      : Schedule("constant", optimizer, {{"factor", o.factor}, {"total_iters", o.total_iters}}) {}
  ConstantLR(const Optimizer& optimizer, double factor) : ConstantLR(optimizer, with(factor)) {}

 private:
  static Options with(double factor) {
    Options o;
    o.factor = factor;
    return o;
  }
};

struct LinearLROptions {
  double start_factor = 0.3333333333333333;
  double end_factor = 1;
  std::int64_t total_iters = 5;
};
// From start_factor to end_factor of the rate in total_iters epochs: a warm-up.
//   start_factor: at first
//   end_factor: in the end
//   total_iters: epochs
class LinearLR : public Schedule {
 public:
  using Options = LinearLROptions;
  LinearLR(const Optimizer& optimizer, const LinearLROptions& o = {})
      : Schedule("linear", optimizer, {{"start_factor", o.start_factor}, {"end_factor", o.end_factor}, {"total_iters", o.total_iters}}) {}
  LinearLR(const Optimizer& optimizer, double start_factor) : LinearLR(optimizer, with(start_factor)) {}

 private:
  static Options with(double start_factor) {
    Options o;
    o.start_factor = start_factor;
    return o;
  }
};

struct PolynomialLROptions {
  std::int64_t total_iters = 5;
  double power = 1;
};
// Down to 0 in total_iters epochs, by a power.
//   total_iters: epochs
//   power: of the polynomial
class PolynomialLR : public Schedule {
 public:
  using Options = PolynomialLROptions;
  PolynomialLR(const Optimizer& optimizer, const PolynomialLROptions& o = {})
      : Schedule("polynomial", optimizer, {{"total_iters", o.total_iters}, {"power", o.power}}) {}
  PolynomialLR(const Optimizer& optimizer, std::int64_t total_iters) : PolynomialLR(optimizer, with(total_iters)) {}

 private:
  static Options with(std::int64_t total_iters) {
    Options o;
    o.total_iters = total_iters;
    return o;
  }
};

struct CosineLROptions {
  double eta_min = 0;
};
// From the rate to eta_min along half a cosine of T_max epochs, and back.
//   T_max: epochs of half a period
//   eta_min: the lowest rate
class CosineLR : public Schedule {
 public:
  using Options = CosineLROptions;
  CosineLR(const Optimizer& optimizer, std::int64_t T_max, const CosineLROptions& o = {})
      : Schedule("cosine", optimizer, {{"T_max", T_max}, {"eta_min", o.eta_min}}) {}
};

struct CosineRestartsLROptions {
  std::int64_t T_mult = 1;
  double eta_min = 0;
};
// Half a cosine down, then again from the top, each time T_mult as long (Loshchilov and Hutter 2017).
//   T_0: epochs of the first time
//   T_mult: how much longer the next one is
//   eta_min: the lowest rate
class CosineRestartsLR : public Schedule {
 public:
  using Options = CosineRestartsLROptions;
  CosineRestartsLR(const Optimizer& optimizer, std::int64_t T_0, const CosineRestartsLROptions& o = {})
      : Schedule("cosine_restarts", optimizer, {{"T_0", T_0}, {"T_mult", o.T_mult}, {"eta_min", o.eta_min}}) {}
};

struct OneCycleLROptions {
  double pct_start = 0.3;
  std::string anneal_strategy = "cos";
  bool cycle_momentum = true;
  double base_momentum = 0.85;
  double max_momentum = 0.95;
  double div_factor = 25;
  double final_div_factor = 10000;
  bool three_phase = false;
};
// Up to max_lr and down far below the start, momentum the other way round (Smith and Topin 2018).
//   max_lr: the highest rate
//   total_steps: steps of the whole cycle
//   pct_start: the part in which the rate rises
//   anneal_strategy: cos or linear
//   cycle_momentum: momentum too
//   base_momentum: the lowest momentum
//   max_momentum: the highest momentum
//   div_factor: max_lr over the first rate
//   final_div_factor: the first rate over the last
//   three_phase: down to the first rate, then on to the last
class OneCycleLR : public Schedule {
 public:
  using Options = OneCycleLROptions;
  OneCycleLR(const Optimizer& optimizer, double max_lr, std::int64_t total_steps, const OneCycleLROptions& o = {})
      : Schedule("one_cycle", optimizer, {{"max_lr", max_lr}, {"total_steps", total_steps}, {"pct_start", o.pct_start}, {"anneal_strategy", o.anneal_strategy}, {"cycle_momentum", o.cycle_momentum}, {"base_momentum", o.base_momentum}, {"max_momentum", o.max_momentum}, {"div_factor", o.div_factor}, {"final_div_factor", o.final_div_factor}, {"three_phase", o.three_phase}}) {}
};

}  // namespace optim
}  // namespace backplane
#endif
