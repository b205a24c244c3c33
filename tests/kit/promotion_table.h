// SPDX-License-Identifier: Apache-2.0
// promotion_table.h: what two dtypes promote to: PyTorch's table (torch.promote_types), in which
// u16, u32 and u64 are as the array API standard has them: a wider signed integer for mixed signs,
// nothing for u64 and a signed one.
//
//   EXPECT_EQ(promotion_table::kTable[BP_U8][BP_I8], BP_I16);
#pragma once
#include "c_api.h"

namespace promotion_table {

// NOLINTBEGIN(readability-identifier-naming): a table is read by the width of its entries
constexpr bp_dtype bb = BP_BOOL, u1 = BP_U8, i1 = BP_I8, u2 = BP_U16, i2 = BP_I16, u4 = BP_U32,
                   i4 = BP_I32, u8 = BP_U64, i8 = BP_I64, f2 = BP_F16, bf = BP_BF16, f4 = BP_F32,
                   f8 = BP_F64, c8 = BP_C64, cc = BP_C128, __ = BP_DTYPE_NONE;
// NOLINTEND(readability-identifier-naming)

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

// So no row or column is missing: what is left out of the table is 0, which is bool.
constexpr bool is_symmetric() {
  for (bp_dtype a = 0; a < BP_DTYPE_COUNT; ++a) {
    if (kTable[a][a] != a) return false;
    for (bp_dtype b = 0; b < a; ++b)
      if (kTable[a][b] != kTable[b][a]) return false;
  }
  return true;
}
static_assert(is_symmetric());

}  // namespace promotion_table
