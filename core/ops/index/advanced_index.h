// SPDX-License-Identifier: Apache-2.0
// advanced_index.h: a tensor indexed by tensors, as in NumPy and PyTorch: each index stands at the
// next dimension, nullptr for the whole of it. Integers pick (negative ones count from the end), a
// mask of bools stands for as many dimensions as it has and picks where it is true. What they pick
// is broadcast; the result has it in the place of the indexed dimensions when those are neighbours,
// else in front. Indices may lie on the cpu whatever the tensor's device.
//
//   Tensor* at[] = {nullptr, rows};
//   Ref<Tensor> y = index(x, at);           // x[:, rows]
//   index_put(x, at, *y, /*accumulate=*/false);
#pragma once
#include <span>

#include "core/tensor/tensor.h"

namespace bp {

// Returns a copy. An index out of range is BP_INDEX_OUT_OF_RANGE where it lies on the cpu;
// elsewhere nothing is read for it, and the result has zeros.
Ref<Tensor> index(Tensor& x, std::span<Tensor* const> indices);
// Writes values, which broadcast and have x's dtype, to these places. Of equal indices the last
// wins; with accumulate all are added.
void index_put(Tensor& x, std::span<Tensor* const> indices, Tensor& values, bool accumulate);

}  // namespace bp
