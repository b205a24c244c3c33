// move.h: a run of bytes from one tensor to another of the same dtype, shape and memory order, on
// whatever devices.
//   one device         queued in its current stream
//   peers              queued in the source's stream, ordered with the destination's by events; nobody waits
//   host to device     staged through pinned memory, or straight from it: queued; the caller may change src at once, or with
//                      non_blocking and src pinned, through the library at once, which then waits
//   device to host     the caller waits; not with non_blocking and dst pinned: whoever reads dst through the library does
//   other devices      in pieces through pinned host memory, two under way at once; the caller waits for the way to the host
// Where a backend has no pinned memory the caller waits until the run is there, and transfer.h
// counts it.
#pragma once
#include "core/tensor/tensor.h"

namespace bp {

// Not empty. Counts the write and what crossed. Throws what the devices report.
void move_run(Tensor& dst, Tensor& src, bool non_blocking);

}  // namespace bp
