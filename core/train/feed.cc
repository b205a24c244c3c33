// SPDX-License-Identifier: Apache-2.0
#include "core/train/feed.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <list>
#include <system_error>
#include <vector>

#include "core/base/error.h"
#include "core/process/runtime.h"
#include "core/process/trace.h"

namespace bp {
namespace {

// The feeds whose threads may be at work. The list is never destroyed, because
// threads outlive main.
struct Registry {
  std::mutex& mutex = leaf_mutexes.of(this);
  std::list<std::pair<pid_t, std::weak_ptr<Feed>>> feeds;
};
Registry& registry() {
  static auto& r = *new Registry;
  return r;
}

void stop_all(std::optional<std::chrono::milliseconds> most) noexcept {
  std::list<std::pair<pid_t, std::weak_ptr<Feed>>> feeds;  // needs no memory
  {
    const std::lock_guard lock(registry().mutex);
    feeds.swap(registry().feeds);
  }
  feeds.remove_if([](const auto& f) { return f.first != ::getpid(); });  // a parent's threads
  for (const auto& [process, feed] : feeds)
    if (const auto f = feed.lock()) f->stop();
  for (const auto& [process, feed] : feeds)
    if (const auto f = feed.lock()) f->await_end(most);
}

void enter(const std::shared_ptr<Feed>& feed) {
  static const int registered = [] {
    before_shutdown([]() noexcept { stop_all(std::nullopt); });
    // A callback may be stuck, as Python's are once the interpreter has ended.
    return std::atexit([] { stop_all(std::chrono::milliseconds(1000)); });
  }();
  static_cast<void>(registered);
  const std::lock_guard lock(registry().mutex);
  registry().feeds.remove_if([](const auto& entry) { return entry.second.expired(); });
  registry().feeds.emplace_back(::getpid(), feed);
}

}  // namespace

Feed::Feed(const Ref<Dataset>& dataset, const LoaderOptions& options)
    : batches_(dataset, options),
      options_(options),
      n_batches_(static_cast<uint64_t>(n_batches(dataset->length(), options))),
      context_(capture_context()) {
  if (!options.device->is_host()) stream_ = create_stream(*options.device, /*priority=*/0);
}

std::shared_ptr<Feed> Feed::start(const Ref<Dataset>& dataset, const LoaderOptions& options) {
  std::shared_ptr<Feed> feed(new Feed(dataset, options));
  enter(feed);
  try {
    std::thread([feed] { feed->run(); }).detach();
  } catch (const std::system_error& e) {
    feed->ended_ = true;
    fail(BP_OUT_OF_HOST_MEMORY, "a loader's thread cannot be started: {}", e.code().message());
  }
  return feed;
}

void Feed::go_on(const Place& p) {
  std::deque<Item> dropped;  // dies after the lock is released
  const std::lock_guard lock(mutex_);
  dropped.swap(queue_);
  next_ = p;
  ++round_;
  active_ = true;
  changed_.notify_all();
}

bool Feed::goes_on() const {
  const std::lock_guard lock(mutex_);
  return active_ || !queue_.empty();
}

bool Feed::has_failed() const {
  const std::lock_guard lock(mutex_);
  return failure_ != nullptr;
}

Feed::Item Feed::take() {
  const TraceSpan span(TraceSort::kWait, "the loader");
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kWaitStep, [&] { return !queue_.empty() || stopped_; })) {
    lock.unlock();
    call_while_waiting();
    lock.lock();
  }
  if (failure_) std::rethrow_exception(failure_);
  if (stopped_) fail(BP_BAD_STATE, "the loader was stopped by bp_shutdown");
  Item item = std::move(queue_.front());
  queue_.pop_front();
  changed_.notify_all();
  return item;
}

void Feed::stop() noexcept {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

void Feed::await_end(std::optional<std::chrono::milliseconds> most) noexcept {
  std::unique_lock lock(mutex_);
  if (thread_ == std::this_thread::get_id()) return;  // bp_shutdown in the dataset's callback
  const auto ended = [&] { return ended_; };
  if (most)
    changed_.wait_for(lock, *most, ended);
  else
    changed_.wait(lock, ended);
}

Feed::Item Feed::make(const Place& p, Stream* stream) {
  Item item;
  try {
    if (p.batch >= n_batches_) {
      item.end = true;
      return item;
    }
    item.tensors = batches_.make(p);
    if (stream) item.ready = mark(*stream);
  } catch (...) {
    item.tensors.clear();
    item.error = std::current_exception();
  }
  return item;
}

// Makes a batch whenever the queue has room, until it is stopped.
void Feed::work(Stream* stream) {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return stopped_ || (active_ && queue_.size() < options_.prefetch); });
    if (stopped_) return;
    const Place p = next_;
    const uint64_t round = round_;
    lock.unlock();
    Item item = [&] {
      const TraceSpan span(TraceSort::kStep, "a batch");
      return make(p, stream);
    }();
    lock.lock();
    if (stopped_ || round != round_) {
      lock.unlock();
      item = {};
      lock.lock();
      continue;
    }
    active_ = !item.end && !item.error;
    ++next_.batch;
    queue_.push_back(std::move(item));
    changed_.notify_all();
  }
}

void Feed::run() {
  {
    const std::lock_guard lock(mutex_);
    thread_ = std::this_thread::get_id();
  }
  uint64_t context = 0, stream = 0;
  try {
    context = push_context(context_);
    if (stream_) stream = push_stream(options_.device->value, stream_.get());
    work(stream_.get());
  } catch (...) {  // no memory for the thread's own state, or for an item
    const std::lock_guard lock(mutex_);
    failure_ = std::current_exception();
    stopped_ = true;
    changed_.notify_all();
  }
  try {
    if (stream) pop_stream(stream);
    if (context) pop_context(context);
  } catch (...) {  // a shutdown has forgotten them
  }
  for (;;) {  // one by one: another queue would need memory, and items die without the lock
    Item left;
    const std::lock_guard lock(mutex_);
    if (queue_.empty()) break;
    left = std::move(queue_.front());
    queue_.pop_front();
  }
  stream_ = {};
  // before the end is announced: whoever waits for it may find no tensor alive but its own
  batches_.let_go();
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

}  // namespace bp
