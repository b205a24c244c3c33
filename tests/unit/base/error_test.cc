// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"

#include "unit/thrown.h"

namespace bp {
namespace {

using bp_test::caught;

TEST(Error, HoldsAStatusAndASentenceWithItsValues) {
  const bp_test::Answer a =
      caught([] { fail(BP_INDEX_OUT_OF_RANGE, "index {} of [{}]", 3, "2, 2"); });
  EXPECT_EQ(a.status, BP_INDEX_OUT_OF_RANGE);
  EXPECT_EQ(a.message, "index 3 of [2, 2]");
}

TEST(ErrorObject, IsOneLine) {
  bp_error* e = make_error(BP_INTERNAL, "two\nlines\r\x1b[2J", 14, /*flags=*/5);
  EXPECT_EQ(bp_error_flags(e), 5u);
  EXPECT_EQ(bp_test::taken(BP_INTERNAL, e).message, "two lines  [2J");
}

TEST(ErrorObject, OfExhaustedMemoryIsThereWithoutMemoryAndMayBeReleasedAnyNumberOfTimes) {
  bp_error* e = out_of_memory_error();
  for (int i = 0; i < 3; ++i) bp_error_release(e);
  EXPECT_EQ(bp_error_code(e), BP_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(out_of_memory_error(), e);
}

TEST(ThrowTaken, TakesOverWhatACallbackLeft) {
  bp_error* e = nullptr;
  ASSERT_EQ(bp_error_set(&e, BP_DEVICE_LOST, "gone"), BP_DEVICE_LOST);
  bp_test::Answer a = caught([&] { throw_taken(BP_DEVICE_LOST, e, 0, "nothing was said"); });
  EXPECT_EQ(a.status, BP_DEVICE_LOST);
  EXPECT_EQ(a.message, "gone");
  a = caught([] { throw_taken(BP_DEVICE_LOST, nullptr, 0, "nothing was said"); });
  EXPECT_EQ(a.message, "nothing was said");
  a = caught([] { throw_taken(/*status=*/3, nullptr, 0, "no failure"); });
  EXPECT_EQ(a.status, BP_INTERNAL) << "a status that is no failure cannot be one";
}

}  // namespace
}  // namespace bp
