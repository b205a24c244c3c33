// SPDX-License-Identifier: Apache-2.0
// What a dtype is and what two of them make, as pure functions; the whole path is asked for every
// pair by tests/conformance.
#include "core/value/dtype.h"

#include <complex>
#include <limits>
#include <string>

#include "kit/promotion_table.h"
#include "unit/thrown.h"

namespace bp {
namespace {

constexpr bp_dtype kNone = BP_DTYPE_NONE;

TEST(Dtype, HasWhatTheListSays) {
#define BP_EXPECT(name, value, text, brief, title, bytes, kind) \
  EXPECT_TRUE(valid_dtype(BP_##name));                          \
  EXPECT_EQ(dtype_bytes(BP_##name), bytes);                     \
  EXPECT_EQ(dtype_kind(BP_##name), BP_DTYPE_KIND_##kind);       \
  EXPECT_STREQ(dtype_name(BP_##name), text);                    \
  EXPECT_STREQ(dtype_title(BP_##name), title);
  BP_DTYPES(BP_EXPECT)
#undef BP_EXPECT
  for (const bp_dtype none : {kNone, bp_dtype{BP_DTYPE_COUNT}, bp_dtype{99}}) {
    EXPECT_FALSE(valid_dtype(none)) << none;
    EXPECT_STREQ(dtype_name(none), "?");
  }
  EXPECT_EQ(bp_test::thrown([] { check_dtype(99, "dtype"); }).substr(0, 25),
            "dtype: 99 is not a dtype ");
}

TEST(Dtype, HasACategory) {
  for (const bp_dtype t : {BP_U8, BP_I8, BP_U64, BP_I64}) {
    EXPECT_EQ(category(t), Category::kInteger) << t;
    EXPECT_EQ(is_unsigned(t), t == BP_U8 || t == BP_U64) << t;
    EXPECT_FALSE(is_floating(t) || is_complex(t)) << t;
  }
  EXPECT_EQ(category(BP_BOOL), Category::kBool);
  EXPECT_EQ(category(BP_BF16), Category::kFloating);
  EXPECT_EQ(category(BP_C64), Category::kComplex);
  EXPECT_FALSE(is_integer(BP_BOOL) || is_unsigned(BP_BOOL));
  EXPECT_TRUE(is_narrow(BP_F16) && is_narrow(BP_BF16));
  EXPECT_FALSE(is_narrow(BP_F32) || is_narrow(BP_I8) || is_narrow(BP_C64));
}

TEST(Dtype, OfFloatsHasTheLimitsOfItsFormat) {
  const struct {
    bp_dtype dtype;
    double epsilon, largest, smallest_normal;
  } rows[] = {
      {BP_F16, 0x1p-10, 65504, 0x1p-14},
      {BP_BF16, 0x1p-7, 0x1.fep127, 0x1p-126},
      {BP_F32, 0x1p-23, std::numeric_limits<float>::max(), std::numeric_limits<float>::min()},
      {BP_F64, 0x1p-52, std::numeric_limits<double>::max(), std::numeric_limits<double>::min()},
  };
  for (const auto& row : rows) {
    const FloatFormat f = float_format(row.dtype);
    EXPECT_EQ(f.epsilon(), row.epsilon) << row.dtype;
    EXPECT_EQ(f.largest, row.largest) << row.dtype;
    EXPECT_EQ(f.smallest_normal(), row.smallest_normal) << row.dtype;
  }
  EXPECT_EQ(float_format(BP_C128).dtype, BP_F64);
}

TEST(Dtype, OfComplexNumbersIsThatOfTheirParts) {
  EXPECT_EQ(complex_of(BP_F64), BP_C128);
  EXPECT_EQ(complex_of(BP_F32), BP_C64);
  EXPECT_EQ(complex_of(BP_F16), BP_C64);
  EXPECT_EQ(real_of(BP_C64), BP_F32);
  EXPECT_EQ(real_of(BP_C128), BP_F64);
  EXPECT_EQ(real_of(BP_I8), BP_I8);
}

TEST(Promotion, IsPyTorchsTable) {
  for (bp_dtype a = 0; a < BP_DTYPE_COUNT; ++a)
    for (bp_dtype b = 0; b < BP_DTYPE_COUNT; ++b) {
      const bp_dtype wanted = promotion_table::kTable[a][b];
      const bp_test::Answer answer =
          bp_test::caught([&] { EXPECT_EQ(promote(a, b), wanted) << a << ", " << b; });
      EXPECT_EQ(answer.status, wanted == kNone ? BP_DTYPE_MISMATCH : BP_OK) << a << ", " << b;
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
