// SPDX-License-Identifier: Apache-2.0
// fallback.h: an op that a device's backend lacks, run on the cpu: its operands are copied there,
// and what it makes is copied to where it belongs. process/fallback.h says whether that may be.
#pragma once
#include "core/call/compose.h"
#include "core/process/fallback.h"

namespace bp {

// Whether the cpu may run what the device lacks; never, for the cpu itself.
bool may_run_on_cpu(const Device& device);
// Whether the cpu should run a call of the row on the device: it may, and the backend lacks the op
// or, where it is composed (`composed`), something of that. `dtype` is that of the operands.
bool should_run_on_cpu(const Device& device, const OpRow& row, bool composed, bp_dtype dtype);
// The composition of whatever a backend lacks. It leaves its results on the cpu.
void compose_on_cpu(Composer& c);
// Returns t's elements on the cpu, row-major, without t's history. The caller waits.
Ref<Tensor> copy_on_cpu(Tensor& t);

}  // namespace bp
