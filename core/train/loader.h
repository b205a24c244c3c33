// SPDX-License-Identifier: Apache-2.0
// loader.h: batches of a dataset on a device, in an epoch's order, made ahead by a thread. The C
// handle bp_loader is the struct below, and bp::Loader is another name for it. Whoever holds a
// Ref<Loader> owns it. The thread and the handle share a Feed, which lives as long as either, so
// that releasing a loader waits for nobody.
// An accelerator's batch is gathered in pinned memory, copied in the feed's stream, and marked
// there by an event. Whoever takes it lets its own stream wait for the event. Both streams know the
// memory, so that it is not reused too early. Shutdown stops the threads before devices close. In
// the child of a fork the thread is missing, and next() says so.
//
//   const Ref<Tensor> columns[] = {Ref<Tensor>::share(&t)};
//   Ref<Loader> l = new_loader(dataset_of(columns), {.batch_size = 8, .device = &d}, /*seed=*/1);
//   Batch batch;
//   bool there = l->next(batch);   // false at the epoch's end
#pragma once
#include <sys/types.h>

#include <atomic>
#include <memory>
#include <mutex>

#include "core/base/locks.h"
#include "core/train/dataset.h"

namespace bp {

struct LoaderOptions {
  int64_t batch_size = 1;
  bool shuffled = false, drop_last = false;
  Device* device = nullptr;
  uint32_t prefetch = 0;
  uint32_t part = 0, n_parts = 1;  // of each batch
};

// Where a loader stands: the batch that comes next.
struct Place {
  uint64_t epoch = 0, batch = 0, seed = 0;
};

class Batches;
class Feed;

}  // namespace bp

struct bp_loader final : bp::Object {
  bp_loader(bp::Ref<bp::Dataset> dataset, const bp::LoaderOptions& options, uint64_t seed);
  static void destroy(bp_loader* l) noexcept;

  int64_t length() const;  // number of batches in an epoch
  uint32_t n_tensors() const { return dataset_->n_tensors(); }
  bool next(bp::Batch& out);
  bp::Place place() const noexcept;
  void set_place(const bp::Place& p);

 private:
  ~bp_loader() = default;
  void check_process() const;
  bool take(bp::Batch& out);

  const bp::Ref<bp::Dataset> dataset_;
  const bp::LoaderOptions options_;
  bp::CallMutex mutex_;  // one thread at a time takes batches
  std::atomic<uint64_t> epoch_{0}, batch_{0}, seed_;
  std::unique_ptr<bp::Batches> batches_;  // without prefetch
  std::shared_ptr<bp::Feed> feed_;        // with prefetch, from the first batch on
  pid_t process_ = 0;                     // the process whose thread it is
};

namespace bp {

using Loader = bp_loader;

inline Ref<Loader> new_loader(Ref<Dataset> d, const LoaderOptions& options, uint64_t seed) {
  return Ref<Loader>::adopt(new Loader(std::move(d), options, seed));
}
Loader& checked(const bp_loader* l, const char* what);

}  // namespace bp
