// SPDX-License-Identifier: Apache-2.0
// blas_pool.h: the pool of threads that an opened BLAS has of its own. It has one size for the
// process; a scope that needs another size sets it, holding a lock, and puts it back.
//
//   const PoolSize scope(pool, max_threads());
//   dgemm(...);
#pragma once
#include <cstdint>
#include <mutex>

namespace bp_cpu {

// Both are NULL where the library has no such functions; its threads are then left alone.
struct BlasPool {
  int (*get_threads)() = nullptr;
  void (*set_threads)(int) = nullptr;

  void find(void* library);
};

class PoolSize {
 public:
  PoolSize(const BlasPool& pool, int32_t threads);
  ~PoolSize();
  PoolSize(const PoolSize&) = delete;
  PoolSize& operator=(const PoolSize&) = delete;

 private:
  const BlasPool& pool_;
  int before_ = 0;
  std::unique_lock<std::mutex> lock_;
};

}  // namespace bp_cpu
