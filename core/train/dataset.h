// dataset.h: examples by number. An example is one or several tensors; a batch has one tensor for
// each, whose first dimension counts the examples, in the CPU's memory. The C handle bp_dataset is
// the struct below; bp::Dataset is another name for it. Owner: Ref<Dataset>. It never changes; any
// thread.
//
//   const Ref<Tensor> columns[] = {images, labels};
//   Ref<Dataset> d = dataset_of(columns);
//   auto batch = d->get(indices, /*pin_for=*/nullptr);    // {images of these, labels of these}
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
  // Indices are within [0, length). pin_for: where a batch's memory is made here, it is that
  // device's pinned memory.
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
  // Throws BP_INDEX_OUT_OF_RANGE.
  bp::Batch get(std::span<const int64_t> indices, bp::Device* pin_for) const;
};

namespace bp {

using Dataset = bp_dataset;
constexpr uint32_t kMostTensors = 64;  // of an example

// The rows of tensors with equally many, on the CPU: theirs, not copies, where they are row-major.
Ref<Dataset> dataset_of(std::span<const Ref<Tensor>> tensors);
// What the callbacks of desc give; desc is valid (c_api/dataset.cc).
Ref<Dataset> dataset_of(const bp_dataset_desc& desc);
// Example i of it is example indices[i] of d.
Ref<Dataset> subset(Ref<Dataset> d, std::span<const int64_t> indices);

Dataset& checked(const bp_dataset* d, const char* what);

}  // namespace bp
