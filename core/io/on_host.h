// SPDX-License-Identifier: Apache-2.0
// on_host.h: a tensor's elements as row-major bytes in host memory: t's own bytes where they lie
// so, else those of a copy.
#pragma once
#include "core/tensor/tensor.h"
#include "core/tensor/traced.h"

namespace bp {

// The result is ready to be read. No gradient goes through it.
inline Ref<Tensor> on_host(Tensor& t) {
  const Ref<Tensor> plain = t.trace ? detach(t) : Ref<Tensor>::share(&t);
  const Ref<Tensor> here =
      to(*plain, cpu_device().value, BP_DTYPE_NONE, /*copy=*/false, /*non_blocking=*/false);
  Ref<Tensor> rows = contiguous(*here);
  ready_to_read(*rows);
  return rows;
}

inline uint64_t n_bytes(const Tensor& t) {
  return static_cast<uint64_t>(t.count * dtype_bytes(t.dtype));
}

}  // namespace bp
