// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "oracle/oracle.h"

namespace conformance {
namespace reduce_specs {
namespace {

// The elements that meet in each output, in row-major order over the reduced dimensions.
struct Groups {
  Shape shape;
  std::vector<std::vector<Real>> of;
};

Groups group(const Array& x, const Call& call, const char* axes_name) {
  const size_t rank = x.shape.size();
  std::vector<bool> reduced(rank, call.ints(axes_name).empty());
  for (int64_t axis : call.ints(axes_name))
    if (rank > 0) reduced[wrap_axis(axis, rank)] = true;
  Groups g;
  Shape kept(rank, 0);  // strides of the outputs, 0 along reduced dimensions
  int64_t step = 1;
  for (size_t d = rank; d-- > 0;) {
    if (reduced[d]) continue;
    kept[d] = step;
    step *= x.shape[d];
  }
  const bool keepdims = call.i64("keepdims", 0) != 0;
  for (size_t d = 0; d < rank; ++d)
    if (!reduced[d] || keepdims) g.shape.push_back(reduced[d] ? 1 : x.shape[d]);
  g.of.resize(static_cast<size_t>(count_of(g.shape)));
  for (size_t i = 0; i < x.size(); ++i) {
    size_t rest = i, at = 0;
    for (size_t d = rank; d-- > 0;) {
      const auto size = static_cast<size_t>(x.shape[d]);
      at += rest % size * static_cast<size_t>(kept[d]);
      rest /= size;
    }
    g.of[at].push_back(x.re[i]);
  }
  return g;
}

using Values = std::span<const Real>;

Real total(Values v) {
  if (v.size() <= 8) {
    Real s = 0;
    for (Real x : v) s += x;
    return s;
  }
  return total(v.first(v.size() / 2)) + total(v.subspan(v.size() / 2));
}
Real magnitude(Values v) {
  std::vector<Real> sizes;
  for (Real x : v) sizes.push_back(std::fabs(x));
  return total(sizes);
}

// Integers are accumulated in 64 bits; a floating dtype asked for is computed in.
struct Accumulation {
  Array x;
  bp_dtype wide, result;
};
Accumulation accumulate(const Call& call) {
  const Array& x = call.in[0].array;
  const bp_dtype wide = x.dtype == BP_U64 ? BP_U64 : BP_I64;
  const bp_dtype asked = call.dtype("dtype", is_float(x.dtype) ? x.dtype : wide);
  if (is_float(asked)) return {convert(x, asked), asked, asked};
  return {is_float(x.dtype) ? convert(x, BP_I64) : x, is_float(x.dtype) ? BP_I64 : wide, asked};
}

template <bool kProduct>
Answer fold(const Call& call) {
  const Accumulation a = accumulate(call);
  const Groups g = group(a.x, call, "axes");
  Expected e{Array{a.result, g.shape, {}, {}}, {}, true};
  for (const auto& values : g.of) {
    if (is_float(a.wide)) {
      Real product = 1;
      for (Real v : values) product *= v;
      e.array.re.push_back(kProduct ? product : total(values));
      e.scale.push_back(kProduct ? 0 : magnitude(values));
      // Each factor of a product rounds once, whatever the order; the row's bound has room for 60
      // of f32.
      const Real n = static_cast<Real>(values.size());
      e.tolerance.push_back(!kProduct          ? 0
                            : a.wide == BP_F64 ? std::ldexp(std::fabs(product), -53) * n
                            : a.wide == BP_F32
                                ? std::ldexp(std::fabs(product), -24) * std::max(n - 60, Real{0})
                                : 0);
      continue;
    }
    uint64_t word = kProduct;
    for (Real v : values) word = kProduct ? word * to_bits(v) : word + to_bits(v);
    e.array.re.push_back(convert(from_bits(word, a.wide), a.wide, a.result));
  }
  return {e};
}

Answer mean(const Call& call) {
  const bp_dtype t = call.dtype("dtype", call.in[0].array.dtype);
  const Groups g = group(convert(call.in[0].array, t), call, "axes");
  Expected e{Array{t, g.shape, {}, {}}, {}, true};
  for (const auto& values : g.of) {
    e.array.re.push_back(total(values) / static_cast<Real>(values.size()));
    e.scale.push_back(values.empty() ? 0 : magnitude(values) / static_cast<Real>(values.size()));
  }
  return {e};
}

Answer var(const Call& call) {
  const Groups g = group(call.in[0].array, call, "axes");
  Expected e{Array{call.in[0].array.dtype, g.shape, {}, {}}, {}, true};
  for (const auto& values : g.of) {
    const Real m = total(values) / static_cast<Real>(values.size());
    std::vector<Real> squares;
    for (Real v : values) squares.push_back((v - m) * (v - m));
    const Real n = static_cast<Real>(values.size()) - static_cast<Real>(call.f64("correction", 1));
    e.array.re.push_back(total(squares) / std::max(n, Real{0}));
  }
  return {e};
}

Answer std_(const Call& call) {
  Answer answer = var(call);
  for (Real& v : answer[0].array.re) v = std::sqrt(v);
  return answer;
}

Answer logsumexp(const Call& call) {
  const Array& x = call.in[0].array;
  const Groups g = group(x, call, "axes");
  Expected e{Array{default_float_of(x.dtype), g.shape, {}, {}}, {}, true};
  for (const auto& values : g.of) {
    Real top = -static_cast<Real>(INFINITY), s = 0;
    for (Real v : values) top = std::isnan(v) || v > top ? v : top;
    const Real out = std::isfinite(top) ? top : 0;
    for (Real v : values) s += std::exp(v - out);
    e.array.re.push_back(std::isnan(top) ? top : std::log(s) + out);
    e.scale.push_back(1 + std::fabs(out));
  }
  return {e};
}

Real norm_of(Values values, Real ord) {
  Real most = 0, least = INFINITY, s = 0;
  for (Real v : values) {
    const Real a = std::fabs(v);
    if (std::isnan(a)) return NAN;
    most = std::fmax(most, a);
    least = std::fmin(least, a);
    s += ord == 0 ? a != 0 : std::pow(a, ord);
  }
  return std::isinf(ord) ? (ord > 0 ? most : least) : ord == 0 ? s : std::pow(s, 1 / ord);
}
Answer sum_square(const Call& call) {
  const Array& x = call.in[0].array;
  const Groups g = group(x, call, "axes");
  Expected e{Array{default_float_of(x.dtype), g.shape, {}, {}}, {}, true};
  for (const auto& values : g.of) {
    std::vector<Real> squares;
    for (Real v : values) squares.push_back(v * v);
    e.array.re.push_back(total(squares));
  }
  return {e};
}
Answer vector_norm(const Call& call) {
  const Groups g = group(call.in[0].array, call, "axes");
  Expected e{Array{call.in[0].array.dtype, g.shape, {}, {}}, {}, true};
  const Real ord = static_cast<Real>(call.f64("ord", 2));
  for (const auto& values : g.of) e.array.re.push_back(norm_of(values, ord));
  return {e};
}

Answer count_nonzero(const Call& call) {
  const Groups g = group(call.in[0].array, call, "axes");
  Expected e{Array{BP_I64, g.shape, {}, {}}};
  for (const auto& values : g.of) {
    Real n = 0;
    for (Real v : values) n += v != 0;
    e.array.re.push_back(n);
  }
  return {e};
}

// The position of the largest (or smallest); the first NaN when there is one.
template <bool kLargest>
size_t best(Values v) {
  size_t at = 0;
  for (size_t i = 1; i < v.size() && !std::isnan(v[at]); ++i)
    if (std::isnan(v[i]) || (kLargest ? v[i] > v[at] : v[i] < v[at])) at = i;
  return at;
}

template <bool kLargest>
Answer extreme(const Call& call) {
  const Groups g = group(call.in[0].array, call, "axes");
  Expected e{Array{call.in[0].array.dtype, g.shape, {}, {}}, {}, true};
  for (const auto& values : g.of) e.array.re.push_back(values[best<kLargest>(values)]);
  return {e};
}

template <bool kLargest>
Answer position(const Call& call) {
  const Groups g = group(call.in[0].array, call, "axis");
  Expected e{Array{BP_I64, g.shape, {}, {}}};
  for (const auto& values : g.of) e.array.re.push_back(static_cast<Real>(best<kLargest>(values)));
  return {e};
}

template <bool kAny>
Answer quantify(const Call& call) {
  const Groups g = group(call.in[0].array, call, "axes");
  Expected e{Array{BP_BOOL, g.shape, {}, {}}};
  for (const auto& values : g.of) {
    bool found = false;
    for (Real v : values) found = found || (v != 0) == kAny;
    e.array.re.push_back(found == kAny);
  }
  return {e};
}

constexpr Spec kSpecs[] = {
    {"sum", Family::kReduce, kReals, fold<false>},
    {"mean", Family::kReduce, kFloats, mean},
    {"prod", Family::kReduce, kReals, fold<true>},
    {"max", Family::kReduce, kReals, extreme<true>},
    {"min", Family::kReduce, kReals, extreme<false>},
    {"argmax", Family::kReduce, kReals, position<true>},
    {"argmin", Family::kReduce, kReals, position<false>},
    {"any", Family::kReduce, kReals, quantify<true>},
    {"all", Family::kReduce, kReals, quantify<false>},
    {"var", Family::kReduce, kFloats, var},
    {"std", Family::kReduce, kFloats, std_},
    {"logsumexp", Family::kReduce, kReals, logsumexp},
    {"sum_square", Family::kReduce, kReals, sum_square},
    {"vector_norm", Family::kReduce, kFloats, vector_norm},
    {"count_nonzero", Family::kReduce, kReals, count_nonzero},
};

}  // namespace
}  // namespace reduce_specs

std::span<const Spec> reduce_oracles() { return reduce_specs::kSpecs; }

}  // namespace conformance
