// optimizers.h: what a step of an optimiser does to one element, for every backend. Formulas:
// torch/optim/{sgd,adam,adamw,rmsprop,adagrad}.py, the loops over single tensors.
//
// An element is op(p, gradient, a, b, c): parameter, gradient and up to three states, in the order
// of the row's lists, in T (halves in f32); those beyond kLists are not looked at. No array:
// compilers would not vectorise the loop around it. Bias corrections and whatever else is the same
// for all elements is computed once, in f64, by the constructor.
//
//   const Adam<float, /*kDecoupled=*/false, /*kLargest=*/true> op(launch);
//   op(p, g, a, b, c);
#pragma once
#include <math.h>

#include "c_op_ids.h"
#include "kit/number.h"

namespace bp_kit {
namespace {  // each instruction set compiles its own

// The attributes of a launch, by position.
struct Attrs {
  const bp_launch& l;
  double f64(int i) const { return l.attrs[i].value.f64; }
  int64_t i64(int i) const { return l.attrs[i].value.i64; }
  template <class T>
  T as(int i) const {
    return static_cast<T>(l.attrs[i].value.f64);
  }
  template <class T>
  T sign(int i) const {
    return l.attrs[i].value.i64 ? T(-1) : T(1);
  }
};

template <class T, bool kMomentum>
struct Sgd {
  using Calc = T;
  static constexpr int kLists = kMomentum ? 3 : 2;
  T lr, momentum, rest, decay, sign;
  bool nesterov, first;
  explicit Sgd(const bp_launch& l)
      : lr(Attrs{l}.as<T>(BP_ATTR_MULTI_SGD_LR)),
        momentum(Attrs{l}.as<T>(BP_ATTR_MULTI_SGD_MOMENTUM)),
        rest(static_cast<T>(1 - Attrs{l}.f64(BP_ATTR_MULTI_SGD_DAMPENING))),
        decay(Attrs{l}.as<T>(BP_ATTR_MULTI_SGD_WEIGHT_DECAY)),
        sign(Attrs{l}.sign<T>(BP_ATTR_MULTI_SGD_MAXIMIZE)),
        nesterov(Attrs{l}.i64(BP_ATTR_MULTI_SGD_NESTEROV)),
        first(Attrs{l}.i64(BP_ATTR_MULTI_SGD_FIRST)) {}
  constexpr void operator()(T& p, T& gradient, [[maybe_unused]] T& a, [[maybe_unused]] T& b,
                            [[maybe_unused]] T& c) const {
    T g = sign * gradient;
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
  explicit Adam(const bp_launch& l) {
    const Attrs a{l};
    const double lr = a.f64(BP_ATTR_MULTI_ADAM_LR),
                 step = static_cast<double>(a.i64(BP_ATTR_MULTI_ADAM_STEP));
    rest1 = static_cast<T>(1 - a.f64(BP_ATTR_MULTI_ADAM_BETA1));
    beta2 = a.as<T>(BP_ATTR_MULTI_ADAM_BETA2);
    rest2 = static_cast<T>(1 - a.f64(BP_ATTR_MULTI_ADAM_BETA2));
    eps = a.as<T>(BP_ATTR_MULTI_ADAM_EPS);
    decay = static_cast<T>(kDecoupled ? 1 - lr * a.f64(BP_ATTR_MULTI_ADAM_WEIGHT_DECAY)
                                      : a.f64(BP_ATTR_MULTI_ADAM_WEIGHT_DECAY));
    sign = a.sign<T>(BP_ATTR_MULTI_ADAM_MAXIMIZE);
    rate = static_cast<T>(lr / (1 - pow(a.f64(BP_ATTR_MULTI_ADAM_BETA1), step)));
    root2 = static_cast<T>(sqrt(1 - pow(a.f64(BP_ATTR_MULTI_ADAM_BETA2), step)));
  }
  constexpr void operator()(T& p, T& gradient, [[maybe_unused]] T& a, [[maybe_unused]] T& b,
                            [[maybe_unused]] T& c) const {
    T g = sign * gradient;
    if constexpr (kDecoupled)
      p *= decay;
    else if (decay != 0)
      g += decay * p;
    a += rest1 * (g - a);
    b = beta2 * b + rest2 * (g * g);
    T most = b;
    if constexpr (kLargest) {
      most = c > most || c != c ? c : most;
      c = most;
    }
    p -= rate * (a / (sqrt(most) / root2 + eps));
  }
};

template <class T, bool kCentered, bool kMomentum>
struct RmsProp {
  using Calc = T;
  static constexpr int kLists = 3 + kCentered + kMomentum;
  T lr, alpha, rest, eps, decay, momentum, sign;
  explicit RmsProp(const bp_launch& l)
      : lr(Attrs{l}.as<T>(BP_ATTR_MULTI_RMSPROP_LR)),
        alpha(Attrs{l}.as<T>(BP_ATTR_MULTI_RMSPROP_ALPHA)),
        rest(static_cast<T>(1 - Attrs{l}.f64(BP_ATTR_MULTI_RMSPROP_ALPHA))),
        eps(Attrs{l}.as<T>(BP_ATTR_MULTI_RMSPROP_EPS)),
        decay(Attrs{l}.as<T>(BP_ATTR_MULTI_RMSPROP_WEIGHT_DECAY)),
        momentum(Attrs{l}.as<T>(BP_ATTR_MULTI_RMSPROP_MOMENTUM)),
        sign(Attrs{l}.sign<T>(BP_ATTR_MULTI_RMSPROP_MAXIMIZE)) {}
  constexpr void operator()(T& p, T& gradient, [[maybe_unused]] T& a, [[maybe_unused]] T& b,
                            [[maybe_unused]] T& c) const {
    T g = sign * gradient;
    if (decay != 0) g += decay * p;
    a = alpha * a + rest * (g * g);
    T spread = a;
    if constexpr (kCentered) {
      b += rest * (g - b);
      spread -= b * b;
    }
    T by = g / (sqrt(spread) + eps);
    if constexpr (kMomentum) {
      T& kept = kCentered ? c : b;
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
  explicit Adagrad(const bp_launch& l)
      : rate(static_cast<T>(Attrs{l}.f64(BP_ATTR_MULTI_ADAGRAD_LR) /
                            (1 + static_cast<double>(Attrs{l}.i64(BP_ATTR_MULTI_ADAGRAD_STEP) - 1) *
                                     Attrs{l}.f64(BP_ATTR_MULTI_ADAGRAD_LR_DECAY)))),
        decay(Attrs{l}.as<T>(BP_ATTR_MULTI_ADAGRAD_WEIGHT_DECAY)),
        eps(Attrs{l}.as<T>(BP_ATTR_MULTI_ADAGRAD_EPS)),
        sign(Attrs{l}.sign<T>(BP_ATTR_MULTI_ADAGRAD_MAXIMIZE)) {}
  constexpr void operator()(T& p, T& gradient, [[maybe_unused]] T& a, [[maybe_unused]] T& b,
                            [[maybe_unused]] T& c) const {
    T g = sign * gradient;
    if (decay != 0) g += decay * p;
    a += g * g;
    p -= rate * (g / (sqrt(a) + eps));
  }
};

// The factor is read where the elements are, so that nobody waits for it.
template <class T>
struct ScaleBy {
  using Calc = T;
  static constexpr int kLists = 1;
  const T* factor;  // the operand after the list
  explicit ScaleBy(const bp_launch& l) : factor(static_cast<const T*>(l.args[l.n_in - 1].data)) {}
  constexpr void operator()(T& p, T&, T&, T&, T&) const { p *= *factor; }
};

template <class T>
struct ClampTo {
  using Calc = T;
  static constexpr int kLists = 1;
  T low, high;
  explicit ClampTo(const bp_launch& l)
      : low(bound(l, BP_ATTR_MULTI_CLAMP_LOW)), high(bound(l, BP_ATTR_MULTI_CLAMP_HIGH)) {}
  constexpr void operator()(T& p, T&, T&, T&, T&) const {
    const T x = p < low ? low : p;
    p = x > high ? high : x;
  }

 private:
  // What T cannot hold bounds nothing.
  static T bound(const bp_launch& l, int i) {
    constexpr double most = static_cast<double>(std::numeric_limits<T>::max());
    const double x = Attrs{l}.f64(i);
    return x > most    ? std::numeric_limits<T>::infinity()
           : x < -most ? -std::numeric_limits<T>::infinity()
                       : static_cast<T>(x);
  }
};

// How many tensors each list of the launch has; an operand may come after the lists.
template <class Op>
int64_t count_of(const bp_launch& l) {
  return (static_cast<int64_t>(l.n_in) - (l.op == BP_OP_MULTI_SCALE ? 1 : 0)) / Op::kLists;
}

// fn(op) with the op of the launch, computing in T.
template <class T, class F>
bp_status with_update(const bp_launch& l, const F& fn) {
  const Attrs a{l};
  const auto lists = [&] { return l.n_in / static_cast<uint32_t>(a.i64(BP_ATTR_MULTI_SGD_COUNT)); };
  switch (l.op) {
    case BP_OP_MULTI_SGD: return lists() == 3 ? fn(Sgd<T, true>(l)) : fn(Sgd<T, false>(l));
    case BP_OP_MULTI_ADAM:
      return lists() == 5 ? fn(Adam<T, false, true>(l)) : fn(Adam<T, false, false>(l));
    case BP_OP_MULTI_ADAMW:
      return lists() == 5 ? fn(Adam<T, true, true>(l)) : fn(Adam<T, true, false>(l));
    case BP_OP_MULTI_RMSPROP:
      if (a.i64(BP_ATTR_MULTI_RMSPROP_CENTERED))
        return lists() == 5 ? fn(RmsProp<T, true, true>(l)) : fn(RmsProp<T, true, false>(l));
      return lists() == 4 ? fn(RmsProp<T, false, true>(l)) : fn(RmsProp<T, false, false>(l));
    case BP_OP_MULTI_ADAGRAD: return fn(Adagrad<T>(l));
    case BP_OP_MULTI_SCALE: return fn(ScaleBy<T>(l));
    default: return fn(ClampTo<T>(l));
  }
}

constexpr uint32_t kUpdateOps[] = {BP_OP_MULTI_SGD,     BP_OP_MULTI_ADAM,    BP_OP_MULTI_ADAMW,
                                   BP_OP_MULTI_RMSPROP, BP_OP_MULTI_ADAGRAD, BP_OP_MULTI_SCALE,
                                   BP_OP_MULTI_CLAMP};

// ---- the norm of everything ----
// What one element adds, what parts are joined by, and the end; ord as vector_norm has it.
// Accumulated in f64.
struct NormOf {
  enum Kind : int32_t { kSquares, kSum, kCount, kPower, kLargest, kSmallest };
  Kind kind;
  double ord;
  explicit NormOf(double o)
      : kind(o == 2                ? kSquares
             : o == 1              ? kSum
             : o == 0              ? kCount
             : fabs(o) == HUGE_VAL ? (o > 0 ? kLargest : kSmallest)
                                   : kPower),
        ord(o) {}
  constexpr double none() const { return kind == kSmallest ? HUGE_VAL : 0.0; }
  constexpr double term(double x) const {
    switch (kind) {
      case kSquares: return x * x;
      case kCount: return x != 0 ? 1.0 : 0.0;
      case kPower: return pow(fabs(x), ord);
      default: return fabs(x);
    }
  }
  constexpr double join(double a, double b) const {
    if (kind == kLargest) return b > a || b != b ? b : a;
    if (kind == kSmallest) return b < a || b != b ? b : a;
    return a + b;
  }
  constexpr double end(double sum) const {
    return kind == kSquares ? sqrt(sum) : kind == kPower ? pow(sum, 1 / ord) : sum;
  }
};

}  // namespace
}  // namespace bp_kit
