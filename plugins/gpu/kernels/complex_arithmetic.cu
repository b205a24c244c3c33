// SPDX-License-Identifier: Apache-2.0
// complex_arithmetic.cu: complex numbers, elementwise.
#include "gpu/elementwise.h"
#include "kit/complex.h"

namespace bp_gpu {
namespace {

struct Neg {
  template <class T>
  GPU_FN static T of(T x) {
    return -x;
  }
};
struct Square {
  template <class T>
  GPU_FN static T of(T x) {
    return x * x;
  }
};
struct Conj {
  template <class T>
  GPU_FN static T of(T x) {
    return conjugate(x);
  }
};
struct Abs {
  template <class T>
  GPU_FN static T of(Complex<T> x) {
    return modulus(x);
  }
};
struct Angle {
  template <class T>
  GPU_FN static T of(Complex<T> x) {
    return argument(x);
  }
};
struct Add {
  template <class T>
  GPU_FN static T of(T a, T b) {
    return a + b;
  }
};
struct Sub {
  template <class T>
  GPU_FN static T of(T a, T b) {
    return a - b;
  }
};
struct Mul {
  template <class T>
  GPU_FN static T of(T a, T b) {
    return a * b;
  }
};
struct Div {
  template <class T>
  GPU_FN static T of(T a, T b) {
    return a / b;
  }
};

}  // namespace

void add_complex_arithmetic(Registry& r) {
  add_unary<Neg, kComplex>(r, BP_OP_NEG);
  add_unary<Square, kComplex>(r, BP_OP_SQUARE);
  add_unary<Conj, kComplex>(r, BP_OP_CONJ);
  add_unary<Abs, kComplex>(r, BP_OP_ABS);
  add_unary<Angle, kComplex>(r, BP_OP_ANGLE);
  add_binary<Add, kComplex>(r, BP_OP_ADD);
  add_binary<Sub, kComplex>(r, BP_OP_SUB);
  add_binary<Mul, kComplex>(r, BP_OP_MUL);
  add_binary<Div, kComplex>(r, BP_OP_DIV);
}

}  // namespace bp_gpu
