// SPDX-License-Identifier: Apache-2.0
// vendor.h of cuda: what plugins/gpu asks of a vendor (gpu/README.md), answered by CUDA's runtime.
#pragma once
#include <cuda_runtime.h>

#define GPU_FN __device__ inline
#define GPU(name) cuda##name
#define GPU_PARAMETER const __grid_constant__  // the kernel's fields stay in constant memory

namespace bp_gpu {
constexpr char kKind[] = "cuda";
constexpr char kMaskVariable[] = "CUDA_VISIBLE_DEVICES";
constexpr bool kHasDnn = true;
constexpr bool kHasLt = true;
}  // namespace bp_gpu

#include "gpu/card.h"
