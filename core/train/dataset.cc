// SPDX-License-Identifier: Apache-2.0
#include "core/train/dataset.h"

#include <cstring>

#include "core/base/error.h"
#include "core/base/guard.h"
#include "core/tensor/traced.h"

namespace bp {
namespace {

// Returns the shape of a batch of n examples like the rows of t.
Dims batch_shape(const Tensor& t, int64_t n) {
  Dims shape = t.shape;
  shape[0] = n;
  return shape;
}

Ref<Tensor> new_batch(Span shape, bp_dtype dtype, Device* pin_for) {
  return pin_for ? new_pinned(shape, dtype, *pin_for) : new_tensor(shape, dtype, cpu_device());
}

class Rows final : public Examples {
 public:
  explicit Rows(std::vector<Ref<Tensor>> columns)
      : Examples(columns[0]->shape[0], static_cast<uint32_t>(columns.size())),
        columns_(std::move(columns)) {}
  Batch get(std::span<const int64_t> indices, Device* pin_for) const override {
    Batch batch;
    for (const Ref<Tensor>& column : columns_) {
      ready_to_read(*column);
      Ref<Tensor> t = new_batch(batch_shape(*column, static_cast<int64_t>(indices.size())),
                                column->dtype, pin_for);
      const auto bytes =
          length ? static_cast<size_t>(column->count / length * dtype_bytes(column->dtype)) : 0;
      char* to = t->data();
      for (size_t i = 0; bytes && i < indices.size(); ++i, to += bytes)
        std::memcpy(to, column->data() + static_cast<size_t>(indices[i]) * bytes, bytes);
      batch.push_back(std::move(t));
    }
    return batch;
  }

 private:
  const std::vector<Ref<Tensor>> columns_;  // row-major
};

class Callbacks final : public Examples {
 public:
  explicit Callbacks(const bp_dataset_desc& desc)
      : Examples(desc.length, desc.n_tensors), desc_(desc) {}
  ~Callbacks() override {
    if (desc_.destroy) desc_.destroy(desc_.user);
  }
  Batch get(std::span<const int64_t> indices, Device*) const override {
    bp_tensor* outs[kMostTensors] = {};
    bp_error* err = nullptr;
    const bp_status status =
        desc_.get(desc_.user, indices.data(), indices.size(), outs, n_tensors, &err);
    Batch batch;
    for (uint32_t i = 0; i < n_tensors; ++i) batch.push_back(Ref<Tensor>::adopt(outs[i]));
    if (status < 0) throw_taken(status, err, 0, "the dataset's callback failed without saying why");
    bp_error_release(err);
    for (uint32_t i = 0; i < n_tensors; ++i) check(batch[i].get(), i, indices.size());
    return batch;
  }

 private:
  static void check(const bp_tensor* given, uint32_t i, size_t n) {
    if (!given) fail(BP_CALLBACK, "the dataset's callback gave no tensor {}", i);
    const Tensor& t = checked(given, "a tensor of the dataset's callback");
    if (!t.device().is_host())
      fail(BP_DEVICE_MISMATCH,
           "the dataset's callback gave tensor {} on {}, expected it on the cpu", i,
           t.device().label);
    if (t.rank() == 0 || t.shape[0] != static_cast<int64_t>(n))
      fail(BP_CALLBACK,
           "the dataset's callback gave tensor {} of shape {} for a batch of {} examples", i,
           format_shape(t.shape), n);
  }

  const bp_dataset_desc desc_;
};

class Subset final : public Examples {
 public:
  Subset(Ref<Dataset> whole, std::span<const int64_t> indices)
      : Examples(static_cast<int64_t>(indices.size()), whole->n_tensors()),
        whole_(std::move(whole)),
        indices_(indices.begin(), indices.end()) {}
  Batch get(std::span<const int64_t> indices, Device* pin_for) const override {
    std::vector<int64_t> of_whole;
    of_whole.reserve(indices.size());
    for (int64_t i : indices) of_whole.push_back(indices_[static_cast<size_t>(i)]);
    return whole_->examples->get(of_whole, pin_for);
  }

 private:
  const Ref<Dataset> whole_;
  const std::vector<int64_t> indices_;
};

void check_indices(std::span<const int64_t> indices, int64_t length) {
  for (int64_t i : indices)
    if (i < 0 || i >= length)
      fail(BP_INDEX_OUT_OF_RANGE, "index {} is out of range for a dataset of {} examples", i,
           length);
}

}  // namespace

Ref<Dataset> dataset_of(std::span<const Ref<Tensor>> tensors) {
  if (tensors.empty() || tensors.size() > kMostTensors)
    fail(BP_INVALID_ARGUMENT, "{} tensors, a dataset has 1 to {}", tensors.size(), kMostTensors);
  std::vector<Ref<Tensor>> columns;
  for (size_t i = 0; i < tensors.size(); ++i) {
    Tensor& t = *tensors[i];
    if (!t.device().is_host())
      fail(BP_DEVICE_MISMATCH, "tensor {} of a dataset is on {}, expected it on the cpu", i,
           t.device().label);
    if (t.rank() == 0)
      fail(BP_INVALID_ARGUMENT, "tensor {} of a dataset has no dimension that counts examples", i);
    if (t.shape[0] != tensors[0]->shape[0])
      fail(BP_INVALID_ARGUMENT,
           "Size mismatch between tensors: tensor 0 has {} examples, tensor {} has {}",
           tensors[0]->shape[0], i, t.shape[0]);
    // A view of its own: the caller's tensor may be given other memory, on another device.
    columns.push_back(contiguous(*(t.trace ? detach(t) : alias(t))));
  }
  return Ref<Dataset>::adopt(new Dataset(std::make_unique<Rows>(std::move(columns))));
}

Ref<Dataset> dataset_of(const bp_dataset_desc& desc) {
  // The examples call desc.destroy at their end, which a call that fails must not do, so they
  // are made last.
  auto made = Ref<Dataset>::adopt(new Dataset(nullptr));
  made->examples = std::make_unique<Callbacks>(desc);
  return made;
}

Ref<Dataset> subset(Ref<Dataset> d, std::span<const int64_t> indices) {
  check_indices(indices, d->length());
  return Ref<Dataset>::adopt(new Dataset(std::make_unique<Subset>(std::move(d), indices)));
}

Dataset& checked(const bp_dataset* d, const char* what) {
  if (need(d, what)->tag != Tag::kDataset) fail(BP_INVALID_ARGUMENT, "{} is not a dataset", what);
  if (d->born != generation()) fail(BP_BAD_STATE, "{} was made before bp_shutdown", what);
  return *const_cast<Dataset*>(d);
}

}  // namespace bp

bp::Batch bp_dataset::get(std::span<const int64_t> indices, bp::Device* pin_for) const {
  bp::check_indices(indices, length());
  return examples->get(indices, pin_for);
}
