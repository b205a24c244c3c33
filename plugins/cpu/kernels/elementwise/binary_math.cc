// SPDX-License-Identifier: Apache-2.0
// binary_math.cc: functions of two floats: atan2, hypot and logaddexp by vectors, copysign and
// nextafter by bits.
#include <math.h>

#include "device/registry.h"
#include "kernels/dense.h"
#include "math/exponential.h"
#include "math/inverse_trigonometry.h"
#include "math/logarithm.h"

namespace bp_cpu::BP_ISA {
namespace {

[[maybe_unused]] inline float lib_exp(float x) { return expf(x); }
[[maybe_unused]] inline double lib_exp(double x) { return ::exp(x); }
[[maybe_unused]] inline float lib_log1p(float x) { return log1pf(x); }
[[maybe_unused]] inline double lib_log1p(double x) { return ::log1p(x); }
[[maybe_unused]] inline float lib_fabs(float x) { return fabsf(x); }
[[maybe_unused]] inline double lib_fabs(double x) { return ::fabs(x); }

struct Atan2 {
  template <class D, class V>
  static HWY_INLINE V of(D d, V a, V b) {
    return BP_ISA::atan2(d, a, b);
  }
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V a, V b) {
    return atan2_is_special(d, a, b);
  }
  static float scalar(float a, float b) { return atan2f(a, b); }
  static double scalar(double a, double b) { return ::atan2(a, b); }
};

// Operands are scaled by a power of two where their squares overflow, or lose what counts.
template <class T>
struct HypotScale;
template <>
struct HypotScale<float> {
  [[maybe_unused]] static constexpr float kLarge = 0x1p60f, kDown = 0x1p-70f, kSmall = 0x1p-60f,
                                          kUp = 0x1p90f;
};
template <>
struct HypotScale<double> {
  [[maybe_unused]] static constexpr double kLarge = 0x1p500, kDown = 0x1p-600, kSmall = 0x1p-480,
                                           kUp = 0x1p600;
};
struct Hypot {
  template <class D, class V>
  static HWY_INLINE V of(D d, V a, V b) {
    using T = hn::TFromD<D>;
    using C = HypotScale<T>;
    const V x = hn::Max(hn::Abs(a), hn::Abs(b)), y = hn::Min(hn::Abs(a), hn::Abs(b));
    const auto large = hn::Gt(x, hn::Set(d, C::kLarge)), small = hn::Lt(x, hn::Set(d, C::kSmall));
    const auto pick = [&](T up, T down) {
      return hn::IfThenElse(large, hn::Set(d, down),
                            hn::IfThenElse(small, hn::Set(d, up), hn::Set(d, T(1))));
    };
    const V by = pick(C::kUp, C::kDown), u = hn::Mul(x, by), v = hn::Mul(y, by);
    return hn::Mul(hn::Sqrt(hn::MulAdd(u, u, hn::Mul(v, v))), pick(1 / C::kUp, 1 / C::kDown));
  }
  // Infinity wins over NaN, as in the library's function.
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V a, V b) {
    const V inf = hn::Set(d, static_cast<hn::TFromD<D>>(INFINITY));
    return hn::Not(hn::And(hn::Lt(hn::Abs(a), inf), hn::Lt(hn::Abs(b), inf)));
  }
  static float scalar(float a, float b) { return hypotf(a, b); }
  static double scalar(double a, double b) { return ::hypot(a, b); }
};

// The distance of equal operands is 0, infinite ones included.
struct LogAddExp {
  template <class D, class V>
  static HWY_INLINE V of(D d, V a, V b) {
    const V distance = hn::IfThenZeroElse(hn::Eq(a, b), hn::Abs(hn::Sub(a, b)));
    return hn::Add(hn::Max(a, b), BP_ISA::log1p(d, BP_ISA::exp(d, hn::Neg(distance))));
  }
  template <class T>
  static T scalar(T a, T b) {
    const T distance = a == b ? T(0) : lib_fabs(a - b);
    return (a > b ? a : b) + lib_log1p(lib_exp(-distance));
  }
};

struct CopySign {
  static float of(float a, float b) { return __builtin_copysignf(a, b); }
  static double of(double a, double b) { return __builtin_copysign(a, b); }
};

// Numbers of one sign are ordered as their bits are; one step is one unit of the bits. It is taken
// in the dtype itself, because f32 would step finer.
template <class T>
struct NextAfter {
  using U = std::conditional_t<sizeof(T) == 2, uint16_t,
                               std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>;
  static U of(U a, U b) {
    constexpr U kSign = static_cast<U>(U{1} << (8 * sizeof(U) - 1));
    constexpr U kLargest = static_cast<U>(largest_bits<T>()), kNan = kLargest | kLargest >> 1;
    const U x = static_cast<U>(a & ~kSign), y = static_cast<U>(b & ~kSign);
    const bool same_side = ((a ^ b) & kSign) == 0;
    const U stepped = static_cast<U>(same_side && y > x ? a + 1 : a - 1);
    const U from_zero = static_cast<U>((b & kSign) | 1);
    const U moved = x == 0 ? from_zero : stepped;
    const U result = a == b || (x | y) == 0 ? b : moved;
    return x > kLargest || y > kLargest ? kNan : result;
  }
};

template <class F>
struct Math {
  template <class T>
  struct Make {
    static constexpr Loops loops() {
      return {.dense = {binary_math<F, T, false, false>, binary_math<F, T, true, false>,
                        binary_math<F, T, false, true>},
              .grain = 8192};
    }
  };
};
template <class F>
struct Dense {
  template <class T>
  struct Make {
    static constexpr Loops loops() { return binary_loops<F, T>(); }
  };
};
template <template <class> class Make>
constexpr Table floats() {
  Table t{};
  add_floats<Make>(t, /*result=*/true);
  return t;
}
constexpr Table next_after() {
  Table t{};
  each_type<kFloats>([&](auto x, bp_dtype d) {
    using Step = NextAfter<decltype(x)>;
    t.by_dtype[d] = binary_loops<Step, typename Step::U>();
  });
  return t;
}
constexpr Table kAtan2 = floats<Math<Atan2>::Make>(), kHypot = floats<Math<Hypot>::Make>(),
                kLogAddExp = floats<Math<LogAddExp>::Make>(),
                kCopySign = floats<Dense<CopySign>::Make>(), kNextAfter = next_after();

template <const Table& kTable>
bp_status run(const bp_launch* launch, bp_error**) {
  run_elementwise(*launch, kTable.by_dtype[launch->args[0].dtype]);
  return BP_OK;
}

}  // namespace

void add_binary_math(Registry& r) {
  r.add(BP_OP_ATAN2, kFloats, run<kAtan2>);
  r.add(BP_OP_HYPOT, kFloats, run<kHypot>);
  r.add(BP_OP_LOGADDEXP, kFloats, run<kLogAddExp>);
  r.add(BP_OP_COPYSIGN, kFloats, run<kCopySign>);
  r.add(BP_OP_NEXTAFTER, kFloats, run<kNextAfter>);
}

}  // namespace bp_cpu::BP_ISA
