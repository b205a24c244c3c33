// SPDX-License-Identifier: Apache-2.0
// rehearsal.h: whether a call would find its kernels. It is made, with the smallest operands that
// the row's rules take, on a stand-in of the backend, which has a kernel wherever the backend has
// one; these compute nothing. So compositions are followed as a call follows them. Any thread.
//
//   if (runs_for(backend, row) >> BP_F32 & 1) ...
#pragma once
#include "core/device/device.h"
#include "core/value/op_def.h"

namespace bp {

// Returns a bit for each dtype: set when a call with operands of it would run. Indices and
// masks beside other operands have their own dtypes, attributes their defaults.
uint64_t runs_for(const Backend& backend, const OpRow& row);
inline bool runs(const Backend& backend, const OpRow& row, bp_dtype dtype) {
  return runs_for(backend, row) >> dtype & 1;
}

}  // namespace bp
