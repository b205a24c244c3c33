// SPDX-License-Identifier: Apache-2.0
// The table of ops as a whole: each row is found, and which rows a backend needs kernels for.
#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "core/value/op_def.h"

namespace bp {
namespace {

bool is_primitive(const OpRow* row) { return row->flags & kPrimitive; }

// Of two rows with one id or name, one would be out of reach.
TEST(OpTable, EachRowIsFoundByItsIdAndItsName) {
  for (const OpRow* row : op_table()) {
    EXPECT_EQ(find_op(row->id), row) << row->name;
    EXPECT_EQ(find_op(std::string_view(row->name)), row) << row->name;
  }
}

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
