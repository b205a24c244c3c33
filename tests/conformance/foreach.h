// SPDX-License-Identifier: Apache-2.0
// foreach.h: ops over lists of tensors: steps of optimisers, clipping, the norm of everything. One
// call changes many tensors in place; each element must be what the formula says (torch/optim, in
// long double).
//
//   for (const ListStep& step : all_steps())
//     complain(judge_step(step, {{5, 7}, {}}, BP_F32, Layout::kContiguous, device));
#pragma once
#include <functional>

#include "judge.h"

namespace conformance {

using Element = std::vector<Real>;  // one of each list

struct ListStep {
  const char* op;
  std::vector<Attribute> attrs;  // without count
  size_t lists;
  // The element after the step, and what it is judged by the size of.
  std::function<void(Element& v, Element& scale)> step;
};
std::vector<ListStep> all_steps();
// foreach_adam with the largest average of squares, for lists of any length.
ListStep adam_step();

struct Lists {
  std::vector<std::vector<Array>> arrays;  // [list][k]
  std::vector<Handle> handles;             // one list after the other
  std::vector<bp_value> values() const {
    std::vector<bp_value> in;
    for (const Handle& h : handles) {
      bp_value v{};
      v.kind = BP_VALUE_TENSOR;
      v.as.tensor = h.get();
      in.push_back(v);
    }
    return in;
  }
};
// n lists of tensors of these shapes, with values as the op meets them.
Lists made_lists(const char* op, size_t n, const std::vector<Shape>& shapes, bp_dtype t,
                 Layout layout, bp_device device);
// Calls an op on lists; `out` is NULL for one that works in place.
bp_status invoked(uint32_t op, const std::vector<bp_value>& in, const std::vector<Attribute>& given,
                  bp_tensor** out, std::string* message);
uint32_t id_of(const char* op);

constexpr bp_dtype kFloatDtypes[] = {BP_F16, BP_BF16, BP_F32, BP_F64};

Verdict judge_step(const ListStep& c, const std::vector<Shape>& shapes, bp_dtype t, Layout layout,
                   bp_device device);
Verdict judge_scale(bp_dtype t, bp_device device);
Verdict judge_clamp(bp_dtype t, bp_device device);
Verdict judge_norm(double ord, const std::vector<Shape>& shapes, bp_dtype t, bp_device device);

}  // namespace conformance
