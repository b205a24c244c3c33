// SPDX-License-Identifier: Apache-2.0
// clip.h: gradients kept within bounds, over all parameters at once, on whatever devices they are.
// The caller waits for no device, because the norm and the factor stay where they were computed;
// only copies between devices of different kinds wait, as always. The formulas are those of
// torch/nn/utils/clip_grad.py.
#pragma once
#include <span>

#include "core/tensor/tensor.h"

namespace bp {

// Scales the gradients so that the norm of all of them together is at most max_norm. Returns the
// norm that they had, 0-dim, on the first gradient's device. norm_type is vector_norm's ord. With
// refuse_nonfinite the norm is read back, for which the caller waits, and INVALID_ARGUMENT is
// thrown if it is infinite or NaN.
Ref<Tensor> clip_grad_norm(std::span<Tensor* const> params, double max_norm, double norm_type,
                           bool refuse_nonfinite);
// Limits every element of the gradients to [-limit, limit].
void clip_grad_value(std::span<Tensor* const> params, double limit);

}  // namespace bp
