// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "oracle/oracle.h"

namespace conformance {
namespace rows_specs {
namespace {

// Calls f(first, step, n) for each row along the axis: element j of the row is at first + j * step.
template <class F>
void each_row(const Shape& shape, int64_t axis, F f) {
  const Rows rows = rows_of(shape, axis);
  for (size_t o = 0; o < rows.outer; ++o)
    for (size_t i = 0; i < rows.inner; ++i) f(rows.at(o, 0, i), rows.inner, rows.n);
}

Answer cumsum(const Call& call) {
  const Array& x = call.in[0].array;
  const bp_dtype wide = x.dtype == BP_U64 ? BP_U64 : BP_I64;
  const bp_dtype t = call.dtype("dtype", is_float(x.dtype) ? x.dtype : wide);
  const bool floats = is_float(t);
  const Array from = floats ? convert(x, t) : is_float(x.dtype) ? convert(x, BP_I64) : x;
  Expected e{Array{t, x.shape, std::vector<Real>(x.size()), {}}, std::vector<Real>(x.size()), true};
  each_row(x.shape, call.i64("axis", 0), [&](size_t first, size_t step, size_t n) {
    Real sum = 0, size = 0;
    uint64_t word = 0;
    for (size_t at = first, j = 0; j < n; ++j, at += step) {
      if (floats) {
        e.array.re[at] = sum += from.re[at];
        e.scale[at] = size += std::fabs(from.re[at]);
      } else {
        word += to_bits(from.re[at]);
        e.array.re[at] = convert(from_bits(word, wide), wide, t);
      }
    }
  });
  return {e};
}

Answer cumprod(const Call& call) {
  const Array& x = call.in[0].array;
  const bp_dtype wide = x.dtype == BP_U64 ? BP_U64 : BP_I64;
  const bp_dtype t = call.dtype("dtype", is_float(x.dtype) ? x.dtype : wide);
  const bool floats = is_float(t);
  const Array from = floats ? convert(x, t) : is_float(x.dtype) ? convert(x, BP_I64) : x;
  Expected e{
      Array{t, x.shape, std::vector<Real>(x.size()), {}}, {}, true, std::vector<Real>(x.size())};
  each_row(x.shape, call.i64("axis", 0), [&](size_t first, size_t step, size_t n) {
    Real product = 1;
    uint64_t word = 1;
    for (size_t at = first, j = 0; j < n; ++j, at += step) {
      product *= from.re[at];
      word *= floats ? 1 : to_bits(from.re[at]);
      e.array.re[at] = floats ? product : convert(from_bits(word, wide), wide, t);
      // Each factor of a product rounds once; the row's bound has room for 60 of f32.
      if (t == BP_F64)
        e.tolerance[at] = std::ldexp(std::fabs(product), -53) * static_cast<Real>(j + 1);
      if (t == BP_F32 && j >= 60)
        e.tolerance[at] = std::ldexp(std::fabs(product), -24) * static_cast<Real>(j - 59);
    }
  });
  return {e};
}

template <bool kLog>
Answer softmax(const Call& call) {
  const Array& x = call.in[0].array;
  Expected e{Array{x.dtype, x.shape, std::vector<Real>(x.size()), {}}, {}, kLog};
  if (kLog) e.scale.resize(x.size());
  each_row(x.shape, call.i64("axis", -1), [&](size_t first, size_t step, size_t n) {
    Real top = -static_cast<Real>(INFINITY), sum = 0;
    for (size_t j = 0; j < n; ++j) {
      const Real v = x.re[first + j * step];
      top = std::isnan(v) || v > top ? v : top;
      if (std::isnan(top)) break;
    }
    for (size_t j = 0; j < n; ++j) sum += std::exp(x.re[first + j * step] - top);
    for (size_t j = 0; j < n; ++j) {
      const size_t at = first + j * step;
      e.array.re[at] = kLog ? x.re[at] - top - std::log(sum) : std::exp(x.re[at] - top) / sum;
      if (kLog) e.scale[at] = 1 + std::fabs(x.re[at] - top);  // where the two terms nearly cancel
    }
  });
  return {e};
}

// The positions of a row in the order asked for: stable, NaN the largest.
std::vector<size_t> order_of(const Array& x, size_t first, size_t step, size_t n, bool descending) {
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t{0});
  auto less = [](Real a, Real b) { return std::isnan(b) ? !std::isnan(a) : a < b; };
  std::stable_sort(order.begin(), order.end(), [&](size_t i, size_t j) {
    const Real a = x.re[first + i * step], b = x.re[first + j * step];
    return descending ? less(b, a) : less(a, b);
  });
  return order;
}

// Elements [skip, skip + keep) of each row's order; keep < 0: all.
Answer ordered(const Call& call, int64_t axis, int64_t keep, bool descending, size_t skip = 0) {
  const Array& x = call.in[0].array;
  Shape shape = x.shape;
  if (keep >= 0 && !shape.empty()) shape[wrap_axis(axis, shape.size())] = keep;
  const auto n_out = static_cast<size_t>(count_of(shape));
  Answer answer{{Array{x.dtype, shape, std::vector<Real>(n_out), {}}},
                {Array{BP_I64, shape, std::vector<Real>(n_out), {}}}};
  const Rows to = rows_of(shape, axis);
  size_t row = 0;
  each_row(x.shape, axis, [&](size_t first, size_t step, size_t n) {
    const std::vector<size_t> order = order_of(x, first, step, n, descending);
    for (size_t j = 0; j < to.n; ++j) {
      const size_t at = to.at(row / to.inner, j, row % to.inner);
      answer[0].array.re[at] = x.re[first + order[skip + j] * step];
      answer[1].array.re[at] = static_cast<Real>(order[skip + j]);
    }
    ++row;
  });
  return answer;
}

Answer sort(const Call& call) {
  return ordered(call, call.i64("axis", -1), -1, call.i64("descending", 0) != 0);
}
Answer argsort(const Call& call) { return {sort(call)[1]}; }
Answer topk(const Call& call) {
  return ordered(call, call.i64("axis", -1), call.i64("k", 0), call.i64("largest", 1) != 0);
}
Answer kthvalue(const Call& call) {
  return ordered(call, call.i64("axis", -1), 1, false, static_cast<size_t>(call.i64("k", 1) - 1));
}

constexpr Spec kSpecs[] = {
    {"cumsum", Family::kRows, kReals, cumsum},
    {"cumprod", Family::kRows, kReals, cumprod},
    {"softmax", Family::kRows, kFloats, softmax<false>},
    {"log_softmax", Family::kRows, kFloats, softmax<true>},
    {"sort", Family::kRows, kReals, sort},
    {"argsort", Family::kRows, kReals, argsort},
    {"topk", Family::kRows, kReals, topk},
    {"kthvalue", Family::kRows, kReals, kthvalue},
};

}  // namespace
}  // namespace rows_specs

std::span<const Spec> rows_oracles() { return rows_specs::kSpecs; }

}  // namespace conformance
