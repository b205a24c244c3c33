// What the library says of each dtype, and of what is none.
#include "core/value/dtype.h"

#include <gtest/gtest.h>

#include <limits>

#include "c_api.h"
#include "core/value/element.h"
#include "tensors.h"

namespace bp {
namespace {

using bp_test::attempt;

struct Limits {
  double epsilon = 0, largest = 0, smallest_normal = 0;
};
Limits limits(bp_dtype t) {
  Limits l;
  EXPECT_EQ(bp_dtype_limits(t, &l.epsilon, &l.largest, &l.smallest_normal, nullptr), BP_OK) << t;
  return l;
}

template <class F>
void expect_limits_of(bp_dtype t) {
  using N = std::numeric_limits<F>;
  const Limits l = limits(t);
  EXPECT_EQ(l.epsilon, static_cast<double>(N::epsilon()));
  EXPECT_EQ(l.largest, static_cast<double>(N::max()));
  EXPECT_EQ(l.smallest_normal, static_cast<double>(N::min()));
}

TEST(Dtypes, HaveTheNamesSizesAndKindsOfTheList) {
#define BP_EXPECT(name, value, text, brief, title, bytes, kind) \
  EXPECT_STREQ(bp_dtype_name(BP_##name), text);                 \
  EXPECT_EQ(bp_dtype_bytes(BP_##name), uint32_t{bytes});        \
  EXPECT_EQ(bp_dtype_kind(BP_##name), BP_DTYPE_KIND_##kind);    \
  EXPECT_STREQ(dtype_title(BP_##name), title);
  BP_DTYPES(BP_EXPECT)
#undef BP_EXPECT
  EXPECT_STREQ(bp_dtype_name(BP_BF16), "bfloat16");
  EXPECT_EQ(bp_dtype_bytes(BP_C128), 16u);
  EXPECT_EQ(bp_dtype_kind(BP_U32), BP_DTYPE_KIND_UNSIGNED);
}

TEST(Dtypes, ThatAreNoneHaveNoNameSizeOrKind) {
  for (const bp_dtype t :
       {BP_DTYPE_NONE + 0, BP_DTYPE_COUNT + 0, 99, std::numeric_limits<bp_dtype>::min(),
        std::numeric_limits<bp_dtype>::max()}) {
    EXPECT_STREQ(bp_dtype_name(t), "?");
    EXPECT_EQ(bp_dtype_bytes(t), 0u);
    EXPECT_EQ(bp_dtype_kind(t), BP_DTYPE_KIND_NONE);
  }
}

TEST(DtypeLimits, AreThoseOfTheFormat) {
  expect_limits_of<float>(BP_F32);
  expect_limits_of<double>(BP_F64);
  expect_limits_of<float>(BP_C64);
  expect_limits_of<double>(BP_C128);
  EXPECT_EQ(limits(BP_F16).epsilon, 0x1p-10);
  EXPECT_EQ(limits(BP_F16).largest, 65504);
  EXPECT_EQ(limits(BP_F16).smallest_normal, 0x1p-14);
  EXPECT_EQ(limits(BP_BF16).epsilon, 0x1p-7);
  EXPECT_EQ(limits(BP_BF16).largest, 0x1.fep127);
  EXPECT_EQ(limits(BP_BF16).smallest_normal, 0x1p-126);
}

TEST(DtypeLimits, AreOfFloatingAndComplexDtypesAlone) {
  double a, b, c;
  const auto refused = attempt(bp_dtype_limits, BP_I32, &a, &b, &c);
  EXPECT_EQ(refused.status, BP_DTYPE_MISMATCH);
  EXPECT_NE(refused.message.find("int32"), std::string::npos) << refused.message;
  EXPECT_EQ(attempt(bp_dtype_limits, BP_DTYPE_NONE, &a, &b, &c).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(attempt(bp_dtype_limits, BP_F32, &a, nullptr, &c).status, BP_INVALID_ARGUMENT);
}

TEST(Elements, OfEveryIntegerDtypeKeepTheirSign) {
  const uint64_t ones = ~uint64_t{0};
  for (const bp_dtype t : {BP_I8, BP_I16, BP_I32, BP_I64})
    EXPECT_EQ(read_element(t, &ones).as.i64, -1) << t;
  EXPECT_EQ(read_element(BP_U8, &ones).as.i64, 255);
  EXPECT_EQ(read_element(BP_U32, &ones).as.i64, 0xffffffff);
  EXPECT_EQ(read_element(BP_U64, &ones).as.i64, -1);  // its bits
}

}  // namespace
}  // namespace bp
