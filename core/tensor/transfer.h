// SPDX-License-Identifier: Apache-2.0
// transfer.h: transfers a run of bytes from one tensor to another of the same dtype, shape and
// memory order, on whatever devices.
// Within one device the copy is queued in its current stream. Between peers it is queued in the
// source's stream and ordered with the destination's by events; nobody waits. From host to device
// it is queued, and the bytes are staged through pinned memory, so that the caller may change src
// at once. If src itself is pinned the caller waits, unless non_blocking is set: then whoever
// writes src through the library waits. From device to host the caller waits, unless non_blocking
// is set and dst is pinned: then whoever reads dst through the library waits. Between other devices
// the run goes in pieces through pinned memory, two under way at once, and the caller waits until
// it has reached the host. Where a backend has no pinned memory the caller waits for the copy.
// process/transfer_statistics.h counts transfers and waits.
//
//   Ref<Tensor> there = new_tensor(t.shape, t.dtype, d);
//   transfer_run(*there, t, /*non_blocking=*/false);
#pragma once
#include "core/tensor/tensor.h"

namespace bp {

// The tensors must not be empty. Counts the write and the transfer. Throws what the devices report.
void transfer_run(Tensor& dst, Tensor& src, bool non_blocking);

}  // namespace bp
