// SPDX-License-Identifier: Apache-2.0
// compose.h: what a row's composition works with: the call's operands and attributes, and what the
// row's rules made of them. A composition fills out, of the rule's shapes, in its dtypes or wider
// ones: the core converts, and copies into outputs that the caller gave.
//
//   constexpr Compose kRatio = [](Composer& c) { c.out[0] = invoke(BP_OP_DIV, {c.in[0], c.in[1]}); };
#pragma once
#include "core/call/invoke.h"

namespace bp {

struct Composer : AttrReader {
  const OpRow& row;
  std::span<const bp_value> in;
  const Inference& plan;
  Device& device;  // of the call
  Ref<Tensor> out[kMaxOutputs] = {};

  Tensor& tensor(size_t i) const { return *in[i].as.tensor; }
  // Returns input i in the dtype that the op computes in, or in f32 where that is narrow.
  Ref<Tensor> computed(size_t i) const {
    return to(tensor(i), 0, plan.compute, /*copy=*/false, /*non_blocking=*/false);
  }
  Ref<Tensor> wide(size_t i) const {
    return to(tensor(i), 0, is_narrow(plan.compute) ? BP_F32 : plan.compute, /*copy=*/false,
              /*non_blocking=*/false);
  }
  bool has(size_t i) const { return in[i].kind != BP_VALUE_NONE; }
};

}  // namespace bp
