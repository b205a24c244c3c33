// SPDX-License-Identifier: Apache-2.0
// vendor.h of sim: what plugins/gpu asks of a vendor (gpu/README.md), answered by host threads.
#pragma once
#include <math.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "c_plugin.h"

#define GPU_FN inline

namespace bp_gpu {

struct Fiber;  // block.cc

// One thread of a running kernel.
class Place {
 public:
  Place(int64_t block, int64_t blocks, int32_t thread, int32_t threads, char* shared, Fiber* fiber)
      : block_(block),
        blocks_(blocks),
        thread_(thread),
        threads_(threads),
        shared_(shared),
        fiber_(fiber) {}
  int64_t block() const { return block_; }
  int64_t blocks() const { return blocks_; }
  int32_t thread() const { return thread_; }
  int32_t threads() const { return threads_; }
  int64_t index() const { return block_ * threads_ + thread_; }
  int64_t count() const { return blocks_ * threads_; }
  // All threads of the block, and their writes to shared memory.
  void barrier() const {
    if (threads_ > 1) wait();
  }
  // Shared memory of the block, 16-byte aligned, as many bytes as the launch's shape says; nothing
  // is in it at first.
  template <class T>
  T* shared() const {
    return reinterpret_cast<T*>(shared_);
  }

 private:
  void wait() const;
  int64_t block_, blocks_;
  int32_t thread_, threads_;
  char* shared_;
  Fiber* fiber_;
};

inline void atomic_max(uint64_t* at, uint64_t value) {
  std::atomic_ref<uint64_t> shared(*at);
  uint64_t seen = shared.load(std::memory_order_relaxed);
  while (seen < value && !shared.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

inline void atomic_add(uint32_t* at, uint32_t value) {
  std::atomic_ref<uint32_t>(*at).fetch_add(value, std::memory_order_relaxed);
}
inline void atomic_add(uint64_t* at, uint64_t value) {
  std::atomic_ref<uint64_t>(*at).fetch_add(value, std::memory_order_relaxed);
}

struct Shape {
  int64_t blocks = 1;
  int64_t shared_bytes = 0;  // of each block
};

// Enough threads for n independent pieces of work, each of which a thread takes with a stride of
// Place::count().
constexpr Shape cover(int64_t n) { return {.blocks = n < 2 ? 1 : 2}; }
// How many blocks are worth having at once.
constexpr int64_t kManyBlocks = 4;

using KernelRun = void (*)(const void* kernel, const Place& at);
bp_status enqueue_kernel(bp_pstream* stream, const Shape& shape, KernelRun run, const void* kernel,
                         uint64_t bytes, bp_error** err);

// What each thread runs of a kernel, a struct whose fields are its arguments. tests/hip finds it by
// its symbol, which has the kernel's type and size.
template <class K, size_t = sizeof(K)>
void run(const void* kernel, const Place& at) {
  (*static_cast<const K*>(kernel))(at);
}

template <class K>
bp_status launch(const bp_launch& l, const Shape& shape, const K& kernel, bp_error** err) {
  static_assert(std::is_trivially_copyable_v<K> && alignof(K) <= alignof(std::max_align_t));
  return enqueue_kernel(l.stream, shape, run<K>, &kernel, sizeof kernel, err);
}

// Device addresses are none of the host's: kernels get the worker's own mapping of the same pages.
// Fails when the stream's device may not reach the operand.
constexpr bool kTranslates = true;
bp_status translate(const bp_launch& l, bp_arg* args, void** workspace, bp_error** err);

}  // namespace bp_gpu
