// SPDX-License-Identifier: Apache-2.0
// unary.cu: signs, roots, rounding, tests and functions of one operand, by the device's functions.
#include "gpu/elementwise.h"
#include "gpu/functors/unary.h"

namespace bp_gpu {

using namespace functors;

void add_unary(Registry& r) {
  constexpr uint64_t kWithBool = kReals | bit(BP_BOOL);
  add_unary<Neg, kReals>(r, BP_OP_NEG);
  add_unary<Abs, kWithBool>(r, BP_OP_ABS);
  add_unary<Sign, kWithBool>(r, BP_OP_SIGN);
  add_unary<Square, kReals>(r, BP_OP_SQUARE);
  add_unary<Relu, kReals>(r, BP_OP_RELU);
  add_unary<Floor, kReals>(r, BP_OP_FLOOR);
  add_unary<Ceil, kReals>(r, BP_OP_CEIL);
  add_unary<Trunc, kReals>(r, BP_OP_TRUNC);
  add_unary<Round, kReals>(r, BP_OP_ROUND);
  add_unary<IsNan, kWithBool>(r, BP_OP_ISNAN);
  add_unary<IsInf, kWithBool>(r, BP_OP_ISINF);
  add_unary<IsFinite, kWithBool>(r, BP_OP_ISFINITE);
  add_unary<SignBit, kWithBool>(r, BP_OP_SIGNBIT);
  add_unary<BitwiseNot, kIntegers | bit(BP_BOOL)>(r, BP_OP_BITWISE_NOT);
  add_unary<LogicalNot, kWithBool>(r, BP_OP_LOGICAL_NOT);
  add_unary<Sqrt, kFloats>(r, BP_OP_SQRT);
  add_unary<Rsqrt, kFloats>(r, BP_OP_RSQRT);
  add_unary<Reciprocal, kFloats>(r, BP_OP_RECIPROCAL);
  add_unary<Exp, kFloats>(r, BP_OP_EXP);
  add_unary<Expm1, kFloats>(r, BP_OP_EXPM1);
  add_unary<Log, kFloats>(r, BP_OP_LOG);
  add_unary<Log1p, kFloats>(r, BP_OP_LOG1P);
  add_unary<Sin, kFloats>(r, BP_OP_SIN);
  add_unary<Cos, kFloats>(r, BP_OP_COS);
  add_unary<Tan, kFloats>(r, BP_OP_TAN);
  add_unary<Tanh, kFloats>(r, BP_OP_TANH);
  add_unary<Asin, kFloats>(r, BP_OP_ASIN);
  add_unary<Acos, kFloats>(r, BP_OP_ACOS);
  add_unary<Atan, kFloats>(r, BP_OP_ATAN);
  add_unary<Sinh, kFloats>(r, BP_OP_SINH);
  add_unary<Cosh, kFloats>(r, BP_OP_COSH);
  add_unary<Asinh, kFloats>(r, BP_OP_ASINH);
  add_unary<Acosh, kFloats>(r, BP_OP_ACOSH);
  add_unary<Atanh, kFloats>(r, BP_OP_ATANH);
  add_unary<Log2, kFloats>(r, BP_OP_LOG2);
  add_unary<Log10, kFloats>(r, BP_OP_LOG10);
  add_unary<Exp2, kFloats>(r, BP_OP_EXP2);
  add_unary<Sigmoid, kFloats>(r, BP_OP_SIGMOID);
  add_unary<Erf, kFloats>(r, BP_OP_ERF);
  add_unary<Gelu, kFloats>(r, BP_OP_GELU);
  add_unary<Silu, kFloats>(r, BP_OP_SILU);
}

}  // namespace bp_gpu
