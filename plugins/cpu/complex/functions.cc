// SPDX-License-Identifier: Apache-2.0
// functions.cc: elementary functions of complex numbers, and what asks for their parts.
#include "device/registry.h"
#include "kernels/dense.h"
#include "kit/complex_functions.h"

namespace bp_cpu::BP_ISA {
namespace {

using Wide = Complex<double>;
using Function = Wide (*)(Wide);

// Computes in f64 throughout. Few elements are worth a thread, because a function takes long.
template <class T, Function kFunction>
void apply(void* out, const void* const* in, int64_t n) {
  Complex<T>* y = static_cast<Complex<T>*>(out);
  const Complex<T>* x = static_cast<const Complex<T>*>(in[0]);
  for (int64_t i = 0; i < n; ++i) y[i] = rounded<T>(kFunction(widened(x[i])));
}
template <Function kFunction>
bp_status run(const bp_launch* launch, bp_error**) {
  static constexpr Loops kSingle{.dense = {apply<float, kFunction>}, .grain = 2048},
      kDouble{.dense = {apply<double, kFunction>}, .grain = 2048};
  run_elementwise(*launch, launch->args[0].dtype == BP_C64 ? kSingle : kDouble);
  return BP_OK;
}

struct Pow {
  template <class T>
  static Complex<T> of(Complex<T> a, Complex<T> b) {
    return rounded<T>(complex_pow(widened(a), widened(b)));
  }
};

Bool truth(bool x) { return {static_cast<uint8_t>(x)}; }
struct IsNan {
  template <class T>
  static Bool of(Complex<T> x) {
    return truth(has_nan(x));
  }
};
struct IsInf {
  template <class T>
  static Bool of(Complex<T> x) {
    return truth(has_infinity(x));
  }
};
struct IsFinite {
  template <class T>
  static Bool of(Complex<T> x) {
    return truth(!has_nan(x) && !has_infinity(x));
  }
};
template <class T>
bool is_true(Complex<T> x) {
  return x.re != 0 || x.im != 0;
}
struct LogicalNot {
  template <class T>
  static Bool of(Complex<T> x) {
    return truth(!is_true(x));
  }
};
struct LogicalAnd {
  template <class T>
  static Bool of(Complex<T> a, Complex<T> b) {
    return truth(is_true(a) && is_true(b));
  }
};
struct LogicalOr {
  template <class T>
  static Bool of(Complex<T> a, Complex<T> b) {
    return truth(is_true(a) || is_true(b));
  }
};
struct LogicalXor {
  template <class T>
  static Bool of(Complex<T> a, Complex<T> b) {
    return truth(is_true(a) != is_true(b));
  }
};

template <class F>
bp_status run_predicate(const bp_launch* launch, bp_error**) {
  static constexpr Loops kSingle = unary_loops<F, Complex<float>, Bool>(),
                         kDouble = unary_loops<F, Complex<double>, Bool>();
  run_elementwise(*launch, launch->args[0].dtype == BP_C64 ? kSingle : kDouble);
  return BP_OK;
}
template <class F, class Single, class Double>
bp_status run_two(const bp_launch* launch, bp_error**) {
  static constexpr Loops kSingle = binary_loops<F, Complex<float>, Single>(),
                         kDouble = binary_loops<F, Complex<double>, Double>();
  run_elementwise(*launch, launch->args[0].dtype == BP_C64 ? kSingle : kDouble);
  return BP_OK;
}

}  // namespace

void add_functions(Registry& r) {
  r.add(BP_OP_SQRT, kComplex, run<complex_sqrt<double>>);
  r.add(BP_OP_RSQRT, kComplex, run<complex_rsqrt<double>>);
  r.add(BP_OP_RECIPROCAL, kComplex, run<complex_reciprocal<double>>);
  r.add(BP_OP_SIGN, kComplex, run<complex_sign<double>>);
  r.add(BP_OP_EXP, kComplex, run<complex_exp<double>>);
  r.add(BP_OP_EXPM1, kComplex, run<complex_expm1<double>>);
  r.add(BP_OP_LOG, kComplex, run<complex_log<double>>);
  r.add(BP_OP_LOG1P, kComplex, run<complex_log1p<double>>);
  r.add(BP_OP_LOG2, kComplex, run<complex_log2<double>>);
  r.add(BP_OP_LOG10, kComplex, run<complex_log10<double>>);
  r.add(BP_OP_SIN, kComplex, run<complex_sin<double>>);
  r.add(BP_OP_COS, kComplex, run<complex_cos<double>>);
  r.add(BP_OP_TAN, kComplex, run<complex_tan<double>>);
  r.add(BP_OP_SINH, kComplex, run<complex_sinh<double>>);
  r.add(BP_OP_COSH, kComplex, run<complex_cosh<double>>);
  r.add(BP_OP_TANH, kComplex, run<complex_tanh<double>>);
  r.add(BP_OP_ASIN, kComplex, run<complex_asin<double>>);
  r.add(BP_OP_ACOS, kComplex, run<complex_acos<double>>);
  r.add(BP_OP_ATAN, kComplex, run<complex_atan<double>>);
  r.add(BP_OP_ASINH, kComplex, run<complex_asinh<double>>);
  r.add(BP_OP_ACOSH, kComplex, run<complex_acosh<double>>);
  r.add(BP_OP_ATANH, kComplex, run<complex_atanh<double>>);
  r.add(BP_OP_SIGMOID, kComplex, run<complex_sigmoid<double>>);
  r.add(BP_OP_POW, kComplex, run_two<Pow, Complex<float>, Complex<double>>);
  r.add(BP_OP_ISNAN, kComplex, run_predicate<IsNan>);
  r.add(BP_OP_ISINF, kComplex, run_predicate<IsInf>);
  r.add(BP_OP_ISFINITE, kComplex, run_predicate<IsFinite>);
  r.add(BP_OP_LOGICAL_NOT, kComplex, run_predicate<LogicalNot>);
  r.add(BP_OP_LOGICAL_AND, kComplex, run_two<LogicalAnd, Bool, Bool>);
  r.add(BP_OP_LOGICAL_OR, kComplex, run_two<LogicalOr, Bool, Bool>);
  r.add(BP_OP_LOGICAL_XOR, kComplex, run_two<LogicalXor, Bool, Bool>);
}

}  // namespace bp_cpu::BP_ISA
