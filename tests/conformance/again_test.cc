// SPDX-License-Identifier: Apache-2.0
// Ops and their gradients, called again and again: the same bits each time, whether the steps of
// which they are made were launched one by one or as a program (core/call/kept.h). The cpu does the
// latter for large operands alone, as those of elementwise ops and of reductions here.
#include <gtest/gtest.h>

#include <algorithm>

#include "cases/cases.h"
#include "exclusions.h"
#include "judge.h"
#include "kit/answer.h"

namespace conformance {
namespace {

std::vector<std::string> repeatable() {
  std::vector<std::string> all;
  for (const Op& op : all_ops())
    if (!(op.info.flags & BP_OP_FLAG_CREATES) && oracle_of(op.name) &&
        oracle_of(op.name)->family != Family::kRandom)
      all.push_back(op.name);
  return all;
}

class Again : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    op_ = &op_named(GetParam());
    spec_ = oracle_of(op_->name);
  }
  Call large_call(bp_dtype t) const;
  std::vector<Array> once(const Session& session, const Call& call, bp_status* status) const;

  const Op* op_ = nullptr;
  const Spec* spec_ = nullptr;
};

// Operands of the highest rank are repeated along one more dim.
Call Again::large_call(bp_dtype t) const {
  constexpr int64_t kTimes = 700;
  Call call = plain_call(*spec_, t);
  if (!(op_->info.flags & BP_OP_FLAG_ELEMENTWISE) && spec_->family != Family::kReduce &&
      spec_->family != Family::kRows)
    return call;
  size_t rank = 0;
  for (const Operand& x : call.in)
    if (x.is_tensor()) rank = std::max(rank, x.array.shape.size());
  for (Operand& x : call.in) {
    x.layout = Layout::kContiguous;
    if (!x.is_tensor() || x.array.shape.size() < rank) continue;
    Shape shape = x.array.shape;
    shape.insert(shape.begin(), kTimes);
    x.array = expand(x.array, shape);
  }
  return call;
}

// The results, then the gradients of all operands that have one.
std::vector<Array> Again::once(const Session& session, const Call& call, bp_status* status) const {
  std::vector<Handle> handles = session.put_inputs(call);
  std::vector<bp_tensor*> inputs, roots;
  for (size_t i = 0; i < call.in.size(); ++i) {
    inputs.push_back(handles[i].get());
    if (call.in[i].is_tensor() && has_gradient(call.in[i].array.dtype)) {
      EXPECT_EQ(bp_tensor_set_requires_grad(inputs[i], 1, nullptr), BP_OK);
    }
  }
  const Outcome o =
      session.run(op_->id, call, inputs, std::vector<bp_tensor*>(op_->info.n_outputs, nullptr));
  *status = o.status;
  if (o.status != BP_OK) return {};
  std::vector<Array> all = o.results;
  std::vector<Handle> weights;
  std::vector<bp_tensor*> grads;
  for (size_t k = 0; k < o.results.size(); ++k) {
    if (!bp_tensor_requires_grad(o.made[k].get())) continue;
    Array w = o.results[k];
    for (size_t i = 0; i < w.re.size(); ++i) w.re[i] = static_cast<Real>(i % 7) / 4;
    for (size_t i = 0; i < w.im.size(); ++i) w.im[i] = static_cast<Real>(i % 5) / 2;
    weights.push_back(put(w, Layout::kContiguous, session.device()));
    roots.push_back(o.made[k].get());
    grads.push_back(weights.back().get());
  }
  if (roots.empty()) return all;
  const bp_test::Answer back = bp_test::attempt(bp_backward, roots.data(), grads.data(),
                                                static_cast<uint32_t>(roots.size()), 0u);
  if (back.status != BP_OK) return all;  // it has none
  for (bp_tensor* t : inputs) {
    bp_tensor* grad = nullptr;
    if (!t) continue;
    EXPECT_EQ(bp_tensor_grad(t, &grad, nullptr), BP_OK);
    const Handle owned(grad);
    if (grad) all.push_back(get(grad));
  }
  return all;
}

TEST_P(Again, GivesTheSameBits) {
  int calls = 0;
  for (bp_device device : all_devices()) {
    const Session session(device);
    for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t) {
      if (!((spec_->dtypes & asked_dtypes()) >> t & 1) || excluded(op_->name, t, kind_of(device)))
        continue;
      const Call call = large_call(t);
      if (!supported(op_->id, key_of(*spec_, call), device)) continue;
      bp_status status = BP_OK;
      const std::vector<Array> first = once(session, call, &status);
      if (status != BP_OK) continue;  // a backend that lacks something of it
      for (int k = 2; k <= 4; ++k) {
        const std::vector<Array> later = once(session, call, &status);
        ASSERT_EQ(status, BP_OK) << headline(*op_, call, device) << ", call " << k;
        ASSERT_EQ(later.size(), first.size());
        for (size_t i = 0; i < first.size(); ++i)
          ASSERT_TRUE(same_bits(first[i], later[i]))
              << headline(*op_, call, device) << ", call " << k << ": "
              << (i < op_->info.n_outputs ? "result " : "gradient ")
              << (i < op_->info.n_outputs ? i : i - op_->info.n_outputs);
      }
      ++calls;
    }
  }
  const std::vector<bp_device> devices = all_devices();
  if (calls == 0 && !(spec_->dtypes & asked_dtypes())) GTEST_SKIP() << "of other dtypes";
  if (calls == 0 && std::none_of(devices.begin(), devices.end(), serves_all))
    GTEST_SKIP() << "the backend has nothing of it";
  EXPECT_GT(calls, 0) << "nothing was called";
}

INSTANTIATE_TEST_SUITE_P(, Again, testing::ValuesIn(repeatable()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace conformance
