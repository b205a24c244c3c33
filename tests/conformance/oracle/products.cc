// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "oracle/dot.h"
#include "oracle/index.h"
#include "oracle/oracle.h"

namespace conformance {
namespace products_specs {
namespace {

Real times(Real a, Real b, bp_dtype t) {
  return is_bool(t)      ? a != 0 && b != 0
         : is_integer(t) ? from_bits(to_bits(a) * to_bits(b), t)
                         : a * b;
}

Answer outer(const Call& call) {
  const Array &a = call.in[0].array, &b = call.in[1].array;
  Array out{a.dtype, {a.shape[0], b.shape[0]}, {}, {}};
  for (Real x : a.re)
    for (Real y : b.re) out.re.push_back(times(x, y, a.dtype));
  return {{out}};
}

Answer vecdot(const Call& call) {
  const Shape all = broadcast(call.in[0].array.shape, call.in[1].array.shape);
  const Array a = expand(call.in[0].array, all), b = expand(call.in[1].array, all);
  const size_t axis = wrap_axis(call.i64("axis", -1), all.size());
  Shape shape = all;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  Expected e = sums(a.dtype, shape);
  each_index(shape, [&](const Shape& at) {
    Dot dot{a.dtype};
    Shape full = at;
    full.insert(full.begin() + static_cast<std::ptrdiff_t>(axis), 0);
    for (full[axis] = 0; full[axis] < all[axis]; ++full[axis])
      dot.add(value_at(a, full), value_at(b, full));
    dot.append_to(e);
  });
  return {e};
}

// Distances of many rows come from differences of squares, whose error shows beside zero.
Answer cdist(const Call& call) {
  const Array &a = call.in[0].array, &b = call.in[1].array;
  const double p = call.f64("p", 2);
  const Shape lead = broadcast(Shape(a.shape.begin(), a.shape.end() - 2),
                               Shape(b.shape.begin(), b.shape.end() - 2));
  const int64_t rows = a.shape[a.shape.size() - 2], columns = b.shape[b.shape.size() - 2],
                n = a.shape.back();
  const auto whole = [&](const Array& x) {
    Shape all = lead;
    all.insert(all.end(), x.shape.end() - 2, x.shape.end());
    return expand(x, all);
  };
  const Array wide_a = whole(a), wide_b = whole(b);
  Shape shape = lead;
  shape.push_back(rows), shape.push_back(columns);
  Expected e{Array{a.dtype, shape, {}, {}}, {}, true};
  const bool product = p == 2 && std::max(rows, columns) > 25 &&
                       call.str("compute_mode", "") != "donot_use_mm_for_euclid_dist";
  const Real eps =
      std::ldexp(Real{1}, 1 - format_of(a.dtype == BP_F64 ? BP_F64 : BP_F32).precision);
  each_index(shape, [&](const Shape& at) {
    Real total = 0, squares = 0;
    Shape i(at.begin(), at.end() - 1), j = i;
    j.back() = at.back();
    i.push_back(0), j.push_back(0);
    for (int64_t k = 0; k < n; ++k) {
      i.back() = j.back() = k;
      const Real x = value_at(wide_a, i), y = value_at(wide_b, j), d = std::fabs(x - y);
      total = std::isinf(p) ? std::fmax(total, d) : total + (p == 0 ? d != 0 : std::pow(d, p));
      squares += x * x + y * y;
    }
    const Real found = std::isinf(p) || p == 0 ? total : std::pow(total, 1 / static_cast<Real>(p));
    const Real error = static_cast<Real>(n + 3) * eps * squares;
    e.array.re.push_back(found);
    e.tolerance.push_back(
        product ? std::fmin(std::sqrt(error), found > 0 ? error / found : HUGE_VALL) : 0);
  });
  return {e};
}

Answer tensordot(const Call& call) {
  const Array &a = call.in[0].array, &b = call.in[1].array;
  std::vector<size_t> axes_a, axes_b;
  for (int64_t d : call.ints("axes_a")) axes_a.push_back(wrap_axis(d, a.shape.size()));
  for (int64_t d : call.ints("axes_b")) axes_b.push_back(wrap_axis(d, b.shape.size()));
  auto has = [](const std::vector<size_t>& list, size_t d) {
    for (size_t x : list)
      if (x == d) return true;
    return false;
  };
  Shape shape, inner;
  for (size_t d = 0; d < a.shape.size(); ++d)
    if (!has(axes_a, d)) shape.push_back(a.shape[d]);
  const size_t of_a = shape.size();
  for (size_t d = 0; d < b.shape.size(); ++d)
    if (!has(axes_b, d)) shape.push_back(b.shape[d]);
  for (size_t d : axes_a) inner.push_back(a.shape[d]);
  Expected e = sums(a.dtype, shape);
  each_index(shape, [&](const Shape& at) {
    Dot dot{a.dtype};
    each_index(inner, [&](const Shape& k) {
      Shape i(a.shape.size()), j(b.shape.size());
      size_t from = 0;
      for (size_t d = 0; d < i.size(); ++d)
        if (!has(axes_a, d)) i[d] = at[from++];
      from = of_a;
      for (size_t d = 0; d < j.size(); ++d)
        if (!has(axes_b, d)) j[d] = at[from++];
      for (size_t d = 0; d < k.size(); ++d) i[axes_a[d]] = j[axes_b[d]] = k[d];
      dot.add(value_at(a, i), value_at(b, j));
    });
    dot.append_to(e);
  });
  return {e};
}

Answer trace(const Call& call) {
  const Array& x = call.in[0].array;
  const bp_dtype t = is_float(x.dtype) ? x.dtype : x.dtype == BP_U64 ? BP_U64 : BP_I64;
  const int64_t offset = call.i64("offset", 0), m = x.shape[x.shape.size() - 2], n = x.shape.back();
  Expected e = sums(t, Shape(x.shape.begin(), x.shape.end() - 2));
  e.tolerance.clear();
  each_index(e.array.shape, [&](const Shape& at) {
    Dot dot{t};
    for (int64_t i = 0; i < m; ++i) {
      Shape full = at;
      full.push_back(i), full.push_back(i + offset);
      if (i + offset >= 0 && i + offset < n) dot.add(value_at(x, full), 1);
    }
    e.array.re.push_back(is_float(t) ? dot.value : from_bits(dot.word, t));
    e.scale.push_back(dot.size);
  });
  return {e};
}

Answer cross(const Call& call) {
  const Shape shape = broadcast(call.in[0].array.shape, call.in[1].array.shape);
  const Array a = expand(call.in[0].array, shape), b = expand(call.in[1].array, shape);
  const size_t axis = wrap_axis(call.i64("axis", -1), shape.size());
  const bp_dtype t = a.dtype;
  Expected e{Array{t, shape, {}, {}}, {}, true};
  each_index(shape, [&](const Shape& at) {
    Shape j = at, k = at;
    j[axis] = (at[axis] + 1) % 3;
    k[axis] = (at[axis] + 2) % 3;
    const Real x = times(value_at(a, j), value_at(b, k), t),
               y = times(value_at(a, k), value_at(b, j), t);
    e.array.re.push_back(is_integer(t) ? from_bits(to_bits(x) - to_bits(y), t) : x - y);
    e.scale.push_back(is_float(t) ? 2 * (std::fabs(x) + std::fabs(y)) : 0);
  });
  return {e};
}

Answer kron(const Call& call) {
  Array a = call.in[0].array, b = call.in[1].array;
  while (a.shape.size() < b.shape.size()) a.shape.insert(a.shape.begin(), 1);
  while (b.shape.size() < a.shape.size()) b.shape.insert(b.shape.begin(), 1);
  Array out{a.dtype, a.shape, {}, {}};
  for (size_t d = 0; d < out.shape.size(); ++d) out.shape[d] *= b.shape[d];
  each_index(out.shape, [&](const Shape& at) {
    Shape i = at, j = at;
    for (size_t d = 0; d < at.size(); ++d) {
      i[d] /= b.shape[d];
      j[d] %= b.shape[d];
    }
    out.re.push_back(times(value_at(a, i), value_at(b, j), a.dtype));
  });
  return {{out}};
}

constexpr uint32_t kNumbers = kInts | kFloats;
constexpr Spec kSpecs[] = {
    {"cdist", Family::kComposed, kFloats, cdist},
    {"outer", Family::kComposed, kReals, outer},
    {"vecdot", Family::kComposed, kNumbers, vecdot},
    {"tensordot", Family::kComposed, kNumbers, tensordot},
    {"trace", Family::kComposed, kReals, trace},
    {"cross", Family::kComposed, kNumbers, cross},
    {"kron", Family::kComposed, kReals, kron},
};

}  // namespace
}  // namespace products_specs

std::span<const Spec> products_oracles() { return products_specs::kSpecs; }

}  // namespace conformance
