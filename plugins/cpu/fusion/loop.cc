// SPDX-License-Identifier: Apache-2.0
#include "fusion/loop.h"

#include <algorithm>
#include <string_view>

#include "fusion/assembler.h"

namespace bp_cpu {

using bp_kit::Body;

namespace {

bool is_small_integer(bp_dtype d) { return d == BP_U8 || d == BP_I8 || d == BP_U16 || d == BP_I16; }
bool is_i32_lane(bp_dtype d) { return d == BP_I32 || is_small_integer(d); }
bool is_lane(bp_dtype d) { return d == BP_F32 || d == BP_BOOL || is_i32_lane(d); }

// The kernel of powers has few exponents with a loop of their own.
bool is_square(const bp_launch& l) {
  const bp_arg& power = l.args[1];
  return l.args[0].kind == BP_ARG_TENSOR && ((power.kind == BP_ARG_SCALAR_F64 && power.f64 == 2) ||
                                             (power.kind == BP_ARG_SCALAR_I64 && power.i64 == 2));
}

bool knows(uint32_t op, bp_dtype in, bp_dtype out) {
  switch (op) {
    case BP_OP_ADD:
    case BP_OP_SUB:
    case BP_OP_MUL: return in == BP_F32 || in == BP_I32;
    case BP_OP_DIV:
    case BP_OP_MAXIMUM:
    case BP_OP_MINIMUM:
    case BP_OP_CLIP:
    case BP_OP_NEG:
    case BP_OP_ABS:
    case BP_OP_SIGN:
    case BP_OP_SQRT:
    case BP_OP_RSQRT:
    case BP_OP_SQUARE:
    case BP_OP_RECIPROCAL:
    case BP_OP_RELU:
    case BP_OP_FLOOR:
    case BP_OP_CEIL:
    case BP_OP_TRUNC:
    case BP_OP_ROUND:
    case BP_OP_ISNAN:
    case BP_OP_ISINF:
    case BP_OP_ISFINITE: return in == BP_F32;
    case BP_OP_EQ:
    case BP_OP_NE:
    case BP_OP_LT:
    case BP_OP_LE:
    case BP_OP_GT:
    case BP_OP_GE: return in == BP_F32 || is_i32_lane(in);
    case BP_OP_LOGICAL_AND:
    case BP_OP_LOGICAL_OR:
    case BP_OP_LOGICAL_XOR:
    case BP_OP_LOGICAL_NOT:
    case BP_OP_BITWISE_AND:
    case BP_OP_BITWISE_OR:
    case BP_OP_BITWISE_XOR:
    case BP_OP_BITWISE_NOT: return in == BP_BOOL;
    case BP_OP_FILL:
    case BP_OP_WHERE: return out == BP_F32 || out == BP_I32;
    case BP_OP_COPY: return is_lane(in) && is_lane(out) && !(in == BP_BOOL && out == BP_BOOL);
    default: return is_function(op) && in == BP_F32;
  }
}

}  // namespace

bool is_function(uint32_t op) {
  switch (op) {
    case BP_OP_EXP:
    case BP_OP_EXP2:
    case BP_OP_EXPM1:
    case BP_OP_LOG:
    case BP_OP_LOG2:
    case BP_OP_LOG10:
    case BP_OP_LOG1P:
    case BP_OP_TANH:
    case BP_OP_SIGMOID:
    case BP_OP_SILU:
    case BP_OP_GELU:
    case BP_OP_ERF:
    case BP_OP_SIN:
    case BP_OP_COS:
    case BP_OP_TAN:
    case BP_OP_ASIN:
    case BP_OP_ACOS:
    case BP_OP_ATAN: return true;
    default: return false;
  }
}

bool is_known(const bp_launch& l) {
  if (l.n_out != 1 || l.n_in < 1 || l.n_in > 3) return false;
  const bp_arg& out = l.args[l.n_in];
  if (!is_lane(out.dtype)) return false;
  if (l.op == BP_OP_FILL) return knows(l.op, out.dtype, out.dtype);
  if (l.op == BP_OP_POW) return out.dtype == BP_F32 && is_square(l);
  for (uint32_t i = 0; i < l.n_in; ++i) {
    const bp_arg& a = l.args[i];
    if (a.kind == BP_ARG_NONE || a.kind == BP_ARG_SCALAR_C128 || !is_lane(a.dtype)) return false;
    if (a.kind != BP_ARG_TENSOR && a.dtype == BP_BOOL) return false;
  }
  return knows(l.op, l.args[l.op == BP_OP_WHERE ? 1 : 0].dtype, out.dtype);
}

bool is_known_in_rows(const bp_launch& l) {
  if (!bp_kit::is_reduction(l)) return is_known(l);
  if (l.args[0].dtype != BP_F32 || l.args[1].dtype != BP_F32) return false;
  return l.op == BP_OP_SUM || l.op == BP_OP_MEAN || l.op == BP_OP_MAX || l.op == BP_OP_MIN;
}

bool is_long(const Body& body) {
  return std::any_of(body.steps.begin(), body.steps.end(),
                     [](const Body::Step& s) { return is_function(s.op); });
}

LoopWidth loop_width(const char* isa) {
#if defined(BP_HAS_XBYAK)
  if (std::string_view(isa) == "avx512") return LoopWidth::k512;
  if (std::string_view(isa) == "avx2") return LoopWidth::k256;
#endif
  static_cast<void>(isa);
  return LoopWidth::kNone;
}

std::unique_ptr<Loop> assemble(const Body& body, LoopWidth width, uint32_t* fits) {
  *fits = 0;
#if defined(BP_HAS_XBYAK)
  // The steps of a function wait for each other.
  for (size_t copies = is_long(body) ? 2 : 1; copies > 0; --copies) {
    std::unique_ptr<Assembler> loop =
        width == LoopWidth::k512 ? new_loop512(body) : new_loop256(body);
    try {
      loop->assemble(copies);
      return loop;
    } catch (const Full&) {
      *fits = body.rows.length ? body.steps.back().launch * 3 / 4 : loop->launch();
    } catch (const Xbyak::Error&) {  // the system lets no memory become code
      break;
    }
  }
#endif
  return nullptr;
}

}  // namespace bp_cpu
