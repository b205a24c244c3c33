// SPDX-License-Identifier: Apache-2.0
// Elementwise ops and reductions once more inside a program, with a call behind them that reads the
// result where it was made: the same bits as the calls give, or, of a reduction, the oracle's
// answer within the row's bound. The program is run twice, with the results as outputs and without.
#include <gtest/gtest.h>

#include "c_program.h"
#include "cases/cases.h"
#include "exclusions.h"
#include "judge.h"

namespace conformance {
namespace {

bool is_asked(const std::string& name) {
  const Spec* spec = oracle_of(name);
  if (!spec) return false;
  switch (spec->family) {
    case Family::kUnary:
    case Family::kBinary:
    case Family::kBounds:
    case Family::kWhere:
    case Family::kConvert:
    case Family::kReduce:
    case Family::kRows: return true;
    default: return false;
  }
}
std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const std::string& name : op_names())
    if (is_asked(name)) all.push_back(name);
  return all;
}

void need(bp_status status, bp_error* e) {
  const std::string text = e ? bp_error_message(e, nullptr) : "";
  bp_error_release(e);
  if (status != BP_OK) throw std::runtime_error(std::string(bp_status_name(status)) + ": " + text);
}

std::vector<Handle> invoked(uint32_t op, const std::vector<bp_value>& in,
                            const std::vector<bp_attr>& attrs, size_t n_out) {
  std::vector<bp_tensor*> out(n_out, nullptr);
  bp_error* e = nullptr;
  const bp_status status =
      bp_invoke(op, in.data(), static_cast<uint32_t>(in.size()), attrs.data(),
                static_cast<uint32_t>(attrs.size()), out.data(), static_cast<uint32_t>(n_out), &e);
  std::vector<Handle> owned;
  for (bp_tensor* t : out) owned.emplace_back(t);
  need(status, e);
  return owned;
}
bp_value value(bp_tensor* t) {
  bp_value v{};
  v.kind = BP_VALUE_TENSOR;
  v.as.tensor = t;
  return v;
}

class InAProgram : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    op_ = &op_named(GetParam());
    spec_ = oracle_of(op_->name);
  }

  // The op, and of each result something that reads it: results first, if they are asked for.
  std::vector<Handle> calls(const Call& call, const std::vector<Handle>& in, bool results) const {
    std::vector<bp_value> values;
    for (size_t i = 0; i < in.size(); ++i) values.push_back(value_of(call.in[i], in[i].get()));
    std::vector<bp_attr> attrs;
    for (const Attribute& a : call.attrs) attrs.push_back(attr_of(a));
    std::vector<Handle> made = invoked(op_->id, values, attrs, op_->info.n_outputs), read;
    for (const Handle& y : made) {
      const bool is_truth = bp_tensor_dtype(y.get()) == BP_BOOL;
      std::vector<bp_value> both(is_truth ? 1 : 2, value(y.get()));
      read.push_back(std::move(invoked(is_truth ? BP_OP_LOGICAL_NOT : BP_OP_ADD, both, {}, 1)[0]));
    }
    if (!results) return read;
    for (Handle& z : read) made.push_back(std::move(z));
    return made;
  }

  std::vector<Array> run(const Call& call, const std::vector<Handle>& in, bool results) const {
    std::vector<bp_tensor*> inputs, outputs;
    for (const Handle& h : in)
      if (h) inputs.push_back(h.get());
    const auto n = static_cast<uint32_t>(inputs.size());
    bp_error* e = nullptr;
    need(bp_program_begin(inputs.data(), n, 0, &e), e);
    const struct Abandoned {
      ~Abandoned() { bp_program_abandon(); }
    } abandoned;
    const std::vector<Handle> made = calls(call, in, results);
    for (const Handle& h : made) outputs.push_back(h.get());
    bp_program* program = nullptr;
    const auto n_out = static_cast<uint32_t>(outputs.size());
    need(bp_program_end(outputs.data(), n_out, nullptr, &program, &e), e);
    std::vector<bp_tensor*> got(outputs.size(), nullptr);
    const bp_status status = bp_program_run(program, inputs.data(), n, got.data(), n_out, &e);
    bp_program_release(program);
    std::vector<Handle> owned;
    for (bp_tensor* t : got) owned.emplace_back(t);
    need(status, e);
    std::vector<Array> arrays;
    for (const Handle& h : owned) arrays.push_back(get(h.get()));
    return arrays;
  }

  bool reduces() const {
    return spec_->family == Family::kReduce || spec_->family == Family::kRows;
  }
  void check(const Session& session, const Call& call);

  const Op* op_ = nullptr;
  const Spec* spec_ = nullptr;
  int cases_ = 0;
};

void InAProgram::check(const Session& session, const Call& call) {
  SCOPED_TRACE(headline(*op_, call, session.device()));
  const std::vector<Handle> in = session.put_inputs(call);
  std::vector<Array> wanted;
  for (const Handle& h : calls(call, in, /*results=*/true)) wanted.push_back(get(h.get()));
  const std::vector<Array> whole = run(call, in, true), last = run(call, in, false);
  const size_t n = op_->info.n_outputs;
  ASSERT_EQ(whole.size(), 2 * n);
  ASSERT_EQ(last.size(), n);
  for (size_t i = 0; i < n; ++i) {
    EXPECT_TRUE(same_bits(whole[n + i], last[i]))
        << "output " << i << " depends on what else is asked";
    if (!reduces()) {
      EXPECT_TRUE(same_bits(whole[i], wanted[i])) << "output " << i;
      EXPECT_TRUE(same_bits(whole[n + i], wanted[n + i])) << "what reads output " << i;
    }
  }
  if (reduces()) {
    EXPECT_TRUE(judge_results(*op_, *spec_, call, spec_->answer(call),
                              {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)}));
  }
  ++cases_;
}

TEST_P(InAProgram, GivesWhatTheCallsGive) {
  for (bp_device device : all_devices()) {
    const Session session(device);
    cases_ = 0;
    for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t) {
      if (!((spec_->dtypes & asked_dtypes()) >> t & 1) || excluded(op_->name, t, kind_of(device)))
        continue;
      for (const Call& call : cases_of(*spec_, t)) {
        if (!supported(op_->id, key_of(*spec_, call), device)) continue;
        if (!is_cpu(device) && session.run(op_->id, call).status == BP_UNSUPPORTED) continue;
        try {
          check(session, call);
        } catch (const std::exception& refused) {
          ADD_FAILURE() << headline(*op_, call, device) << ": " << refused.what();
        }
        if (HasFailure()) return;
      }
    }
    const bool may = spec_->dtypes & asked_dtypes();
    EXPECT_TRUE(cases_ > 0 || !may || !is_cpu(device)) << "nothing was run";
  }
}

INSTANTIATE_TEST_SUITE_P(, InAProgram, testing::ValuesIn(names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace conformance
