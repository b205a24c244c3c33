// SPDX-License-Identifier: Apache-2.0
// What the library says of each dtype, and of what is none.
#include <gtest/gtest.h>

#include <limits>

#include "kit/answer.h"
#include "kit/has.h"

namespace {

using bp_test::attempt;

TEST(Dtypes, HaveTheNamesSizesAndKindsOfTheList) {
#define BP_EXPECT(name, value, text, brief, title, bytes, kind) \
  EXPECT_STREQ(bp_dtype_name(BP_##name), text);                 \
  EXPECT_EQ(bp_dtype_bytes(BP_##name), uint32_t{bytes});        \
  EXPECT_EQ(bp_dtype_kind(BP_##name), BP_DTYPE_KIND_##kind);
  BP_DTYPES(BP_EXPECT)
#undef BP_EXPECT
  EXPECT_STREQ(bp_dtype_name(BP_BF16), "bfloat16");
  EXPECT_EQ(bp_dtype_bytes(BP_C128), 16u);
  EXPECT_EQ(bp_dtype_kind(BP_U32), BP_DTYPE_KIND_UNSIGNED);
}

TEST(Dtypes, ThatAreNoneHaveNoNameSizeOrKind) {
  using Numbers = std::numeric_limits<bp_dtype>;
  for (const bp_dtype t : {bp_dtype{BP_DTYPE_NONE}, bp_dtype{BP_DTYPE_COUNT}, bp_dtype{99},
                           Numbers::min(), Numbers::max()}) {
    EXPECT_STREQ(bp_dtype_name(t), "?");
    EXPECT_EQ(bp_dtype_bytes(t), 0u);
    EXPECT_EQ(bp_dtype_kind(t), BP_DTYPE_KIND_NONE);
  }
}

template <class F>
void expect_limits_of(bp_dtype t) {
  double epsilon = 0, largest = 0, smallest_normal = 0;
  ASSERT_EQ(bp_dtype_limits(t, &epsilon, &largest, &smallest_normal, nullptr), BP_OK) << t;
  EXPECT_EQ(epsilon, std::numeric_limits<F>::epsilon()) << t;
  EXPECT_EQ(largest, std::numeric_limits<F>::max()) << t;
  EXPECT_EQ(smallest_normal, std::numeric_limits<F>::min()) << t;
}

TEST(DtypeLimits, AreThoseOfTheFormatAlsoOfComplexParts) {
  expect_limits_of<float>(BP_F32);
  expect_limits_of<double>(BP_F64);
  expect_limits_of<float>(BP_C64);
  expect_limits_of<double>(BP_C128);
}

TEST(DtypeLimits, AreOfFloatingAndComplexDtypesAlone) {
  double a = 0, b = 0, c = 0;
  const bp_test::Answer refused = attempt(bp_dtype_limits, BP_I32, &a, &b, &c);
  EXPECT_EQ(refused.status, BP_DTYPE_MISMATCH);
  EXPECT_TRUE(has(refused.message, "int32")) << refused.message;
  EXPECT_EQ(attempt(bp_dtype_limits, BP_DTYPE_NONE, &a, &b, &c).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(attempt(bp_dtype_limits, BP_F32, &a, nullptr, &c).status, BP_INVALID_ARGUMENT);
}

}  // namespace
