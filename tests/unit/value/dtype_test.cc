// SPDX-License-Identifier: Apache-2.0
// What a dtype is and what two of them make, as pure functions; the whole path is asked for every
// pair by tests/conformance.
#include "core/value/dtype.h"

#include <complex>
#include <limits>
#include <string>

#include "unit/thrown.h"

namespace bp {
namespace {

constexpr bp_dtype kNone = BP_DTYPE_NONE;

struct Known {
  bp_dtype dtype;
  int64_t bytes;
  Category category;
  bool is_unsigned;
  const char *name, *short_name, *title;
};
constexpr Category kBool = Category::kBool, kInteger = Category::kInteger,
                   kFloating = Category::kFloating, kComplex = Category::kComplex;
constexpr Known kKnown[] = {
    {BP_BOOL, 1, kBool, false, "bool", "bool", "Bool"},
    {BP_U8, 1, kInteger, true, "uint8", "u8", "Byte"},
    {BP_I8, 1, kInteger, false, "int8", "i8", "Char"},
    {BP_U16, 2, kInteger, true, "uint16", "u16", "UInt16"},
    {BP_I16, 2, kInteger, false, "int16", "i16", "Short"},
    {BP_U32, 4, kInteger, true, "uint32", "u32", "UInt32"},
    {BP_I32, 4, kInteger, false, "int32", "i32", "Int"},
    {BP_U64, 8, kInteger, true, "uint64", "u64", "UInt64"},
    {BP_I64, 8, kInteger, false, "int64", "i64", "Long"},
    {BP_F16, 2, kFloating, false, "float16", "f16", "Half"},
    {BP_BF16, 2, kFloating, false, "bfloat16", "bf16", "BFloat16"},
    {BP_F32, 4, kFloating, false, "float32", "f32", "Float"},
    {BP_F64, 8, kFloating, false, "float64", "f64", "Double"},
    {BP_C64, 8, kComplex, false, "complex64", "c64", "ComplexFloat"},
    {BP_C128, 16, kComplex, false, "complex128", "c128", "ComplexDouble"},
};

TEST(Dtype, HasBytesACategoryAndNames) {
  ASSERT_EQ(std::size(kKnown), static_cast<size_t>(BP_DTYPE_COUNT));
  for (const Known& k : kKnown) {
    EXPECT_TRUE(valid_dtype(k.dtype)) << k.name;
    EXPECT_EQ(dtype_bytes(k.dtype), k.bytes) << k.name;
    EXPECT_EQ(category(k.dtype), k.category) << k.name;
    EXPECT_EQ(is_integer(k.dtype), k.category == kInteger) << k.name;
    EXPECT_EQ(is_floating(k.dtype), k.category == kFloating) << k.name;
    EXPECT_EQ(is_complex(k.dtype), k.category == kComplex) << k.name;
    EXPECT_EQ(is_unsigned(k.dtype), k.is_unsigned) << k.name;
    EXPECT_STREQ(dtype_name(k.dtype), k.name);
    EXPECT_STREQ(dtype_short_name(k.dtype), k.short_name);
    EXPECT_STREQ(dtype_title(k.dtype), k.title);
  }
  for (const bp_dtype none : {kNone, bp_dtype{BP_DTYPE_COUNT}, bp_dtype{99}}) {
    EXPECT_FALSE(valid_dtype(none)) << none;
    EXPECT_STREQ(dtype_name(none), "?");
  }
  EXPECT_EQ(bp_test::thrown([] { check_dtype(99, "dtype"); }).substr(0, 25),
            "dtype: 99 is not a dtype ");
}

TEST(Dtype, OfFloatsHasItsLargestNumberAndItsStep) {
  EXPECT_EQ(largest(BP_F16), 65504);
  EXPECT_EQ(largest(BP_BF16), (2 - 0x1p-7) * 0x1p127);
  EXPECT_EQ(largest(BP_F32), std::numeric_limits<float>::max());
  EXPECT_EQ(largest(BP_F64), std::numeric_limits<double>::max());
  EXPECT_EQ(epsilon(BP_F16), 0x1p-10);
  EXPECT_EQ(epsilon(BP_BF16), 0x1p-7);
  EXPECT_EQ(epsilon(BP_F32), std::numeric_limits<float>::epsilon());
  EXPECT_EQ(epsilon(BP_F64), std::numeric_limits<double>::epsilon());
}

TEST(Dtype, OfComplexNumbersIsThatOfTheirParts) {
  EXPECT_EQ(complex_of(BP_F64), BP_C128);
  EXPECT_EQ(complex_of(BP_F32), BP_C64);
  EXPECT_EQ(complex_of(BP_F16), BP_C64);
  EXPECT_EQ(real_of(BP_C64), BP_F32);
  EXPECT_EQ(real_of(BP_C128), BP_F64);
  EXPECT_EQ(real_of(BP_I8), BP_I8);
}

// PyTorch's table (torch.promote_types), in which u16, u32 and u64 are as in the array API
// standard: a wider signed integer for mixed signs, nothing for u64 and a signed one.
constexpr const char* kPromoted[][15] = {
    // clang-format off
    {"bool", "u8",   "i8",   "u16",  "i16",  "u32",  "i32",  "u64",  "i64",  "f16",  "bf16", "f32",  "f64",  "c64",  "c128"},
    {"u8",   "u8",   "i16",  "u16",  "i16",  "u32",  "i32",  "u64",  "i64",  "f16",  "bf16", "f32",  "f64",  "c64",  "c128"},
    {"i8",   "i16",  "i8",   "i32",  "i16",  "i64",  "i32",  "-",    "i64",  "f16",  "bf16", "f32",  "f64",  "c64",  "c128"},
    {"u16",  "u16",  "i32",  "u16",  "i32",  "u32",  "i32",  "u64",  "i64",  "f16",  "bf16", "f32",  "f64",  "c64",  "c128"},
    {"i16",  "i16",  "i16",  "i32",  "i16",  "i64",  "i32",  "-",    "i64",  "f16",  "bf16", "f32",  "f64",  "c64",  "c128"},
    {"u32",  "u32",  "i64",  "u32",  "i64",  "u32",  "i64",  "u64",  "i64",  "f16",  "bf16", "f32",  "f64",  "c64",  "c128"},
    {"i32",  "i32",  "i32",  "i32",  "i32",  "i64",  "i32",  "-",    "i64",  "f16",  "bf16", "f32",  "f64",  "c64",  "c128"},
    {"u64",  "u64",  "-",    "u64",  "-",    "u64",  "-",    "u64",  "-",    "f16",  "bf16", "f32",  "f64",  "c64",  "c128"},
    {"i64",  "i64",  "i64",  "i64",  "i64",  "i64",  "i64",  "-",    "i64",  "f16",  "bf16", "f32",  "f64",  "c64",  "c128"},
    {"f16",  "f16",  "f16",  "f16",  "f16",  "f16",  "f16",  "f16",  "f16",  "f16",  "f32",  "f32",  "f64",  "c64",  "c128"},
    {"bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "bf16", "f32",  "bf16", "f32",  "f64",  "c64",  "c128"},
    {"f32",  "f32",  "f32",  "f32",  "f32",  "f32",  "f32",  "f32",  "f32",  "f32",  "f32",  "f32",  "f64",  "c64",  "c128"},
    {"f64",  "f64",  "f64",  "f64",  "f64",  "f64",  "f64",  "f64",  "f64",  "f64",  "f64",  "f64",  "f64",  "c128", "c128"},
    {"c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c64",  "c128", "c64",  "c128"},
    {"c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128"},
    // clang-format on
};

TEST(Promotion, IsPyTorchsTable) {
  for (size_t i = 0; i < std::size(kKnown); ++i)
    for (size_t j = 0; j < std::size(kKnown); ++j) {
      const bp_test::Answer a = bp_test::caught([&] {
        EXPECT_STREQ(dtype_short_name(promote(kKnown[i].dtype, kKnown[j].dtype)), kPromoted[i][j])
            << kKnown[i].name << ", " << kKnown[j].name;
      });
      EXPECT_EQ(a.status, std::string(kPromoted[i][j]) == "-" ? BP_DTYPE_MISMATCH : BP_OK)
          << kKnown[i].name << ", " << kKnown[j].name;
    }
  EXPECT_EQ(bp_test::thrown([] { promote(BP_I32, BP_U64); }, BP_DTYPE_MISMATCH),
            "Promotion from Int and UInt64 is unsupported.");
}

bp_dtype combined(bp_dtype dimensioned, bp_dtype zero_dim, bp_dtype number) {
  ResultType r;
  if (dimensioned != kNone) r.add(dimensioned, false, true);
  if (zero_dim != kNone) r.add(zero_dim, false, false);
  if (number != kNone) r.add(number, true, false);
  return r.get();
}

TEST(ResultTypes, OfLowerClassesCountOnlyByHigherCategory) {
  const struct {
    bp_dtype dimensioned, zero_dim, number, result;
  } rows[] = {
      {BP_F32, BP_F64, kNone, BP_F32},  {BP_I32, BP_F64, kNone, BP_F64},
      {BP_I32, BP_I64, kNone, BP_I32},  {BP_U64, BP_I64, kNone, BP_U64},
      {BP_BOOL, kNone, BP_I64, BP_I64}, {BP_I8, kNone, BP_F32, BP_F32},
      {BP_F16, kNone, BP_F32, BP_F16},  {kNone, BP_I32, BP_F32, BP_F32},
      {kNone, BP_I32, BP_I64, BP_I32},  {BP_BOOL, BP_F16, BP_F32, BP_F16},
      {BP_F64, BP_C64, kNone, BP_C128}, {BP_F32, kNone, BP_C128, BP_C64},
      {kNone, kNone, BP_I64, BP_I64},   {BP_I64, kNone, kNone, BP_I64},
  };
  for (const auto& row : rows)
    EXPECT_EQ(combined(row.dimensioned, row.zero_dim, row.number), row.result)
        << row.dimensioned << ", " << row.zero_dim << ", " << row.number;
}

TEST(Casting, NeverDropsACategory) {
  EXPECT_TRUE(can_cast(BP_F64, BP_F16));
  EXPECT_TRUE(can_cast(BP_I64, BP_U8));
  EXPECT_TRUE(can_cast(BP_BOOL, BP_C64));
  EXPECT_TRUE(can_cast(BP_I64, BP_F16));
  EXPECT_FALSE(can_cast(BP_F16, BP_I64));
  EXPECT_FALSE(can_cast(BP_C64, BP_F64));
  EXPECT_FALSE(can_cast(BP_I8, BP_BOOL));
  EXPECT_TRUE(can_cast(BP_BOOL, BP_BOOL));
}

TEST(DefaultDtype, TakesOnlyFloats) {
  for (const bp_dtype wrong : {bp_dtype{BP_I32}, bp_dtype{BP_C64}, bp_dtype{99}})
    EXPECT_NE(bp_test::thrown([&] { set_default_dtype(wrong); }, BP_DTYPE_MISMATCH), "no error");
  EXPECT_EQ(default_dtype(), BP_F32);
  set_default_dtype(BP_F64);
  EXPECT_EQ(default_complex_dtype(), BP_C128);
  set_default_dtype(BP_F32);
  EXPECT_EQ(default_complex_dtype(), BP_C64);
}

}  // namespace
}  // namespace bp
