// SPDX-License-Identifier: Apache-2.0
// all_reduce.h: sums over devices, in place. Each device holds a tensor of one shape; afterwards
// all hold the sum, or the mean, bit for bit the same.
// It goes by the backend's own means where it has them for these devices and this dtype
// (device/collective.h), else around a ring of copies (Patarasu and Yuan 2009). The tensor is then
// cut into as many parts as there are devices. In n - 1 rounds each device hands a part on to the
// next one, which adds it, and in n - 1 further rounds the finished parts go around, so that each
// device sends and receives 2 * (n - 1) / n of the tensor, whatever n is. Everything is queued in
// the devices' current streams; where the devices reach each other nobody waits.
//
//   Tensor* tensors[] = {&t};   // one on each device
//   all_reduce(tensors, /*mean=*/true);
#pragma once
#include <span>

#include "core/tensor/tensor.h"

namespace bp {

// Takes numbers of one dtype and shape, each tensor on a device of its own, all of one kind; a mean
// takes floating dtypes only. With one tensor nothing happens.
void all_reduce(std::span<Tensor* const> tensors, bool mean);

}  // namespace bp
