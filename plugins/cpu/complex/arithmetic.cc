// SPDX-License-Identifier: Apache-2.0
// arithmetic.cc: complex numbers, elementwise, but for products (kernels/elementwise).
#include "device/registry.h"
#include "kernels/dense.h"
#include "kit/complex.h"

namespace bp_cpu::BP_ISA {
namespace {

struct Neg {
  template <class T>
  static Complex<T> of(Complex<T> x) {
    return -x;
  }
};
struct Square {
  template <class T>
  static Complex<T> of(Complex<T> x) {
    return x * x;
  }
};
struct Conj {
  template <class T>
  static Complex<T> of(Complex<T> x) {
    return conjugate(x);
  }
};
struct Abs {
  template <class T>
  static T of(Complex<T> x) {
    return modulus(x);
  }
};
struct Angle {
  template <class T>
  static T of(Complex<T> x) {
    return argument(x);
  }
};
struct Add {
  template <class T>
  static Complex<T> of(Complex<T> a, Complex<T> b) {
    return a + b;
  }
};
struct Sub {
  template <class T>
  static Complex<T> of(Complex<T> a, Complex<T> b) {
    return a - b;
  }
};
struct Div {
  template <class T>
  static Complex<T> of(Complex<T> a, Complex<T> b) {
    return a / b;
  }
};

template <class F>
bp_status run(const bp_launch* launch, bp_error**) {
  using F32 = decltype(F::of(Complex<float>{}));
  using F64 = decltype(F::of(Complex<double>{}));
  static constexpr Loops kSingle = unary_loops<F, Complex<float>, F32>(),
                         kDouble = unary_loops<F, Complex<double>, F64>();
  run_elementwise(*launch, launch->args[0].dtype == BP_C64 ? kSingle : kDouble);
  return BP_OK;
}
template <class F>
bp_status run_two(const bp_launch* launch, bp_error**) {
  static constexpr Loops kSingle = binary_loops<F, Complex<float>>(),
                         kDouble = binary_loops<F, Complex<double>>();
  run_elementwise(*launch, launch->args[2].dtype == BP_C64 ? kSingle : kDouble);
  return BP_OK;
}

}  // namespace

void add_arithmetic(Registry& r) {
  r.add(BP_OP_NEG, kComplex, run<Neg>);
  r.add(BP_OP_SQUARE, kComplex, run<Square>);
  r.add(BP_OP_CONJ, kComplex, run<Conj>);
  r.add(BP_OP_ABS, kComplex, run<Abs>);
  r.add(BP_OP_ANGLE, kComplex, run<Angle>);
  r.add(BP_OP_ADD, kComplex, run_two<Add>);
  r.add(BP_OP_SUB, kComplex, run_two<Sub>);
  r.add(BP_OP_DIV, kComplex, run_two<Div>);
}

}  // namespace bp_cpu::BP_ISA
