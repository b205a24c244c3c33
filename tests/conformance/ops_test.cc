// SPDX-License-Identifier: Apache-2.0
// Every op of the table on every device: the values are the oracle's, for every dtype and layout.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "cases/cases.h"
#include "exclusions.h"
#include "judge.h"
#include "promote.h"

namespace conformance {
namespace {

class Ops : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    op_ = &op_named(GetParam());
    spec_ = oracle_of(op_->name);
    ASSERT_NE(spec_, nullptr) << "no oracle is written for " << op_->name;
    // A row that takes none of the asked dtypes is called with i64, bool or c64.
    asked_ = asked_dtypes();
    if ((asked_ & spec_->dtypes) == 0) asked_ |= 1u << BP_I64 | 1u << BP_BOOL | 1u << BP_C64;
  }
  bool asks(bp_dtype t) const { return asked_ >> t & 1; }
  // A backend that is asked for f32 has indices and masks too.
  bool asks_key(bp_dtype t) const {
    return (asked_ | 1u << BP_I64 | 1u << BP_BOOL | 1u << BP_C64) >> t & 1;
  }
  void walk(bp_device device);
  void walk(const Session& session, bp_dtype t);
  // The call needs more of a backend than the op's own kernel: other ops, or conversions of
  // operands.
  bool parts(const Call& call) const {
    bool converts = op_->info.flags & BP_OP_FLAG_COMPOSED || is_complex(key_of(*spec_, call));
    for (const Operand& x : call.in)
      converts |= x.is_tensor() && x.array.dtype != key_of(*spec_, call);
    return converts;
  }

  const Op* op_ = nullptr;
  const Spec* spec_ = nullptr;
  uint32_t asked_ = 0;
  int cases_ = 0, unserved_ = 0;
};

void Ops::walk(const Session& session, bp_dtype t) {
  const std::string kind = kind_of(session.device());
  if (spec_->refuses(t)) {
    EXPECT_TRUE(refused(*op_, session, plain_call(*spec_, t), BP_DTYPE_MISMATCH));
    ++cases_;
  }
  if (!(spec_->dtypes >> t & 1)) return;
  if (const Exclusion* e = excluded(op_->name, t, kind)) {
    EXPECT_FALSE(supported(op_->id, key_of(*spec_, plain_call(*spec_, t)), session.device()))
        << op_->name << " of " << name_of(t) << " on " << kind
        << " works; it need not be excluded (" << e->reason << ")";
    return;
  }
  int wrong = 0;
  for (const Call& call : cases_of(*spec_, t)) {
    if (!asks_key(key_of(*spec_, call))) continue;
    if (!supported(op_->id, key_of(*spec_, call), session.device())) {
      ASSERT_FALSE(serves_all(session.device()))
          << headline(*op_, call, session.device()) << " has no kernel";
      ++unserved_;
      continue;
    }
    if (!serves_all(session.device()) && session.run(op_->id, call).status == BP_UNSUPPORTED &&
        parts(call)) {
      ++unserved_;
      continue;
    }
    const auto good = judge(*op_, *spec_, session, call);
    EXPECT_TRUE(good);
    ++cases_;
    if (!good && ++wrong == 3) break;  // the same fault again and again tells nothing
  }
}

void Ops::walk(bp_device device) {
  const Session session(device);
  for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t)
    if (asks(t)) walk(session, t);
}

TEST_P(Ops, MatchesItsOracle) {
  for (bp_device device : all_devices()) {
    cases_ = unserved_ = 0;
    walk(device);
    RecordProperty("cases_" + kind_of(device), cases_);
    if (serves_all(device))
      EXPECT_GT(cases_, 0) << "nothing was run on " << kind_of(device);
    else if (cases_ == 0)
      std::printf("%s: %s serves no dtype of it\n", op_->name.c_str(),
                  text_of_device(device).c_str());
  }
}

INSTANTIATE_TEST_SUITE_P(, Ops, testing::ValuesIn(op_names()),
                         [](const auto& info) { return info.param; });

TEST(Coverage, EveryOracleHasItsOp) {
  const std::vector<std::string> ops = op_names();
  for (const std::string& name : oracle_names())
    EXPECT_NE(std::find(ops.begin(), ops.end(), name), ops.end()) << "no op is called " << name;
}

TEST(Coverage, TheCpuAndEveryOpAreThere) {
  EXPECT_GE(all_ops().size(), 78u);
  const std::vector<bp_device> devices = all_devices();
  EXPECT_NE(std::find_if(devices.begin(), devices.end(), is_cpu), devices.end())
      << "the cpu backend is missing";
}

TEST(Coverage, NoExclusionIsStale) {
  for (const Exclusion& e : kExclusions) {
    if (e.dtypes == 0) continue;
    EXPECT_GT(std::string(e.reason).size(), 10u) << e.op << " is excluded without a reason";
    const Spec* spec = oracle_of(e.op);
    ASSERT_NE(spec, nullptr) << e.op << " is excluded and no op";
    EXPECT_EQ(e.dtypes & ~spec->dtypes, 0u)
        << e.op << " is excluded for dtypes that are refused anyway";
  }
}

}  // namespace
}  // namespace conformance
