// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <string>

#include "cases/cases.h"
#include "cases/inputs.h"

namespace conformance {
namespace {

// Sums and products of wide values overflow on the way; others may be anything.
Flavor flavor_of(const std::string& op) {
  if (op == "prod") return Flavor::kPositive;
  if (op == "sum" || op == "mean" || op == "var" || op == "std" || op == "logsumexp" ||
      op == "vector_norm" || op == "sum_square")
    return Flavor::kSmall;
  return Flavor::kWide;
}

struct Maker {
  const Spec& spec;
  std::string axes;  // the attribute's name
  bool single;       // one axis at most
  bool nonempty;     // a reduction of nothing is refused

  Call operator()(Operand x, const Shape& over, bool keepdims = false) const {
    Call call{{std::move(x)}, {}};
    if (!over.empty()) call.attrs.push_back(ints_attr(axes.c_str(), over));
    if (keepdims) call.attrs.push_back(flag_attr("keepdims", true));
    return call;
  }
};

Maker maker_of(const Spec& spec) {
  const std::string op = spec.op;
  const bool position = op == "argmax" || op == "argmin";
  return {spec, position ? "axis" : "axes", position, position || op == "max" || op == "min"};
}

Array with(Array a, size_t at, Real v) {
  if (is_float(a.dtype)) a.re[at] = v;
  return a;
}

void add_layouts(std::vector<Call>& calls, const Maker& make_call, bp_dtype t, Flavor flavor) {
  const Layout layouts[] = {Layout::kContiguous, Layout::kTransposed, Layout::kSliced,
                            Layout::kFlipped};
  for (Layout layout : layouts) {
    const Array cube = make(t, {3, 4, 5}, flavor, 50);
    for (int64_t axis : {0, 1, -1})
      calls.push_back(make_call(tensor(cube, layout), {axis}, axis == 1));
    calls.push_back(make_call(tensor(cube, layout), {}));
    calls.push_back(make_call(tensor(make(t, {33, 17}, flavor, 51), layout), {0}));
    if (make_call.single) continue;
    calls.push_back(make_call(tensor(cube, layout), {0, 2}, true));
    calls.push_back(make_call(tensor(cube, layout), {-1, 1}));
    calls.push_back(make_call(tensor(cube, layout), {0, 1, 2}));
  }
  calls.push_back(
      make_call(tensor(repeat_first(make(t, {6, 5}, flavor, 52)), Layout::kExpanded), {0}));
  calls.push_back(
      make_call(tensor(repeat_first(make(t, {6, 5}, flavor, 52)), Layout::kExpanded), {1}));
}

void add_large(std::vector<Call>& calls, const Maker& make_call, bp_dtype t, Flavor flavor) {
  const Array line = make(t, {large_of(t).count}, flavor, 53),
              matrix = make(t, {large_of(t).rows, large_of(t).cols}, flavor, 54);
  calls.push_back(make_call(tensor(line), {}));
  calls.push_back(make_call(tensor(line, Layout::kFlipped), {0}, true));
  for (Layout layout : {Layout::kContiguous, Layout::kTransposed})
    for (int64_t axis : {0, 1}) calls.push_back(make_call(tensor(matrix, layout), {axis}));
  calls.push_back(make_call(tensor(make(t, {2, large_of(t).count / 2}, flavor, 55)), {1}));
  calls.push_back(make_call(tensor(make(t, {large_of(t).count / 2, 2}, flavor, 56)), {0}));
  calls.push_back(make_call(tensor(make(t, {large_of(t).rows * 10, 7}, flavor, 57)), {0}));
  if (!make_call.single)
    calls.push_back(make_call(tensor(make(t, {3, 4, 501}, flavor, 58)), {0, 2}));
}

void add_edges(std::vector<Call>& calls, const Maker& make_call, bp_dtype t, Flavor flavor) {
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{1, 1}}) {
    calls.push_back(make_call(tensor(make(t, shape, flavor, 57)), {}));
    calls.push_back(make_call(tensor(make(t, shape, flavor, 58)), {-1}, true));
  }
  calls.push_back(make_call(tensor(make(t, {0, 3}, flavor)), {1}));  // no groups at all
  if (!make_call.nonempty) {
    calls.push_back(make_call(tensor(make(t, {0}, flavor)), {}));
    calls.push_back(make_call(tensor(make(t, {2, 0, 3}, flavor)), {1}, true));
  }
  if (!is_float(t)) return;
  const Array row = make(t, {4, 25}, Flavor::kPositive, 59);
  for (Real v : {static_cast<Real>(NAN), static_cast<Real>(INFINITY), -static_cast<Real>(INFINITY),
                 -0.0L, 0.0L})
    for (Layout layout : {Layout::kContiguous, Layout::kTransposed})
      for (const Shape& over : {Shape{1}, Shape{0}, Shape{}})
        calls.push_back(make_call(tensor(with(row, 61, v), layout), over));
  const Real inf = INFINITY;
  calls.push_back(make_call(tensor(with(with(row, 30, inf), 37, -inf)), {1}));
  // In a row that is long enough for registers, in whole ones and in the one that is not full.
  const Array lines = make(t, {2, 203}, Flavor::kPositive, 62);
  for (Real v : {static_cast<Real>(NAN), inf, -inf, 0.0L})
    for (size_t at : {size_t{0}, size_t{100}, size_t{202}})
      calls.push_back(make_call(tensor(with(lines, at, v)), {1}));
}

void add_attributes(std::vector<Call>& calls, const Maker& make_call, bp_dtype t, Flavor flavor) {
  const std::string op = make_call.spec.op;
  const Array a = make(t, {4, 6}, flavor, 60);
  if (op == "vector_norm")
    for (double ord : {0.0, 1.0, 3.0, HUGE_VAL, -HUGE_VAL})
      calls.push_back({{tensor(a)}, {ints_attr("axes", {1}), float_attr("ord", ord)}});
  if (op == "var" || op == "std")
    for (double correction : {0.0, 1.0, 2.5, 7.0})
      calls.push_back(
          {{tensor(a)}, {ints_attr("axes", {1}), float_attr("correction", correction)}});
  if (is_complex(t) && (op == "sum" || op == "prod" || op == "mean"))
    return calls.push_back({{tensor(a)}, {ints_attr("axes", {0}), dtype_attr("dtype", BP_C128)}});
  if (op == "sum" || op == "prod")
    for (bp_dtype to : {BP_U8, BP_I16, BP_I32, BP_I64, BP_U64, BP_F32, BP_F64})
      calls.push_back(
          {{tensor(a, Layout::kTransposed)}, {ints_attr("axes", {0}), dtype_attr("dtype", to)}});
  if (op == "mean")
    for (bp_dtype to : {BP_F16, BP_F32, BP_F64})
      calls.push_back({{tensor(a)}, {dtype_attr("dtype", to)}});
}

}  // namespace

std::vector<Call> reduce_cases(const Spec& spec, bp_dtype t) {
  const Maker make_call = maker_of(spec);
  const Flavor flavor = flavor_of(spec.op);
  std::vector<Call> calls;
  add_layouts(calls, make_call, t, flavor);
  const std::string op = spec.op;
  add_large(calls, make_call, t,
            op == "prod"                  ? Flavor::kNearOne
            : op == "sum" || op == "mean" ? Flavor::kPositive
                                          : flavor);
  add_edges(calls, make_call, t, flavor);
  add_attributes(calls, make_call, t, flavor);
  if (flavor == Flavor::kWide)
    for (const Shape& over : {Shape{0}, Shape{1}, Shape{}})
      calls.push_back(make_call(tensor(make(t, {9, 11}, Flavor::kTied, 61)), over));
  return calls;
}

}  // namespace conformance
