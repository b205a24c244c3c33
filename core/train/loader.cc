// SPDX-License-Identifier: Apache-2.0
#include "core/train/loader.h"

#include <unistd.h>

#include "core/base/error.h"
#include "core/base/guard.h"
#include "core/process/trace.h"
#include "core/train/feed.h"

using bp::Batch;
using bp::Batches;
using bp::Feed;
using bp::Place;

bp_loader::bp_loader(bp::Ref<bp::Dataset> dataset, const bp::LoaderOptions& options, uint64_t seed)
    : Object(bp::Tag::kLoader), dataset_(std::move(dataset)), options_(options), seed_(seed) {
  if (!options.prefetch) batches_ = std::make_unique<Batches>(dataset_, options);
}

void bp_loader::destroy(bp_loader* l) noexcept {
  if (l->feed_ && l->process_ != ::getpid()) {
    // The thread is not in this process, and neither is whoever held its lock at the fork, so what
    // it shared must stay as it is.
    static_cast<void>(new (std::nothrow) std::shared_ptr<Feed>(std::move(l->feed_)));
  } else if (l->feed_) {
    l->feed_->stop();
  }
  delete l;
}

int64_t bp_loader::length() const { return bp::n_batches(dataset_->length(), options_); }

Place bp_loader::place() const noexcept { return {epoch_.load(), batch_.load(), seed_.load()}; }

void bp_loader::check_process() const {
  if (feed_ && process_ != ::getpid())
    bp::fail(BP_BAD_STATE,
             "the loader was in use before fork(), and its thread is not in the child: make "
             "another there, with its state");
}

void bp_loader::set_place(const Place& p) {
  check_process();
  const std::lock_guard lock(mutex_);
  if (p.batch > static_cast<uint64_t>(length()))
    bp::fail(BP_INDEX_OUT_OF_RANGE, "batch {} is out of range for an epoch of {} batches", p.batch,
             length());
  if (p.epoch == UINT64_MAX) bp::fail(BP_INDEX_OUT_OF_RANGE, "epoch {} is out of range", p.epoch);
  if (feed_) feed_->stop();  // what it makes is dropped; the next batch starts another
  feed_.reset();
  epoch_ = p.epoch;
  batch_ = p.batch;
  seed_ = p.seed;
}

// Takes the feed's next item. Returns false at the epoch's end.
bool bp_loader::take(Batch& out) {
  if (!feed_ || feed_->has_failed()) {
    feed_ = Feed::start(dataset_, options_);
    process_ = ::getpid();
  }
  if (!feed_->goes_on()) feed_->go_on(place());
  Feed::Item item = feed_->take();
  if (item.error) std::rethrow_exception(item.error);
  if (item.end) return false;
  if (item.ready) {
    bp::Stream& mine = bp::current_stream(*options_.device);
    bp::wait(mine, *item.ready);
    for (const auto& t : item.tensors) bp::record_stream(*t, mine);
  }
  out = std::move(item.tensors);
  return true;
}

bool bp_loader::next(Batch& out) {
  check_process();
  const std::lock_guard lock(mutex_);
  bool there = batch_ < static_cast<uint64_t>(length());
  if (options_.prefetch) {
    there = take(out);
  } else if (there) {
    const bp::TraceSpan span(bp::TraceSort::kStep, "a batch");
    out = batches_->make(place());
  }
  if (there) {
    ++batch_;
  } else {
    batch_ = 0;
    ++epoch_;
  }
  return there;
}

namespace bp {

Loader& checked(const bp_loader* l, const char* what) {
  if (need(l, what)->tag != Tag::kLoader) fail(BP_INVALID_ARGUMENT, "{} is not a loader", what);
  if (l->born != generation()) fail(BP_BAD_STATE, "{} was made before bp_shutdown", what);
  return *const_cast<Loader*>(l);
}

}  // namespace bp
