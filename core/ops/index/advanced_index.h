// SPDX-License-Identifier: Apache-2.0
// advanced_index.h: a tensor indexed by tensors, as NumPy and PyTorch have it: index[d] stands at
// dimension d, nullptr is the whole of it. Integers pick (negative ones count from the end), a mask
// of bools stands for as many dimensions as it has and picks where it is true. What integers and
// masks pick is broadcast; the result has it in the place of the indexed dimensions when those are
// neighbours, else in front. Indices may lie on the cpu whatever the tensor's device.
//
//   Tensor* at[] = {nullptr, rows};
//   Ref<Tensor> y = index(x, at);           // x[:, rows]
//   index_put(x, at, *y, /*accumulate=*/false);
#pragma once
#include <span>

#include "core/tensor/tensor.h"

namespace bp {

// A copy. Out of range: BP_INDEX_OUT_OF_RANGE where the index lies on the cpu; else nothing is read
// there and zeros come.
Ref<Tensor> index(Tensor& x, std::span<Tensor* const> indices);
// Writes values (broadcast, x's dtype) there; of equal indices the last wins, or with accumulate
// all are added.
void index_put(Tensor& x, std::span<Tensor* const> indices, Tensor& values, bool accumulate);

}  // namespace bp
