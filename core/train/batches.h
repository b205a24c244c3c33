// SPDX-License-Identifier: Apache-2.0
// batches.h: which examples a batch of an epoch has, and the batch itself, made on
// the calling thread.
#pragma once
#include <algorithm>
#include <span>

#include "core/tensor/traced.h"
#include "core/train/loader.h"
#include "core/train/order.h"

namespace bp {

inline int64_t n_batches(int64_t n_examples, const LoaderOptions& o) {
  return n_examples / o.batch_size + (!o.drop_last && n_examples % o.batch_size != 0);
}

// Makes the batches of one place after the other. One thread at a time may use it.
class Batches {
 public:
  Batches(Ref<Dataset> dataset, const LoaderOptions& options)
      : dataset_(std::move(dataset)), options_(options) {}

  // Makes a batch on options.device, in the thread's current stream of it. p.batch must be below
  // the number of batches.
  Batch make(const Place& p) {
    if (order_.empty() || p.epoch != epoch_ || p.seed != seed_) {
      order_ = epoch_order(dataset_->length(), options_.shuffled, p.seed, p.epoch);
      epoch_ = p.epoch;
      seed_ = p.seed;
    }
    const int64_t first = static_cast<int64_t>(p.batch) * options_.batch_size,
                  n = std::min(options_.batch_size, dataset_->length() - first);
    const int64_t from = n * options_.part / options_.n_parts,
                  count = n * (options_.part + 1) / options_.n_parts - from;
    Device& device = *options_.device;
    // A dataset is never asked for no example: of an empty part it makes one, which is cut off.
    Batch batch = dataset_->get(std::span(order_).subspan(static_cast<size_t>(first + from),
                                                          static_cast<size_t>(count ? count : 1)),
                                device.pinned ? &device : nullptr);
    for (Ref<Tensor>& t : batch) {
      if (t->trace) t = detach(*t);
      if (!count) t = narrow(*t, 0, 0, 0);
    }
    for (Ref<Tensor>& t : batch)
      t = to(*t, device.value, BP_DTYPE_NONE, /*copy=*/false, /*non_blocking=*/true);
    return batch;
  }
  void let_go() noexcept { dataset_ = {}; }  // no batch is made afterwards

 private:
  Ref<Dataset> dataset_;
  const LoaderOptions options_;
  std::vector<int64_t> order_;
  uint64_t epoch_ = 0, seed_ = 0;
};

}  // namespace bp
