// SPDX-License-Identifier: Apache-2.0
// works.h: small work on a device, and whether what it gives is right.
//
//   Session session("sim.device_count=2;sim.fail_launch=1");
//   expect_works("sim:1");
#pragma once
#include <string>

#include "kit/has.h"
#include "kit/session.h"
#include "kit/tensors.h"

using namespace bp_test;

// Builds with asan have the debug allocator on, whose blocks are larger, are never reused and are
// filled by copies.
#ifdef BP_DEBUG_ALLOCATOR
#define SKIP_WITH_DEBUG_ALLOCATOR() \
  GTEST_SKIP() << "the debug allocator adds guard bytes and copies of its own"
#else
#define SKIP_WITH_DEBUG_ALLOCATOR() static_cast<void>(0)
#endif

inline T ones(const std::string& where, Shape shape = {4}) {
  return made(bp_tensor_ones, rank(shape), shape.data(), BP_F32, device(where));
}
inline T add(const T& a, const T& b) { return made(bp_add, a.get(), b.get()); }

inline void expect_works(const std::string& where) {
  const T t = ones(where);
  ASSERT_TRUE(t) << where;
  EXPECT_EQ(values<float>(add(t, t)), std::vector<float>(4, 2)) << where;
}

inline void expect_nothing_lives(const std::string& where) {
  EXPECT_EQ(memory_of(device(where)).n_live, 0u) << where;
  EXPECT_EQ(memory_of(device(where)).allocated_bytes, 0u) << where;
}
