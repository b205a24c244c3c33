// SPDX-License-Identifier: Apache-2.0
// dataset.h: examples by number. An example is one or several tensors. A batch has one tensor for
// each, in cpu memory, whose first dimension counts the examples. The C handle bp_dataset is the
// struct below, and bp::Dataset is another name for it. Whoever holds a Ref<Dataset> owns it. It
// never changes; any thread may use it.
//
//   const Ref<Tensor> columns[] = {Ref<Tensor>::share(&t)};
//   const int64_t indices[] = {2, 0};
//   Batch batch = dataset_of(columns)->get(indices, /*pin_for=*/nullptr);   // rows 2 and 0 of t
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "c_api.h"
#include "core/base/object.h"
#include "core/tensor/tensor.h"

namespace bp {

using Batch = std::vector<Ref<Tensor>>;

class Examples {
 public:
  Examples(int64_t n, uint32_t n_tensors) : length(n), n_tensors(n_tensors) {}
  virtual ~Examples() = default;
  // Indices are within [0, length). Where this makes a batch's memory, it is pinned memory of
  // pin_for, if that is not nullptr.
  virtual Batch get(std::span<const int64_t> indices, Device* pin_for) const = 0;

  const int64_t length;
  const uint32_t n_tensors;
};

}  // namespace bp

struct bp_dataset final : bp::Object {
  std::unique_ptr<const bp::Examples> examples;
  explicit bp_dataset(std::unique_ptr<const bp::Examples> e)
      : Object(bp::Tag::kDataset), examples(std::move(e)) {}
  static void destroy(bp_dataset* d) noexcept { delete d; }

  int64_t length() const { return examples->length; }
  uint32_t n_tensors() const { return examples->n_tensors; }
  // Throws BP_INDEX_OUT_OF_RANGE for an index beyond the examples.
  bp::Batch get(std::span<const int64_t> indices, bp::Device* pin_for) const;
};

namespace bp {

using Dataset = bp_dataset;
constexpr uint32_t kMostTensors = 64;  // of one example

// The examples are the rows of cpu tensors that have equally many. Row-major tensors are
// shared, others copied.
Ref<Dataset> dataset_of(std::span<const Ref<Tensor>> tensors);
// The examples are what the callbacks of desc give; desc was checked (c_api/dataset.cc).
Ref<Dataset> dataset_of(const bp_dataset_desc& desc);
// Example i of the subset is example indices[i] of d.
Ref<Dataset> subset(Ref<Dataset> d, std::span<const int64_t> indices);

Dataset& checked(const bp_dataset* d, const char* what);

}  // namespace bp
