// SPDX-License-Identifier: Apache-2.0
// divide.cc: true division, floor_divide, remainder and fmod. The middle two follow Python and
// PyTorch: they take an exact fmod and correct it by the sign of the divisor. With fused
// multiply-add, a - trunc(a / b) b is exact while the quotient is exact to one unit, which gives
// fmod without its loop; other lanes go to the library.
#include <math.h>

#include "device/registry.h"
#include "kernels/dense.h"
#include "math/vector.h"

namespace bp_cpu::BP_ISA {
namespace {

[[maybe_unused]] inline float lib_fmod(float a, float b) { return fmodf(a, b); }
[[maybe_unused]] inline double lib_fmod(double a, double b) { return ::fmod(a, b); }
[[maybe_unused]] inline float lib_floor(float x) { return floorf(x); }
[[maybe_unused]] inline double lib_floor(double x) { return ::floor(x); }

struct Div {
  template <class T>
  static T of(T a, T b) {
    return a / b;
  }
};

// For integers: 0 where b is 0; the most negative number by -1 wraps to itself, remainder 0.
struct FloorDivideInteger {
  template <class T>
  static T of(T a, T b) {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return static_cast<T>(Wrapping<T>{0} - static_cast<Wrapping<T>>(a));
      const T q = static_cast<T>(a / b), r = static_cast<T>(a % b);
      return static_cast<T>(q - (r != 0 && (r < 0) != (b < 0)));
    } else {
      return static_cast<T>(a / b);
    }
  }
};
struct RemainderInteger {
  template <class T>
  static T of(T a, T b) {
    if (b == 0) return 0;
    if constexpr (std::is_signed_v<T>) {
      if (b == -1) return 0;
      const T r = static_cast<T>(a % b);
      return static_cast<T>(r + (r != 0 && (r < 0) != (b < 0) ? b : 0));
    } else {
      return static_cast<T>(a % b);
    }
  }
};

struct FmodInteger {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_signed_v<T>)
      if (b == -1) return 0;
    return b == 0 ? T{0} : static_cast<T>(a % b);
  }
};

// Integers of 32 and 64 bits are divided as f64, which vectors can: the quotient of integers below
// 2^51 is rounded to an integer only where it is one. Blocks with larger ones go by F.
template <class T>
constexpr bool kDividesAsF64 = std::is_signed_v<T> && sizeof(T) >= 4;
template <class F, bool kRemainder, class T, bool kOneA, bool kOneB>
void divide_loop(void* out, const void* const* in, int64_t n) {
  constexpr int64_t kBlock = 128;
  T* y = static_cast<T*>(out);
  const T* a = static_cast<const T*>(in[0]);
  const T* b = static_cast<const T*>(in[1]);
  const T first = a[0], second = b[0];  // read before the first write: they may be y[0]
  const auto left = [&](int64_t i) { return kOneA ? first : a[i]; };
  const auto right = [&](int64_t i) { return kOneB ? second : b[i]; };
  for (int64_t done = 0; done < n; done += kBlock) {
    const int64_t end = n - done < kBlock ? n : done + kBlock;
    int64_t bits = 0;  // those that are no copies of a sign
    for (int64_t i = done; sizeof(T) == 8 && i < end; ++i) {
      const int64_t p = left(i), q = right(i);
      bits |= (p ^ (p >> 63)) | (q ^ (q >> 63));
    }
    if (bits >> 51) {
      for (int64_t i = done; i < end; ++i) y[i] = F::of(left(i), right(i));
      continue;
    }
#pragma omp simd
    for (int64_t i = done; i < end; ++i) {
      const int64_t p = left(i), q = right(i);
      const double d = q == 0 ? 1.0 : static_cast<double>(q);
      const auto quotient = static_cast<int64_t>(__builtin_floor(static_cast<double>(p) / d));
      const int64_t result = kRemainder ? p - quotient * q : quotient;
      y[i] = static_cast<T>(q == 0 ? 0 : result);
    }
  }
}

// fmod(a, b) of the lanes that are not unsafe().
template <class D, class V>
HWY_INLINE V fmod_small(D d, V a, V b) {
  const V q = hn::Trunc(hn::Div(a, b));
  V r = hn::NegMulAdd(q, b, a);
  // The rounded quotient may be one too large; r then has the wrong sign.
  const auto over =
      hn::And(hn::Ne(r, hn::Zero(d)), hn::Xor(hn::Lt(r, hn::Zero(d)), hn::Lt(a, hn::Zero(d))));
  r = hn::Add(r, hn::IfThenElseZero(over, hn::CopySign(b, a)));
  return hn::CopySign(r, a);
}
// Lanes with a quotient of too many bits, infinities, NaN, division by zero, or magnitudes at which
// r could underflow.
template <class D, class V>
HWY_INLINE auto unsafe(D d, V a, V b) {
  using T = hn::TFromD<D>;
  constexpr T kMost = sizeof(T) == 4 ? T(0x1p22) : T(0x1p51);
  constexpr T kLeast = sizeof(T) == 4 ? T(0x1p-90) : T(0x1p-900);
  const V q = hn::Abs(hn::Div(a, b));
  const auto fine =
      hn::And(hn::And(hn::Lt(q, hn::Set(d, kMost)), hn::Lt(hn::Abs(b), hn::Set(d, 1 / kLeast))),
              hn::Gt(hn::Abs(b), hn::Set(d, kLeast)));
  return hn::Not(fine);
}
// Whether r, which is fmod's, has the wrong sign for a remainder by b.
template <class D, class V>
HWY_INLINE auto points_away(D d, V r, V b) {
  return hn::And(hn::Ne(r, hn::Zero(d)), hn::Xor(hn::Lt(r, hn::Zero(d)), hn::Lt(b, hn::Zero(d))));
}

struct Fmod {
  template <class D, class V>
  static HWY_INLINE V of(D d, V a, V b) {
    return fmod_small(d, a, b);
  }
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V a, V b) {
    return unsafe(d, a, b);
  }
  template <class T>
  static T scalar(T a, T b) {
    return lib_fmod(a, b);
  }
};

struct Remainder {
  template <class D, class V>
  static HWY_INLINE V of(D d, V a, V b) {
    const V r = fmod_small(d, a, b);
    const V y = hn::Add(r, hn::IfThenElseZero(points_away(d, r, b), b));
    // Python's zero has the sign of b
    return hn::IfThenElse(hn::Eq(r, hn::Zero(d)), hn::CopySign(r, b), y);
  }
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V a, V b) {
    return unsafe(d, a, b);
  }
  template <class T>
  static T scalar(T a, T b) {
    const T r = lib_fmod(a, b);
    if (r == 0) return std::signbit(b) ? -T(0) : T(0);
    return (r < 0) != (b < 0) ? r + b : r;
  }
};

struct FloorDivide {
  template <class D, class V>
  static HWY_INLINE V of(D d, V a, V b) {
    using T = hn::TFromD<D>;
    const V r = fmod_small(d, a, b);
    const V one = hn::Set(d, T(1));
    // (a - r) / b is within rounding of an integer.
    const V q = hn::Round(hn::Div(hn::Sub(a, r), b));
    const V y = hn::Sub(q, hn::IfThenElseZero(points_away(d, r, b), one));
    return hn::IfThenElse(hn::Eq(y, hn::Zero(d)), hn::CopySign(hn::Zero(d), hn::Xor(a, b)), y);
  }
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V a, V b) {
    return unsafe(d, a, b);
  }
  template <class T>
  static T scalar(T a, T b) {
    if (b == 0) return a / b;
    const T r = lib_fmod(a, b);
    T q = (a - r) / b;
    if (r != 0 && (r < 0) != (b < 0)) q -= 1;
    if (q == 0) return a / b < 0 || (a / b == 0 && std::signbit(a / b)) ? -T(0) : T(0);
    T y = lib_floor(q);
    if (q - y > T(0.5)) y += 1;
    return y;
  }
};

template <class F>
struct Dense {
  template <class T>
  struct Make {
    static constexpr Loops loops() { return binary_loops<F, T>(); }
  };
};
template <class F, bool kRemainder>
struct Divided {
  template <class T>
  struct Make {
    static constexpr Loops loops() {
      if constexpr (kDividesAsF64<T>)
        return {.dense = {divide_loop<F, kRemainder, T, false, false>,
                          divide_loop<F, kRemainder, T, true, false>,
                          divide_loop<F, kRemainder, T, false, true>}};
      else
        return binary_loops<F, T>();
    }
  };
};
template <class F>
struct Math {
  template <class T>
  struct Make {
    static constexpr Loops loops() {
      return {.dense = {binary_math<F, T, false, false>, binary_math<F, T, true, false>,
                        binary_math<F, T, false, true>},
              .grain = 16384};
    }
  };
};

constexpr Table true_division() {
  Table t{};
  add_floats<Dense<Div>::Make>(t, /*result=*/true);
  return t;
}
template <class OfFloat, template <class> class OfInteger>
constexpr Table division() {
  Table t{};
  add_integers<OfInteger>(t);
  add_floats<Math<OfFloat>::template Make>(t, /*result=*/true);
  return t;
}
constexpr Table kDiv = true_division(),
                kFloorDivide = division<FloorDivide, Divided<FloorDivideInteger, false>::Make>(),
                kRemainder = division<Remainder, Divided<RemainderInteger, true>::Make>(),
                kFmod = division<Fmod, Dense<FmodInteger>::Make>();

template <const Table& kTable>
bp_status run(const bp_launch* launch, bp_error**) {
  run_elementwise(*launch, kTable.by_dtype[launch->args[0].dtype]);
  return BP_OK;
}

}  // namespace

void add_divide(Registry& r) {
  r.add(BP_OP_DIV, kFloats, run<kDiv>);
  r.add(BP_OP_FLOOR_DIVIDE, kReals, run<kFloorDivide>);
  r.add(BP_OP_REMAINDER, kReals, run<kRemainder>);
  r.add(BP_OP_FMOD, kReals, run<kFmod>);
}

}  // namespace bp_cpu::BP_ISA
