// SPDX-License-Identifier: Apache-2.0
// feed.h: a thread that makes batches ahead, and the queue between it and whoever takes them.
// Any thread may take. The feed's thread ends by itself when it is told to stop, and holds the
// feed until then.
//
//   const Ref<Tensor> columns[] = {Ref<Tensor>::share(&t)};
//   auto feed = Feed::start(dataset_of(columns), {.batch_size = 8, .device = &d, .prefetch = 2});
//   feed->go_on(Place{});             // from there to the epoch's end
//   Feed::Item item = feed->take();   // waits; a failure and the epoch's end are items too
#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "core/process/context.h"
#include "core/train/batches.h"

namespace bp {

class Feed {
 public:
  struct Item {
    Batch tensors;
    Ref<Event> ready;          // of an accelerator's batch
    std::exception_ptr error;  // or what was thrown instead
    bool end = false;          // or the end of the epoch
  };

  // Starts a thread with the caller's default and current devices.
  static std::shared_ptr<Feed> start(const Ref<Dataset>& dataset, const LoaderOptions& options);
  // Drops what is in the queue, and makes batches from p on until the epoch's end or a failure.
  void go_on(const Place& p);
  // Whether there is, or will be, something to take.
  bool goes_on() const;
  // Whether the thread has ended because it could not go on, which take() then throws.
  bool has_failed() const;
  // Waits for the next item. Call it only while goes_on(). Throws BP_BAD_STATE when the feed
  // was stopped meanwhile, and what bp_set_wait_callback's function refused with.
  Item take();
  void stop() noexcept;
  // Waits until the thread has ended, for at most so long; returns at once on the thread itself.
  void await_end(std::optional<std::chrono::milliseconds> most) noexcept;

 private:
  Feed(const Ref<Dataset>& dataset, const LoaderOptions& options);
  void run();
  void work(Stream* stream);
  Item make(const Place& p, Stream* stream);

  Batches batches_;
  const LoaderOptions options_;
  const uint64_t n_batches_;
  const ThreadContext context_;
  Ref<Stream> stream_;  // the feed's own, on an accelerator

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> queue_;
  Place next_;
  uint64_t round_ = 0;  // counts go_on(): what was begun before is dropped
  bool active_ = false, stopped_ = false, ended_ = false;
  std::exception_ptr failure_;  // what ended the thread, unless it was told to stop
  std::thread::id thread_;
};

}  // namespace bp
