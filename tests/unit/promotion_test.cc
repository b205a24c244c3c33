// Promotion as pure functions; every pair against a table is asked of the whole path by
// tests/conformance.
#include <gtest/gtest.h>

#include "c_api.h"
#include "core/base/error.h"
#include "core/value/dtype.h"

namespace bp {
namespace {

bp_dtype combined(bp_dtype dimensioned, bp_dtype zero_dim, bp_dtype number) {
  ResultType r;
  if (dimensioned != BP_DTYPE_NONE) r.add(dimensioned, false, true);
  if (zero_dim != BP_DTYPE_NONE) r.add(zero_dim, false, false);
  if (number != BP_DTYPE_NONE) r.add(number, true, false);
  return r.get();
}
constexpr bp_dtype kNone = BP_DTYPE_NONE;

TEST(Promotion, IsSymmetricAndKeepsEqualDtypes) {
  for (bp_dtype a = 0; a < BP_DTYPE_COUNT; ++a) {
    EXPECT_EQ(promote(a, a), a);
    EXPECT_EQ(promote(a, BP_BOOL), a);
    for (bp_dtype b = 0; b < BP_DTYPE_COUNT; ++b) {
      auto both = [](bp_dtype x, bp_dtype y) {
        try {
          return promote(x, y);
        } catch (const Error& e) {
          EXPECT_EQ(e.status(), BP_DTYPE_MISMATCH);
          return kNone;
        }
      };
      EXPECT_EQ(both(a, b), both(b, a));
    }
  }
}

TEST(Promotion, OfMixedSignsIsTheNextWiderSignedInteger) {
  EXPECT_EQ(promote(BP_U8, BP_I8), BP_I16);
  EXPECT_EQ(promote(BP_U16, BP_I8), BP_I32);
  EXPECT_EQ(promote(BP_U32, BP_I32), BP_I64);
  EXPECT_EQ(promote(BP_U8, BP_I32), BP_I32);
  EXPECT_THROW(promote(BP_U64, BP_I8), Error);
}

TEST(Promotion, OfIntegersWithFloatsIsTheFloat) {
  EXPECT_EQ(promote(BP_I64, BP_F16), BP_F16);
  EXPECT_EQ(promote(BP_U64, BP_BF16), BP_BF16);
  EXPECT_EQ(promote(BP_F16, BP_BF16), BP_F32);
  EXPECT_EQ(promote(BP_F64, BP_C64), BP_C128);
  EXPECT_EQ(promote(BP_I64, BP_C64), BP_C64);
}

TEST(ResultTypes, OfLowerClassesCountOnlyByHigherCategory) {
  EXPECT_EQ(combined(BP_F32, BP_F64, kNone), BP_F32);
  EXPECT_EQ(combined(BP_I32, BP_F64, kNone), BP_F64);
  EXPECT_EQ(combined(BP_I32, BP_I64, kNone), BP_I32);
  EXPECT_EQ(combined(BP_U64, BP_I64, kNone), BP_U64);
  EXPECT_EQ(combined(BP_BOOL, kNone, BP_I64), BP_I64);
  EXPECT_EQ(combined(BP_I8, kNone, BP_F32), BP_F32);
  EXPECT_EQ(combined(BP_F16, kNone, BP_F32), BP_F16);
  EXPECT_EQ(combined(kNone, BP_I32, BP_F32), BP_F32);
  EXPECT_EQ(combined(kNone, BP_I32, BP_I64), BP_I32);
  EXPECT_EQ(combined(BP_BOOL, BP_F16, BP_F32), BP_F16);
  EXPECT_EQ(combined(BP_F64, BP_C64, kNone), BP_C128);
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
  EXPECT_EQ(bp_set_default_dtype(BP_I32, nullptr), BP_DTYPE_MISMATCH);
  EXPECT_LT(bp_set_default_dtype(99, nullptr), 0);
  EXPECT_LT(bp_set_default_dtype(BP_C64, nullptr), 0);
  EXPECT_EQ(bp_get_default_dtype(), BP_F32);
}

}  // namespace
}  // namespace bp
