// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>

#include "cases/cases.h"
#include "cases/inputs.h"

namespace conformance {
namespace {

// The attributes that each op is called with along an axis of n elements.
std::vector<std::vector<Attribute>> variants(const std::string& op, int64_t axis, int64_t n) {
  const Attribute along = int_attr("axis", axis);
  if (op == "sort" || op == "argsort") return {{along}, {along, flag_attr("descending", true)}};
  if (op == "kthvalue") {
    std::vector<std::vector<Attribute>> all;
    for (const int64_t k : {int64_t{1}, (n + 1) / 2, n})
      if (n > 0) all.push_back({int_attr("k", k), along});
    return all;
  }
  if (op != "topk") return {{along}};
  std::vector<std::vector<Attribute>> all{{along, int_attr("k", n)}};
  if (n > 2) all.push_back({along, int_attr("k", n / 2), flag_attr("largest", false)});
  if (n > 1) all.push_back({int_attr("k", 1), along});
  return all;
}

void add(std::vector<Call>& calls, const std::string& op, const Operand& x, int64_t axis) {
  const Rows rows = rows_of(x.array.shape, axis);
  for (auto& attrs : variants(op, axis, static_cast<int64_t>(rows.n)))
    calls.push_back({{x}, attrs});
}

Flavor row_flavor(const std::string& op) {
  if (op == "cumprod") return Flavor::kPositive;
  if (op == "cumsum" || op == "softmax" || op == "log_softmax") return Flavor::kSmall;
  return Flavor::kTied;
}

void add_specials(std::vector<Call>& calls, const std::string& op, bp_dtype t) {
  if (!is_float(t)) return;
  const Real inf = INFINITY, nan = NAN;
  for (Real v : {nan, inf, -inf, -0.0L}) {
    Array a = make(t, {6, 5}, Flavor::kSmall, 70);
    a.re[7] = v;
    if (op != "cumsum" && op != "cumprod" && std::isinf(v))
      for (size_t i = 15; i < 20; ++i) a.re[i] = v;  // a whole row of it
    add(calls, op, tensor(a), 1);
    add(calls, op, tensor(a, Layout::kTransposed), 0);
    Array many = make(t, {70, 9}, Flavor::kSmall, 83);  // short rows, several at a time
    many.re[30] = v;
    if (op != "cumsum" && op != "cumprod" && std::isinf(v))
      for (size_t i = 45; i < 54; ++i) many.re[i] = v;
    add(calls, op, tensor(many), 1);
  }
  if (op == "cumsum" || op == "cumprod") return;
  // Large arguments: exp must not overflow on the way.
  Array large = make(t, {4, 6}, Flavor::kSmall, 71);
  for (size_t i = 0; i < large.size(); i += 3) large.re[i] = round_to(large.re[i] * 4000, t);
  add(calls, op, tensor(large), 1);
}

}  // namespace

std::vector<Call> rows_cases(const Spec& spec, bp_dtype t) {
  const std::string op = spec.op;
  const Flavor flavor = row_flavor(op);
  std::vector<Call> calls;
  for (Layout layout :
       {Layout::kContiguous, Layout::kTransposed, Layout::kSliced, Layout::kFlipped}) {
    for (int64_t axis : {0, 1, 2, -1})
      add(calls, op, tensor(make(t, {3, 4, 5}, flavor, 72), layout), axis);
    add(calls, op, tensor(make(t, {33}, flavor, 73), layout), 0);
    add(calls, op, tensor(make(t, {17, 33}, flavor, 74), layout), 0);
    add(calls, op, tensor(make(t, {17, 33}, flavor, 75), layout), 1);
  }
  add(calls, op, tensor(repeat_first(make(t, {6, 5}, flavor, 76)), Layout::kExpanded), 0);
  add(calls, op, tensor(repeat_first(make(t, {6, 5}, flavor, 76)), Layout::kExpanded), 1);
  add(calls, op, tensor(make(t, {70, 9}, flavor, 84)), 1);
  for (const Shape& shape : {Shape{0}, Shape{2, 0}, Shape{0, 3}, Shape{}, Shape{1}, Shape{4, 1}})
    add(calls, op, tensor(make(t, shape, flavor, 77)), -1);
  const Flavor big = op == "cumsum"            ? Flavor::kPositive
                     : op == "cumprod"         ? Flavor::kNearOne
                     : flavor == Flavor::kTied ? Flavor::kWide
                                               : flavor;
  add(calls, op, tensor(make(t, {large_of(t).count}, big, 78)), 0);
  add(calls, op, tensor(make(t, {large_of(t).rows, large_of(t).cols}, big, 79)), 1);
  add(calls, op,
      tensor(make(t, {large_of(t).rows, large_of(t).cols}, big, 80), Layout::kTransposed), 0);
  add_specials(calls, op, t);
  if (op == "kthvalue") {  // few digits of the keys, or all, tell elements apart
    add(calls, op, tensor(make(t, {3, 6000}, Flavor::kWide, 85)), 1);
    add(calls, op, tensor(make(t, {6000, 3}, Flavor::kTied, 86)), 0);
    add(calls, op, tensor(repeat_first(make(t, {3, 3000}, Flavor::kTied, 87)), Layout::kExpanded),
        0);
  }
  if (op == "sort" &&
      (t == BP_F32 || t == BP_I64))  // an accelerator's own sort takes each by itself
    add(calls, op, tensor(make(t, {2, 131072}, Flavor::kTied, 82)), -1);
  if (op == "cumsum" || op == "cumprod")
    for (bp_dtype to : is_complex(t) ? std::vector<bp_dtype>{BP_C64, BP_C128}
                                     : std::vector<bp_dtype>{BP_I16, BP_I64, BP_F32, BP_F64})
      calls.push_back(
          {{tensor(make(t, {4, 6}, flavor, 81))}, {int_attr("axis", 0), dtype_attr("dtype", to)}});
  return calls;
}

}  // namespace conformance
