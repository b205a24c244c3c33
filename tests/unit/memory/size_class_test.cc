// SPDX-License-Identifier: Apache-2.0
#include "core/memory/size_class.h"

#include <gtest/gtest.h>

namespace bp {
namespace {

TEST(SizeClass, HoldsTheRequestAndWastesLittle) {
  uint32_t last = 0;
  uint64_t last_bytes = 0;
  for (uint64_t n = 1; n <= kLargestClass; n += 1 + n / 777) {
    const SizeClass c = size_class(n);
    ASSERT_GE(c.bytes, n);
    ASSERT_EQ(c.bytes % 64, 0u);
    ASSERT_LE(c.bytes - n, n <= 1024 ? 63 : c.bytes / 5) << n;
    ASSERT_LT(c.index, kSizeClasses);
    ASSERT_EQ(size_class(c.bytes).index, c.index);
    ASSERT_EQ(size_class(c.bytes).bytes, c.bytes);
    ASSERT_TRUE(c.index == last ? n == 1 || c.bytes == last_bytes
                                : c.index > last && c.bytes > last_bytes);
    last = c.index;
    last_bytes = c.bytes;
  }
  EXPECT_EQ(size_class(1).bytes, 64u);
  EXPECT_EQ(size_class(64).bytes, 64u);
  EXPECT_EQ(size_class(65).bytes, 128u);
  EXPECT_EQ(size_class(1025).bytes, 1280u);
  EXPECT_EQ(size_class(kLargestClass).index, kSizeClasses - 1);
}

TEST(SizeClass, BeyondTheLargestIsWholeSteps) {
  EXPECT_EQ(round_large(kLargestClass + 1), 18u << 20);
  EXPECT_EQ(round_large(20u << 20), 20u << 20);
  EXPECT_EQ(round_large((20u << 20) + 1), 22u << 20);
}

}  // namespace
}  // namespace bp
