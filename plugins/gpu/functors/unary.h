// SPDX-License-Identifier: Apache-2.0
// unary.h: functors of one operand: signs, roots, rounding, tests and functions, by the device's
// own. A functor's `of` is what an elementwise kernel (elementwise.h) and a group of steps
// (fused.h) compute of an element, so that both give the same bits.
//
//   const float y = functors::Neg::of(1.0F);
#pragma once
#include "gpu/kernel.h"
#include "gpu/sigmoid.h"

namespace bp_gpu::functors {

using bp_gpu::Sigmoid;

namespace {  // each family compiles its own, and nothing of it by itself

struct Neg {
  template <class T>
  GPU_FN static T of(T x) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(Wrapping<T>{0} - static_cast<Wrapping<T>>(x));
    else
      return -x;
  }
};
struct Abs {
  template <class T>
  GPU_FN static T of(T x) {
    if constexpr (std::is_floating_point_v<T>)
      return fabs(x);
    else
      return x < 0 ? Neg::of(x) : x;
  }
  GPU_FN static Bool of(Bool x) { return x; }
};
struct Sign {
  template <class T>
  GPU_FN static T of(T x) {
    return static_cast<T>((x > 0) - (x < 0));
  }
  GPU_FN static Bool of(Bool x) { return x; }
};
struct Square {
  template <class T>
  GPU_FN static T of(T x) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(x) * static_cast<Wrapping<T>>(x));
    else
      return x * x;
  }
};
struct Relu {
  template <class T>
  GPU_FN static T of(T x) {
    return x < 0 ? T(0) : x;
  }
};
struct IsNan {
  template <class T>
  GPU_FN static Bool of(T x) {
    return {static_cast<uint8_t>(x != x)};
  }
  GPU_FN static Bool of(Bool) { return {0}; }
};
struct IsInf {
  template <class T>
  GPU_FN static Bool of(T x) {
    if constexpr (std::is_floating_point_v<T>)
      return {static_cast<uint8_t>(fabs(x) == static_cast<T>(INFINITY))};
    else
      return {0};
  }
  GPU_FN static Bool of(Bool) { return {0}; }
};
struct IsFinite {
  template <class T>
  GPU_FN static Bool of(T x) {
    if constexpr (std::is_floating_point_v<T>)
      return {static_cast<uint8_t>(fabs(x) < static_cast<T>(INFINITY))};
    else
      return {1};
  }
  GPU_FN static Bool of(Bool) { return {1}; }
};
// A zero and a NaN have a sign too, which copysign hands to a number that can be compared.
struct SignBit {
  template <class T>
  GPU_FN static Bool of(T x) {
    if constexpr (std::is_floating_point_v<T>)
      return {static_cast<uint8_t>(copysign(T(1), x) < 0)};
    else
      return {static_cast<uint8_t>(x < 0)};
  }
  GPU_FN static Bool of(Bool) { return {0}; }
};
struct BitwiseNot {
  template <class T>
  GPU_FN static T of(T x) {
    return static_cast<T>(~x);
  }
  GPU_FN static Bool of(Bool x) { return {static_cast<uint8_t>(x.byte == 0)}; }
};
struct LogicalNot {
  template <class T>
  GPU_FN static Bool of(T x) {
    return {static_cast<uint8_t>(x == 0)};
  }
  GPU_FN static Bool of(Bool x) { return {static_cast<uint8_t>(x.byte == 0)}; }
};

// Rounding leaves integers as they are.
#define BP_ROUNDING(Name, name)            \
  struct Name {                            \
    template <class T>                     \
    GPU_FN static T of(T x) {              \
      if constexpr (std::is_integral_v<T>) \
        return x;                          \
      else                                 \
        return name(x);                    \
    }                                      \
  };
BP_ROUNDING(Floor, floor)
BP_ROUNDING(Ceil, ceil)
BP_ROUNDING(Trunc, trunc)
BP_ROUNDING(Round, rint)  // halves to even in the default rounding mode
#undef BP_ROUNDING

#define BP_FUNCTION(Name, expression) \
  struct Name {                       \
    template <class T>                \
    GPU_FN static T of(T x) {         \
      return expression;              \
    }                                 \
  };
BP_FUNCTION(Sqrt, sqrt(x))
BP_FUNCTION(Rsqrt, 1 / sqrt(x))
BP_FUNCTION(Reciprocal, 1 / x)
BP_FUNCTION(Exp, exp(x))
BP_FUNCTION(Expm1, expm1(x))
BP_FUNCTION(Log, log(x))
BP_FUNCTION(Log1p, log1p(x))
BP_FUNCTION(Sin, sin(x))
BP_FUNCTION(Cos, cos(x))
BP_FUNCTION(Tan, tan(x))
BP_FUNCTION(Tanh, tanh(x))
BP_FUNCTION(Erf, erf(x))
BP_FUNCTION(Asin, asin(x))
BP_FUNCTION(Acos, acos(x))
BP_FUNCTION(Atan, atan(x))
BP_FUNCTION(Sinh, sinh(x))
BP_FUNCTION(Cosh, cosh(x))
BP_FUNCTION(Asinh, asinh(x))
BP_FUNCTION(Acosh, acosh(x))
BP_FUNCTION(Atanh, atanh(x))
BP_FUNCTION(Log2, log2(x))
BP_FUNCTION(Log10, log10(x))
BP_FUNCTION(Exp2, exp2(x))
#undef BP_FUNCTION

// Far left e^x goes in as two factors, so that x e^x rounds only once where e^x is subnormal.
struct Silu {
  template <class T>
  GPU_FN static T of(T x) {
    if (!(x < 0)) return x / (1 + exp(-x));
    if (x > -80) {
      const T e = exp(x);
      return x * (e / (1 + e));
    }
    const T root = exp(x / 2);
    return x * root / (1 + root * root) * root;
  }
};

// x (1 + erf(x / sqrt 2)) / 2 = x erfc(-x / sqrt 2) / 2. Far left, erfc multiplies an error of its
// argument z by 2 z^2; what rounding takes from z is therefore put back to first order: erfc'(z) =
// -2 / sqrt(pi) e^(-z^2). Where erfc of an f32 is subnormal, x makes a number of it again: f64
// there.
struct Gelu {
  template <class T>
  GPU_FN static T of(T x) {
    constexpr double kRoot = 0.70710678118654752440, kRest = -4.8336466567264567e-17;
    constexpr T kHigh = static_cast<T>(kRoot), kLow = static_cast<T>(kRoot - kHigh + kRest);
    if constexpr (std::is_same_v<T, float>)
      if (x < -12) return static_cast<float>(of(static_cast<double>(x)));
    if (x > 40) return x;  // infinity, too
    const T z = -x * kHigh, lost = fma(-x, kHigh, -z) - x * kLow;
    return x * (T(0.5) * (erfc(z) - T(1.1283791670955125739) * exp(-z * z) * lost));
  }
};

}  // namespace
}  // namespace bp_gpu::functors
