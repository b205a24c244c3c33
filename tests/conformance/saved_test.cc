// SPDX-License-Identifier: Apache-2.0
// Every op of the table as a program that goes through a file: on the backend that recorded it its
// results stay the same, bit for bit; on another they are what the oracle says.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cases/cases.h"
#include "judge.h"
#include "kit/answer.h"

namespace conformance {
namespace {

using Program = bp_test::Handle<bp_program, bp_program_release>;
using bp_test::attempt;

struct Case {
  Call call;
  bool recorded = false;
};

bool is_small(const Call& call) {
  return std::all_of(call.in.begin(), call.in.end(), [](const Operand& x) {
    return !x.is_tensor() || count_of(x.array.shape) <= 2000;
  });
}

// The default device for one call.
class Default {
 public:
  explicit Default(bp_device d) { EXPECT_EQ(attempt(bp_default_push, d, &token_).message, ""); }
  ~Default() { EXPECT_EQ(bp_default_pop(token_, nullptr), BP_OK); }
  Default(const Default&) = delete;
  Default& operator=(const Default&) = delete;

 private:
  uint64_t token_ = 0;
};

std::vector<Handle> run(const Program& p, size_t n) {
  EXPECT_EQ(bp_manual_seed(7, nullptr), BP_OK);
  std::vector<bp_tensor*> out(n);
  EXPECT_EQ(attempt(bp_program_run, p.get(), static_cast<bp_tensor* const*>(nullptr), 0u,
                    out.data(), static_cast<uint32_t>(n))
                .message,
            "");
  return {out.begin(), out.end()};
}

std::string bytes_of(bp_tensor* t) {
  std::string bytes(static_cast<size_t>(bp_tensor_numel(t)) * bp_dtype_bytes(bp_tensor_dtype(t)),
                    '\0');
  EXPECT_EQ(attempt(bp_tensor_read, t, static_cast<void*>(bytes.data()), bytes.size()).message, "");
  return bytes;
}

class SavedOps : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    op_ = &op_named(GetParam());
    spec_ = oracle_of(op_->name);
    ASSERT_NE(spec_, nullptr);
  }
  void TearDown() override { std::remove(path_.c_str()); }
  // The program of those of the calls that can be recorded, which it marks.
  Program recorded(std::vector<Case>& cases, bp_device from);
  Program loaded(const std::vector<bp_device>& onto);

  const Op* op_ = nullptr;
  const Spec* spec_ = nullptr;
  const std::string path_ =
      testing::TempDir() + "backplane-saved-" + std::to_string(::getpid()) + ".safetensors";
};

Program SavedOps::recorded(std::vector<Case>& cases, bp_device from) {
  const Session session(from);
  std::vector<std::vector<Handle>> operands;
  for (const Case& c : cases) operands.push_back(session.put_inputs(c.call));
  const Default here(from);
  EXPECT_EQ(attempt(bp_program_begin, static_cast<bp_tensor* const*>(nullptr), 0u, 0u).message, "");
  std::vector<Handle> made;
  for (size_t i = 0; i < cases.size(); ++i) {
    const Call& call = cases[i].call;
    std::vector<bp_value> values;
    std::vector<bp_attr> attrs;
    for (size_t k = 0; k < call.in.size(); ++k)
      values.push_back(value_of(call.in[k], operands[i][k].get()));
    for (const Attribute& a : call.attrs) attrs.push_back(attr_of(a));
    bp_tensor* out[BP_MAX_OUTPUTS] = {};
    const uint32_t n = op_->info.n_outputs;
    cases[i].recorded =
        bp_invoke(op_->id, values.data(), static_cast<uint32_t>(values.size()), attrs.data(),
                  static_cast<uint32_t>(attrs.size()), out, n, nullptr) == BP_OK;
    for (uint32_t k = 0; cases[i].recorded && k < n; ++k) made.emplace_back(out[k]);
  }
  std::vector<bp_tensor*> outputs;
  for (const Handle& t : made) outputs.push_back(t.get());
  bp_program* p = nullptr;
  EXPECT_EQ(attempt(bp_program_end, outputs.data(), static_cast<uint32_t>(outputs.size()),
                    static_cast<const bp_program_options*>(nullptr), &p)
                .message,
            "");
  return Program(p);
}

Program leave_recorded(std::vector<Case>& cases, Program p) {
  cases.erase(std::remove_if(cases.begin(), cases.end(), [](const Case& c) { return !c.recorded; }),
              cases.end());
  return p;
}

Program SavedOps::loaded(const std::vector<bp_device>& onto) {
  bp_program* p = nullptr;
  EXPECT_EQ(attempt(bp_program_load, path_.c_str(), onto.data(), static_cast<uint32_t>(onto.size()),
                    static_cast<const bp_program_options*>(nullptr), &p)
                .message,
            "");
  return Program(p);
}

TEST_P(SavedOps, AreTheSame) {
  const size_t n = op_->info.n_outputs;
  for (const bp_dtype t : {BP_F32, BP_F16, BP_I64, BP_BOOL, BP_C64}) {
    if (!(spec_->dtypes >> t & 1)) continue;
    std::vector<Call> calls = cases_of(*spec_, static_cast<bp_dtype>(t));
    for (const bp_device from : all_devices())
      for (const bp_device onto : all_devices()) {
        SCOPED_TRACE(op_->name + " of " + name_of(t) + ", " + text_of_device(from) + " to " +
                     text_of_device(onto));
        std::vector<Case> cases;
        for (const Call& call : calls)
          if (is_small(call) && cases.size() < 60 &&
              Session(onto).run(op_->id, call).status == BP_OK)
            cases.push_back({call});
        // What a composition reads back cannot be recorded where there is no kernel.
        if (from != onto) leave_recorded(cases, recorded(cases, onto));
        const Program program = leave_recorded(cases, recorded(cases, from));
        if (cases.empty()) continue;
        ASSERT_EQ(attempt(bp_program_save, program.get(), path_.c_str()).message, "");
        const Program same = loaded(from == onto ? std::vector<bp_device>{} : std::vector{onto});
        ASSERT_TRUE(same);
        const std::vector<Handle> got = run(same, n * cases.size()),
                                  before = run(program, n * cases.size());
        for (size_t i = 0; i < cases.size(); ++i) {
          if (from == onto) {
            for (size_t k = n * i; k < n * (i + 1); ++k)
              ASSERT_EQ(bytes_of(got[k].get()), bytes_of(before[k].get())) << cases[i].call.text();
            continue;
          }
          std::vector<Array> results;
          for (size_t k = n * i; k < n * (i + 1); ++k) results.push_back(get(got[k].get()));
          ASSERT_TRUE(
              judge_results(*op_, *spec_, cases[i].call, spec_->answer(cases[i].call), results))
              << cases[i].call.text();
        }
      }
  }
}

INSTANTIATE_TEST_SUITE_P(, SavedOps, testing::ValuesIn(op_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace conformance
