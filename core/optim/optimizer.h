// SPDX-License-Identifier: Apache-2.0
// optimizer.h: an optimiser: groups of parameters, each with attributes, and what is kept for each
// parameter. The C handle bp_optimizer is this struct; bp::Optimizer is another name for it.
//
// Parameters are ordinary tensors, held for as long as the optimiser lives; a step reads their
// gradients. State is made at the first step that needs it, on the parameter's device and in its
// dtype, and follows the parameter when its data moves elsewhere. A step sorts the parameters that
// have a gradient by device, dtype and number of steps, and calls one op over lists
// (core/call/foreach.h) for each sort. Nobody waits for a device. It may be used on any thread;
// calls of one optimiser come one after the other.
//
//   Ref<Optimizer> o = new_optimizer("Adam", params, {});
//   o->step();
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <vector>

#include "core/base/locks.h"
#include "core/base/object.h"
#include "core/optim/algorithms.h"
#include "core/tensor/tensor.h"

namespace bp {

// What is kept for one parameter.
struct ParamState {
  int64_t steps = 0;  // taken so far
  std::array<Ref<Tensor>, kMaxStates> tensors;
};
struct Parameter {
  Ref<Tensor> tensor;
  ParamState state{};
  // Another optimiser keeps its state and steps it, as long as `keeper` lives
  // (core/train/shards.h).
  bool elsewhere = false;
  std::weak_ptr<const void> keeper{};
};
struct ParamGroup {
  std::vector<Parameter> params;
  Options options;
  std::optional<double> initial_lr{};  // the first schedule's base
};

}  // namespace bp

struct bp_optimizer final : bp::Object {
  const bp::OptimizerKind& kind;
  bp::Options defaults;
  std::vector<bp::ParamGroup> groups;
  bp::CallMutex mutex;

  explicit bp_optimizer(const bp::OptimizerKind& k)
      : Object(bp::Tag::kOptimizer), kind(k), defaults(k.defaults()) {}
  static void destroy(bp_optimizer* o) noexcept { delete o; }

  void add_group(std::span<bp::Tensor* const> params, std::span<const bp_attr> attrs);
  void step();
  void zero_grad(bool set_to_none);

  // These throw INDEX_OUT_OF_RANGE and NOT_FOUND.
  bp::ParamGroup& group(uint32_t i);
  bp::Parameter& param(uint32_t group, uint32_t i);
  bp_attr get(uint32_t group, std::string_view name);
  void set(uint32_t group, const bp_attr& attr);  // checked as at creation
  // Returns the named state of a parameter, or nothing before its first step.
  bp::Ref<bp::Tensor> state(uint32_t group, uint32_t i, std::string_view name);

 private:
  std::unordered_set<const bp::Tensor*> held_;
};

namespace bp {

using Optimizer = bp_optimizer;

Ref<Optimizer> new_optimizer(std::string_view kind, std::span<Tensor* const> params,
                             std::span<const bp_attr> attrs);
// Checks a handle that comes over the border.
Optimizer& checked(const bp_optimizer* o);
// Throws BP_BAD_STATE for one that has given states away and not loaded them again since.
void need_whole_states(const Optimizer& o);
// Puts the given attributes over `options`. Throws as take_attrs does, and what the kind's check
// throws.
void take_options(const OptimizerKind& kind, std::span<const bp_attr> attrs, Options* options);

}  // namespace bp
