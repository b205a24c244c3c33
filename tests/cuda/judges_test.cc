// SPDX-License-Identifier: Apache-2.0
// judges_test.cc: kernels with one seeded fault each, which the machine names with the kernel, the
// instruction and the address; and beside each the kernel without it, which passes.
#include <gtest/gtest.h>

#include <string>

#include "faults.h"

namespace faults {
static void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.name; }
}  // namespace faults

namespace {

using faults::verdict;

class Judges : public testing::TestWithParam<faults::Fault> {};

TEST_P(Judges, NameTheKernelTheInstructionAndThePlace) {
  const std::string text = verdict(GetParam().wrong, GetParam().threads);
  EXPECT_NE(text.find("kernel k,"), text.npos) << text;
  EXPECT_NE(text.find(GetParam().instruction), text.npos) << text;
  EXPECT_NE(text.find(GetParam().says), text.npos) << text;
}
TEST_P(Judges, LetTheKernelWithoutTheFaultPass) {
  EXPECT_EQ(verdict(GetParam().right, GetParam().threads), "");
}

INSTANTIATE_TEST_SUITE_P(Of, Judges, testing::ValuesIn(faults::kFaults),
                         [](const auto& info) { return info.param.name; });

TEST(Judges, CallADivisionByZeroNoFault) {
  EXPECT_EQ(verdict("mov.u32 %r2, 0; div.u32 %r1, %t, %r2; rem.s32 %r1, %t, %r2;", 64), "");
}

}  // namespace
