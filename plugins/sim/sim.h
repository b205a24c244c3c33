// SPDX-License-Identifier: Apache-2.0
// sim.h: the handles of the simulated accelerator.
//   options.cc  what the variables SIM_* say
//   memory.cc   a device's memory: addresses that fault on the host, pages that workers reach by another mapping
//   stream.cc   a stream is a worker thread with a queue; events mark places in queues
//   block.{h,cc}  one block of a kernel: a plain loop, or fibers that meet at barriers
//   blas.cc     a library that products of matrices go through, as on a card
//   lt.cc       a library that products with something behind them go through, as on a card
//   dnn.cc      a library that convolutions go through, as on a card
//   sort.cc     a sort that the host does, in place of a card's own
//   collective.cc  a library that sums over devices go through
//   device.cc   the plugin's table
#pragma once
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "block.h"
#include "c_plugin_wide.h"
#include "gpu/blas_library.h"
#include "gpu/collective_library.h"
#include "gpu/dnn_library.h"
#include "gpu/lt_library.h"
#include "gpu/sort_pairs.h"
#include "kit/registry.h"
#include "vendor.h"

namespace bp_sim {

constexpr uint32_t kMostDevices = 64;

struct Options {
  uint32_t device_count = 4;
  uint64_t memory_bytes = uint64_t{1} << 30;  // of each device
  int32_t block_threads = 1;
  // Each task of stream `slow_stream` first sleeps so long.
  int64_t slow_us = 0;
  int64_t slow_stream = -1;  // ordinal of opening over all devices; -1: all
  // The k-th of the plugin's fails, from 1; 0: none does.
  int64_t fail_alloc = 0, fail_launch = 0, fail_copy = 0;
  // So many of them fail in a row, so that who asks again fails again.
  int64_t fail_times = 1;
  int64_t fail_kernel = 0;  // the k-th kernel fails while it runs: a sticky error
  // The k-th kernel call writes a byte past its first output.
  int64_t overrun = 0;
  int64_t lose_device = 0;  // at the k-th task the device is lost
  bool pinned = true;       // there is pinned host memory
  int64_t fail_pinned = 0;  // the k-th request for it is refused
  // The k-th barrier that each thread of a kernel meets holds nobody.
  int64_t skip_barrier = 0;
  bool sort = false;                           // there is a sort of its own
  bool lt_relu = false;                        // the library `lt` has a ReLU that may be used
  uint64_t copy_mbs = 0;                       // MB/s of a copy; 0: as fast as it goes
  std::array<uint64_t, kMostDevices> peers{};  // bit b of [a]: a reaches b's memory
  std::string name = "Simulated accelerator";
  std::vector<std::string> uuids, pcis;  // of the first devices; the others have made-up ones
};
bp_status read_options(const bp_host* host, Options* out, bp_error** err);

// Memory of one device. Any thread.
class Memory {
 public:
  ~Memory();
  bool open(uint64_t bytes);  // false: the system has no room
  // A device address; nullptr: full. Throws std::bad_alloc when the host's memory is exhausted.
  void* allocate(uint64_t bytes);
  void release(void* p, uint64_t bytes) noexcept;
  uint64_t used() const;
  uint64_t total() const { return size_; }
  bool holds(const void* p) const {
    return static_cast<const char*>(p) >= address_ &&
           static_cast<const char*>(p) < address_ + size_;
  }
  // The workers' address of the same byte.
  void* reach(const void* p) const { return pages_ + (static_cast<const char*>(p) - address_); }

 private:
  char *address_ = nullptr, *pages_ = nullptr;
  uint64_t size_ = 0, used_ = 0;
  int file_ = -1;
  mutable std::mutex mutex_;
  // offset -> bytes. A node goes from one to the other, so that giving back needs no memory.
  std::map<uint64_t, uint64_t> free_, taken_;
};

// A failure of the device itself: every later call fails at once and says what it was.
class Sticky {
 public:
  void set(std::string text);
  bool is_set() const { return set_.load(std::memory_order_acquire); }
  // Returns BP_OK when there is none.
  bp_status report(const bp_host* host, bp_error** err);

 private:
  std::atomic<bool> set_{false};
  std::mutex mutex_;
  std::string text_;
};

// A place in a queue, shared by the event that was recorded there and by whoever waits.
struct Mark {
  std::mutex mutex;
  std::condition_variable passed;
  bool done = false;
  double ms = 0;  // when, on the monotonic clock
};

// What a library of SIM_BLAS, SIM_DNN or SIM_NCCL gets for a stream: the way into its queue.
// enqueue copies the data; it returns 0 for success.
struct Port {
  int (*enqueue)(Port* self, void (*run)(const void* data), const void* data, uint64_t bytes);
  bp_pstream* stream;
};

struct Task {
  virtual ~Task() = default;
  virtual void run() = 0;
  bool always = false;  // also on a device that failed, so that nobody waits for ever
  Task* next = nullptr;
};

// Tasks in the order in which they were queued, and their memory, which is used anew when all have
// run: what one thread allocates and another frees costs more than the rest of a launch.
class Batch {
 public:
  Batch() = default;
  ~Batch() { clear(); }
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  bool empty() const { return !first_; }
  std::pmr::memory_resource& memory() { return memory_; }  // for what a task keeps
  template <class T, class... A>
  void add(A&&... args) {
    T* t = new (memory_.allocate(sizeof(T), alignof(T))) T(std::forward<A>(args)...);
    *end_ = t;
    end_ = &t->next;
  }
  template <class F>
  void for_each(F run) {
    for (Task* t = first_; t; t = t->next) run(*t);
  }
  void clear() {
    for (Task* t = first_; t;) std::exchange(t, t->next)->~Task();
    first_ = nullptr;
    end_ = &first_;
    memory_.release();
  }

 private:
  alignas(std::max_align_t) std::array<std::byte, 16 * 1024> begin_;
  std::pmr::unsynchronized_pool_resource kept_{{1, 1 << 20}};  // from clear to clear
  std::pmr::monotonic_buffer_resource memory_{begin_.data(), begin_.size(), &kept_};
  Task* first_ = nullptr;
  Task** end_ = &first_;
};

}  // namespace bp_sim

struct bp_plugin {
  const bp_host* host = nullptr;
  bp_kit::Registry registry;
  bp_sim::Options options;
  bp_gpu::BlasLibrary blas;
  bp_gpu::DnnLibrary dnn;
  bp_gpu::LtLibrary lt;
  bp_gpu::CollectiveLibrary collectives;
  std::mutex mutex;
  std::vector<bp_pdev*> devices;  // open ones
  std::atomic<int64_t> n_allocs{0}, n_pinned{0}, n_launches{0}, n_copies{0}, n_kernels{0},
      n_calls{0}, n_tasks{0}, n_streams{0};
  // Counts one more; returns true for the k-th and those that follow it, when k > 0.
  static bool strikes(std::atomic<int64_t>& counter, int64_t k, int64_t times = 1) {
    const int64_t n = counter.fetch_add(1, std::memory_order_relaxed) + 1;
    return k > 0 && n >= k && n - k < times;
  }
};

struct bp_pdev {
  bp_plugin* plugin = nullptr;
  uint64_t owner = 0;
  uint32_t physical = 0;
  bp_sim::Memory memory;
  bp_sim::Sticky failure;
  bool reaches(const bp_pdev& other) const {
    return this == &other || (plugin->options.peers[physical] >> other.physical & 1);
  }
};

struct bp_pstream {
  bp_pdev* device = nullptr;
  int64_t ordinal = 0;
  std::mutex mutex;
  std::condition_variable work, idle;
  std::array<bp_sim::Batch, 2> batches;
  bp_sim::Batch* queue = &batches[0];  // the other is the worker's
  std::shared_ptr<bp_sim::Crew> crew;  // the worker's
  bool busy = false, stop = false;
  std::atomic<bool> dry{true};  // the worker has taken all that was queued
  bp_sim::Port port{};
  bp_gpu::BlasHandle blas;
  bp_gpu::DnnHandle dnn;
  bp_gpu::LtHandle lt;
  std::thread worker;
};

struct bp_pevent {
  bp_pdev* device = nullptr;
  std::mutex mutex;
  std::shared_ptr<bp_sim::Mark> mark;  // of the latest record; nullptr: never recorded
};

namespace bp_sim {

// Queues a T, which is made of the arguments while the queue is locked. Throws std::bad_alloc only.
template <class T, class... A>
void push(bp_pstream* s, A&&... args) {
  {
    const std::lock_guard lock(s->mutex);
    s->queue->add<T>(std::forward<A>(args)...);
    s->dry.store(false, std::memory_order_relaxed);
  }
  s->work.notify_one();
}
void drain(bp_pstream* s);
bool is_idle(bp_pstream* s);
// Opens the files of the options `blas`, `dnn` and `lt`. Called at probe. Throws std::bad_alloc.
bp_status open_libraries(bp_plugin* p, bp_error** err);
bp_status gemm(const bp_launch& l, const bp_gpu::Gemm& g, bp_error** err);
bool has_blas(const bp_launch& l);
bp_status convolve(const bp_launch& l, bp_gpu::Convolution* c, bp_error** err);
bp_status fused_gemm(const bp_launch& l, bp_gpu::FusedGemm* g, bp_error** err);
bp_status sort_pairs(const bp_launch& l, bp_gpu::SortPairs* s, bp_error** err);
Port new_port(bp_pstream* s);
// Both are nullptr where there is no such library.
const bp_collective_api* collectives(const bp_plugin* p);
const bp_wide_api* wide(const bp_plugin* p);
bp_status open_stream(bp_pdev* d, bp_pstream** out, bp_error** err);
void close_stream(bp_pstream* s);
double now_ms();

// Returns a device address as the workers of `d` reach it, or nullptr when they may not.
void* reach(bp_pdev* d, const void* p);

}  // namespace bp_sim
