// SPDX-License-Identifier: Apache-2.0
// stream.cc: a stream is a thread that takes tasks off a queue in order; an event is a mark in it.
#include <time.h>

#include <chrono>
#include <new>
#include <system_error>

#include "kit/error.h"
#include "sim.h"

namespace bp_sim {
namespace {

void lose(bp_pdev* d) { d->failure.set("the device was lost (SIM_LOSE_DEVICE)"); }

// To wake a thread costs the waker microseconds, ten times what queueing does, so a worker that ran
// dry looks around for a moment before it sleeps. It looks once in a microsecond: each look takes
// the cache line that whoever queues writes to, and a worker that finds every task at once meets
// him at the lock each time.
void look_around(const bp_pstream* s) {
  using Clock = std::chrono::steady_clock;
  using std::chrono::microseconds;
  auto next = Clock::now();
  for (const auto until = next + microseconds(20); next < until;) {
    if (!s->dry.load(std::memory_order_relaxed)) return;
    next += microseconds(1);
    while (Clock::now() < next) std::this_thread::yield();
  }
}

void run(bp_pstream* s, Task& task, bool slow) {
  const Options& options = s->device->plugin->options;
  if (slow) std::this_thread::sleep_for(std::chrono::microseconds(options.slow_us));
  if (bp_plugin::strikes(s->device->plugin->n_tasks, options.lose_device)) lose(s->device);
  if (task.always || !s->device->failure.is_set()) task.run();
}

void work(bp_pstream* s) {
  const Options& options = s->device->plugin->options;
  const bool slow =
      options.slow_us > 0 && (options.slow_stream < 0 || options.slow_stream == s->ordinal);
  Batch* taken = &s->batches[1];  // all at once: one lock for many tasks
  for (;;) {
    look_around(s);
    std::unique_lock lock(s->mutex);
    s->work.wait(lock, [s] { return s->stop || !s->queue->empty(); });
    if (s->queue->empty()) return;
    std::swap(taken, s->queue);
    s->dry.store(true, std::memory_order_relaxed);
    s->busy = true;
    lock.unlock();
    taken->for_each([&](Task& task) { run(s, task, slow); });
    taken->clear();
    lock.lock();
    s->busy = false;
    if (s->queue->empty()) s->idle.notify_all();
  }
}

}  // namespace

double now_ms() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_nsec) * 1e-6;
}

bp_status open_stream(bp_pdev* d, bp_pstream** out, bp_error** err) {
  auto s = std::make_unique<bp_pstream>();
  s->device = d;
  s->port = new_port(s.get());
  s->crew = new_crew(d->plugin->options.block_threads);
  s->ordinal = d->plugin->n_streams.fetch_add(1);
  try {
    s->worker = std::thread(work, s.get());
  } catch (const std::system_error& e) {
    return bp_kit::fail(d->plugin->host, err, BP_OUT_OF_HOST_MEMORY,
                        "sim: no thread for a stream: %s", e.what());
  }
  *out = s.release();
  return BP_OK;
}

void close_stream(bp_pstream* s) {
  {
    const std::lock_guard lock(s->mutex);
    s->stop = true;
  }
  s->work.notify_one();
  s->worker.join();
  s->blas.close();
  s->dnn.close();
  s->lt.close();
  delete s;
}

void drain(bp_pstream* s) {
  std::unique_lock lock(s->mutex);
  s->idle.wait(lock, [s] { return s->queue->empty() && !s->busy; });
}

bool is_idle(bp_pstream* s) {
  const std::lock_guard lock(s->mutex);
  return s->queue->empty() && !s->busy;
}

void Sticky::set(std::string text) {
  const std::lock_guard lock(mutex_);
  if (set_.load(std::memory_order_relaxed)) return;
  text_ = std::move(text);
  set_.store(true, std::memory_order_release);
}

bp_status Sticky::report(const bp_host* host, bp_error** err) {
  if (!is_set()) return BP_OK;
  const std::lock_guard lock(mutex_);
  return bp_kit::fail(host, err, BP_DEVICE_LOST, "%s", text_.c_str());
}

}  // namespace bp_sim
