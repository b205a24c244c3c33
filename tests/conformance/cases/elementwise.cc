// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "cases/cases.h"
#include "cases/inputs.h"

namespace conformance {
namespace {

constexpr auto kWide = Flavor::kWide;

// Every special against every other.
Call all_pairs(bp_dtype t) {
  const std::vector<Real> values = specials(part_of(t));
  const auto n = static_cast<int64_t>(values.size());
  Array a{t, {n, n}, {}, {}}, b{t, {n, n}, {}, {}};
  for (Real x : values)
    for (Real y : values) {
      a.re.push_back(x);
      b.re.push_back(y);
    }
  if (is_complex(t)) {
    a.im.assign(a.size(), 2);
    b.im.assign(b.size(), 0.5L);
  }
  return {{tensor(a), tensor(b)}};
}

void add_numbers(std::vector<Call>& calls, bp_dtype t) {
  const Array x = make(t, {3, 50}, kWide, 20);
  for (int64_t v : {0, 1, 2, 3}) {
    calls.push_back({{tensor(x), number(v)}});
    calls.push_back({{number(v), tensor(x)}});
  }
  calls.push_back({{tensor(x, Layout::kTransposed), boolean(true)}});
  if (is_complex(t)) {
    calls.push_back({{tensor(x), number(1.5, -2)}});
    calls.push_back({{number(0, 1e300), tensor(x, Layout::kSliced)}});
    calls.push_back({{tensor(x), number(-0.5)}});
  }
  if (is_bool(t) || is_complex(t)) return;  // other numbers change what these promote to
  if (is_float(t)) {
    for (double v : {0.5, -2.0, 3.7, 1e6, 0.0, -0.0, 1e300})
      calls.push_back({{tensor(x, Layout::kSliced), number(v)}});
    calls.push_back({{number(2.5), tensor(x, Layout::kFlipped)}});
  }
  calls.push_back({{tensor(make(t, {}, kWide, 21)), number(int64_t{2})}});
  calls.push_back({{tensor(make(t, {0}, kWide, 21)), number(int64_t{2})}});
  calls.push_back({{tensor(make(t, {large_of(t).count}, kWide, 22)), number(int64_t{2})}});
}

std::vector<Call> binary(bp_dtype t) {
  std::vector<Call> calls{all_pairs(t)};
  for (Operand& a : every_layout(t, true)) {
    Operand b = tensor(make(t, a.array.shape, kWide, 30));
    calls.push_back({{a, b}});
    if (a.array.size() < 1000) calls.push_back({{b, a}});
  }
  const Array row = make(t, {1, 7}, kWide, 31), column = make(t, {5, 1}, kWide, 32),
              one = make(t, {}, kWide, 33);
  const Array matrix = make(t, {5, 7}, kWide, 34), line = make(t, {7}, kWide, 35),
              cube = make(t, {3, 5, 7}, kWide, 36);
  calls.push_back({{tensor(row), tensor(column)}});
  calls.push_back({{tensor(column), tensor(matrix, Layout::kTransposed)}});
  calls.push_back({{tensor(matrix, Layout::kFlipped), tensor(line, Layout::kSliced)}});
  calls.push_back({{tensor(one), tensor(cube, Layout::kTransposed)}});
  calls.push_back({{tensor(cube, Layout::kSliced), tensor(one)}});
  calls.push_back({{tensor(cube), tensor(make(t, {3, 1, 7}, kWide, 37))}});
  calls.push_back({{tensor(make(t, {0, 1}, kWide)), tensor(row)}});
  calls.push_back({{tensor(one), tensor(one)}});
  calls.push_back({{tensor(make(t, {large_of(t).rows, 1}, kWide, 38)),
                    tensor(make(t, {large_of(t).cols}, kWide, 39))}});
  add_numbers(calls, t);
  return calls;
}

// Neighbours of multiples, up to those whose quotient f64 would round to an integer.
Call near_multiples(bp_dtype t) {
  Array a{t, {0}, {}, {}}, b = a;
  for (int shift : {50, 31, 10, 51, 52, 53, 62})
    for (int64_t divisor :
         {int64_t{1}, int64_t{3}, (int64_t{1} << shift / 2) - 1, (int64_t{1} << shift / 2) + 1})
      for (int64_t off : {-1, 0, 1})
        for (int sign : {1, -1}) {
          const int64_t multiple = (int64_t{1} << shift) / divisor * divisor;
          a.re.push_back(sign * (multiple + off));
          b.re.push_back(divisor);
          a.re.push_back(multiple + off);
          b.re.push_back(-divisor);
          // Small numbers in the same block, and 0 among the divisors.
          a.re.push_back(shift);
          b.re.push_back(off);
        }
  a.shape = b.shape = {static_cast<int64_t>(a.size())};
  return {{tensor(a), tensor(b)}};
}

std::vector<Call> where(bp_dtype t) {
  std::vector<Call> calls;
  for (Operand& x : every_layout(t, true)) {
    const Array condition = make(BP_BOOL, x.array.shape, kWide, 40);
    calls.push_back({{tensor(condition), x, tensor(make(t, x.array.shape, kWide, 41))}});
    calls.push_back({{tensor(condition, Layout::kTransposed), x, tensor(make(t, {}, kWide, 42))}});
  }
  const Array matrix = make(t, {5, 7}, kWide, 43);
  calls.push_back({{tensor(make(BP_BOOL, {5, 1}, kWide, 44)), tensor(matrix),
                    tensor(make(t, {7}, kWide, 45))}});
  calls.push_back(
      {{tensor(make(BP_BOOL, {}, kWide, 46)), tensor(matrix), tensor(matrix, Layout::kFlipped)}});
  calls.push_back(
      {{tensor(make(BP_BOOL, {3, 5, 7}, kWide, 47)), tensor(matrix), number(int64_t{1})}});
  calls.push_back({{tensor(make(BP_BOOL, {5, 7}, kWide, 48)), number(int64_t{0}), tensor(matrix)}});
  return calls;
}

// clip, lerp, addcmul and addcdiv: three operands, any of which but the first may be a number;
// clip's bounds may be missing.
std::vector<Call> bounds(const Spec& spec, bp_dtype t) {
  const std::string op = spec.op;
  const bool clip = op == "clip", has_value = op == "addcmul" || op == "addcdiv";
  const auto third = op == "addcdiv" ? Flavor::kPositive : Flavor::kSmall;  // it divides
  std::vector<Call> calls;
  auto like = [&](const Operand& x, uint64_t seed) {
    return tensor(make(t, x.array.shape, clip ? kWide : Flavor::kSmall, seed));
  };
  for (Operand& x : every_layout(t, true)) {
    if (!clip) x.array = make(t, x.array.shape, Flavor::kSmall, 49);
    if (!clip && x.layout == Layout::kExpanded) x.array = repeat_first(x.array);
    calls.push_back(
        {{x, like(x, 50), clip ? like(x, 51) : tensor(make(t, x.array.shape, third, 51))}});
    if (has_value) calls.push_back({calls.back().in, {float_attr("value", -2.5)}});
    const Operand low = number(int64_t{1}), high = clip ? number(int64_t{2}) : number(0.25);
    if (!is_float(t) && !clip) continue;
    calls.push_back({{x, like(x, 52), high}});
    if (!clip) continue;
    calls.push_back({{x, low, high}});
    calls.push_back({{x, low, like(x, 53)}});
    calls.push_back({{x, none(), like(x, 54)}});
    calls.push_back({{x, low, none()}});
  }
  const auto small = [&](const Shape& shape, uint64_t seed) {
    return tensor(make(t, shape, Flavor::kSmall, seed));
  };
  const auto last = [&](const Shape& shape, uint64_t seed) {
    return tensor(make(t, shape, third, seed));
  };
  calls.push_back({{small({5, 7}, 55), small({7}, 56), last({5, 1}, 57)}});
  calls.push_back({{small({}, 58), small({2, 3}, 59), last({3}, 60)}});
  calls.push_back({{number(int64_t{2}), small({200}, 61), last({200}, 62)}});
  if (has_value) calls.push_back({{small({50}, 63), small({50}, 64), number(int64_t{3})}});
  return calls;
}

// The parameters that activations are called with besides their defaults.
std::vector<std::vector<Attribute>> parameters(const std::string& op) {
  if (op == "softplus")
    return {{float_attr("beta", 2)},
            {float_attr("threshold", 1)},
            {float_attr("beta", 0.5), float_attr("threshold", 4)}};
  if (op == "elu") return {{float_attr("alpha", 0.5)}};
  if (op == "leaky_relu") return {{float_attr("negative_slope", 0.25)}};
  if (op == "hardtanh") return {{float_attr("min_val", -2), float_attr("max_val", 3)}};
  if (op == "nan_to_num")
    return {{float_attr("nan", 2)}, {float_attr("posinf", 3), float_attr("neginf", -4)}};
  return {};
}

std::vector<Call> convert(const Spec& spec, bp_dtype t) {
  std::vector<Call> calls;
  const bool cast = spec.op == std::string("cast");
  for (bp_dtype to = 0; to < (cast ? BP_DTYPE_COUNT : 1); ++to)
    for (Operand& x : every_layout(t, to == 0 || to == BP_F32)) {
      if (cast)
        calls.push_back({{x}, {dtype_attr("dtype", to)}});
      else
        calls.push_back({{x}});
    }
  return calls;
}

}  // namespace

std::vector<Call> elementwise_cases(const Spec& spec, bp_dtype t) {
  if (spec.family == Family::kBinary) {
    std::vector<Call> calls = binary(t);
    if (t == BP_I64) calls.push_back(near_multiples(t));
    return calls;
  }
  if (spec.family == Family::kBounds) return bounds(spec, t);
  if (spec.family == Family::kWhere) return where(t);
  if (spec.family == Family::kConvert) return convert(spec, t);
  std::vector<Call> calls;
  for (Operand& x : every_layout(t, true)) calls.push_back({{x}});
  for (const auto& attrs : parameters(spec.op))
    for (Operand& x : every_layout(t, false)) calls.push_back({{x}, attrs});
  return calls;
}

}  // namespace conformance
