// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>
#include <utility>

#include "cases/cases.h"

namespace conformance {
namespace {

std::vector<Call> fills(bp_dtype t) {
  std::vector<Call> calls;
  for (const Shape& shape : {Shape{}, Shape{0}, Shape{5}, Shape{2, 3}, Shape{large_of(t).count}}) {
    for (Operand v : {number(int64_t{1}), number(int64_t{0}), boolean(true)})
      calls.push_back({{v}, {ints_attr("shape", shape), dtype_attr("dtype", t)}});
    if (is_float(t) || is_complex(t))
      calls.push_back({{number(-2.5)}, {ints_attr("shape", shape), dtype_attr("dtype", t)}});
  }
  return calls;
}

std::vector<Call> aranges(bp_dtype t) {
  std::vector<Call> calls;
  const int64_t ranges[][3] = {{0, 10, 1}, {3, 20, 4}, {0, 0, 1}, {5, 6, 100}, {10, 100, 7}};
  for (auto [a, b, step] : ranges)
    calls.push_back({{number(a), number(b), number(step)}, {dtype_attr("dtype", t)}});
  if (item_bytes(t) > 1 && !is_narrow(t))
    calls.push_back({{number(int64_t{0}), number(int64_t{4467}), number(int64_t{1})},
                     {dtype_attr("dtype", t)}});
  if (is_signed_integer(t) || is_float(t))
    for (auto [a, b, step] : {std::array<int64_t, 3>{-5, 5, 3}, {10, -10, -3}, {-1, -100, -50}})
      calls.push_back({{number(a), number(b), number(step)}, {dtype_attr("dtype", t)}});
  if (t == BP_I64)
    calls.push_back({{number(int64_t{0}), number(int64_t{9}), number(int64_t{2})}, {}});
  if (!is_float(t)) return calls;
  const double fractions[][3] = {{0, 1, 0.1}, {-1.5, 2.25, 0.375}, {1, 0, -0.25}, {0.3, 0.3, 1}};
  for (auto [a, b, step] : fractions)
    calls.push_back({{number(a), number(b), number(step)}, {dtype_attr("dtype", t)}});
  calls.push_back({{number(0.0), number(static_cast<double>(large_of(t).count)), number(1.0)},
                   {dtype_attr("dtype", t)}});
  calls.push_back({{number(int64_t{0}), number(2.5), number(int64_t{1})}, {}});
  return calls;
}

std::vector<Call> linspaces(bp_dtype t) {
  std::vector<Call> calls;
  for (int64_t steps : {0, 1, 2, 3, 10, 101, 70001})
    for (auto [a, b] : {std::pair<double, double>{0, 1}, {-3, 7.5}, {10, -10}, {0.1, 0.7}, {4, 4}})
      calls.push_back({{number(a), number(b)}, {int_attr("steps", steps), dtype_attr("dtype", t)}});
  calls.push_back(
      {{number(int64_t{0}), number(int64_t{5})}, {int_attr("steps", 6), dtype_attr("dtype", t)}});
  return calls;
}

std::vector<std::vector<Attribute>> parameters(const std::string& op, bp_dtype t) {
  if (op == "uniform") return {{}, {float_attr("low", -2), float_attr("high", 6)}};
  if (op == "normal") return {{}, {float_attr("mean", 3), float_attr("std", 0.5)}};
  if (op == "bernoulli")
    return {{}, {float_attr("p", 0.1)}, {float_attr("p", 0)}, {float_attr("p", 1)}};
  std::vector<std::vector<Attribute>> ranges{{int_attr("high", 100)},
                                             {int_attr("low", 5), int_attr("high", 6)}};
  if (is_signed_integer(t)) ranges.push_back({int_attr("low", -100), int_attr("high", 100)});
  if (t == BP_I64) ranges.push_back({int_attr("low", INT64_MIN), int_attr("high", INT64_MAX)});
  return ranges;
}

std::vector<Call> draws(const std::string& op, bp_dtype t) {
  std::vector<Call> calls;
  for (const Shape& shape : {Shape{}, Shape{0}, Shape{7}, Shape{5, 9}, Shape{large_of(t).count}})
    for (const auto& more : parameters(op, t))
      for (auto [seed, offset] :
           {std::pair<int64_t, int64_t>{0, 0}, {42, 8}, {0x123456789abcdef, 0xfffffffe}}) {
        if (count_of(shape) > 1000 && seed == 0) continue;
        std::vector<Attribute> attrs{ints_attr("shape", shape), dtype_attr("dtype", t)};
        attrs.insert(attrs.end(), more.begin(), more.end());
        attrs.push_back(int_attr("seed", seed));
        attrs.push_back(int_attr("offset", offset));
        calls.push_back({{}, attrs});
      }
  return calls;
}

}  // namespace

std::vector<Call> creation_cases(const Spec& spec, bp_dtype t) {
  const std::string op = spec.op;
  if (op == "fill") return fills(t);
  if (op == "arange") return aranges(t);
  return op == "linspace" ? linspaces(t) : draws(op, t);
}

}  // namespace conformance
