// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cases/cases.h"
#include "cases/inputs.h"

namespace conformance {
namespace {

Call creation(const std::string& op, bp_dtype t) {
  const Attribute dtype = dtype_attr("dtype", t), shape = ints_attr("shape", {4, 6});
  if (op == "fill") return {{number(int64_t{1})}, {shape, dtype}};
  if (op == "arange")
    return {{number(int64_t{0}), number(int64_t{24}), number(int64_t{1})}, {dtype}};
  if (op == "linspace")
    return {{number(int64_t{0}), number(int64_t{23})}, {int_attr("steps", 24), dtype}};
  Call call{{}, {shape, dtype, int_attr("seed", 7), int_attr("offset", 0)}};
  if (op == "randint") call.attrs.push_back(int_attr("high", 50));
  return call;
}

}  // namespace

Call plain_call(const Spec& spec, bp_dtype t) {
  const std::string op = spec.op;
  const Operand x = tensor(make(t, {4, 6}, Flavor::kSmall, 110)),
                y = tensor(make(t, {4, 6}, Flavor::kSmall, 111));
  switch (spec.family) {
    case Family::kUnary: return {{x}};
    case Family::kBinary: return {{x, y}};
    case Family::kBounds: return {{x, y, tensor(make(t, {4, 6}, Flavor::kSmall, 115))}};
    case Family::kWhere: return {{tensor(make(BP_BOOL, {4, 6}, Flavor::kSmall, 112)), x, y}};
    case Family::kConvert:
      return {
          {x},
          op == "cast" ? std::vector<Attribute>{dtype_attr("dtype", t)} : std::vector<Attribute>{}};
    case Family::kReduce:
      return {{x}, {ints_attr(op.substr(0, 3) == "arg" ? "axis" : "axes", {0})}};
    case Family::kRows:
      return {{x},
              op == "topk" || op == "kthvalue" ? std::vector<Attribute>{int_attr("k", 4)}
                                               : std::vector<Attribute>{int_attr("axis", 1)}};
    case Family::kMatmul:
      return {{tensor(make(t, {5, 5}, Flavor::kSmall, 113)),
               tensor(make(t, {5, 5}, Flavor::kSmall, 114))}};
    case Family::kLinalg:
    case Family::kFft: return cases_of(spec, t)[0];
    case Family::kJoin: return {{x, y}};
    case Family::kIndex: {
      const Shape index = op == "index_select" ? Shape{5} : Shape{4, 5};
      return {{x, tensor(make_indices(BP_I64, index, 6, false))}, {int_attr("axis", 1)}};
    }
    case Family::kOneHot:
      return {{is_integer(t) ? tensor(make_indices(t, {4, 6}, 5, false)) : x},
              {int_attr("num_classes", 5)}};
    case Family::kComposed: return composed_cases(spec, t)[0];
    default: return creation(op, t);
  }
}

}  // namespace conformance
