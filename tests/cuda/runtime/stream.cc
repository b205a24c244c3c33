// SPDX-License-Identifier: Apache-2.0
#include "stream.h"

#include <chrono>
#include <thread>
#include <utility>

namespace cuda_machine {

void Mark::reach() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  ms = std::chrono::duration<double, std::milli>(now).count();
  reached_.store(1, std::memory_order_release);
  reached_.notify_all();
}

void Stream::open(Runner runner, std::function<void()> ended) {
  std::thread([self = shared_from_this(), runner = std::move(runner),
               ended = std::move(ended)]() mutable {
    self->work(runner);
    self.reset();
    ended();
  }).detach();
}

bool Stream::push(Task task) {
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return false;
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
  return true;
}

bool Stream::is_idle() {
  const std::lock_guard lock(mutex_);
  return tasks_.empty() && !busy_;
}

void Stream::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  wake_.notify_one();
}

void Stream::work(const Runner& runner) {
  for (;;) {
    std::unique_lock lock(mutex_);
    busy_ = false;
    wake_.wait(lock, [this] { return closed_ || !tasks_.empty(); });
    if (tasks_.empty()) {
      ended_ = true;
      return;
    }
    Task task = std::move(tasks_.front());
    tasks_.pop_front();
    if (task.marks) {
      task.run();
      continue;
    }
    busy_ = true;
    lock.unlock();
    runner(*this, task);
  }
}

}  // namespace cuda_machine
