// SPDX-License-Identifier: Apache-2.0
// unary.cc: signs, roots, rounding and tests: what compilers vectorise from one expression.
#include <math.h>

#include "device/registry.h"
#include "kernels/dense.h"

namespace bp_cpu::BP_ISA {
namespace {

inline float root(float x) { return sqrtf(x); }
inline double root(double x) { return ::sqrt(x); }
inline float magnitude(float x) { return fabsf(x); }
inline double magnitude(double x) { return ::fabs(x); }

struct Neg {
  template <class T>
  static T of(T x) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(Wrapping<T>{0} - static_cast<Wrapping<T>>(x));
    else
      return -x;
  }
};
struct Abs {
  template <class T>
  static T of(T x) {
    if constexpr (std::is_floating_point_v<T>)
      return magnitude(x);
    else
      return x < 0 ? Neg::of(x) : x;
  }
};
struct Sign {
  template <class T>
  static T of(T x) {
    return static_cast<T>((x > 0) - (x < 0));
  }
};
struct Square {
  template <class T>
  static T of(T x) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(x) * static_cast<Wrapping<T>>(x));
    else
      return x * x;
  }
};
struct Relu {
  template <class T>
  static T of(T x) {
    return x < 0 ? T(0) : x;
  }
};
struct Same {
  template <class T>
  static T of(T x) {
    return x;
  }
};
struct Sqrt {
  template <class T>
  static T of(T x) {
    return root(x);
  }
};
struct Rsqrt {
  template <class T>
  static T of(T x) {
    return 1 / root(x);
  }
};
struct Reciprocal {
  template <class T>
  static T of(T x) {
    return 1 / x;
  }
};
struct IsNan {
  template <class T>
  static Bool of(T x) {
    return {static_cast<uint8_t>(x != x)};
  }
};
struct IsInf {
  template <class T>
  static Bool of(T x) {
    return {static_cast<uint8_t>(magnitude(x) == static_cast<T>(INFINITY))};
  }
};
struct IsFinite {
  template <class T>
  static Bool of(T x) {
    return {static_cast<uint8_t>(magnitude(x) < static_cast<T>(INFINITY))};
  }
};
struct SignBit {
  static Bool of(float x) { return {static_cast<uint8_t>(std::bit_cast<uint32_t>(x) >> 31)}; }
  static Bool of(double x) { return {static_cast<uint8_t>(std::bit_cast<uint64_t>(x) >> 63)}; }
};
struct IsNegative {
  template <class T>
  static Bool of(T x) {
    if constexpr (std::is_same_v<T, Bool>)
      return {0};
    else
      return {static_cast<uint8_t>(x < 0)};
  }
};
struct BitwiseNot {
  template <class T>
  static T of(T x) {
    return static_cast<T>(~x);
  }
};
struct Always {
  template <class T>
  static Bool of(T) {
    return {1};
  }
};
struct Never {
  template <class T>
  static Bool of(T) {
    return {0};
  }
};
struct LogicalNot {
  template <class T>
  static Bool of(T x) {
    if constexpr (std::is_same_v<T, Bool>)
      return {static_cast<uint8_t>(x.byte == 0)};
    else
      return {static_cast<uint8_t>(x == 0)};
  }
};

// Without SSE4.1's instructions for rounding the compiler calls the library for each element.
#define BP_ROUNDING(Name, name)                      \
  struct Name {                                      \
    static float of(float x) { return name##f(x); }  \
    static double of(double x) { return ::name(x); } \
  };
BP_ROUNDING(Floor, floor)
BP_ROUNDING(Ceil, ceil)
BP_ROUNDING(Trunc, trunc)
BP_ROUNDING(Round, nearbyint)  // halves to even in the default rounding mode
#undef BP_ROUNDING

template <class F>
struct Of {
  template <class T>
  struct Make {
    static constexpr Loops loops() { return unary_loops<F, T>(); }
  };
};
template <class F>
struct Predicate {
  template <class T>
  struct Make {
    static constexpr Loops loops() { return unary_loops<F, T, Bool>(); }
  };
};

template <class F>
constexpr Table floats() {
  Table t{};
  add_floats<Of<F>::template Make>(t, /*result=*/true);
  return t;
}
template <class F>
constexpr Table numbers() {
  Table t = floats<F>();
  add_integers<Of<F>::template Make>(t);
  return t;
}
template <class F>
constexpr Table numbers_and_bool() {
  Table t = numbers<F>();
  t.by_dtype[BP_BOOL] = unary_loops<Same, uint8_t>();
  return t;
}
// Rounding leaves an integer as it is.
template <class F>
constexpr Table rounding() {
  Table t = floats<F>();
  add_integers<Of<Same>::template Make>(t);
  return t;
}
template <class F, class OfInteger>
constexpr Table predicate() {
  Table t{};
  add_floats<Predicate<F>::template Make>(t, /*result=*/false);
  add_integers<Predicate<OfInteger>::template Make>(t);
  t.by_dtype[BP_BOOL] = unary_loops<OfInteger, Bool, Bool>();
  return t;
}

constexpr Table bits() {
  Table t{};
  add_integers<Of<BitwiseNot>::Make>(t);
  t.by_dtype[BP_BOOL] = unary_loops<LogicalNot, Bool, Bool>();
  return t;
}

constexpr Table kNeg = numbers<Neg>(), kAbs = numbers_and_bool<Abs>(),
                kSign = numbers_and_bool<Sign>(), kSquare = numbers<Square>(),
                kRelu = numbers<Relu>(), kSqrt = floats<Sqrt>(), kRsqrt = floats<Rsqrt>(),
                kReciprocal = floats<Reciprocal>(), kFloor = rounding<Floor>(),
                kCeil = rounding<Ceil>(), kRound = rounding<Round>(), kTrunc = rounding<Trunc>(),
                kIsNan = predicate<IsNan, Never>(), kIsInf = predicate<IsInf, Never>(),
                kLogicalNot = predicate<LogicalNot, LogicalNot>(),
                kIsFinite = predicate<IsFinite, Always>(),
                kSignBit = predicate<SignBit, IsNegative>(), kBitwiseNot = bits();

template <const Table& kTable>
bp_status run(const bp_launch* launch, bp_error**) {
  run_elementwise(*launch, kTable.by_dtype[launch->args[0].dtype]);
  return BP_OK;
}

}  // namespace

void add_unary(Registry& r) {
  constexpr uint64_t kWithBool = kReals | bit(BP_BOOL);
  r.add(BP_OP_NEG, kReals, run<kNeg>);
  r.add(BP_OP_ABS, kWithBool, run<kAbs>);
  r.add(BP_OP_SIGN, kWithBool, run<kSign>);
  r.add(BP_OP_SQRT, kFloats, run<kSqrt>);
  r.add(BP_OP_RSQRT, kFloats, run<kRsqrt>);
  r.add(BP_OP_SQUARE, kReals, run<kSquare>);
  r.add(BP_OP_RECIPROCAL, kFloats, run<kReciprocal>);
  r.add(BP_OP_RELU, kReals, run<kRelu>);
  r.add(BP_OP_FLOOR, kReals, run<kFloor>);
  r.add(BP_OP_CEIL, kReals, run<kCeil>);
  r.add(BP_OP_ROUND, kReals, run<kRound>);
  r.add(BP_OP_TRUNC, kReals, run<kTrunc>);
  r.add(BP_OP_ISNAN, kWithBool, run<kIsNan>);
  r.add(BP_OP_ISINF, kWithBool, run<kIsInf>);
  r.add(BP_OP_ISFINITE, kWithBool, run<kIsFinite>);
  r.add(BP_OP_SIGNBIT, kWithBool, run<kSignBit>);
  r.add(BP_OP_BITWISE_NOT, kIntegers | bit(BP_BOOL), run<kBitwiseNot>);
  r.add(BP_OP_LOGICAL_NOT, kWithBool, run<kLogicalNot>);
}

}  // namespace bp_cpu::BP_ISA
