// SPDX-License-Identifier: Apache-2.0
#include "gpu/fused_rules.h"

#include <algorithm>
#include <bit>

#include "kit/element.h"
#include "kit/operand.h"
#include "kit/registry.h"

namespace bp_gpu {
namespace {

using namespace bp_kit;

enum class Kind : uint8_t { kF32, kI32, kTruth, kNone };

Kind kind_of(bp_dtype d) {
  switch (d) {
    case BP_F32:
    case BP_F16:
    case BP_BF16: return Kind::kF32;
    case BP_I32:
    case BP_U8:
    case BP_I8:
    case BP_U16:
    case BP_I16: return Kind::kI32;
    case BP_BOOL: return Kind::kTruth;
    default: return Kind::kNone;
  }
}

struct Row {
  Kind kind;
  uint32_t op;
  FusedCode code;
};
#define BP_FUSED_ROW(kind, row, functor) {Kind::k##kind, BP_OP_##row, FusedCode::k##kind##functor},
constexpr Row kRows[] = {BP_FUSED_LIGHT(BP_FUSED_ROW, BP_FUSED_ROW, BP_FUSED_ROW) BP_FUSED_HEAVY(
    BP_FUSED_ROW) BP_FUSED_HEAVIER(BP_FUSED_ROW, BP_FUSED_ROW)};
#undef BP_FUSED_ROW

const Row* row_of(uint32_t op, Kind kind) {
  const auto* at = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const Row& r) { return r.op == op && r.kind == kind; });
  return at == std::end(kRows) ? nullptr : at;
}

// The dtype that a launch computes in: of its operands, but for a condition.
bp_dtype dtype_of(const bp_launch& l) {
  return l
      .args[l.op == BP_OP_FILL || l.op == BP_OP_WHERE || l.op == BP_OP_CLIP || l.op == BP_OP_LERP
                ? l.n_in
                : 0]
      .dtype;
}

FusedCode copy_code(Kind from, Kind to) {
  if (from == to) return FusedCode::kMove;
  if (to == Kind::kF32)
    return from == Kind::kI32 ? FusedCode::kF32FromI32 : FusedCode::kF32FromTruth;
  if (to == Kind::kI32)
    return from == Kind::kF32 ? FusedCode::kI32FromF32 : FusedCode::kI32FromTruth;
  return from == Kind::kF32 ? FusedCode::kTruthFromF32 : FusedCode::kTruthFromI32;
}

// A copy of one layout to another has a kernel of tiles, and bits of narrow floats that are no
// number are lost in a value.
bool is_plain_copy(const bp_arg& from, const bp_arg& to) {
  if (from.kind != BP_ARG_TENSOR || from.dtype != to.dtype) return true;
  const auto step = [](const bp_arg& a) { return a.rank ? a.strides[a.rank - 1] : 1; };
  return !is_narrow(to.dtype) && step(from) == step(to);
}

bool knows(const bp_launch& l) {
  if (l.n_out != 1 || l.n_in < 1 || l.n_in > 3) return false;
  const bp_arg& out = l.args[l.n_in];
  const bp_dtype d = dtype_of(l);
  const Kind kind = kind_of(d), to = kind_of(out.dtype);
  if (kind == Kind::kNone || to == Kind::kNone) return false;
  for (uint32_t i = 0; i < l.n_in; ++i) {
    const bp_arg& a = l.args[i];
    if (a.kind == BP_ARG_NONE || a.kind == BP_ARG_SCALAR_C128) return false;
    const bool is_condition = l.op == BP_OP_WHERE && i == 0;
    if (a.kind == BP_ARG_TENSOR && a.dtype != (is_condition ? bp_dtype{BP_BOOL} : d)) return false;
  }
  if (l.op == BP_OP_FILL) return l.args[0].kind != BP_ARG_TENSOR;
  if (l.op == BP_OP_COPY) return is_plain_copy(l.args[0], out);
  if (l.op == BP_OP_WHERE) return true;
  if (!row_of(l.op, kind)) return false;
  return out.dtype == BP_BOOL || (out.dtype == d && (kind != Kind::kI32 || d == BP_I32));
}

uint32_t operands(const bp_launch& l) {
  switch (l.op) {
    case BP_OP_SOFTPLUS: return 3;
    case BP_OP_ELU:
    case BP_OP_LEAKY_RELU: return 2;
    default: return l.n_in;
  }
}

template <class T>
uint32_t bits_of(T x) {
  if constexpr (std::is_same_v<T, Bool>)
    return x.byte;
  else if constexpr (std::is_same_v<T, float>)
    return std::bit_cast<uint32_t>(x);
  else
    return static_cast<uint32_t>(static_cast<int32_t>(x));
}

// The number as an elementwise kernel computes with it: where the result is an element of it, or a
// comparison with elements, it is rounded to their dtype.
uint32_t number_bits(const bp_launch& l, uint32_t i) {
  bp_arg a{};
  if (i < l.n_in) {
    a = l.args[i];
  } else {
    a.kind = BP_ARG_SCALAR_F64;
    a.f64 = l.attrs[i - l.n_in].value.f64;
  }
  const bool is_rounded = l.op == BP_OP_FILL || l.args[l.n_in].dtype == BP_BOOL;
  const bool is_condition = l.op == BP_OP_WHERE && i == 0;
  constexpr uint64_t kKnown = kHalves | bit(BP_F32) | bit(BP_BOOL) | bit(BP_U8) | bit(BP_I8) |
                              bit(BP_U16) | bit(BP_I16) | bit(BP_I32);
  uint32_t bits = 0;
  each_type<kKnown>([&](auto t, bp_dtype own) {
    using T = decltype(t);
    if (own != (is_condition ? bp_dtype{BP_BOOL} : dtype_of(l))) return;
    bits = bits_of(is_rounded ? convert<Calc<T>>(number<T>(a)) : number<Calc<T>>(a));
  });
  return bits;
}

bool walks(bp_dtype, int64_t) { return true; }

}  // namespace

const BodyRules kFusedRules = {knows,
                               operands,
                               number_bits,
                               walks,
                               /*shortest_row=*/1,
                               kFusedPointers,
                               kFusedDims};

FusedCode fused_code(const bp_launch& l) {
  if (l.op == BP_OP_WHERE) return FusedCode::kWhere;
  if (l.op == BP_OP_FILL) return FusedCode::kMove;
  const Kind kind = kind_of(dtype_of(l));
  return l.op == BP_OP_COPY ? copy_code(kind, kind_of(l.args[l.n_in].dtype))
                            : row_of(l.op, kind)->code;
}

}  // namespace bp_gpu
