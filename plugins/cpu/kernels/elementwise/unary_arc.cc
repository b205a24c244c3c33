// SPDX-License-Identifier: Apache-2.0
// unary_arc.cc: the inverse functions of trigonometry and of the hyperbolic functions, over f32 and
// f64; halves through f32.
#include <math.h>

#include "device/registry.h"
#include "kernels/dense.h"
#include "math/hyperbolic.h"
#include "math/inverse_trigonometry.h"

namespace bp_cpu::BP_ISA {
namespace {

#define BP_FUNCTION(Name, name)                          \
  struct Name {                                          \
    template <class D, class V>                          \
    static HWY_INLINE V of(D d, V x) {                   \
      return BP_ISA::name(d, x);                         \
    }                                                    \
    static float scalar(float x) { return name##f(x); }  \
    static double scalar(double x) { return ::name(x); } \
  };
BP_FUNCTION(Asin, asin)
BP_FUNCTION(Acos, acos)
BP_FUNCTION(Atan, atan)
BP_FUNCTION(SmallAsinh, asinh)
BP_FUNCTION(SmallAcosh, acosh)
BP_FUNCTION(Atanh, atanh)
#undef BP_FUNCTION

// The library computes what is too large to be squared.
template <class F>
struct Squaring : F {
  template <class D, class V>
  static HWY_INLINE auto bad(D d, V x) {
    return hn::Gt(hn::Abs(x), hn::Set(d, HyperbolicConstants<hn::TFromD<D>>::kSquares));
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
template <class F>
constexpr Table kTable = table<F>();

template <class F>
bp_status run(const bp_launch* launch, bp_error**) {
  run_elementwise(*launch, kTable<F>.by_dtype[launch->args[0].dtype]);
  return BP_OK;
}

}  // namespace

void add_unary_arc(Registry& r) {
  r.add(BP_OP_ASIN, kFloats, run<Asin>);
  r.add(BP_OP_ACOS, kFloats, run<Acos>);
  r.add(BP_OP_ATAN, kFloats, run<Atan>);
  r.add(BP_OP_ASINH, kFloats, run<Squaring<SmallAsinh>>);
  r.add(BP_OP_ACOSH, kFloats, run<Squaring<SmallAcosh>>);
  r.add(BP_OP_ATANH, kFloats, run<Atanh>);
}

}  // namespace bp_cpu::BP_ISA
