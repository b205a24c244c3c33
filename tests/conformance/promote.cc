// SPDX-License-Identifier: Apache-2.0
#include "promote.h"

namespace conformance {
namespace {

constexpr bp_dtype bb = BP_BOOL, u1 = BP_U8, i1 = BP_I8, u2 = BP_U16, i2 = BP_I16, u4 = BP_U32,
                   i4 = BP_I32, u8 = BP_U64, i8 = BP_I64, f2 = BP_F16, bf = BP_BF16, f4 = BP_F32,
                   f8 = BP_F64, c8 = BP_C64, cc = BP_C128, __ = BP_DTYPE_NONE;

// Rows and columns in the order of the dtype numbers.
// clang-format off
constexpr bp_dtype kTable[BP_DTYPE_COUNT][BP_DTYPE_COUNT] = {
    //        bool u8  i8  u16 i16 u32 i32 u64 i64 f16 bf16 f32 f64 c64 c128
    /*bool*/ {bb, u1, i1, u2, i2, u4, i4, u8, i8, f2, bf, f4, f8, c8, cc},
    /*u8  */ {u1, u1, i2, u2, i2, u4, i4, u8, i8, f2, bf, f4, f8, c8, cc},
    /*i8  */ {i1, i2, i1, i4, i2, i8, i4, __, i8, f2, bf, f4, f8, c8, cc},
    /*u16 */ {u2, u2, i4, u2, i4, u4, i4, u8, i8, f2, bf, f4, f8, c8, cc},
    /*i16 */ {i2, i2, i2, i4, i2, i8, i4, __, i8, f2, bf, f4, f8, c8, cc},
    /*u32 */ {u4, u4, i8, u4, i8, u4, i8, u8, i8, f2, bf, f4, f8, c8, cc},
    /*i32 */ {i4, i4, i4, i4, i4, i8, i4, __, i8, f2, bf, f4, f8, c8, cc},
    /*u64 */ {u8, u8, __, u8, __, u8, __, u8, __, f2, bf, f4, f8, c8, cc},
    /*i64 */ {i8, i8, i8, i8, i8, i8, i8, __, i8, f2, bf, f4, f8, c8, cc},
    /*f16 */ {f2, f2, f2, f2, f2, f2, f2, f2, f2, f2, f4, f4, f8, c8, cc},
    /*bf16*/ {bf, bf, bf, bf, bf, bf, bf, bf, bf, f4, bf, f4, f8, c8, cc},
    /*f32 */ {f4, f4, f4, f4, f4, f4, f4, f4, f4, f4, f4, f4, f8, c8, cc},
    /*f64 */ {f8, f8, f8, f8, f8, f8, f8, f8, f8, f8, f8, f8, f8, cc, cc},
    /*c64 */ {c8, c8, c8, c8, c8, c8, c8, c8, c8, c8, c8, c8, cc, c8, cc},
    /*c128*/ {cc, cc, cc, cc, cc, cc, cc, cc, cc, cc, cc, cc, cc, cc, cc},
};
// clang-format on

int category(bp_dtype t) { return is_bool(t) ? 0 : is_integer(t) ? 1 : is_float(t) ? 2 : 3; }

}  // namespace

bp_dtype promoted(bp_dtype a, bp_dtype b) { return kTable[a][b]; }

bp_dtype result_type(const std::vector<Operand>& operands) {
  constexpr bp_dtype kEmpty = -2;
  bp_dtype classes[3] = {kEmpty, kEmpty, kEmpty};
  for (const Operand& x : operands) {
    if (x.is_none()) continue;
    bp_dtype t = x.is_tensor() ? x.array.dtype : x.number_dtype();
    if (!x.is_tensor() && t == BP_F64) t = bp_get_default_dtype();
    if (!x.is_tensor() && t == BP_C128 && bp_get_default_dtype() != BP_F64) t = BP_C64;
    bp_dtype& seat = classes[!x.is_tensor() ? 2 : x.array.shape.empty() ? 1 : 0];
    if (seat != BP_DTYPE_NONE) seat = seat == kEmpty ? t : promoted(seat, t);
  }
  bp_dtype result = kEmpty;
  for (int i = 2; i >= 0; --i) {
    const bp_dtype own = classes[i];
    if (own == BP_DTYPE_NONE) return own;
    if (own == kEmpty) continue;
    if (result == kEmpty || category(result) <= category(own)) {
      result = own;
    } else if (is_complex(result) && is_float(own)) {
      result = own == BP_F64 ? BP_C128 : BP_C64;  // of the width of the higher class
    } else {
      result = promoted(own, result);
    }
  }
  return result;
}

bool castable(bp_dtype from, bp_dtype to) {
  if (is_complex(from)) return is_complex(to);
  if (is_float(from)) return is_float(to) || is_complex(to);
  if (is_integer(from)) return !is_bool(to);
  return true;
}

}  // namespace conformance
