// SPDX-License-Identifier: Apache-2.0
// selecting.cc: results as long as the data says.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "oracle/index.h"
#include "oracle/oracle.h"

namespace conformance {
namespace selecting_specs {
namespace {

bool is_true(const Array& x, size_t i) {
  return x.re[i] != 0 || (is_complex(x.dtype) && x.im[i] != 0);
}

Answer nonzero(const Call& call) {
  const Array& x = call.in[0].array;
  Array out{BP_I64, {0, static_cast<int64_t>(x.shape.size())}, {}, {}};
  size_t i = 0;
  each_index(x.shape, [&](const Shape& at) {
    if (!is_true(x, i++)) return;
    ++out.shape[0];
    for (int64_t k : at) out.re.push_back(static_cast<Real>(k));
  });
  return {{out}};
}

Answer flat_nonzero(const Call& call) {
  const Array& mask = call.in[0].array;
  const auto size = static_cast<size_t>(call.i64("size", 0));
  Array out{BP_I64, {static_cast<int64_t>(size)}, {}, {}};
  for (size_t i = 0; i < mask.size() && out.size() < size; ++i)
    if (is_true(mask, i)) out.re.push_back(static_cast<Real>(i));
  out.re.resize(size, -1);
  return {{out}};
}

Answer masked_select(const Call& call) {
  const Shape shape = broadcast(call.in[0].array.shape, call.in[1].array.shape);
  const Array x = expand(call.in[0].array, shape), mask = expand(call.in[1].array, shape);
  Array out{x.dtype, {0}, {}, {}};
  for (size_t i = 0; i < x.size(); ++i)
    if (is_true(mask, i)) append_element(out, x, i), ++out.shape[0];
  return {{out}};
}

// By definition, not by sorting rows of equals: each element asks all others.
Answer unique_all(const Call& call) {
  const Array& x = call.in[0].array;
  std::vector<size_t> first;
  for (size_t i = 0; i < x.size(); ++i) {
    const auto same = [&](size_t k) { return x.re[k] == x.re[i]; };
    if (std::none_of(first.begin(), first.end(), same)) first.push_back(i);
  }
  const auto before = [&](size_t a, size_t b) {
    return std::isnan(x.re[b]) ? !std::isnan(x.re[a]) : x.re[a] < x.re[b];
  };
  std::stable_sort(first.begin(), first.end(), before);
  const Shape shape{static_cast<int64_t>(first.size())};
  Array values{x.dtype, shape, {}, {}}, indices{BP_I64, shape, {}, {}},
      counts{BP_I64, shape, {}, {}};
  Array inverse{BP_I64, x.shape, std::vector<Real>(x.size()), {}};
  for (size_t g = 0; g < first.size(); ++g) {
    append_element(values, x, first[g]);
    indices.re.push_back(static_cast<Real>(first[g]));
    Real n = 0;
    for (size_t i = 0; i < x.size(); ++i)
      if (i == first[g] || x.re[i] == x.re[first[g]]) ++n, inverse.re[i] = static_cast<Real>(g);
    counts.re.push_back(n);
  }
  Expected distinct{values, {}, true};  // of 0 and -0, the first
  return {distinct, {indices}, {inverse}, {counts}};
}
Answer unique(const Call& call) { return {unique_all(call)[0]}; }

Answer index_copy(const Call& call) {
  const Array &x = call.in[0].array, &index = call.in[1].array, &source = call.in[2].array;
  Array out = x;
  const int64_t axis = call.i64("axis", 0);
  const Rows to = rows_of(x.shape, axis), from = rows_of(source.shape, axis);
  for (size_t o = 0; o < to.outer; ++o)
    for (size_t j = 0; j < index.size(); ++j)
      for (size_t i = 0; i < to.inner; ++i) {
        const size_t at = to.at(o, static_cast<size_t>(index.re[j]), i), k = from.at(o, j, i);
        out.re[at] = source.re[k];
        if (is_complex(x.dtype)) out.im[at] = source.im[k];
      }
  return {{out}};
}

Answer bincount(const Call& call) {
  const Array& x = call.in[0].array;
  const bool weighed = call.in.size() > 1 && !call.in[1].is_none();
  int64_t n = call.i64("minlength", 0);
  for (Real v : x.re) n = std::max(n, static_cast<int64_t>(v) + 1);
  const bp_dtype t = !weighed ? BP_I64 : call.in[1].array.dtype == BP_F32 ? BP_F32 : BP_F64;
  Expected e{Array{t, {n}, std::vector<Real>(static_cast<size_t>(n)), {}},
             std::vector<Real>(static_cast<size_t>(n)), true};
  for (size_t i = 0; i < x.size(); ++i) {
    const Real w = weighed ? call.in[1].array.re[i] : 1;
    e.array.re[static_cast<size_t>(x.re[i])] += w;
    e.scale[static_cast<size_t>(x.re[i])] += std::fabs(w);
  }
  return {e};
}

constexpr Spec kSpecs[] = {
    {"bincount", Family::kComposed, kInts, bincount},
    {"nonzero", Family::kComposed, kArithmetic, nonzero},
    {"flat_nonzero", Family::kComposed, kBools, flat_nonzero},
    {"masked_select", Family::kComposed, kAll, masked_select},
    {"unique", Family::kComposed, kReals, unique},
    {"unique_all", Family::kComposed, kReals, unique_all},
    {"index_copy", Family::kComposed, kAll, index_copy},
};

}  // namespace
}  // namespace selecting_specs

std::span<const Spec> selecting_oracles() { return selecting_specs::kSpecs; }

}  // namespace conformance
