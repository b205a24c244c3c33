// SPDX-License-Identifier: Apache-2.0
// stream.h: a stream is a thread that takes tasks off a queue in order; a mark is a place in that
// queue.
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

#include "hazards.h"

namespace cuda_machine {

struct Mark {
  Clock clock;    // what is over when it is reached
  double ms = 0;  // when it was reached; read it after is_reached()
  void reach();
  bool is_reached() const { return reached_.load(std::memory_order_acquire) != 0; }
  void wait() const { reached_.wait(0, std::memory_order_acquire); }

 private:
  std::atomic<int> reached_{0};
};

struct Task {
  std::function<void()> run;
  bool is_work = false;  // not of a device that failed; counted
  bool marks = false;    // takes no time: whoever sees it done sees the stream idle
};

// Its thread lives until the stream was closed and all its tasks ran.
class Stream : public std::enable_shared_from_this<Stream> {
 public:
  using Runner = std::function<void(Stream&, Task&)>;
  Stream(int device, uint64_t number, bool blocking, int priority, size_t lane)
      : device(device), number(number), blocking(blocking), priority(priority), lane(lane) {}

  void open(Runner runner, std::function<void()> ended);
  // Returns false, and drops the task, when the stream was closed and its thread is through.
  bool push(Task task);
  bool is_idle();
  void close();

  const int device;
  const uint64_t number;
  const bool blocking;  // ordered with the default stream
  const int priority;
  const size_t lane;

  // Guarded by the runtime's mutex for enqueueing.
  Clock clock;
  uint64_t pushed = 0;  // tasks
  uint64_t seen_others =
      0;  // of a blocking stream: how many of its tasks the default stream waits for,
  uint64_t seen_default = 0;  // and how many of that one's it waits for

 private:
  void work(const Runner& runner);
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  bool closed_ = false, busy_ = false, ended_ = false;
};

}  // namespace cuda_machine
