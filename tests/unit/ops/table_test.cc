// SPDX-License-Identifier: Apache-2.0
// The table of ops as a whole: which rows a backend needs kernels for.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/value/op_def.h"

namespace bp {
namespace {

bool is_primitive(const OpRow* row) { return row->flags & kPrimitive; }

TEST(PrimitiveRows, AreAtMostFifty) {
  const auto rows = op_table();
  const auto n = std::count_if(rows.begin(), rows.end(), is_primitive);
  EXPECT_GT(n, 0);
  EXPECT_LE(n, 50);
}

TEST(PrimitiveRows, AreThoseAloneThatAreNotComposed) {
  for (const OpRow* row : op_table())
    EXPECT_EQ(row->compose == nullptr, is_primitive(row)) << row->name;
}

}  // namespace
}  // namespace bp
