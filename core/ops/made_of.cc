// SPDX-License-Identifier: Apache-2.0
#include "core/ops/made_of.h"

#include <cmath>

namespace bp::ops {

Value factor_for(const OpRow& row, bp_dtype t, double factor) {
  if (is_floating(t) || is_complex(t)) return factor;
  if (!(std::fabs(factor) < 0x1p63))
    fail(BP_INVALID_ARGUMENT, "{}: a factor of {} does not fit int64, which {} takes", row.name,
         factor, dtype_name(t));
  return static_cast<int64_t>(factor);
}

Ref<Tensor> operand(const Composer& c, size_t i) {
  const bp_dtype dtype = is_narrow(c.plan.compute) ? BP_F32 : c.plan.compute;
  if (!is_tensor(c.in[i])) return filled(Dims{}, dtype, c.in[i], c.device);
  // A single number on the cpu may stand among an accelerator's operands.
  return to(c.tensor(i), &c.tensor(i).device() == &c.device ? 0 : c.device.value, dtype,
            /*copy=*/false, /*non_blocking=*/false);
}

Ref<Tensor> real_operand(const Composer& c, size_t i) {
  if (is_complex(c.plan.compute)) no_kernel(c.row, c.device, c.plan.compute);
  return operand(c, i);
}

}  // namespace bp::ops
