// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cases/cases.h"
#include "cases/inputs.h"

namespace conformance {
namespace {

std::vector<Call> joins(const Spec& spec, bp_dtype t) {
  const bool concat = spec.op == std::string("concat");
  std::vector<Call> calls;
  auto part = [&](const Shape& shape, Layout layout, uint64_t seed) {
    return tensor(make(t, shape, Flavor::kWide, seed), layout);
  };
  for (int64_t axis : {0, 1, -1})
    for (Layout layout :
         {Layout::kContiguous, Layout::kTransposed, Layout::kSliced, Layout::kFlipped})
      calls.push_back(
          {{part({3, 4}, layout, 1), part({3, 4}, Layout::kContiguous, 2), part({3, 4}, layout, 3)},
           {int_attr("axis", axis)}});
  calls.push_back({{part({5}, Layout::kSliced, 4)}});
  calls.push_back({{part({0}, Layout::kContiguous, 1), part({0}, Layout::kContiguous, 1)}});
  calls.push_back(
      {{part({2, 0, 3}, Layout::kContiguous, 1), part({2, 0, 3}, Layout::kContiguous, 1)},
       {int_attr("axis", 2)}});
  calls.push_back({{part({large_of(t).rows, large_of(t).cols}, Layout::kTransposed, 5),
                    part({large_of(t).rows, large_of(t).cols}, Layout::kContiguous, 6)},
                   {int_attr("axis", 1)}});
  calls.push_back({std::vector<Operand>(40, part({3}, Layout::kFlipped, 7))});
  if (!concat) {
    calls.push_back({{part({}, Layout::kContiguous, 8), part({}, Layout::kContiguous, 9)}});
    calls.push_back({{part({4}, Layout::kContiguous, 8), part({4}, Layout::kContiguous, 9)},
                     {int_attr("axis", -1)}});
    return calls;
  }
  calls.push_back({{part({2, 4}, Layout::kContiguous, 8), part({5, 4}, Layout::kFlipped, 9),
                    part({0, 4}, Layout::kContiguous, 9)}});
  calls.push_back({{part({0}, Layout::kContiguous, 1), part({3, 2}, Layout::kContiguous, 2),
                    part({0}, Layout::kContiguous, 1)},
                   {int_attr("axis", 1)}});
  calls.push_back({{part({2, 3}, Layout::kContiguous, 2),
                    tensor(make(BP_BOOL, {4, 3}, Flavor::kWide, 3), Layout::kTransposed)}});
  return calls;
}

Call pick(Operand x, Operand index, int64_t axis) {
  return {{std::move(x), std::move(index)}, {int_attr("axis", axis)}};
}

// index_select takes one list for the whole axis, gather one index per element.
std::vector<Call> picks(const Spec& spec, bp_dtype t) {
  const std::string op = spec.op;
  const bool list = op == "index_select", broadcasts = op == "take_along";
  std::vector<Call> calls;
  auto add = [&](const Shape& shape, Layout layout, const Shape& index, int64_t axis,
                 bp_dtype it = BP_I64, Layout index_layout = Layout::kContiguous) {
    const int64_t size = shape[wrap_axis(axis, shape.size())];
    const bool negative = broadcasts && is_signed_integer(it);
    const Shape wanted = list ? Shape{index[wrap_axis(axis, index.size())]} : index;
    calls.push_back(pick(tensor(make(t, shape, Flavor::kWide, 100), layout),
                         tensor(make_indices(it, wanted, size, negative, 101),
                                list ? Layout::kContiguous : index_layout),
                         axis));
  };
  for (Layout layout :
       {Layout::kContiguous, Layout::kTransposed, Layout::kSliced, Layout::kFlipped})
    for (int64_t axis : {0, 1, 2, -1}) {
      add({3, 4, 5}, layout, {3, 4, 5}, axis);
      add({3, 4, 5}, Layout::kContiguous, {3, 4, 5}, axis, BP_I32, layout);
    }
  for (bp_dtype it : {BP_U8, BP_I8, BP_U16, BP_I16, BP_U32, BP_U64})
    add({7, 3}, Layout::kContiguous, {7, 3}, 0, it);
  add({9}, Layout::kFlipped, {20}, 0, BP_I64, Layout::kSliced);
  add({3, 4}, Layout::kContiguous, {3, 11}, 1);
  add({3, 4}, Layout::kContiguous, {3, 0}, 1);
  add({1}, Layout::kContiguous, {1}, 0);
  add({large_of(t).rows, large_of(t).cols}, Layout::kTransposed,
      {large_of(t).rows, large_of(t).cols}, 0);
  add({large_of(t).rows, large_of(t).cols}, Layout::kContiguous,
      {large_of(t).rows, large_of(t).cols}, 1);
  if (op == "gather")
    add({4, 5}, Layout::kTransposed, {2, 7}, 1);  // off the axis the index may be smaller
  if (broadcasts) {
    add({4, 5}, Layout::kContiguous, {1, 7}, 1);
    add({1, 5}, Layout::kContiguous, {4, 3}, 1);
    add({4, 5}, Layout::kFlipped, {2, 1}, 0);
  }
  return calls;
}

std::vector<Call> one_hots(bp_dtype t) {
  std::vector<Call> calls;
  const Attribute five = int_attr("num_classes", 5);
  for (Layout layout :
       {Layout::kContiguous, Layout::kTransposed, Layout::kSliced, Layout::kFlipped})
    calls.push_back({{tensor(make_indices(t, {4, 6}, 5, false), layout)}, {five}});
  calls.push_back({{tensor(make_indices(t, {}, 5, false))}, {five}});
  calls.push_back({{tensor(make_indices(t, {0}, 5, false))}, {five}});
  calls.push_back({{tensor(make_indices(t, {20000}, 5, false))}, {five}});
  calls.push_back({{tensor(make_indices(t, {3}, 1, false))}, {int_attr("num_classes", 1)}});
  return calls;
}

}  // namespace

std::vector<Call> indexing_cases(const Spec& spec, bp_dtype t) {
  if (spec.family == Family::kJoin) return joins(spec, t);
  return spec.family == Family::kOneHot ? one_hots(t) : picks(spec, t);
}

}  // namespace conformance
