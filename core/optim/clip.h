// SPDX-License-Identifier: Apache-2.0
// clip.h: gradients kept within bounds, over all parameters at once, on whatever devices they are.
// Nobody waits for a device: the norm and the factor stay where they were computed. (Between
// devices of different kinds a copy waits, as every such copy does.) Formulas:
// torch/nn/utils/clip_grad.py.
#pragma once
#include <span>

#include "core/tensor/tensor.h"

namespace bp {

// Scales the gradients so that the norm of all of them together is at most max_norm; gives the norm
// before, 0-dim, on the first gradient's device. norm_type: as vector_norm's ord. refuse_nonfinite
// reads the norm back, for which the caller waits.
Ref<Tensor> clip_grad_norm(std::span<Tensor* const> params, double max_norm, double norm_type,
                           bool refuse_nonfinite);
// Every element of the gradients within [-limit, limit].
void clip_grad_value(std::span<Tensor* const> params, double limit);

}  // namespace bp
