// SPDX-License-Identifier: Apache-2.0
// vendor.h of hip: what plugins/gpu asks of a vendor (gpu/README.md), answered by ROCm's HIP
// runtime. Nothing is linked: runtime.cc opens it, and defines the functions that are called here.
#pragma once
#include <hip/hip_runtime.h>

// Of the host too: hipcc's clang lets host code name a function in decltype only if it may call it.
#define GPU_FN __host__ __device__ inline
#define GPU(name) hip##name
#define GPU_PARAMETER const

namespace bp_gpu {
constexpr char kKind[] = "hip";
constexpr char kMaskVariable[] = "ROCR_VISIBLE_DEVICES,HIP_VISIBLE_DEVICES,CUDA_VISIBLE_DEVICES";
constexpr bool kHasDnn = false;
constexpr bool kHasLt = false;
}  // namespace bp_gpu

#include "gpu/card.h"
