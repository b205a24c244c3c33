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
// In f64 by Borges, "Algorithm 1014: An improved algorithm for hypot(x,y)" (TOMS 47, 2020): a
// square root, and what its square lacks of the sum of squares.
struct Abs {
  GPU_FN static float of(Complex<float> x) { return modulus(x); }
  GPU_FN static double of(Complex<double> x) {
    if (isinf(x.re) || isinf(x.im)) return static_cast<double>(INFINITY);
    double a = fabs(x.re), b = fabs(x.im);
    if (a < b) {
      const double t = a;
      a = b;
      b = t;
    }
    if (b <= a * 0x1p-60) return a;
    const double scale = a > 0x1p500 ? 0x1p-600 : b < 0x1p-450 ? 0x1p500 : 1;
    a *= scale;
    b *= scale;
    const double h = sqrt(fma(a, a, b * b)), square = h * h, aa = a * a;
    const double over = fma(-b, b, square - aa) + fma(h, h, -square) - fma(a, a, -aa);
    return (h - over / (2 * h)) / scale;
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
