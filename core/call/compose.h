// compose.h: what a row's composition works with: the call's operands, and short names for the ops
// it is made of. A composition fills out, in the rule's dtype or a wider one: the core converts,
// and copies into outputs that the caller gave. Shapes are the rule's.
//
//   .compose = [](Composer& c) { c.out[0] = c.op(BP_OP_DIV, {c.in[0], c.in[1]}); }
#pragma once
#include "core/call/invoke.h"

namespace bp {

// An operand: of the call, a number, or a tensor that an op before made, which is kept for the
// call.
struct ComposeValue {
  bp_value value;
  Ref<Tensor> kept{};
  ComposeValue(const bp_value& v) : value(v) {}  // NOLINT: implicit by design
  // NOLINTNEXTLINE: implicit by design
  ComposeValue(Ref<Tensor> t) : value(tensor_value(*t)), kept(std::move(t)) {}
};

struct Composer : AttrReader {
  const OpRow& row;
  std::span<const bp_value> in;
  const Inference& plan;
  Ref<Tensor> out[kMaxOutputs] = {};

  Tensor& tensor(size_t i) const { return *in[i].as.tensor; }
  // Input i in the dtype that the op computes in; and in f32 where that is a half.
  Ref<Tensor> computed(size_t i) const {
    return to(tensor(i), 0, plan.compute, /*copy=*/false, /*non_blocking=*/false);
  }
  Ref<Tensor> wide(size_t i) const {
    const bool half = plan.compute == BP_F16 || plan.compute == BP_BF16;
    return to(tensor(i), 0, half ? BP_F32 : plan.compute, /*copy=*/false, /*non_blocking=*/false);
  }
  bool has(size_t i) const { return in[i].kind != BP_VALUE_NONE; }
  // attrs: all of that row's, in its order.
  static Ref<Tensor> op(uint32_t id, std::initializer_list<ComposeValue> in,
                        std::initializer_list<bp_attr> attrs = {}) {
    SmallVec<bp_value, 4> values;
    for (const ComposeValue& v : in) values.push_back(v.value);
    Ref<Tensor> out[1];
    invoke(*find_op(id), values, {attrs.begin(), attrs.size()}, out);
    return std::move(out[0]);
  }
};

}  // namespace bp
