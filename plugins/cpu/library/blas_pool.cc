// SPDX-License-Identifier: Apache-2.0
#include "library/blas_pool.h"

#include "library/on_demand.h"

namespace bp_cpu {
namespace {
std::mutex pool_size;
}  // namespace

void BlasPool::find(void* library) {
  get_threads = reinterpret_cast<int (*)()>(find_routine(library, "openblas_get_num_threads"));
  set_threads = reinterpret_cast<void (*)(int)>(find_routine(library, "openblas_set_num_threads"));
}

PoolSize::PoolSize(const BlasPool& pool, int32_t threads) : pool_(pool) {
  if (!pool.get_threads || !pool.set_threads || pool.get_threads() == threads) return;
  lock_ = std::unique_lock(pool_size);
  before_ = pool.get_threads();
  pool.set_threads(threads);
}

PoolSize::~PoolSize() {
  if (lock_.owns_lock()) pool_.set_threads(before_);
}

}  // namespace bp_cpu
