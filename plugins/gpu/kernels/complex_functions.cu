// SPDX-License-Identifier: Apache-2.0
// complex_functions.cu: elementary functions of complex numbers, and what asks for their parts.
#include "gpu/elementwise.h"
#include "kit/complex_functions.h"

namespace bp_gpu {
namespace {

// Functions compute in f64 throughout.
#define BP_FUNCTION(Name, function)                      \
  struct Name {                                          \
    template <class T>                                   \
    GPU_FN static Complex<T> of(Complex<T> x) {          \
      return rounded<T>(complex_##function(widened(x))); \
    }                                                    \
  };
BP_FUNCTION(Sqrt, sqrt)
BP_FUNCTION(Rsqrt, rsqrt)
BP_FUNCTION(Reciprocal, reciprocal)
BP_FUNCTION(Sign, sign)
BP_FUNCTION(Exp, exp)
BP_FUNCTION(Expm1, expm1)
BP_FUNCTION(Log, log)
BP_FUNCTION(Log1p, log1p)
BP_FUNCTION(Log2, log2)
BP_FUNCTION(Log10, log10)
BP_FUNCTION(Sin, sin)
BP_FUNCTION(Cos, cos)
BP_FUNCTION(Tan, tan)
BP_FUNCTION(Sinh, sinh)
BP_FUNCTION(Cosh, cosh)
BP_FUNCTION(Tanh, tanh)
BP_FUNCTION(Asin, asin)
BP_FUNCTION(Acos, acos)
BP_FUNCTION(Atan, atan)
BP_FUNCTION(Asinh, asinh)
BP_FUNCTION(Acosh, acosh)
BP_FUNCTION(Atanh, atanh)
BP_FUNCTION(Sigmoid, sigmoid)
#undef BP_FUNCTION

struct Pow {
  template <class T>
  GPU_FN static Complex<T> of(Complex<T> a, Complex<T> b) {
    return rounded<T>(complex_pow(widened(a), widened(b)));
  }
};

GPU_FN Bool truth(bool x) { return {static_cast<uint8_t>(x)}; }
template <class T>
GPU_FN bool is_true(Complex<T> x) {
  return x.re != 0 || x.im != 0;
}

#define BP_PREDICATE(Name, expression)    \
  struct Name {                           \
    template <class T>                    \
    GPU_FN static Bool of(Complex<T> x) { \
      return truth(expression);           \
    }                                     \
  };
BP_PREDICATE(IsNan, has_nan(x))
BP_PREDICATE(IsInf, has_infinity(x))
BP_PREDICATE(IsFinite, !has_nan(x) && !has_infinity(x))
BP_PREDICATE(LogicalNot, !is_true(x))
#undef BP_PREDICATE

#define BP_PREDICATE(Name, expression)                  \
  struct Name {                                         \
    template <class T>                                  \
    GPU_FN static Bool of(Complex<T> a, Complex<T> b) { \
      return truth(expression);                         \
    }                                                   \
  };
BP_PREDICATE(LogicalAnd, is_true(a) && is_true(b))
BP_PREDICATE(LogicalOr, is_true(a) || is_true(b))
BP_PREDICATE(LogicalXor, is_true(a) != is_true(b))
#undef BP_PREDICATE

}  // namespace

void add_complex_functions(Registry& r) {
  add_unary<Sqrt, kComplex>(r, BP_OP_SQRT);
  add_unary<Rsqrt, kComplex>(r, BP_OP_RSQRT);
  add_unary<Reciprocal, kComplex>(r, BP_OP_RECIPROCAL);
  add_unary<Sign, kComplex>(r, BP_OP_SIGN);
  add_unary<Exp, kComplex>(r, BP_OP_EXP);
  add_unary<Expm1, kComplex>(r, BP_OP_EXPM1);
  add_unary<Log, kComplex>(r, BP_OP_LOG);
  add_unary<Log1p, kComplex>(r, BP_OP_LOG1P);
  add_unary<Log2, kComplex>(r, BP_OP_LOG2);
  add_unary<Log10, kComplex>(r, BP_OP_LOG10);
  add_unary<Sin, kComplex>(r, BP_OP_SIN);
  add_unary<Cos, kComplex>(r, BP_OP_COS);
  add_unary<Tan, kComplex>(r, BP_OP_TAN);
  add_unary<Sinh, kComplex>(r, BP_OP_SINH);
  add_unary<Cosh, kComplex>(r, BP_OP_COSH);
  add_unary<Tanh, kComplex>(r, BP_OP_TANH);
  add_unary<Asin, kComplex>(r, BP_OP_ASIN);
  add_unary<Acos, kComplex>(r, BP_OP_ACOS);
  add_unary<Atan, kComplex>(r, BP_OP_ATAN);
  add_unary<Asinh, kComplex>(r, BP_OP_ASINH);
  add_unary<Acosh, kComplex>(r, BP_OP_ACOSH);
  add_unary<Atanh, kComplex>(r, BP_OP_ATANH);
  add_unary<Sigmoid, kComplex>(r, BP_OP_SIGMOID);
  add_binary<Pow, kComplex>(r, BP_OP_POW);
  add_unary<IsNan, kComplex>(r, BP_OP_ISNAN);
  add_unary<IsInf, kComplex>(r, BP_OP_ISINF);
  add_unary<IsFinite, kComplex>(r, BP_OP_ISFINITE);
  add_unary<LogicalNot, kComplex>(r, BP_OP_LOGICAL_NOT);
  add_binary<LogicalAnd, kComplex>(r, BP_OP_LOGICAL_AND);
  add_binary<LogicalOr, kComplex>(r, BP_OP_LOGICAL_OR);
  add_binary<LogicalXor, kComplex>(r, BP_OP_LOGICAL_XOR);
}

}  // namespace bp_gpu
