// SPDX-License-Identifier: Apache-2.0
#include "core/c_api/run.h"

namespace bp {

std::vector<bp_value> list_arg(bp_tensor* const* tensors, uint32_t n, const char* name) {
  if (n > BP_MAX_INPUTS)
    fail(BP_INVALID_ARGUMENT, "{} has {} tensors, at most {} are possible", name, n,
         +BP_MAX_INPUTS);
  if (n) need(tensors, name);
  std::vector<bp_value> values;
  values.reserve(n);
  for (uint32_t i = 0; i < n; ++i) values.push_back(tensor_arg(tensors[i], name));
  return values;
}

void run(uint32_t op, std::span<const bp_value> in, std::span<const bp_attr> attrs,
         bp_tensor** out) {
  need(out, "out");
  Ref<Tensor> made[1];
  invoke(*find_op(op), in, attrs, made);
  *out = made[0].release();
}

void run_several(uint32_t op, std::span<const bp_value> in, std::span<const bp_attr> attrs,
                 std::initializer_list<bp_tensor**> outs) {
  const OpRow& row = *find_op(op);
  size_t n = 0;
  for (bp_tensor** out : outs) need(out, row.outputs[n++]);
  Ref<Tensor> made[kMaxOutputs];
  invoke(row, in, attrs, {made, n});
  n = 0;
  for (bp_tensor** out : outs) *out = made[n++].release();
}

void run_into(uint32_t op, std::span<const bp_value> in, std::span<const bp_attr> attrs,
              bp_tensor* out) {
  // The caller's own reference, lent for the call: counting one more would cost what a small op
  // does.
  struct Lent {
    Ref<Tensor> given[1];
    ~Lent() { static_cast<void>(given[0].release()); }
  } lent{{Ref<Tensor>::adopt(&checked(out, "out"))}};
  invoke(*find_op(op), in, attrs, lent.given);
}

void run_created(uint32_t op, std::span<const bp_value> in, std::span<const bp_attr> attrs,
                 bp_device device, bp_tensor** out) {
  need(out, "out");
  const OpRow& row = *find_op(op);
  const Inference plan = infer(row, in, attrs);
  Ref<Tensor> made[1] = {new_tensor(plan.out_shape[0], plan.out_dtype[0], resolve_device(device))};
  invoke(row, in, attrs, made);
  *out = made[0].release();
}

}  // namespace bp
