// SPDX-License-Identifier: Apache-2.0
// card.h: what the vendors of real cards share of vendor.h (gpu/README.md): threads of a running
// kernel and launches. Included by a vendor.h that has defined GPU_FN and
//   GPU(name)       the vendor's runtime, which mirrors CUDA's name by name: GPU(Malloc) is
//                   cudaMalloc, hipMalloc
//   GPU_PARAMETER   how a kernel's parameter is declared
//   kKind           the backend's, as messages call it
//   kMaskVariable   as bp_plugin_info's mask_variable
//   kHasDnn, kHasLt whether there is a library of this vendor that dnn_library.h, lt_library.h knows
#pragma once
#include <math.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "c_plugin.h"

namespace bp_gpu {

// One thread of a running kernel.
class Place {
 public:
  __device__ int64_t block() const { return blockIdx.x; }
  __device__ int64_t blocks() const { return gridDim.x; }
  __device__ int32_t thread() const { return static_cast<int32_t>(threadIdx.x); }
  __device__ int32_t threads() const { return static_cast<int32_t>(blockDim.x); }
  __device__ int64_t index() const { return block() * threads() + thread(); }
  __device__ int64_t count() const { return blocks() * threads(); }
  __device__ void barrier() const { __syncthreads(); }
  template <class T>
  __device__ T* shared() const {
    extern __shared__ __attribute__((aligned(16))) char memory[];
    return reinterpret_cast<T*>(memory);
  }
};

__device__ inline void atomic_max(uint64_t* at, uint64_t value) {
  atomicMax(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(value));
}

__device__ inline void atomic_add(uint32_t* at, uint32_t value) { atomicAdd(at, value); }
__device__ inline void atomic_add(uint64_t* at, uint64_t value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(value));
}

struct Shape {
  int64_t blocks = 1;
  int64_t shared_bytes = 0;  // of each block
};

constexpr int32_t kThreads = 256;
// A few blocks for each of a large card's multiprocessors.
constexpr int64_t kManyBlocks = 1024, kCoverBlocks = 8 * kManyBlocks;

constexpr Shape cover(int64_t n) {
  const int64_t blocks = (n + kThreads - 1) / kThreads;
  return {.blocks = blocks < 1 ? 1 : blocks < kCoverBlocks ? blocks : kCoverBlocks};
}

// How many blocks of a kernel a multiprocessor shall have room for, as its kTogether says: 4 give a
// thread 64 registers, 3 give it 80. Without it the compiler spills a few where that makes room for
// one block more.
template <class K>
constexpr int32_t together() {
  if constexpr (requires { K::kTogether; })
    return K::kTogether;
  else
    return 0;
}

template <class K>
__global__ void __launch_bounds__(kThreads, together<K>()) run(GPU_PARAMETER K kernel) {
  kernel(Place{});
}

// Launches `run` of a kernel's type in the launch's stream, with the kernel as its parameter.
bp_status launch_run(const bp_launch& l, const void* run, const Shape& shape, const void* kernel,
                     bp_error** err);

template <class K>
bp_status launch(const bp_launch& l, const Shape& shape, const K& kernel, bp_error** err) {
  static_assert(std::is_trivially_copyable_v<K> && sizeof(K) <= 4096);
  return launch_run(l, reinterpret_cast<const void*>(&run<K>), shape, &kernel, err);
}

constexpr bool kTranslates = false;
inline bp_status translate(const bp_launch&, bp_arg*, void**, bp_error**) { return BP_OK; }

}  // namespace bp_gpu
