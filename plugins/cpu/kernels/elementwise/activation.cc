// SPDX-License-Identifier: Apache-2.0
// activation.cc: neural networks' functions of one tensor, with parameters or without; clip and
// lerp of three tensors.
#include <math.h>

#include "device/registry.h"
#include "kernels/dense.h"
#include "kit/parameters.h"
#include "math/exponential.h"
#include "math/logarithm.h"

namespace bp_cpu::BP_ISA {
namespace {

#define BP_LIBRARY(name)                                                    \
  [[maybe_unused]] inline float lib_##name(float x) { return name##f(x); }  \
  [[maybe_unused]] inline double lib_##name(double x) { return ::name(x); } \
  [[maybe_unused]] inline long double lib_##name(long double x) { return name##l(x); }
BP_LIBRARY(exp)
BP_LIBRARY(expm1)
BP_LIBRARY(log1p)
BP_LIBRARY(fabs)
#undef BP_LIBRARY

// ---- one expression for compilers to vectorise ----

struct LeakyRelu {
  template <class T>
  static T of(T x, T slope) {
    return x > 0 ? x : slope * x;
  }
};
template <class T>
T ramp(T x) {
  const T y = x + 3;
  return y < 0 ? T(0) : y > 6 ? T(6) : y;
}
struct HardSigmoid {
  template <class T>
  static T of(T x) {
    return ramp(x) / 6;
  }
};
struct HardSwish {
  template <class T>
  static T of(T x) {
    return x * (ramp(x) / 6);
  }
};
struct Clip {
  template <class T>
  static T of(T x, T low, T high) {
    const T y = (x > low || x != x) ? x : low;
    return (y < high || y != y) ? y : high;
  }
};
// The same between two numbers, of which neither is NaN, so that one comparison with each says all.
template <class T>
void clip_between(void* out, const void* const* in, int64_t n) {
  T* y = static_cast<T*>(out);
  const T* x = static_cast<const T*>(in[0]);
  const T low = *static_cast<const T*>(in[1]), high = *static_cast<const T*>(in[2]);
  if (low != low || high != high) return ternary_loop<Clip, T, true, true>(out, in, n);
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) {
    const T above = x[i] <= low ? low : x[i];
    y[i] = above >= high ? high : above;
  }
}
// Starts from the nearer end, so that weights 0 and 1 give the ends themselves.
struct Lerp {
  template <class T>
  static T of(T start, T end, T weight) {
    const T way = end - start;
    return weight < T(0.5) ? start + weight * way : end - (1 - weight) * way;
  }
};

// ---- vectors ----

struct Softplus {
  template <class D, class V>
  static HWY_INLINE V of(D d, V x, V beta, V threshold) {
    const V z = hn::Mul(x, beta), zero = hn::Zero(d);
    const V tail = BP_ISA::log1p(d, BP_ISA::exp(d, hn::Neg(hn::Abs(z))));
    const V y = hn::Div(hn::Add(hn::IfThenElse(hn::Gt(z, zero), z, zero), tail), beta);
    return hn::IfThenElse(hn::Gt(z, threshold), x, y);
  }
  template <class T>
  static T scalar(T x, T beta, T threshold) {
    const T z = x * beta;
    return z > threshold ? x : ((z > 0 ? z : T(0)) + lib_log1p(lib_exp(-lib_fabs(z)))) / beta;
  }
};
struct Elu {
  template <class D, class V>
  static HWY_INLINE V of(D d, V x, V alpha) {
    return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), x, hn::Mul(alpha, BP_ISA::expm1(d, x)));
  }
  template <class T>
  static T scalar(T x, T alpha) {
    return x > 0 ? x : alpha * lib_expm1(x);
  }
};

template <class T>
using Wider = std::conditional_t<sizeof(T) == 4, double, long double>;

// tanh(log(1 + e)) = e (e + 2) / (e (e + 2) + 2), e = e^x. As in silu the power of two comes last
// left of zero, and -inf gives NaN.
struct Mish {
  template <class D, class V>
  static HWY_INLINE V of(D d, V x) {
    using T = hn::TFromD<D>;
    using C = ExpConstants<T>;
    const V one = hn::Set(d, T(1)), two = hn::Set(d, T(2));
    const V low = hn::Set(d, C::kSmallest - 20);
    const auto left = hn::Lt(x, hn::Zero(d));
    const auto [n, r] = reduce_exp(d, hn::Max(low, hn::Min(hn::Set(d, T(40)), x)));
    const V p = hn::Add(exp_minus_one(d, r), one), e = scale(d, p, n);
    const V more = hn::Add(e, two), product = hn::Mul(e, more);
    const V top = hn::IfThenElse(left, hn::Mul(p, more), product);
    const V factor = hn::Div(top, hn::Add(product, two));
    const V y = scale(d, hn::Mul(hn::IfThenElse(left, hn::Max(low, x), x), factor),
                      hn::IfThenElseZero(left, n));
    return hn::IfThenElse(hn::Eq(x, hn::Set(d, -static_cast<T>(INFINITY))),
                          hn::Set(d, static_cast<T>(NAN)), y);
  }
  template <class T>
  static T scalar(T x) {
    const Wider<T> w = x, e = lib_exp(w < 60 ? w : Wider<T>(60)), product = e * (e + 2);
    return static_cast<T>(w * (product / (product + 2)));
  }
};
// (1 + tanh u) / 2 is sigmoid(2 u).
struct GeluTanh {
  template <class D, class V>
  static HWY_INLINE V of(D d, V x) {
    using T = hn::TFromD<D>;
    const V inner = hn::MulAdd(hn::Mul(hn::Mul(x, x), hn::Set(d, T(0.044715))), x, x);
    return hn::Mul(x, sigmoid(d, hn::Mul(inner, hn::Set(d, T(1.5957691216057308)))));
  }
  template <class T>
  static T scalar(T x) {
    const T u = (x + x * x * T(0.044715) * x) * T(1.5957691216057308), e = lib_exp(-lib_fabs(u));
    return x * ((u < 0 ? e : T(1)) / (1 + e));
  }
};

// ---- tables ----

constexpr int64_t kMathGrain = 8192;

// The driver repeats a lone operand that is no number over a block.
template <class F>
struct Dense {
  template <class T>
  struct Make {
    static constexpr Loops loops() { return unary_loops<F, T>(); }
  };
};
template <class F>
struct OneParameter {
  template <class T>
  struct Make {
    static constexpr Loops loops() {
      return {.dense = {nullptr, nullptr, binary_loop<F, T, T, false, true>}};
    }
  };
};
template <class F>
struct Three {
  template <class T>
  struct Make {
    static constexpr Loops loops() { return ternary_loops<F, T>(); }
  };
};
struct Clipping {
  template <class T>
  struct Make {
    static constexpr Loops loops() {
      Loops l = ternary_loops<Clip, T>();
      l.dense[3] = clip_between<T>;
      return l;
    }
  };
};
template <class F>
struct Math {
  template <class T>
  struct Make {
    static constexpr Loops loops() { return {.dense = {unary_math<F, T>}, .grain = kMathGrain}; }
  };
};
template <class F>
struct MathWithOne {
  template <class T>
  struct Make {
    static constexpr Loops loops() {
      return {.dense = {nullptr, nullptr, unary_math_with<F, T, 1>}, .grain = kMathGrain};
    }
  };
};
template <class F>
struct MathWithTwo {
  template <class T>
  struct Make {
    static constexpr Loops loops() {
      constexpr Loop kLoop = unary_math_with<F, T, 2>;
      return {.dense = {nullptr, kLoop, nullptr, kLoop}, .grain = kMathGrain};
    }
  };
};

template <template <class> class Make>
constexpr Table floats() {
  Table t{};
  add_floats<Make>(t, /*result=*/true);
  return t;
}
constexpr Table clip() {
  Table t = floats<Clipping::Make>();
  add_integers<Clipping::Make>(t);
  return t;
}
constexpr Table kSoftplus = floats<MathWithTwo<Softplus>::Make>(),
                kElu = floats<MathWithOne<Elu>::Make>(),
                kLeakyRelu = floats<OneParameter<LeakyRelu>::Make>(),
                kHardSwish = floats<Dense<HardSwish>::Make>(),
                kHardSigmoid = floats<Dense<HardSigmoid>::Make>(),
                kMish = floats<Math<Mish>::Make>(), kGeluTanh = floats<Math<GeluTanh>::Make>(),
                kClip = clip(), kLerp = floats<Three<Lerp>::Make>();

template <const Table& kTable>
bp_status run(const bp_launch* launch, bp_error**) {
  run_elementwise(*launch, kTable.by_dtype[launch->args[0].dtype]);
  return BP_OK;
}
template <const Table& kTable, int kCount>
bp_status run_with(const bp_launch* launch, bp_error**) {
  const Parameters<kCount> p(*launch);
  run_elementwise(p.launch(), kTable.by_dtype[launch->args[0].dtype]);
  return BP_OK;
}

}  // namespace

void add_activation(Registry& r) {
  r.add(BP_OP_SOFTPLUS, kFloats, run_with<kSoftplus, 2>);
  r.add(BP_OP_ELU, kFloats, run_with<kElu, 1>);
  r.add(BP_OP_LEAKY_RELU, kFloats, run_with<kLeakyRelu, 1>);
  r.add(BP_OP_HARDSWISH, kFloats, run<kHardSwish>);
  r.add(BP_OP_HARDSIGMOID, kFloats, run<kHardSigmoid>);
  r.add(BP_OP_MISH, kFloats, run<kMish>);
  r.add(BP_OP_GELU_TANH, kFloats, run<kGeluTanh>);
  r.add(BP_OP_CLIP, kReals, run<kClip>);
  r.add(BP_OP_LERP, kFloats, run<kLerp>);
}

}  // namespace bp_cpu::BP_ISA
