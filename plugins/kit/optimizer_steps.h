// SPDX-License-Identifier: Apache-2.0
// optimizer_steps.h: what a step of an optimiser does to one element. It is written once: kernels
// of every backend run it on numbers (optimizers.h), the core's compositions on whole tensors
// (core/ops/foreach.cc), so that a backend without these kernels computes the same. Formulas:
// torch/optim/{sgd,adam,adamw,rmsprop,adagrad}.py, the loops over single tensors.
//
// step(p, gradient, a, b, c) changes a parameter and up to three states, in the order of the row's
// lists; those beyond kLists are not looked at. There is no array, because compilers would not
// vectorise the loop around it. What is the same for all elements (bias corrections, for one) is
// computed once, in f64, from the row's attributes, and kept as T. An element X is a number, or has
// + - * / with its kind, * by a T before it, / by and + with a T behind it, sqrt and larger.
//
//   const Adam<float, /*kDecoupled=*/false, /*kLargest=*/true> step(launch.attrs);
//   step(p, g, a, b, c);
#pragma once
#include <math.h>

#include "c_op_ids.h"
#include "c_types.h"

namespace bp_kit {
namespace {  // each instruction set compiles its own

// A row's attributes, by position.
struct Attrs {
  const bp_attr* at;
  double f64(int i) const { return at[i].value.f64; }
  int64_t i64(int i) const { return at[i].value.i64; }
  template <class T>
  T as(int i) const {
    return static_cast<T>(at[i].value.f64);
  }
  template <class T>
  T sign(int i) const {
    return at[i].value.i64 ? T(-1) : T(1);
  }
};

// The larger one, or NaN when either is.
template <class T>
constexpr T larger(T x, T y) {
  return y > x || y != y ? y : x;
}

template <class T, bool kMomentum>
struct Sgd {
  using Calc = T;
  static constexpr int kLists = kMomentum ? 3 : 2;
  T lr, momentum, rest, decay, sign;
  bool nesterov, first;
  explicit Sgd(const bp_attr* attrs)
      : lr(Attrs{attrs}.as<T>(BP_ATTR_FOREACH_SGD_LR)),
        momentum(Attrs{attrs}.as<T>(BP_ATTR_FOREACH_SGD_MOMENTUM)),
        rest(static_cast<T>(1 - Attrs{attrs}.f64(BP_ATTR_FOREACH_SGD_DAMPENING))),
        decay(Attrs{attrs}.as<T>(BP_ATTR_FOREACH_SGD_WEIGHT_DECAY)),
        sign(Attrs{attrs}.sign<T>(BP_ATTR_FOREACH_SGD_MAXIMIZE)),
        nesterov(Attrs{attrs}.i64(BP_ATTR_FOREACH_SGD_NESTEROV)),
        first(Attrs{attrs}.i64(BP_ATTR_FOREACH_SGD_FIRST)) {}
  template <class X>
  constexpr void operator()(X& p, const X& gradient, [[maybe_unused]] X& a, [[maybe_unused]] X& b,
                            [[maybe_unused]] X& c) const {
    X g = sign * gradient;
    if (decay != 0) g += decay * p;
    if constexpr (kMomentum) {
      a = first ? g : momentum * a + rest * g;
      g = nesterov ? g + momentum * a : a;
    }
    p -= lr * g;
  }
};

template <class T, bool kDecoupled, bool kLargest>
struct Adam {
  using Calc = T;
  static constexpr int kLists = kLargest ? 5 : 4;
  T rest1, beta2, rest2, eps, decay, sign, rate, root2;
  explicit Adam(const bp_attr* attrs) {
    const Attrs a{attrs};
    const double lr = a.f64(BP_ATTR_FOREACH_ADAM_LR),
                 step = static_cast<double>(a.i64(BP_ATTR_FOREACH_ADAM_STEP));
    rest1 = static_cast<T>(1 - a.f64(BP_ATTR_FOREACH_ADAM_BETA1));
    beta2 = a.as<T>(BP_ATTR_FOREACH_ADAM_BETA2);
    rest2 = static_cast<T>(1 - a.f64(BP_ATTR_FOREACH_ADAM_BETA2));
    eps = a.as<T>(BP_ATTR_FOREACH_ADAM_EPS);
    decay = static_cast<T>(kDecoupled ? 1 - lr * a.f64(BP_ATTR_FOREACH_ADAM_WEIGHT_DECAY)
                                      : a.f64(BP_ATTR_FOREACH_ADAM_WEIGHT_DECAY));
    sign = a.sign<T>(BP_ATTR_FOREACH_ADAM_MAXIMIZE);
    rate = static_cast<T>(lr / (1 - pow(a.f64(BP_ATTR_FOREACH_ADAM_BETA1), step)));
    root2 = static_cast<T>(sqrt(1 - pow(a.f64(BP_ATTR_FOREACH_ADAM_BETA2), step)));
  }
  template <class X>
  constexpr void operator()(X& p, const X& gradient, [[maybe_unused]] X& a, [[maybe_unused]] X& b,
                            [[maybe_unused]] X& c) const {
    X g = sign * gradient;
    if constexpr (kDecoupled)
      p *= decay;
    else if (decay != 0)
      g += decay * p;
    a += rest1 * (g - a);
    b = beta2 * b + rest2 * (g * g);
    if constexpr (kLargest) c = larger(b, c);
    const X& most = kLargest ? c : b;
    p -= rate * (a / (sqrt(most) / root2 + eps));
  }
};

template <class T, bool kCentered, bool kMomentum>
struct RmsProp {
  using Calc = T;
  static constexpr int kLists = 3 + kCentered + kMomentum;
  T lr, alpha, rest, eps, decay, momentum, sign;
  explicit RmsProp(const bp_attr* attrs)
      : lr(Attrs{attrs}.as<T>(BP_ATTR_FOREACH_RMSPROP_LR)),
        alpha(Attrs{attrs}.as<T>(BP_ATTR_FOREACH_RMSPROP_ALPHA)),
        rest(static_cast<T>(1 - Attrs{attrs}.f64(BP_ATTR_FOREACH_RMSPROP_ALPHA))),
        eps(Attrs{attrs}.as<T>(BP_ATTR_FOREACH_RMSPROP_EPS)),
        decay(Attrs{attrs}.as<T>(BP_ATTR_FOREACH_RMSPROP_WEIGHT_DECAY)),
        momentum(Attrs{attrs}.as<T>(BP_ATTR_FOREACH_RMSPROP_MOMENTUM)),
        sign(Attrs{attrs}.sign<T>(BP_ATTR_FOREACH_RMSPROP_MAXIMIZE)) {}
  template <class X>
  constexpr void operator()(X& p, const X& gradient, [[maybe_unused]] X& a, [[maybe_unused]] X& b,
                            [[maybe_unused]] X& c) const {
    X g = sign * gradient;
    if (decay != 0) g += decay * p;
    a = alpha * a + rest * (g * g);
    X spread = a;
    if constexpr (kCentered) {
      b += rest * (g - b);
      spread -= b * b;
    }
    X by = g / (sqrt(spread) + eps);
    if constexpr (kMomentum) {
      X& kept = kCentered ? c : b;
      kept = momentum * kept + by;
      by = kept;
    }
    p -= lr * by;
  }
};

template <class T>
struct Adagrad {
  using Calc = T;
  static constexpr int kLists = 3;
  T rate, decay, eps, sign;
  explicit Adagrad(const bp_attr* attrs)
      : rate(static_cast<T>(
            Attrs{attrs}.f64(BP_ATTR_FOREACH_ADAGRAD_LR) /
            (1 + static_cast<double>(Attrs{attrs}.i64(BP_ATTR_FOREACH_ADAGRAD_STEP) - 1) *
                     Attrs{attrs}.f64(BP_ATTR_FOREACH_ADAGRAD_LR_DECAY)))),
        decay(Attrs{attrs}.as<T>(BP_ATTR_FOREACH_ADAGRAD_WEIGHT_DECAY)),
        eps(Attrs{attrs}.as<T>(BP_ATTR_FOREACH_ADAGRAD_EPS)),
        sign(Attrs{attrs}.sign<T>(BP_ATTR_FOREACH_ADAGRAD_MAXIMIZE)) {}
  template <class X>
  constexpr void operator()(X& p, const X& gradient, [[maybe_unused]] X& a, [[maybe_unused]] X& b,
                            [[maybe_unused]] X& c) const {
    X g = sign * gradient;
    if (decay != 0) g += decay * p;
    a += g * g;
    p -= rate * (g / (sqrt(a) + eps));
  }
};

// Calls fn(step) with the step of one of the rows foreach_sgd ... foreach_adagrad, over so many
// lists, with what all elements share in T.
template <class T, class F>
auto with_step(uint32_t op, size_t lists, const bp_attr* attrs, const F& fn) {
  switch (op) {
    case BP_OP_FOREACH_SGD: return lists == 3 ? fn(Sgd<T, true>(attrs)) : fn(Sgd<T, false>(attrs));
    case BP_OP_FOREACH_ADAM:
      return lists == 5 ? fn(Adam<T, false, true>(attrs)) : fn(Adam<T, false, false>(attrs));
    case BP_OP_FOREACH_ADAMW:
      return lists == 5 ? fn(Adam<T, true, true>(attrs)) : fn(Adam<T, true, false>(attrs));
    case BP_OP_FOREACH_RMSPROP:
      if (Attrs{attrs}.i64(BP_ATTR_FOREACH_RMSPROP_CENTERED))
        return lists == 5 ? fn(RmsProp<T, true, true>(attrs)) : fn(RmsProp<T, true, false>(attrs));
      return lists == 4 ? fn(RmsProp<T, false, true>(attrs)) : fn(RmsProp<T, false, false>(attrs));
    default: return fn(Adagrad<T>(attrs));
  }
}

}  // namespace
}  // namespace bp_kit
