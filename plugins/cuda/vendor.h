// vendor.h of cuda: what plugins/gpu asks of a vendor (gpu/README.md), answered by CUDA's runtime.
#pragma once
#include <cuda_runtime.h>
#include <math.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "c_plugin.h"

#define GPU_FN __device__ inline

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
    extern __shared__ __align__(16) char memory[];
    return reinterpret_cast<T*>(memory);
  }
};

struct Shape {
  int64_t blocks = 1;
  int64_t shared_bytes = 0, shared_per_thread = 0;
};

constexpr int32_t kThreads = 256;
// A few for each of a large card's multiprocessors.
constexpr int64_t kManyBlocks = 1024, kCoverBlocks = 8 * kManyBlocks;

constexpr Shape cover(int64_t n) {
  const int64_t blocks = (n + kThreads - 1) / kThreads;
  return {.blocks = blocks < 1 ? 1 : blocks < kCoverBlocks ? blocks : kCoverBlocks};
}

// The kernel's fields stay in constant memory.
template <class K>
__global__ void __launch_bounds__(kThreads) run(const __grid_constant__ K kernel) {
  kernel(Place{});
}

// Makes the stream's device the calling thread's current one until the end of the block.
class OnDevice {
 public:
  explicit OnDevice(const bp_pstream* s);
  explicit OnDevice(int device);
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int before_ = -1;  // -1: it was already
};
cudaStream_t native(const bp_pstream* s);
bp_status launched(const bp_launch& l, bp_error** err);  // what the launch before it said

template <class K>
bp_status launch(const bp_launch& l, const Shape& shape, const K& kernel, bp_error** err) {
  static_assert(std::is_trivially_copyable_v<K> && sizeof(K) <= 4096);
  const OnDevice here(l.stream);
  run<<<static_cast<unsigned>(shape.blocks), kThreads,
        static_cast<size_t>(shape.shared_bytes + shape.shared_per_thread * kThreads), native(l.stream)>>>(kernel);
  return launched(l, err);
}

constexpr bool kTranslates = false;
inline bp_status translate(const bp_launch&, bp_arg*, void**, bp_error**) { return BP_OK; }

}  // namespace bp_gpu
