// SPDX-License-Identifier: Apache-2.0
// kinds.h: the optimisers there are: their attributes with PyTorch's defaults and checks, what they
// keep for each parameter, and the op that takes a step (core/ops/foreach.cc). Everything is a
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
#include "core/base/small_vec.h"

namespace bp {

constexpr size_t kMaxOptions = 8, kMaxStates = 3;

struct OptionSpec {
  const char* name = nullptr;
  bp_attr_kind kind = BP_ATTR_F64;  // or BP_ATTR_BOOL
  double value = 0;
  const char* doc = "";
};

// Values of a kind's attributes, in its order; flags are 0 or 1.
using Options = std::array<double, kMaxOptions>;

// What the op of one step is called with, apart from the count and the tensors.
using StepAttrs = SmallVec<bp_attr, 8>;

struct OptimizerKind {
  const char* name;
  const char* doc;
  std::array<OptionSpec, kMaxOptions> options;
  std::array<const char*, kMaxStates> states;  // names, in the order of the op's lists
  uint32_t op;
  bool counts_steps;                   // the op wants to know which step it is
  void (*check)(const Options& o);     // throws PyTorch's sentences
  uint32_t (*uses)(const Options& o);  // bit i: states[i] is part of a step
  // count: tensors of a list; step: from 1; first: the states were just made.
  StepAttrs (*attrs)(const Options& o, int64_t count, int64_t step, bool first);
  double (*initial)(const Options& o);  // what a new state is filled with

  size_t n_options() const;
  int find_option(std::string_view name) const;  // -1: none
  Options defaults() const;
};

std::span<const OptimizerKind> optimizer_kinds();
// BP_NOT_FOUND lists what there is.
const OptimizerKind& optimizer_kind(std::string_view name);

// As Python prints it: "-1.0", "1e-08".
std::string number_text(double v);

}  // namespace bp
