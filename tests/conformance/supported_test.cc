// SPDX-License-Identifier: Apache-2.0
// What bp_op_supported says of an op and a dtype is what a call then does, for every row, dtype and
// backend; and a refusal names the op, the device and what is missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "cases/cases.h"
#include "foreach.h"
#include "judge.h"

namespace conformance {
namespace {

// How many answers were as the calls', and how many of them were yes.
struct Tally {
  int agreed = 0, disagreed = 0, served = 0;

  void count(const std::string& op, uint32_t id, bp_dtype t, bp_device device, bp_status status,
             const std::string& message) {
    const std::string call = op + " of " + name_of(t) + " on " + text_of_device(device);
    const bool says = supported(id, t, device), runs = status == BP_OK;
    EXPECT_EQ(says, runs) << call << ": " << message;
    (says == runs ? agreed : disagreed) += 1;
    served += runs;
    if (runs || status == BP_DTYPE_MISMATCH) return;
    EXPECT_EQ(status, BP_UNSUPPORTED) << call << ": " << message;
    EXPECT_EQ(message.rfind(op + ": " + text_of_device(device), 0), 0u) << message;
    EXPECT_NE(message.find("has no kernel for"), std::string::npos) << message;
  }
  void print(const char* of) const {
    std::printf("%s: %d answers of bp_op_supported are as the calls', %d are not; %d of them yes\n",
                of, agreed, disagreed, served);
    EXPECT_GT(agreed, 0);
  }
};

TEST(Supported, AgreesWithWhatACallDoes) {
  Tally tally;
  for (const bp_device device : all_devices()) {
    const Session session(device);
    for (const Op& op : all_ops()) {
      const Spec* spec = oracle_of(op.name);
      ASSERT_NE(spec, nullptr) << op.name;
      for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t) {
        const Outcome outcome = session.run(op.id, plain_call(*spec, t));
        tally.count(op.name, op.id, t, device, outcome.status, outcome.message);
      }
    }
  }
  tally.print("rows over tensors");
}

// A call of each row over lists; of the steps of one optimiser the plainest.
struct ListCall {
  size_t lists = 1;
  std::vector<Attribute> attrs;
};
std::map<std::string, ListCall> list_calls() {
  std::map<std::string, ListCall> calls{
      {"foreach_scale", {}}, {"foreach_clamp", {}}, {"foreach_norm", {}}};
  for (const ListStep& step : all_steps()) {
    std::vector<Attribute> attrs = step.attrs;
    attrs.push_back(int_attr("count", 2));
    calls.insert({step.op, {step.lists, attrs}});
  }
  return calls;
}

TEST(Supported, AgreesWithWhatACallOverListsDoes) {
  Tally tally;
  const auto calls = list_calls();
  for (const bp_device device : all_devices())
    for (const auto& [op, call] : calls)
      for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t) {
        Lists l = made_lists(op.c_str(), call.lists, {{5, 7}, {3}}, t, Layout::kContiguous, device);
        if (op == "foreach_scale")
          l.handles.push_back(put(Array{t == BP_F64 ? BP_F64 : BP_F32, {}, {0.5L}, {}},
                                  Layout::kContiguous, device));
        bp_tensor* out = nullptr;
        std::string message;
        const bp_status status = invoked(id_of(op.c_str()), l.values(), call.attrs,
                                         op == "foreach_norm" ? &out : nullptr, &message);
        const Handle owned(out);
        tally.count(op, id_of(op.c_str()), t, device, status, message);
      }
  tally.print("rows over lists");
}

// No row is left out of the two.
TEST(Supported, IsAskedOfEveryRow) {
  const auto calls = list_calls();
  size_t over_lists = 0;
  for (uint32_t i = 0; i < bp_op_count(); ++i) {
    uint32_t id = 0;
    bp_op_info info{};
    info.struct_size = sizeof info;
    ASSERT_EQ(bp_op_at(i, &id, nullptr), BP_OK);
    ASSERT_EQ(bp_op_get_info(id, &info, nullptr), BP_OK);
    over_lists += calls.count(info.name);
  }
  EXPECT_EQ(over_lists, calls.size());
  EXPECT_EQ(over_lists + all_ops().size(), bp_op_count());
}

}  // namespace
}  // namespace conformance
