// SPDX-License-Identifier: Apache-2.0
// dataset.cc: datasets of tensors and of callbacks; declared in c_train.h.
#include "core/train/dataset.h"

#include "core/base/guard.h"

namespace bp {
namespace {

// Refuses a length that no memory can have.
std::span<const int64_t> indices_arg(const int64_t* indices, uint64_t n) {
  constexpr uint64_t kMost = uint64_t{1} << 48;
  if (n > kMost) fail(BP_INVALID_ARGUMENT, "n is {}, more indices than memory can hold", n);
  if (n) need(indices, "indices");
  return {indices, n};
}

bp_dataset_desc desc_arg(const bp_dataset_desc* given) {
  const auto desc = get_struct(given, "desc");
  if (!desc.get) fail(BP_INVALID_ARGUMENT, "desc.get must not be NULL");
  if (desc.length < 0)
    fail(BP_INVALID_ARGUMENT, "desc.length is {}, expected 0 or more", desc.length);
  if (desc.n_tensors < 1 || desc.n_tensors > kMostTensors)
    fail(BP_INVALID_ARGUMENT, "desc.n_tensors is {}, a dataset has 1 to {}", desc.n_tensors,
         kMostTensors);
  return desc;
}

}  // namespace
}  // namespace bp

using namespace bp;

extern "C" {

bp_status bp_dataset_from_tensors(bp_tensor* const* tensors, uint32_t n_tensors, bp_dataset** out,
                                  bp_error** err) {
  return guard(err, [&] {
    if (n_tensors > kMostTensors)
      fail(BP_INVALID_ARGUMENT, "{} tensors, a dataset has 1 to {}", n_tensors, kMostTensors);
    if (n_tensors) need(tensors, "tensors");
    need(out, "out");
    std::vector<Ref<Tensor>> columns;
    for (uint32_t i = 0; i < n_tensors; ++i)
      columns.push_back(Ref<Tensor>::share(&checked(tensors[i], "a tensor of the dataset")));
    *out = dataset_of(columns).release();
  });
}

bp_status bp_dataset_create(const bp_dataset_desc* desc, bp_dataset** out, bp_error** err) {
  return guard(err, [&] {
    const bp_dataset_desc valid = desc_arg(desc);
    need(out, "out");
    *out = dataset_of(valid).release();
  });
}

bp_status bp_dataset_subset(bp_dataset* d, const int64_t* indices, uint64_t n, bp_dataset** out,
                            bp_error** err) {
  return guard(err, [&] {
    Dataset& dataset = checked(d, "dataset");
    need(out, "out");
    *out = subset(Ref<Dataset>::share(&dataset), indices_arg(indices, n)).release();
  });
}

bp_dataset* bp_dataset_retain(bp_dataset* d) {
  if (d && d->tag == Tag::kDataset) d->refs.fetch_add(1, std::memory_order_relaxed);
  return d;
}

void bp_dataset_release(bp_dataset* d) {
  if (d && d->tag == Tag::kDataset) Ref<bp_dataset>::drop(d);
}

int64_t bp_dataset_length(const bp_dataset* d) {
  return d && d->tag == Tag::kDataset ? d->length() : 0;
}
uint32_t bp_dataset_n_tensors(const bp_dataset* d) {
  return d && d->tag == Tag::kDataset ? d->n_tensors() : 0;
}

bp_status bp_dataset_get(bp_dataset* d, const int64_t* indices, uint64_t n, bp_tensor** outs,
                         uint32_t n_outs, bp_error** err) {
  return guard(err, [&] {
    const Dataset& dataset = checked(d, "dataset");
    if (n_outs != dataset.n_tensors())
      fail(BP_INVALID_ARGUMENT, "n_outs is {}, the dataset has {} tensors", n_outs,
           dataset.n_tensors());
    need(outs, "outs");
    Batch batch = dataset.get(indices_arg(indices, n), /*pin_for=*/nullptr);
    for (uint32_t i = 0; i < n_outs; ++i) outs[i] = batch[i].release();
  });
}

}  // extern "C"
