// SPDX-License-Identifier: Apache-2.0
// Every allocation of every op: the calls are those of the conformance suite's plain cases, once as
// they are and once with operands that require a gradient, which backward then fetches.
#include <gtest/gtest.h>

#include "conformance/cases/cases.h"
#include "conformance/session.h"
#include "kit/devices.h"
#include "memory/each_allocation.h"

namespace bp_test {
namespace {

using conformance::Op;

// A call of an op whose operands, attributes and room for outputs were made before.
struct Prepared {
  conformance::Call call;
  std::vector<conformance::Handle> handles;
  std::vector<bp_value> values;
  std::vector<bp_attr> attrs;
  uint32_t op, n_outputs;

  Prepared(const Op& o, conformance::Call c, bp_device d)
      : call(std::move(c)),
        handles(conformance::Session(d).put_inputs(call)),
        op(o.id),
        n_outputs(o.info.n_outputs) {
    for (size_t i = 0; i < handles.size(); ++i)
      values.push_back(conformance::value_of(call.in[i], handles[i].get()));
    for (const conformance::Attribute& a : call.attrs) attrs.push_back(conformance::attr_of(a));
  }
  bp_status run(bp_error** err) const {
    bp_tensor* outs[BP_MAX_OUTPUTS] = {};
    const bp_status status =
        bp_invoke(op, values.data(), static_cast<uint32_t>(values.size()), attrs.data(),
                  static_cast<uint32_t>(attrs.size()), outs, n_outputs, err);
    for (bp_tensor* t : outs) bp_tensor_release(t);
    return status;
  }
  // The first output back to the operands, where a gradient goes that way.
  bp_status learn(bp_error** err) const {
    bp_tensor* outs[BP_MAX_OUTPUTS] = {};
    bp_status status =
        bp_invoke(op, values.data(), static_cast<uint32_t>(values.size()), attrs.data(),
                  static_cast<uint32_t>(attrs.size()), outs, n_outputs, err);
    if (status == BP_OK && bp_tensor_requires_grad(outs[0])) {
      T ones;
      status = bp_tensor_ones_like(outs[0], BP_DTYPE_NONE, 0, into(ones), err);
      bp_tensor* given = ones.get();
      if (status == BP_OK) status = bp_backward(outs, &given, 1, 0, err);
    }
    for (bp_tensor* t : outs) bp_tensor_release(t);
    for (const auto& h : handles)
      if (h) bp_tensor_set_grad(h.get(), nullptr, nullptr);
    return status;
  }
};

void fail_op(const Op& op, bp_device d, const std::string& family) {
  const conformance::Spec* spec = conformance::oracle_of(op.name);
  ASSERT_NE(spec, nullptr);
  bp_dtype t = BP_F32;
  if (!(spec->dtypes >> t & 1))
    for (t = 0; !(spec->dtypes >> t & 1);) ++t;
  const Prepared made(op, conformance::plain_call(*spec, t), d);
  if (made.run(nullptr) != BP_OK) return;  // this backend does not serve it
  fail_each_allocation({family, op.name, [&](bp_error** err) { return made.run(err); }});
  for (const auto& h : made.handles)
    if (h && bp_tensor_dtype(h.get()) == t) bp_tensor_set_requires_grad(h.get(), 1, nullptr);
  if (made.learn(nullptr) != BP_OK) return;  // it has no gradient, or not for such operands
  fail_each_allocation(
      {family + " back", op.name, [&](bp_error** err) { return made.learn(err); }});
}

// One process for all of them: to start one costs more than an op.
TEST(EachAllocationOfEachOp, OnTheCpu) {
  for (const Op& op : conformance::all_ops())
    fail_op(op, bp_device_make(BP_KIND_CPU, -1), "ops cpu");
}
TEST(EachAllocationOfEachOp, OnAnAccelerator) {
  uint64_t token = 0;  // ops without operands make their data there
  ASSERT_EQ(bp_default_push(device("sim:0"), &token, nullptr), BP_OK);
  for (const Op& op : conformance::all_ops()) fail_op(op, device("sim:0"), "ops sim");
  EXPECT_EQ(bp_default_pop(token, nullptr), BP_OK);
}

}  // namespace
}  // namespace bp_test
