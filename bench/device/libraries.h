// SPDX-License-Identifier: Apache-2.0
// libraries.h: NVIDIA's libraries, opened by name as the dynamic linker finds them. gpu-check.sh
// puts the folders of a toolkit and of Python environments on its path.
#pragma once
#include <memory>
#include <span>
#include <string>

#include "c_types.h"

namespace gpu_check {

struct Library {
  void* handle = nullptr;  // stays open
  std::string path;        // where it was found
  std::string problem;     // why none of the names could be opened
};
// Opens the first of them that is there.
Library open_library(std::span<const char* const> names);
inline constexpr const char* kCublas[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"};
inline constexpr const char* kCublasLt[] = {"libcublasLt.so.13", "libcublasLt.so.12",
                                            "libcublasLt.so.11"};
inline constexpr const char* kNccl[] = {"libnccl.so.2"};
inline constexpr const char* kCudnn[] = {"libcudnn.so.9", "libcudnn.so.8"};

// The NVIDIA driver called directly (cuda.h). It uses the backend's context, and a stream
// of its own.
class Driver {
 public:
  // `ordinal` counts after CUDA_VISIBLE_DEVICES. Throws std::runtime_error with the reason.
  explicit Driver(int ordinal);
  ~Driver();
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;
  void enter() const;  // makes it the calling thread's context
  // Queues a copy within the device.
  void copy(void* to, const void* from, uint64_t bytes) const;
  // Queues a kernel of one thread that does nothing, with as many bytes of parameters as an
  // elementwise op has.
  void launch() const;
  void wait() const;
  void* stream() const { return stream_; }

 private:
  struct Functions;
  std::unique_ptr<Functions> f_;
  void *context_ = nullptr, *stream_ = nullptr, *kernel_ = nullptr;
  int device_ = 0;
};

// cuBLAS called directly (cublas_api.h), in the driver's stream.
class Cublas {
 public:
  // `name` is one of kCublas; a driver serves those that are not newer than it. Throws
  // std::runtime_error with the reason.
  Cublas(const char* name, std::shared_ptr<Driver> driver);
  ~Cublas();
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;
  // Queues c = a b, of square row-major matrices of BP_F16, BP_BF16, BP_F32 or BP_F64 in the
  // device's memory. The sum is in f32 (for f64 in f64), never in tf32.
  void matmul(bp_dtype dtype, int n, const void* a, const void* b, void* c) const;
  void wait() const { driver_->wait(); }
  const std::string& version() const { return version_; }

 private:
  struct Functions;
  std::shared_ptr<Driver> driver_;
  std::unique_ptr<Functions> f_;
  void* handle_ = nullptr;
  std::string version_;
};

}  // namespace gpu_check
