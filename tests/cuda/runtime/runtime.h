// SPDX-License-Identifier: Apache-2.0
// runtime.h: the state behind CUDA's runtime, and how its calls come to it. Each call is
//   cudaError_t cudaFree(void* p) {
//     return call(kDevice, [&](Runtime& r) { ...; });      // throws Error{cudaErrorInvalidValue, "why"}
//   }
#pragma once
#include <cuda_runtime_api.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "../machine/fault.h"
#include "../machine/machine.h"
#include "errors.h"
#include "hazards.h"
#include "options.h"
#include "stream.h"

namespace cuda_machine {

class Device {
 public:
  uint64_t number = 0;  // before CUDA_VISIBLE_DEVICES
  std::string uuid, pci;
  std::shared_ptr<Stream> default_stream;  // made at first use
  std::set<uint64_t> blocks;               // guarded by the runtime's mutex
  std::atomic<uint64_t> peers{0};          // whose access it has enabled

  // The first failure counts, until reset().
  void fail(cudaError_t code, const std::string& why);
  cudaError_t failure() const { return failure_.load(std::memory_order_acquire); }
  void check() const;  // throws what it failed with
  void reset() { failure_ = cudaSuccess; }

 private:
  mutable std::mutex mutex_;
  std::string why_;
  std::atomic<cudaError_t> failure_{cudaSuccess};
};

struct Event {
  int device = 0;
  bool timed = true;
  std::shared_ptr<Mark> mark;  // nullptr: never recorded
};

class Runtime {
 public:
  Runtime();

  Options options;
  Error broken{cudaSuccess, ""};  // what every call fails with
  std::vector<std::unique_ptr<Device>> devices;
  std::unique_ptr<machine::Memory> memory;
  std::unique_ptr<Hazards> hazards;
  std::mutex mutex;  // guards handles and blocks

  Device& device(int ordinal);  // throws cudaErrorInvalidDevice
  Device& current() { return device(current_ordinal()); }
  static int& current_ordinal();

  // ---- streams and events; handles are never used twice ----
  std::shared_ptr<Stream> open_stream(int device, bool blocking, int priority);
  cudaStream_t add(std::shared_ptr<Stream> stream);
  cudaEvent_t add(std::shared_ptr<Event> event);
  // 0 and cudaStreamLegacy are the current device's default stream. Throws
  // cudaErrorInvalidResourceHandle.
  std::shared_ptr<Stream> stream(cudaStream_t handle);
  std::shared_ptr<Event> event(cudaEvent_t handle);
  std::shared_ptr<Stream> take(cudaStream_t handle);
  void take(cudaEvent_t handle);
  std::vector<std::shared_ptr<Stream>> streams_of(int device);
  void forget_handles(int device);

  // ---- work ----
  using Body = std::function<void(const Ticket&)>;
  void enqueue(Stream& s, std::string_view what, uint64_t bytes, Body body);
  std::shared_ptr<Mark> mark(Stream& s);
  void wait(Stream& s, std::shared_ptr<Mark> mark);
  void host_func(Stream& s, cudaHostFn_t fn, void* user);
  // The host waits. Throws what the stream's device failed with.
  void synchronize(Stream& s);
  void synchronize(int device);
  // Whether all that was enqueued is over.
  bool is_idle(Stream& s);
  // Waits for whoever may touch memory of a device, or pinned memory: kHost.
  void drain_users(int owner);

  bool reaches(int device, int owner) const;
  // Whether the next of a counted kind is to fail by option.
  bool strikes(std::atomic<uint64_t>& count, uint64_t k) const;
  std::atomic<uint64_t> allocations{0}, pinned{0}, launches{0}, copies{0}, kernels{0}, tasks{0};

  // Ends all streams, so that no thread uses this any more.
  void end();

 private:
  void run(Stream& s, Task& task);
  void join_default(Stream& s);
  std::shared_ptr<Mark> mark_locked(Stream& s);
  void wait_locked(Stream& s, std::shared_ptr<Mark> mark);
  std::mutex enqueueing_;
  uint64_t handles_ = 0, stream_numbers_ = 0;
  std::unordered_map<uint64_t, std::shared_ptr<Stream>> streams_;
  std::unordered_map<uint64_t, std::shared_ptr<Event>> events_;
  std::vector<std::weak_ptr<Stream>> every_stream_;
};

Runtime& runtime();
bool in_host_func();
// Whether an error is one that cudaGetLastError() does not take away.
bool stays(cudaError_t e);

enum Needs {
  kRuntime,  // works with a device that failed
  kDevice,   // the current device is well
};
template <class F>
cudaError_t call(Needs needs, const F& body) {
  try {
    if (in_host_func())
      throw Error{cudaErrorNotPermitted, "a call of the runtime in a host function"};
    Runtime& r = runtime();
    if (r.broken.code != cudaSuccess) throw Error(r.broken);
    if (needs == kDevice) r.current().check();
    body(r);
    return cudaSuccess;
  } catch (const Error& e) {
    return remember(e);
  } catch (const machine::Fault& f) {
    return remember({static_cast<cudaError_t>(f.code), f.what()});
  } catch (const std::bad_alloc&) {
    return remember({cudaErrorMemoryAllocation, "host memory exhausted"});
  }
}

[[noreturn]] inline void refuse(cudaError_t code, const std::string& why) {
  throw Error{code, why};
}
std::string hex(uint64_t address);

}  // namespace cuda_machine
