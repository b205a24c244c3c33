// feed.h: a thread that makes batches ahead, and the queue between it and whoever takes them.
// Any thread may take; the feed's thread ends by itself when it is told to stop, and holds the feed
// until then.
//
//   auto feed = Feed::start(dataset, options);
//   feed->go_on(place);                       // from there to the epoch's end
//   auto item = feed->take();                 // waits; the epoch's end and a failure stand in the queue too
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
    std::exception_ptr error;  // or what making it met
    bool end = false;          // or the epoch's end
  };

  // The thread has the caller's default and current devices.
  static std::shared_ptr<Feed> start(const Ref<Dataset>& dataset, const LoaderOptions& options);
  // Drops what is in the queue and makes batches from p on, until the epoch's end or a failure.
  void go_on(const Place& p);
  bool goes_on() const;
  // Only while it goes on, or something is in the queue. Throws BP_BAD_STATE when it was stopped
  // meanwhile.
  Item take();
  void stop() noexcept;
  // unless this is its thread
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
  Ref<Stream> stream_;  // of an accelerator, the feed's own

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> queue_;
  Place next_;
  uint64_t round_ = 0;  // counts go_on: what was begun before is dropped
  bool active_ = false, stopped_ = false, ended_ = false;
  std::thread::id thread_;
};

}  // namespace bp
