// SPDX-License-Identifier: Apache-2.0
// algorithms.h: the optimisers there are: their attributes with PyTorch's defaults and checks, what
// they keep for each parameter, and the op that takes a step (core/ops/foreach.cc). Everything is a
// table, so that bindings build themselves from it.
//
//   const OptimizerKind& adam = optimizer_kind("Adam");
//   Options options = adam.defaults();
#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "c_types.h"
#include "core/value/attr_spec.h"

namespace bp {

constexpr size_t kMaxStates = 3;

// Values of a kind's attributes, which are all of kind F64 or BOOL, in its order; a flag is 0 or 1.
using Options = std::array<double, AttrSpecs::kMost>;

struct OptimizerKind {
  const char* name;
  const char* doc;
  AttrSpecs attrs;
  std::array<const char*, kMaxStates> states;  // names, in the order of the op's lists
  // The op's attributes have the names of the kind's; beside them it may take "count", the number
  // of tensors in a list, "step", counted from 1, and "first", whether the states were just made.
  uint32_t op;
  void (*check)(const Options& o);      // throws PyTorch's sentences
  uint32_t (*uses)(const Options& o);   // bit i: states[i] is part of a step
  double (*initial)(const Options& o);  // what a new state is filled with

  Options defaults() const;
};

// Returns the attribute with that value. It points to the spec's name.
bp_attr option_attr(const AttrSpec& spec, double value);

std::span<const OptimizerKind> optimizer_kinds();
// BP_NOT_FOUND lists what there is.
const OptimizerKind& optimizer_kind(std::string_view name);

// The number as Python prints it: "-1.0", "1e-08".
std::string number_text(double v);

}  // namespace bp
