// SPDX-License-Identifier: Apache-2.0
// unary.cu: signs, roots, rounding, tests and functions of one operand, by the device's functions.
#include "gpu/elementwise.h"

namespace bp_gpu {
namespace {

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

// Below 0 it is made of e^x, which becomes subnormal where 1 / e^-x is 0 already.
struct Sigmoid {
  template <class T>
  GPU_FN static T of(T x) {
    const T e = exp(-fabs(x));
    return (x < 0 ? e : T(1)) / (1 + e);
  }
};
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

void add_unary(Registry& r) {
  constexpr uint64_t kWithBool = kReals | bit(BP_BOOL);
  add_unary<Neg, kReals>(r, BP_OP_NEG);
  add_unary<Abs, kWithBool>(r, BP_OP_ABS);
  add_unary<Sign, kWithBool>(r, BP_OP_SIGN);
  add_unary<Square, kReals>(r, BP_OP_SQUARE);
  add_unary<Relu, kReals>(r, BP_OP_RELU);
  add_unary<Floor, kReals>(r, BP_OP_FLOOR);
  add_unary<Ceil, kReals>(r, BP_OP_CEIL);
  add_unary<Trunc, kReals>(r, BP_OP_TRUNC);
  add_unary<Round, kReals>(r, BP_OP_ROUND);
  add_unary<IsNan, kWithBool>(r, BP_OP_ISNAN);
  add_unary<IsInf, kWithBool>(r, BP_OP_ISINF);
  add_unary<IsFinite, kWithBool>(r, BP_OP_ISFINITE);
  add_unary<SignBit, kWithBool>(r, BP_OP_SIGNBIT);
  add_unary<BitwiseNot, kIntegers | bit(BP_BOOL)>(r, BP_OP_BITWISE_NOT);
  add_unary<LogicalNot, kWithBool>(r, BP_OP_LOGICAL_NOT);
  add_unary<Sqrt, kFloats>(r, BP_OP_SQRT);
  add_unary<Rsqrt, kFloats>(r, BP_OP_RSQRT);
  add_unary<Reciprocal, kFloats>(r, BP_OP_RECIPROCAL);
  add_unary<Exp, kFloats>(r, BP_OP_EXP);
  add_unary<Expm1, kFloats>(r, BP_OP_EXPM1);
  add_unary<Log, kFloats>(r, BP_OP_LOG);
  add_unary<Log1p, kFloats>(r, BP_OP_LOG1P);
  add_unary<Sin, kFloats>(r, BP_OP_SIN);
  add_unary<Cos, kFloats>(r, BP_OP_COS);
  add_unary<Tan, kFloats>(r, BP_OP_TAN);
  add_unary<Tanh, kFloats>(r, BP_OP_TANH);
  add_unary<Asin, kFloats>(r, BP_OP_ASIN);
  add_unary<Acos, kFloats>(r, BP_OP_ACOS);
  add_unary<Atan, kFloats>(r, BP_OP_ATAN);
  add_unary<Sinh, kFloats>(r, BP_OP_SINH);
  add_unary<Cosh, kFloats>(r, BP_OP_COSH);
  add_unary<Asinh, kFloats>(r, BP_OP_ASINH);
  add_unary<Acosh, kFloats>(r, BP_OP_ACOSH);
  add_unary<Atanh, kFloats>(r, BP_OP_ATANH);
  add_unary<Log2, kFloats>(r, BP_OP_LOG2);
  add_unary<Log10, kFloats>(r, BP_OP_LOG10);
  add_unary<Exp2, kFloats>(r, BP_OP_EXP2);
  add_unary<Sigmoid, kFloats>(r, BP_OP_SIGMOID);
  add_unary<Erf, kFloats>(r, BP_OP_ERF);
  add_unary<Gelu, kFloats>(r, BP_OP_GELU);
  add_unary<Silu, kFloats>(r, BP_OP_SILU);
}

}  // namespace bp_gpu
