// SPDX-License-Identifier: Apache-2.0
// backplane_data.hpp: datasets, loaders and metrics; what they mean is in c_train.h. Include
// backplane.hpp.
//
//   bp::Dataset data({images, labels});
//   bp::Loader loader(data, {/*batch_size=*/128, /*shuffle=*/true});
//   for (const bp::Batch& batch : loader) accuracy.add(net(batch[0]), batch[1]);
#ifndef BACKPLANE_DATA_HPP
#define BACKPLANE_DATA_HPP

#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>

#include "backplane_tensor.hpp"

namespace backplane {

// The tensors of a batch, one for each tensor of an example. Their first dimension counts examples.
using Batch = std::vector<Tensor>;

// Examples by number. Copies share it.
class Dataset {
 public:
  // Example i is row i of each tensor. The tensors are on the CPU and have equal first sizes.
  explicit Dataset(const std::vector<Tensor>& tensors) {
    const auto list = detail::borrowed(tensors);
    made([&](bp_dataset** d, bp_error** e) {
      return bp_dataset_from_tensors(list.data(), detail::length(list), d, e);
    });
  }
  // get returns the batch of the given examples, n_tensors tensors on the CPU. Loaders call it on
  // their threads, perhaps on several at once. What it throws becomes the loader's error.
  using Get = std::function<Batch(const std::vector<std::int64_t>& indices)>;
  Dataset(std::int64_t length, std::uint32_t n_tensors, Get get) {
    auto kept = std::make_unique<Get>(std::move(get));
    bp_dataset_desc desc{};
    desc.struct_size = sizeof desc;
    desc.length = length;
    desc.n_tensors = n_tensors;
    desc.get = call_get;
    desc.user = kept.get();
    desc.destroy = [](void* user) { delete static_cast<Get*>(user); };
    made([&](bp_dataset** d, bp_error** e) { return bp_dataset_create(&desc, d, e); });
    static_cast<void>(kept.release());  // destroy deletes it
  }
  bp_dataset* get() const noexcept { return handle_.get(); }
  std::int64_t length() const noexcept { return bp_dataset_length(get()); }
  std::uint32_t n_tensors() const noexcept { return bp_dataset_n_tensors(get()); }
  Batch operator[](const std::vector<std::int64_t>& indices) const {
    const std::uint32_t n = n_tensors();
    return detail::adopted(n, [&](bp_tensor** outs, bp_error** e) {
      return bp_dataset_get(get(), indices.data(), indices.size(), outs, n, e);
    });
  }
  // Returns a dataset whose example i is example indices[i] of this one.
  Dataset subset(const std::vector<std::int64_t>& indices) const {
    Dataset part;
    part.made([&](bp_dataset** d, bp_error** e) {
      return bp_dataset_subset(get(), indices.data(), indices.size(), d, e);
    });
    return part;
  }

 private:
  Dataset() = default;
  template <class F>
  void made(F&& make) {
    bp_dataset* d = nullptr;
    detail::call([&](bp_error** e) { return make(&d, e); });
    handle_.reset(d);
  }
  static bp_status call_get(void* user, const std::int64_t* indices, std::uint64_t n,
                            bp_tensor** outs, std::uint32_t n_outs, bp_error** err) {
    return detail::guarded(err, nullptr, [&] {
      Batch batch = (*static_cast<Get*>(user))(std::vector<std::int64_t>(indices, indices + n));
      if (batch.size() != n_outs)
        throw Error(BP_INVALID_ARGUMENT, "the dataset's function gave " +
                                             std::to_string(batch.size()) + " tensors, expected " +
                                             std::to_string(n_outs));
      for (std::uint32_t i = 0; i < n_outs; ++i) outs[i] = batch[i].release();
      return bp_status{BP_OK};
    });
  }
  detail::Handle<bp_dataset, bp_dataset_retain, bp_dataset_release> handle_;
};

struct LoaderOptions {
  std::int64_t batch_size = 1;
  bool shuffle = false, drop_last = false;
  Device device = {};          // where batches go
  std::uint32_t prefetch = 2;  // batches made ahead by the loader's thread; 0 makes no thread
  std::uint64_t seed = 0;      // of the epochs' orders
  // Which part of each batch this loader makes, of how many: a member's rank and its group's size.
  std::uint32_t part = 0, n_parts = 1;
};
struct LoaderState {
  std::uint64_t epoch = 0, batch = 0, seed = 0;
};

// Batches of a dataset on a device. Each loop is an epoch:
//
//   for (const bp::Batch& batch : loader) ...
//
// A loop goes on where the loader stands, so that a loop after a `break` gives the rest of the
// epoch. Copies share it.
class Loader {
 public:
  explicit Loader(const Dataset& data, const LoaderOptions& o = {}) {
    const std::uint32_t flags = (o.shuffle ? std::uint32_t{BP_LOADER_SHUFFLE} : 0) |
                                (o.drop_last ? std::uint32_t{BP_LOADER_DROP_LAST} : 0);
    const bp_loader_desc desc{sizeof desc, flags,  o.batch_size, o.device.value(), o.prefetch,
                              0,           o.seed, o.part,       o.n_parts};
    bp_loader* l = nullptr;
    detail::call([&](bp_error** e) { return bp_loader_create(data.get(), &desc, &l, e); });
    handle_.reset(l);
    n_tensors_ = data.n_tensors();
  }
  bp_loader* get() const noexcept { return handle_.get(); }
  std::int64_t length() const noexcept { return bp_loader_length(get()); }  // batches of an epoch
  // Returns nothing at an epoch's end; the call after that begins the next epoch.
  std::optional<Batch> next() const {
    Batch batch;
    bp_status status = BP_OK;
    batch = detail::adopted(n_tensors_, [&](bp_tensor** outs, bp_error** e) {
      return status = bp_loader_next(get(), outs, n_tensors_, e);
    });
    if (status == BP_EPOCH_END) return std::nullopt;
    return batch;
  }
  // The place in the epochs of the batch that next() gives next.
  LoaderState state() const {
    LoaderState s;
    detail::call(
        [&](bp_error** e) { return bp_loader_get_state(get(), &s.epoch, &s.batch, &s.seed, e); });
    return s;
  }
  void set_state(const LoaderState& s) {
    detail::call(
        [&](bp_error** e) { return bp_loader_set_state(get(), s.epoch, s.batch, s.seed, e); });
  }

  struct End {};
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Batch;
    using difference_type = std::ptrdiff_t;
    using pointer = const Batch*;
    using reference = const Batch&;
    explicit Iterator(const Loader& l) : loader_(&l), batch_(l.next()) {}
    reference operator*() const { return *batch_; }
    pointer operator->() const { return &*batch_; }
    Iterator& operator++() {
      batch_.reset();  // its memory may serve the next one
      batch_ = loader_->next();
      return *this;
    }
    friend bool operator!=(const Iterator& i, End) noexcept { return i.batch_.has_value(); }

   private:
    const Loader* loader_;
    std::optional<Batch> batch_;
  };
  Iterator begin() const { return Iterator(*this); }
  End end() const noexcept { return {}; }

 private:
  detail::Handle<bp_loader, bp_loader_retain, bp_loader_release> handle_;
  std::uint32_t n_tensors_ = 0;
};

// A sum kept on the device: add() waits for nobody, value() does. Copies share it.
class Metric {
 public:
  explicit Metric(bp_metric_kind kind) {
    bp_metric* m = nullptr;
    detail::call([&](bp_error** e) { return bp_metric_create(kind, &m, e); });
    handle_.reset(m);
  }
  static Metric mean() { return Metric(BP_METRIC_MEAN); }
  static Metric accuracy() { return Metric(BP_METRIC_ACCURACY); }
  bp_metric* get() const noexcept { return handle_.get(); }
  void add(const Tensor& x, const Tensor& target = {}, double weight = 1) {
    detail::call(
        [&](bp_error** e) { return bp_metric_add(get(), x.get(), target.get(), weight, e); });
  }
  double value() const {
    double v = 0;
    detail::call([&](bp_error** e) { return bp_metric_value(get(), &v, e); });
    return v;
  }
  void reset() {
    detail::call([&](bp_error** e) { return bp_metric_reset(get(), e); });
  }

 private:
  detail::Handle<bp_metric, bp_metric_retain, bp_metric_release> handle_;
};

}  // namespace backplane
#endif
