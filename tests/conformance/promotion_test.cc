// SPDX-License-Identifier: Apache-2.0
// Every pair of dtypes, as tensors, 0-dim tensors and numbers: the result has the dtype of the
// table in promote.cc, and the values of operands converted to it.
#include <gtest/gtest.h>

#include "cases/cases.h"
#include "cases/inputs.h"
#include "exclusions.h"
#include "judge.h"
#include "promote.h"

namespace conformance {
namespace {

class Promotion : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    op_ = &op_named(GetParam());
    spec_ = oracle_of(op_->name);
    ASSERT_NE(spec_, nullptr);
  }
  void expect(const std::vector<Operand>& pair) {
    Call call{pair, {}};
    if (spec_->family == Family::kWhere)
      call.in.insert(call.in.begin(), tensor(make(BP_BOOL, {3, 1}, Flavor::kSmall, 5)));
    const bp_dtype together = result_type(pair);
    if (together == BP_DTYPE_NONE || spec_->refuses(together)) {
      EXPECT_TRUE(refused(*op_, session_, call, BP_DTYPE_MISMATCH));
    } else if (spec_->dtypes >> together & 1 && !excluded(op_->name, key_of(*spec_, call), "cpu")) {
      EXPECT_TRUE(judge(*op_, *spec_, session_, call));
    }
  }

  const Session session_{bp_device_make(BP_KIND_CPU, -1)};
  const Op* op_ = nullptr;
  const Spec* spec_ = nullptr;
};

// Positive, so that integers may be divisors and exponents of each other.
Operand small(bp_dtype t, const Shape& shape, uint64_t seed) {
  return tensor(make(t, shape, Flavor::kPositive, seed));
}

TEST_P(Promotion, OfEveryPairOfTensors) {
  for (bp_dtype a = 0; a < BP_DTYPE_COUNT; ++a)
    for (bp_dtype b = 0; b < BP_DTYPE_COUNT; ++b)
      expect({small(a, {3, 4}, 1), small(b, {3, 4}, 2)});
}

TEST_P(Promotion, OfTensorsWithZeroDimTensors) {
  if (spec_->family == Family::kJoin) GTEST_SKIP() << "0-dim tensors cannot be joined to others";
  for (bp_dtype a = 0; a < BP_DTYPE_COUNT; ++a)
    for (bp_dtype b = 0; b < BP_DTYPE_COUNT; ++b) {
      expect({small(a, {3, 4}, 1), small(b, {}, 2)});
      expect({small(a, {}, 1), small(b, {3, 4}, 2)});
      expect({small(a, {}, 1), small(b, {}, 2)});
    }
}

TEST_P(Promotion, OfTensorsWithNumbers) {
  if (spec_->family == Family::kJoin) GTEST_SKIP() << "numbers cannot be joined to tensors";
  for (bp_dtype a = 0; a < BP_DTYPE_COUNT; ++a)
    for (const Shape& shape : {Shape{3, 4}, Shape{}})
      for (const Operand& n : {number(int64_t{3}), number(2.5), boolean(true)}) {
        expect({small(a, shape, 1), n});
        expect({n, small(a, shape, 1)});
      }
}

TEST_P(Promotion, FollowsTheDefaultDtype) {
  if (spec_->family == Family::kJoin) GTEST_SKIP() << "numbers cannot be joined to tensors";
  for (bp_dtype standard : {BP_F64, BP_BF16}) {
    ASSERT_EQ(bp_set_default_dtype(standard, nullptr), BP_OK);
    for (bp_dtype a : {BP_BOOL, BP_I32, BP_F16, BP_F32}) {
      expect({small(a, {3, 4}, 1), number(2.5)});
      expect({small(a, {3, 4}, 1), small(BP_I64, {3, 4}, 2)});
    }
    ASSERT_EQ(bp_set_default_dtype(BP_F32, nullptr), BP_OK);
  }
}

INSTANTIATE_TEST_SUITE_P(, Promotion,
                         testing::Values("add", "sub", "mul", "div", "floor_divide", "remainder",
                                         "pow", "maximum", "eq", "lt", "logical_and", "bitwise_xor",
                                         "where", "concat", "stack"),
                         [](const auto& info) { return info.param; });

// The wrong pair is named.
TEST(PromotionText, NamesBothDtypes) {
  const Session session(bp_device_make(BP_KIND_CPU, -1));
  const Outcome o =
      session.run(op_named("add").id, {{small(BP_U64, {2}, 1), small(BP_I32, {2}, 2)}, {}});
  EXPECT_EQ(o.message, "Promotion from UInt64 and Int is unsupported.");
}

}  // namespace
}  // namespace conformance
