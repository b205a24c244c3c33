// SPDX-License-Identifier: Apache-2.0
#include "core/base/thread_end.h"

#include <gtest/gtest.h>

#include <thread>

namespace {

TEST(ThreadEnd, IsToldOnceOfWhatTheThreadNotedLast) {
  static const bp::ThreadEnd at_end([](void* n) { ++*static_cast<int*>(n); });
  int first = 0, last = 0, another = 0;
  std::thread([&] {
    ASSERT_TRUE(at_end.note(&first));
    ASSERT_TRUE(at_end.note(&last));
    std::thread([&] { ASSERT_TRUE(at_end.note(&another)); }).join();
    EXPECT_EQ(another, 1);
    EXPECT_EQ(last, 0) << "this thread goes on";
  }).join();
  EXPECT_EQ(first, 0);
  EXPECT_EQ(last, 1);
  EXPECT_EQ(another, 1);
}

}  // namespace
