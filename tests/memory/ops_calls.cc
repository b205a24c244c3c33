// SPDX-License-Identifier: Apache-2.0
// ops_calls.cc: the calls of ops, which are the conformance suite's plain cases.
#include <memory>

#include "conformance/cases/cases.h"
#include "conformance/session.h"
#include "kit/devices.h"
#include "memory/calls.h"

namespace bp_test {
namespace {

using conformance::Op;

// The default device for one call, given back on every path.
struct Default {
  uint64_t token = 0;
  ~Default() {
    if (token) {
      EXPECT_EQ(bp_default_pop(token, nullptr), BP_OK);
    }
  }
};

// A call of an op whose operands, attributes and room for outputs were made before.
struct Prepared {
  bp_device device;
  conformance::Call call;
  std::vector<conformance::Handle> handles;
  std::vector<bp_value> values;
  std::vector<bp_attr> attrs;
  uint32_t op, n_outputs;

  Prepared(const Op& o, conformance::Call c, bp_device d)
      : device(d),
        call(std::move(c)),
        handles(conformance::Session(d).put_inputs(call)),
        op(o.id),
        n_outputs(o.info.n_outputs) {
    for (size_t i = 0; i < handles.size(); ++i)
      values.push_back(conformance::value_of(call.in[i], handles[i].get()));
    for (const conformance::Attribute& a : call.attrs) attrs.push_back(conformance::attr_of(a));
  }
  bp_status invoke(bp_tensor** outs, bp_error** err) const {
    Default here;
    if (values.empty()) TRY(bp_default_push(device, &here.token, err));  // data is made there
    return bp_invoke(op, values.data(), static_cast<uint32_t>(values.size()), attrs.data(),
                     static_cast<uint32_t>(attrs.size()), outs, n_outputs, err);
  }
  bp_status run(bp_error** err) const {
    bp_tensor* outs[BP_MAX_OUTPUTS] = {};
    const bp_status status = invoke(outs, err);
    for (bp_tensor* t : outs) bp_tensor_release(t);
    return status;
  }
  // The first output back to the operands, where a gradient goes that way.
  bp_status learn(bp_error** err) const {
    bp_tensor* outs[BP_MAX_OUTPUTS] = {};
    bp_status status = invoke(outs, err);
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

std::shared_ptr<const Prepared> prepared(const Op& op, bp_device d, bool learns) {
  const conformance::Spec* spec = conformance::oracle_of(op.name);
  EXPECT_NE(spec, nullptr) << op.name;
  if (!spec) return nullptr;
  bp_dtype t = BP_F32;
  if (!(spec->dtypes >> t & 1))
    for (t = 0; !(spec->dtypes >> t & 1);) ++t;
  auto made = std::make_shared<const Prepared>(op, conformance::plain_call(*spec, t), d);
  for (const auto& h : made->handles)
    if (learns && h && bp_tensor_dtype(h.get()) == t)
      bp_tensor_set_requires_grad(h.get(), 1, nullptr);
  return made;
}

}  // namespace

std::vector<Call> op_calls(const std::string& name) {
  const bp_device d = device(name);
  const std::string family = "ops " + name.substr(0, name.find(':'));
  std::vector<Call> calls;
  for (const Op& op : conformance::all_ops()) {
    const auto plain = prepared(op, d, /*learns=*/false);
    if (!plain || plain->run(nullptr) != BP_OK) continue;  // this backend does not serve it
    calls.push_back({family, op.name, [=](bp_error** err) { return plain->run(err); }});
    const auto leaves = prepared(op, d, /*learns=*/true);
    if (leaves->learn(nullptr) != BP_OK) continue;  // it has no gradient, or not for such operands
    calls.push_back(
        {family + " back", op.name, [=](bp_error** err) { return leaves->learn(err); }});
  }
  return calls;
}

}  // namespace bp_test
