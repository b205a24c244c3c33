// SPDX-License-Identifier: Apache-2.0
// dtype_codes.h: what other libraries and files call each dtype: DLPack's type code (DLDataTypeCode
// of dlpack.h; the size goes beside it), the name in a safetensors header, and NumPy's description
// in the head of an .npy file. nullptr: they have no such dtype.
#pragma once
#include "core/value/dtype.h"

namespace bp {

namespace dlpack {
enum Code : uint8_t { kInt = 0, kUInt = 1, kFloat = 2, kBfloat = 4, kComplex = 5, kBool = 6 };
}

struct DtypeCodes {
  bp_dtype dtype;
  dlpack::Code dlpack;
  const char *safetensors, *npy;
};
inline constexpr DtypeCodes kDtypeCodes[] = {
    {BP_BOOL, dlpack::kBool, "BOOL", "|b1"},     {BP_U8, dlpack::kUInt, "U8", "|u1"},
    {BP_I8, dlpack::kInt, "I8", "|i1"},          {BP_U16, dlpack::kUInt, "U16", "<u2"},
    {BP_I16, dlpack::kInt, "I16", "<i2"},        {BP_U32, dlpack::kUInt, "U32", "<u4"},
    {BP_I32, dlpack::kInt, "I32", "<i4"},        {BP_U64, dlpack::kUInt, "U64", "<u8"},
    {BP_I64, dlpack::kInt, "I64", "<i8"},        {BP_F16, dlpack::kFloat, "F16", "<f2"},
    {BP_BF16, dlpack::kBfloat, "BF16", nullptr}, {BP_F32, dlpack::kFloat, "F32", "<f4"},
    {BP_F64, dlpack::kFloat, "F64", "<f8"},      {BP_C64, dlpack::kComplex, "C64", "<c8"},
    {BP_C128, dlpack::kComplex, nullptr, "<c16"}};
static_assert(lists_every_dtype(kDtypeCodes));

}  // namespace bp
