// SPDX-License-Identifier: Apache-2.0
// unary_math.cc: the transcendental functions over f32 and f64; halves through f32.
#include <math.h>

#include "device/registry.h"
#include "kernels/dense.h"
#include "kernels/reduction/registers.h"
#include "math/error_function.h"
#include "math/exponential.h"
#include "math/hyperbolic.h"
#include "math/logarithm.h"
#include "math/trigonometry.h"

namespace bp_cpu::BP_ISA {
namespace {

// The library's functions by type, under names of ours: std's overloads are inline functions that
// the linker would share between instruction sets.
#define BP_LIBRARY(name)                                                    \
  [[maybe_unused]] inline float lib_##name(float x) { return name##f(x); }  \
  [[maybe_unused]] inline double lib_##name(double x) { return ::name(x); } \
  [[maybe_unused]] inline long double lib_##name(long double x) { return name##l(x); }
BP_LIBRARY(exp)
BP_LIBRARY(expm1)
BP_LIBRARY(log)
BP_LIBRARY(log1p)
BP_LIBRARY(sin)
BP_LIBRARY(cos)
BP_LIBRARY(tan)
BP_LIBRARY(tanh)
BP_LIBRARY(sinh)
BP_LIBRARY(cosh)
BP_LIBRARY(exp2)
BP_LIBRARY(log2)
BP_LIBRARY(log10)
BP_LIBRARY(erf)
BP_LIBRARY(erfc)
#undef BP_LIBRARY

template <class T>
T lib_sigmoid(T x) {
  const T e = lib_exp(x < 0 ? x : -x);
  return (x < 0 ? e : T(1)) / (1 + e);
}
// x times a factor goes through this type, because a factor that is subnormal in T loses bits.
template <class T>
using Wider = std::conditional_t<sizeof(T) == 4, double, long double>;
template <class T>
T lib_silu(T x) {
  const Wider<T> w = x;
  return static_cast<T>(w * lib_sigmoid(w));
}
template <class T>
T lib_gelu(T x) {
  const Wider<T> w = x;
  return static_cast<T>(w / 2 * lib_erfc(w * static_cast<Wider<T>>(-0.70710678118654752440L)));
}

#define BP_FUNCTION(Name, name)        \
  struct Name {                        \
    template <class D, class V>        \
    static HWY_INLINE V of(D d, V x) { \
      return BP_ISA::name(d, x);       \
    }                                  \
    template <class T>                 \
    static T scalar(T x) {             \
      return lib_##name(x);            \
    }                                  \
  };
BP_FUNCTION(Exp, exp)
BP_FUNCTION(Expm1, expm1)
BP_FUNCTION(Log, log)
BP_FUNCTION(Log1p, log1p)
BP_FUNCTION(Tanh, tanh)
BP_FUNCTION(Sinh, sinh)
BP_FUNCTION(Cosh, cosh)
BP_FUNCTION(Exp2, exp2)
BP_FUNCTION(Log2, log2)
BP_FUNCTION(Log10, log10)
BP_FUNCTION(Sigmoid, sigmoid)
BP_FUNCTION(Silu, silu)
BP_FUNCTION(Gelu, gelu)
BP_FUNCTION(Erf, erf)
BP_FUNCTION(PlainSin, sin)
BP_FUNCTION(PlainCos, cos)
BP_FUNCTION(PlainTan, tan)
#undef BP_FUNCTION

template <class F>
struct Periodic : F {
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V x) {
    return hn::Gt(hn::Abs(x), hn::Set(d, TrigConstants<hn::TFromD<D>>::kLimit));
  }
};

template <class F>
struct Of {
  template <class T>
  struct Make {
    static constexpr Loops loops() { return {.dense = {unary_math<F, T>}, .grain = 8192}; }
  };
};

template <class F>
constexpr Table table() {
  Table t{};
  add_floats<Of<F>::template Make>(t, /*result=*/true);
  return t;
}

// Halves of gelu go from memory to memory, with as many terms as they have bits for.
template <class H>
void gelu_halves(void* out, const void* const* in, int64_t n) {
  const H* x = static_cast<const H*>(in[0]);
  H* y = static_cast<H*>(out);
  each_register<float>(n, [&](const auto& r, int64_t at) {
    r.store(gelu_of_half(Tag<float>(), r.load(x + at)), y + at);
  });
}
constexpr Table gelu_table() {
  Table t = table<Gelu>();
  if constexpr (kVectorMath)
    each_type<kHalves>([&](auto h, bp_dtype d) {
      t.by_dtype[d] = {.dense = {gelu_halves<decltype(h)>}, .grain = 8192};
    });
  return t;
}

template <class F>
constexpr Table kTable = table<F>();
template <>
constexpr Table kTable<Gelu> = gelu_table();

template <class F>
bp_status run(const bp_launch* launch, bp_error**) {
  run_elementwise(*launch, kTable<F>.by_dtype[launch->args[0].dtype]);
  return BP_OK;
}

}  // namespace

void add_unary_math(Registry& r) {
  r.add(BP_OP_EXP, kFloats, run<Exp>);
  r.add(BP_OP_EXPM1, kFloats, run<Expm1>);
  r.add(BP_OP_LOG, kFloats, run<Log>);
  r.add(BP_OP_LOG1P, kFloats, run<Log1p>);
  r.add(BP_OP_SIN, kFloats, run<Periodic<PlainSin>>);
  r.add(BP_OP_COS, kFloats, run<Periodic<PlainCos>>);
  r.add(BP_OP_TAN, kFloats, run<Periodic<PlainTan>>);
  r.add(BP_OP_TANH, kFloats, run<Tanh>);
  r.add(BP_OP_SINH, kFloats, run<Sinh>);
  r.add(BP_OP_COSH, kFloats, run<Cosh>);
  r.add(BP_OP_EXP2, kFloats, run<Exp2>);
  r.add(BP_OP_LOG2, kFloats, run<Log2>);
  r.add(BP_OP_LOG10, kFloats, run<Log10>);
  r.add(BP_OP_SIGMOID, kFloats, run<Sigmoid>);
  r.add(BP_OP_GELU, kFloats, run<Gelu>);
  r.add(BP_OP_SILU, kFloats, run<Silu>);
  r.add(BP_OP_ERF, kFloats, run<Erf>);
}

}  // namespace bp_cpu::BP_ISA
