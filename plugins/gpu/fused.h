// SPDX-License-Identifier: Apache-2.0
// fused.h: what one kernel computes of elements that several elementwise launches would: a short
// program for an interpreter. It is made on the host (fusion.h) and is the kernel's parameter.
//
// A value is 32 bits: a float for f32 and narrow floats, an i32 for integers of at most 32 bits,
// the byte for bool. A step reads slots, numbers and the result of the step before it (kLast); it
// rounds or wraps what it made to its dtype, and may keep it in a slot and write it to memory.
//
//   FusedProgram p{};                        // of so many dims, pointers, steps
//   p.steps[0] = {FusedCode::kLoad, BP_F32};
//   return launch_fused(l, p, err);          // l.args[i] is p.pointers[i]
#pragma once
#include <cstdint>

#include "c_plugin.h"

namespace bp_gpu {

// The functors of a value's kinds, F32, I32 and Truth, by their number of operands:
// X(kind, BP_OP_ of the row, functor). Light ones are computed for a pack's elements side by side;
// others, each of which is some dozens of instructions or more, for one after the other.
#define BP_FUSED_LIGHT(ONE, TWO, THREE)     \
  ONE(F32, NEG, Neg)                        \
  ONE(F32, ABS, Abs)                        \
  ONE(F32, SIGN, Sign)                      \
  ONE(F32, SQUARE, Square)                  \
  ONE(F32, RELU, Relu)                      \
  ONE(F32, FLOOR, Floor)                    \
  ONE(F32, CEIL, Ceil)                      \
  ONE(F32, TRUNC, Trunc)                    \
  ONE(F32, ROUND, Round)                    \
  ONE(F32, SQRT, Sqrt)                      \
  ONE(F32, RSQRT, Rsqrt)                    \
  ONE(F32, RECIPROCAL, Reciprocal)          \
  ONE(F32, HARDSWISH, HardSwish)            \
  ONE(F32, HARDSIGMOID, HardSigmoid)        \
  ONE(F32, ISNAN, IsNan)                    \
  ONE(F32, ISINF, IsInf)                    \
  ONE(F32, ISFINITE, IsFinite)              \
  ONE(F32, SIGNBIT, SignBit)                \
  ONE(I32, NEG, Neg)                        \
  ONE(I32, ABS, Abs)                        \
  ONE(I32, SIGN, Sign)                      \
  ONE(I32, SQUARE, Square)                  \
  ONE(I32, BITWISE_NOT, BitwiseNot)         \
  ONE(Truth, BITWISE_NOT, BitwiseNot)       \
  ONE(Truth, LOGICAL_NOT, LogicalNot)       \
  TWO(F32, ADD, Add)                        \
  TWO(F32, SUB, Sub)                        \
  TWO(F32, MUL, Mul)                        \
  TWO(F32, DIV, Div)                        \
  TWO(F32, MAXIMUM, Maximum)                \
  TWO(F32, MINIMUM, Minimum)                \
  TWO(F32, COPYSIGN, CopySign)              \
  TWO(F32, LEAKY_RELU, LeakyRelu)           \
  TWO(F32, EQ, Eq)                          \
  TWO(F32, NE, Ne)                          \
  TWO(F32, LT, Lt)                          \
  TWO(F32, LE, Le)                          \
  TWO(F32, GT, Gt)                          \
  TWO(F32, GE, Ge)                          \
  TWO(I32, ADD, Add)                        \
  TWO(I32, SUB, Sub)                        \
  TWO(I32, MUL, Mul)                        \
  TWO(I32, MAXIMUM, Maximum)                \
  TWO(I32, MINIMUM, Minimum)                \
  TWO(I32, BITWISE_AND, And)                \
  TWO(I32, BITWISE_OR, Or)                  \
  TWO(I32, BITWISE_XOR, Xor)                \
  TWO(I32, BITWISE_LEFT_SHIFT, ShiftLeft)   \
  TWO(I32, BITWISE_RIGHT_SHIFT, ShiftRight) \
  TWO(I32, EQ, Eq)                          \
  TWO(I32, NE, Ne)                          \
  TWO(I32, LT, Lt)                          \
  TWO(I32, LE, Le)                          \
  TWO(I32, GT, Gt)                          \
  TWO(I32, GE, Ge)                          \
  TWO(Truth, BITWISE_AND, And)              \
  TWO(Truth, BITWISE_OR, Or)                \
  TWO(Truth, BITWISE_XOR, Xor)              \
  TWO(Truth, LOGICAL_AND, LogicalAnd)       \
  TWO(Truth, LOGICAL_OR, LogicalOr)         \
  TWO(Truth, LOGICAL_XOR, LogicalXor)       \
  THREE(F32, CLIP, Clip)                    \
  THREE(F32, LERP, Lerp)
#define BP_FUSED_HEAVY(ONE)     \
  ONE(F32, EXP, Exp)            \
  ONE(F32, EXPM1, Expm1)        \
  ONE(F32, EXP2, Exp2)          \
  ONE(F32, LOG, Log)            \
  ONE(F32, LOG1P, Log1p)        \
  ONE(F32, LOG2, Log2)          \
  ONE(F32, LOG10, Log10)        \
  ONE(F32, SIN, Sin)            \
  ONE(F32, COS, Cos)            \
  ONE(F32, TAN, Tan)            \
  ONE(F32, ASIN, Asin)          \
  ONE(F32, ACOS, Acos)          \
  ONE(F32, ATAN, Atan)          \
  ONE(F32, SINH, Sinh)          \
  ONE(F32, COSH, Cosh)          \
  ONE(F32, TANH, Tanh)          \
  ONE(F32, ASINH, Asinh)        \
  ONE(F32, ACOSH, Acosh)        \
  ONE(F32, ATANH, Atanh)        \
  ONE(F32, ERF, Erf)            \
  ONE(F32, SIGMOID, Sigmoid)    \
  ONE(F32, SILU, Silu)          \
  ONE(F32, GELU, Gelu)          \
  ONE(F32, GELU_TANH, GeluTanh) \
  ONE(F32, MISH, Mish)
#define BP_FUSED_HEAVIER(TWO, THREE) \
  TWO(F32, POW, Pow)                 \
  TWO(F32, ATAN2, Atan2)             \
  TWO(F32, HYPOT, Hypot)             \
  TWO(F32, LOGADDEXP, LogAddExp)     \
  TWO(F32, ELU, Elu)                 \
  THREE(F32, SOFTPLUS, Softplus)

#define BP_FUSED_CODE(kind, row, functor) k##kind##functor,
enum class FusedCode : uint8_t {
  kLoad,   // from the pointer that in[0] names
  kMove,   // the operand as it is, a copy of its own dtype among others
  kWhere,  // in[0] ? in[1] : in[2]
  // Conversions by the rules of `cast`; what a narrow integer keeps of a wider one, the step's
  // dtype says.
  kF32FromI32,
  kF32FromTruth,
  kI32FromF32,
  kI32FromTruth,
  kTruthFromF32,
  kTruthFromI32,
  BP_FUSED_LIGHT(BP_FUSED_CODE, BP_FUSED_CODE, BP_FUSED_CODE) kLastLight,
  BP_FUSED_HEAVY(BP_FUSED_CODE) kLastOfOne,
  BP_FUSED_HEAVIER(BP_FUSED_CODE, BP_FUSED_CODE)
};
#undef BP_FUSED_CODE

constexpr int32_t kFusedPack = 8;   // elements that a thread takes at a time
constexpr int32_t kFusedSlots = 6;  // of a pack each, in shared memory for each thread
constexpr int32_t kFusedDims = 5;
constexpr int32_t kFusedPointers = 12, kFusedSteps = 80, kFusedNumbers = 64;

struct FusedStep {
  // Operands: a slot below kFusedSlots, kLast, or the number i as kNumbers + i.
  static constexpr uint8_t kLast = kFusedSlots, kNumbers = kLast + 1;
  static constexpr uint8_t kNone = 0xFF;
  FusedCode code;
  uint8_t dtype;  // of the result, which is rounded or wrapped to it
  uint8_t in[3] = {kLast, kLast, kLast};
  uint8_t slot = kNone, store = kNone;  // where the result is kept, and the pointer it goes to
};

struct FusedProgram {
  struct Pointer {
    int32_t item_bytes;
    uint32_t dtype;
    int64_t strides[kFusedDims];  // in bytes
  };
  int32_t rank, n_pointers, n_slots, n_steps;
  int64_t sizes[kFusedDims];  // from the innermost dim on; packs of all are below 2^31
  Pointer pointers[kFusedPointers];
  uint32_t numbers[kFusedNumbers];
  FusedStep steps[kFusedSteps];
};

// Enqueues it; launch.args are the tensors whose data its pointers are, first those that are only
// read. (kernels/fused.cu)
bp_status launch_fused(const bp_launch& launch, const FusedProgram& program, bp_error** err);

}  // namespace bp_gpu
