// SPDX-License-Identifier: Apache-2.0
#include "core/call/fallback.h"

#include "core/backend/resolve.h"
#include "core/call/rehearsal.h"

namespace bp {

bool may_run_on_cpu(const Device& device) {
  return &device != &cpu_device() && fallback() == BP_FALLBACK_CPU;
}

bool should_run_on_cpu(const Device& device, const OpRow& row, bool composed, bp_dtype dtype) {
  if (!may_run_on_cpu(device)) return false;
  // What a user's op is composed of is not known; each op of it comes here by itself.
  return !composed || (row.id < kMaxBuiltinOp && !runs(*device.backend, row, dtype));
}

Ref<Tensor> copy_on_cpu(Tensor& t) {
  Ref<Tensor> out = new_tensor(t.shape, t.dtype, cpu_device());
  copy_into(*out, t, /*non_blocking=*/false);
  return out;
}

void compose_on_cpu(Composer& c) {
  SmallVec<bp_value, 4> in;
  std::vector<Ref<Tensor>> kept;
  for (const bp_value& v : c.in) {
    in.push_back(v);
    if (!is_tensor(v)) continue;
    kept.push_back(copy_on_cpu(*v.as.tensor));
    in.back() = tensor_value(*kept.back());
  }
  // What makes data without an operand makes it where its output is.
  if (kept.empty())
    for (uint32_t i = 0; i < c.row.n_outputs(); ++i)
      c.out[i] = new_tensor(c.plan.out_shape[i], c.plan.out_dtype[i], cpu_device());
  invoke(c.row, in, c.attrs, {c.out, c.row.n_outputs()});
}

}  // namespace bp
